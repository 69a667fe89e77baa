"""Two models side by side: the first merge in which they differ, and one text as each of them cuts it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pairloom.encoder import Encoding
from pairloom.merges import Merge
from pairloom.model import Model

_SETTINGS = ("lowercase", "pre_tokenizer", "marker", "min_frequency")


@dataclass(frozen=True, slots=True)
class DifferentSetting:
    """A setting that the two models do not share."""

    name: str
    left: object
    right: object


@dataclass(frozen=True, slots=True)
class ModelDifference:
    """What differs between two models.

    Attributes:
        is_same: whether they encode every text alike: their fingerprints are equal.
        settings: those that differ.
        only_left_alphabet, only_right_alphabet: code points that only one knows.
        same_merges: how many merges they share from rank 0 on.
        left_merges, right_merges: how many each has.
        left_merge, right_merge: what each has at the rank `same_merges`; None where it has no more merges.
        only_left, only_right: merged tokens that only one has, in the order of their making.
        other_ids: tokens that both have, with another ID in each.
    """

    is_same: bool
    settings: tuple[DifferentSetting, ...]
    only_left_alphabet: tuple[str, ...]
    only_right_alphabet: tuple[str, ...]
    same_merges: int
    left_merges: int
    right_merges: int
    left_merge: Merge | None
    right_merge: Merge | None
    only_left: tuple[str, ...]
    only_right: tuple[str, ...]
    other_ids: int

    @classmethod
    def of(cls, left: Model, right: Model) -> ModelDifference:
        """Return what differs between two models. Cost: linear in both.

        >>> from pairloom.trainer import train
        >>> found = ModelDifference.of(train("low lower"), train("low newest lower newest"))
        >>> found.same_merges, found.left_merge.result, found.right_merge.result
        (0, 'lo', 'we')
        """
        pairs = zip(left.merges, right.merges, strict=False)
        shared = min(len(left.merges), len(right.merges))
        same = next((rank for rank, (one, other) in enumerate(pairs) if _pair(one) != _pair(other)), shared)
        both = set(left.vocabulary) & set(right.vocabulary)
        return cls(
            is_same=left.fingerprint == right.fingerprint,
            settings=tuple(
                DifferentSetting(name, getattr(left, name), getattr(right, name))
                for name in _SETTINGS
                if getattr(left, name) != getattr(right, name)
            ),
            only_left_alphabet=tuple(each for each in left.alphabet if right.token_id(each) is None),
            only_right_alphabet=tuple(each for each in right.alphabet if left.token_id(each) is None),
            same_merges=same,
            left_merges=len(left.merges),
            right_merges=len(right.merges),
            left_merge=left.merges[same] if same < len(left.merges) else None,
            right_merge=right.merges[same] if same < len(right.merges) else None,
            only_left=_lacking(left, right),
            only_right=_lacking(right, left),
            other_ids=sum(left.token_id(token) != right.token_id(token) for token in both),
        )


@dataclass(frozen=True, slots=True)
class Stretch:
    """A piece of a text between two boundaries that both models have.

    Attributes:
        left, right: the tokens of each.
        start, end: its place in the raw text (E8).
    """

    left: tuple[str, ...]
    right: tuple[str, ...]
    start: int
    end: int

    @property
    def differs(self) -> bool:
        """Whether the two cut it otherwise."""
        return self.left != self.right


@dataclass(frozen=True, slots=True)
class TextDifference:
    """One text as two models cut it.

    Attributes:
        stretches: the whole text, cut where both cut.
        left_tokens, right_tokens: how many tokens each makes of it.
        left_unknown, right_unknown: how many of them have no ID (E3).
    """

    stretches: tuple[Stretch, ...]
    left_tokens: int
    right_tokens: int
    left_unknown: int
    right_unknown: int

    @classmethod
    def of(cls, left: Model, right: Model, text: str) -> TextDifference:
        """Return how two models cut a text. Raises: ForbiddenCodePoint.

        >>> from pairloom.trainer import train
        >>> found = TextDifference.of(train("low low"), train("slow slow"), "slow")
        >>> [(stretch.left, stretch.right) for stretch in found.stretches]
        [(('▁', 's', 'low'), ('▁slow',))]
        """
        one, other = left.encode(text), right.encode(text)
        return cls(
            stretches=tuple(_stretches(one, other)),
            left_tokens=len(one.tokens),
            right_tokens=len(other.tokens),
            left_unknown=one.unknown_count,
            right_unknown=other.unknown_count,
        )

    @property
    def differing(self) -> int:
        """How many stretches the two cut otherwise."""
        return sum(stretch.differs for stretch in self.stretches)


def _stretches(one: Encoding, other: Encoding) -> Iterator[Stretch]:
    """Yield pieces that end where a token of each ends. A marker alone is zero-width and ends where its word begins."""
    left, right = 0, 0
    while left < len(one.tokens) or right < len(other.tokens):
        begins = left, right
        left, right = min(left + 1, len(one.tokens)), min(right + 1, len(other.tokens))
        # Both end where the text does, so one of the two can always go on while they end at different places.
        while (ends := (one.offsets[left - 1][1], other.offsets[right - 1][1]))[0] != ends[1]:
            if ends[0] < ends[1]:
                left += 1
            else:
                right += 1
        places = [*one.offsets[begins[0] : left], *other.offsets[begins[1] : right]]
        yield Stretch(
            one.tokens[begins[0] : left],
            other.tokens[begins[1] : right],
            min(start for start, _ in places),
            max(end for _, end in places),
        )


def _pair(merge: Merge) -> tuple[str, str]:
    return merge.left, merge.right


def _lacking(having: Model, other: Model) -> tuple[str, ...]:
    results = dict.fromkeys(merge.result for merge in having.merges)
    return tuple(result for result in results if other.token_id(result) is None)
