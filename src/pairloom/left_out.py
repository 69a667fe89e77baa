"""What a count leaves out of a corpus on purpose: its numbers are then not those of the whole corpus."""

from __future__ import annotations

from pairloom.checks import check_at_least
from pairloom.errors import SettingError
from pairloom.values import KW_ONLY, dataclass
from pairloom.word_counts import WordCounts

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What is missing in word counts, and so in what a training measures; the model file records it.

    Attributes:
        sample: the part of the texts that was counted, above 0 and up to 1.
        min_word_count: words that occur less often than so many times are left out; 1 leaves none out.
        skipped_texts: how many texts were left out because they cannot be taken.

    Raises:
        SettingError: one of them is no such number.

    >>> LeftOut(min_word_count=5)
    LeftOut(sample=1.0, min_word_count=5, skipped_texts=0)
    """

    _: KW_ONLY
    sample: float = 1.0
    min_word_count: int = 1
    skipped_texts: int = 0

    def __post_init__(self) -> None:
        given: object = self.sample
        # NaN is in no range.
        if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 < given <= 1:
            raise SettingError(setting="sample", value=self.sample, allowed="a number above 0, up to 1")
        check_at_least("min_word_count", self.min_word_count, minimum=1)
        check_at_least("skipped_texts", self.skipped_texts, minimum=0)


class PartialCounts(WordCounts):
    """Word counts that know what they lack. Equal to any `WordCounts` that says the same."""

    __slots__ = ("_left_out",)

    _left_out: LeftOut

    @property
    def left_out(self) -> LeftOut | None:
        """What the counts lack on purpose."""
        return self._left_out

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WordCounts):
            return NotImplemented
        names = ("counts", "lowercase", "pre_tokenizer", "marker", "left_out")
        return all(getattr(self, name) == getattr(other, name) for name in names)

    __hash__ = None  # type: ignore[assignment]  # as that of every mapping

    def __reduce__(self) -> tuple[object, ...]:
        settings = {"lowercase": self.lowercase, "pre_tokenizer": self.pre_tokenizer, "marker": self.marker}
        return (_restored, (dict(self.counts.items()), settings, self._left_out))


def with_record(counts: WordCounts, left_out: LeftOut | None) -> WordCounts:
    """Return word counts that know what they lack; the same ones where that is nothing."""
    if left_out is None:
        return counts
    made: WordCounts = copied(counts, PartialCounts, _left_out=left_out)
    return made


def copied(counts: WordCounts, kind: type[WordCounts], **more: object) -> Any:
    """Return word counts that were checked already as of another kind, with what that has beside."""
    made = object.__new__(kind)
    for name in ("counts", "lowercase", "pre_tokenizer", "marker"):
        object.__setattr__(made, name, getattr(counts, name))
    for name, value in more.items():
        object.__setattr__(made, name, value)
    return made


def _restored(counts: dict[str, int], settings: dict[str, Any], left_out: LeftOut) -> WordCounts:
    return with_record(WordCounts(counts, **settings), left_out)
