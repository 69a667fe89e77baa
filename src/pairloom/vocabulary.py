"""The vocabulary of a model: which token string has which ID."""

from __future__ import annotations

from collections.abc import Iterable

from pairloom.checks import is_iterable
from pairloom.errors import InvalidMerge, ModelError
from pairloom.shortening import short_repr
from pairloom.unicode_data import MARKER, WHITESPACE
from pairloom.values import dataclass


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Token strings by ID and IDs by token string, and what each merge of the list makes.

    Attributes:
        tokens: token strings; `tokens[id]` is the one with that ID (V1).
        ids: the reverse.
        result_ids: per merge the ID of its result.
        merges: per merge its left, right and result: the very strings of `tokens`, so that equal symbols are identical.
    """

    tokens: tuple[str, ...]
    ids: dict[str, int]
    result_ids: tuple[int, ...]
    merges: tuple[tuple[str, str, str], ...]


def build_vocabulary(alphabet: Iterable[str], pairs: Iterable[tuple[str, str]]) -> Vocabulary:
    """Return the vocabulary of a sorted base alphabet and a merge list.

    Rules: V1 (IDs from 0: the alphabet, then new results in rank order), V2 (a result that is there already keeps its
    ID).

    Raises:
        InvalidMerge: a part that neither the alphabet nor an earlier merge makes.

    Cost: linear in the merges, plus the length of their results.
    """
    tokens = list(alphabet)
    ids = {token: token_id for token_id, token in enumerate(tokens)}
    result_ids: list[int] = []
    merges: list[tuple[str, str, str]] = []
    for rank, (left, right) in enumerate(pairs):
        for part in (left, right):
            if part not in ids:
                raise InvalidMerge(rank=rank, reason=f"nothing before it makes the part {short_repr(part)}")
        result = left + right
        token_id = ids.setdefault(result, len(tokens))
        if token_id == len(tokens):
            tokens.append(result)
        result_ids.append(token_id)
        merges.append((tokens[ids[left]], tokens[ids[right]], tokens[token_id]))
    return Vocabulary(tuple(tokens), ids, tuple(result_ids), tuple(merges))


def check_alphabet(alphabet: Iterable[object], *, marker: bool, may_lack_marker: bool = False) -> tuple[str, ...]:
    """Return the base alphabet of a model in code-point order (T1).

    Args:
        alphabet: single code points, each once, in any order.
        marker: whether words carry the marker, which then has to be there unless `may_lack_marker`.
        may_lack_marker: for a table that holds only such pieces of words as follow their first one (P2).

    Raises:
        ModelError: nothing to go through, an entry that is no single code point or cannot occur in a pre-token, one
            that stands twice, no marker although the model uses it, or a marker although it does not.
    """
    if not is_iterable(alphabet):
        raise ModelError(reason=f"code points are needed, not {type(alphabet).__name__}", where="alphabet")
    entries: set[str] = set()
    for place, entry in enumerate(alphabet):
        where = f"alphabet[{place}]"
        if not isinstance(entry, str) or len(entry) != 1:
            raise ModelError(reason=f"{short_repr(entry)} is not a single code point", where=where)
        if entry in WHITESPACE or "\ud800" <= entry <= "\udfff":
            raise ModelError(reason=f"{entry!a} cannot occur in a pre-token", where=where)
        if entry == MARKER and not marker:
            raise ModelError(reason="the marker ▁ cannot occur in a model without marker", where=where)
        if entry in entries:
            raise ModelError(reason=f"{entry!a} stands there twice", where=where)
        entries.add(entry)
    if marker and MARKER not in entries and not may_lack_marker:
        raise ModelError(reason="the marker ▁ (U+2581) is missing", where="alphabet")
    return tuple(sorted(entries))
