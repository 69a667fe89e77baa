# Lower case, final sigma and the punctuation pre-tokenizer, on one distinct word at a time.
#
# The tables are those of `pairloom.unicode_data`, laid out flat when they are first needed.

cdef enum:
    CODE_POINTS = 0x110000
    CASED = 1
    IGNORABLE = 2
    WORD_CLASS = 4
    JOINING = 8  # marks, U+200C and U+200D: of the class of what stands before them
    CAPITAL_SIGMA = 0x3A3
    SMALL_SIGMA = 0x3C3
    FINAL_SIGMA = 0x3C2
    GROWING = 0x130  # the one mapping to two code points: i and U+0307
    BYTE_ORDER_MARK = 0xFEFF

cdef uint8_t *_properties = NULL
cdef uint32_t *_lower = NULL  # 0: stays as it is


cdef int load_unicode() except -1:
    """Lay out the tables, once a process."""
    global _properties, _lower
    cdef uint8_t *properties
    cdef uint32_t *lower
    cdef size_t first, end, i
    cdef uint8_t bit
    if _properties != NULL:
        return 0
    properties = <uint8_t *> pl_new_zeros(CODE_POINTS, 1)
    lower = <uint32_t *> pl_new_zeros(CODE_POINTS, sizeof(uint32_t))
    if properties == NULL or lower == NULL:
        pl_free(properties)
        pl_free(lower)
        raise MemoryError
    try:
        for bit, table in (
            (CASED, unicode_tables.CASED),
            (IGNORABLE, unicode_tables.CASE_IGNORABLE),
            (WORD_CLASS, unicode_tables.WORD),
            (JOINING, unicode_tables.MARK + "\u200c\u200d"),
        ):
            for first, end in unicode_data.code_point_ranges(table):
                for i in range(first, end):
                    properties[i] |= bit
        for source, target in unicode_data.LOWERCASE.items():
            if len(target) == 1:
                lower[<size_t> source] = <uint32_t> ord(target)
    except BaseException:
        pl_free(properties)
        pl_free(lower)
        raise
    if _properties != NULL:
        # Python ran in the meantime, and another thread was faster, or the handler of a signal.
        pl_free(properties)
        pl_free(lower)
        return 0
    _properties, _lower = properties, lower
    return 0


cdef struct Rewriter:
    # Code points of one word, and bytes of what they became.
    uint32_t *points
    size_t points_capacity
    uint8_t *text
    size_t text_capacity
    uint8_t *marked
    size_t marked_capacity


cdef void close_rewriter(Rewriter *rewriter) noexcept nogil:
    pl_free(rewriter.points)
    pl_free(rewriter.marked)
    pl_free(rewriter.text)
    memset(rewriter, 0, sizeof(Rewriter))


cdef bint is_final_sigma(const uint32_t *points, size_t size, size_t place) noexcept nogil:
    """Whether a cased letter comes before and none after, ignorable code points skipped first."""
    cdef size_t at = place
    while at > 0 and _properties[points[at - 1]] & IGNORABLE:
        at -= 1
    if at == 0 or not _properties[points[at - 1]] & CASED:
        return False
    at = place + 1
    while at < size and _properties[points[at]] & IGNORABLE:
        at += 1
    return at == size or not _properties[points[at]] & CASED


cdef bint lower_word(Rewriter *rewriter, const uint8_t *start, size_t length, size_t *written) noexcept nogil:
    """Put the lower case of a word into `rewriter.text`. False where there is no memory."""
    cdef size_t i, size = 0, to = 0
    cdef uint8_t byte
    cdef uint32_t point, lowered
    cdef bint plain = True
    # No mapping makes more than one and a half of its bytes.
    if not pl_reserve(<void **> &rewriter.text, &rewriter.text_capacity, 2 * length + 32, 1):
        return False
    for i in range(length):
        byte = start[i]
        if byte & 0x80:
            plain = False
            break
        rewriter.text[i] = byte + 32 if 65 <= byte <= 90 else byte
    if plain:
        written[0] = length
        return True
    if not pl_reserve(<void **> &rewriter.points, &rewriter.points_capacity, length, sizeof(uint32_t)):
        return False
    i = 0
    while i < length:
        i += pl_decode(start + i, start + length, &rewriter.points[size])
        size += 1
    for i in range(size):
        point = rewriter.points[i]
        if point == CAPITAL_SIGMA:
            lowered = FINAL_SIGMA if is_final_sigma(rewriter.points, size, i) else SMALL_SIGMA
        elif point == GROWING:
            to += pl_encode(0x69, rewriter.text + to)
            lowered = 0x307
        else:
            lowered = _lower[point]
            if lowered == 0:
                lowered = point
        to += pl_encode(lowered, rewriter.text + to)
    written[0] = to
    return True


cdef size_t piece_end(const uint8_t *start, size_t length) noexcept nogil:
    """Where the first pre-token of the rest of a word ends. Rule: P2."""
    cdef uint32_t point
    cdef size_t at = pl_decode(start, start + length, &point), taken
    cdef bint is_word = (_properties[point] & (WORD_CLASS | JOINING)) != 0
    while at < length:
        taken = pl_decode(start + at, start + length, &point)
        if is_word:
            if not _properties[point] & (WORD_CLASS | JOINING):
                break
        elif _properties[point] & WORD_CLASS:
            break
        at += taken
    return at
