"""What `pairloom diff` writes, as lines for people."""

from __future__ import annotations

from collections.abc import Sequence

from pairloom.cli.outputs import Output
from pairloom.merges import Merge
from pairloom.views.display import plain
from pairloom.views.model_difference import ModelDifference, Stretch, TextDifference
from pairloom.views.other_rule import Comparison

# Of a list of tokens or words so many are written out; how many more there are is said, and JSON has them all.
_LISTED = 12
_MARK = "\x1b[1;7m"
_RESET = "\x1b[0m"


def write_models(out: Output, found: ModelDifference) -> None:
    """Write what differs between two models."""
    if found.is_same:
        out.write(f"the same: {found.left_merges:,} merges, equal fingerprints\n")
        return
    for setting in found.settings:
        out.write(f"{setting.name}: {plain(str(setting.left))} | {plain(str(setting.right))}\n")
    _write_lists(out, "alphabet", found.only_left_alphabet, found.only_right_alphabet)
    out.write(f"merges: {found.left_merges:,} | {found.right_merges:,}; the first {found.same_merges:,} are the same\n")
    if found.left_merge is not None or found.right_merge is not None:
        out.write(f"merge {found.same_merges}: {_merge(found.left_merge)} | {_merge(found.right_merge)}\n")
    _write_lists(out, "tokens", found.only_left, found.only_right)
    if found.other_ids:
        out.write(f"tokens that both have with another ID: {found.other_ids:,}\n")


def write_text(out: Output, source: str, cut: TextDifference, *, color: bool) -> None:
    """Write a text as both cut it; what differs stands in brackets, `left | right`."""
    unknown = f", {cut.left_unknown:,} | {cut.right_unknown:,} unknown" if cut.left_unknown or cut.right_unknown else ""
    out.write(f"{plain(source)}: {cut.left_tokens:,} | {cut.right_tokens:,} tokens{unknown}, ")
    out.write(f"cut otherwise at {cut.differing:,} place{'' if cut.differing == 1 else 's'}\n")
    out.write(f"  {' '.join([_stretch(stretch, color=color) for stretch in cut.stretches])}\n")


def write_rules(out: Output, found: Comparison, rules: tuple[str, str]) -> None:
    """Write where two rules part, why, and what it changes."""
    left, right = rules
    if found.first is None:
        out.write(f"{left} and {right} learn the same {found.ours_merges:,} merges from this corpus\n")
        return
    first, choice = found.first, found.first.choice
    out.write(f"{left} | {right}: the first {first.rank:,} merges are the same\n")
    out.write(
        f"merge {first.rank}: {_merge(first.ours)} | {_merge(first.theirs)}, both with {choice.chosen.frequency:,}\n"
    )
    tied = [f"{plain(pair.left)}+{plain(pair.right)}" for pair in choice.tied]
    more = choice.tied_count - len(tied)
    out.write(f"  tied were {', '.join(tied)}{f' and {more:,} more' if more else ''}\n")
    for rule in dict.fromkeys(rules):
        out.write(f"  {rule} takes {_RULE[rule]}\n")
    out.write(f"in the end: {found.ours_merges:,} | {found.theirs_merges:,} merges, ")
    out.write(f"{found.same_rank:,} of them at the same rank; ")
    out.write(f"corpus tokens {found.ours_tokens:,} | {found.theirs_tokens:,}\n")
    _write_lists(out, "tokens", found.only_ours, found.only_theirs)
    out.write(f"words cut otherwise: {len(found.words):,}\n")
    for word in found.words[:_LISTED]:
        one, other = (" ".join(map(plain, tokens)) for tokens in (word.ours, word.theirs))
        out.write(f"  {one} | {other}  (×{word.count:,})\n")
    if len(found.words) > _LISTED:
        out.write(f"  and {len(found.words) - _LISTED:,} more; --json has them all\n")


_RULE = {
    "ours": "the smaller left symbol, then right, by code point (T4)",
    "hugging-face": "the smaller pair of IDs",
    "subword-nmt": "the largest pair",
    "first-seen": "the pair counted first",
    "sentencepiece": "the shorter piece, then the smaller string",
}


def _stretch(stretch: Stretch, *, color: bool) -> str:
    left, right = (" ".join(map(plain, tokens)) for tokens in (stretch.left, stretch.right))
    if not stretch.differs:
        return left
    text = f"[{left} | {right}]"
    return f"{_MARK}{text}{_RESET}" if color else text


def _merge(merge: Merge | None) -> str:
    return "no more" if merge is None else f"{plain(merge.left)}+{plain(merge.right)}"


def _write_lists(out: Output, what: str, left: Sequence[str], right: Sequence[str]) -> None:
    for side, tokens in (("left", left), ("right", right)):
        if tokens:
            listed = " ".join(map(plain, tokens[:_LISTED]))
            more = f" and {len(tokens) - _LISTED:,} more" if len(tokens) > _LISTED else ""
            out.write(f"{what} of the {side} alone: {len(tokens):,}: {listed}{more}\n")
