"""A merge list that another tool wrote → model, with a finding for each merge that is not what it seems.

What a merge needs: two parts that the alphabet or an earlier merge makes. What may surprise, and is accepted: a pair
listed twice, a string made twice, a merge that no text can bring to act.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pairloom.formats.findings import Findings
from pairloom.formats.trained_merges import is_inside_a_pre_token
from pairloom.model import Model
from pairloom.unicode_data import LOWERCASE, MARKER, WHITESPACE
from pairloom.views.display import plain

_NEVER_IN_A_WORD = re.compile(f"[{WHITESPACE}\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class EncodingSettings:
    """How a model splits text, for formats that do not say it. Rules: N7, P1–P3.

    `marker` is None where it is not known: the symbols of the file then decide.
    """

    lowercase: bool = False
    pre_tokenizer: str = "whitespace"
    marker: bool | None = True


def settled(settings: EncodingSettings | None, *, has_marker: bool) -> EncodingSettings:
    """Return the settings, where nothing is known of the marker with one if the symbols of the file have it."""
    if settings is None:
        return EncodingSettings(marker=has_marker)
    return replace(settings, marker=has_marker) if settings.marker is None else settings


@dataclass(frozen=True, slots=True)
class ListedMerge:
    """A pair as it stands in a file: at a line, or at a path of a JSON document."""

    left: str
    right: str
    line: int | None = None
    where: str | None = None

    @property
    def result(self) -> str:
        """What it makes."""
        return self.left + self.right


def model_of_list(
    merges: Sequence[ListedMerge],
    *,
    alphabet: Iterable[str],
    settings: EncodingSettings,
    findings: Findings,
    where_of: Callable[[str], str | None] = lambda _: None,
    of_duplicates: str = "this one never acts",
) -> Model | None:
    """Return the model of a merge list, or None if the findings refuse it.

    Rules: T8, V2.

    Args:
        merges: in rank order.
        alphabet: single code points; the marker is added if the model has one.
        settings: of the model.
        findings: takes what is found, duplicates, strings made twice and unreachable merges among it.
        where_of: where a symbol of the alphabet that no merge names stands in the file.
        of_duplicates: what to say of a pair that is listed again.

    Cost: that of encoding every result once.
    """
    symbols = {*alphabet, MARKER} if settings.marker else set(alphabet)
    _check_symbols(symbols, merges, settings, findings, where_of)
    _check_parts(merges, symbols, findings, of_duplicates)
    if findings.has_errors:
        return None
    pairs = [(merge.left, merge.right) for merge in merges]
    model = Model.from_merges(
        symbols,
        pairs,
        lowercase=settings.lowercase,
        pre_tokenizer=settings.pre_tokenizer,
        marker=bool(settings.marker),
    )
    _check_reach(merges, model, findings)
    return model


def _check_symbols(
    symbols: set[str],
    merges: Sequence[ListedMerge],
    settings: EncodingSettings,
    findings: Findings,
    where_of: Callable[[str], str | None],
) -> None:
    refused = [symbol for symbol in sorted(symbols) if _NEVER_IN_A_WORD.search(symbol)]
    if not settings.marker and MARKER in symbols:
        refused.append(MARKER)
    for symbol in refused:
        named_by = next((merge for merge in merges if symbol in (merge.left, merge.right)), None)
        if symbol != MARKER and named_by is not None:
            continue  # found there, as a part of that merge
        line, where = (None, where_of(symbol)) if named_by is None else (named_by.line, named_by.where)
        if symbol == MARKER:
            message = "the alphabet has the marker ▁, which a model without marker cannot have"
            findings.error("settings", message, line=line, where=where)
        else:
            message = f"the alphabet has {symbol!a}, which no pre-token holds"
            findings.error("whitespace", message, line=line, where=where)


def _check_parts(merges: Sequence[ListedMerge], symbols: set[str], findings: Findings, of_duplicates: str) -> None:
    made: dict[str, ListedMerge] = {}
    pairs: dict[tuple[str, str], ListedMerge] = {}
    for merge in merges:
        line, where = merge.line, merge.where
        pair = merge.left, merge.right
        spaced = next((part for part in pair if _NEVER_IN_A_WORD.search(part)), None)
        lacking = next((part for part in pair if part not in symbols and part not in made), None)
        if "" in pair:
            findings.error("parts", "one part of the pair is empty", line=line, where=where)
        elif spaced is not None:
            message = f"{spaced!a} has whitespace or a surrogate in it, which no pre-token holds"
            findings.error("whitespace", message, line=line, where=where)
        elif lacking is not None:
            findings.error(
                "nothing-makes", f"nothing before it makes the part {plain(lacking)}", line=line, where=where
            )
        elif pair in pairs:
            message = f"{_shown(merge)} is listed before ({_place(pairs[pair])}): {of_duplicates}"
            findings.warn("duplicate", message, line=line, where=where)
        elif merge.result in made:
            earlier = made[merge.result]
            message = f"{plain(merge.result)} is made before ({_place(earlier)}, {_shown(earlier)}): it keeps its ID"
            findings.warn("made-twice", message, line=line, where=where)
        pairs.setdefault(pair, merge)
        made.setdefault(merge.result, merge)


def _check_reach(merges: Sequence[ListedMerge], model: Model, findings: Findings) -> None:
    """Warn of merges that no text can bring to act.

    As long as the outer boundaries of a string stand, its inside is always merged alike, whatever is around it. So a
    merge acts in some text if and only if it is the last step of merging its own result.
    """
    seen: set[tuple[str, str]] = set()
    for rank, merge in enumerate(merges):
        pair = merge.left, merge.right
        if pair in seen:
            continue
        seen.add(pair)
        reason = _never_in_text(merge.result, model) or _cut_otherwise(rank, merge, merges, model)
        if reason is not None:
            findings.warn("unreachable", f"{_shown(merge)} never acts: {reason}", line=merge.line, where=merge.where)


def _never_in_text(result: str, model: Model) -> str | None:
    """Return why no pre-token of the model holds a string, None if one can."""
    if MARKER in result[1:]:
        return "the marker ▁ stands only at the front of a word"
    bare = result.removeprefix(MARKER)
    if model.lowercase and bare.translate(LOWERCASE) != bare:
        return "with lowercase on, no text holds capitals"
    if bare and not is_inside_a_pre_token(result, model.pre_tokenizer):
        return f"the pre-tokenizer {model.pre_tokenizer} splits {plain(result)}"
    return None


def _cut_otherwise(rank: int, merge: ListedMerge, merges: Sequence[ListedMerge], model: Model) -> str | None:
    merged = model.merge_table.merge(merge.result, prefix=len(merges))
    if merged.steps and merged.steps[-1][1] == rank and len(merged.starts) == 1:
        return None
    if len(merged.starts) == 1:
        other = merges[merged.steps[-1][1]]
        return f"{plain(merge.result)} always becomes {_shown(other)} ({_place(other)})"
    bounds = [*merged.starts, len(merge.result)]
    pieces = [merge.result[start:end] for start, end in pairwise(bounds)]
    return f"{plain(merge.result)} always becomes {' '.join(map(plain, pieces))}"


def _shown(merge: ListedMerge) -> str:
    return f"{plain(merge.left)}+{plain(merge.right)}"


def _place(merge: ListedMerge) -> str:
    return f"line {merge.line}" if merge.line is not None else str(merge.where)
