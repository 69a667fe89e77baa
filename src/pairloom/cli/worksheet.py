"""`pairloom worksheet`: practice problems on paper, with an answer key that the engine computed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack

import click

from pairloom.checks import MAX_COUNT
from pairloom.cli import options
from pairloom.cli.inputs import texts
from pairloom.cli.messages import blamed
from pairloom.cli.outputs import STANDARD_OUTPUT, check_output, output_to
from pairloom.cli.paper_html import html
from pairloom.cli.paper_markdown import markdown
from pairloom.errors import PairloomError
from pairloom.views.lesson.generator import LANGUAGES, LEVELS
from pairloom.views.lesson.problems import KINDS, Kind
from pairloom.views.lesson.worksheet import Block, Worksheet
from pairloom.web.catalogue import Catalogue, load_catalogues
from pairloom.word_counts import WordCounts, count_words

_MIXED = "mixed"


@options.command(
    "worksheet",
    examples=[
        "pairloom worksheet --count 6 --key key.md -o sheet.md",
        "pairloom worksheet --language de --level 2 --seed 7b --format html --key-page -o sheet.html",
        "pairloom worksheet --kind split book.txt",
    ],
)
@options.files
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default="en",
    help="Language of the sheet, and of its words unless FILES are given: en (the default) or de.",
)
@click.option("--seed", default="1", metavar="TEXT", help="Any text; another one gives other problems. Default: 1.")
@click.option(
    "--level",
    type=options.WholeNumber(min(LEVELS), max(LEVELS)),
    default=1,
    metavar="N",
    help="1 (the default): few words, one step. 2: more of both. 3: words with markers, and ties.",
)
@click.option(
    "--count", type=options.WholeNumber(1, MAX_COUNT), default=6, metavar="N", help="So many problems. Default: 6."
)
@click.option(
    "--kind",
    type=click.Choice([_MIXED, *KINDS]),
    default=_MIXED,
    help="What is asked; mixed (the default) takes all kinds in turn.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["markdown", "html"]),
    default="markdown",
    help="Write Markdown (the default), or one HTML file to print that needs no other.",
)
@click.option(
    "--key", "key_path", type=options.OUTPUT, metavar="FILE", help="Write the answer key to FILE, in the same format."
)
@click.option("--key-page", is_flag=True, help="Put the answer key behind the problems, on a page of its own.")
@options.lowercase
@options.output
def command(
    *,
    files: tuple[str, ...],
    language: str,
    seed: str,
    level: int,
    count: int,
    kind: Kind,
    form: str,
    key_path: str | None,
    key_page: bool,
    lowercase: bool,
    output: str | None,
) -> None:
    """Write practice problems, and their answer key.

    Without FILES the words are Pairloom's own, and standard input is left alone. With FILES they come from these texts,
    cut as the pre-tokenizer `punctuation` cuts them; how often each occurs is drawn, so that it can be added up by
    hand. The same options give the same problems on every machine.
    """
    _check_outputs(output, key_path)
    corpus = _corpus(files, lowercase=lowercase) if files else None
    worksheet = Worksheet.of(kind, seed=seed, level=level, count=count, language=language, corpus=corpus)
    catalogue = load_catalogues()[language]
    parts = [worksheet.sheet(), worksheet.key()] if key_page else [worksheet.sheet()]
    with ExitStack() as stack:
        sheet = stack.enter_context(output_to(output))
        if key_path is not None:
            key = stack.enter_context(output_to(key_path))
            key.write(_document([worksheet.key()], catalogue, form))
        sheet.write(_document(parts, catalogue, form))


def _check_outputs(output: str | None, key_path: str | None) -> None:
    if key_path is not None and _place(key_path) == _place(output or STANDARD_OUTPUT):
        raise click.UsageError("the key and the problems would go to the same place; --key-page puts both into one")
    check_output(output)
    check_output(key_path)


def _place(path: str) -> str:
    return path if path == STANDARD_OUTPUT else os.path.realpath(path)


def _corpus(files: Iterable[str], *, lowercase: bool) -> WordCounts:
    here = ""

    def each_text() -> Iterable[str]:
        nonlocal here
        for text in texts(tuple(files), lines=False):
            here = text.source
            yield text.text

    try:
        return count_words(each_text(), lowercase=lowercase, pre_tokenizer="punctuation")
    except PairloomError as error:
        raise blamed(error, source=here) from error


def _document(parts: list[tuple[Block, ...]], catalogue: Catalogue, form: str) -> str:
    if form == "html":
        return html(parts, catalogue)
    # Markdown knows no pages; a rule stands between the parts.
    return "\n---\n\n".join(markdown(part, catalogue) for part in parts)
