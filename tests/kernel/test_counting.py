"""Counting words, on every kernel: wherever a block ends, however many threads, whatever is wrong with the bytes."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pairloom
from pairloom.errors import ForbiddenCodePoint, InvalidUtf8, NotText, SettingError, WorkUnfinished
from pairloom.unicode_data import MARKER, WHITESPACE
from tests.support.implementations import EDUCATIONAL
from tests.support.kernel_cases import Trickle
from tests.support.kernels import KERNELS, needs_compiled, on_every_kernel, running
from tests.support.strategies import forbidden_texts, texts

# Words, sequences of two, three and four bytes, every kind of whitespace, and what a final sigma looks across.
TEXT = "aé漢😀 \u3000b\u00a0ΑΣ\ufeffΑ\u2028word\r\nΣ\ufeff'Σ. don't\u1680❤\ufe0f! ΑΣ  x\ufeff" + "長い" * 20


def counted(kernel_name: str, *sources: str | bytes | io.BytesIO, **settings: Any) -> dict[str, int]:
    counter = KERNELS[kernel_name]["WordCounter"](**{"lowercase": False, "punctuation": False} | settings)
    for source in sources:
        if isinstance(source, str):
            counter.add_text(source)
        elif isinstance(source, bytes):
            counter.add_bytes(source, "here")
        else:
            counter.add_file(source, "here")
    return dict(counter.finish().items())


def expected(*sources: str, lowercase: bool, punctuation: bool) -> dict[str, int]:
    pre_tokenizer = "punctuation" if punctuation else "whitespace"
    return EDUCATIONAL.count_words(sources, lowercase=lowercase, pre_tokenizer=pre_tokenizer)


@needs_compiled
@pytest.mark.parametrize("lowercase", [False, True], ids=["as it is", "lowercase"])
@pytest.mark.parametrize("punctuation", [False, True], ids=["whitespace", "punctuation"])
def test_every_place_where_a_block_may_end(lowercase: bool, punctuation: bool) -> None:
    """In a sequence, in a whitespace, in a word: blocks of every length, from every start."""
    settings = {"lowercase": lowercase, "punctuation": punctuation}
    for start in range(12):
        text = "y" * start + TEXT
        data = text.encode()
        want = list(expected(text, **settings).items())
        for block_bytes in range(4, len(data) + 8):
            for source in (text, data, io.BytesIO(data)):
                assert list(counted("compiled", source, block_bytes=block_bytes, **settings).items()) == want


@needs_compiled
@given(
    texts_=st.lists(texts(), min_size=1, max_size=3),
    lowercase=st.booleans(),
    punctuation=st.booleans(),
    block_bytes=st.integers(1, 80),
    threads=st.sampled_from([1, 1, 1, 2, 3]),
)
def test_blocks_and_threads_change_nothing(
    texts_: list[str], lowercase: bool, punctuation: bool, block_bytes: int, threads: int
) -> None:
    """Not even the order of the words."""
    settings = {"lowercase": lowercase, "punctuation": punctuation}
    want = list(counted("pure", *texts_, **settings).items())
    blocks = {"block_bytes": block_bytes, "threads": threads}
    data = [text.encode() for text in texts_]
    files = [io.BytesIO(each) for each in data]
    trickles = [Trickle(each, 3) for each in data]
    for sources in (texts_, data, files, trickles):
        assert list(counted("compiled", *sources, **settings, **blocks).items()) == want


@needs_compiled
@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_see_the_words_of_one(threads: int) -> None:
    drawn = random.Random(5)
    words = ["".join(drawn.choices("abcdeé漢", k=drawn.randint(1, 30))) for _ in range(5000)]
    text = " ".join(drawn.choices(words, k=60_000))
    one = counted("compiled", text.encode())
    several = counted("compiled", text.encode(), threads=threads, block_bytes=10_000)
    assert list(several.items()) == list(one.items())
    assert one == expected(text, lowercase=False, punctuation=False)


@on_every_kernel
def test_whitespace_is_exactly_ecmascripts(kernel_name: str) -> None:
    for code_point in [*range(0x3100), 0xFEFF, 0x1F600, 0x10FFFF]:
        char = chr(code_point)
        if char != MARKER:
            words = counted(kernel_name, f"a{char}b")
            assert words == ({"▁a": 1, "▁b": 1} if char in WHITESPACE else {f"▁a{char}b": 1}), hex(code_point)


BROKEN = [
    (b"\x80", 0),
    (b"ab \xff", 3),
    (b"line\n\xe2\x96", 5),
    (b"\xc0\xaf", 0),
    (b"a\xc3(", 1),
    (b"\xe0\x80\x80", 0),
    (b"x \xed\xa0\x80 y", 2),
    (b"\xf0\x9f\x98", 0),
    (b"\xf4\x90\x80\x80", 0),
    (b"\xf5\x80\x80\x80", 0),
    ("é漢😀".encode() + b"\xe3\x80 z", 9),
    (b"a " * 600 + b"\xe3", 1200),
]


@on_every_kernel
@pytest.mark.parametrize(("data", "offset"), BROKEN)
@pytest.mark.parametrize("threads", [1, 2])
def test_what_is_no_utf_8(kernel_name: str, data: bytes, offset: int, threads: int) -> None:
    """At the offset that Python's own decoder names, also where a marker stands before it."""
    with pytest.raises(UnicodeDecodeError) as python:
        data.decode()
    assert python.value.start == offset
    for before in (b"", "▁ ".encode(), b"word " * 40):
        for source in (before + data, io.BytesIO(before + data)):
            with pytest.raises(InvalidUtf8) as caught:
                counted(kernel_name, source, threads=threads, block_bytes=16)
            assert (caught.value.source, caught.value.byte_offset) == ("here", len(before) + offset)


@needs_compiled
@given(data=st.binary(max_size=60), block_bytes=st.integers(1, 40), by_line=st.booleans())
def test_any_bytes_are_judged_alike(data: bytes, block_bytes: int, by_line: bool) -> None:
    def result(kernel_name: str) -> object:
        counter = KERNELS[kernel_name]["WordCounter"](lowercase=True, punctuation=True, block_bytes=block_bytes)
        try:
            counter.add_bytes(data, "here", by_line=by_line)
            return list(counter.finish().items())
        except pairloom.PairloomError as error:
            return type(error), error.details

    assert result("compiled") == result("pure")


@needs_compiled
@given(
    pieces=st.lists(st.one_of(forbidden_texts(), texts(), st.just("\n")), min_size=1, max_size=6),
    cut=st.sampled_from([b"", b"", b"\xe2", b"\xff\n"]),
    block_bytes=st.integers(1, 60),
    threads=st.sampled_from([1, 2]),
    by_line=st.booleans(),
)
def test_offences_are_named_alike(pieces: list[str], cut: bytes, block_bytes: int, threads: int, by_line: bool) -> None:
    """Kind, position, line and offset; the first one, invalid bytes of the same text before all others (N8)."""
    data = "\n".join(pieces).encode("utf-8", "surrogatepass") + cut

    def of_bytes(kernel_name: str) -> object:
        counter = KERNELS[kernel_name]["WordCounter"](
            lowercase=False, punctuation=False, block_bytes=block_bytes, threads=threads
        )
        try:
            counter.add_file(io.BytesIO(data), "here", by_line=by_line)
        except pairloom.PairloomError as error:
            return type(error), error.details
        return list(counter.finish().items())

    def of_text(kernel_name: str) -> object:
        counter = KERNELS[kernel_name]["WordCounter"](
            lowercase=False, punctuation=False, block_bytes=block_bytes, threads=threads
        )
        try:
            counter.add_text("\n".join(pieces), 7)
        except ForbiddenCodePoint as error:
            return error.details
        return list(counter.finish().items())

    assert of_bytes("compiled") == of_bytes("pure")
    assert of_text("compiled") == of_text("pure")


@on_every_kernel
def test_after_an_error_there_is_no_result(kernel_name: str) -> None:
    with running(kernel_name):
        counter = pairloom.WordCounter()
        counter.add("fine")
        with pytest.raises(InvalidUtf8) as caught:
            counter.add_utf8(b"fine \xff", name="some file")
        assert (caught.value.source, caught.value.byte_offset) == ("some file", 5)
        for call in (lambda: counter.add("fine"), lambda: counter.add_utf8(b"fine"), counter.word_counts):
            with pytest.raises(WorkUnfinished):
                call()
        closed = pairloom.WordCounter()
        assert len(closed.word_counts()) == 0
        with pytest.raises(WorkUnfinished):
            closed.add("late")


@on_every_kernel
def test_a_file_that_fails_is_not_taken_for_its_end(kernel_name: str) -> None:
    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:  # noqa: ARG002  # what a file has
            raise OSError(5, "no more")

    with running(kernel_name):
        for threads in (1, 2):
            counter = pairloom.WordCounter(threads=threads)
            with pytest.raises(OSError, match="no more"):
                counter.add_utf8(Failing())  # type: ignore[arg-type]  # a raw file is one
            with pytest.raises(WorkUnfinished):
                counter.word_counts()


@on_every_kernel
def test_doors_refuse_what_is_no_text(kernel_name: str) -> None:
    with running(kernel_name):
        with pytest.raises(NotText):
            pairloom.WordCounter().add(b"bytes")  # type: ignore[arg-type]  # what is tested
        for settings in ({"threads": 0}, {"threads": 257}, {"threads": True}, {"lowercase": 1}, {"pre_tokenizer": "x"}):
            with pytest.raises(SettingError):
                pairloom.WordCounter(**settings)


@on_every_kernel
def test_a_buffer_with_gaps_is_read_without_them(kernel_name: str) -> None:
    with running(kernel_name):
        counter = pairloom.WordCounter()
        counter.add_utf8(memoryview(b"l.o.w. .l.o.w.")[::2])
        assert dict(counter.word_counts().counts) == {"▁low": 2}


@needs_compiled
@pytest.mark.parametrize("given", [-1, 10**9, 2**70, 1.5, "one", None])
def test_a_file_that_lies_about_what_it_gave(given: object) -> None:
    class Lying(io.RawIOBase):
        def readinto(self, buffer: Any) -> Any:  # noqa: ARG002  # what a file has
            return given

    with running("compiled"):
        counter = pairloom.WordCounter()
        with pytest.raises((ValueError, TypeError, BlockingIOError)):
            counter.add_utf8(Lying())  # type: ignore[arg-type]  # a raw file is one
        with pytest.raises(WorkUnfinished):
            counter.word_counts()


@on_every_kernel
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_buffers_and_files(kernel_name: str, kind: type) -> None:
    with running(kernel_name):
        counter = pairloom.WordCounter(lowercase=True)
        counter.add_utf8(kind(b"Low low"))
        counter.add_utf8(io.BytesIO("LOWER ΑΣ\n\nlow".encode()), by_line=True)
        counts = counter.word_counts()
    assert dict(counts.counts) == {"▁low": 3, "▁lower": 1, "▁ας": 1}
    assert (counts.lowercase, counts.pre_tokenizer, counts.marker, counts.total) == (True, "whitespace", True, 5)


def words_of_every_length() -> Iterator[str]:
    """Words on both sides of what fits into a slot, and such as differ in zeros only."""
    for length in range(1, 40):
        yield "w" * length
        yield "w" * (length - 1) + "\0"
        yield "\0" * length


@on_every_kernel
def test_words_of_every_length(kernel_name: str) -> None:
    words = list(words_of_every_length())
    counts = counted(kernel_name, " ".join(word for number, word in enumerate(words, 1) for _ in range(number)))
    assert counts == expected(
        " ".join(w for n, w in enumerate(words, 1) for _ in range(n)), lowercase=False, punctuation=False
    )


@needs_compiled
def test_the_table_is_a_mapping() -> None:
    with running("compiled"):
        table = pairloom.count_words("low low lower ΑΣ 😀").counts
    plain = {"▁low": 2, "▁lower": 1, "▁ΑΣ": 1, "▁😀": 1}
    assert isinstance(table, Mapping)
    assert (len(table), list(table), list(table.values())) == (4, list(plain), [2, 1, 1, 1])
    assert dict(table) == dict(table.items()) == plain
    assert table == plain
    assert plain == table
    assert table != {"▁low": 2}
    assert table["▁low"] == 2
    assert "▁low" in table
    for absent in ("low", "", "▁lo", "\ud800", 5, None):
        assert absent not in table
        assert table.get(absent, "no") == "no"  # type: ignore[arg-type]  # what is tested
        with pytest.raises(KeyError):
            table[absent]  # type: ignore[index]  # what is tested
    assert ("▁low", 2) in table.items()
    assert table.keys() == plain.keys()


@needs_compiled
def test_word_counts_of_two_kernels_are_equal_and_travel() -> None:
    import copy
    import pickle

    with running("compiled"):
        compiled = pairloom.count_words("low low lower")
    with running("pure"):
        pure = pairloom.count_words("low low lower")
    assert compiled == pure
    assert pickle.loads(pickle.dumps(compiled)) == pure
    assert copy.deepcopy(compiled) == pure
    for name in KERNELS:
        with running(name):
            models = [pairloom.train_from_word_counts(counts) for counts in (compiled, pure)]
        for one, other in pairwise(models):
            assert one == other


@needs_compiled
@pytest.mark.parametrize("threads", [2, 3, 4])
def test_tables_of_several_threads_are_joined(threads: int) -> None:
    """Words that all of them have, some have, one has; short and long, at every size that a table takes."""
    drawn = random.Random(threads)
    for distinct in (1, 5, 170, 171, 400, 3000):
        words = [f"{number:x}" * drawn.choice([1, 1, 2, 9]) for number in range(distinct)]
        text = " ".join(drawn.choices(words, k=3 * distinct)) + "\ufeffΑΣ"
        for settings in ({}, {"lowercase": True, "punctuation": True}):
            one = counted("compiled", text, text, **settings)
            for block_bytes in (40, 900, 1 << 20):
                several = counted("compiled", text, text.encode(), threads=threads, block_bytes=block_bytes, **settings)
                assert list(several.items()) == list(one.items())
