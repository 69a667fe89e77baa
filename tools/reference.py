#!/usr/bin/env python3
"""Write docs/help.md: the help of every command, as the program prints it. `--check` compares and says."""

import sys
from pathlib import Path

import click

from pairloom.cli.program import COMMANDS, program

ROOT = Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "help.md"
WIDTH = 100

HEAD = """\
# The help of every command

Generated from the program by `make reference`; a test compares. [The command line](command-line.md) says more.
"""


def helped(command: click.Command, name: str) -> str:
    context = click.Context(
        command,
        info_name=name,
        terminal_width=WIDTH,
        max_content_width=WIDTH,
        help_option_names=["-h", "--help"],
    )
    return command.get_help(context)


def page() -> str:
    parts = [HEAD, f"\n## `pairloom`\n\n```text\n{helped(program, 'pairloom')}\n```\n"]
    for name in COMMANDS:
        command = program.get_command(click.Context(program), name)
        assert command is not None
        parts.append(f"\n## `pairloom {name}`\n\n```text\n{helped(command, f'pairloom {name}')}\n```\n")
    return "".join(parts)


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text("utf-8") == page():
            return 0
        print(f"{TARGET.relative_to(ROOT)} is not what tools/reference.py writes: make reference", file=sys.stderr)
        return 1
    TARGET.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
