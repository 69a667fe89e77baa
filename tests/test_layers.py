"""The layers hold: the core imports no edge and does no I/O, and `import pairloom` loads next to nothing."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import pairloom

PACKAGE = Path(pairloom.__file__).parent
# The core is every module at the top level, and `kernel`, which lies under it. `__main__` is the command line's door.
CORE = sorted([*PACKAGE.glob("*.py"), *PACKAGE.glob("kernel/*.py")])
CORE = [path for path in CORE if path.name != "__main__.py"]

# All of the standard library that the core may use when it is imported, and why nothing else is needed.
ALLOWED = {
    "__future__",
    "bisect",
    "collections",
    "collections.abc",
    "dataclasses",
    "functools",
    "heapq",
    "itertools",
    "math",
    "operator",
    "re",
    "types",
    "typing",
}
# Some modules may do a little more, each for its reason.
ALLOWED_BESIDE = {
    "__init__.py": {"importlib"},  # public names are loaded when they are asked for
    "kernel/__init__.py": {"importlib", "os"},  # one of two kernels; PAIRLOOM_KERNEL, the only variable the core reads
}
# What a function of the core may import when it is called, not before.
ALLOWED_LATE = {
    "kernel/pure_encoding.py": {"array", "sys"},  # for those who ask for arrays, with their bytes in a certain order
    "token_ids.py": {"array", "copy", "pickle", "sys"},  # being pickled and copied
    "fingerprint.py": {"hashlib", "json"},  # importing the library stays light
    # Model.save; what a notebook shows
    "model.py": {"pairloom.formats.model_file", "pairloom.notebook.displays"},
    "encoder.py": {"pairloom.notebook.displays"},
    "merges.py": {"pairloom.notebook.displays"},
}
# Names that would print, read a file or a clock, or ask the environment.
IO_NAMES = {"print", "open", "input", "exec", "eval", "compile", "breakpoint", "__import__", "exit", "quit"}
IO_ATTRIBUTES = {"environ", "getenv", "stdout", "stderr", "stdin", "argv"}


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def is_for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


def walk(node: ast.AST, *, late: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Every node that runs, and whether only a call runs it; what is for type checkers is left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt) and is_for_types_only(child):
            continue
        inside = late or isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        yield child, inside
        yield from walk(child, late=inside)


def imports_of(path: Path) -> Iterator[tuple[str, bool]]:
    """The modules that a file imports, and whether late. `from pairloom import x` is `pairloom.x`."""
    for node, late in walk(tree_of(path)):
        if isinstance(node, ast.Import):
            yield from ((alias.name, late) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            module = str(node.module)
            if module == "pairloom":
                yield from ((f"pairloom.{alias.name}", late) for alias in node.names)
            else:
                yield module, late


CORE_MODULES = {
    f"pairloom.{path.stem}" if path.parent == PACKAGE else f"pairloom.kernel.{path.stem}" for path in CORE
} | {"pairloom.kernel", "pairloom.kernel._compiled"}

each_core_module = pytest.mark.parametrize("path", CORE, ids=name_of)


def test_the_core_is_there() -> None:
    assert {
        *("educational.py", "encoder.py", "errors.py", "history.py", "merges.py", "model.py", "normalizer.py"),
        *("pre_tokenizer.py", "trainer.py", "unicode_data.py", "vocabulary.py", "word_counts.py"),
        *("kernel/__init__.py",),
    } <= {name_of(path) for path in CORE}


@each_core_module
def test_the_core_imports_itself_and_little_else(path: Path) -> None:
    name = name_of(path)
    early = ALLOWED | CORE_MODULES | ALLOWED_BESIDE.get(name, set())
    for module, late in imports_of(path):
        assert module in early | (ALLOWED_LATE.get(name, set()) if late else set()), f"{name} imports {module}"


def test_data_flows_one_way() -> None:
    """No module of the core imports, directly or not, one that imports it."""
    needs = {}
    for path in CORE:
        module = "pairloom.kernel" if path.parent != PACKAGE and path.stem == "__init__" else None
        module = module or f"pairloom.{'kernel.' if path.parent != PACKAGE else ''}{path.stem}"
        needs[module] = {found for found, late in imports_of(path) if not late and found in CORE_MODULES}
    placed: set[str] = set()
    while ready := {module for module in needs if module not in placed and needs[module] <= placed}:
        placed |= ready
    assert placed == set(needs)


@each_core_module
def test_the_core_prints_nothing_and_reads_nothing(path: Path) -> None:
    for node, _ in walk(tree_of(path)):
        if isinstance(node, ast.Name):
            allowed = {"exec"} if name_of(path) == "values.py" else set()  # makes `__init__`, as `dataclasses` does
            assert node.id not in IO_NAMES - allowed, f"{name_of(path)}:{node.lineno} uses {node.id}"
        elif isinstance(node, ast.Attribute) and name_of(path) != "kernel/__init__.py":
            assert node.attr not in IO_ATTRIBUTES, f"{name_of(path)}:{node.lineno} uses {node.attr}"


def loaded_by(code: str) -> set[str]:
    """The modules that a fresh interpreter has after running some code, beyond those that it has anyway."""
    report = "import sys; print(*sorted(sys.modules), sep='\\n')"

    def modules(program: str) -> set[str]:
        command = [sys.executable, "-c", f"{program}\n{report}"]
        return set(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split())

    return modules(code) - modules("pass")


# Each is heavy, or an edge's, or starts something.
HEAVY = {
    *("asyncio", "click", "http", "jinja2", "json", "logging", "multipart", "numpy", "pyarrow", "ray", "socket"),
    *("sqlite3", "ssl", "starlette", "subprocess", "tempfile", "threading", "tokenizers", "unicodedata", "urllib"),
    *("uvicorn", "hashlib", "inspect", "email", "pathlib", "argparse", "decimal", "random"),
}


def test_importing_the_package_loads_next_to_nothing() -> None:
    loaded = loaded_by("import pairloom")
    assert {module for module in loaded if module.startswith("pairloom")} == {"pairloom"}
    # `typing` brings a few of its own; none is heavy, and their names differ between Pythons.
    assert not loaded & HEAVY


def test_training_and_encoding_load_the_core_and_no_edge() -> None:
    use = "import pairloom; pairloom.train('low lower').encode('lowest')"
    loaded = loaded_by(use)
    ours = {module for module in loaded if module.startswith("pairloom")}
    assert ours <= CORE_MODULES | {"pairloom"}
    assert "pairloom.educational" not in ours
    # `dataclasses` imports `inspect` for itself; nothing else of the list comes along.
    assert loaded & HEAVY <= {"inspect"}


def test_every_public_name_is_loaded_without_the_edges() -> None:
    """Only what touches a disk comes with `load`."""
    loaded = loaded_by("import pairloom; [getattr(pairloom, name) for name in pairloom.__all__]")
    ours = {module for module in loaded if module.startswith("pairloom")}
    edges = {module.split(".")[1] for module in ours - CORE_MODULES - {"pairloom"}}
    assert edges <= {"formats"}
    assert not loaded & {"click", "jinja2", "numpy", "starlette", "asyncio", "uvicorn", "multipart"}


def test_only_the_kernel_reads_the_environment() -> None:
    """And only one variable, once; a wrong value is an error, not a guess."""
    readers = [name_of(path) for path in CORE if any(module == "os" for module, _ in imports_of(path))]
    assert readers == ["kernel/__init__.py"]
    source = (PACKAGE / "kernel" / "__init__.py").read_text("utf-8")
    assert source.count("os.environ") == 1
    assert 'os.environ.get("PAIRLOOM_KERNEL", "")' in source
