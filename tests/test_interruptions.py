"""An exception in the middle of work (Ctrl-C, no memory) never leaves something that looks finished."""

from __future__ import annotations

import io
import pickle
import random
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from types import FrameType
from typing import Any

import pytest

import pairloom
from pairloom.kernel import pure_training
from pairloom.word_counts import count_words
from tests.support.kernels import needs_compiled, running

TEXT = " ".join(f"{number:b}" for number in range(400))


class Interrupting:
    """A stand-in for `islice` that raises KeyboardInterrupt at the n-th call, once."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, iterable: Iterator[object], *bounds: int | None) -> Iterator[object]:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return islice(iterable, *bounds)


@pytest.mark.parametrize("at", [1, 2, 3, 5, 20, 101])
def test_an_interrupted_trainer_keeps_its_merges_and_does_not_go_on(monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    whole = pairloom.train(TEXT)
    with running("pure"):
        trainer = pairloom.Trainer(count_words(TEXT))
    with monkeypatch.context() as patched:
        patched.setattr(pure_training, "islice", Interrupting(at))
        with pytest.raises(KeyboardInterrupt):
            trainer.run()
    for call in (trainer.run, trainer.step):
        with pytest.raises(pairloom.WorkUnfinished) as caught:
            call()
        assert (caught.value.work, caught.value.reason) == ("training", "interrupted")
    model = trainer.model()
    assert model.stop_reason is None
    assert not trainer.is_done
    assert model.merges == whole.merges[: len(model.merges)]
    assert len(model.merges) < len(whole.merges)


@contextmanager
def ctrl_c_every(seconds: float) -> Iterator[None]:
    """SIGALRM as Ctrl-C, again and again."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@needs_compiled
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs interval timers")
def test_ctrl_c_ends_a_training_in_the_compiled_kernel() -> None:
    """One call without end in sight: it is over soon after the signal, with the merges so far and nothing else."""
    drawn = random.Random(3)
    words = {"".join(drawn.choices("abcdefgh", k=drawn.randint(3, 30))): 1 for _ in range(60_000)}
    table = pairloom.WordCounts(words, marker=False)
    with running("compiled"):
        trainer = pairloom.Trainer(table, 10**9)
    with pytest.raises(KeyboardInterrupt), ctrl_c_every(0.03):
        trainer.run()
    with pytest.raises(pairloom.WorkUnfinished) as caught:
        trainer.run()
    assert (caught.value.work, caught.value.reason) == ("training", "interrupted")
    model = trainer.model()
    assert model.stop_reason is None
    assert model.merges == pairloom.train_from_word_counts(table, len(model.merges)).merges


class Endless(io.RawIOBase):
    """A file that goes on for ever."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        buffer[:] = (b"word %d " % len(buffer)).ljust(len(buffer), b"x")
        return len(buffer)


@needs_compiled
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs interval timers")
@pytest.mark.parametrize("threads", [1, 3])
def test_ctrl_c_ends_a_count_in_the_compiled_kernel(threads: int) -> None:
    with running("compiled"):
        counter = pairloom.WordCounter(threads=threads)
    with pytest.raises(KeyboardInterrupt), ctrl_c_every(0.1):
        counter.add_utf8(Endless())  # type: ignore[arg-type]  # a raw file is one
    for call in (counter.word_counts, lambda: counter.add("a")):
        with pytest.raises(pairloom.WorkUnfinished):
            call()


def test_an_interrupted_history_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    model = pairloom.train(TEXT)
    builder = pairloom.HistoryBuilder(count_words(TEXT), model)
    with pytest.raises(pairloom.WorkUnfinished, match="not done yet"):
        builder.history()
    assert not builder.run(max_operations=100)
    with pytest.raises(pairloom.WorkUnfinished, match="not done yet"):
        builder.history()

    def broken(*_: object, **__: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr("pairloom.history.pairwise", broken)
        with pytest.raises(MemoryError):
            builder.run()
    with pytest.raises(pairloom.WorkUnfinished, match="interrupted"):
        builder.run()
    with pytest.raises(pairloom.WorkUnfinished):
        builder.history()


def test_a_history_refuses_word_counts_of_other_settings() -> None:
    model = pairloom.train("Low low", lowercase=True)
    for counts in (count_words("low"), pairloom.WordCounts({"low": 1}, lowercase=True, marker=False)):
        with pytest.raises(pairloom.SettingError):
            pairloom.History.of(counts, model)
    with pytest.raises(pairloom.SettingError):
        pairloom.History.of({"low": 1}, model)  # type: ignore[arg-type]  # what is tested


def test_a_history_travels_and_cannot_be_changed_from_outside() -> None:
    history = pairloom.History.of(count_words(TEXT), pairloom.train(TEXT))
    again = pickle.loads(pickle.dumps(history))
    assert again.pair_counts(7) == history.pair_counts(7)
    assert list(again.segments(7)) == list(history.segments(7))
    assert isinstance(history.boundaries("▁101"), tuple)


def test_errors_name_the_text_of_several() -> None:
    model = pairloom.train("a b x")
    for call, index in (
        (lambda: pairloom.train(["a", 5]), 1),  # type: ignore[list-item]  # what is tested
        (lambda: pairloom.train(["a", "b", "x▁"]), 2),
        (lambda: model.encode_batch(["a", "b", "x▁"]), 2),
        (lambda: model.encode_batch(["a", None]), 1),  # type: ignore[list-item]  # what is tested
    ):
        with pytest.raises(pairloom.PairloomError) as caught:
            call()
        assert caught.value.details["text_index"] == index
        assert f"text {index} " in str(caught.value)


def test_a_message_never_fails_because_of_the_value() -> None:
    class Unprintable:
        def __repr__(self) -> str:
            raise RuntimeError

    model = pairloom.train("a b x")
    for value in (Unprintable(), [10**5000], "x" * 10_000, 10**5000):
        with pytest.raises(pairloom.UnknownTokenId) as caught:
            model.decode([value])  # type: ignore[list-item]  # what is tested
        assert len(str(caught.value)) < 300


def test_no_setting_is_larger_than_a_model_file_holds() -> None:
    for settings in ({"min_frequency": 2**63}, {"merge_limit": 2**63}):
        with pytest.raises(pairloom.SettingError):
            pairloom.train("low low", **settings)  # type: ignore[arg-type]  # one setting each
    assert pairloom.train("low low", min_frequency=2**63 - 1).merges == ()


def test_a_text_that_is_not_normalized_is_not_pre_tokenized() -> None:
    for text in ("a  b", " a", "a "):
        for pre_tokenizer in ("whitespace", "punctuation"):
            with pytest.raises(pairloom.SettingError):
                pairloom.pre_tokenize(text, pre_tokenizer)
    with pytest.raises(pairloom.NotText):
        pairloom.pre_tokenize(None)  # type: ignore[arg-type]  # what is tested
