#!/usr/bin/env python3
"""Serve a folder that `pairloom site` has written, on this machine only: `python tools/serve_site.py FOLDER [PORT]`.

A plain file server with what every good host does: it sends the compressed twin where the browser takes it, names the
types, and lets the browser keep what has its content in its name. PORT 0 takes a free one.
"""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.parse import unquote, urlsplit

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".zip": "application/zip",
}
ENCODINGS = {"br": ".br", "gzip": ".gz"}


class Handler(SimpleHTTPRequestHandler):
    """Answers GET and HEAD from one folder under one base path."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: object, folder: Path, base: str, **kwargs: object) -> None:
        self.folder = folder
        self.base = base
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]  # the server's own arguments, handed on

    def handle(self) -> None:
        """Serve a connection until it ends, one way or the other."""
        with suppress(ConnectionError):
            super().handle()

    def do_GET(self) -> None:
        """Send a file."""
        self._answer(with_body=True)

    def do_HEAD(self) -> None:
        """Send what would be said of a file."""
        self._answer(with_body=False)

    def _answer(self, *, with_body: bool) -> None:
        path = unquote(urlsplit(self.path).path)
        file = self._file(path)
        if file is not None and file.is_dir() and not path.endswith("/"):
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            query = urlsplit(self.path).query
            self.send_header("Location", f"{urlsplit(self.path).path}/" + (f"?{query}" if query else ""))
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if file is not None and file.is_dir():
            file /= "index.html"
        if file is None or not file.is_file():
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self._send(file, with_body=with_body)

    def _file(self, path: str) -> Path | None:
        if not path.startswith(self.base) or "\0" in path:
            return None
        file = (self.folder / path.removeprefix(self.base)).resolve()
        return file if file.is_relative_to(self.folder) else None

    def _send(self, file: Path, *, with_body: bool) -> None:
        accepted = self.headers.get("Accept-Encoding", "")
        twin = file
        encoding = ""
        for name, ending in ENCODINGS.items():
            if name in accepted and file.with_name(file.name + ending).is_file():
                twin, encoding = file.with_name(file.name + ending), name
                break
        body = twin.read_bytes()
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", TYPES.get(file.suffix, "application/octet-stream"))
        if encoding:
            self.send_header("Content-Encoding", encoding)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Vary", "Accept-Encoding")
        is_named = file.relative_to(self.folder).parts[0] in {"static", "python"}
        self.send_header("Cache-Control", "public, max-age=31536000, immutable" if is_named else "no-cache")
        self.end_headers()
        if with_body:
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing of each request."""


@contextmanager
def serving(folder: Path, port: int = 0) -> Iterator[str]:
    """Serve a folder inside this block; gives the address of its base path."""
    base = json.loads((folder / "files.json").read_text("utf-8"))["base"]
    handler = partial(Handler, folder=folder.resolve(), base=base)
    with ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        server.daemon_threads = True
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}{base}"
        finally:
            server.shutdown()
            thread.join()


def main() -> int:
    """Serve until interrupted."""
    if len(sys.argv) not in {2, 3}:
        print(__doc__, file=sys.stderr)
        return 2
    with serving(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) == 3 else 8000) as address:
        print(f"The static edition is at {address} (Ctrl-C ends it)", file=sys.stderr, flush=True)
        try:
            Event().wait()
        except KeyboardInterrupt:
            return 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
