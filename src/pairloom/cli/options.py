"""Options and arguments that several commands share, each written once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import click

from pairloom.checks import MAX_COUNT, MAX_THREADS
from pairloom.shortening import short_repr

Function = Callable[..., Any]
Decorator = Callable[[Function], Function]

_WHOLE_NUMBER = re.compile(r"-?[0-9]+\Z")


Names = Callable[[dict[str, Any]], Iterable[str]]
"""The names of files that follow from a command's arguments."""


def _no_names(_: dict[str, Any]) -> Iterable[str]:
    return ()


class WithExamples(click.Command):
    """A command whose help ends with examples; a test runs each of them. It writes over nothing that it reads."""

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str],
        also_reads: Names = _no_names,
        also_writes: Names = _no_names,
        **kwargs: Any,
    ) -> None:
        """Keep the examples, lines as they are typed, and what says which files are meant but not named."""
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)
        self._also_reads, self._also_writes = also_reads, also_writes

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, unless it would write over its own input."""
        if any(param.type is OUTPUT for param in self.params):
            from pairloom.cli.overwriting import check_nothing_is_overwritten

            read = [*self._names(ctx, FILE), *self._also_reads(ctx.params)]
            written = [*self._names(ctx, OUTPUT), *self._also_writes(ctx.params)]
            check_nothing_is_overwritten(read, written)
        return super().invoke(ctx)

    def _names(self, ctx: click.Context, kind: click.ParamType[Any]) -> Iterator[str]:
        """Yield the names that are given for parameters of a type; without any for FILES or -o, the standard stream."""
        for param in self.params:
            value = ctx.params.get(param.name or "")
            if param.type is kind:
                standard = ("-",) if param.name in ("files", "output") else ()
                yield from ((value,) if isinstance(value, str) else value or standard)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are, unwrapped."""
        with formatter.section("Example" if len(self.examples) == 1 else "Examples"):
            for line in self.examples:
                formatter.write(f"{' ' * formatter.current_indent}{line}\n")
        super().format_epilog(ctx, formatter)


def command(
    name: str, *, examples: Sequence[str], also_reads: Names = _no_names, also_writes: Names = _no_names
) -> Callable[[Function], WithExamples]:
    """Return the decorator that makes a function the command `name`; its docstring is the help.

    Args:
        name: of the command.
        examples: lines that end its help.
        also_reads, also_writes: from its arguments, files that it touches beside those of types `FILE` and `OUTPUT`.
    """
    return click.command(name, cls=WithExamples, examples=examples, also_reads=also_reads, also_writes=also_writes)


class WholeNumber(click.ParamType[int]):
    """A whole number in ASCII digits, and no other spelling that Python takes for one: what `decode` reads, too."""

    name = "integer"

    def __init__(self, minimum: int | None = None, maximum: int | None = None) -> None:
        """Keep the bounds; None is no bound."""
        self.minimum = minimum
        self.maximum = maximum

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number, or fail with what would be one."""
        if isinstance(value, int):  # a default
            return value
        number = _number(value)
        is_low = number is not None and self.minimum is not None and number < self.minimum
        is_high = number is not None and self.maximum is not None and number > self.maximum
        if number is None or is_low or is_high:
            self.fail(f"{short_repr(value)} is not {self._allowed()}", param, ctx)
        return number

    def _allowed(self) -> str:
        if self.minimum is None:
            return "a whole number"
        if self.maximum is None:
            return f"a whole number of at least {self.minimum}"
        if self.maximum == MAX_COUNT:
            return f"a whole number of at least {self.minimum}, below 2^63"
        return f"a whole number from {self.minimum} to {self.maximum}"


def _number(digits: str) -> int | None:
    try:
        return int(digits) if _WHOLE_NUMBER.match(digits) else None
    except ValueError:  # thousands of digits
        return None


class _FileName(click.Path):
    """The name of a file; whether it can be read is for the command to find out, with an error of its own."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail("the name of the file is empty", param, ctx)
        return super().convert(value, param, ctx)


FILE = _FileName(readable=False)
"""A file that a command reads."""
OUTPUT = _FileName(readable=False)
"""A file that a command writes."""


def files(function: Function) -> Function:
    """Add FILES: any number of names; none, or `-`, is standard input."""
    return click.argument("files", nargs=-1, type=FILE, metavar="[FILES]...")(function)


def lines(what: str) -> Decorator:
    """Return `--lines`."""
    return click.option("--lines", is_flag=True, help=f"Take each line as {what} of its own.")


def output(function: Function) -> Function:
    """Add `-o`."""
    return click.option(
        "-o",
        "--output",
        type=OUTPUT,
        metavar="FILE",
        help="Write to FILE, all of it or nothing, in place of standard output.",
    )(function)


def model(function: Function) -> Function:
    """Add `-m`, which must be given."""
    return click.option(
        "-m",
        "--model",
        "model_path",
        type=FILE,
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
        type=FILE,
        default="-",
        metavar="MODEL",
        help="The model file. Default: standard input.",
    )(function)


def prefix(what: str) -> Decorator:
    """Return `--prefix`."""
    return click.option("--prefix", type=WholeNumber(), metavar="N", help=f"{what} Default: all of them.")


def lowercase(function: Function) -> Function:
    """Add `--lowercase`."""
    return click.option(
        "--lowercase", is_flag=True, help="Convert to lower case first, as Unicode 17 does, in every language alike."
    )(function)


def threads(what: str) -> Decorator:
    """Return `--threads`; `what` begins its help."""
    return click.option(
        "--threads",
        type=WholeNumber(1, MAX_THREADS),
        default=1,
        metavar="N",
        help=f"{what} N threads; for large files and the compiled kernel. The result is the same. Default: 1.",
    )


def json(what: str) -> Decorator:
    """Return `--json`."""
    return click.option("--json", "as_json", is_flag=True, help=f"Write JSON: {what}.")


def rows(start: str, token: str) -> Decorator:
    """Return `--start`, `--count` and `--token`, which choose rows of a table."""

    def add(function: Function) -> Function:
        for decorator in (
            click.option("--token", metavar="TOKEN", help=token),
            click.option("--count", type=WholeNumber(0), metavar="N", help="At most so many rows. Default: all."),
            click.option(
                "--start",
                type=WholeNumber(0),
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
