"""What `pairloom explain` writes, as lines for people."""

from __future__ import annotations

from dataclasses import asdict

from pairloom.cli.listing import token_with_id
from pairloom.cli.outputs import Output, json_line
from pairloom.model import Model
from pairloom.views.display import plain
from pairloom.views.explanation import WordExplanation
from pairloom.views.ties import Choice
from pairloom.views.token_tree import TokenTree
from pairloom.views.word_life import WordLife

_OTHER_TOOLS = {
    "first_seen": "the pair counted first (minbpe, tiktoken's educational module)",
    "smallest_ids": "the smallest IDs (Hugging Face tokenizers, rustbpe)",
    "largest_pair": "the largest pair (subword-nmt)",
    "sentencepiece": "the shorter piece, then the smaller string (SentencePiece)",
}


def write_word(out: Output, explained: WordExplanation, model: Model, *, color: bool) -> None:
    """Write the steps of a word, two lines each."""
    out.write(f"{plain(explained.word)}, with {merges(explained.prefix)}:\n")
    for step in explained.steps:
        shown = [token_with_id(symbol, model.token_id(symbol), color=color) for symbol in step.symbols]
        listed = ", ".join(f"{_pair(pair.left, pair.right)} {pair.rank}" for pair in step.candidates)
        why = f"; at several places, the leftmost (symbol {step.chosen.place})" if step.is_tied else ""
        out.write(f"  {' '.join(shown)}\n")
        pair = _pair(step.chosen.left, step.chosen.right)
        out.write(f"    ranks: {listed}; lowest: {pair}{why}\n")
    ended = zip(explained.tokens, explained.ids, strict=True)
    out.write(f"  {' '.join(token_with_id(token, token_id, color=color) for token, token_id in ended)}\n")
    out.write("    no two neighbours are among the merges\n")


def write_token(out: Output, tree: TokenTree, alone: tuple[str, ...], *, as_json: bool, color: bool) -> None:
    """Write how a token is made; `alone` is what it is cut into where it stands alone."""
    if as_json:
        out.write(json_line(asdict(tree) | {"alone": alone}))
        return
    out.write(drawn(tree, color=color))
    if len(alone) > 1:
        out.write(f"no text gives it: it is cut into {' '.join(map(plain, alone))}\n")


def drawn(tree: TokenTree, *, color: bool) -> str:
    """Return the tree as lines, parts indented under what they make."""
    lines: list[str] = []
    stack: list[tuple[int, str, str]] = [(0, "", "")]
    while stack:
        place, lead, below = stack.pop()
        node = tree.nodes[place]
        made = "base alphabet" if node.rank is None else f"merge {node.rank}"
        lines.append(f"{lead}{token_with_id(node.token, node.id, color=color)}  {made}\n")
        if node.left is not None and node.right is not None:
            stack.append((node.right, f"{below}└─ ", f"{below}   "))
            stack.append((node.left, f"{below}├─ ", f"{below}│  "))
    return "".join(lines)


def write_choice(out: Output, choice: Choice, rank: int) -> None:
    """Write why a merge was chosen."""
    chosen = choice.chosen
    out.write(f"merge {rank}: {_pair(chosen.left, chosen.right)}, frequency {chosen.frequency:,}\n")
    if choice.tied_count == 1:
        after = choice.runner_up
        out.write(
            "  alone at the top" + (f"; next {_pair(after.left, after.right)}, {after.frequency:,}" if after else "")
        )
        out.write("\n")
    else:
        listed = ", ".join(_pair(pair.left, pair.right) for pair in choice.tied)
        more = choice.tied_count - len(choice.tied)
        out.write(f"  tied: {choice.tied_count:,} pairs: {listed}{f' and {more:,} more' if more else ''}\n")
        out.write(f"  decided by the {choice.decided_by} symbols of the first two (T4): {_difference(choice)}\n")
    for other in choice.others:
        said = "the same" if other.is_ours else _pair(other.pair.left, other.pair.right)
        out.write(f"  {_OTHER_TOOLS[other.rule]}: {said}\n")


def _difference(choice: Choice) -> str:
    difference, second = choice.difference, choice.tied[1]
    assert difference is not None
    assert choice.decided_by != "frequency"
    smaller, larger = (getattr(pair, choice.decided_by) for pair in (choice.chosen, second))
    if difference.smaller is None:
        return f"{plain(smaller)} is the beginning of {plain(larger)}, and so the smaller"
    return f"{plain(smaller)} < {plain(larger)}, since {_point(difference.smaller)} < {_point(difference.larger)}"


def _point(code_point: str) -> str:
    return f"{plain(code_point)} (U+{ord(code_point):04X})"


def write_life(out: Output, life: WordLife, model: Model, *, in_corpus: bool, as_json: bool, color: bool) -> None:
    """Write every change of a word, and what it left behind."""
    changes = life.all_changes()
    pieces = life.left_behind()
    if as_json:
        fields: dict[str, object] = {"word": life.word, "count": life.count if in_corpus else None}
        fields |= {"whole_at": life.whole_at, "changes": [asdict(change) for change in changes]}
        told = [asdict(piece) | ({} if in_corpus else {"corpus_count": None}) for piece in pieces]
        out.write(json_line(fields | {"left_behind": told}))
        return
    occurs = f", {life.count:,} times in the texts" if in_corpus else ""
    whole = "never whole" if life.whole_at is None else f"one token from {merges(life.whole_at)} on"
    out.write(f"{plain(life.word)}{occurs}: {whole}\n")
    for change in changes:
        tokens = " ".join(token_with_id(token, model.token_id(token), color=color) for token in change.tokens)
        by = "" if change.merge is None else f"  ({_pair(change.merge.left, change.merge.right)})"
        out.write(f"  {change.prefix}: {tokens}{by}\n")
    for piece in pieces:
        still = f"; in the texts {piece.corpus_count:,} times with all merges" if in_corpus else ""
        out.write(f"  left behind: {plain(piece.token)}, from {piece.first} to {piece.last}{still}\n")


def _pair(left: str, right: str) -> str:
    return f"{plain(left)}+{plain(right)}"


def merges(count: int) -> str:
    """Return a number of merges in words."""
    return f"{count:,} merge{'' if count == 1 else 's'}"
