"""The command line: `pairloom`, one module a command.

    files ── inputs ──▸ texts ── a command ──▸ lines ── outputs ──▸ standard output or a file, whole or not at all

`program` knows the commands and loads only the one that is called; `ending` turns every way in which a command can end
into an exit code, and `messages` every error into one line.
"""

from __future__ import annotations

import sys

# As in `typing`, which takes its time to load: nothing is guarded yet.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the program as a process of its own; ends it with an exit code, if it is interrupted while it loads, too."""
    try:
        from pairloom.cli.program import main as run

        run(arguments)
    except KeyboardInterrupt:
        if sys.stderr is not None:
            sys.stderr.write("pairloom: interrupted\n")
        sys.exit(130)
