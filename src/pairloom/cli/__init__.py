"""The command line: `pairloom`, one module a command.

    files ── inputs ──▸ texts ── a command ──▸ lines ── outputs ──▸ standard output or a file, whole or not at all

`program` knows the commands and loads only the one that is called; `ending` turns every way in which a command can end
into an exit code, and `messages` every error into one line.
"""

from pairloom.cli.program import main as main
