#!/usr/bin/env python3
"""Write the generated pages of docs/ anew. `--check` compares and says which is not what is written here.

docs/help.md is the help of every command, docs/api.md the library from its docstrings, docs/conventions/places.md says
where each rule lives and how it is tested.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from pairloom.cli.program import COMMANDS, program

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tools import api_page, rule_places  # noqa: E402  # this is a program: the root is not on the path before

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


PAGES: dict[str, Callable[[], str]] = {
    "docs/help.md": page,
    "docs/api.md": api_page.page,
    "docs/conventions/places.md": rule_places.page,
}


def stale() -> list[str]:
    """Return the pages that are not what is written here."""
    return [
        name
        for name, written in PAGES.items()
        if not (ROOT / name).is_file() or (ROOT / name).read_text("utf-8") != written()
    ]


def main() -> int:
    if sys.argv[1:] == ["--check"]:
        for name in stale():
            print(f"{name} is not what tools/reference.py writes: make reference", file=sys.stderr)
        return 1 if stale() else 0
    for name, written in PAGES.items():
        (ROOT / name).write_text(written(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
