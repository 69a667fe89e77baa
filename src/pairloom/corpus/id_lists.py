"""Texts → lists of IDs in Arrow: the one place in which a dataset meets the encoder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pairloom.corpus.libraries import library
from pairloom.model import Model

_NO_ID: Final = 2**32 - 1


def id_type(model: Model) -> Any:
    """Return the Arrow type of one ID: 16 bits where the vocabulary fits in them, else 32."""
    pyarrow = library("pyarrow")
    return pyarrow.uint16() if len(model.vocabulary) <= 1 << 16 else pyarrow.uint32()


def id_lists(model: Model, texts: Sequence[str | None], *, prefix: int | None) -> tuple[Any, int]:
    """Return an Arrow array with a list of IDs for each text, null for None, and the number of unknown tokens.

    An unknown token is a null in its list (E3).

    Raises:
        ForbiddenCodePoint: the caller knows which texts can have any.
    """
    pyarrow, compute = library("pyarrow"), library("pyarrow.compute")
    encoded = model.encode_batch(["" if text is None else text for text in texts], prefix).token_ids
    codes = pyarrow.py_buffer(encoded.with_unknown(_NO_ID))
    ids = pyarrow.Array.from_buffers(pyarrow.uint32(), len(encoded), [None, codes])
    if encoded.unknown_count:
        ids = compute.if_else(compute.equal(ids, _NO_ID), pyarrow.scalar(None, pyarrow.uint32()), ids)
    ends = pyarrow.array([0, *encoded.ends], pyarrow.int64())
    is_null = pyarrow.array([text is None for text in texts], pyarrow.bool_())
    lists = pyarrow.LargeListArray.from_arrays(ends, ids.cast(id_type(model)), mask=is_null)
    return lists, encoded.unknown_count
