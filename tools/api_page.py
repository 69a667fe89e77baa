"""The reference of the library from its docstrings, as a page. `tools/reference.py` writes it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from importlib import import_module

HEAD = """\
# The library, from its docstrings

Generated from the source by `make reference`; a test compares, and every example runs. [The library](library.md)
explains the same with more examples. Rules such as T4 are those of [the conventions](conventions/README.md).

```python
>>> from pairloom import *
>>> from pairloom.notebook import *
```
"""

# What a public class has that is no promise: the kernel's own view of the merges.
INTERNAL = {"merge_table"}
MODULES = ("pairloom", "pairloom.notebook")

_SECTION = re.compile(r"^(Args|Attributes|Returns|Raises|Yields|Cost|Rules?):", re.MULTILINE)
_ITEM = re.compile(r"^ {4}([\w*][\w, *]*): ")


def page() -> str:
    """Return docs/api.md."""
    parts = [HEAD]
    for module_name in MODULES:
        module = import_module(module_name)
        for name in sorted(module.__all__, key=lambda name: (_is_error(getattr(module, name)), name.lower(), name)):
            parts.extend(_entry(f"{module_name}.{name}", getattr(module, name)))
    return "".join(parts)


def _is_error(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, BaseException)


def _entry(name: str, value: object) -> Iterator[str]:
    yield f"\n## `{name}`\n\n"
    if _is_error(value):
        yield f"{_markdown(value)}\n[More](errors.md#{name.rpartition('.')[2].lower()}).\n"
        return
    kind = "class " if isinstance(value, type) else ""
    signature = _signature(value)
    if "_" in _first_letters(value):
        signature = ""  # it is not made by hand: its arguments are no promise
    yield f"```text\n{kind}{name.rpartition('.')[2]}{signature}\n```\n\n{_markdown(value)}"
    if isinstance(value, type):
        for member, owned in _members(value):
            yield f"\n### `{name.rpartition('.')[2]}.{member}`\n\n"
            if not isinstance(owned, property):
                yield f"```text\n{member}{_signature(owned)}\n```\n\n"
            yield _markdown(owned)


def _members(kind: type) -> Iterator[tuple[str, object]]:
    """The public methods and properties of a class, as they stand in its source."""
    for name, value in vars(kind).items():
        if name.startswith("_") or name in INTERNAL:
            continue
        plain = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        # A function of another name is one that is not to be called: a table's `update` refuses.
        if (inspect.isfunction(plain) and plain.__name__ == name) or isinstance(value, property):
            yield name, value


def _signature(value: object) -> str:
    """What can be given and what comes back, as a reader writes it: without quotes, `self` and `cls`."""
    if isinstance(value, classmethod | staticmethod):
        value = value.__func__
    assert callable(value)
    found = inspect.signature(value)
    rest = [each for each in found.parameters.values() if each.name not in {"self", "cls"}]
    text = str(found.replace(parameters=rest))
    return re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)


def _first_letters(value: object) -> set[str]:
    """With what the names of its arguments begin: `_` where some are internal."""
    assert callable(value)
    return {name[0] for name in inspect.signature(value).parameters}


def _markdown(value: object) -> str:
    """A docstring as Markdown: its sections as lists, its examples as blocks that run."""
    text = inspect.getdoc(value)
    if not text:
        raise ValueError(f"{value!r} has no docstring")
    text = _as_blocks(text)
    lines: list[str] = []
    for line in text.split("\n"):
        if section := _SECTION.match(line):
            rest = line[section.end() :].strip()
            lines.append(f"**{section[1]}**: {rest}".rstrip() if rest else f"**{section[1]}**\n")
        elif item := _ITEM.match(line):
            lines.append(f"- `{item[1]}`: {line[item.end() :]}")
        elif line.startswith("    ") and not line.startswith(("    >>>", "    ...")):
            lines.append(f"  {line.strip()}" if lines and lines[-1].startswith(("-", "  ")) else line.strip())
        else:
            lines.append(line)
    return "\n".join(lines) + "\n"


def _as_blocks(text: str) -> str:
    """Put each run of doctest lines, with what they print, into a fence."""
    parts = re.split(r"(?m)((?:^>>> .*\n?(?:^(?!>>>|\s*$).+\n?)*)+)", text)
    return "".join(f"```python\n{part.strip()}\n```\n" if part.startswith(">>> ") else part for part in parts).rstrip()
