"""Everything that claims to implement the conventions, behind one face, so that one test runs on all of it.

A test marked `@on_every_implementation` is called with each of `IMPLEMENTATIONS`. What they return is brought into one
shape here (tuples, plain dicts), and so are their refusals: (kind, position).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import pytest

import pairloom
from pairloom import educational, normalizer
from pairloom.errors import EmptyCorpus, ForbiddenCodePoint, TextTooLong
from pairloom.kernel import KERNEL
from pairloom.pre_tokenizer import pre_tokenize
from pairloom.word_counts import count_words
from tests.support.kernels import KERNELS, running

T = TypeVar("T")

Pair = tuple[str, str]
# left, right, frequency, replacements, corpus tokens, ID, is new
MergeRow = tuple[str, str, int | None, int | None, int | None, int, bool]


class Refusal(Exception):  # what is compared, no fault of its own
    """What an implementation says no to: the kind, and a position or a length where there is one."""

    def __init__(self, kind: str, place: int | None = None) -> None:
        super().__init__(kind, place)


@dataclass(frozen=True, slots=True)
class Encoded:
    """One encoding, in the shape that all implementations are compared in."""

    tokens: tuple[str, ...]
    ids: tuple[int | None, ...]
    offsets: tuple[tuple[int, int], ...]
    normalized: str
    code_points: int
    unknown_count: int
    code_points_per_token: float | None


@dataclass(frozen=True, slots=True)
class Trained:
    """One model, in the shape that all implementations are compared in; its functions are not compared."""

    alphabet: tuple[str, ...]
    vocabulary: tuple[str, ...]
    merges: tuple[MergeRow, ...]
    initial_tokens: int | None
    stop_reason: str | None
    encode: Callable[[str, int | None], Encoded]
    decode: Callable[[Sequence[int]], str]

    def facts(self) -> tuple[object, ...]:
        """Everything that can be compared."""
        return (self.alphabet, self.vocabulary, self.merges, self.initial_tokens, self.stop_reason)


class Implementation(Protocol):
    """What a test may ask of an implementation."""

    @property
    def name(self) -> str: ...

    def normalize(self, text: str, *, lowercase: bool) -> str: ...

    def normalize_within(self, text: str, *, lowercase: bool, max_code_points: int) -> str: ...

    def pre_tokenize(self, normalized: str, pre_tokenizer: str, *, marker: bool) -> list[str]: ...

    def count_words(self, texts: str | Iterable[str], *, lowercase: bool, pre_tokenizer: str) -> dict[str, int]: ...

    def train(
        self,
        texts: str | Iterable[str],
        merge_limit: int,
        *,
        lowercase: bool = False,
        pre_tokenizer: str = "whitespace",
        min_frequency: int = 2,
    ) -> Trained: ...

    def train_from_word_counts(
        self, word_counts: Mapping[str, int], merge_limit: int, *, marker: bool, min_frequency: int = 2
    ) -> Trained: ...

    def from_merges(
        self,
        alphabet: Sequence[str],
        merges: Sequence[Pair],
        *,
        lowercase: bool = False,
        pre_tokenizer: str = "whitespace",
        marker: bool = True,
    ) -> Trained: ...


class Core:
    """`pairloom` itself with one of its kernels."""

    def __init__(self, kernel_name: str) -> None:
        self.name = kernel_name

    def _run(self, call: Callable[[], T]) -> T:
        with running(self.name):
            return _core(call)

    def normalize(self, text: str, *, lowercase: bool) -> str:
        return _core(lambda: pairloom.normalize(text, lowercase))

    def normalize_within(self, text: str, *, lowercase: bool, max_code_points: int) -> str:
        return _core(
            lambda: normalizer.normalize_within(
                text, lowercase=lowercase, max_code_points=max_code_points, allow_empty=False
            )
        )

    def pre_tokenize(self, normalized: str, pre_tokenizer: str, *, marker: bool) -> list[str]:
        return pre_tokenize(normalized, pre_tokenizer, marker=marker)

    def count_words(self, texts: str | Iterable[str], *, lowercase: bool, pre_tokenizer: str) -> dict[str, int]:
        counts = self._run(lambda: count_words(texts, lowercase=lowercase, pre_tokenizer=pre_tokenizer))
        if not counts:
            raise Refusal("empty_corpus")
        return dict(counts.counts)

    def train(
        self,
        texts: str | Iterable[str],
        merge_limit: int,
        *,
        lowercase: bool = False,
        pre_tokenizer: str = "whitespace",
        min_frequency: int = 2,
    ) -> Trained:
        return self._run(
            lambda: core_trained(
                pairloom.train(
                    texts,
                    merge_limit,
                    lowercase=lowercase,
                    pre_tokenizer=pre_tokenizer,
                    min_frequency=min_frequency,
                )
            )
        )

    def train_from_word_counts(
        self, word_counts: Mapping[str, int], merge_limit: int, *, marker: bool, min_frequency: int = 2
    ) -> Trained:
        return self._run(
            lambda: core_trained(
                pairloom.train_from_word_counts(word_counts, merge_limit, marker=marker, min_frequency=min_frequency)
            )
        )

    def from_merges(
        self,
        alphabet: Sequence[str],
        merges: Sequence[Pair],
        *,
        lowercase: bool = False,
        pre_tokenizer: str = "whitespace",
        marker: bool = True,
    ) -> Trained:
        return self._run(
            lambda: core_trained(
                pairloom.Model.from_merges(
                    alphabet, merges, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=marker
                )
            )
        )


def core_trained(model: pairloom.Model) -> Trained:
    """A model of the core in the shape that is compared."""

    def encode(text: str, prefix: int | None) -> Encoded:
        return core_encoded(_core(lambda: model.encode(text, prefix)))

    return Trained(
        alphabet=model.alphabet,
        vocabulary=model.vocabulary,
        merges=tuple(
            (m.left, m.right, m.frequency, m.replacements, m.corpus_tokens, m.id, m.is_new) for m in model.merges
        ),
        initial_tokens=model.initial_tokens,
        stop_reason=model.stop_reason,
        encode=encode,
        decode=model.decode,
    )


def core_encoded(encoding: pairloom.Encoding) -> Encoded:
    """An encoding of the core in the shape that is compared."""
    return Encoded(
        tokens=encoding.tokens,
        ids=encoding.ids,
        offsets=encoding.offsets,
        normalized=encoding.normalized,
        code_points=encoding.code_points,
        unknown_count=encoding.unknown_count,
        code_points_per_token=encoding.code_points_per_token,
    )


def _core(call: Callable[[], T]) -> T:
    try:
        return call()
    except ForbiddenCodePoint as error:
        raise Refusal(error.kind, error.position) from error
    except TextTooLong as error:
        raise Refusal(f"{error.stage}_too_long", error.length) from error
    except EmptyCorpus as error:
        raise Refusal("empty_corpus") from error


class Educational:
    """The literal oracle."""

    name = "educational"

    def normalize(self, text: str, *, lowercase: bool) -> str:
        return "".join(char for char, _, _ in _educational(lambda: educational.normalize(text, lowercase=lowercase)))

    def normalize_within(self, text: str, *, lowercase: bool, max_code_points: int) -> str:
        """The order of N8, said once more and literally."""
        if len(text) > max_code_points:
            raise Refusal("raw_too_long", len(text))
        normalized = self.normalize(text, lowercase=lowercase)
        if len(normalized) > max_code_points:
            raise Refusal("normalized_too_long", len(normalized))
        if not normalized:
            raise Refusal("empty_corpus")
        return normalized

    def pre_tokenize(self, normalized: str, pre_tokenizer: str, *, marker: bool) -> list[str]:
        return educational.pre_tokenize(normalized, pre_tokenizer, marker=marker)

    def count_words(self, texts: str | Iterable[str], *, lowercase: bool, pre_tokenizer: str) -> dict[str, int]:
        several = [texts] if isinstance(texts, str) else texts
        return dict(
            _educational(lambda: educational.count_words(several, lowercase=lowercase, pre_tokenizer=pre_tokenizer))
        )

    def train(
        self,
        texts: str | Iterable[str],
        merge_limit: int,
        *,
        lowercase: bool = False,
        pre_tokenizer: str = "whitespace",
        min_frequency: int = 2,
        tie_rule: str = "ours",
    ) -> Trained:
        counts = self.count_words(texts, lowercase=lowercase, pre_tokenizer=pre_tokenizer)
        return self._trained(
            counts, merge_limit, min_frequency, tie_rule, lowercase=lowercase, pre_tokenizer=pre_tokenizer, marker=True
        )

    def train_from_word_counts(
        self, word_counts: Mapping[str, int], merge_limit: int, *, marker: bool, min_frequency: int = 2
    ) -> Trained:
        keys = {"▁" * marker + word: count for word, count in word_counts.items()}
        return self._trained(
            keys, merge_limit, min_frequency, "ours", lowercase=False, pre_tokenizer="whitespace", marker=marker
        )

    def _trained(
        self,
        counts: dict[str, int],
        merge_limit: int,
        min_frequency: int,
        tie_rule: str,
        *,
        lowercase: bool,
        pre_tokenizer: str,
        marker: bool,
    ) -> Trained:
        rows = educational.train(
            counts, merge_limit, min_frequency=min_frequency, choose=educational.tie_rule(tie_rule, counts)
        )
        model = educational.Model(
            educational.base_alphabet(counts),
            [(left, right) for left, right, *_ in rows],
            lowercase,
            pre_tokenizer,
            marker,
        )
        return self._model(
            model,
            [row[2:] for row in rows],
            initial_tokens=sum(len(word) * count for word, count in counts.items()),
            stop_reason="merge_limit" if len(rows) == merge_limit else "no_pair",
        )

    def from_merges(
        self,
        alphabet: Sequence[str],
        merges: Sequence[Pair],
        *,
        lowercase: bool = False,
        pre_tokenizer: str = "whitespace",
        marker: bool = True,
    ) -> Trained:
        pairs = [(left, right) for left, right in merges]
        model = educational.Model(sorted(alphabet), pairs, lowercase, pre_tokenizer, marker)
        return self._model(model, [(None, None, None)] * len(pairs), initial_tokens=None, stop_reason=None)

    def _model(
        self,
        model: educational.Model,
        numbers: Sequence[tuple[int | None, int | None, int | None]],
        *,
        initial_tokens: int | None,
        stop_reason: str | None,
    ) -> Trained:
        vocabulary = model.vocabulary()
        known = set(model.alphabet)
        merges: list[MergeRow] = []
        for (left, right), three in zip(model.merges, numbers, strict=True):
            merges.append((left, right, *three, vocabulary.index(left + right), left + right not in known))
            known.add(left + right)

        def encode(text: str, prefix: int | None) -> Encoded:
            rows = _educational(lambda: educational.encode(text, model, prefix))
            normalized = self.normalize(text, lowercase=model.lowercase)
            return Encoded(
                tokens=tuple(token for token, _, _ in rows),
                ids=tuple(token_id for _, token_id, _ in rows),
                offsets=tuple(place for _, _, place in rows),
                normalized=normalized,
                code_points=len(normalized),
                unknown_count=sum(token_id is None for _, token_id, _ in rows),
                code_points_per_token=len(normalized) / len(rows) if rows else None,
            )

        return Trained(
            alphabet=tuple(model.alphabet),
            vocabulary=tuple(vocabulary),
            merges=tuple(merges),
            initial_tokens=initial_tokens,
            stop_reason=stop_reason,
            encode=encode,
            decode=lambda ids: educational.decode(ids, model),
        )


def _educational(call: Callable[[], T]) -> T:
    try:
        return call()
    except ValueError as error:
        kind, *place = error.args
        raise Refusal("empty_corpus" if kind == "no word to train on" else kind, *place) from error


CORE = Core(KERNEL)
EDUCATIONAL = Educational()
CORES = tuple(Core(name) for name in KERNELS)
IMPLEMENTATIONS: tuple[Implementation, ...] = (EDUCATIONAL, *CORES)

on_every_implementation = pytest.mark.parametrize(
    "implementation", IMPLEMENTATIONS, ids=[implementation.name for implementation in IMPLEMENTATIONS]
)


def outcome(call: Callable[[], T]) -> T | tuple[object, ...]:
    """What a call gives, or what it was refused for, so that two implementations can be compared on any input."""
    try:
        return call()
    except Refusal as refusal:
        return ("refused", *refusal.args)
