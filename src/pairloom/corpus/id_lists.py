"""Texts → lists of IDs in Arrow: the one place in which a dataset meets the encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pairloom.corpus.libraries import library
from pairloom.encoder import cut
from pairloom.model import Model
from pairloom.normalizer import normalize
from pairloom.pre_tokenizer import pre_tokenize

_MAX_WORDS = 1_000_000


def id_type(model: Model) -> Any:
    """Return the Arrow type of one ID: 16 bits where the vocabulary fits in them, else 32."""
    pyarrow = library("pyarrow")
    return pyarrow.uint16() if len(model.vocabulary) <= 1 << 16 else pyarrow.uint32()


class IdLists:
    """Encodes texts with one model and prefix. Words that were met before are looked up."""

    def __init__(self, model: Model, prefix: int | None) -> None:
        self._model = model
        self._prefix = model.check_prefix(prefix)
        self._type = id_type(model)
        self._known: dict[str, tuple[int | None, ...]] = {}

    def encode(self, texts: Sequence[str | None]) -> tuple[Any, int]:
        """Return an Arrow array with a list of IDs for each text, null for None, and the number of unknown tokens.

        An unknown token is a null in its list (E3).

        Raises:
            ForbiddenCodePoint: the caller knows which texts can have any.
        """
        pyarrow = library("pyarrow")
        ids: list[int | None] = []
        ends: list[int | None] = [0]
        for text in texts:
            if text is not None:
                self._add(text, ids)
            ends.append(len(ids))
        # A null is told by its start.
        starts = [None if text is None else end for text, end in zip(texts, ends, strict=False)]
        lists = pyarrow.LargeListArray.from_arrays(
            pyarrow.array([*starts, ends[-1]], pyarrow.int64()), pyarrow.array(ids, self._type)
        )
        return lists, ids.count(None)

    def _add(self, text: str, ids: list[int | None]) -> None:
        known = self._known
        model = self._model
        for word in pre_tokenize(normalize(text, model.lowercase), model.pre_tokenizer, marker=model.marker):
            found = known.get(word)
            if found is None:
                starts = model.merge_table.merge(word, prefix=self._prefix).starts[1:]
                found = tuple([model.token_id(token) for token in cut(word, starts)])
                if len(known) < _MAX_WORDS:
                    known[word] = found
            ids.extend(found)
