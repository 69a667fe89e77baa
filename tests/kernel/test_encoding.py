"""Encoding and decoding as the kernels do it: equal arrays and equal errors, however texts are cut and shared out."""

from __future__ import annotations

import array
import copy
import os
import pickle
import random
import threading
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairloom
from pairloom import educational
from pairloom.errors import ForbiddenCodePoint, InvalidUtf8, PairloomError, UnknownTokenId
from pairloom.kernel import pure_encoding
from pairloom.kernel.pure_merging import MergeTable
from pairloom.unicode_data import MARKER
from tests.support.kernels import KERNELS, needs_compiled, on_every_kernel, program, running
from tests.support.random_texts import text as any_text
from tests.support.strategies import Training, texts, trainings

BLOCKS = (1, 2, 7, 64, 1 << 18)
UNKNOWN = pure_encoding.UNKNOWN


def encoder_of(model: pairloom.Model, kernel_name: str) -> Any:
    """The encoder that a kernel has for a model."""
    return KERNELS[kernel_name]["TextEncoder"](
        MergeTable([(merge.left, merge.right, merge.result) for merge in model.merges]),
        alphabet=model.alphabet,
        vocabulary=model.vocabulary,
        ids={token: token_id for token_id, token in enumerate(model.vocabulary)},
        lowercase=model.lowercase,
        punctuation=model.pre_tokenizer == "punctuation",
        marker=model.marker,
    )


def plain(arrays: Iterable[memoryview | None]) -> list[list[int] | None]:
    return [None if view is None else view.tolist() for view in arrays]


def random_text(drawn: random.Random, length: int) -> str:
    """A text of several pools, about so long."""
    parts: list[str] = []
    while sum(map(len, parts)) < length:
        parts.append(any_text(drawn))
    return "".join(parts)


def outcome(call: Any) -> Any:
    """What a call gives, or its error with all that it says."""
    try:
        return call()
    except PairloomError as error:
        return type(error), error.details


def any_model(drawn: random.Random) -> pairloom.Model:
    settings: dict[str, Any] = {
        "lowercase": drawn.random() < 0.5,
        "pre_tokenizer": drawn.choice(["whitespace", "punctuation"]),
    }
    if drawn.random() < 0.5:
        corpus = [random_text(drawn, 200) + " x" for _ in range(3)]
        return pairloom.train(corpus, drawn.choice([0, 3, 40, 1000]), min_frequency=drawn.choice([1, 2]), **settings)
    marker = drawn.random() < 0.7
    letters = drawn.sample("aab'.ςσi\u0307漢😀é\u0301", 6)
    alphabet = sorted({*letters, *([MARKER] if marker else [])})
    made, merges = list(alphabet), []
    for _ in range(drawn.randint(0, 30)):
        pair = drawn.choice(made), drawn.choice(made[-6:])
        if len("".join(pair)) < 12:
            merges.append(pair)
            made.append("".join(pair))
    return pairloom.Model.from_merges(alphabet, merges, marker=marker, **settings)


@pytest.fixture(params=[True, False], ids=["registers", "memory"])
def keys_in_registers(request: pytest.FixtureRequest) -> Iterator[None]:
    """Words of few symbols are merged in registers, if this machine has wide ones, or in memory, as on all others."""
    kernel = KERNELS.get("compiled")
    if kernel is None:
        yield
        return
    merge_in_registers = import_module("pairloom.kernel._compiled").merge_in_registers
    merge_in_registers(request.param)
    try:
        yield
    finally:
        merge_in_registers(True)


@needs_compiled
@pytest.mark.usefixtures("keys_in_registers")
@pytest.mark.parametrize("seed", range(40))
def test_arrays_equal_the_plain_ones(seed: int) -> None:
    """Random models, texts, prefixes, blocks and threads; what is forbidden among them now and then."""
    drawn = random.Random(seed)
    model = any_model(drawn)
    ours, plain_one = encoder_of(model, "compiled"), encoder_of(model, "pure")
    for _ in range(15):
        several = [random_text(drawn, drawn.choice([0, 1, 10, 200])) for _ in range(drawn.randint(0, 6))]
        if several and drawn.random() < 0.15:
            place = drawn.randrange(len(several))
            at = drawn.randint(0, len(several[place]))
            several[place] = several[place][:at] + drawn.choice("▁\ud800\udfff") + several[place][at:]
        settings: dict[str, Any] = {"prefix": drawn.randint(0, len(model.merges)), "offsets": drawn.random() < 0.5}
        sharing = {"threads": drawn.choice([1, 1, 2, 5]), "block": drawn.choice(BLOCKS)}
        assert outcome(lambda: plain(ours.encode_texts(several, **settings, **sharing))) == outcome(  # noqa: B023
            lambda: plain(plain_one.encode_texts(several, **settings))  # noqa: B023
        )
        data = "".join(several).encode("utf-8", "surrogatepass")
        if drawn.random() < 0.3:
            at = drawn.randint(0, len(data))
            data = data[:at] + drawn.choice([b"\xff", b"\xe2\x96\x81", b"\xe3\x80", b"\x80"]) + data[at:]
        assert outcome(lambda: plain(ours.encode_utf8(data, **settings, **sharing))) == outcome(  # noqa: B023
            lambda: plain(plain_one.encode_utf8(data, **settings))  # noqa: B023
        )
        for text in several:
            assert outcome(lambda: ours.encode(text, prefix=settings["prefix"], text_index=7)) == outcome(  # noqa: B023
                lambda: plain_one.encode(text, prefix=settings["prefix"], text_index=7)  # noqa: B023
            )


@on_every_kernel
@given(training=trainings(), several=st.lists(texts(), max_size=5), data=st.data())
def test_arrays_say_what_encodings_say(
    kernel_name: str, training: Training, several: list[str], data: st.DataObject
) -> None:
    with running(kernel_name):
        model = pairloom.train(
            training.corpus, training.merge_limit, lowercase=training.lowercase, pre_tokenizer=training.pre_tokenizer
        )
    prefix = data.draw(st.integers(0, len(model.merges)))
    batch = model.encode_batch(several, prefix, offsets=True, threads=data.draw(st.integers(1, 3)))
    encodings = [model.encode(text, prefix) for text in several]
    assert list(batch) == encodings
    assert batch == encodings
    assert batch.lists() == [list(encoding.ids) for encoding in encodings]
    ids = batch.token_ids
    assert list(ids) == [token_id for encoding in encodings for token_id in encoding.ids]
    assert ids.offsets is not None
    assert ids.offsets.tolist() == [number for e in encodings for place in e.offsets for number in place]
    assert ids.unknown_count == sum(encoding.unknown_count for encoding in encodings)
    for text, encoding in zip(several, encodings, strict=True):
        raw = model.encode_utf8(text.encode(), prefix, offsets=True)
        assert (raw.lists(), raw.ends.tolist()) == ([list(encoding.ids)], [len(encoding.tokens)])
        if not raw.unknown_count:
            assert model.decode(raw.ids) == encoding.normalized
            assert model.decode(raw) == encoding.normalized  # type: ignore[arg-type]  # had it an unknown token: None


@on_every_kernel
@pytest.mark.usefixtures("keys_in_registers")
def test_a_word_around_the_switch(kernel_name: str) -> None:
    """Up to 57 symbols in registers of eight keys, up to 64 in memory, more in a heap; and steps of sixteen bytes in
    the cache of words.
    """
    drawn = random.Random(4)
    for _ in range(6):
        merges: list[tuple[str, str]] = []
        made = ["a", "b"]
        for _ in range(25):
            pair = drawn.choice(made), drawn.choice(made)
            merges.append(pair)
            made.append("".join(pair)[:8]) if len("".join(pair)) <= 8 else merges.pop()
        with running(kernel_name):
            model = pairloom.Model.from_merges("ab", merges, marker=False)
        ranks = {pair: merges.index(pair) for pair in merges}
        for length in (
            1,
            2,
            8,
            9,
            10,
            15,
            16,
            17,
            18,
            31,
            32,
            33,
            34,
            41,
            49,
            50,
            56,
            57,
            58,
            62,
            63,
            64,
            65,
            66,
            127,
            129,
            255,
            256,
            257,
            300,
        ):
            word = "".join(drawn.choices("abab?", k=length))
            expected = educational.encode_word(word, ranks)
            for _ in range(2):  # the second time it is remembered, if it is short enough
                assert list(model.encode(word).tokens) == expected


@needs_compiled
def test_the_cache_forgets_and_the_answer_stays() -> None:
    """More words than it holds, long ones among them, each twice: as they come, and each in an encoder of its own."""
    with running("compiled"):
        model = pairloom.train("ab abc abab cab", 10)
    drawn = random.Random(5)
    words = [f"{number:b}".translate({48: "ab", 49: "c"}) for number in range(1, 1 << 16)]
    words += ["".join(drawn.choices(("ab", "c", "cab"), k=110)) for _ in range(40_000)]
    drawn.shuffle(words)
    lists = model.encode_batch([" ".join(words), " ".join(words)]).lists()
    assert lists[0] == lists[1]
    parts = [words[at : at + 5_000] for at in range(0, len(words), 5_000)]
    apart = [encoder_of(model, "compiled").encode_texts(part, prefix=len(model.merges)) for part in parts]
    assert lists[0] == [code for codes, _, _ in apart for code in codes]
    few = drawn.sample(words, 300)
    plain_one = encoder_of(model, "pure").encode_texts(few, prefix=len(model.merges))
    assert model.encode_batch(few).token_ids.ids == plain_one.codes


@on_every_kernel
def test_one_long_word(kernel_name: str) -> None:
    with running(kernel_name):
        model = pairloom.Model.from_merges("a", [("a" * 2**i, "a" * 2**i) for i in range(12)], marker=False)
    size = 100_003
    ids = model.encode_batch(["a" * size]).token_ids.ids
    assert ids.tolist() == [12] * (size // 4096) + [bit for bit in range(11, -1, -1) if size % 4096 >> bit & 1]


# ---------------------------------------------------------------- arrays


@on_every_kernel
def test_arrays_are_buffers_and_read_only(kernel_name: str) -> None:
    with running(kernel_name):
        model = pairloom.train("low low lower")
    ids = model.encode_batch(["low lower", "", "low"], offsets=True).token_ids
    for view, letter in ((ids.ids, "I"), (ids.ends, "Q"), (ids.offsets, "Q")):
        assert view is not None
        assert (view.format, view.readonly, view.ndim, view.contiguous) == (letter, True, 1, True)
        with pytest.raises(TypeError):
            view[0] = 1
    assert ids.ids.tolist() == [8, 8, 0, 3, 8]
    assert ids.ends.tolist() == [4, 4, 5]
    assert len(ids) == 5
    held = ids.ids
    del ids
    assert array.array("I", held).tolist() == [8, 8, 0, 3, 8]  # the view keeps its memory
    nothing = model.encode_utf8(b"", offsets=True)
    assert (nothing.ids.tolist(), nothing.offsets, nothing.ends.tolist()) == ([], memoryview(b"").cast("Q"), [0])
    assert model.encode_batch([]).lists() == []


@on_every_kernel
def test_unknown_tokens_in_arrays(kernel_name: str) -> None:
    """E3, E4: no number stands for them unless the caller names one."""
    with running(kernel_name):
        model = pairloom.train("low low lower")
    ids = model.encode_batch(["slow", "low z"]).token_ids
    assert ids.unknown_count == 2
    assert ids.lists() == [[5, None, 7], [8, 5, None]]
    assert list(ids) == [5, None, 7, 8, 5, None]
    with pytest.raises(pairloom.UnknownTokens) as caught:
        _ = ids.ids
    assert (caught.value.positions, caught.value.tokens) == ((1, 5), ("s", "z"))
    assert ids.with_unknown(99).tolist() == [5, 99, 7, 8, 5, 99]
    for number in (-1, 2**32, True, "0"):
        with pytest.raises(pairloom.SettingError):
            ids.with_unknown(number)  # type: ignore[arg-type]  # what is tested
    with pytest.raises(UnknownTokenId) as refused:
        model.decode(ids)  # type: ignore[arg-type]  # what is tested
    assert (refused.value.token_id, refused.value.position) == (None, 1)


# ---------------------------------------------------------------- decoding


@needs_compiled
@pytest.mark.parametrize("letter", "bBhHiIlLqQ")
def test_arrays_of_any_whole_numbers_decode(letter: str) -> None:
    with running("compiled"):
        model = pairloom.train("low low lower")
    ids = [8, 8, 0, 3]
    assert model.decode(array.array(letter, ids)) == model.decode(ids) == "low lower"
    with pytest.raises(UnknownTokenId) as caught:
        model.decode(array.array(letter, [0, 9]))
    assert (caught.value.token_id, caught.value.position, caught.value.vocabulary_size) == (9, 1, 9)
    if letter.islower():
        with pytest.raises(UnknownTokenId) as caught:
            model.decode(array.array(letter, [0, 0, -2]))
        assert (caught.value.token_id, caught.value.position) == (-2, 2)
    every_second = memoryview(array.array(letter, [8, 1, 8, 1]))[::2]
    assert model.decode(every_second) == "low low"


@on_every_kernel
@pytest.mark.parametrize(
    "odd", [9, -1, 2**31, 2**32, 2**64, 10**30, True, None, 1.0, "0", b"0"], ids=lambda value: repr(value)[:20]
)
def test_what_is_no_id(kernel_name: str, odd: Any) -> None:
    """D2, at its position."""
    with running(kernel_name):
        model = pairloom.train("low low lower")
    for given_ids in ([0, odd], (0, odd), iter([0, odd])):
        with pytest.raises(UnknownTokenId) as caught:
            model.decode(given_ids)
        assert (caught.value.token_id, caught.value.position) == (odd, 1)
    assert model.decode_batch([[8], [], [0, 3]]) == ["low", "", "er"]


@on_every_kernel
@given(training=trainings(), data=st.data())
def test_any_ids_decode_like_the_plain_ones(kernel_name: str, training: Training, data: st.DataObject) -> None:
    with running(kernel_name):
        model = pairloom.train(training.corpus, training.merge_limit)
    ids = data.draw(st.lists(st.integers(0, len(model.vocabulary) - 1), max_size=20))
    bare = educational.Model(list(model.alphabet), [(merge.left, merge.right) for merge in model.merges])
    assert model.decode(ids) == model.decode(array.array("I", ids)) == educational.decode(ids, bare)


@on_every_kernel
@given(training=trainings(), data=st.data())
def test_blocks_of_ids_are_one_text(kernel_name: str, training: Training, data: st.DataObject) -> None:
    with running(kernel_name):
        model = pairloom.train(training.corpus, training.merge_limit)
    known = st.integers(0, len(model.vocabulary) - 1)
    blocks = data.draw(st.lists(st.lists(known, max_size=4), max_size=5))
    ids = [token_id for block in blocks for token_id in block]
    assert "".join(model.decode_blocks(blocks)) == model.decode(ids)
    with pytest.raises(UnknownTokenId) as caught:
        list(model.decode_blocks([*blocks, [0, -1]]))
    assert caught.value.position == len(ids) + 1


# ---------------------------------------------------------------- what is wrong with a text


@on_every_kernel
@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_text_with_an_offence_is_named(kernel_name: str, threads: int) -> None:
    with running(kernel_name):
        model = pairloom.train("low low lower")
    several = ["low"] * 50 + ["lo▁w", "\ud800", "low"]
    with pytest.raises(ForbiddenCodePoint) as caught:
        encoder_of(model, kernel_name).encode_texts(several, prefix=0, threads=threads, block=4)
    assert (caught.value.text_index, caught.value.position, caught.value.kind) == (50, 2, "marker")


@on_every_kernel
@pytest.mark.parametrize("block", BLOCKS)
def test_invalid_bytes_come_before_all_else(kernel_name: str, block: int) -> None:
    with running(kernel_name):
        model = pairloom.train("low low lower")
    encoder = encoder_of(model, kernel_name)
    with pytest.raises(InvalidUtf8) as caught:
        encoder.encode_utf8("lo▁w é low ".encode() + b"\xff", prefix=0, block=block, source="a file")
    assert (caught.value.source, caught.value.byte_offset) == ("a file", 14)
    with pytest.raises(ForbiddenCodePoint) as forbidden:
        encoder.encode_utf8("é low lo▁w ".encode(), prefix=0, block=block)
    assert forbidden.value.position == 8


# ---------------------------------------------------------------- sharing


@on_every_kernel
def test_models_travel_with_their_encoder(kernel_name: str) -> None:
    with running(kernel_name):
        model = pairloom.train("low low lower", lowercase=True, pre_tokenizer="punctuation")
        for again in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
            assert again == model
            assert again.encode("Lower, s") == model.encode("Lower, s")


@on_every_kernel
def test_threads_share_a_model(kernel_name: str) -> None:
    """Eight of them, with prefixes of their own, on one model."""
    drawn = random.Random(6)
    with running(kernel_name):
        model = pairloom.train([random_text(drawn, 300) + " x" for _ in range(3)], 200, lowercase=True)
    several = [random_text(drawn, 120) for _ in range(12)]
    prefixes = [drawn.randint(0, len(model.merges)) for _ in range(8)]
    expected = [[model.encode(text, prefix) for text in several] for prefix in prefixes]
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(3):
            batch = model.encode_batch(several, prefixes[number], threads=2)
            if batch.lists() != [list(e.ids) for e in expected[number]] or list(batch) != expected[number]:
                wrong.append(number)

    workers = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert wrong == []


MANY_THREADS = """
import os, random, signal, sys, threading, time
import pairloom

model = pairloom.train("low low lower lowest newer wider", 12, min_frequency=1)
encoder, text = model._encoder, b"lowest newer wider low lower " * 30_000
expected = [model.encode_utf8(text, prefix=prefix).ids.tobytes() for prefix in range(13)]
"""

COPIED = """
stopped = threading.Event()


def keep_busy() -> None:
    while not stopped.is_set():
        model.encode_utf8(text)


workers = [threading.Thread(target=keep_busy) for _ in range(2 * os.cpu_count())]
for worker in workers:
    worker.start()
while encoder.busy < len(os.sched_getaffinity(0)):
    time.sleep(0.001)
copy = os.fork()
if copy == 0:
    right = all(model.encode_utf8(text, prefix=p).ids.tobytes() == expected[p] for p in (12, 3, 12))
    os._exit(0 if right and encoder.busy == 0 else 9)
stopped.set()
for worker in workers:
    worker.join()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1]) or encoder.busy)
"""

INTERRUPTED = """
class Now(Exception):
    pass


def interrupt(*_: object) -> None:
    raise Now


signal.signal(signal.SIGALRM, interrupt)
drawn, interruptions, stopped = random.Random(4), 0, threading.Event()


def keep_busy() -> None:
    while not stopped.is_set():
        model.encode_utf8(text, prefix=7)


workers = [threading.Thread(target=keep_busy) for _ in range(2 * os.cpu_count())]
for worker in workers:
    worker.start()
for _ in range(60):
    try:
        signal.setitimer(signal.ITIMER_REAL, drawn.random() / 50)
        for _ in range(1000):
            model.encode("lower")
            model.encode_utf8(text)
    except Now:
        interruptions += 1
stopped.set()
for worker in workers:
    worker.join()
right = all(model.encode_utf8(text, prefix=p, threads=3).ids.tobytes() == expected[p] for p in range(13))
sys.exit(0 if right and encoder.busy == 0 and interruptions == 60 else 9)
"""

HANDLED = """
os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
model = pairloom.train("low low lower lowest newer wider", 12, min_frequency=1)  # it asks for the cores
seen = []


def handle(*_: object) -> None:
    seen.append((model._encoder.busy, model.encode("lower").ids))


signal.signal(signal.SIGALRM, handle)
word = b"lowest" * 200_000
wanted = model.encode("lower").ids
while not any(busy for busy, _ in seen):
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    model.encode_utf8(word)
sys.exit(0 if {ids for _, ids in seen} == {wanted} and model._encoder.busy == 0 else 9)
"""


AGAIN_AND_AGAIN = """
stopped, depth, deepest = threading.Event(), 0, 0


def keep_busy() -> None:
    while not stopped.is_set():
        model.encode_utf8(text)


def handle(*_: object) -> None:
    global depth, deepest
    depth += 1
    deepest = max(deepest, depth)
    if depth < 4:
        signal.setitimer(signal.ITIMER_REAL, 0.02)  # perhaps in the midst of this one
    model.encode_utf8(text)
    depth -= 1
    if depth == 0:
        signal.setitimer(signal.ITIMER_REAL, 0.02)


workers = [threading.Thread(target=keep_busy) for _ in range(6 * os.cpu_count())]
for worker in workers:
    worker.start()
signal.signal(signal.SIGALRM, handle)
signal.setitimer(signal.ITIMER_REAL, 0.02)
while not deepest:
    model.encode_utf8(text)
for _ in range(20):
    model.encode_utf8(text)
signal.signal(signal.SIGALRM, signal.SIG_IGN)
signal.setitimer(signal.ITIMER_REAL, 0)
stopped.set()
for worker in workers:
    worker.join()
sys.exit(0 if deepest and depth == 0 and encoder.busy == 0 else 9)
"""

FIRST_USE = """
model = pairloom.Model.from_merges(["a", "b", "\u2581"], [("a", "b")], lowercase=True)
seen = []
signal.signal(signal.SIGALRM, lambda *_: seen.append(model.encode("ab").ids))
signal.setitimer(signal.ITIMER_REAL, 0.0005)  # while the tables of Unicode are laid out, in Python
wanted = model.encode("AB").ids
while not seen:
    time.sleep(0.001)
sys.exit(0 if seen == [wanted] else 9)
"""

NO_MEMORY = """
try:
    import _testcapi
except ImportError:
    sys.exit(77)
words, failures = ["lower", "newer"], 0
for job in (
    lambda: encoder.encode("lower newer", prefix=3),
    lambda: encoder.encode_texts(words, prefix=3, offsets=True),
    lambda: encoder.encode_utf8(b"lower newer", prefix=3, offsets=True),
    lambda: encoder.encode_utf8(b"lower newer", prefix=3),
):
    for number in range(45):
        try:
            _testcapi.set_nomemory(number, number + 1)
            job()
        except MemoryError:
            failures += 1
        finally:
            _testcapi.remove_mem_hooks()
sys.exit(0 if failures > 20 and encoder.busy == 0 and model.encode_utf8(text).ids.tobytes() == expected[12] else 9)
"""

SITUATIONS = {
    "copied": COPIED,
    "interrupted": INTERRUPTED,
    "handled": HANDLED,
    "again and again": AGAIN_AND_AGAIN,
    "first use": FIRST_USE,
    "no memory": NO_MEMORY,
}


@needs_compiled
@pytest.mark.parametrize("what", SITUATIONS.values(), ids=SITUATIONS)
def test_every_turn_comes(what: str) -> None:
    """More threads than cores take turns. None is lost with an interruption, in the copy that `fork` makes, or where
    Python has no memory for an object; and who encodes in the handler of a signal, in the midst of a job or of laying
    out a model, does not wait for itself.
    """
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("needs a system that tells on which cores a process may work, and fork")
    ended = program(MANY_THREADS + what)
    if ended.returncode == 77:
        pytest.skip("needs _testcapi, which this Python has not")
    assert (ended.returncode, ended.stderr) == (0, "")


@needs_compiled
def test_more_threads_than_cores_merge_no_more_words() -> None:
    """What one thread has merged the others know: each core has one memory of words, whoever works on it."""
    words = " ".join(f"{number:x}" for number in range(20_000))
    with running("compiled"):
        model = pairloom.train(words, 200)
    alone, shared = encoder_of(model, "compiled"), encoder_of(model, "compiled")
    expected = alone.encode_texts([words], prefix=200)[0].tobytes()
    barrier = threading.Barrier(16)
    right: list[bool] = []

    def work() -> None:
        barrier.wait()
        right.append(shared.encode_texts([words], prefix=200)[0].tobytes() == expected)

    wait_at_most = import_module("pairloom.kernel._compiled").wait_at_most
    before = wait_at_most(60_000_000)
    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait_at_most(before)
    assert right == [True] * 16
    cores = min(os.cpu_count() or 1, 16)
    # Some words have to make room for others, and are merged again.
    assert shared.operations <= (cores + (16 - cores) / 4) * alone.operations


@on_every_kernel
@pytest.mark.parametrize("count", range(1, 60))
def test_long_words_of_one_token_each(kernel_name: str, count: int) -> None:
    """The last one may stand at the very end of what is remembered: three codes are read, and one is its own."""
    words = [chr(0x61 + number // 26) + chr(0x61 + number % 26) * 19 for number in range(count)]
    with running(kernel_name):
        model = pairloom.train(words, min_frequency=1)
    ids = model.encode_utf8(" ".join([*words, *reversed(words)]).encode()).ids.tolist()
    assert ids == [*ids[:count], *reversed(ids[:count])]
    assert [model.vocabulary[number] for number in ids[:count]] == [MARKER + word for word in words]


class OwnText(str):
    """What a library may give in place of a `str`, as numpy does."""

    __slots__ = ()

    def __str__(self) -> str:
        return "another text"


@on_every_kernel
def test_a_subclass_of_str_is_its_text(kernel_name: str) -> None:
    with running(kernel_name):
        model = pairloom.train(OwnText("low low lower"))
        assert model == pairloom.train("low low lower") == pairloom.train([OwnText("low low lower")])
        assert model.encode(OwnText("slow ü")) == model.encode("slow ü")
        several = [OwnText("slow ü"), "low", OwnText("")]
        assert model.encode_batch(several).lists() == model.encode_batch(["slow ü", "low", ""]).lists()
        with pytest.raises(InvalidUtf8, match="another text is not UTF-8"):
            model.encode_utf8(b"\xff", name=OwnText("a name"))


@on_every_kernel
def test_buffers_of_any_layout_are_taken_and_nothing_else(kernel_name: str) -> None:
    with running(kernel_name):
        model = pairloom.train("low low lower")
        expected = model.encode("low w").ids
        assert tuple(model.encode_utf8(memoryview(b"l-o-w- -w-")[::2])) == expected
        assert tuple(model.encode_utf8(memoryview(b"w wol")[::-1])) == expected
        assert tuple(model.encode_utf8(array.array("b", b"low w"))) == expected  # type: ignore[arg-type]  # any buffer will do
        for odd in ("low", None, 5, [97]):
            with pytest.raises(TypeError, match="a bytes-like object is required"):
                model.encode_utf8(odd)  # type: ignore[arg-type]


@on_every_kernel
def test_an_odd_number_is_named_alike(kernel_name: str) -> None:
    with running(kernel_name):
        model = pairloom.train("low low lower")
        for kind in ("u2", "i8", ">i4", "O"):
            with pytest.raises(UnknownTokenId, match="no token has the ID 700 "):
                model.decode(np.array([1, 700], dtype=kind))
        with pytest.raises(UnknownTokenId, match="datetime64"):
            model.decode(np.zeros(1, dtype="M8[s]"))


WRITTEN_TO = """
import sys, threading
from array import array
import pairloom

model = pairloom.train("low low lower lowest")
text, ids = bytearray(b"low lower lowest " * 20_000), array("I", bytes(4 * 300_000))
longest, done = len(model.vocabulary) - 1, threading.Event()


def write() -> None:
    while not done.is_set():
        text[1000] = 0xFF if text[1000] != 0xFF else 0x61
        for number in (2**31 + 5, longest, 0):
            for place in range(0, len(ids), 997):
                ids[place] = number
                if place % 7 == 0:
                    text[1000] = 0xFF if text[1000] != 0xFF else 0x61


sys.setswitchinterval(1e-5)
writer = threading.Thread(target=write)
writer.start()
try:
    for _ in range(400):
        for job in (lambda: model.encode_utf8(text), lambda: model.decode(ids)):
            try:
                job()
            except (pairloom.PairloomError, BufferError):
                pass
finally:
    done.set()
    writer.join()
"""


@needs_compiled
def test_a_buffer_that_another_thread_writes_to_crashes_nothing() -> None:
    ended = program(WRITTEN_TO)
    assert (ended.returncode, ended.stderr) == (0, "")
