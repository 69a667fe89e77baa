"""The blocks of a worksheet → one HTML document that needs nothing else, for the screen and for paper. Rule: N9."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby

from pairloom.views.display import visible
from pairloom.views.lesson.messages import message_of
from pairloom.views.lesson.sentences import CodePoint, Joined, Listed, Row, Sentence, Symbol, Typed, Value, say
from pairloom.views.lesson.worksheet import Blank, Block, Heading, Paragraph, Steps, Table
from pairloom.web.catalogue import Catalogue

_STYLE = """
:root { color-scheme: light; }
body { font: 11.5pt/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1f; }
h1 { font-size: 1.5em; margin: 0 0 .6em; } h2 { font-size: 1.1em; margin: 1.8em 0 .5em; break-after: avoid; }
section { break-inside: avoid; } .part + .part { break-before: page; margin-top: 4rem; }
code, .row i { font: 1em ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre-wrap; }
code, .row i { border: 1px solid #b9bcc4; border-radius: .25em; padding: 0 .25em; font-style: normal; }
.row i + i { margin-left: .15em; } samp { font-size: .85em; color: #6a2a26; }
.small { font-size: .9em; color: #4b4f57; } .strong { font-weight: 600; }
table { border-collapse: collapse; margin: .5em 0 1em; }
caption { text-align: start; font-weight: 600; white-space: nowrap; }
.tables { display: flex; flex-wrap: wrap; gap: 0 2.5rem; align-items: flex-start; }
th, td { border: 1px solid #c9ccd3; padding: .15em .7em; text-align: start; } td.number { text-align: end; }
.blank { display: flex; gap: 2em; margin: .8em 0; } .blank div { flex: 1; border-bottom: 1px solid #6b7079; }
.wide div { min-height: 2.6em; }
@media print { body { margin: 0; max-width: none; font-size: 11pt; } .part + .part { margin-top: 0; } }
@page { margin: 18mm; }
"""


def html(parts: Sequence[Iterable[Block]], catalogue: Catalogue) -> str:
    """Return the parts as a document, each beginning on a page of its own; the first heading is its title."""
    writer = _Writer(catalogue)
    written = [writer.part(tuple(part)) for part in parts]
    return (
        f'<!doctype html>\n<html lang="{escape(catalogue.language)}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{writer.title}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(written)
        + "\n</body>\n</html>\n"
    )


class _Writer:
    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.title = ""

    def part(self, blocks: Sequence[Block]) -> str:
        sections: list[list[str]] = [[]]
        # Tables that follow one another stand side by side: paper is short.
        for are_tables, group in groupby(blocks, key=lambda block: isinstance(block, Table)):
            if are_tables:
                sections[-1].append(f'<div class="tables">{"".join(map(self.block, group))}</div>\n')
                continue
            for block in group:
                if isinstance(block, Heading) and block.level > 1:
                    sections.append([])
                sections[-1].append(self.block(block))
        return '<div class="part">' + "".join(f"<section>{''.join(each)}</section>\n" for each in sections) + "</div>"

    def block(self, block: Block) -> str:
        match block:
            case Heading(level, said):
                text = ": ".join(map(self.sentence, said))
                self.title = self.title or text
                return f"<h{level}>{text}</h{level}>\n"
            case Paragraph(said, style):
                return f'<p class="{style}">{" ".join(map(self.sentence, said))}</p>\n'
            case Steps(said, ordered):
                items = "".join(f"<li>{self.sentence(each)}</li>" for each in said)
                return f"<ol>{items}</ol>\n" if ordered else f"<ul>{items}</ul>\n"
            case Blank(labels, wide):
                lines = "".join(f"<div>{self.sentence(label)}</div>" for label in labels)
                return f'<div class="blank{" wide" if wide else ""}">{lines}</div>\n'
            case Table():
                return self.table(block)

    def table(self, table: Table) -> str:
        head = "".join(f'<th scope="col">{self.sentence(heading)}</th>' for heading in table.headings)
        rows = "".join(f"<tr>{''.join(map(self.cell, row))}</tr>\n" for row in table.rows)
        note = f'<p class="small">{self.sentence(table.note)}</p>\n' if table.note else ""
        caption = f"<caption>{self.sentence(table.caption)}</caption>"
        return f"<div><table>{caption}<thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table>\n{note}</div>"

    def cell(self, value: Value) -> str:
        kind = ' class="number"' if isinstance(value, int) else ""
        return f"<td{kind}>{self.value(value)}</td>"

    def sentence(self, sentence: Sentence) -> str:
        # Messages are ours and hold no markup; every value that is filled in is escaped.
        return say(sentence, message_of(sentence), self.catalogue, self.value, wording=str)

    def value(self, value: Value) -> str:
        match value:
            case int():
                return self.catalogue.number(value)
            case Symbol(text) | Typed(text):
                return f"<bdi><code>{shown(text)}</code></bdi>"
            case Row(tokens):
                return f'<bdi class="row">{"".join(f"<i>{shown(token)}</i>" for token in tokens)}</bdi>'
            case Joined(left, right):
                return f"{self.value(Symbol(left))} + {self.value(Symbol(right))}"
            case Listed(items):
                return ", ".join(map(self.value, items))
            case CodePoint(number):
                return f"U+{number:04X}"


def shown(text: str) -> str:
    r"""Return a text for HTML: escaped, and what cannot be seen written out.

    >>> shown("<b>"), shown("a\u202eb")
    ('&lt;b&gt;', 'a<samp>\\u202e</samp>b')
    """
    return "".join(
        f"<samp>{escape(span.text)}</samp>" if span.kind == "escape" else escape(span.text) for span in visible(text)
    )
