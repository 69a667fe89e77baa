"""Files with word counts → one table."""

from __future__ import annotations

from collections.abc import Sequence

from pairloom.cli.inputs import STANDARD_INPUT, chunks
from pairloom.cli.messages import blaming
from pairloom.formats.word_counts_file import added_up, is_parquet, loads_parquet, loads_tsv
from pairloom.word_counts import WordCounts


def tables(paths: Sequence[str], *, lowercase: bool, pre_tokenizer: str) -> WordCounts:
    """Return the sum of tables, each tab-separated or Parquet; without a path, of standard input.

    Raises:
        OSError, MissingPeer, InSourceError around a ModelError or a CountError.
    """
    read: list[WordCounts] = []
    for chunk in chunks(paths or (STANDARD_INPUT,), lines=False):
        loads = loads_parquet if is_parquet(chunk.data) else loads_tsv
        with blaming(chunk.source):
            read.append(loads(chunk.data, lowercase=lowercase, pre_tokenizer=pre_tokenizer))
    return added_up(read)
