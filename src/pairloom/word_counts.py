"""Texts → word counts: each distinct pre-token and how often it occurs. Training reads nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from pairloom import kernel
from pairloom.checks import MAX_COUNT, MAX_THREADS, check_flag, check_is_text, check_within, whole_number
from pairloom.errors import CountError, CountOverflow, NotText, SettingError
from pairloom.pre_tokenizer import check_pre_tokenizer, pre_tokenize
from pairloom.unicode_data import LOWERCASE, MARKER, WHITESPACE, is_mark
from pairloom.values import KW_ONLY, dataclass

# As in `pairloom`: loading `typing` takes longer.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import BinaryIO

    from pairloom.left_out import LeftOut

NEVER_IN_A_WORD = re.compile(f"[{WHITESPACE}\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class WordCounts:
    """Distinct pre-tokens with their counts, and the settings that they were made with.

    Rule: P3. With `marker` on, the keys carry the markers themselves (`▁hug`), so that the pieces of a word that
    follow its first one (P2) can be told apart; with it off, no key has one. Keys are kept in the order given; the
    order never changes a result.

    Raises:
        CountError: a key that no text with these settings can give, or a count that is no whole number of at least 1.
        CountOverflow: more than 2**63 - 1 tokens.
    """

    counts: Mapping[str, int]
    _: KW_ONLY
    lowercase: bool = False
    pre_tokenizer: str = "whitespace"
    marker: bool = True

    def __post_init__(self) -> None:
        check_flag("lowercase", self.lowercase)
        check_flag("marker", self.marker)
        check_pre_tokenizer(self.pre_tokenizer)
        if not isinstance(self.counts, Mapping):
            raise SettingError(setting="counts", value=self.counts, allowed="a mapping of words to whole numbers")
        # A private copy behind a read-only view: the table must not change while a trainer works on it.
        counts = {word: self._checked_count(word, count) for word, count in self.counts.items()}
        _check_total(counts)
        object.__setattr__(self, "counts", MappingProxyType(counts))

    def _checked_count(self, word: object, given: object) -> int:
        """Return the count as an `int`, or refuse the word or the count."""
        count = whole_number(given)

        def refuse(reason: str) -> CountError:
            return CountError(word=word, count=given, reason=reason)

        if not isinstance(word, str):
            raise refuse("words are str")
        if count is None or count < 1:
            raise refuse("counts are whole numbers of at least 1")
        bare = word[1:] if self.marker and word.startswith(MARKER) else word
        if not bare:
            raise refuse("a word has at least one code point")
        if MARKER in bare:
            raise refuse("the marker ▁ stands only at the front of a word, and only in a table that carries markers")
        if NEVER_IN_A_WORD.search(bare):
            raise refuse("a word holds neither whitespace nor surrogates")
        if self.lowercase and bare.translate(LOWERCASE) != bare:
            raise refuse("with lowercase on, words are lower-case already")
        if self.pre_tokenizer != "whitespace":
            if len(pre_tokenize(bare, self.pre_tokenizer)) > 1:
                raise refuse(f"the pre-tokenizer {self.pre_tokenizer!r} would split it")
            if self.marker and bare is word and (is_mark(ord(word[0])) or word[0] in "\u200c\u200d"):
                raise refuse("a piece that follows another one does not begin with a mark or a joiner")
        elif self.marker and bare is word:
            raise refuse("in a table that carries markers every word of the whitespace pre-tokenizer has one")
        return count

    def __len__(self) -> int:
        """Return the number of distinct pre-tokens."""
        return len(self.counts)

    @property
    def left_out(self) -> LeftOut | None:
        """What the counts lack on purpose; None if nothing is known to be missing. Those of a corpus may say more."""
        return None

    @property
    def total(self) -> int:
        """The number of pre-tokens, repetitions included."""
        return sum(self.counts.values())

    def __reduce__(self) -> tuple[object, ...]:
        # A MappingProxyType does not pickle; word counts travel between processes.
        return (_restored, (dict(self.counts.items()), self.lowercase, self.pre_tokenizer, self.marker))


def count_words(
    texts: str | Iterable[str], *, lowercase: bool = False, pre_tokenizer: str = "whitespace", threads: int = 1
) -> WordCounts:
    """Return the word counts of one text, or of several texts each on its own.

    Rules: N1–N8, P1, P2, T10 (words do not run across texts; errors name the text). An empty result is no error here:
    training refuses it.

    Args:
        texts: a `str`, or an iterable of `str` that is read once.
        threads: as for `WordCounter`, which also takes files and buffers.

    Raises:
        NotText, ForbiddenCodePoint (`text_index` says which text), SettingError.

    Cost: linear in time; memory in proportion to the longest text and the distinct words.
    """
    counter = WordCounter(lowercase=lowercase, pre_tokenizer=pre_tokenizer, threads=threads)
    for text, text_index in _each_text(texts):
        counter.add(text, text_index=text_index)
    return counter.word_counts()


class WordCounter:
    """Counts the words of texts one after the other, as `str` or as UTF-8 in files and buffers.

    Rules: N1–N8, P1, P2, T10 (each text on its own). The result does not depend on `threads` (T9).

    After an error nothing more is counted, and there is no result: never that of a part.

    Args:
        lowercase, pre_tokenizer: the settings of the model.
        threads: how many threads count at a time; of use for large texts with the compiled kernel only.

    Raises:
        SettingError.

    >>> counter = WordCounter()
    >>> counter.add("low low")
    >>> counter.add_utf8(b"lower")
    >>> dict(counter.word_counts().counts)
    {'▁low': 2, '▁lower': 1}
    """

    def __init__(self, *, lowercase: bool = False, pre_tokenizer: str = "whitespace", threads: int = 1) -> None:
        check_flag("lowercase", lowercase)
        check_pre_tokenizer(pre_tokenizer)
        self._lowercase = lowercase
        self._pre_tokenizer = pre_tokenizer
        self._counter = kernel.WordCounter(
            lowercase=lowercase,
            punctuation=pre_tokenizer == "punctuation",
            threads=check_within("threads", threads, minimum=1, maximum=MAX_THREADS),
        )

    def add(self, text: str, *, text_index: int | None = None) -> None:
        """Count the words of a text.

        Args:
            text: a `str`.
            text_index: which of several texts it is, for errors.

        Raises:
            NotText, ForbiddenCodePoint, WorkUnfinished (after an error).
        """
        check_is_text(text, text_index=text_index)
        self._counter.add_text(text, text_index)

    def add_utf8(
        self, source: BinaryIO | bytes | bytearray | memoryview, *, name: str = "<bytes>", by_line: bool = False
    ) -> None:
        """Count the words of strict UTF-8, all of it as one text, or each line as one.

        Args:
            source: a binary file, read by block from where it stands to its end, or a buffer.
            name: what errors call it.
            by_line: whether each line is a text of its own. Its line feed is whitespace, so this changes no count, only
                what errors name.

        Raises:
            InvalidUtf8: `byte_offset` counts from where reading began. What is no UTF-8 is no text, so this error
                comes before all others of the same text.
            ForbiddenCodePoint: `position` counts from the text's start; `by_line`, `text_index` is its line, from 0.
            WorkUnfinished: after an error.
            OSError: what reading raises.

        Cost: linear in time; memory in proportion to the distinct words with the compiled kernel, to the text without.
        """
        if isinstance(source, (bytes, bytearray, memoryview)):
            self._counter.add_bytes(source, name, by_line=by_line)
        else:
            self._counter.add_file(source, name, by_line=by_line)

    def word_counts(self) -> WordCounts:
        """Return what was counted, and close the counter. Raises: WorkUnfinished (after an error, or called twice)."""
        counts = self._counter.finish()
        return trusted_word_counts(counts, lowercase=self._lowercase, pre_tokenizer=self._pre_tokenizer)


def trusted_word_counts(counts: Mapping[str, int], *, lowercase: bool, pre_tokenizer: str) -> WordCounts:
    """Return word counts that our own pre-tokenizer made, markers in place, without checking every key again.

    A `dict` is copied behind a read-only view; what is none is taken to be read-only, like a kernel's table.
    """
    made = object.__new__(WordCounts)
    for name, value in (
        ("counts", MappingProxyType(dict(counts)) if isinstance(counts, dict) else counts),
        ("lowercase", lowercase),
        ("pre_tokenizer", pre_tokenizer),
        ("marker", True),
    ):
        object.__setattr__(made, name, value)
    return made


def with_markers(counts: Mapping[str, int], *, lowercase: bool, pre_tokenizer: str, marker: bool) -> WordCounts:
    """Return the table of a plain mapping without markers: put in front of each key if `marker`. Rule: P3.

    Raises:
        CountError: also for a key that has a marker already; make a `WordCounts` for such a table.
    """
    check_flag("marker", marker)
    bare = WordCounts(counts, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=False)
    if not marker:
        return bare
    marked = {MARKER + word: count for word, count in bare.counts.items()}
    _check_total(marked)
    return trusted_word_counts(marked, lowercase=lowercase, pre_tokenizer=pre_tokenizer)


def _each_text(texts: str | Iterable[str]) -> Iterator[tuple[str, int | None]]:
    if isinstance(texts, str):
        yield texts, None
        return
    if isinstance(texts, (bytes, bytearray, memoryview)) or not isinstance(texts, Iterable):
        raise NotText(type_name=type(texts).__name__)
    for text_index, text in enumerate(texts):
        check_is_text(text, text_index=text_index)
        yield text, text_index


def _restored(counts: dict[str, int], lowercase: bool, pre_tokenizer: str, marker: bool) -> WordCounts:  # noqa: FBT001  # pickle calls by position
    return WordCounts(counts, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=marker)


def _check_total(counts: Mapping[str, int]) -> None:
    """Raise CountOverflow where the tokens at prefix 0 are too many: no later count is ever larger."""
    tokens = 0
    for word, count in counts.items():
        tokens += len(word) * count
        if tokens > MAX_COUNT:
            raise CountOverflow(word=word, count=count)
