"""Which merges a training can have learned, whichever corpus it had: the laws that need no numbers.

Each follows from the rules alone, so a file that breaks one was not written by a training. `trained_numbers` has those
about frequencies and counts.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pairloom.errors import InvalidMerge, ModelError
from pairloom.merges import Merge
from pairloom.model import Model
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.unicode_data import LOWERCASE, MARKER


def check_trained_merges(model: Model) -> None:
    """Raise unless alphabet and merges can come from training.

    Rules: N1, P1–P4, T1, T8, T10.

    Raises:
        ModelError, InvalidMerge: `where` is the entry of the alphabet that does not fit, or the merge.

    Cost: linear in the merges, times the depth of their symbols.
    """
    _check_alphabet(model)
    insides = Insides()
    for merge in model.merges:
        if not merge.is_new:
            raise InvalidMerge(rank=merge.rank, reason="training makes no symbol twice")
        if MARKER in merge.right:
            raise InvalidMerge(rank=merge.rank, reason="the marker ▁ stands only at the start of a word")
        if not is_inside_a_pre_token(merge.result, model.pre_tokenizer):
            raise InvalidMerge(rank=merge.rank, reason="the pre-tokenizer would have cut between its two parts")
        if not insides.are_left_side_by_side(merge):
            raise InvalidMerge(rank=merge.rank, reason="the merges before it never leave its two parts side by side")
        insides.add(merge)


def _check_alphabet(model: Model) -> None:
    if set(model.alphabet) <= {MARKER}:
        raise ModelError(reason="must hold a code point of a word: a corpus has at least one", where="alphabet")
    if not model.lowercase:
        return
    for place, entry in enumerate(model.alphabet):
        if ord(entry) in LOWERCASE:
            raise ModelError(reason="must be lower-case, as all that the model sees", where=f"alphabet[{place}]")


def is_inside_a_pre_token(symbol: str, pre_tokenizer: str) -> bool:
    """Whether no pre-token ends within the symbol. Rules: P2, P4."""
    if pre_tokenizer == "whitespace":
        return True
    if symbol.startswith(MARKER):
        return len(pre_tokenize(symbol[1:], pre_tokenizer)) == 1
    # Elsewhere marks at its beginning take the class of whatever stood before them: of a letter, or of anything else.
    return any(len(pre_tokenize(before + symbol, pre_tokenizer)) == 1 for before in ("a", "!"))


@dataclass(slots=True)
class Insides:
    """How the symbols made so far are made: what tells which two of them can ever stand side by side.

    Attributes:
        ranks: per pair the rank of its merge.
        made: per symbol that a merge made the rank of it and its two parts.
    """

    ranks: dict[tuple[str, str], int] = field(default_factory=dict)
    made: dict[str, tuple[int, str, str]] = field(default_factory=dict)

    def add(self, merge: Merge) -> None:
        """Take in the next merge, for which `are_left_side_by_side` holds."""
        self.ranks[merge.left, merge.right] = merge.rank
        self.made[merge.result] = (merge.rank, merge.left, merge.right)

    def are_left_side_by_side(self, merge: Merge) -> bool:
        """Whether the earlier merges, working on the result of this one, leave exactly its two parts.

        As long as the outer boundaries of a string stand, its inside is segmented alike wherever it is (T8), so for a
        pair that is somewhere side by side this holds. Nothing but a merge across the boundary could prevent it. The
        boundary is therefore followed back in time: whichever neighbour was made last is taken apart, and each pair
        across is looked up. It would have been merged if its rank is below that of the neighbour just taken apart, or,
        at the left end of the right one, the same: of equal pairs that overlap the left one is replaced (T5).
        """
        left, right, limit = merge.left, merge.right, merge.rank
        while True:
            across = self.ranks.get((left, right))
            if across is not None and across < limit:
                return False
            left_made, right_made = self.made.get(left), self.made.get(right)
            if left_made is not None and (right_made is None or left_made[0] > right_made[0]):
                limit, left = left_made[0], left_made[2]
            elif right_made is not None:
                limit, right = right_made[0] + 1, right_made[1]
            else:
                return True
