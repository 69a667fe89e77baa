"""What counting a corpus goes by, in one value that travels to workers and stands in manifests."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from pairloom.checks import check_at_least, check_flag
from pairloom.corpus.streams import MAX_EXPANSION
from pairloom.errors import SettingError
from pairloom.pre_tokenizer import check_pre_tokenizer

ON_BAD_TEXT = ("raise", "skip")


@dataclass(frozen=True, slots=True)
class CountSettings:
    """The settings of a count.

    Attributes:
        lowercase, pre_tokenizer: of the model.
        column: the field or column with the texts.
        on_bad_text: "raise", or "skip": texts that are refused are left out, and their number told.
        sample: which part of the texts is counted, above 0, up to 1.
        max_expansion: how many times its size a compressed file may expand to.
    """

    lowercase: bool = False
    pre_tokenizer: str = "whitespace"
    column: str = "text"
    on_bad_text: str = "raise"
    sample: float = 1.0
    max_expansion: int = MAX_EXPANSION

    def __post_init__(self) -> None:
        check_flag("lowercase", self.lowercase)
        check_pre_tokenizer(self.pre_tokenizer)
        if not _is_name(self.column):
            raise SettingError(setting="column", value=self.column, allowed="the name of a field or column")
        if self.on_bad_text not in ON_BAD_TEXT:
            raise SettingError(setting="on_bad_text", value=self.on_bad_text, allowed="'raise' or 'skip'")
        if not _is_part(self.sample):
            raise SettingError(setting="sample", value=self.sample, allowed="a number above 0, up to 1")
        check_at_least("max_expansion", self.max_expansion, minimum=1)

    @property
    def by_line(self) -> bool:
        """Whether plain text is taken line by line, since single lines may be left out."""
        return self.on_bad_text == "skip" or self.sample < 1

    def as_json(self) -> dict[str, object]:
        """Return them as JSON can hold them."""
        return asdict(self)


def _is_name(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_part(value: object) -> bool:
    # NaN is in no range.
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1
