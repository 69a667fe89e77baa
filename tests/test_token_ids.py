"""Arrays of IDs, and batches, go from process to process and are copied: the same afterwards, on every kernel."""

from __future__ import annotations

import copy
import dataclasses
import multiprocessing
import pickle
import sys
from array import array
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from operator import methodcaller
from typing import Any, cast

import pytest

import pairloom
from pairloom import kernel
from pairloom.errors import UnknownTokens
from tests.support.kernels import KERNELS, on_every_kernel, running

TEXTS = ["low  lower", "", "slow 😀 lowest", "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}low"]

DUPLICATED: dict[str, Callable[[object], object]] = {
    **{
        f"pickle {protocol}": lambda given, protocol=protocol: pickle.loads(pickle.dumps(given, protocol))  # type: ignore[misc]  # bound early
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    },
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}

on_every_way = pytest.mark.parametrize("duplicated", DUPLICATED.values(), ids=DUPLICATED)


def model_of(kernel_name: str, **settings: bool) -> pairloom.Model:
    with running(kernel_name):
        return pairloom.train("low low lower lowest", 6, **settings)  # type: ignore[arg-type]  # flags alone


def check_same(again: pairloom.TokenIds, before: pairloom.TokenIds) -> None:
    """Equal by comparison, and in each thing that can be asked."""
    assert again == before
    assert again is not before
    assert again.model == before.model
    assert (again.ends.tolist(), again.ends.format, again.ends.readonly) == (before.ends.tolist(), "Q", True)
    assert (again.with_unknown(7).tolist(), again.with_unknown(7).format) == (before.with_unknown(7).tolist(), "I")
    assert again.lists() == before.lists()
    assert again.tokens() == before.tokens()
    assert again.unknown_count == before.unknown_count
    if before.offsets is None:
        assert again.offsets is None
    else:
        assert again.offsets is not None
        assert (again.offsets.tolist(), again.offsets.format) == (before.offsets.tolist(), "Q")
        assert again.offsets.readonly
    if before.unknown_count:
        with pytest.raises(UnknownTokens) as caught:
            again.ids  # noqa: B018  # raises
        assert len(caught.value.positions) == before.unknown_count
    else:
        assert again.ids == before.ids
        assert again.ids.readonly
        assert again.model.decode(again.ids) == before.model.decode(before.ids)


@on_every_kernel
@on_every_way
@pytest.mark.parametrize("data", [b"", b"low lower  lowest", "lo\u00e9 low 😀".encode()], ids=ascii)
@pytest.mark.parametrize("offsets", [False, True])
def test_token_ids(data: bytes, *, offsets: bool, duplicated: Callable[[object], object], kernel_name: str) -> None:
    model = model_of(kernel_name)
    before = model.encode_utf8(data, 3, offsets=offsets)
    with running(kernel_name):
        again = duplicated(before)
    assert isinstance(again, pairloom.TokenIds)
    check_same(again, before)
    # Another text, another prefix: not equal to everything.
    assert again != model.encode_utf8(data + b" low", 3, offsets=offsets)
    assert again != model.encode_utf8(data, 3, offsets=not offsets)


@on_every_kernel
@on_every_way
@pytest.mark.parametrize("texts", [[], TEXTS], ids=["none", "some"])
def test_batches(texts: list[str], duplicated: Callable[[object], object], kernel_name: str) -> None:
    before = model_of(kernel_name, lowercase=True).encode_batch(texts, 4, offsets=True)
    with running(kernel_name):
        again = duplicated(before)
    assert isinstance(again, pairloom.EncodedBatch)
    assert again == before
    assert again is not before
    check_same(copy.copy(again.token_ids), before.token_ids)
    assert again.lists() == before.lists()
    # Encoded anew when asked for, with the prefix of then.
    assert list(again) == list(before) == [before.token_ids.model.encode(text, 4) for text in texts]


@on_every_kernel
def test_a_block_of_a_file(kernel_name: str) -> None:
    from io import BytesIO

    blocks = list(model_of(kernel_name).encode_file(BytesIO(b"low lower low")))
    with running(kernel_name):
        again = pickle.loads(pickle.dumps(blocks))
    assert again == blocks
    assert len(blocks[0]) > 0


@pytest.mark.skipif(len(KERNELS) < 2, reason="the compiled kernel was not built here")
@pytest.mark.parametrize(("there", "here"), [("pure", "compiled"), ("compiled", "pure")])
def test_from_one_kernel_to_the_other(there: str, here: str) -> None:
    before = model_of(there).encode_utf8(b"low slower", offsets=True)
    with running(here):
        again = pickle.loads(pickle.dumps(before))
    check_same(again, before)
    assert type(again.model.text_encoder) is KERNELS[here]["TextEncoder"]


@on_every_kernel
def test_a_copy_shares_what_never_changes(kernel_name: str) -> None:
    before = model_of(kernel_name).encode_utf8(b"low lower", offsets=True)
    shallow, deep = copy.copy(before), copy.deepcopy(before)
    assert shallow.ids.obj is deep.ids.obj is before.ids.obj
    assert shallow.model is before.model
    assert deep.model is not before.model


@on_every_kernel
def test_a_pickle_holds_the_model_once(kernel_name: str) -> None:
    model = model_of(kernel_name)
    blocks = [model.encode_utf8(b"low"), model.encode_utf8(b"lower"), model.encode_batch(["lowest"])]
    with running(kernel_name):
        first, second, batch = pickle.loads(pickle.dumps(blocks))
    assert first.model is second.model is batch.token_ids.model
    one, three = (len(pickle.dumps(blocks[:number])) for number in (1, 3))
    assert three - one < len(pickle.dumps(model))


@on_every_kernel
def test_out_of_band(kernel_name: str) -> None:
    """Protocol 5 lets whoever pickles carry the arrays: nothing is copied into the pickle, nor shared after it."""
    model = model_of(kernel_name)
    before = model.encode_utf8(b"low lower " * 10_000, offsets=True)
    carried: list[pickle.PickleBuffer] = []
    packed = pickle.dumps(before, 5, buffer_callback=carried.append)
    assert len(packed) < len(pickle.dumps(model)) + 1000
    assert sum(buffer.raw().nbytes for buffer in carried) == 4 * len(before) + 8 + 16 * len(before)
    with running(kernel_name):
        check_same(pickle.loads(packed, buffers=carried), before)
    # At an odd address, and writable: an array of ours has neither.
    memory = [memoryview(bytearray(b"_" + bytes(buffer)))[1:] for buffer in carried]
    with running(kernel_name):
        again = pickle.loads(packed, buffers=memory)
    for each in memory:
        each[:] = b"\xff" * len(each)
    check_same(again, before)


def test_from_a_machine_that_has_the_high_byte_first() -> None:
    before = model_of("pure").encode_utf8(b"low lower", offsets=True)
    restore, arguments = cast("tuple[Any, tuple[Any, ...]]", before.__reduce_ex__(2))
    model, unknown_count, byteorder, *arrays = arguments
    assert byteorder == sys.byteorder
    turned = [bytes(reversed(each)) for each in arrays]  # the numbers in turn, too
    again = restore(model, unknown_count, {"little": "big", "big": "little"}[byteorder], *turned)
    assert again.ids.tolist() == before.ids.tolist()[::-1]
    assert before.offsets is not None
    assert again.offsets.tolist() == before.offsets.tolist()[::-1]


def test_processes_send_them_back() -> None:
    """As with `concurrent.futures`, in a process that is started afresh."""
    model = pairloom.train("low low lower lowest", 6)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        sent = pool.submit(methodcaller("encode_batch", TEXTS, offsets=True), model).result()
        ids = pool.submit(methodcaller("encode_utf8", b"low slower"), model).result()
    expected = model.encode_batch(TEXTS, offsets=True)
    assert sent == expected
    assert sent.token_ids == expected.token_ids
    assert ids == model.encode_utf8(b"low slower")
    assert type(ids.model.text_encoder) is kernel.TextEncoder


@on_every_kernel
def test_arrays_that_do_not_fit_are_refused(kernel_name: str) -> None:
    with running(kernel_name):
        ids = (
            pairloom.train("low low lower lowest newer", 9, min_frequency=1)
            .encode_batch(["low", "newer low"])
            .token_ids
        )
        smaller = pairloom.train("low", 1, min_frequency=1)
    for ends in ([10**6], [2, 1], [0, 2**63]):
        with pytest.raises(ValueError, match="give those that came with the tokens"):
            dataclasses.replace(ids, ends=memoryview(array("Q", ends))).lists()
    assert max(ids.ids) >= len(smaller.vocabulary)
    with pytest.raises(ValueError, match="give the model that made them"):
        dataclasses.replace(ids, model=smaller).lists()
