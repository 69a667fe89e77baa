"""What a training went through: any prefix of it, without replaying.

For each distinct word there is one integer per inner boundary: the running maximum of the ranks merged so far when that
boundary vanished. Encoding with a prefix of k merges makes the same merges in the same order as encoding with all of
them, up to the first one of rank k or more. So at prefix k the word is cut exactly where that number is at least k.

One pass over those numbers gives the corpus tokens of every prefix. Pair counts at a prefix are the counts at the start
plus one change per merge.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import accumulate, islice, pairwise
from math import inf

from pairloom.checks import check_at_least
from pairloom.encoder import Encoding, join_words
from pairloom.errors import SettingError, WorkUnfinished
from pairloom.kernel import MergedWord, MergeTable
from pairloom.model import Model
from pairloom.normalizer import NormalizedText, normalize_with_places
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.word_counts import WordCounts

Pair = tuple[str, str]

# Into so many stretches the prefixes are cut; a snapshot of the pair counts stands at each end of a stretch.
_SNAPSHOTS = 6

# Code points handled between two looks at the budget: a fraction of a millisecond.
_STRIDE = 1000


@dataclass(frozen=True, slots=True, eq=False)
class History:
    """The prefixes of a model on a table of word counts; make it with `History.of` or a `HistoryBuilder`.

    Attributes:
        model: the model, trained or imported.
        word_counts: the words with their counts.
        token_counts: corpus tokens at every prefix from 0 to all merges, weighted (T7).
    """

    model: Model
    word_counts: WordCounts
    token_counts: Sequence[int]
    _boundaries: Mapping[str, Sequence[int]]
    # Pair counts at a few prefixes, and what each merge changes in them.
    _snapshots: Mapping[int, Mapping[Pair, int]]
    _changes: Sequence[Mapping[Pair, int]]

    @classmethod
    def of(cls, word_counts: WordCounts, model: Model) -> History:
        """Return the history of `model` on `word_counts`, which need not be what it was trained on.

        Raises:
            SettingError: the settings of the word counts are not the model's.

        Cost: about that of encoding every distinct word once.
        """
        builder = HistoryBuilder(word_counts, model)
        builder.run()
        return builder.history()

    def boundaries(self, word: str) -> Sequence[int]:
        """Return one number per inner boundary of a word of the corpus, the first after its first code point.

        At prefix k the word is cut where the number is at least k; the number of merges means never merged.

        Raises:
            KeyError: the corpus does not have the word.
        """
        return self._boundaries[word]

    def segment(self, word: str, prefix: int | None = None) -> tuple[str, ...]:
        """Return the tokens of a word of the corpus at a prefix. Raises: KeyError, PrefixError."""
        return _cut_at(word, self._boundaries[word], self.model.check_prefix(prefix))

    def segments(self, prefix: int | None = None) -> Iterator[tuple[str, tuple[str, ...], int]]:
        """Return an iterator over (word, its tokens at a prefix, its count). Raises: PrefixError."""
        checked = self.model.check_prefix(prefix)
        return (
            (word, _cut_at(word, self._boundaries[word], checked), count)
            for word, count in self.word_counts.counts.items()
        )

    def pair_counts(self, prefix: int | None = None) -> dict[Pair, int]:
        """Return the frequency of every pair that stands in the corpus at a prefix (T2). Raises: PrefixError."""
        checked = self.model.check_prefix(prefix)
        nearest = min(self._snapshots, key=lambda snapshot: abs(snapshot - checked))
        counts = dict(self._snapshots[nearest])
        if nearest <= checked:
            for change in self._changes[nearest:checked]:
                _apply(change, 1, counts)
        else:
            for change in reversed(self._changes[checked:nearest]):
                _apply(change, -1, counts)
        return counts

    def changes(self, rank: int) -> Mapping[Pair, int]:
        """Return what the merge of a rank changes in the frequencies of pairs; some changes are 0."""
        return self._changes[rank]

    def top_pairs(self, prefix: int | None = None, limit: int = 12) -> list[tuple[Pair, int]]:
        """Return the `limit` most frequent pairs at a prefix with their frequency, in T4's order.

        Raises:
            PrefixError; SettingError: the limit is no whole number of at least 0.
        """
        return nsmallest(check_at_least("limit", limit, minimum=0), self.pair_counts(prefix).items(), key=_by_rule)

    @property
    def estimated_bytes(self) -> int:
        """What it keeps in memory beside the model and the words, about. Cost: linear in the merges.

        Measured: some 80 bytes a change of a pair, 60 a pair in a snapshot, 8 a boundary.
        """
        changes = sum(map(len, self._changes))
        counted = sum(map(len, self._snapshots.values()))
        return 100 * len(self._changes) + 80 * changes + 60 * counted + 8 * sum(map(len, self._boundaries))


def _apply(change: Mapping[Pair, int], sign: int, counts: dict[Pair, int]) -> None:
    """Add a change to pair counts, or take it back; a pair at 0 stands nowhere and is not listed."""
    for pair, difference in change.items():
        if now := counts.get(pair, 0) + sign * difference:
            counts[pair] = now
        else:
            counts.pop(pair, None)


def _by_rule(counted: tuple[Pair, int]) -> tuple[int, Pair]:
    pair, frequency = counted
    return -frequency, pair


class HistoryBuilder:
    """Builds a history in portions, for those who must not be away for long.

    Args:
        word_counts: the corpus.
        model: trained or imported, with the settings of `word_counts`.

    Raises:
        SettingError: the settings differ.
    """

    def __init__(self, word_counts: WordCounts, model: Model) -> None:
        if not isinstance(word_counts, WordCounts):
            raise SettingError(setting="word_counts", value=word_counts, allowed="what count_words returns")
        for setting in ("lowercase", "pre_tokenizer", "marker"):
            own, models = getattr(word_counts, setting), getattr(model, setting)
            if own != models:
                raise SettingError(setting=setting, value=own, allowed=f"word counts made with the model's, {models!r}")
        self.operations = 0
        self._is_done = False
        self._model = model
        self._word_counts = word_counts
        self._boundaries: dict[str, Sequence[int]] = {}
        self._first_pairs: defaultdict[Pair, int] = defaultdict(int)
        self._snapshots: dict[int, Mapping[Pair, int]] = {}
        self._changes: list[defaultdict[Pair, int]] = [defaultdict(int) for _ in model.merges]
        # How many tokens less, from one prefix to the next.
        self._fewer = [0] * len(model.merges)
        self._pause_at: float = 0
        self._work = self._all_work()

    def run(self, *, max_operations: int | None = None) -> bool:
        """Do a portion of the work, about `max_operations` code points; return whether all is done.

        Raises:
            WorkUnfinished: an exception (Ctrl-C, no memory) broke into an earlier portion.
            SettingError: `max_operations` is no whole number of at least 1.
        """
        if max_operations is None:
            self._pause_at = inf
        else:
            self._pause_at = self.operations + check_at_least("max_operations", max_operations, minimum=1)
        for _ in self._work:
            return False
        if not self._is_done:
            raise WorkUnfinished(work="history", reason="interrupted")
        return True

    def history(self) -> History:
        """Return the history. Raises: WorkUnfinished, unless `run` has returned True."""
        if not self._is_done:
            raise WorkUnfinished(work="history", reason="not_done")
        first = sum(count * len(word) for word, count in self._word_counts.counts.items())
        return History(
            model=self._model,
            word_counts=self._word_counts,
            token_counts=tuple(accumulate(self._fewer, int.__sub__, initial=first)),
            _boundaries=self._boundaries,
            _snapshots=self._snapshots,
            _changes=self._changes,
        )

    def _all_work(self) -> Iterator[None]:
        """Yield where the budget is used up."""
        yield from self._add_words()
        yield from self._take_snapshots()
        self._is_done = True

    def _take_snapshots(self) -> Iterator[None]:
        """Keep the pair counts of a few prefixes, so that any other one is a few hundred changes away."""
        last = len(self._changes)
        wanted = {last * part // _SNAPSHOTS for part in range(_SNAPSHOTS + 1)}
        counts: dict[Pair, int] = dict(self._first_pairs)
        self._first_pairs.clear()
        yield from self._keep(0, counts)
        for prefix, change in enumerate(self._changes, 1):
            _apply(change, 1, counts)
            if prefix in wanted:
                yield from self._keep(prefix, counts)
            self.operations += len(change)
            if self.operations >= self._pause_at:
                yield

    def _keep(self, prefix: int, counts: dict[Pair, int]) -> Iterator[None]:
        # Copying an entry takes a tenth of the time of an operation.
        self.operations += len(counts) // 10
        if self.operations >= self._pause_at:
            yield
        self._snapshots[prefix] = dict(counts)

    def _add_words(self) -> Iterator[None]:
        table, prefix = self._model.merge_table, len(self._model.merges)
        for word, count in self._word_counts.counts.items():
            if len(word) <= _STRIDE:
                merged = table.merge(word, prefix=prefix)
                self._boundaries[word] = numbers = _boundaries(word, merged, never=prefix)
                self.operations += 4 * len(word)
            else:
                merged = yield from self._merged_in_portions(table, word, prefix)
                self._boundaries[word] = numbers = yield from self._boundaries_in_portions(word, merged, never=prefix)
            for number in numbers:
                if number < prefix:
                    self._fewer[number] += count
            yield from self._add_pairs(word, merged, count)
            if self.operations >= self._pause_at:
                yield

    def _merged_in_portions(self, table: MergeTable, word: str, prefix: int) -> Generator[None, None, MergedWord]:
        if not hasattr(table, "merge_in_portions"):
            # A kernel that takes a long word in a few milliseconds has no need of it.
            return table.merge(word, prefix=prefix)
        portions = table.merge_in_portions(word, prefix=prefix)
        while True:
            try:
                self.operations += next(portions)
            except StopIteration as end:
                merged: MergedWord = end.value
                return merged
            if self.operations >= self._pause_at:
                yield

    def _boundaries_in_portions(
        self, word: str, merged: MergedWord, *, never: int
    ) -> Generator[None, None, tuple[int, ...]]:
        numbers = [never] * (len(word) - 1)
        highest = 0
        steps = iter(merged.steps)
        while stride := list(islice(steps, _STRIDE)):
            highest = _note(stride, numbers, highest)
            self.operations += len(stride)
            if self.operations >= self._pause_at:
                yield
        return tuple(numbers)

    def _add_pairs(self, word: str, merged: MergedWord, count: int) -> Iterator[None]:
        """Add a word's pairs at the start, and what each of its merges changes in them.

        The sums are exact although merges are looked at one occurrence at a time: what one occurrence adds between
        itself and the next, that one takes away again.
        """
        pairs = pairwise(word)
        for _ in range(0, len(word), _STRIDE):
            for pair in islice(pairs, _STRIDE):
                self._first_pairs[pair] += count
            self.operations += min(len(word), _STRIDE) // 2
            if self.operations >= self._pause_at:
                yield
        merges = self._model.merges
        # An empty string stands for no symbol: in front, at the end, and where one was swallowed.
        symbols = [*word, ""]
        following = list(range(1, len(symbols) + 1))
        preceding = list(range(-1, len(symbols) - 1))
        highest = 0
        for place, rank in merged.steps:
            highest = max(highest, rank)
            change = self._changes[highest]
            start = preceding[place]
            left, right, result = symbols[start], symbols[place], merges[rank].result
            after = following[place]
            before = preceding[start]
            change[left, right] -= count
            if before >= 0:
                change[symbols[before], left] -= count
                change[symbols[before], result] += count
            if neighbour := symbols[after]:
                change[right, neighbour] -= count
                change[result, neighbour] += count
            symbols[start], symbols[place] = result, ""
            following[start], preceding[after] = after, start
            self.operations += 1
            if self.operations >= self._pause_at:
                yield


@dataclass(frozen=True, slots=True, eq=False)
class TextHistory:
    """The encodings of one text at every prefix; make it with `TextHistory.of`.

    Attributes:
        model: the model.
        token_counts: tokens of the text at every prefix from 0 to all merges.
    """

    model: Model
    token_counts: Sequence[int]
    _placed: NormalizedText
    _words: Sequence[str]
    _boundaries: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, text: str, model: Model) -> TextHistory:
        """Return the history of a text under `model`. Raises: NotText, ForbiddenCodePoint."""
        placed = normalize_with_places(text, lowercase=model.lowercase)
        words = pre_tokenize(placed.text, model.pre_tokenizer, marker=model.marker)
        prefix = len(model.merges)
        boundaries: dict[str, Sequence[int]] = {}
        fewer = [0] * prefix
        for word, count in Counter(words).items():
            boundaries[word] = numbers = _boundaries(word, model.merge_table.merge(word, prefix=prefix), never=prefix)
            for number in numbers:
                if number < prefix:
                    fewer[number] += count
        token_counts = tuple(accumulate(fewer, int.__sub__, initial=sum(map(len, words))))
        return cls(model, token_counts, placed, words, boundaries)

    def encoding(self, prefix: int | None = None) -> Encoding:
        """Return what `model.encode(text, prefix)` returns. Raises: PrefixError."""
        checked = self.model.check_prefix(prefix)
        split = {word: _cut_at(word, numbers, checked) for word, numbers in self._boundaries.items()}
        return join_words(self.model, self._placed, [split[word] for word in self._words])

    @property
    def estimated_bytes(self) -> int:
        """What it keeps in memory beside the model, about: numbers per merge and code point, strings per word."""
        # Where nothing moved, the places are two ranges; else two lists of numbers.
        per_code_point = 12 if isinstance(self._placed.starts, range) else 84
        return (
            1_000
            + 36 * len(self.token_counts)
            + per_code_point * len(self._placed.text)
            + 8 * len(self._words)
            + 280 * len(self._boundaries)
        )


def _boundaries(word: str, merged: MergedWord, *, never: int) -> tuple[int, ...]:
    numbers = [never] * (len(word) - 1)
    _note(merged.steps, numbers, 0)
    return tuple(numbers)


def _note(steps: Sequence[tuple[int, int]], numbers: list[int], highest: int) -> int:
    """Enter the boundaries that some steps take away; return the highest rank so far."""
    for start, rank in steps:
        highest = max(highest, rank)
        numbers[start - 1] = highest
    return highest


def _cut_at(word: str, numbers: Sequence[int], prefix: int) -> tuple[str, ...]:
    tokens: list[str] = []
    start = 0
    for place, number in enumerate(numbers, 1):
        if number >= prefix:
            tokens.append(word[start:place])
            start = place
    tokens.append(word[start:])
    return tuple(tokens)
