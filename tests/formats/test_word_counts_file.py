"""Tables of word counts: our own come back as they were, others are checked line by line; SentencePiece reads ours."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest
import sentencepiece
from hypothesis import given
from hypothesis import strategies as st

from pairloom.errors import CountError, CountOverflow, ModelError
from pairloom.formats.peers import MissingPeer, peer
from pairloom.formats.word_counts_file import (
    added_up,
    dumps_parquet,
    dumps_tsv,
    is_parquet,
    loads_parquet,
    loads_tsv,
)
from pairloom.pre_tokenizer import PRE_TOKENIZERS
from pairloom.trainer import train, train_from_word_counts
from pairloom.word_counts import WordCounts, count_words
from tests.support.strategies import corpora


@given(corpora(), st.booleans(), st.sampled_from(PRE_TOKENIZERS))
def test_there_and_back(texts: list[str], lowercase: bool, pre_tokenizer: str) -> None:
    table = count_words(texts, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    read = loads_tsv(dumps_tsv(table), lowercase=lowercase, pre_tokenizer=pre_tokenizer)
    assert read == table
    assert list(read.counts) == list(table.counts)
    data = dumps_parquet(table)
    assert is_parquet(data)
    assert loads_parquet(data) == table


def test_a_table_without_marker() -> None:
    table = WordCounts({"hug": 10, "pug": 5}, marker=False)
    assert dumps_tsv(table) == b"hug\t10\npug\t5\n"
    assert loads_tsv(dumps_tsv(table), marker=False) == table
    assert loads_tsv(dumps_tsv(table)).counts == {"▁hug": 10, "▁pug": 5}
    assert loads_parquet(dumps_parquet(table)) == table


def test_training_from_a_table_is_training_from_the_text() -> None:
    text = "low low lower newest newest widest"
    assert train_from_word_counts(loads_tsv(dumps_tsv(count_words(text)))).merges == train(text).merges


@pytest.mark.parametrize(
    ("data", "where", "word"),
    [
        (b"a\t1\nb\n", "line 2", "tab"),
        (b"a\t1\nb\t-2\n", "line 2", "whole number"),
        (b"a\t1.5\n", "line 1", "whole number"),
        ("a\t٣\n".encode(), "line 1", "ASCII"),
        (b"a\t1\nb\t2\na\t3\n", "line 3", "line 1"),
        (b"a\t1\n\xff\t1\n", "line 2", "UTF-8"),
        (b"\xef\xbb\xbfa\t1\n", "line 1", "byte order mark"),
        (b"a\t99999999999999999999999\n", "line 1", "whole number"),
        (b"\n", "line 1", "tab"),
    ],
)
def test_a_line_that_is_no_word_and_count(data: bytes, where: str, word: str) -> None:
    with pytest.raises(ModelError) as raised:
        loads_tsv(data)
    assert raised.value.where == where
    assert word in raised.value.reason


@pytest.mark.parametrize(
    ("data", "line", "kind"),
    [
        (b"a\t1\nb\t0\n", 2, CountError),
        ("a\t1\n\u3000b\t2\n".encode(), 2, CountError),
        ("▁a\t1\nb\t2\n".encode(), 2, CountError),
        (b"a\t1\nbb\t9223372036854775807\n", 2, CountOverflow),
        ("a\t1\nx▁y\t2\n".encode(), 2, CountError),
    ],
)
def test_a_word_or_a_count_that_cannot_be(data: bytes, line: int, kind: type[CountError]) -> None:
    with pytest.raises(kind) as raised:
        loads_tsv(data)
    assert f"in line {line}" in raised.value.__notes__


def test_parquet_of_others() -> None:
    import pyarrow as pa
    from pyarrow import parquet

    def written(**columns: list[object]) -> bytes:
        out = io.BytesIO()
        parquet.write_table(pa.table(columns), out)
        return out.getvalue()

    assert loads_parquet(written(word=["low", "lower"], count=[2, 1])).counts == {"▁low": 2, "▁lower": 1}
    with pytest.raises(ModelError, match="are needed"):
        loads_parquet(written(word=["low"], n=[2]))
    with pytest.raises(ModelError, match="are needed"):
        loads_parquet(written(word=[1], count=[2]))
    with pytest.raises(ModelError, match="row 0, too"):
        loads_parquet(written(word=["low", "low"], count=[2, 1]))
    with pytest.raises(CountError):
        loads_parquet(written(word=["low", None], count=[2, 1]))
    with pytest.raises(CountError):
        loads_parquet(written(word=["low", "new"], count=[1, None]))
    with pytest.raises(ModelError, match="no Parquet"):
        loads_parquet(b"PAR1 and nothing else")


def test_damage_inside_a_parquet_file() -> None:
    """pyarrow checks neither that texts are UTF-8 nor what metadata holds."""
    import pyarrow as pa

    def written(words: list[bytes], settings: bytes) -> bytes:
        data = io.BytesIO()
        schema = pa.schema([("word", pa.binary()), ("count", pa.int64())])
        table = pa.table([words, [1] * len(words)], schema=schema)
        texts = pa.Array.from_buffers(pa.string(), len(words), table.column("word").chunk(0).buffers())
        table = table.set_column(0, "word", texts).replace_schema_metadata({b"pairloom": settings})
        peer("pyarrow.parquet").write_table(table, data)
        return data.getvalue()

    good = b'{"lowercase": false, "pre_tokenizer": "whitespace", "marker": true}'
    assert loads_parquet(written([b"low"], good)).counts == {"▁low": 1}
    with pytest.raises(ModelError, match="UTF-8"):
        loads_parquet(written([b"l\xffw"], good))
    for settings in (b"[" * 100_000, b'{"lowercase": ' + b"9" * 5000 + b"}", b"\xff"):
        with pytest.raises(ModelError, match="none of ours"):
            loads_parquet(written([b"low"], settings))


def test_without_pyarrow_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPeer, match=r"pip install '\.\[parquet\]'") as raised:
        dumps_parquet(count_words("a"))
    assert raised.value.name == "pyarrow"


def test_an_error_inside_a_peer_is_not_taken_for_its_absence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    monkeypatch.setattr("pairloom.formats.peers.import_module", lambda _: __import__("no_such_module_of_a_peer"))
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        peer("pyarrow")


def test_tables_are_added_up() -> None:
    one, other = count_words("low low"), count_words("low new")
    assert added_up([one, other]).counts == {"▁low": 3, "▁new": 1}
    with pytest.raises(CountError, match="lowercase"):
        added_up([one, count_words("low", lowercase=True)])


def test_sentencepiece_reads_a_table() -> None:
    """Its BPE, told to leave characters alone, learns from the table what it learns from the text."""
    text = "low low low lower lower newest newest newest newest widest widest"

    def pieces(**source: Any) -> list[str]:
        model = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            model_writer=model,
            model_type="bpe",
            vocab_size=24,
            character_coverage=1.0,
            normalization_rule_name="identity",
            minloglevel=2,
            **source,
        )
        processor = sentencepiece.SentencePieceProcessor(model_proto=model.getvalue())
        return [processor.id_to_piece(number) for number in range(processor.get_piece_size())]

    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        table, words = Path(folder) / "counts.tsv", Path(folder) / "words.txt"
        table.write_bytes(dumps_tsv(count_words(text)))
        words.write_text("".join(f"{word}\n" for word in text.split()), "utf-8")
        from_table = pieces(input=str(table), input_format="tsv")
        assert from_table == pieces(input=str(words))
        assert "▁low" in from_table
