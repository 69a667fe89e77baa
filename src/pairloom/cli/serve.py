"""`pairloom serve`: the pages, from this machine."""

from __future__ import annotations

import socket
from contextlib import suppress
from importlib import import_module

import click

from pairloom.cli import options
from pairloom.cli.messages import InputError


@options.command(
    "serve",
    examples=[
        "pairloom serve",
        "pairloom serve --host 0.0.0.0 --port 8080 --allow-host classroom.example",
    ],
)
@click.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Listen on this address. Default: 127.0.0.1, which only this machine reaches.",
)
@click.option(
    "--port", type=options.WholeNumber(0, 65535), default=8000, metavar="N", help="Listen on this port. Default: 8000."
)
@click.option(
    "--allow-host",
    "allow_hosts",
    multiple=True,
    metavar="NAME",
    help="Answer to this host name too; may be given several times. This machine's own names are always answered.",
)
def command(*, host: str, port: int, allow_hosts: tuple[str, ...]) -> None:
    """Serve the workbench, pages for a browser.

    Says where the pages are, and serves them until Ctrl-C. What is typed there stays in this process: nothing is
    written to disk. On another address than 127.0.0.1 everyone who reaches this machine can use them, and what they
    type travels unencrypted.
    """
    try:
        # By name: the command line works without what the pages need.
        serve = import_module("pairloom.web.server").serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] == "pairloom":
            raise
        reason = f"the pages need more than is installed ({error.name}); pip install '.[web]' in its folder"
        raise InputError(reason=reason) from None
    _check_address(host, port)
    # Ctrl-C is how serving ends, no failure.
    with suppress(KeyboardInterrupt):
        serve(host=host, port=port, allow_hosts=allow_hosts)


def _check_address(host: str, port: int) -> None:
    """Raise unless the address can be listened on: the server itself would end in words of its own.

    Raises:
        OSError, InputError, click.BadParameter.
    """
    if not host:
        # The system would take it for every address there is.
        raise click.BadParameter("the address is empty; 127.0.0.1 is this machine", param_hint="'--host'")
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "not the name of a machine"
        reason = f"--host {host}: {why}; give an address of this machine, such as 127.0.0.1"
        raise InputError(reason=reason) from None
    with socket.create_server(address, family=family):
        pass
