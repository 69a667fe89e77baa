# Word counts as columns, for tables that leave this process: the words one behind the other, where each ends, its count.
#
# Rows are in the order of a hash that is the same on every machine, so that any two tables of words can be merged range
# by range, whoever made them. It is FNV-1a of the bytes, 64 bits, with the finalizer of MurmurHash3 behind it: FNV alone
# leaves the high bits of short words alike.

cdef extern from "stdlib.h" nogil:
    void qsort(void *start, size_t count, size_t size, int (*compare)(const void *, const void *) noexcept nogil)


cdef struct Row:
    uint64_t hash
    const uint8_t *start
    uint64_t length
    uint64_t count


cdef inline uint64_t fixed_hash(const uint8_t *start, size_t length) noexcept nogil:
    cdef uint64_t mixed = <uint64_t> 0xcbf29ce484222325
    cdef size_t i
    for i in range(length):
        mixed = (mixed ^ start[i]) * <uint64_t> 0x100000001b3
    mixed = (mixed ^ (mixed >> 33)) * <uint64_t> 0xff51afd7ed558ccd
    mixed = (mixed ^ (mixed >> 33)) * <uint64_t> 0xc4ceb9fe1a85ec53
    return mixed ^ (mixed >> 33)


cdef int compare_rows(const void *first, const void *second) noexcept nogil:
    """By hash, then byte by byte, which is code point by code point."""
    cdef const Row *a = <const Row *> first
    cdef const Row *b = <const Row *> second
    cdef int order
    if a.hash != b.hash:
        return -1 if a.hash < b.hash else 1
    order = memcmp(a.start, b.start, <size_t> min(a.length, b.length))
    if order == 0 and a.length != b.length:
        return -1 if a.length < b.length else 1
    return order


cdef Row *sort_rows(Row *rows, size_t size, uint64_t low, uint64_t high) noexcept nogil:
    """The rows in order, in new memory; the old is freed. NULL where there is none, and the old is kept.

    Hashes are spread evenly, so that one step puts each row within a few places of its own.
    """
    cdef size_t buckets = 2, i, begin
    cdef int shift = 0
    cdef size_t *ends
    cdef Row *sorted_rows
    while buckets < size // 4 and buckets < 1 << 20:
        buckets *= 2
    while (high - low) >> shift >= buckets:
        shift += 1
    ends = <size_t *> pl_new_zeros(buckets + 1, sizeof(size_t))
    sorted_rows = <Row *> pl_new(size, sizeof(Row))
    if ends == NULL or sorted_rows == NULL:
        pl_free(ends)
        pl_free(sorted_rows)
        return NULL
    for i in range(size):
        ends[((rows[i].hash - low) >> shift) + 1] += 1
    for i in range(buckets):
        ends[i + 1] += ends[i]
    # ends[b] is where bucket b begins, and after this loop where it ends.
    for i in range(size):
        begin = (rows[i].hash - low) >> shift
        sorted_rows[ends[begin]] = rows[i]
        ends[begin] += 1
    begin = 0
    for i in range(buckets):
        if ends[i] - begin > 1:
            qsort(sorted_rows + begin, ends[i] - begin, sizeof(Row), compare_rows)
        begin = ends[i]
    pl_free(ends)
    pl_free(rows)
    return sorted_rows


cdef object packed_columns(Row *rows, size_t size):
    """The columns of sorted rows, with equal words added up."""
    cdef size_t kept = 0, i, total = 0
    cdef bytes text, ends, counts
    cdef uint8_t *to
    cdef int64_t *end
    cdef int64_t *count
    for i in range(size):
        if kept and rows[i].hash == rows[kept - 1].hash and compare_rows(&rows[i], &rows[kept - 1]) == 0:
            if rows[i].count > <uint64_t> 0x7fffffffffffffff - rows[kept - 1].count:
                word = PyUnicode_DecodeUTF8(<const char *> rows[i].start, rows[i].length, "replace")
                raise CountOverflow(word=word, count=int(rows[i].count) + int(rows[kept - 1].count))
            rows[kept - 1].count += rows[i].count
            continue
        rows[kept] = rows[i]
        total += rows[i].length
        kept += 1
    text = PyBytes_FromStringAndSize(NULL, total)
    ends = PyBytes_FromStringAndSize(NULL, (kept + 1) * sizeof(int64_t))
    counts = PyBytes_FromStringAndSize(NULL, kept * sizeof(int64_t))
    to = <uint8_t *> PyBytes_AS_STRING(text)
    end = <int64_t *> PyBytes_AS_STRING(ends)
    count = <int64_t *> PyBytes_AS_STRING(counts)
    with nogil:
        total = 0
        end[0] = 0
        for i in range(kept):
            memcpy(to + total, rows[i].start, rows[i].length)
            total += rows[i].length
            end[i + 1] = total
            count[i] = rows[i].count
    return text, ends, counts


def word_hash(const uint8_t[::1] word not None):
    """Return the fixed hash of a word in UTF-8: 64 bits, the same on every machine."""
    return fixed_hash(&word[0], word.shape[0]) if word.shape[0] else fixed_hash(NULL, 0)


def sorted_columns(counts, *, bint bare):
    """Return a mapping of words to counts as columns: text, ends (from 0 on, one more than words) and counts.

    With `bare`, the marker in front of each word is left out.
    """
    cdef WordTable table = WordTable.of(counts)
    cdef Packed *packed = &table._packed
    cdef size_t i, begin, skipped
    cdef Row *rows = <Row *> pl_new(packed.size, sizeof(Row))
    cdef Row *in_order
    if rows == NULL:
        raise MemoryError
    try:
        with nogil:
            for i in range(packed.size):
                begin = packed.ends[i - 1] if i else 0
                skipped = 3 if bare and packed.ends[i] - begin >= 3 and memcmp(
                    packed.text + begin, MARKER_BYTES, 3) == 0 else 0
                rows[i].start = packed.text + begin + skipped
                rows[i].length = packed.ends[i] - begin - skipped
                rows[i].count = packed.counts[i]
                rows[i].hash = fixed_hash(rows[i].start, <size_t> rows[i].length)
            in_order = sort_rows(rows, packed.size, 0, <uint64_t> -1)
        if in_order == NULL:
            raise MemoryError
        rows = in_order
        return packed_columns(rows, packed.size)
    finally:
        pl_free(rows)


def merged_columns(parts, uint64_t low=0, uint64_t high=<uint64_t> -1):
    """Return the sum of tables given as columns, in any order: of the words whose hash is from `low` to `high`.

    Raises: ValueError (columns that do not fit together), CountOverflow.
    """
    cdef Py_buffer *views = NULL
    cdef size_t opened = 0, rows_wanted = 0, used = 0, part, i, size, length
    cdef Row *rows = NULL
    cdef Row *in_order
    cdef const int64_t *ends
    cdef const int64_t *counts
    cdef Row row
    cdef bint fits = True
    parts = list(parts)
    size = len(parts)
    views = <Py_buffer *> pl_new_zeros(3 * size, sizeof(Py_buffer))
    if views == NULL:
        raise MemoryError
    try:
        for columns in parts:
            for column in columns:
                PyObject_GetBuffer(column, &views[opened], PyBUF_SIMPLE)
                opened += 1
            if opened % 3 or views[opened - 2].len != views[opened - 1].len + 8 or views[opened - 1].len % 8:
                raise ValueError("the columns of a table of words do not fit together")
            rows_wanted += views[opened - 1].len // 8
        rows = <Row *> pl_new(rows_wanted, sizeof(Row))
        if rows == NULL:
            raise MemoryError
        with nogil:
            for part in range(size):
                ends = <const int64_t *> views[3 * part + 1].buf
                counts = <const int64_t *> views[3 * part + 2].buf
                length = views[3 * part + 2].len // 8
                for i in range(length):
                    if ends[i] < 0 or ends[i + 1] < ends[i] or ends[i + 1] > views[3 * part].len or counts[i] < 1:
                        fits = False
                        break
                    row.start = <const uint8_t *> views[3 * part].buf + ends[i]
                    row.length = ends[i + 1] - ends[i]
                    row.count = counts[i]
                    row.hash = fixed_hash(row.start, <size_t> row.length)
                    if low <= row.hash <= high:
                        rows[used] = row
                        used += 1
                if not fits:
                    break
            in_order = sort_rows(rows, used, low, high) if fits else NULL
        if not fits:
            raise ValueError("the columns of a table of words do not fit together")
        if in_order == NULL:
            raise MemoryError
        rows = in_order
        return packed_columns(rows, used)
    finally:
        pl_free(rows)
        for part in range(opened):
            PyBuffer_Release(&views[part])
        pl_free(views)


def table_of_columns(parts, size_t words, size_t text_bytes, *, bint mark):
    """Return the table of columns that come one after the other, each word in one of them only.

    With `mark`, the marker is put in front of each word. `words` and `text_bytes` are those of all columns, without
    the markers, so that room is made once.
    """
    cdef WordTable table = WordTable.__new__(WordTable)
    cdef Packed *packed = &table._packed
    cdef size_t at = 0, i, size, length
    cdef int64_t begin
    cdef Py_buffer view
    cdef const uint8_t[::1] text
    cdef const int64_t *ends
    cdef const int64_t *numbers
    packed.text_capacity = text_bytes + (3 * words if mark else 0) + 16
    packed.text = <uint8_t *> pl_new(packed.text_capacity, 1)
    packed.ends = <uint64_t *> pl_new(words, sizeof(uint64_t))
    packed.counts = <uint64_t *> pl_new(words, sizeof(uint64_t))
    if packed.text == NULL or packed.ends == NULL or packed.counts == NULL:
        raise MemoryError
    for text_column, ends_column, counts_column in parts:
        end_bytes, count_bytes = bytes(ends_column), bytes(counts_column)
        text = memoryview(text_column).cast("B")
        size = len(count_bytes) // 8
        if len(end_bytes) != len(count_bytes) + 8 or packed.size + size > words:
            raise ValueError("the columns of a table of words do not fit together")
        ends = <const int64_t *> PyBytes_AS_STRING(end_bytes)
        numbers = <const int64_t *> PyBytes_AS_STRING(count_bytes)
        for i in range(size):
            begin = ends[i]
            length = <size_t> (ends[i + 1] - begin)
            if begin < 0 or ends[i + 1] <= begin or ends[i + 1] > text.shape[0] or numbers[i] < 1 or (
                at + length + (19 if mark else 16) > packed.text_capacity
            ):
                raise ValueError("the columns of a table of words do not fit together")
            if mark:
                memcpy(packed.text + at, MARKER_BYTES, 3)
                at += 3
            memcpy(packed.text + at, &text[begin], length)
            at += length
            packed.ends[packed.size] = at
            packed.counts[packed.size] = numbers[i]
            packed.size += 1
        PyErr_CheckSignals()
    memset(packed.text + at, 0, 16)
    return table
