"""The step on the page as a picture for slides: an SVG document that needs nothing else. Rules: S3–S5, N9.

It is drawn on white with attributes alone, no style sheet and no script, so that it looks the same in a browser, in a
word processor and as a bitmap, whatever policy guards the page.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final, Protocol

from pairloom.history import History
from pairloom.views.colors import PAPER_COLORS, PAPER_INK, color_index
from pairloom.views.corpus import CorpusPage, CorpusPages, Piece
from pairloom.views.display import plain, visible
from pairloom.views.lesson.messages import message_of
from pairloom.views.lesson.sentences import CodePoint, Joined, Listed, Row, Sentence, Symbol, Typed, Value, Words, say
from pairloom.views.walkthrough import Step

WIDTH: Final = 960
"""Units of the picture from left to right; its height follows from what it shows."""

_MARGIN, _BOX, _LINE, _GAP, _WORD_GAP, _PADDING = 24, 26, 38, 2, 12, 6
# What a code point takes in a monospaced font of 15 units: ordinary, wide.
_NARROW, _WIDE = 9.1, 16.0
_SANS = "system-ui, 'DejaVu Sans', sans-serif"
_MONO = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', 'Noto Sans Mono', monospace"
_SOFT, _FRAME, _ESCAPE = "#4b545c", "#15191c", "#7a2620"
# FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE.
_ISOLATE, _ISOLATE_END = "\u2068", "\u2069"
# A longer token is shown by its ends, with its length.
_LONGEST, _HEAD, _TAIL = 44, 28, 8


class Labels(Words, Protocol):
    """The part of a catalogue that a picture needs."""

    def number(self, value: int) -> str:
        """Return a whole number in the language's form."""
        ...

    def ratio(self, numerator: int, denominator: int) -> str:
        """Return a quotient with two decimals."""
        ...


def step_picture(
    history: History,
    pages: CorpusPages,
    prefix: int,
    page_index: int = 0,
    *,
    labels: Labels,
    shows_next: bool = True,
) -> str:
    """Return the step at a prefix as an SVG document: its numbers, both merges, and a part of the corpus in boxes.

    Args:
        history: of a training.
        pages: its corpus; one page of it is drawn, and the picture says which.
        prefix: merges made.
        page_index: of the page, from 0; an index past the end gives the last one.
        labels: the catalogue of the language.
        shows_next: whether it tells the next merge; not while that is to be predicted.

    Raises: PrefixError.

    Cost: the pre-tokens of the page.
    """
    step = Step.of(history, prefix)
    upcoming = (step.upcoming.left, step.upcoming.right) if step.upcoming and shows_next else None
    page = pages.page(page_index, history, step.prefix, upcoming=upcoming)
    lines = [
        _said(sentence, labels)
        for sentence in _sentences(step, page, len(pages.pre_tokens), labels, shows_next=shows_next)
    ]
    top = _MARGIN + 8 + 22 * (len(lines) + 1)
    boxes = list(_placed(page))
    height = top + _LINE * (1 + max((box.line for box in boxes), default=0)) + _MARGIN // 2
    drawn = [_text(_MARGIN, _MARGIN + 12, lines[0], size=20, weight=600)]
    drawn += [_text(_MARGIN, _MARGIN + 14 + 22 * place, line, size=14) for place, line in enumerate(lines[1:], 1)]
    drawn += [_drawn(box, top) for box in boxes]
    drawn += [_frame(frame, top) for frame in _frames(boxes)]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        f'role="img"><title>{escape(lines[0])}</title><desc>{escape(" ".join(lines[1:]))}</desc>'
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


# -- words


def _sentences(
    step: Step, page: CorpusPage, pre_tokens: int, labels: Labels, *, shows_next: bool
) -> Iterator[Sentence]:
    yield Sentence.of("picture.title", prefix=step.prefix, maximum=step.maximum)
    yield Sentence.of("picture.vocabulary", total=step.vocabulary, base=step.base, merged=step.merged)
    ratio = Typed(labels.ratio(step.initial_tokens, step.corpus_tokens))
    yield Sentence.of("picture.tokens", tokens=step.corpus_tokens, initial=step.initial_tokens, ratio=ratio)
    if (last := step.last) is None:
        yield Sentence.of("picture.none_yet")
    else:
        yield Sentence.of(
            "picture.last",
            number=step.prefix,
            pair=Joined(last.left, last.right),
            result=Symbol(last.result),
            replacements=last.replacements or 0,
        )
    if (coming := step.upcoming) is None:
        yield Sentence.of("picture.end")
    elif shows_next:
        yield Sentence.of(
            "picture.next",
            number=step.prefix + 1,
            pair=Joined(coming.left, coming.right),
            result=Symbol(coming.result),
            frequency=coming.frequency or 0,
        )
    if page.made_here or page.upcoming_here:
        yield Sentence.of("picture.framed")
    if page.count > 1:
        yield Sentence.of(
            "picture.part",
            index=page.index + 1,
            count=page.count,
            first=page.first + 1,
            last=page.last + 1,
            total=pre_tokens,
        )


def _said(sentence: Sentence, labels: Labels) -> str:
    def show(value: Value) -> str:
        match value:
            case int():
                return labels.number(value)
            case Symbol(text) | Typed(text):
                # Isolated: letters that run from right to left would turn the sentence around.
                return f"{_ISOLATE}{plain(_shortened(text))}{_ISOLATE_END}"
            case Joined(left, right):
                return f"{show(Symbol(left))} + {show(Symbol(right))}"
            case Row(tokens):
                return " ".join(show(Symbol(token)) for token in tokens)
            case Listed(items):
                return ", ".join(map(show, items))
            case CodePoint(number):
                return f"U+{number:04X}"

    return say(sentence, message_of(sentence), labels, show, wording=str)


def _shortened(token: str, *, room: float = WIDTH) -> str:
    """Return a token as it is drawn: by its ends, with its length, where it is long, or wider than there is room."""
    if len(token) <= _LONGEST and _width(token) <= room:
        return token
    head, tail = min(_HEAD, len(token) // 2), min(_TAIL, len(token) // 2)
    while True:
        text = f"{token[:head]}…{len(token)}…{token[-tail:]}"
        if head == 1 or _width(text) <= room:
            return text
        head, tail = head // 2, max(tail // 2, 1)


# -- boxes


@dataclass(frozen=True, slots=True)
class _Box:
    """A token in its place; `next_place` numbers the place of the next pair that it belongs to."""

    text: str
    color: str
    x: float
    width: float
    line: int
    is_made: bool
    next_place: int | None


def _placed(page: CorpusPage) -> Iterator[_Box]:
    """Yield the boxes of a page, line by line; a word goes to the next line as a whole if it fits there."""
    room = WIDTH - 2 * _MARGIN
    x, line, place = 0.0, 0, 0
    for piece in page.pieces:
        texts = [_shortened(token.text, room=room) for token in piece.tokens]
        widths = [_width(text) for text in texts]
        whole = sum(widths) + _GAP * (len(widths) - 1)
        if x > 0 and x + whole > room and (whole <= room or x > room / 2):
            x, line = 0.0, line + 1
        nexts = _next_places(piece, place)
        place += len(piece.upcoming)
        for index, (token, text, width) in enumerate(zip(piece.tokens, texts, widths, strict=True)):
            if x > 0 and x + width > room:
                x, line = 0.0, line + 1
            left = room - x - width if page.is_right_to_left else x
            color = PAPER_COLORS[color_index(token.id)] if token.id is not None else "#ffffff"
            yield _Box(text, color, _MARGIN + left, width, line, token.text == page.made, nexts.get(index))
            x += width + _GAP
        x += _WORD_GAP - _GAP


def _next_places(piece: Piece, first: int) -> dict[int, int]:
    """Return for each token that would be merged the number of its place."""
    numbers: dict[int, int] = {}
    for number, index in enumerate(piece.upcoming, first):
        numbers[index] = numbers[index + 1] = number
    return numbers


def _width(text: str) -> float:
    shown = "".join(span.text for span in visible(text))
    return 2 * _PADDING + max(sum(map(_advance, shown)), _NARROW)


def _advance(code_point: str) -> float:
    if unicodedata.category(code_point) in {"Mn", "Me", "Cf"}:
        return 0
    return _WIDE if unicodedata.east_asian_width(code_point) in {"W", "F"} else _NARROW


def _drawn(box: _Box, top: int) -> str:
    y = top + box.line * _LINE
    spans = "".join(
        f'<tspan fill="{_ESCAPE}" font-style="italic">{escape(span.text)}</tspan>'
        if span.kind == "escape"
        else escape(span.text)
        for span in visible(box.text)
    )
    frame = f' stroke="{_FRAME}" stroke-width="2"' if box.is_made else ""
    return (
        f'<rect x="{box.x:.1f}" y="{y}" width="{box.width:.1f}" height="{_BOX}" rx="4" fill="{box.color}"{frame}/>'
        f'<text x="{box.x + box.width / 2:.1f}" y="{y + 18}" text-anchor="middle" font-family="{_MONO}" '
        f'font-size="15" fill="{PAPER_INK}">{spans}</text>'
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    line: int
    left: float
    right: float


def _frames(boxes: Sequence[_Box]) -> list[_Frame]:
    """Return the dashed frames: one around the boxes of each place, or two where it goes on in the next line."""
    spans: dict[tuple[int, int], _Frame] = {}
    for box in boxes:
        if box.next_place is not None:
            key = box.next_place, box.line
            before = spans.get(key, _Frame(box.line, box.x, box.x + box.width))
            spans[key] = _Frame(box.line, min(before.left, box.x), max(before.right, box.x + box.width))
    return list(spans.values())


def _frame(frame: _Frame, top: int) -> str:
    y = top + frame.line * _LINE - 4
    return (
        f'<rect x="{frame.left - 3:.1f}" y="{y}" width="{frame.right - frame.left + 6:.1f}" height="{_BOX + 8}" '
        f'rx="7" fill="none" stroke="{_FRAME}" stroke-width="1.5" stroke-dasharray="4 3"/>'
    )


def _text(x: float, y: float, text: str, *, size: int, weight: int = 400) -> str:
    fill = PAPER_INK if weight > 400 else _SOFT
    return (
        f'<text x="{x}" y="{y}" font-family="{_SANS}" font-size="{size}" font-weight="{weight}" '
        f'fill="{fill}">{escape(text)}</text>'
    )
