"""What `pairloom site` refuses, and that what it is built from is named in one way everywhere."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pairloom.static_edition import packing, scripts, tools
from pairloom.static_edition.building import build, check_base
from pairloom.static_edition.pages import FRAGMENTS, PRINTED, SHEET, VIEWS, with_policy
from pairloom.static_edition.tools import SiteError
from pairloom.web.app import ROUTES
from tests.support.command_line import run
from tests.support.repository import ROOT
from tests.web.editions import NOT_STATIC, needs_node

NPM = ROOT / "src" / "pairloom" / "static_edition" / "npm"


def test_without_npm_it_says_what_it_needs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    ended = run("site", tmp_path / "out")
    assert ended.code == 1
    assert "needs Node.js (20 or newer) with npm; missing here: node and npm" in ended.err
    assert not (tmp_path / "out").exists()


def test_without_a_network_one_line_says_what_failed_and_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_node()
    with socket.socket() as nobody:
        # A port that is taken and at which nobody listens: it refuses.
        nobody.bind(("127.0.0.1", 0))
        monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{nobody.getsockname()[1]}/")
        monkeypatch.setenv("npm_config_fetch_retries", "0")
        monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        ended = run("site", tmp_path / "out")
    assert ended.code == 1
    line = ended.err.strip().splitlines()[-1]
    assert line.startswith("pairloom: ")
    assert "npm could not fetch Pyodide and esbuild, because its registry does not answer (ECONNREFUSED);" in line
    assert "npm error" not in ended.err
    assert "run this again with a network" in line
    assert not (tmp_path / "out").exists()


def test_what_a_tool_says_when_it_fails_is_handed_on() -> None:
    with pytest.raises(SiteError, match="this went wrong") as caught:
        tools.run([sys.executable, "-c", "import sys; sys.exit('this went wrong')"], what="python")
    assert caught.value.code == "site.build"


def test_python_that_fails_while_building_says_the_cause(tmp_path: Path) -> None:
    """Not the source and the stack of Pyodide around it: one line of that is a megabyte."""
    needs_node()
    with zipfile.ZipFile(tmp_path / "source.zip", "w") as archive:
        archive.writestr("broken.py", "def (")
    job = {"source": "source.zip", "target": "target.zip", "optimize": 2, "keep": []}
    job |= {name: str(tmp_path / str(job[name])) for name in ("source", "target")}
    found = tools.find_tools()
    with pytest.raises(SiteError) as caught:
        found.run_script("compile.mjs", str(found.pyodide), json.dumps([job]))
    assert str(caught.value).endswith("SyntaxError: invalid syntax")
    assert "createPyodideModule" not in str(caught.value)


def test_the_app_starts_without_docstrings() -> None:
    """As the folder has it, compiled without them; a module that needs one would stop Python in every browser."""
    program = "from pairloom.static_edition import bridge; bridge.prepare('/', 'version', 'en')"
    subprocess.run([sys.executable, "-OO", "-c", program], check=True, capture_output=True)


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("all of it")
    with pytest.raises(SiteError, match=r"holds something else than an earlier edition"):
        build(tmp_path)
    assert (tmp_path / "thesis.txt").read_text() == "all of it"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("")
    assert run("site", tmp_path / "out").code == 2


@pytest.mark.parametrize(("given", "made"), [("/", "/"), ("", "/"), ("bpe", "/bpe/"), ("/a/b-c/", "/a/b-c/")])
def test_a_base_path_has_slashes_at_both_ends(given: str, made: str) -> None:
    assert check_base(given) == made


@pytest.mark.parametrize("given", ["https://school.example/", "/a b/", "/a/../b", "/./", "/ä/", "/a?b", '/"'])
def test_a_base_path_is_one_of_plain_names(given: str, tmp_path: Path) -> None:
    with pytest.raises(SiteError, match="the base path is one of plain names"):
        check_base(given)
    assert run("site", tmp_path / "out", "--base-path", given).code == 1


def test_pyodide_is_pinned_once() -> None:
    """What the pages run in is what the tests of other Pythons run in."""

    def pinned(lock: Path, name: str) -> tuple[str, str]:
        package = json.loads(lock.read_text("utf-8"))["packages"][f"node_modules/{name}"]
        return package["version"], package["integrity"]

    assert pinned(NPM / "package-lock.json", "pyodide") == pinned(
        ROOT / "tools" / "pyodide" / "package-lock.json", "python-3.14"
    )


def test_every_package_from_npm_has_a_version_and_a_checksum_and_no_address() -> None:
    locked = json.loads((NPM / "package-lock.json").read_text("utf-8"))["packages"]
    named = {name: each for name, each in locked.items() if name}
    assert len(named) > 2
    assert all(each["integrity"].startswith("sha512-") and each["version"] for each in named.values())
    assert not any("resolved" in each for each in named.values())
    wanted = json.loads((NPM / "package.json").read_text("utf-8"))["dependencies"]
    assert wanted == {name: locked[f"node_modules/{name}"]["version"] for name in wanted}


def test_the_packages_are_what_the_pages_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools" / "pyodide"))
    from web_packages import needed  # type: ignore[import-not-found]  # a tool, no package

    assert {name.replace("-", "_") for name in needed("pairloom", {})} == set(packing.PACKAGES)


def test_every_get_of_the_app_is_rendered_or_known() -> None:
    gets = {route.path for route in ROUTES if "GET" in (route.methods or ())}
    # Without a folder: a slash too many, the health of a server, static files.
    servers = {"/walkthrough/", "/method/", "/healthz", "/static/{version}/{path:path}"}
    assert gets - servers == {*VIEWS, *PRINTED, *FRAGMENTS, SHEET}


def test_the_same_scripts_have_the_same_names_in_every_build() -> None:
    """What a reader's browser keeps is good for the next build, too, as long as nothing has changed."""
    needs_node()
    found = tools.find_tools()
    assert scripts.bundle_scripts(found) == scripts.bundle_scripts(found)


def test_scripts_that_come_later_are_found() -> None:
    assert {"js/main.js", "js/lesson/main.js", "js/inspect/main.js", "js/method.js"} <= scripts.named_scripts()


def test_the_policy_allows_what_python_needs_and_nothing_else() -> None:
    document = with_policy('<head>\n<meta charset="utf-8">\n</head>')
    for part in ("default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'", "form-action 'none'"):
        assert part in document
    assert "frame-ancestors" not in document
    assert "'unsafe-" not in document


def test_what_does_not_apply_to_the_static_edition_is_there() -> None:
    """The list names tests that exist, and only some of all."""
    for name in NOT_STATIC:
        module, _, test = name.partition(".")
        source = (ROOT / "tests" / "web" / f"{module}.py").read_text("utf-8")
        assert f"def {test}(" in source, name
