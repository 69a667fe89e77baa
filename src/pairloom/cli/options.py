"""Options and arguments that several commands share, each written once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import click

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]


class WithExamples(click.Command):
    """A command whose help ends with examples; a test runs each of them."""

    def __init__(self, *args: Any, examples: Sequence[str], **kwargs: Any) -> None:
        """Keep the examples: lines as they are typed."""
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are, unwrapped."""
        with formatter.section("Example" if len(self.examples) == 1 else "Examples"):
            for line in self.examples:
                formatter.write(f"{' ' * formatter.current_indent}{line}\n")
        super().format_epilog(ctx, formatter)


def command(name: str, *, examples: Sequence[str]) -> Callable[[Function], WithExamples]:
    """Return the decorator that makes a function the command `name`; its docstring is the help."""
    return click.command(name, cls=WithExamples, examples=examples)


def files(function: Function) -> Function:
    """Add FILES: any number of names; none, or `-`, is standard input."""
    return click.argument("files", nargs=-1, type=click.Path(), metavar="[FILES]...")(function)


def lines(what: str) -> Decorator:
    """Return `--lines`."""
    return click.option("--lines", is_flag=True, help=f"Take each line as {what} of its own.")


def output(function: Function) -> Function:
    """Add `-o`."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(),
        metavar="FILE",
        help="Write to FILE, all of it or nothing, in place of standard output.",
    )(function)


def model(function: Function) -> Function:
    """Add `-m`, which must be given."""
    return click.option(
        "-m",
        "--model",
        "model_path",
        type=click.Path(),
        required=True,
        metavar="MODEL",
        help="The model file, as `pairloom train` writes it.",
    )(function)


def model_or_input(function: Function) -> Function:
    """Add `-m`, with standard input in its place."""
    return click.option(
        "-m",
        "--model",
        "model_path",
        type=click.Path(),
        default="-",
        metavar="MODEL",
        help="The model file. Default: standard input.",
    )(function)


def prefix(what: str) -> Decorator:
    """Return `--prefix`."""
    return click.option("--prefix", type=int, metavar="N", help=f"{what} Default: all of them.")


def lowercase(function: Function) -> Function:
    """Add `--lowercase`."""
    return click.option(
        "--lowercase", is_flag=True, help="Convert to lower case first, as Unicode 17 does, in every language alike."
    )(function)


def json(what: str) -> Decorator:
    """Return `--json`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Write JSON: {what}.")


def rows(start: str, token: str) -> Decorator:
    """Return `--start`, `--count` and `--token`, which choose rows of a table."""

    def add(function: Function) -> Function:
        for decorator in (
            click.option("--token", metavar="TOKEN", help=token),
            click.option(
                "--count", type=click.IntRange(min=0), metavar="N", help="At most so many rows. Default: all."
            ),
            click.option(
                "--start",
                type=click.IntRange(min=0),
                default=0,
                metavar="N",
                help=f"Begin at this {start}. Default: 0.",
            ),
        ):
            function = decorator(function)
        return function

    return add


def color(function: Function) -> Function:
    """Add `--color`."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        help="Colour the tokens: auto (the default) does in a terminal, unless NO_COLOR is set.",
    )(function)
