# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: embedsignature=True
# distutils: language = c
"""The compiled kernel: counting and training on raw UTF-8 and integers. Equal to the pure one to the byte.

One module, one idea an included file, in the order in which they build on each other. All memory comes from `pl_new`
and `pl_reserve`, and every function that asks for some can say that there is none.
"""

from cpython.buffer cimport (
    PyBUF_FORMAT,
    PyBUF_ND,
    PyBUF_SIMPLE,
    PyBUF_STRIDES,
    PyBUF_WRITABLE,
    PyBUF_WRITE,
    PyBuffer_Release,
    PyObject_GetBuffer,
)
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.exc cimport PyErr_CheckSignals
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.unicode cimport (
    PyUnicode_DATA,
    PyUnicode_DecodeUTF8,
    PyUnicode_GET_LENGTH,
    PyUnicode_KIND,
)
from cpython.pythread cimport (
    NOWAIT_LOCK,
    PyThread_acquire_lock,
    PyThread_allocate_lock,
    PyThread_free_lock,
    PyThread_release_lock,
    PyThread_type_lock,
)
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcmp, memcpy, memset

import os
from _thread import RLock, allocate_lock, start_new_thread
from collections.abc import ItemsView as CollectionsItemsView
from collections.abc import KeysView, Mapping
from collections.abc import ValuesView as CollectionsValuesView
from io import BufferedReader
from operator import index
from struct import calcsize
from sys import byteorder

from pairloom import unicode_data, unicode_tables
from pairloom.checks import whole_number
from pairloom.errors import (
    CorpusTooLarge,
    CountError,
    CountOverflow,
    ForbiddenCodePoint,
    InvalidUtf8,
    UnknownTokenId,
    WorkUnfinished,
)
from pairloom.kernel.pure_encoding import FOREIGN_ID, WRONG_ENDS, restored_encoder
from pairloom.kernel.pure_training import LearnedPair
from pairloom.normalizer import fold_whitespace
from pairloom.normalizer import lower as lower_case

# Not everywhere.
register_at_fork = getattr(os, "register_at_fork", None)
sched_getaffinity = getattr(os, "sched_getaffinity", None)

NATIVE_ORDERS = ("@", "=", "<" if byteorder == "little" else ">")

cdef extern from "pythread.h" nogil:
    int PyThread_acquire_lock_timed(PyThread_type_lock lock, long long microseconds, int may_be_interrupted)

cdef extern from "Python.h":
    """
    #if PY_VERSION_HEX < 0x030d0000
    #define Py_IsFinalizing _Py_IsFinalizing
    #endif
    """
    bint PyUnicode_IS_ASCII(str text)
    bint Py_IsFinalizing()

cdef extern from "_kernel.h" nogil:
    const uint32_t NO_PAIR "UINT32_MAX"
    const uint32_t LONG_WORD "UINT32_C(0x80000000)"
    const uint32_t NO_RANK "UINT32_MAX"
    const uint32_t NO_SYMBOL "UINT32_MAX"
    const uint32_t SWALLOWED "UINT32_MAX"
    const uint32_t UNKNOWN "UINT32_C(0x80000000)"
    const int32_t LAST_KEY "INT32_MAX"
    const uint32_t FREE_SLOT "UINT32_MAX"
    const size_t NOWHERE "SIZE_MAX"
    long long pl_until_refusal
    long long pl_held
    const int pl_counts_allocations
    void *pl_new(size_t count, size_t item)
    void *pl_new_zeros(size_t count, size_t item)
    void pl_free(void *memory)
    bint pl_reserve(void **memory, size_t *capacity, size_t wanted, size_t item)
    void pl_trim(void **memory, size_t *capacity, size_t used, size_t item)
    bint pl_double(void **memory, size_t count, size_t item)
    void PL_PREFETCH(const void *address)
    int pl_lowest_bit(uint64_t x)
    int pl_highest_bit(uint64_t x)
    uint64_t pl_fold_multiply(uint64_t a, uint64_t b)
    uint64_t pl_load(const uint8_t *start)
    void pl_load_short(const uint8_t *start, size_t length, uint64_t *first, uint64_t *second)
    uint64_t pl_ordering_prefix(const uint8_t *start, size_t length)
    void pl_classify(const uint8_t *start, uint64_t *space, uint64_t *high)
    uint64_t pl_pair_hash(uint32_t left, uint32_t right, uint64_t factor)
    uint32_t pl_pair_check(uint64_t hashed, int rank_bits)
    size_t pl_other_bucket(size_t bucket, uint32_t check, int shift)
    uint32_t pl_rank_of(
        const uint32_t *slots, int shift, int rank_bits, uint64_t factor, uint32_t left, uint32_t right
    )
    uint32_t pl_own_rank(
        const uint32_t *slots,
        const uint32_t *rows,
        int shift,
        int rank_bits,
        uint64_t factor,
        uint32_t left,
        uint32_t right,
    )
    int32_t pl_key(uint32_t rank, uint32_t place, uint32_t prefix)
    int32_t pl_least(const int32_t *start, size_t count)
    ctypedef struct pl_merges:
        const uint32_t *slots
        const uint32_t *low
        const uint32_t *rows
        const uint32_t *results
        uint64_t factor
        uint32_t first_result
        int shift
        int rank_bits
    const size_t PL_MOST_IN_REGISTERS
    bint pl_has_wide_registers()
    size_t pl_merge_in_registers(
        const pl_merges *merges, uint32_t *symbols, size_t size, uint32_t prefix, uint64_t *operations
    )
    size_t pl_code_points(const uint8_t *start, size_t length)
    size_t pl_decode(const uint8_t *start, const uint8_t *end, uint32_t *code_point)
    size_t pl_encode(uint32_t code_point, uint8_t *to)
    bint pl_is_wide_space(uint32_t code_point, bint with_feff)
    uint32_t pl_read(int kind, const void *data, size_t at)
    size_t pl_last_cut(const uint8_t *bytes, size_t start, size_t length)

include "_unicode.pxi"
include "_words.pxi"
include "_team.pxi"
include "_scanning.pxi"
include "_joining.pxi"
include "_table.pxi"
include "_counting.pxi"
include "_columns.pxi"
include "_pairs.pxi"
include "_training.pxi"
include "_parts.pxi"
include "_merging.pxi"
include "_word_cache.pxi"
include "_encoding.pxi"
include "_work.pxi"
include "_encoder.pxi"


def merge_in_registers(bint wanted):
    """Say whether words of few symbols are merged in registers from now on, where this machine can; tests try both."""
    global _most_in_registers
    _most_in_registers = PL_MOST_IN_REGISTERS if wanted and pl_has_wide_registers() else 0
    return _most_in_registers > 0


def wait_at_most(long long microseconds):
    """Say how long a job waits for its turn from now on, and return how long it did: for tests."""
    global _longest_wait
    before = _longest_wait
    _longest_wait = microseconds
    return before


def refuse_allocation(long long number):
    """Let the request for memory of this number fail, counted from 0 and from now on; -1 lets none. For test builds."""
    global pl_until_refusal
    if not pl_counts_allocations:
        raise RuntimeError("built without PAIRLOOM_TEST_ALLOCATION")
    pl_until_refusal = number


def held_allocations():
    """Return how many pieces of memory are held now. For test builds."""
    if not pl_counts_allocations:
        raise RuntimeError("built without PAIRLOOM_TEST_ALLOCATION")
    return pl_held
