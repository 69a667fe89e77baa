# A block of raw UTF-8 → its words, some dozens at a time, for whoever counts or encodes them.
#
# Sixty-four bytes at a time become two bit masks: whitespace, and what is no ASCII. Only the latter is decoded.
# With lower case on, U+FEFF parts no words here: a final sigma looks across it (N3), so whoever takes the words
# lower-cases what stands between two whitespaces whole, and parts it afterwards.

cdef enum:
    MARKER = 0x2581
    PADDING = 80  # readable behind each block: one group of bytes and one short word

ctypedef int (*TakeWords)(Scanner *scanner, Word *batch, size_t size) except -1 nogil


cdef struct Scanner:
    bint feff_is_space
    TakeWords take
    void *taker
    # Where words are looked for: the place of each is fetched ahead. Kept up by `take`.
    const uint8_t *slots
    size_t mask
    size_t slot_bytes
    uint64_t salt
    # What no text may hold: the first places of each in the block.
    size_t marker_at
    size_t invalid_at


cdef int no_memory() except -1 nogil:
    with gil:
        raise MemoryError


cdef int scan_words(Scanner *scanner, uint8_t *text, size_t size) except -1 nogil:
    """Check a block to its end, or to its first byte that is not UTF-8, and hand its words on.

    It ends where a word ends; PADDING bytes are writable behind it.
    """
    cdef size_t at = 0, place, begin = 0, covered = 0, pending = 0, taken, offset
    cdef uint64_t space, high, edges, before = 1, carried = 0, span
    cdef uint32_t point = 0
    cdef bint inside = False
    cdef Word batch[BATCH]
    scanner.marker_at = NOWHERE
    scanner.invalid_at = NOWHERE
    memset(text + size, 0x20, PADDING)
    while at < size:
        pl_classify(text + at, &space, &high)
        space |= carried
        carried = 0
        if high:
            if covered > at:
                high = 0 if covered - at >= 64 else high & (~<uint64_t> 0 << (covered - at))
            while high:
                offset = pl_lowest_bit(high)
                place = at + offset
                taken = pl_decode(text + place, text + size, &point)
                if taken == 0:
                    scanner.invalid_at = place
                    return 0
                span = (<uint64_t> 1 << taken) - 1
                high &= ~(span << offset)
                if offset + taken > 64:
                    covered = place + taken
                if pl_is_wide_space(point, scanner.feff_is_space):
                    space |= span << offset
                    if offset + taken > 64:
                        carried = span >> (64 - offset)
                elif point == MARKER and scanner.marker_at == NOWHERE:
                    scanner.marker_at = place
        edges = space ^ ((space << 1) | before)
        before = space >> 63
        while edges:
            place = at + pl_lowest_bit(edges)
            edges &= edges - 1
            if not inside:
                begin = place
                inside = True
                continue
            inside = False
            look_at(&batch[pending], text + begin, place - begin)
            PL_PREFETCH(scanner.slots + ((batch[pending].hash + scanner.salt) & scanner.mask) * scanner.slot_bytes)
            pending += 1
            if pending == BATCH:
                scanner.take(scanner, batch, pending)
                pending = 0
        at += 64
    if inside:
        # The block ends with a group: nothing of the padding was looked at.
        look_at(&batch[pending], text + begin, size - begin)
        pending += 1
    if pending:
        scanner.take(scanner, batch, pending)
    return 0
