"""Before routing: names, origins, bodies, headers. Every route, generated from the routes."""

import asyncio
import gc
import json
import logging
import re
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from dataclasses import replace
from itertools import product

import pytest
from starlette.types import Message, Receive, Scope, Send

from pairloom.web import security
from pairloom.web.api.handlers import ROUTES as API_ROUTES
from pairloom.web.app import ROUTES, create_app
from pairloom.web.logs import QuietFormatter, quiet_asyncio
from pairloom.web.settings import Settings
from tests.web.asgi import ask, ask_now, exchange

PATHS = [
    *(route.path.replace("{version}", "0").replace("{path:path}", "x.js") for route in (*ROUTES, *API_ROUTES)),
    *("/nowhere", "/api/nowhere"),
]
APP = create_app()
CANARY = "SOMEBODYS-TEXT"
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY")


FOREIGN_HOSTS = ("evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "", "[::2]:80", None)


@pytest.mark.parametrize("path", PATHS)
def test_foreign_names_are_refused(path: str) -> None:
    async def main() -> list[object]:
        asked = [
            (method, host, await ask(APP, method, path, host=host)) for method, host in product(METHODS, FOREIGN_HOSTS)
        ]
        return [(method, host, answer.status) for method, host, answer in asked if answer.status != 421]

    assert asyncio.run(main()) == []


@pytest.mark.parametrize("name", ["localhost", "LocalHost", "127.0.0.1", "[::1]"])
@pytest.mark.parametrize("port", ["", ":1", ":80", ":8000", ":65535"])
def test_own_names_are_answered(name: str, port: str) -> None:
    assert ask_now(create_app(), "GET", "/healthz", host=name + port).status == 200


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "[::1]"])
@pytest.mark.parametrize(
    "rest",
    [
        *(".", ".:80", "evil.com", ".evil.com", "@evil.com", "/", "#", " ", "\t", ",localhost", "\u00a0"),
        *(
            ":",
            ":0",
            ":080",
            ":65536",
            ":100000",
            ":-1",
            ":+1",
            ":8_0",
            ":80 ",
            ": 80",
            ":80:80",
            ":a",
            ":\u00b2",
            ":80\n",
        ),
    ],
)
def test_what_only_begins_like_an_own_name_is_refused(name: str, rest: str) -> None:
    assert ask_now(create_app(), "GET", "/healthz", host=name + rest).status == 421


@pytest.mark.parametrize(
    "host", ["[::1", "::1", "::1]", "[[::1]]", "x[::1]", "[127.0.0.1]", "[localhost]", "[]", "[::1%lo]"]
)
def test_brackets_belong_to_whole_addresses(host: str) -> None:
    assert ask_now(create_app(), "GET", "/healthz", host=host).status == 421


def test_an_address_to_listen_on_is_a_name_with_brackets() -> None:
    app = create_app(replace(Settings(), allowed_hosts=("2001:DB8::7",)))
    assert ask_now(app, "GET", "/healthz", host="[2001:db8::7]:8000").status == 200
    assert ask_now(app, "GET", "/healthz", host="2001:db8::7").status == 421


def test_two_hosts_are_refused() -> None:
    answer = ask_now(create_app(), "GET", "/", host="localhost", headers=[("host", "localhost")])
    assert answer.status == 421


def test_names_of_the_operator_are_answered() -> None:
    settings = replace(Settings(), allowed_hosts=("school.example",))
    app = create_app(settings)
    assert ask_now(app, "GET", "/healthz", host="School.Example:8000").status == 200
    assert ask_now(app, "GET", "/healthz", host="localhost").status == 421


OTHER_SITES = (
    [("sec-fetch-site", "cross-site")],
    [("sec-fetch-site", "same-site")],
    [("origin", "null")],
    [("origin", "http://evil.example")],
    [("origin", "http://localhost:9999")],
    [("origin", "http://localhost:8000.evil.example")],
    [("sec-fetch-site", "same-origin"), ("origin", "http://evil.example")],
    [("origin", "http://localhost:8000"), ("origin", "http://evil.example")],
)


@pytest.mark.parametrize("path", PATHS)
def test_other_sites_cannot_send(path: str) -> None:
    async def main() -> list[object]:
        unsafe = [method for method in METHODS if method not in {"GET", "HEAD"}]
        asked = [
            (method, headers, await ask(APP, method, path, headers=headers))
            for method, headers in product(unsafe, OTHER_SITES)
        ]
        return [(method, headers, answer.status) for method, headers, answer in asked if answer.status != 403]

    assert asyncio.run(main()) == []


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("sec-fetch-site", "same-origin"), ("origin", "http://localhost:8000")],
        [("origin", "http://localhost:8000")],
    ],
)
def test_the_page_itself_can_send(headers: list[tuple[str, str]]) -> None:
    form = {"corpus": "low low", "merge_limit": "1"}
    assert ask_now(create_app(), "POST", "/workbench/train", form=form, headers=headers).status == 200


HOSTS = ("localhost:8000", "evil.example")
ORIGINS = (None, "http://localhost:8000", "http://evil.example", "null")
SITES = (None, "same-origin", "same-site", "cross-site", "none")


@pytest.mark.parametrize("path", PATHS)
def test_the_whole_matrix(path: str) -> None:
    """Host × Origin × Sec-Fetch-Site × method, on every address: 421 before 403 before everything else."""

    async def main() -> list[object]:
        failing: list[object] = []
        for method, host, origin, site in product(METHODS, HOSTS, ORIGINS, SITES):
            headers = [("origin", origin)] * (origin is not None) + [("sec-fetch-site", site)] * (site is not None)
            is_foreign = origin not in {None, "http://localhost:8000"} or site in {"same-site", "cross-site"}
            status = (await ask(APP, method, path, host=host, headers=headers)).status
            if host == "evil.example":
                is_right = status == 421
            elif is_foreign and method not in {"GET", "HEAD"}:
                is_right = status == 403
            else:
                is_right = status not in {403, 421} and status < 500
            if not is_right:
                failing.append((method, host, origin, site, status))
        return failing

    assert asyncio.run(main()) == []


def test_other_sites_can_link() -> None:
    assert ask_now(create_app(), "GET", "/", headers=[("sec-fetch-site", "cross-site")]).status == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("host", ["localhost:8000", "evil.example"])
def test_every_answer_has_the_headers(path: str, host: str) -> None:
    answer = ask_now(create_app(), "GET", path, host=host)
    assert answer.headers["content-security-policy"] == security.CONTENT_SECURITY_POLICY
    assert "unsafe" not in security.CONTENT_SECURITY_POLICY
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "headers", [[], [("content-length", "10")], [("content-length", "2000000")], [("content-length", "-1")]]
)
def test_bodies_are_counted_as_they_arrive(headers: list[tuple[str, str]]) -> None:
    given: list[int] = []

    def flood() -> list[bytes]:
        return [b"x" * 65_536] * 40

    made = exchange(create_app(), "POST", "/workbench/train", body=flood(), headers=headers)
    asyncio.run(made.run())
    assert made.answer().status == 413
    # Refused on the way, not after all of it.
    given.append(len(made.body))
    assert given[0] >= 20


def test_a_body_of_the_limit_is_taken() -> None:
    settings = replace(Settings(), body_max_bytes=1000)
    body = b"corpus=" + b"a" * 993
    form = [("content-type", "application/x-www-form-urlencoded")]
    app = create_app(settings)
    assert ask_now(app, "POST", "/workbench/train", body=[body], headers=form).status == 422
    assert ask_now(app, "POST", "/workbench/train", body=[body + b"a"], headers=form).status == 413


def test_a_trickling_body_ends_at_the_deadline() -> None:
    async def never(_: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError

    sent: list[Message] = []

    async def trickle() -> AsyncGenerator[Message, None]:
        while True:
            await asyncio.sleep(0.001)
            yield {"type": "http.request", "body": b"a", "more_body": True}

    async def main() -> None:
        stream = trickle()
        made = exchange(never, "POST", "/")

        async def send(message: Message) -> None:
            sent.append(message)

        await security.WholeBody(never, max_bytes=10**9, deadline_s=0.05)(made.scope, stream.__anext__, send)
        await stream.aclose()

    asyncio.run(main())
    assert sent[0]["status"] == 408


def test_failures_are_logged_without_any_value(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(_scope: Scope, _receive: Receive, _send: Send) -> None:
        raise KeyError(CANARY.lower())

    app = security.QuietErrors(broken)
    with caplog.at_level(logging.DEBUG):
        answer = ask_now(app, "GET", "/")
    assert answer.status == 500
    assert "KeyError" in caplog.text
    assert "in broken" in caplog.text
    assert CANARY.lower() not in caplog.text + answer.text


# What takes no form: it is read as it is, or takes nothing at all.
NO_FORMS = {"/workbench/inspect", "/workbench/opened"}


@pytest.mark.parametrize("path", [path for path in PATHS if path.startswith("/workbench") and path not in NO_FORMS])
@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"text=%FF", "application/x-www-form-urlencoded"),
        (b"text=a&text=b", "application/x-www-form-urlencoded"),
        (b"&".join(b"a%d=" % i for i in range(100)), "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
        (b"", "multipart/form-data; boundary=x"),
    ],
)
def test_what_no_form_sends_is_malformed(path: str, body: bytes, kind: str) -> None:
    assert ask_now(create_app(), "POST", path, body=[body], headers=[("content-type", kind)]).status == 400


def test_the_pages_ask_for_no_session() -> None:
    async def main() -> None:
        app = create_app()
        for method, path in (("GET", "/"), ("POST", "/workbench/train")):
            answer = await ask(app, method, path, form={"corpus": "a a", "merge_limit": "1"})
            assert "set-cookie" not in answer.headers

    asyncio.run(main())


CORPORA = (f"{CANARY} {CANARY}", f"{CANARY}▁", f"{CANARY}" * 4_500, "")


def test_no_text_in_any_log(caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever is sent wherever, whatever fails inside: nothing of it is in a log or on standard error."""

    async def main() -> None:
        app = create_app()
        for path, corpus in product(PATHS, CORPORA):
            form = {"corpus": corpus, "text": corpus, "merge_limit": CANARY, "key": CANARY, "prefix": CANARY}
            await ask(app, "POST", path, form=form)
            await ask(app, "POST", path, form={**form, "merge_limit": "10", "prefix": "0"})
            body = json.dumps({"inputs": {"corpus": corpus}, "corpus": corpus, "text": corpus, CANARY: CANARY}).encode()
            await ask(app, "POST", path, body=[body], headers=[("content-type", "application/json")])
            await ask(app, "GET", f"{path}?lang={CANARY}&{CANARY}", headers=[("cookie", f"lang={CANARY}")])

    with caplog.at_level(logging.DEBUG):
        asyncio.run(main())
        logging.getLogger("pairloom.web").error("the log is heard")
    assert "the log is heard" in caplog.text
    out, err = capfd.readouterr()
    assert CANARY not in caplog.text + out + err


def test_what_the_server_program_logs_has_no_text_either(capfd: pytest.CaptureFixture[str]) -> None:
    """A failure inside, an exception that quotes a text, a task that nobody waited for: type and place only."""
    record = logging.LogRecord("uvicorn.error", logging.ERROR, __file__, 1, "Exception in ASGI application\n", (), None)
    try:
        try:
            raise KeyError(CANARY)
        except KeyError:
            raise ValueError(CANARY) from None
    except ValueError:
        record.exc_info = sys.exc_info()
    line = QuietFormatter("%(message)s").format(record)
    assert "ValueError" in line
    assert CANARY not in line

    async def main() -> None:
        async def fails() -> None:
            raise ValueError(CANARY)

        asyncio.get_running_loop().set_exception_handler(quiet_asyncio)
        task = asyncio.ensure_future(fails())
        await asyncio.sleep(0)
        del task
        gc.collect()

    asyncio.run(main())
    assert CANARY not in "".join(capfd.readouterr())


HEAD = f"Host: localhost\r\nX-A: {CANARY}\r\nConnection: close\r\n"
UPGRADE = HEAD.replace("close", "close, upgrade")
FORM = f"corpus={CANARY}+{CANARY}&merge_limit={CANARY}"
FORM_HEAD = f"{HEAD}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(FORM)}\r\n"
OF_STRANGERS = (
    f"{CANARY}\r\n\r\n",
    f"GET /{CANARY} HTTP/9.9\r\n{HEAD}\r\n",
    f"GET /{CANARY}?{CANARY} HTTP/1.1\r\n{HEAD}\r\n",
    f"GET / HTTP/1.1\r\nHost: {CANARY}\r\nConnection: close\r\n\r\n",
    f"GET / HTTP/1.1\r\n{UPGRADE}Upgrade: {CANARY}\r\n\r\n",
    f"GET / HTTP/1.1\r\n{UPGRADE}Upgrade: websocket\r\nSec-WebSocket-Key: {CANARY}\r\n\r\n",
    f"POST /workbench/train HTTP/1.1\r\n{FORM_HEAD}\r\n{FORM}",
    f"POST /api/train HTTP/1.1\r\n{HEAD}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{{{CANARY}",
    f"POST /api/train HTTP/1.1\r\n{HEAD}Transfer-Encoding: chunked\r\n\r\n{CANARY}\r\n",
)


def test_the_program_says_where_it_is_and_nothing_of_its_visitors() -> None:
    """Whatever strangers send, they can neither put a text into a log nor fill it."""
    command = [sys.executable, "-m", "pairloom", "serve", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stderr is not None
        said = program.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said
        try:
            for data in OF_STRANGERS:
                with socket.create_connection(("127.0.0.1", int(found[1])), timeout=10) as client:
                    client.sendall(data.encode())
                    client.shutdown(socket.SHUT_WR)
                    while client.recv(65_536):
                        pass
        finally:
            program.terminate()
            out, err = program.communicate(timeout=20)
    assert (out, err) == ("", "")
