"""Static files: addresses, caching, what was vendored, the page's budget."""

import gzip
import hashlib
import posixpath
import re
from importlib.resources import files

import pytest

from pairloom.views.colors import PALETTE_SIZE
from pairloom.web.app import create_app
from pairloom.web.statics import STYLE_SHEETS, package_statics
from tests.web.asgi import ask_now

STATICS = package_statics()
VENDOR = files("pairloom.web") / "static" / "vendor" / "htmx-4.0.1"


def test_what_was_vendored_is_what_was_vendored() -> None:
    sums = (line.split("  ") for line in (VENDOR / "SHA256SUMS").read_text().splitlines())
    listed = {name: digest for digest, name in sums}
    there = {entry.name: hashlib.sha256(entry.read_bytes()).hexdigest() for entry in VENDOR.iterdir()}
    del there["SHA256SUMS"]
    assert listed == there
    assert set(there) == {"LICENSE", "htmx.min.js", "hx-sse.min.js"}
    assert "4.0.1" in (VENDOR / "htmx.min.js").read_text()


def test_addresses_name_their_content() -> None:
    address = STATICS.address("pairloom.css")
    answer = ask_now(create_app(), "GET", address)
    assert answer.status == 200
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.body == STATICS.files["pairloom.css"].body
    assert ask_now(create_app(), "GET", address.replace(STATICS.version, "000000000000")).status == 404


def test_comments_are_for_the_source_only() -> None:
    source = (files("pairloom.web") / "static" / "js" / "stepping.js").read_text(encoding="utf-8")
    sent = STATICS.files["js/stepping.js"].body.decode()
    assert "// " in source
    assert not re.search(r"^\s*(//|/\*)", sent, re.MULTILINE)
    assert [line for line in sent.splitlines() if line] == [
        line.lstrip() for line in source.splitlines() if line and not line.strip().startswith(("//", "/*"))
    ]
    assert len(sent.splitlines()) == len(source.splitlines())


def test_no_string_of_ours_goes_over_several_lines() -> None:
    """Else it would lose its indentation on the way."""
    for path in (files("pairloom.web") / "static" / "js").rglob("*.js"):  # type: ignore[attr-defined]  # a real folder
        for line in path.read_text(encoding="utf-8").splitlines():
            assert line.count("`") % 2 == 0, (path.name, line)


def test_the_style_sheets_are_sent_as_one() -> None:
    folder = files("pairloom.web") / "static" / "css"
    assert sorted(STYLE_SHEETS) == sorted(entry.name.removesuffix(".css") for entry in folder.iterdir())
    sent = STATICS.files["pairloom.css"].body.decode()
    for name in STYLE_SHEETS:
        source = (folder / f"{name}.css").read_text(encoding="utf-8")
        assert len(source.splitlines()) <= 200, name
        for line in source.splitlines():
            assert line.strip().startswith("/*") or line.lstrip() in sent, (name, line)
    assert [path for path in STATICS.files if path.endswith(".css")] == ["inspect.css", "lesson.css", "pairloom.css"]


def test_compressed_where_the_client_takes_that() -> None:
    answer = ask_now(create_app(), "GET", STATICS.address("js/main.js"), headers=[("accept-encoding", "gzip, br")])
    assert answer.headers["content-encoding"] == "gzip"
    assert gzip.decompress(answer.body) == STATICS.files["js/main.js"].body


def test_unchanged_is_not_sent_again() -> None:
    address = STATICS.address("icon.svg")
    etag = ask_now(create_app(), "GET", address).headers["etag"]
    assert ask_now(create_app(), "GET", address, headers=[("if-none-match", etag)]).status == 304


@pytest.mark.parametrize(
    "path", ["../app.py", "vendor/htmx-4.0.1/SHA256SUMS", "", "js", "/etc/passwd", "%2e%2e/app.py"]
)
def test_nothing_else_is_there(path: str) -> None:
    assert ask_now(create_app(), "GET", f"/static/{STATICS.version}/{path}").status == 404


VIEWS = ("/", "/lesson", "/walkthrough", "/method")


def with_imports(paths: set[str]) -> set[str]:
    """Return modules with everything that they import before they run."""
    found: set[str] = set()
    waiting = set(paths)
    while waiting:
        path = waiting.pop()
        found.add(path)
        source = STATICS.files[path].body.decode()
        names = re.findall(r'^import .*?"(\.[^"]+)";$', source, re.MULTILINE)
        waiting |= {posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) for name in names} - found
    return found


def paths_in(pattern: str, page: str) -> set[str]:
    return set(re.findall(pattern.format(rf"/static/{STATICS.version}/(js/[^\"]+)"), page))


@pytest.mark.parametrize("view", VIEWS)
def test_a_page_names_all_modules_that_it_begins_with(view: str) -> None:
    """The browser asks for them at once, not for one after the other; the budget counts what is named."""
    page = ask_now(create_app(), "GET", view).text
    begun = paths_in('<script type="module" src="{}"', page)
    assert "js/main.js" in begun
    assert paths_in('(?:href|src)="{}"', page) == with_imports(begun)
    assert ("js/walk.js" in begun) == (view in {"/lesson", "/walkthrough"})


def test_every_module_is_used() -> None:
    page = ask_now(create_app(), "GET", "/").text
    there = {path for path in STATICS.files if path.startswith("js/")}
    assert with_imports(paths_in('(?:data-script|src)="{}"', page)) == there


def luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def pair(pattern: str) -> tuple[str, str]:
    css = STATICS.files["pairloom.css"].body.decode()
    found = re.search(pattern + r"\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", css)
    assert found, pattern
    return found[1], found[2]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("index", range(PALETTE_SIZE))
def test_tokens_can_be_read_in_every_color(index: int, theme: int) -> None:
    ink = pair(r"\.flow :is\(i, mark\), \.tokens li:not\(\.unk\) \{ color:")[theme]
    assert contrast(ink, pair(rf"\.c{index} {{ background:")[theme]) >= 7


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground", "least"),
    [
        ("ink", "panel", 7),
        ("ink", "field", 7),
        ("ink", "sunk", 7),
        ("soft", "panel", 4.5),
        ("soft", "paper", 4.5),
        ("soft", "field", 4.5),
        ("accent", "panel", 4.5),
        ("on-accent", "accent", 4.5),
        ("wrong", "wrong-wash", 4.5),
        ("wrong", "panel", 4.5),
        ("strong-line", "panel", 3),
        ("ink", "wash", 7),
    ],
)
def test_inks_stand_out(ink: str, ground: str, least: float, theme: int) -> None:
    assert contrast(pair(f"--{ink}:")[theme], pair(f"--{ground}:")[theme]) >= least
