"""`pairloom completion`: what makes a shell complete commands, options and their values."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from pairloom.cli import options
from pairloom.cli.outputs import output_to

SHELLS = ("bash", "zsh", "fish")


@options.command(
    "completion",
    examples=[
        "pairloom completion bash >> ~/.bashrc",
        "pairloom completion zsh >> ~/.zshrc",
        "pairloom completion fish > ~/.config/fish/completions/pairloom.fish",
    ],
)
@click.argument("shell", type=click.Choice(SHELLS), metavar="SHELL")
@options.output
def command(*, shell: str, output: str | None) -> None:
    """Print what makes a shell complete commands.

    SHELL is bash (4.4 or newer), zsh or fish. Commands, options, their values and file names are then completed with
    the Tab key.
    """
    kind = get_completion_class(shell)
    assert kind is not None
    from pairloom.cli.program import program  # it loads this module

    # Not `source`, which first runs bash to see how old it is; that is for whoever reads the line above.
    maker = kind(program, {}, "pairloom", "_PAIRLOOM_COMPLETE")
    with output_to(output) as out:
        out.write(maker.source_template % maker.source_vars() + "\n")
