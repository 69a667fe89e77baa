"""`pairloom serve`: hands over to the pages, and says what is missing where they cannot run."""

import socket
import sys
from importlib import import_module
from types import ModuleType

import pytest

import pairloom
from tests.support.command_line import run

Call = tuple[str, int, tuple[str, ...]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """What is asked of the server, which does not really start."""
    calls: list[Call] = []

    def serve(*, host: str, port: int, allow_hosts: tuple[str, ...]) -> None:
        calls.append((host, port, tuple(allow_hosts)))

    module = ModuleType("pairloom.web.server")
    module.serve = serve  # type: ignore[attr-defined]  # a stand-in
    monkeypatch.setitem(sys.modules, "pairloom.web.server", module)
    return calls


def test_the_defaults(calls: list[Call], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pairloom.cli.serve._check_address", lambda *_: None)  # the port may well be taken here
    assert run("serve").code == 0
    assert calls == [("127.0.0.1", 8000, ())]


def test_address_port_and_names(calls: list[Call]) -> None:
    arguments = ("--host", "0.0.0.0", "--port", "0", "--allow-host", "a.example", "--allow-host", "b.example")
    assert run("serve", *arguments).code == 0
    assert calls == [("0.0.0.0", 0, ("a.example", "b.example"))]


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_no_port(calls: list[Call], port: str) -> None:
    assert run("serve", "--port", port).code == 2
    assert calls == []


def test_interrupting_is_how_it_ends(calls: list[Call], monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sys.modules["pairloom.web.server"], "serve", serve)
    ended = run("serve", "--port", "0")
    assert (ended.code, ended.err) == (0, "")


def test_a_port_that_is_taken(calls: list[Call]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ended = run("serve", "--port", str(taken.getsockname()[1]))
    assert ended.code == 1
    assert ended.err.startswith("pairloom: error: Address already in use")
    assert ended.err.endswith("; choose another --port (with make: PORT=8080)\n")
    assert calls == []


def test_an_address_of_another_machine(calls: list[Call]) -> None:
    ended = run("serve", "--host", "192.0.2.1", "--port", "0")
    assert (ended.code, calls) == (1, [])
    assert ended.err.endswith("; give --host an address of this machine\n")


def test_an_address_that_is_none(calls: list[Call]) -> None:
    ended = run("serve", "--host", "")
    assert (ended.code, calls) == (2, [])
    assert "Invalid value for '--host': the address is empty; 127.0.0.1 is this machine" in ended.err
    for host in ("no such host", "x" * 64 + ".example", "::g"):
        ended = run("serve", "--host", host, "--port", "0")
        assert (ended.code, calls) == (1, [])
        assert ended.err.startswith(f"pairloom: error: --host {host}: ")
        assert ended.err.endswith("; give an address of this machine, such as 127.0.0.1\n")


def test_without_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    # What is imported anew below becomes the package's attribute, too: afterwards that is the old one again.
    monkeypatch.setattr(pairloom, "web", import_module("pairloom.web"), raising=False)
    for name in [name for name in sys.modules if name.startswith("pairloom.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    ended = run("serve")
    assert ended.code == 1
    assert ended.err == (
        "pairloom: error: the pages need more than is installed (uvicorn); pip install '.[web]' in its folder\n"
    )
