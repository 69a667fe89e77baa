# Texts → codes: blocks are cut at whitespace, words looked up among those merged before, and merged where they are new.
#
# A code is the ID of a token, or UNKNOWN and the code point that has none (E3). Every source is in memory, so a job, one
# or some thousand short texts or a block of a long one, is a range of it: threads take jobs in turn, and write each into
# arrays of their own. What is wrong with a text is looked for again, from its start, when a job has met something.

cdef enum:
    BLOCK = 1 << 18  # bytes or code points of a job, about: its text stays in a core's own cache
    MOST_TEXTS = 4096  # of one job
    WORTH_ROOM = 1 << 20  # bytes or code points of a call: its arrays get their room at once
    MOST_IDLE = 8  # encoders that are kept for the next job


cdef struct Tables:
    Ranks ranks
    pl_merges merges  # the same, for words of few symbols
    uint32_t *symbol_of  # by code point, plus one; 0: not in the alphabet
    uint32_t *ids  # by symbol
    uint32_t *widths  # by ID, code points without the marker
    size_t text_capacity
    uint8_t *text  # the vocabulary in UTF-8, markers as spaces where they are spaces
    uint64_t *ends  # by ID
    size_t vocabulary_size
    uint32_t marker_symbol
    bint lowercase
    bint punctuation
    bint marker


cdef struct Source:
    const void *data
    size_t length  # in bytes, or in code points of 1, 2 or 4 bytes
    int kind  # 0: UTF-8, that of an ASCII `str` too


cdef struct Job:
    size_t first  # of the texts, and the one behind the last
    size_t last
    size_t begin  # the part of it, if it is one
    size_t end
    size_t points_before
    size_t worker
    size_t codes_begin
    size_t codes_end


cdef struct Output:
    # What the jobs of one thread have made so far.
    uint32_t *codes
    size_t codes_used
    size_t codes_capacity
    uint64_t *places  # two for each code, if they are wanted
    size_t places_capacity
    bint wants_places
    size_t met_in  # the first text in which something is wrong


cdef long long _longest_wait = 100_000  # microseconds for its turn; then a job goes on without


cdef struct Turn:
    # A thread that waits for its turn. Not on its stack: Python may end it there when the interpreter does.
    PyThread_type_lock lock
    Turn *following


cdef struct Encoder:
    # What a job is done with. `tables` belongs to all, `output` to the thread that does the job, `is_given_up` to its work.
    const Tables *tables
    Output *output
    const bint *is_given_up
    uint32_t prefix
    WordCache cache
    Rewriter rewriter
    LongWord long_word
    uint8_t *buffer
    size_t buffer_capacity
    uint32_t *symbols
    size_t symbols_capacity
    uint32_t *made  # codes of one unit
    size_t made_used
    size_t made_capacity
    # Where in the text, in code points, the byte `counted` is.
    const uint8_t *counted
    uint64_t points
    uint32_t *origin
    size_t origin_capacity
    uint64_t operations


cdef void close_tables(Tables *tables) noexcept nogil:
    close_ranks(&tables.ranks)
    pl_free(tables.symbol_of)
    pl_free(tables.ids)
    pl_free(tables.widths)
    pl_free(tables.text)
    pl_free(tables.ends)
    memset(tables, 0, sizeof(Tables))


cdef void close_encoder(Encoder *encoder) noexcept nogil:
    close_cache(&encoder.cache)
    close_rewriter(&encoder.rewriter)
    close_long_word(&encoder.long_word)
    pl_free(encoder.buffer)
    pl_free(encoder.symbols)
    pl_free(encoder.made)
    pl_free(encoder.origin)
    memset(encoder, 0, sizeof(Encoder))


cdef void close_output(Output *output) noexcept nogil:
    pl_free(output.codes)
    pl_free(output.places)
    memset(output, 0, sizeof(Output))


cdef int encode_piece(Encoder *encoder, const uint8_t *start, size_t length, bint marked) except -1 nogil:
    """Merge one pre-token and put its codes behind those of its unit."""
    cdef const Tables *tables = encoder.tables
    cdef size_t size = 0, at = 0, i
    cdef uint32_t point = 0, symbol
    cdef uint32_t *symbols
    cdef uint32_t *made
    if not pl_reserve(<void **> &encoder.symbols, &encoder.symbols_capacity, length + 1, sizeof(uint32_t)):
        no_memory()
    symbols = encoder.symbols
    if marked:
        symbols[0] = tables.marker_symbol
        size = 1
    while at < length:
        if start[at] < 0x80:
            point = start[at]
            at += 1
        else:
            at += pl_decode(start + at, start + length, &point)
        symbol = tables.symbol_of[point]
        symbols[size] = symbol - 1 if symbol else UNKNOWN | point
        size += 1
    if size <= _most_in_registers:
        size = pl_merge_in_registers(&tables.merges, symbols, size, encoder.prefix, &encoder.operations)
    elif size <= FEW_SYMBOLS:
        size = merge_few(&tables.ranks, symbols, size, encoder.prefix, &encoder.operations)
    else:
        merge_many(
            &tables.ranks, &encoder.long_word, symbols, &size, encoder.prefix, &encoder.operations, encoder.is_given_up
        )
    if not pl_reserve(
        <void **> &encoder.made, &encoder.made_capacity, encoder.made_used + size, sizeof(uint32_t)
    ):
        no_memory()
    made = encoder.made + encoder.made_used
    for i in range(size):
        symbol = symbols[i]
        made[i] = symbol if symbol & UNKNOWN else tables.ids[symbol]
    encoder.made_used += size
    return 0


cdef int encode_known_piece(Encoder *encoder, const uint8_t *start, size_t length, bint marked) except -1 nogil:
    """Like `encode_piece`, for one of several of a unit, which may have been seen in another. 16 bytes are readable."""
    cdef Word word
    cdef Known *known
    cdef const uint32_t *codes
    cdef size_t size, before = encoder.made_used
    cdef uint32_t kind = MARKED_PIECE if marked else BARE_PIECE
    look_at(&word, start, length)
    known = find_known(&encoder.cache, &word, kind)
    if known == NULL:
        encode_piece(encoder, start, length, marked)
        if not keep_word(&encoder.cache, &word, kind, encoder.made + before, encoder.made_used - before):
            no_memory()
        return 0
    codes = codes_of(&encoder.cache, known, &size)
    if not pl_reserve(<void **> &encoder.made, &encoder.made_capacity, before + size, sizeof(uint32_t)):
        no_memory()
    memcpy(encoder.made + before, codes, size * sizeof(uint32_t))
    encoder.made_used += size
    return 0


cdef int encode_word(Encoder *encoder, const uint8_t *start, size_t length) except -1 nogil:
    """Encode one word, whole or in the pieces that the punctuation pre-tokenizer makes of it."""
    cdef size_t begin = 0, end
    cdef bint marked = encoder.tables.marker
    if not encoder.tables.punctuation:
        return encode_piece(encoder, start, length, marked)
    while begin < length:
        end = begin + piece_end(start + begin, length - begin)
        encode_known_piece(encoder, start + begin, end - begin, marked)
        begin = end
        marked = False
    return 0


cdef int encode_unit(Encoder *encoder, const uint8_t *start, size_t length) except -1 nogil:
    """Encode what stands between two whitespaces: with lower case on several words, if U+FEFF parts them (N3)."""
    cdef size_t begin = 0, end
    encoder.made_used = 0
    if not encoder.tables.lowercase:
        return encode_word(encoder, start, length)
    if not lower_word(&encoder.rewriter, start, length, &length):
        no_memory()
    start = encoder.rewriter.text
    while begin < length:
        end = begin
        while end < length:
            if start[end] == 0xEF and end + 2 < length and start[end + 1] == 0xBB and start[end + 2] == 0xBF:
                break
            end += 1
        if end > begin:
            encode_word(encoder, start + begin, end - begin)
        begin = end + 3
    return 0


cdef int note_offsets(Encoder *encoder, const Word *word, const uint32_t *codes, size_t size) except -1 nogil:
    """Write where the tokens of a unit stand in the raw text. Rule: E8."""
    cdef const Tables *tables = encoder.tables
    cdef Output *output = encoder.output
    cdef size_t i, at = 0, points = 0, taken
    cdef uint64_t begin, width
    cdef uint32_t point = 0
    cdef bint plain = True
    cdef uint64_t *places
    encoder.points += pl_code_points(encoder.counted, word.start - encoder.counted)
    encoder.counted = word.start
    begin = encoder.points
    if not pl_reserve(
        <void **> &output.places, &output.places_capacity, 2 * (output.codes_used + size), sizeof(uint64_t)
    ):
        no_memory()
    places = output.places + 2 * output.codes_used
    if tables.lowercase:
        # Only İ grows and only U+FEFF is dropped: without them every code point has its place.
        if not pl_reserve(
            <void **> &encoder.origin, &encoder.origin_capacity, 2 * word.length + 1, sizeof(uint32_t)
        ):
            no_memory()
        i = 0
        while at < word.length:
            taken = pl_decode(word.start + at, word.start + word.length, &point)
            at += taken
            if point == BYTE_ORDER_MARK or point == GROWING:
                plain = False
            if point != BYTE_ORDER_MARK:
                encoder.origin[points] = <uint32_t> i
                points += 1
                if point == GROWING:
                    encoder.origin[points] = <uint32_t> i
                    points += 1
            i += 1
    if plain:
        for i in range(size):
            width = width_of(tables, codes[i])
            places[2 * i] = begin
            begin += width
            places[2 * i + 1] = begin
        return 0
    at = 0
    for i in range(size):
        width = width_of(tables, codes[i])
        places[2 * i] = begin + encoder.origin[at]
        places[2 * i + 1] = begin + encoder.origin[at + width - 1] + 1 if width else begin + encoder.origin[at]
        at += width
    return 0


cdef inline uint64_t width_of(const Tables *tables, uint32_t code) noexcept nogil:
    """Code points of a token without the marker; no text has one, so an unknown one is the word's own."""
    if code & UNKNOWN:
        return 0 if code == (UNKNOWN | MARKER) else 1
    return tables.widths[code]


cdef int take_encoded(Scanner *scanner, Word *batch, size_t count) except -1 nogil:
    """Write the codes of some words behind those that are there."""
    cdef Encoder *encoder = <Encoder *> scanner.taker
    cdef Output *output = encoder.output
    cdef size_t i, size
    cdef Known *known
    cdef const uint32_t *codes
    cdef uint32_t *to
    if not pl_reserve(
        <void **> &output.codes, &output.codes_capacity, output.codes_used + 4 * BATCH, sizeof(uint32_t)
    ):
        no_memory()
    for i in range(count):
        known = find_known(&encoder.cache, &batch[i], WHOLE_UNIT)
        if known != NULL:
            codes = codes_of(&encoder.cache, known, &size)
        else:
            encode_unit(encoder, batch[i].start, batch[i].length)
            codes, size = encoder.made, encoder.made_used
            if not keep_word(&encoder.cache, &batch[i], WHOLE_UNIT, codes, size):
                no_memory()
        if size > INLINE_CODES:
            # For those words too that are still to come.
            if not pl_reserve(
                <void **> &output.codes,
                &output.codes_capacity,
                output.codes_used + size + 4 * BATCH,
                sizeof(uint32_t),
            ):
                no_memory()
        if output.wants_places:
            note_offsets(encoder, &batch[i], codes, size)
        to = output.codes + output.codes_used
        if size <= INLINE_CODES:
            to[0], to[1], to[2] = codes[0], codes[1], codes[2]
        else:
            memcpy(to, codes, size * sizeof(uint32_t))
        output.codes_used += size
    scanner.slots, scanner.mask = <const uint8_t *> encoder.cache.entries, encoder.cache.mask
    return 0


cdef int encode_range(
    Encoder *encoder, const Source *source, size_t begin, size_t end, uint64_t points_before, bint *is_sound
) except -1 nogil:
    """Encode a part of a text that begins and ends where words do."""
    cdef size_t size = end - begin, width = 1 if source.kind == 0 else (source.kind + 1 if source.kind < 4 else 4), i
    cdef uint32_t point
    cdef Scanner scanner
    if size > (<size_t> 1 << 60) or not pl_reserve(
        <void **> &encoder.buffer, &encoder.buffer_capacity, size * width + PADDING, 1
    ):
        no_memory()
    if source.kind == 0:
        if size:
            memcpy(encoder.buffer, <const uint8_t *> source.data + begin, size)
    else:
        size = 0
        for i in range(begin, end):
            point = pl_read(source.kind, source.data, i)
            if 0xD800 <= point <= 0xDFFF:
                is_sound[0] = False
                return 0
            size += pl_encode(point, encoder.buffer + size)
    encoder.counted = encoder.buffer
    encoder.points = points_before
    scanner.feff_is_space = not encoder.tables.lowercase
    scanner.take, scanner.taker = take_encoded, encoder
    scanner.slots, scanner.mask = <const uint8_t *> encoder.cache.entries, encoder.cache.mask
    scanner.slot_bytes, scanner.salt = 2 * sizeof(Known), WHOLE_UNIT
    scan_words(&scanner, encoder.buffer, size)
    is_sound[0] = scanner.marker_at == NOWHERE and scanner.invalid_at == NOWHERE
    return 0


cdef int do_job(Encoder *encoder, const Source *sources, Job *job, uint64_t *counts) except -1 nogil:
    """Encode the texts of a job, or its part of one; `counts` has the codes of each whole text."""
    cdef Output *output = encoder.output
    cdef size_t i, before
    cdef bint is_sound = True
    job.codes_begin = output.codes_used
    if job.first == job.last:
        encode_range(encoder, &sources[job.first], job.begin, job.end, job.points_before, &is_sound)
        if not is_sound:
            output.met_in = min(output.met_in, job.first)
    for i in range(job.first, job.last):
        before = output.codes_used
        encode_range(encoder, &sources[i], 0, sources[i].length, 0, &is_sound)
        counts[i] = output.codes_used - before
        if not is_sound:
            output.met_in = min(output.met_in, i)
            break
    job.codes_end = output.codes_used
    return 0


cdef size_t cut_source(const Source *source, size_t begin, size_t block) noexcept nogil:
    """Where the next block of a text ends: behind a whitespace that is not U+FEFF, or with the text."""
    cdef size_t length = source.length, limit = begin + block, i, found, searched = 0
    cdef const uint8_t *bytes = <const uint8_t *> source.data
    if length - begin <= block:
        return length
    if source.kind == 0:
        while limit < length:
            found = pl_last_cut(bytes + begin, searched, limit - begin)
            if found:
                return begin + found
            # A word longer than the block: on to its end.
            searched = limit - begin - 3 if limit - begin > 3 else 0
            limit = limit + block if length - limit > block else length
        return length
    for i in range(limit, begin, -1):
        if is_parting(pl_read(source.kind, source.data, i - 1)):
            return i
    for i in range(limit, length):
        if is_parting(pl_read(source.kind, source.data, i)):
            return i + 1
    return length


cdef inline bint is_parting(uint32_t point) noexcept nogil:
    """Whether a code point is whitespace, U+FEFF not counted."""
    return point == 0x20 or 0x09 <= point <= 0x0D or (point >= 0x80 and pl_is_wide_space(point, False))


cdef class CodeArray:
    """Numbers of 32 or 64 bits for whoever takes a buffer; it never changes."""

    cdef void *_data
    cdef Py_ssize_t _size
    cdef Py_ssize_t _item

    def __dealloc__(self):
        pl_free(self._data)

    def __getbuffer__(self, Py_buffer *view, int flags):
        if flags & PyBUF_WRITABLE == PyBUF_WRITABLE:
            raise BufferError("the array is read-only")
        view.buf = self._data if self._data != NULL else &self._size  # an empty array has an address, too
        view.obj = self
        view.itemsize = self._item
        view.len = self._size * self._item
        view.readonly = True
        view.ndim = 1
        view.format = NULL
        if flags & PyBUF_FORMAT:
            view.format = "I" if self._item == 4 else "Q"
        view.shape = &self._size if flags & PyBUF_ND else NULL
        view.strides = &self._item if flags & PyBUF_STRIDES == PyBUF_STRIDES else NULL
        view.suboffsets = NULL
        view.internal = NULL


cdef object array_of(void *data, size_t size, Py_ssize_t item):
    """Return a view of an array, which it takes over, or frees where there is no memory for a view."""
    cdef CodeArray array
    try:
        array = CodeArray.__new__(CodeArray)
    except BaseException:
        pl_free(data)
        raise
    array._data, array._size, array._item = data, size, item
    return memoryview(array)
