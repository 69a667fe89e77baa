"""What is said, before it is worded: a code and its values. Each language words it from its catalogue, in one place.

A value is a number, a symbol, a row of tokens or a pair. How these look (boxes on a page, code in Markdown) is up to
whoever shows the sentence; what it says is the same everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar


@dataclass(frozen=True, slots=True)
class Symbol:
    """One symbol, token, word or character."""

    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Tokens side by side."""

    tokens: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Joined:
    """A pair, as in a + b."""

    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody has typed, as it was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class CodePoint:
    """A code point by its number, as in U+0061."""

    number: int


@dataclass(frozen=True, slots=True)
class Listed:
    """Several pairs or symbols, one after the other, with commas between them."""

    items: tuple[Symbol | Joined, ...]


Value = int | Symbol | Row | Joined | Typed | CodePoint | Listed


@dataclass(frozen=True, slots=True)
class Message:
    """The English wording, the key of every catalogue, with `{name}` where a value stands.

    Attributes:
        singular: the wording.
        plural: for every other number than one, None if no number changes the wording.
        counted: the value that decides between the two.
    """

    singular: str
    plural: str | None = None
    counted: str | None = None


def counted_message(counted: str, singular: str, plural: str) -> Message:
    """Return a message whose wording depends on the number `counted`; marks it for extraction."""
    return Message(singular, plural, counted)


@dataclass(frozen=True, slots=True)
class Sentence:
    """Something to say: `code` is for programs and names its message in `pairloom.views.lesson.messages`."""

    code: str
    values: Mapping[str, Value]

    @classmethod
    def of(cls, code: str, **values: Value) -> Sentence:
        """Return a sentence with its values by name."""
        return cls(code, values)


class Words(Protocol):
    """The part of a catalogue that sentences need."""

    def gettext(self, message: str, /) -> str:
        """Return the translation."""
        ...

    def ngettext(self, singular: str, plural: str, n: int, /) -> str:
        """Return the translation for a number."""
        ...


Text = TypeVar("Text", bound=str)


def say(
    sentence: Sentence,
    message: Message,
    words: Words,
    show: Callable[[Value], str],
    *,
    wording: Callable[[str], Text],
) -> Text:
    """Return a sentence in words.

    Args:
        sentence: what to say.
        message: its message.
        words: the catalogue of the language.
        show: makes each value what is filled in.
        wording: makes the translated template what it is filled into: `str`, or a type whose `format` escapes what is
            not marked as safe, as markupsafe's does.
    """
    if message.plural is None:
        template = words.gettext(message.singular)
    else:
        counted = sentence.values[message.counted or ""]
        assert isinstance(counted, int)
        template = words.ngettext(message.singular, message.plural, counted)
    shown = {name: show(value) for name, value in sentence.values.items()}
    return wording(wording(template).format(**shown))
