"""The program `pairloom`: which commands there are, and what surrounds each call of one."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from keyword import iskeyword
from typing import Any, NoReturn

import click

from pairloom.cli import options
from pairloom.cli.ending import end_on_signals, exit_code_of, passing_through_click

# In the order in which a newcomer meets them. A command's module is loaded when it is called: each starts quickly.
COMMANDS = {
    "train": "Learn merges from text and write the model.",
    "encode": "Cut text into tokens and look up their IDs.",
    "encode-dataset": "Encode many files into Parquet with a list of IDs a row.",
    "decode": "Turn token IDs back into text.",
    "merges": "List what was learned, merge by merge.",
    "vocab": "List the tokens and their IDs.",
    "normalize": "Show text as training and encoding see it.",
    "count": "Count the words of texts: all that training reads.",
    "export": "Write a model for another tool to read.",
    "import": "Read another tool's merges and write the model.",
    "diff": "Compare two models, or two tools' tie rules.",
    "explain": "Explain a word, a token, a merge or a word's life.",
    "check": "Check another program against the conventions.",
    "worksheet": "Write practice problems, and their answer key.",
    "serve": "Serve the workbench, pages for a browser.",
    "site": "Write the pages as a folder for any file server.",
    "completion": "Print what makes a shell complete commands.",
}


class _Program(options.WithExamples, click.Group):
    """A group that knows its commands by name and ends in one place, whatever happened."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002  # as above
        if cmd_name not in COMMANDS:
            return None
        # `import` is a word of Python's own; its module has an underscore behind it.
        module = f"{cmd_name}_" if iskeyword(cmd_name) else cmd_name.replace("-", "_")
        command = import_module(f"pairloom.cli.{module}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002  # as above
        # From the table above: help needs no command to be loaded.
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        with passing_through_click():
            return super().invoke(ctx)

    def main(self, *args: Any, standalone_mode: bool = True, **kwargs: Any) -> Any:
        run = partial(super().main, *args, standalone_mode=False, **kwargs)
        return sys.exit(exit_code_of(run)) if standalone_mode else run()


def _show_version(context: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001  # click's signature
    if not value or context.resilient_parsing:
        return
    import platform  # these two cost as much as all the rest
    from importlib.metadata import version

    from pairloom.fingerprint import CONVENTIONS
    from pairloom.kernel import KERNEL
    from pairloom.unicode_data import UNICODE_VERSION

    click.echo(f"pairloom {version('pairloom')}")
    click.echo(f"kernel {KERNEL}")
    click.echo(f"Python {platform.python_version()} ({platform.python_implementation()})")
    click.echo(f"Unicode {UNICODE_VERSION}")
    click.echo(f"conventions {CONVENTIONS}")
    context.exit()


@click.group(
    name="pairloom",
    cls=_Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    examples=[
        "pairloom train book.txt --merges 500 -o model.json",
        "pairloom merges -m model.json --count 10",
        "echo 'a new text' | pairloom encode -m model.json",
    ],
    epilog="Exit codes: 0 done; 1 something is wrong with the input, a model or a file, or differs (diff, check, "
    "export --verify); 2 called wrongly; 129 hung up on; 130 interrupted; 141 the output was closed by its reader; "
    "143 told to end.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the versions of Pairloom, its kernel, Python, Unicode and the conventions.",
)
def program() -> None:
    """Learn byte-pair encoding by watching it: train it on a text, see every merge, encode with it.

    Pairloom's BPE works on characters (Unicode code points). It is a model to learn from: its token IDs mean nothing
    to any language model.

    Commands read files by name, or standard input; they write to standard output, or with -o to a file, all of it or
    nothing. Each explains itself: pairloom train --help.
    """


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program as a process of its own; ends it with an exit code."""
    end_on_signals()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Help speaks of ▁, which not every locale has; what commands write goes through `outputs`.
        sys.stdout.reconfigure(errors="backslashreplace")
    program.main(arguments, "pairloom")
    raise AssertionError("the program ends itself")
