# A model as the kernel uses it: text → arrays of codes, codes → text. It never changes, and any number of threads may
# use it: what a call needs beside the tables is its own.


cdef class TextEncoder:
    """Encodes and decodes with the merges of a model.

    Args:
        table: the merge list.
        alphabet, vocabulary, ids: of the model.
        lowercase, punctuation, marker: its settings.
    """

    cdef readonly object table
    cdef object _alphabet, _vocabulary, _ids, _lock, _numbers
    cdef bint _lowercase, _punctuation, _marker, _is_ready, _has_text
    cdef Tables _tables
    cdef Encoder *_idle[MOST_IDLE]
    cdef size_t _idle_count, _busy, _most_busy
    cdef Turn *_first  # of those that wait
    cdef Turn *_last
    cdef uint64_t _copies
    cdef uint64_t _operations

    def __cinit__(
        self, table, *, tuple alphabet, tuple vocabulary, dict ids, bint lowercase, bint punctuation, bint marker
    ):
        self.table, self._alphabet, self._vocabulary, self._ids = table, alphabet, vocabulary, ids
        self._lowercase, self._punctuation, self._marker = lowercase, punctuation, marker
        self._lock = allocate_lock()
        self._most_busy, self._copies = cores(), _copies

    def __dealloc__(self):
        cdef size_t i
        for i in range(self._idle_count):
            close_encoder(self._idle[i])
            pl_free(self._idle[i])
        close_tables(&self._tables)

    def __reduce__(self):
        settings = {
            "alphabet": self._alphabet,
            "vocabulary": self._vocabulary,
            "ids": self._ids,
            "lowercase": self._lowercase,
            "punctuation": self._punctuation,
            "marker": self._marker,
        }
        return restored_encoder, (self.table, settings)

    @property
    def operations(self):
        """The work done so far on words that were merged, in pairs and entries looked at."""
        return self._operations

    @property
    def busy(self):
        """How many jobs are being done."""
        return self._busy

    # ── text → codes ─────────────────────────────────────────────────────────────────────────────────────────────

    def encode(self, text, *, prefix, text_index=None):
        """Return the parts of the encoding of one text. Raises: ForbiddenCodePoint."""
        text = str.__str__(text)  # of a subclass, numpy's `str_` for one, the text alone
        codes, _, places = self._encode((text,), NULL, prefix, 1, True, BLOCK, "", text_index)
        normalized = fold_whitespace(lower_case(text) if self._lowercase else text)
        return self._parts(codes, places, normalized)

    def encode_texts(self, texts, *, prefix, int threads=1, bint offsets=False, size_t block=BLOCK):
        """Return the arrays of several texts. Raises: ForbiddenCodePoint, with `text_index`."""
        texts = tuple([text if type(text) is str else str.__str__(text) for text in texts])
        return self._encode(texts, NULL, prefix, threads, offsets, block, "", -1)

    def encode_utf8(
        self, data, *, prefix, int threads=1, bint offsets=False, source="<bytes>", size_t block=BLOCK
    ):
        """Return the arrays of a text in a buffer. Raises: InvalidUtf8, ForbiddenCodePoint, BufferError."""
        cdef Py_buffer view
        given = memoryview(data)
        if not given.c_contiguous:
            data = given.tobytes()
        PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
        try:
            return self._encode((), &view, prefix, threads, offsets, block, source, None)
        finally:
            PyBuffer_Release(&view)

    cdef object _encode(
        self,
        tuple texts,
        Py_buffer *view,
        prefix,
        int threads,
        bint offsets,
        size_t block,
        name,
        text_index,
    ):
        cdef Work work = Work.__new__(Work)
        cdef size_t met_in
        self._make_ready()
        work.open(self, texts, view, prefix, threads, offsets, block)
        work.run()
        met_in = work.met_in()
        if met_in != NOWHERE:
            self._raise_offence(&work._sources[met_in], name, met_in if text_index == -1 else text_index)
        return work.arrays()

    cdef int _raise_offence(self, const Source *source, name, text_index) except -1:
        """Raise what is wrong with a text: bytes that are no UTF-8 first, as they are no text at all."""
        cdef const uint8_t *bytes = <const uint8_t *> source.data
        cdef size_t at = 0, taken, marker_at = NOWHERE, i
        cdef uint32_t point = 0
        if source.kind:
            for i in range(source.length):
                point = pl_read(source.kind, source.data, i)
                if point == MARKER or 0xD800 <= point <= 0xDFFF:
                    raise ForbiddenCodePoint(
                        kind="marker" if point == MARKER else "surrogate",
                        position=i,
                        code_point=point,
                        text_index=text_index,
                    )
        while at < source.length:
            taken = pl_decode(bytes + at, bytes + source.length, &point)
            if taken == 0:
                raise InvalidUtf8(source=name, byte_offset=at)
            if point == MARKER and marker_at == NOWHERE:
                marker_at = at
            at += taken
        if marker_at == NOWHERE:
            # What was encoded was a copy: since then another thread has written over the offence.
            raise BufferError(f"{name} was changed while it was encoded: encode a copy of it")
        raise ForbiddenCodePoint(
            kind="marker", position=pl_code_points(bytes, marker_at), code_point=MARKER, text_index=text_index
        )

    cdef tuple _parts(self, codes, places, str normalized):
        """Return tokens, IDs and offsets as tuples, and the normalized text."""
        cdef const uint32_t[::1] code = codes
        cdef const uint64_t[::1] place = places
        cdef Py_ssize_t i, at = 0, size = code.shape[0]
        cdef list tokens = [None] * size, ids = [None] * size, offsets = [None] * size
        cdef list numbers = self._known_numbers()
        cdef tuple vocabulary = self._vocabulary
        for i in range(size):
            if code[i] & UNKNOWN:
                tokens[i] = chr(code[i] & ~<uint32_t> UNKNOWN)
            else:
                tokens[i] = vocabulary[code[i]]
                ids[i] = numbers[code[i]]
            offsets[i] = (place[2 * i], place[2 * i + 1])
        return tuple(tokens), tuple(ids), tuple(offsets), normalized

    def unknown_count(self, codes):
        """Return how many tokens have no ID. Rule: E3."""
        cdef const uint32_t[::1] code = codes
        cdef Py_ssize_t i
        cdef size_t count = 0
        with nogil:
            for i in range(code.shape[0]):
                count += code[i] >> 31
        return count

    def with_unknown(self, codes, uint32_t number):
        """Return the codes with a number in place of each that is no ID."""
        cdef const uint32_t[::1] code = codes
        cdef Py_ssize_t i
        cdef uint32_t *given = <uint32_t *> pl_new(code.shape[0], sizeof(uint32_t))
        if given == NULL:
            raise MemoryError
        with nogil:
            for i in range(code.shape[0]):
                given[i] = number if code[i] & UNKNOWN else code[i]
        return array_of(given, code.shape[0], 4)

    def lists(self, codes, ends):
        """Return the IDs of each text as a list, None for an unknown token. Raises: ValueError, if they do not fit."""
        cdef const uint32_t[::1] code = codes
        cdef const uint64_t[::1] end = ends
        cdef Py_ssize_t i, begin = 0, text
        cdef list numbers = self._known_numbers(), made = [], ids
        cdef size_t size = len(numbers), stop
        cdef uint32_t number
        for text in range(end.shape[0]):
            # Read once: arrays of others' may change.
            stop = end[text]
            if not <size_t> begin <= stop <= <size_t> code.shape[0]:
                raise ValueError(WRONG_ENDS)
            ids = [None] * (<Py_ssize_t> stop - begin)
            for i in range(begin, <Py_ssize_t> stop):
                number = code[i]
                if not number & UNKNOWN:
                    if number >= size:
                        raise ValueError(FOREIGN_ID)
                    ids[i - begin] = numbers[number]
            begin = <Py_ssize_t> stop
            made.append(ids)
        return made

    cdef list _known_numbers(self):
        """The IDs as Python's numbers, each made once."""
        if self._numbers is None:
            self._numbers = list(range(len(self._vocabulary)))
        return self._numbers

    # ── codes → text ─────────────────────────────────────────────────────────────────────────────────────────────

    def decode(self, ids, *, bint is_start=True):
        """Return the normalized text of IDs, in an array or one by one; the leading space stays unless `is_start`.

        Raises: UnknownTokenId.
        """
        cdef Py_buffer view
        cdef uint32_t *codes = NULL
        cdef size_t size = 0, capacity = 0
        self._make_ready()
        if not self._has_text:
            with self._lock:
                if not self._has_text:
                    self._lay_out_text()
                    self._has_text = True
        letter = number_format(ids)
        try:
            if letter is not None:
                PyObject_GetBuffer(ids, &view, PyBUF_SIMPLE)
                try:
                    return self._decoded_buffer(&view, letter, is_start, is_own_array(ids))
                finally:
                    PyBuffer_Release(&view)
            for number in ids:
                if not pl_reserve(<void **> &codes, &capacity, size + 1, sizeof(uint32_t)):
                    raise MemoryError
                codes[size] = self._checked(number, size)
                size += 1
                if size % 65536 == 0:
                    PyErr_CheckSignals()
            return self._decoded(codes, size, is_start)
        finally:
            pl_free(codes)

    cdef uint32_t _checked(self, number, size_t position) except? 0:
        cdef Py_ssize_t token_id = -1
        whole = number if type(number) is int else whole_number(number)
        if whole is not None and 0 <= whole < self._tables.vocabulary_size:
            token_id = whole
        if token_id < 0:
            raise UnknownTokenId(
                token_id=number if whole is None else whole, position=position, vocabulary_size=self._tables.vocabulary_size
            )
        return <uint32_t> token_id

    cdef str _decoded_buffer(self, Py_buffer *view, str letter, bint is_start, bint is_constant):
        """Decode an array of whole numbers of any size; one of this kernel's own is read where it is."""
        cdef size_t i, size, item = calcsize(letter), limit = self._tables.vocabulary_size
        cdef const uint8_t *data = <const uint8_t *> view.buf
        cdef bint is_signed = letter.islower()
        cdef uint32_t *codes
        cdef uint64_t number
        size = view.len // item
        # Whatever others may write to while it is read is copied first: an ID that was looked at stays what it was.
        if is_constant and item == 4:
            for i in range(size):
                if (<const uint32_t *> data)[i] >= limit:
                    break
            else:
                return self._decoded(<const uint32_t *> data, size, is_start)
        codes = <uint32_t *> pl_new(size, sizeof(uint32_t))
        if codes == NULL:
            raise MemoryError
        try:
            for i in range(size):
                # A negative number is a large one here, and too large for every vocabulary.
                number = read_number(data + i * item, item, is_signed)
                if number >= limit:
                    raise UnknownTokenId(
                        token_id=<int64_t> number if is_signed else number,
                        position=i,
                        vocabulary_size=limit,
                    )
                codes[i] = <uint32_t> number
            return self._decoded(codes, size, is_start)
        finally:
            pl_free(codes)

    cdef str _decoded(self, const uint32_t *codes, size_t size, bint is_start):
        """Return the text of codes, all of them IDs."""
        cdef size_t i, room = 0, at = 0, used = 0, begin
        cdef uint8_t *text
        for i in range(size):
            room += token_end(&self._tables, codes[i]) - token_begin(&self._tables, codes[i])
        text = <uint8_t *> pl_new(room + SHORT, 1)
        if text == NULL:
            raise MemoryError
        try:
            while at < size:
                with nogil:
                    write_tokens(&self._tables, codes, size, &at, text, &used)
                PyErr_CheckSignals()
            begin = 1 if is_start and self._marker and used and text[0] == 0x20 else 0
            return PyUnicode_DecodeUTF8(<const char *> text + begin, used - begin, NULL)
        finally:
            pl_free(text)

    # ── workers and tables ───────────────────────────────────────────────────────────────────────────────────────

    # All of this is done with the interpreter's lock and makes no Python object, so that nothing comes in between and
    # nothing can fail on the way back: a turn that is not handed on would be lost for ever.

    cdef Encoder *borrow(self, uint32_t prefix) except NULL:
        """Return what a job is done with, one that has encoded with this prefix before if one is idle.

        So many jobs as there are cores are done at a time: more threads than that would each merge the same words anew.
        Whoever comes later waits for its turn, some milliseconds as a rule.
        """
        cdef Encoder *encoder
        self._take_turn()
        encoder = self._idle_one(prefix)
        if encoder == NULL:
            encoder = new_encoder(&self._tables)
            if encoder == NULL:
                self._end_turn()
                raise MemoryError
        if encoder.prefix != prefix:
            begin_anew(&encoder.cache)
        encoder.prefix = prefix
        encoder.operations = 0
        return encoder

    cdef void give_back(self, Encoder *encoder) noexcept:
        """Keep it for the next job, with what it knows and no more memory than that."""
        let_go(encoder)
        self._operations += encoder.operations
        if self._idle_count < MOST_IDLE:
            self._idle[self._idle_count] = encoder
            self._idle_count += 1
        else:
            close_encoder(encoder)
            pl_free(encoder)
        self._end_turn()

    cdef Encoder *_idle_one(self, uint32_t prefix) noexcept:
        """Take one that is idle: with this prefix, or any, if there are as many as may be kept; NULL if there is none."""
        cdef size_t i, chosen = MOST_IDLE
        cdef Encoder *encoder
        for i in range(self._idle_count):
            if self._idle[i].prefix == prefix or (chosen == MOST_IDLE and self._idle_count == MOST_IDLE):
                chosen = i
        if chosen == MOST_IDLE:
            return NULL
        encoder = self._idle[chosen]
        self._idle_count -= 1
        # The one that was used last stands last.
        for i in range(chosen, self._idle_count):
            self._idle[i] = self._idle[i + 1]
        return encoder

    cdef int _take_turn(self) except -1:
        cdef Turn *turn
        if self._copies != _copies:
            # Whoever was at work when `fork` copied this process, or waited, is not here.
            self._copies, self._busy, self._first, self._last = _copies, 0, NULL, NULL
        if self._busy < self._most_busy:
            self._busy += 1
            return 0
        turn = <Turn *> pl_new(1, sizeof(Turn))
        if turn == NULL:
            raise MemoryError
        turn.lock = PyThread_allocate_lock()
        if turn.lock == NULL:
            pl_free(turn)
            raise MemoryError
        PyThread_acquire_lock(turn.lock, NOWAIT_LOCK)
        turn.following = NULL
        if self._last == NULL:
            self._first = turn
        else:
            self._last.following = turn
        self._last = turn
        # A signal ends the wait, too: its handler may encode, and would wait for those that it has interrupted.
        with nogil:
            PyThread_acquire_lock_timed(turn.lock, _longest_wait, 1)
        if self._leave(turn):
            # Its turn has not come. It goes on without one, beside long words that others are at.
            self._busy += 1
        PyThread_free_lock(turn.lock)
        pl_free(turn)
        return 0

    cdef bint _leave(self, Turn *turn) noexcept:
        """Leave the queue; False where the turn has come."""
        cdef Turn *before = NULL
        cdef Turn *waiting = self._first
        while waiting != NULL and waiting != turn:
            before = waiting
            waiting = waiting.following
        if waiting == NULL:
            return False
        if before == NULL:
            self._first = turn.following
        else:
            before.following = turn.following
        if self._last == turn:
            self._last = before
        return True

    cdef void _end_turn(self) noexcept:
        """Hand the turn on to whoever has waited longest."""
        cdef Turn *turn = self._first
        if turn != NULL and self._busy <= self._most_busy:
            self._first = turn.following
            if self._first == NULL:
                self._last = NULL
            PyThread_release_lock(turn.lock)
        elif self._busy:
            self._busy -= 1

    cdef int _make_ready(self) except -1:
        """Lay the tables out, once: a model may be trained to be saved alone."""
        if self._is_ready:
            return 0
        if self._lowercase or self._punctuation:
            # Not under the lock: this runs Python, and with it whatever wants to encode, too.
            load_unicode()
        with self._lock:
            if not self._is_ready:
                try:
                    self._lay_out()
                except BaseException:
                    close_tables(&self._tables)
                    raise
                self._is_ready = True
        return 0

    cdef int _lay_out(self) except -1:
        cdef Tables *tables = &self._tables
        cdef size_t size = len(self._vocabulary), i, merges = len(self.table.rows)
        cdef uint32_t *symbols  # by ID, plus one
        cdef dict ids = self._ids
        if size >= UNKNOWN or merges > MOST_RANKS:
            raise OverflowError(f"{merges:,} merges are too many: {MOST_RANKS:,} can be encoded with")
        tables.lowercase, tables.punctuation, tables.marker = self._lowercase, self._punctuation, self._marker
        tables.vocabulary_size = size
        symbols = <uint32_t *> pl_new_zeros(size, sizeof(uint32_t))
        tables.ids = <uint32_t *> pl_new(size, sizeof(uint32_t))
        tables.widths = <uint32_t *> pl_new(size, sizeof(uint32_t))
        tables.symbol_of = <uint32_t *> pl_new_zeros(CODE_POINTS, sizeof(uint32_t))
        try:
            if symbols == NULL or tables.ids == NULL or tables.widths == NULL or tables.symbol_of == NULL:
                raise MemoryError
            if not open_ranks(&tables.ranks, merges):
                raise MemoryError
            for token_id in ids.values():
                if not 0 <= token_id < size:
                    raise ValueError(f"the ID {token_id} is not below the size of the vocabulary, {size}")
            self._number(symbols)
            for symbol in self._alphabet:
                tables.symbol_of[<uint32_t> ord(symbol)] = symbols[<size_t> ids[symbol]]
            i = tables.symbol_of[MARKER]
            tables.marker_symbol = <uint32_t> i - 1 if i else UNKNOWN | MARKER
        finally:
            pl_free(symbols)
        for i in range(size):
            tables.widths[i] = <uint32_t> PyUnicode_GET_LENGTH(<str> self._vocabulary[i])
            if self._marker and (<str> self._vocabulary[i])[0] == MARKER:
                tables.widths[i] -= 1
        return 0

    cdef int _number(self, uint32_t *symbols) except -1:
        """Number the symbols and enter the merges."""
        cdef Ranks *ranks = &self._tables.ranks
        cdef MergeRow *rows = ranks.rows
        cdef dict ids = self._ids
        cdef tuple vocabulary = self._vocabulary
        cdef size_t used = 0, i, base = len(self._alphabet), merges = len(self.table.rows), expected = base
        for row in self.table.rows:
            rows[ranks.size].left = ids[row[0]]
            rows[ranks.size].right = ids[row[1]]
            # A string that the list makes for the first time has the next ID (V1).
            if expected < self._tables.vocabulary_size and row[2] is vocabulary[expected]:
                ranks.results[ranks.size] = <uint32_t> expected
                expected += 1
            else:
                ranks.results[ranks.size] = ids[row[2]]
            ranks.size += 1
        # No merge makes a single code point: what is not in the alphabet is a result.
        for i in range(merges):
            if rows[i].left < base:
                self._symbol(symbols, rows[i].left, &used)
            if rows[i].right < base:
                self._symbol(symbols, rows[i].right, &used)
        for i in range(base):
            self._symbol(symbols, i, &used)
        ranks.first_result = <uint32_t> used
        for i in range(merges):
            ranks.results[i] = self._symbol(symbols, ranks.results[i], &used)
            rows[i].left = self._symbol(symbols, rows[i].left, &used)
            rows[i].right = self._symbol(symbols, rows[i].right, &used)
        if used == base + merges:
            # Each made a string of its own.
            pl_free(ranks.results)
            ranks.results = NULL
        if not index_ranks(ranks):
            raise MemoryError
        self._tables.merges = merges_of(ranks)
        return 0

    cdef uint32_t _symbol(self, uint32_t *symbols, size_t token_id, size_t *used) noexcept:
        """Return the number of a symbol, the next one where it has none yet."""
        if symbols[token_id] == 0:
            self._tables.ids[used[0]] = <uint32_t> token_id
            used[0] += 1
            symbols[token_id] = <uint32_t> used[0]
        return symbols[token_id] - 1

    cdef int _lay_out_text(self) except -1:
        """Lay the vocabulary out for decoding, once."""
        cdef Tables *tables = &self._tables
        cdef size_t i, at, used = 0, size = tables.vocabulary_size, length
        cdef uint32_t point
        cdef str token
        if tables.ends == NULL:
            # An earlier try may have come to an end here.
            tables.ends = <uint64_t *> pl_new(size, sizeof(uint64_t))
            if tables.ends == NULL:
                raise MemoryError
        for i in range(size):
            token = self._vocabulary[i]
            length = PyUnicode_GET_LENGTH(token)
            # Behind the text some bytes stay readable.
            if not pl_reserve(<void **> &tables.text, &tables.text_capacity, used + 4 * length + SHORT, 1):
                raise MemoryError
            for at in range(length):
                point = pl_read(PyUnicode_KIND(token), PyUnicode_DATA(token), at)
                if self._marker and point == MARKER:
                    point = 0x20
                used += pl_encode(point, tables.text + used)
            tables.ends[i] = used
        return 0


cdef Encoder *new_encoder(const Tables *tables) noexcept:
    """An encoder that knows no word; NULL where there is no memory."""
    cdef Encoder *encoder = <Encoder *> pl_new_zeros(1, sizeof(Encoder))
    if encoder == NULL:
        return NULL
    if not open_entries(&encoder.cache, FIRST_SETS) or not pl_reserve(
        <void **> &encoder.made, &encoder.made_capacity, INLINE_CODES, sizeof(uint32_t)
    ):
        close_encoder(encoder)
        pl_free(encoder)
        return NULL
    encoder.tables = tables
    return encoder


cdef uint64_t _copies = 0  # how many times `fork` has copied the process that this one comes from


def note_copy():
    global _copies
    _copies += 1


if register_at_fork is not None:
    register_at_fork(after_in_child=note_copy)


cdef size_t cores():
    """On how many cores this process may work."""
    return len(sched_getaffinity(0)) if sched_getaffinity is not None else os.cpu_count() or 1


cdef void let_go(Encoder *encoder) noexcept nogil:
    """Free what one large text made large."""
    if encoder.buffer_capacity > 4 * BLOCK:
        pl_free(encoder.buffer)
        encoder.buffer, encoder.buffer_capacity = NULL, 0
    if encoder.symbols_capacity > BLOCK:
        pl_free(encoder.symbols)
        encoder.symbols, encoder.symbols_capacity = NULL, 0
    if encoder.origin_capacity > BLOCK:
        pl_free(encoder.origin)
        encoder.origin, encoder.origin_capacity = NULL, 0
    if encoder.long_word.queue_capacity > BLOCK:
        close_long_word(&encoder.long_word)
    if encoder.rewriter.text_capacity > BLOCK:
        close_rewriter(&encoder.rewriter)


cdef inline uint64_t token_begin(const Tables *tables, uint32_t token_id) noexcept nogil:
    return tables.ends[token_id - 1] if token_id else 0


cdef inline uint64_t token_end(const Tables *tables, uint32_t token_id) noexcept nogil:
    return tables.ends[token_id]


cdef void write_tokens(
    const Tables *tables, const uint32_t *codes, size_t size, size_t *at, uint8_t *text, size_t *used
) noexcept nogil:
    """Write the text of some hundred thousand tokens; so many bytes as a short word has are writable behind all."""
    cdef size_t i = at[0], stop = min(size, i + BLOCK), length
    cdef const uint8_t *token
    cdef uint8_t *to = text + used[0]
    while i < stop:
        token = tables.text + token_begin(tables, codes[i])
        length = token_end(tables, codes[i]) - token_begin(tables, codes[i])
        memcpy(to, token, SHORT)
        if length > SHORT:
            memcpy(to + SHORT, token + SHORT, length - SHORT)
        to += length
        i += 1
    used[0] = to - text
    at[0] = stop


cdef inline uint64_t read_number(const uint8_t *start, size_t item, bint is_signed) noexcept nogil:
    """A whole number of 1, 2, 4 or 8 bytes; a negative one as its two's complement of 64 bits."""
    cdef uint16_t two
    cdef uint32_t four
    cdef uint64_t eight
    if item == 1:
        return <uint64_t> <int64_t> <int8_t> start[0] if is_signed else start[0]
    if item == 2:
        memcpy(&two, start, 2)
        return <uint64_t> <int64_t> <int16_t> two if is_signed else two
    if item == 4:
        memcpy(&four, start, 4)
        return <uint64_t> <int64_t> <int32_t> four if is_signed else four
    memcpy(&eight, start, 8)
    return eight


cdef str number_format(ids):
    """The letter that says what an array of whole numbers holds, as in `struct`; None for everything else."""
    try:
        view = memoryview(ids)
    except (TypeError, ValueError):  # no buffer, or one of what no letter says
        return None
    if view.ndim != 1 or not view.c_contiguous:
        return None
    letter = view.format[1:] if view.format[:1] in NATIVE_ORDERS else view.format
    return letter if len(letter) == 1 and letter in "bBhHiIlLqQ" and view.itemsize == calcsize(letter) else None


cdef bint is_own_array(ids):
    """Whether a buffer is a view of an array that this kernel made, which nobody can write to."""
    return isinstance(ids, memoryview) and isinstance(ids.obj, CodeArray)


def last_cut(data):
    """Return where a text in UTF-8 can be parted without parting a word: behind its last whitespace, or 0 (N3)."""
    cdef Py_buffer view
    cdef size_t cut
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        with nogil:
            cut = pl_last_cut(<const uint8_t *> view.buf, 0, view.len)
    finally:
        PyBuffer_Release(&view)
    return cut


def code_points_of(data):
    """Return how many code points UTF-8 in a buffer holds."""
    cdef Py_buffer view
    cdef size_t points
    PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
    try:
        with nogil:
            points = pl_code_points(<const uint8_t *> view.buf, view.len)
    finally:
        PyBuffer_Release(&view)
    return points


def little_endian(codes, int item):
    """Return 32-bit numbers as bytes, the low byte first: 4 bytes each, or 2, where all of them fit."""
    cdef const uint32_t[::1] code = codes
    cdef Py_ssize_t i
    cdef bytes made
    cdef uint8_t *to
    if item != 2 and item != 4:
        raise ValueError(f"{item} bytes: 2 or 4")
    made = PyBytes_FromStringAndSize(NULL, code.shape[0] * item)
    to = <uint8_t *> PyBytes_AS_STRING(made)
    with nogil:
        for i in range(code.shape[0]):
            to[0], to[1] = <uint8_t> code[i], <uint8_t> (code[i] >> 8)
            if item == 4:
                to[2], to[3] = <uint8_t> (code[i] >> 16), <uint8_t> (code[i] >> 24)
            to += item
    return made
