"""The lesson's Python listing: `educational.py`'s own train and merge functions, with a table of words to run them on.

The functions are read from the file, so that what the page shows is what the tests hold equal to the engine. Rule: S7.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Final

FUNCTIONS: Final = ("count_pairs", "merge", "train")
"""What is shown of the file, in its order."""

_NAMES: Final = {"Pair", "Choose"}
_LIBRARY: Final = ("collections", "collections.abc")
_LINE: Final = 96


@cache
def functions() -> str:
    """Return the functions with what they need: standard library only.

    >>> print(functions().splitlines()[0])
    from collections import Counter
    """
    source = (files("pairloom") / "educational.py").read_text(encoding="utf-8")
    head, body = [], []
    for node in ast.parse(source).body:
        text = ast.get_source_segment(source, node) or ""
        if isinstance(node, ast.ImportFrom) and node.module in _LIBRARY:
            head.append(text)
        elif isinstance(node, ast.Assign) and {each.id for each in node.targets if isinstance(each, ast.Name)} & _NAMES:
            body.append(text)
        elif isinstance(node, ast.FunctionDef) and node.name in FUNCTIONS:
            body.append(f"\n\n{text}")
    return "\n".join([*head, "", *body]) + "\n"


def listing(words: Mapping[str, int]) -> str:
    r"""Return a Python program that trains on these words and prints every merge, one a line.

    Args:
        words: pre-tokens with how often each occurs.

    >>> "word_counts = {\n    '▁low': 2,\n}\n" in listing({"▁low": 2})
    True
    """
    table = "\n".join(_table(words))
    run = (
        "for rank, (left, right, frequency, replacements, tokens) in enumerate(train(word_counts, 40_000)):\n"
        "    print(rank + 1, repr(left), repr(right), frequency, replacements, tokens)\n"
    )
    return f"{functions()}\n\nword_counts = {{\n{table}\n}}\n{run}"


def _table(words: Mapping[str, int]) -> Iterator[str]:
    """Return the entries of a dictionary, as many on a line as fit."""
    line = ""
    for word, count in words.items():
        # Only what can be seen stands as it is: a control or a sign without width would be lost in a copy.
        shown = repr(word) if word.isprintable() else ascii(word)
        entry = f"{shown}: {count},"
        if line and len(line) + 1 + len(entry) > _LINE:
            yield line
            line = ""
        line = f"{line} {entry}" if line else f"    {entry}"
    if line:
        yield line
