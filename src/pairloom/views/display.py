r"""How any text is shown without surprises: what cannot be seen is written out (rule N9).

Symbols and tokens may hold every code point: NUL, an escape sequence for a terminal, a control that turns the text
around it, half of an emoji. `visible` cuts a text into spans that are safe to show: plain text, escapes such as
`\u0000` or `\u{e0001}`, and combining marks without a base on a dotted circle. Escaping HTML, and isolating letters
that run from right to left, is the page's task; no control of any kind is left for it.

What is written out:

- the controls (Cc), line and paragraph separators, and all whitespace but U+0020;
- whatever is invisible by nature: Default_Ignorable_Code_Point (among them U+200B, U+FEFF, the soft hyphen, the bidi
  controls, the fillers of Hangul), the interlinear annotation controls, and two blanks that are called symbols
  (U+2800, U+1D159);
- noncharacters and surrogates.

What stays, since it shapes what is seen:

- ZWJ, ZWNJ, CGJ and the joining controls of Egyptian hieroglyphs between two visible code points; the Mongolian vowel
  separator between two Mongolian letters;
- one variation selector directly after a visible code point that is no mark;
- the tags of a well-formed flag: U+1F3F4, a subdivision code in tag characters, U+E007F;
- marks on a visible code point, the first eight of a stack: higher ones run into the lines around them, and look alike
  whatever their height; the rest is written out. The marker and a space carry none: a word that begins with a mark
  shows it on a circle.

Private-use and unassigned code points stay: they may well have a glyph.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from pairloom.unicode_data import (
    MARKER,
    is_default_ignorable,
    is_mark,
    is_noncharacter,
    is_variation_selector,
    is_whitespace,
)

DOTTED_CIRCLE: Final = "\u25cc"
"""What carries a mark that has no base."""

MAX_MARKS: Final = 8
"""How many marks stand on one base: more than any script stacks, and no more than a line has room for."""

Kind = Literal["text", "escape", "mark"]


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of displayed text.

    Attributes:
        text: what to show.
        kind: `text` is the text itself; `escape` is one code point written out, and has to look different from the same
            characters typed by hand; `mark` is one or more combining marks, shown on a dotted circle that is not part
            of the text.
        source: the code points that it stands for.
    """

    text: str
    kind: Kind
    source: str


def visible(text: str) -> tuple[Span, ...]:
    r"""Return the spans that show a text, in order; together their sources are the text. Rule: N9.

    Cost: linear.

    >>> [(span.kind, span.text) for span in visible("a\0b")]
    [('text', 'a'), ('escape', '\\u0000'), ('text', 'b')]
    >>> [(span.kind, span.text) for span in visible("\u202e")]
    [('escape', '\\u202e')]
    >>> [(span.kind, len(span.text)) for span in visible("\u0301")]
    [('mark', 2)]
    """
    return _spans(text, _SPAN)


def plain(text: str) -> str:
    r"""Return a text as one line of plain text, for terminals and logs, from which it could be read back. Rule: N9.

    Without styles, an escape has to be told from typed characters by its letters: where `\u0000` or `\u{e0001}` was
    typed, its backslashes are doubled, as are typed backslashes directly in front of an escape. A dotted circle that
    was typed in front of a mark is written out, since a circle there belongs to the mark. Other backslashes stay
    single.

    >>> print(plain("a\0b"), plain(r"a\u0000b"), plain("\\\0"), plain(r"C:\new\users"))
    a\u0000b a\\u0000b \\\u0000 C:\new\users
    """
    if text.isascii() and text.isprintable() and "\\u" not in text:
        return text
    spans = _spans(text, _SPAN_OF_PLAIN)
    pieces: list[str] = []
    for place, span in enumerate(spans):
        if span.kind != "text":
            pieces.append(span.text)
            continue
        before_escape = place + 1 < len(spans) and spans[place + 1].kind == "escape"
        pattern = _BACKSLASHES_BEFORE_ESCAPE if before_escape else _BACKSLASHES
        pieces.append(pattern.sub(r"\g<0>\g<0>", span.text))
    return "".join(pieces)


def escape(code_point: int) -> str:
    r"""Return a code point written out. Rule: N9.

    >>> print(escape(0), escape(0xFEFF), escape(0xE0001))
    \u0000 \ufeff \u{e0001}
    """
    return f"\\u{code_point:04x}" if code_point <= 0xFFFF else f"\\u{{{code_point:x}}}"


def _spans(text: str, pattern: re.Pattern[str]) -> tuple[Span, ...]:
    # Printable ASCII is nearly all of most corpora, and the same in every Python.
    if text.isascii() and text.isprintable():
        return (Span(text, "text", text),) if text else ()
    spans: list[Span] = []
    shown = 0
    for found in pattern.finditer(text.translate(_ROLES)):
        if found.lastgroup == "text":
            continue
        begin, end = found.span()
        if shown < begin:
            spans.append(Span(text[shown:begin], "text", text[shown:begin]))
        if found.lastgroup == "rest":
            spans.extend(Span(escape(ord(each)), "escape", each) for each in text[begin:end])
        elif found.lastgroup == "mark":
            spans.append(Span(DOTTED_CIRCLE + text[begin:end], "mark", text[begin:end]))
        else:
            spans.append(Span(escape(ord(text[begin])), "escape", text[begin]))
        shown = end
    if shown < len(text):
        spans.append(Span(text[shown:], "text", text[shown:]))
    return tuple(spans)


# Each code point plays one role, a letter; what is shown is then a matter of a short pattern over the roles.
_ROLES_BY_CODE_POINT: Final = {
    ord(" "): "s",  # the space and the marker carry no marks
    ord(MARKER): "s",
    ord(DOTTED_CIRCLE): "o",
    0x034F: "j",  # COMBINING GRAPHEME JOINER
    0x200C: "j",  # ZERO WIDTH NON-JOINER
    0x200D: "j",  # ZERO WIDTH JOINER
    0x180E: "n",  # MONGOLIAN VOWEL SEPARATOR
    0x1F3F4: "f",  # WAVING BLACK FLAG, the base of flags made with tags
    0xE007F: "z",  # CANCEL TAG, their end
    0x2800: "x",  # BRAILLE PATTERN BLANK: category So, and as blank as a space
    0x1D159: "x",  # MUSICAL SYMBOL NULL NOTEHEAD: likewise
}
_ROLES_BY_RANGE: Final = (
    (0x0000, 0x001F, "x"),  # Cc
    (0x007F, 0x009F, "x"),  # Cc
    (0x1820, 0x1878, "g"),  # Mongolian letters
    (0xD800, 0xDFFF, "x"),  # surrogates, which no text can hold
    (0xFFF9, 0xFFFB, "x"),  # interlinear annotation: Cf, invisible, though not Default_Ignorable
    (0x13430, 0x1343F, "e"),  # Egyptian hieroglyph format controls: likewise
    (0xE0030, 0xE0039, "d"),  # tag digits
    (0xE0061, 0xE007A, "l"),  # tag letters
)


# Bounded, since a page may be sent every code point there is; texts that people write have fewer.
@lru_cache(maxsize=8192)
def _role(code_point: int) -> str:
    role = _ROLES_BY_CODE_POINT.get(code_point)
    if role is not None:
        return role
    for first, last, role in _ROLES_BY_RANGE:
        if first <= code_point <= last:
            return role
    if is_variation_selector(code_point):
        return "v"
    if is_default_ignorable(code_point) or is_whitespace(code_point) or is_noncharacter(code_point):
        return "x"
    return "m" if is_mark(code_point) else "b"


class _Roles:
    """The roles as `str.translate` looks them up."""

    def __getitem__(self, code_point: int) -> str:
        return _role(code_point)


_ROLES: Final = _Roles()


def _span_pattern(base: str) -> re.Pattern[str]:
    """Return the pattern of what is shown alike, given the pattern of a visible code point that is no mark.

    The repetition of clusters saves matches and has a bound, since the engine remembers each one to go back to. There
    is nothing to go back for; possessive quantifiers would say so, but are wrong before CPython 3.11.5.
    """
    joiner = f"(?:j|e+|(?<=g)n(?=g))(?=m|{base})"
    mark, last = f"(?:(?:{joiner})?m)", f"(?:{joiner}(?!m))?"
    followers = f"{mark}{{0,{MAX_MARKS}}}{last}"
    flag = "f(?:ll|ddd)[ld]{1,4}z"  # a Unicode subdivision code: "gbsct", "usca"
    cluster = f"(?:{flag}|{base}v?){followers}"
    return re.compile(
        f"(?P<text>(?:{cluster}|s){{1,100}})"
        # What is above a full stack, and has therefore been left over.
        f"|(?P<rest>(?<=m){mark}+)"
        f"|(?P<mark>m{mark}{{0,{MAX_MARKS - 1}}}{last})|(?P<escape>.)",
        re.DOTALL,
    )


_SPAN: Final = _span_pattern("[bfgo]")
_SPAN_OF_PLAIN: Final = _span_pattern("(?:[bfg]|o(?!m))")

_LIKE_AN_ESCAPE = r"u(?:[0-9A-Fa-f]{4}|\{[0-9A-Fa-f]+\})"
# The lookbehind lets a run be tried once only, from its beginning: without it, long runs take quadratic time.
_BACKSLASHES: Final = re.compile(rf"(?<!\\)\\+(?={_LIKE_AN_ESCAPE})")
_BACKSLASHES_BEFORE_ESCAPE: Final = re.compile(rf"(?<!\\)\\+(?=\Z|{_LIKE_AN_ESCAPE})")
