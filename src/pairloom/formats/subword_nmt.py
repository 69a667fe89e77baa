"""Model ↔ codes of subword-nmt: a version line, then a merge a line, two symbols with a space between them.

Version 0.1 of the format takes the end-of-word mark `</w>` as a symbol of its own behind the word, 0.2 as part of the
word's last symbol. We have no end-of-word mark, so we write 0.1: without a merge of `</w>` it does nothing there, and
the lines are our merges, one for one. subword-nmt then has to be given our pre-tokens, markers included
(`pairloom normalize --pre-tokens` writes them).

Codes with end-of-word marks become a model without marker, whose words end in a visible stand-in for `</w>`:

    version 0.1   l o </w>        lo + ␃
    version 0.2   l o</w>         first o + ␃, before all other merges; then l + o␃

In 0.2 the last symbol of a word is another one than elsewhere, so there the plain `b b` does not act on it: the merge
b + ␃ comes first for every code point that could be a right part, whether or not the file has `b</w>`.

Words are then encoded with the stand-in behind them, and give subword-nmt's tokens.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from pairloom.formats.findings import Findings, Imported, ReadingStoppedError, in_order_of_lines
from pairloom.formats.merge_list import EncodingSettings, ListedMerge, model_of_list, settled
from pairloom.formats.text_lines import lines_of
from pairloom.model import Model
from pairloom.unicode_data import MARKER

NAME: Final = "subword-nmt"
END_OF_WORD: Final = "</w>"
STAND_IN: Final = "␃"
"""What stands for the end of a word in a model of imported codes: U+2403, the symbol for "end of text"."""

# Trailing `.0`s mean nothing there.
_VERSION = re.compile(r"#version: *0+\.0*([12])(?:\.0+)* *\Z")


# Line ends to Python's codecs, with which its program reads texts, and no whitespace to us (N4).
_LINE_ENDS_THERE: Final = frozenset("\x1c\x1d\x1e\x85")


def dumps(model: Model) -> bytes:
    """Return the codes of a model, in version 0.1 of the format. The alphabet and the settings are not in it."""
    lines = ["#version: 0.1", *(f"{merge.left} {merge.right}" for merge in model.merges)]
    return ("\n".join(lines) + "\n").encode("utf-8")


def limits(model: Model) -> list[str]:
    """Return what the codes of a model cannot carry, in English, one sentence each."""
    words = "our pre-tokens, markers included" if model.marker else "our pre-tokens"
    said = [
        f"subword-nmt splits at spaces only and normalizes nothing: give it {words} (pairloom normalize --pre-tokens)",
        "the alphabet and the settings are not in the file: name them when it is imported again",
    ]
    used = {part for merge in model.merges for part in (merge.left, merge.right)}
    lost = [symbol for symbol in model.alphabet if symbol not in used and symbol != MARKER]
    if lost:
        said.append(f"{len(lost)} symbols of the alphabet are in no merge: a text with them restores them on import")
    broken = sorted(_LINE_ENDS_THERE.intersection(model.alphabet))
    if broken:
        names = ", ".join(f"U+{ord(symbol):04X}" for symbol in broken)
        said.append(f"the program subword-nmt takes {names} of a text for the end of a line, and so of a word")
    if not model.merges:
        said.append("subword-nmt refuses a file without merges")
    if any(merge.right == END_OF_WORD for merge in model.merges):
        said.append("a merge has </w> as its right part, which subword-nmt takes for the end of a word")
    if any(not merge.is_new for merge in model.merges):
        said.append("a string is made twice: subword-nmt replaces all places of a pair at once, and may cut otherwise")
    return said


def loads(
    data: bytes,
    *,
    settings: EncodingSettings | None = None,
    alphabet: Iterable[str] = (),
    end_of_word: str = STAND_IN,
) -> Imported:
    """Return what codes of version 0.1 or 0.2 say.

    Args:
        data: the file. Without a version line it is of version 0.1, as subword-nmt takes it.
        settings: of the model; None takes a marker if a symbol of the file has one. Codes with end-of-word marks give
            a model without marker.
        alphabet: symbols beside those of the merges.
        end_of_word: a single code point that stands for `</w>`; the file must not use it.
    """
    findings = Findings()
    model = None
    try:
        version, merges = _merges_of(data, findings)
        model = _model_of(version, merges, settings, alphabet, end_of_word=end_of_word, findings=findings)
    except ReadingStoppedError:
        pass
    return Imported(NAME, in_order_of_lines(findings.found), model)


def _merges_of(data: bytes, findings: Findings) -> tuple[tuple[int, int], list[ListedMerge]]:
    lines = lines_of(data, findings)
    version = (0, 1)
    first = 1
    if lines and lines[0].startswith("#version"):
        found = _VERSION.match(lines[0])
        if found is None:
            raise findings.stop("version", f"{lines[0][:60]!a}: versions 0.1 and 0.2 are known", line=1)
        version = (0, int(found[1]))
        first = 2
    return version, pairs_of(lines[first - 1 :], first, findings)


def pairs_of(lines: Sequence[str], first: int, findings: Findings) -> list[ListedMerge]:
    """Return the pairs of lines with two symbols each, the first line having the number `first`; others are found."""
    merges: list[ListedMerge] = []
    for number, line in enumerate(lines, start=first):
        parts = line.strip(" ").split(" ")
        if len(parts) == 2:
            merges.append(ListedMerge(parts[0], parts[1], line=number))
        elif not line.strip(" "):
            findings.error("parts", "an empty line; a merge is two symbols with a space between them", line=number)
        else:
            message = f"{len(parts)} symbols; a merge is two, with one space between them, and no symbol has a space"
            findings.error("parts", message, line=number)
    return merges


def _model_of(
    version: tuple[int, int],
    merges: list[ListedMerge],
    settings: EncodingSettings | None,
    alphabet: Iterable[str],
    *,
    end_of_word: str,
    findings: Findings,
) -> Model | None:
    if _has_ends(version, merges, findings):
        merges = _with_stand_in(version, merges, end_of_word, findings)
        if settings is not None and settings.marker:
            findings.note("converted", "the words of the file end in </w>: the model has no marker in front of them")
        settings = replace(settings or EncodingSettings(), marker=False)
    else:
        settings = settled(settings, has_marker=not merges or any(MARKER in merge.result for merge in merges))
    symbols = {part for merge in merges for part in (merge.left, merge.right) if len(part) == 1}
    return model_of_list(merges, alphabet={*symbols, *alphabet}, settings=settings, findings=findings)


def _has_ends(version: tuple[int, int], merges: list[ListedMerge], findings: Findings) -> bool:
    """Whether the words of the file end in `</w>`.

    In 0.1 they do if a merge names it, and no earlier one spells it. In 0.2 they always do; but merge lists of other
    tools have the same first line, and where a symbol has our marker in front, and none has `</w>`, it is one of these.
    """
    made: set[str] = set()
    for merge in merges:
        if merge.right.endswith(END_OF_WORD) and merge.right not in made:
            return True
        made.add(merge.result)
    if version != (0, 2) or not merges:
        return False
    marked = next((merge for merge in merges if merge.result.startswith(MARKER)), None)
    if marked is not None:
        message = "words begin with ▁ and no symbol ends in </w>: taken for a list without ends of words"
        findings.warn("converted", message, line=marked.line)
    return marked is None


def _with_stand_in(
    version: tuple[int, int], merges: list[ListedMerge], end_of_word: str, findings: Findings
) -> list[ListedMerge]:
    """Return the merges with the stand-in at the end of words; in 0.2 it first joins the last code point."""
    if len(end_of_word) != 1:
        raise findings.stop("end-of-word", f"the stand-in {end_of_word!a} is no single code point")
    # The code points that are a right part, at the end of words or elsewhere.
    last: dict[str, ListedMerge] = {}
    converted: list[ListedMerge] = []
    for merge in merges:
        if end_of_word in merge.result:
            message = f"the symbol {end_of_word} stands for </w> and is used here: choose another stand-in"
            raise findings.stop("end-of-word", message, line=merge.line)
        left, right = merge.left, merge.right
        if left.endswith(END_OF_WORD):
            findings.error(
                "nothing-makes", "nothing follows the end of a word: </w> is in the left part", line=merge.line
            )
            continue
        if right.endswith(END_OF_WORD):
            right = right.removesuffix(END_OF_WORD) + end_of_word
            if version == (0, 2) and len(right) == 2:
                last.setdefault(right[0], merge)
            elif version == (0, 2) and len(right) == 1:
                findings.error("nothing-makes", "in version 0.2 </w> is no symbol of its own", line=merge.line)
        elif version == (0, 2) and len(right) == 1:
            last.setdefault(right, merge)
        converted.append(replace(merge, left=left, right=right))
    joined = [ListedMerge(symbol, end_of_word, line=merge.line) for symbol, merge in sorted(last.items())]
    joins = _joins_in_words(len(joined))
    findings.note("converted", f"{end_of_word} stands for </w>: encode words with it behind them{joins}")
    return [*joined, *converted]


def _joins_in_words(count: int) -> str:
    if not count:
        return ""
    if count == 1:
        return "; 1 merge that joins it to a last character comes first"
    return f"; {count} merges that join it to a last character come first"
