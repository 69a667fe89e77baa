"""The blocks of a worksheet → Markdown (GitHub's, with tables). Rule: N9.

What a corpus holds is shown and never taken for markup: symbols stand in code spans, and whatever could end one is
written as a character reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pairloom.views.display import plain
from pairloom.views.lesson.messages import message_of
from pairloom.views.lesson.sentences import CodePoint, Joined, Listed, Row, Sentence, Symbol, Typed, Value, say
from pairloom.views.lesson.worksheet import Blank, Block, Heading, Paragraph, Steps, Table
from pairloom.web.catalogue import Catalogue

_LINE = "…" * 20
# In a code span these do not stand for themselves, or would end it or a table's cell.
_NOT_IN_CODE = frozenset("`|\\<>&")


def markdown(blocks: Iterable[Block], catalogue: Catalogue) -> str:
    """Return the blocks as a document."""
    writer = _Writer(catalogue)
    return "\n\n".join(writer.block(block) for block in blocks) + "\n"


class _Writer:
    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def block(self, block: Block) -> str:
        match block:
            case Heading(level, said):
                return f"{'#' * level} {': '.join(map(self.sentence, said))}"
            case Paragraph(said, style):
                return {"plain": "{}", "strong": "**{}**", "small": "*{}*"}[style].format(self.sentences(said))
            case Steps(said, ordered):
                marks = [f"{number}." for number in range(1, len(said) + 1)] if ordered else ["-"] * len(said)
                return "\n".join(f"{mark} {self.sentence(each)}" for mark, each in zip(marks, said, strict=True))
            case Blank(labels, wide):
                lines = [f"{self.sentence(label)} {_LINE * (2 if wide else 1)}" for label in labels]
                return "  \n".join(lines)
            case Table():
                return self.table(block)

    def table(self, table: Table) -> str:
        rows = [[self.value(cell) for cell in row] for row in table.rows]
        kinds = ["---:" if isinstance(cell, int) else "---" for cell in table.rows[0]]
        lines = [[self.sentence(heading) for heading in table.headings], kinds, *rows]
        parts = [self.sentence(table.caption), "\n".join(f"| {' | '.join(line)} |" for line in lines)]
        if table.note:
            parts.append(self.sentence(table.note))
        return "\n\n".join(parts)

    def sentences(self, said: Sequence[Sentence]) -> str:
        return " ".join(map(self.sentence, said))

    def sentence(self, sentence: Sentence) -> str:
        return say(sentence, message_of(sentence), self.catalogue, self.value, wording=str)

    def value(self, value: Value) -> str:
        match value:
            case int():
                return self.catalogue.number(value)
            case Symbol(text) | Typed(text):
                return code(text)
            case Row(tokens):
                return " ".join(map(code, tokens))
            case Joined(left, right):
                return f"{code(left)} + {code(right)}"
            case Listed(items):
                return ", ".join(map(self.value, items))
            case CodePoint(number):
                return f"U+{number:04X}"


def code(text: str) -> str:
    r"""Return a symbol as a code span that nothing in it can end.

    >>> code("▁low"), code("`|<"), code("\0")
    ('`▁low`', '<code>&#96;&#124;&#60;</code>', '<code>&#92;u0000</code>')
    """
    shown = plain(text)
    if not shown or shown.isspace() or _NOT_IN_CODE & set(shown):
        return f"<code>{''.join(map(_reference, shown))}</code>"
    return f"`{shown}`"


def _reference(character: str) -> str:
    return character if not character.isascii() or character.isalnum() else f"&#{ord(character)};"
