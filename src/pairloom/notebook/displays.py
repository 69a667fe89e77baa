"""How models, merges and encodings show themselves in a notebook: HTML, and the same as plain text.

The core's `_repr_mimebundle_` methods come here, when a notebook calls them and not before. Nothing is left out
silently: where a list is long, its ends are shown with how much stands between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from pairloom.notebook.markup import box, note, shown, table, text_table, told, whole

if TYPE_CHECKING:
    from pairloom.encoder import Encoding
    from pairloom.merges import Merge
    from pairloom.model import Model

Bundle = dict[str, str]
"""What a notebook asks for: a display by its media type."""

FIRST, LAST = 10, 3
"""Merges of a model that are shown from either end of its list."""

TOKENS = 200
"""Tokens of an encoding that are shown."""

HEAD = ("rank", "left", "right", "result", "frequency", "replacements", "corpus tokens", "ID", "entry")
NUMBERS = frozenset({0, 4, 5, 6, 7})


def bundle(html: str, text: str) -> Bundle:
    """Return both twins under their media types."""
    return {"text/plain": text, "text/html": html}


def model_bundle(model: Model) -> Bundle:
    """Return a model: its settings in words, and the ends of its merge list. Rules: T6, V1."""
    merges = model.merges
    words = f"{len(merges):,} merges, vocabulary of {len(model.vocabulary):,}, base alphabet of {len(model.alphabet):,}"
    how = [f"lowercase: {model.lowercase}", f"pre-tokenizer: {model.pre_tokenizer}", f"marker: {model.marker}"]
    if model.is_trained:
        how.append(f"corpus tokens at the start: {model.initial_tokens:,}; training ended: {model.stop_reason}")
    else:
        how.append("imported: no numbers of training")
    ends, between = _ends(merges)
    rows = [row for rank, merge in ends for row in _gap(rank, between, merge)]
    html = whole(
        f"<b>Pairloom model</b>: {note(words)}{note('; '.join(how))}",
        table(HEAD, rows, numbers=NUMBERS) if rows else note("no merges"),
        note(f"fingerprint {model.fingerprint}"),
    )
    text = [f"Pairloom model: {words}", "; ".join(how)]
    if ends:
        lines = text_table(HEAD, [_told(merge) for _, merge in ends], numbers=NUMBERS).split("\n")
        if between:
            lines.insert(1 + FIRST, _between(between))
        text += lines
    return bundle(html, "\n".join([*text, f"fingerprint {model.fingerprint}"]))


def _ends(merges: tuple[Merge, ...]) -> tuple[list[tuple[int, Merge]], int]:
    """The merges that are shown, each with its place among them, and how many stand between the ends."""
    between = len(merges) - FIRST - LAST
    if between <= 0:
        return list(enumerate(merges)), 0
    return list(enumerate((*merges[:FIRST], *merges[-LAST:]))), between


def _between(count: int) -> str:
    return f"… {count:,} more …"


def _gap(place: int, between: int, merge: Merge) -> Iterator[list[str]]:
    if between and place == FIRST:
        yield [_between(between), *[""] * (len(HEAD) - 1)]
    yield merge_cells(merge)


def merge_cells(merge: Merge) -> list[str]:
    """Return the cells of a merge as HTML, in the order of `HEAD`."""
    numbers = [_count(each) for each in (merge.frequency, merge.replacements, merge.corpus_tokens)]
    tokens = [shown(merge.left), shown(merge.right), box(merge.result, merge.id)]
    return [str(merge.rank), *tokens, *numbers, str(merge.id), "new" if merge.is_new else "reused"]


def _told(merge: Merge) -> list[str]:
    numbers = [_count(each) for each in (merge.frequency, merge.replacements, merge.corpus_tokens)]
    tokens = [told(merge.left), told(merge.right), told(merge.result)]
    return [str(merge.rank), *tokens, *numbers, str(merge.id), "new" if merge.is_new else "reused"]


def _count(number: int | None) -> str:
    return "—" if number is None else f"{number:,}"


def merge_bundle(merge: Merge) -> Bundle:
    """Return one merge in a row. Rule: T6."""
    html = whole(table(HEAD, [merge_cells(merge)], numbers=NUMBERS))
    return bundle(html, repr(merge))


def encoding_bundle(encoding: Encoding) -> Bundle:
    """Return an encoding as boxes with their IDs, and what is counted of it. Rules: E3, E5, E6, S5."""
    count = len(encoding.tokens)
    ratio = encoding.code_points_per_token
    words = [
        f"{count:,} token{'' if count == 1 else 's'}",
        f"{encoding.code_points:,} code points",
        f"{'—' if ratio is None else f'{ratio:.2f}'} code points per token",
        f"{encoding.unknown_count:,} unknown",
    ]
    pairs = list(zip(encoding.tokens[:TOKENS], encoding.ids[:TOKENS], strict=True))
    more = f"… and {count - TOKENS:,} more tokens" if count > TOKENS else ""
    html = whole(
        f"<div>{''.join(box(token, token_id, with_id=True) for token, token_id in pairs)}</div>",
        note(more) if more else "",
        note(", ".join(words)),
    )
    return bundle(html, "\n".join(_lines(pairs, more, words)))


def _lines(pairs: Iterable[tuple[str, int | None]], more: str, words: list[str]) -> Iterator[str]:
    yield " ".join(f"{told(token)}:{'UNK' if token_id is None else token_id}" for token, token_id in pairs)
    if more:
        yield more
    yield ", ".join(words)
