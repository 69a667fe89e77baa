"""Two models side by side, and a text as each cuts it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.notebook.displays import Bundle, bundle
from pairloom.notebook.markup import box, note, shown, table, told, whole
from pairloom.views.model_difference import ModelDifference, TextDifference

LISTED = 12
"""Tokens of a list that are written out; how many more there are is said."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What `diff` returns; a notebook shows it.

    Attributes:
        left, right: the models.
        models: what differs between them.
        text: how each cuts the text, None if none was given.
    """

    left: Model
    right: Model
    models: ModelDifference
    text: TextDifference | None

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:  # noqa: ARG002  # the protocol's
        facts = list(_facts(self.models))
        html = [table(("", "left", "right"), [(note(name), one, other) for name, one, other, _ in facts])]
        lines = [f"{name}: {words}" for name, _, _, words in facts]
        if self.text is not None:
            cut = self.text
            words = f"{cut.left_tokens:,} | {cut.right_tokens:,} tokens, cut otherwise at {cut.differing:,} places"
            html += [note(words), f"<div>{' '.join(self._stretches())}</div>"]
            lines += [words, " ".join(_plain_stretches(cut))]
        return bundle(whole(*html), "\n".join(lines))

    def _stretches(self) -> Iterator[str]:
        assert self.text is not None
        for stretch in self.text.stretches:
            one = "".join(box(token, self.left.token_id(token)) for token in stretch.left)
            if not stretch.differs:
                yield f"<span>{one}</span>"
                continue
            other = "".join(box(token, self.right.token_id(token)) for token in stretch.right)
            frame = "display:inline-block;border:1px solid;border-radius:4px;padding:2px;margin:1px;vertical-align:top"
            yield f'<span style="{frame}">{one}<br>{other}</span>'


def diff(left: Model, right: Model, text: str | None = None) -> Difference:
    """Return what differs between two models, and how each cuts a text.

    Args:
        left, right: any models.
        text: to be encoded with both; None compares the models alone.

    Raises:
        NotText, ForbiddenCodePoint.

    >>> from pairloom import train
    >>> diff(train("low lower"), train("low newest lower newest")).models.same_merges
    0
    """
    cut = None if text is None else TextDifference.of(left, right, text)
    return Difference(left, right, ModelDifference.of(left, right), cut)


def _facts(found: ModelDifference) -> Iterator[tuple[str, str, str, str]]:
    """Name, both sides as HTML, and both as words."""
    if found.is_same:
        words = "equal fingerprints: every text is encoded alike"
        yield "the same", note(words), "", words
    for setting in found.settings:
        one, other = str(setting.left), str(setting.right)
        yield setting.name, shown(one), shown(other), f"{told(one)} | {told(other)}"
    one, other = f"{found.left_merges:,}", f"{found.right_merges:,}"
    yield "merges", one, other, f"{one} | {other}; the first {found.same_merges:,} are the same"
    if found.left_merge is not None or found.right_merge is not None:
        merges = (found.left_merge, found.right_merge)
        html = [_merge(merge) for merge in merges]
        words = " | ".join("none" if each is None else f"{told(each.left)}+{told(each.right)}" for each in merges)
        yield f"first difference, rank {found.same_merges}", html[0], html[1], words
    for name, ours, theirs in (
        ("only here: code points", found.only_left_alphabet, found.only_right_alphabet),
        ("only here: tokens", found.only_left, found.only_right),
    ):
        if ours or theirs:
            yield name, _listed(ours, shown), _listed(theirs, shown), f"{_listed(ours, told)} | {_listed(theirs, told)}"
    if found.other_ids:
        yield "tokens of both with another ID", f"{found.other_ids:,}", "", f"{found.other_ids:,}"


def _merge(merge: Merge | None) -> str:
    return "none" if merge is None else f"{shown(merge.left)} + {shown(merge.right)}"


def _listed(tokens: tuple[str, ...], show: object) -> str:
    assert callable(show)
    more = f" and {len(tokens) - LISTED:,} more" if len(tokens) > LISTED else ""
    return f"{len(tokens):,}: {' '.join(show(token) for token in tokens[:LISTED])}{more}" if tokens else "0"


def _plain_stretches(cut: TextDifference) -> Iterator[str]:
    for stretch in cut.stretches:
        one, other = ("·".join(told(token) for token in side) for side in (stretch.left, stretch.right))
        yield f"[{one} | {other}]" if stretch.differs else one
