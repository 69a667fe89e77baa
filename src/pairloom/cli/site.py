"""`pairloom site`: the pages as a folder of files, with Python in the reader's browser."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from pairloom.cli import options
from pairloom.cli.messages import InputError, write_line


@options.command(
    "site",
    examples=[
        "pairloom site public/",
        "pairloom site public/ --base-path /courses/bpe/",
    ],
)
@click.argument("folder", metavar="OUT", type=click.Path(file_okay=False, path_type=Path))
@click.option(
    "--base-path",
    default="/",
    metavar="PATH",
    help="The path on the server under which the folder will be. Default: /, the top.",
)
@click.option(
    "--snapshot",
    is_flag=True,
    help="Add a picture of the started Python: twice as much to load, but it starts sooner.",
)
def command(*, folder: Path, base_path: str, snapshot: bool) -> None:
    """Write the pages as a folder for any file server.

    What `pairloom serve` does on a server is done in the reader's browser, by the same program: nothing that is typed
    leaves it. The folder is replaced if it holds an earlier edition; anything else in it is an error.

    Needs Node.js (20 or newer) with npm, which fetches Pyodide and esbuild in the versions that this release names.
    """
    try:
        # By name: the command line works without what the pages need.
        building = import_module("pairloom.static_edition.building")
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "pairloom":
            raise
        reason = f"the pages need more than is installed ({error.name}); pip install '.[web]' in its folder"
        raise InputError(reason=reason) from None
    site = building.build(folder, base=base_path, snapshot=snapshot, tell=write_line)
    write_line(f"{site.files} files in {site.folder}; a first visit loads {site.transfer / 1e6:.1f} MB, compressed.")
    write_line(f"Serve the folder under {site.base}; a page opened as a file cannot start Python.")
