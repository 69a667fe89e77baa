# Raw UTF-8 → distinct words: texts are read by block, cut at whitespace, and checked to the last byte.
#
# A block ends where a word ends. What stands behind the last whitespace of a block is carried over to the next one, so
# a word, a whitespace and a multi-byte sequence are always whole, wherever the reading stopped.

cdef enum:
    DEFAULT_BLOCK = 1 << 20

cdef enum SourceKind:
    NO_SOURCE
    FROM_BYTES
    FROM_STR
    FROM_FILE


cdef enum Task:
    COUNT
    JOIN
    MEASURE
    WRITE


cdef struct Worker:
    WordHash words
    uint8_t *buffer
    size_t capacity
    # The block in the buffer, and where it stands in the text.
    size_t used
    size_t byte_offset
    size_t code_points_before
    size_t lines_before
    size_t line_start  # in code points
    # What is wrong with it: offsets in the buffer.
    size_t marker_at
    size_t invalid_at


cdef int take_counted(Scanner *scanner, Word *batch, size_t size) except -1 nogil:
    cdef WordHash *words = <WordHash *> scanner.taker
    if not add_batch(words, batch, size):
        no_memory()
    scanner.slots, scanner.mask = <const uint8_t *> words.slots, words.mask
    return 0


cdef int scan(Worker *worker, bint feff_is_space) except -1 nogil:
    """Check the block to its end and count its words."""
    cdef WordHash *words = &worker.words
    cdef Scanner scanner
    scanner.feff_is_space = feff_is_space
    scanner.take, scanner.taker = take_counted, words
    scanner.slots, scanner.mask = <const uint8_t *> words.slots, words.mask
    scanner.slot_bytes, scanner.salt = sizeof(WordSlot), 0
    scan_words(&scanner, worker.buffer, worker.used)
    worker.marker_at, worker.invalid_at = scanner.marker_at, scanner.invalid_at
    return 0


cdef class WordCounter(Team):
    """Counts the words of texts, each on its own, and gives them as a `WordTable`.

    Args:
        lowercase, punctuation: the settings of the model.
        threads: how many count at a time.
        block_bytes: how much is read at a time.

    After an error nothing more is counted, and there is no result.
    """

    cdef bint _lowercase, _punctuation, _is_open, _is_busy
    cdef size_t _block_bytes
    cdef Worker *_workers
    # The source being read.
    cdef SourceKind _kind
    cdef const uint8_t *_bytes
    cdef size_t _left
    cdef object _text, _read_into, _lock
    cdef int _str_kind
    cdef const void *_str_data
    cdef size_t _str_at, _str_length
    cdef uint8_t *_carry
    cdef size_t _carry_used, _carry_capacity
    cdef bint _at_end, _by_line, _is_lent
    cdef size_t _byte_offset, _code_points, _lines, _line_start
    # Threads: which worker had the last block, and how often that has changed.
    cdef Worker *_last
    cdef uint32_t _stretches
    cdef Task _task
    cdef WordHash **_tables
    cdef Stretches *_parts
    cdef Packed *_packed
    cdef bint _marked
    # The first offences of the text: byte offset; code points from the text's start, or from its line's.
    cdef size_t _marker_at, _marker_position, _marker_line, _invalid_at, _invalid_line
    cdef size_t _surrogate_at
    cdef uint32_t _surrogate

    def __cinit__(self, *, bint lowercase, bint punctuation, int threads=1, size_t block_bytes=DEFAULT_BLOCK):
        cdef int i
        if lowercase or punctuation:
            load_unicode()
        self._lowercase, self._punctuation = lowercase, punctuation
        self._threads = max(threads, 1)
        self._block_bytes = max(block_bytes, 1)
        self._workers = <Worker *> pl_new_zeros(self._threads, sizeof(Worker))
        if self._workers == NULL:
            raise MemoryError
        for i in range(self._threads):
            if not open_words(&self._workers[i].words, FIRST_SLOTS):
                raise MemoryError
            self._workers[i].words.notes_blocks = self._threads > 1
        self._is_open = True

    def __dealloc__(self):
        cdef int i
        if self._workers != NULL:
            for i in range(self._threads):
                close_words(&self._workers[i].words)
                if not self._is_lent:
                    pl_free(self._workers[i].buffer)
            self._close_parts()
            pl_free(self._workers)
        pl_free(self._carry)

    def add_text(self, text, text_index=None):
        """Count the words of one text. Raises: ForbiddenCodePoint."""
        text = str.__str__(text)  # of a subclass, numpy's `str_` for one, the text alone
        self._begin(FROM_STR, False)
        try:
            self._text = text
            self._str_kind = PyUnicode_KIND(text)
            self._str_data = PyUnicode_DATA(text)
            self._str_length = PyUnicode_GET_LENGTH(text)
            self._str_at = 0
            self._count_all()
            self._raise_offence("", text_index)
        finally:
            self._end()

    def add_bytes(self, data, source="", *, bint by_line=False):
        """Count the words of UTF-8 in a buffer as one text, or each line as one. Raises: InvalidUtf8, ForbiddenCodePoint."""
        cdef Py_buffer view
        if isinstance(data, memoryview) and not data.c_contiguous:
            data = bytes(data)
        PyObject_GetBuffer(data, &view, PyBUF_SIMPLE)
        try:
            self._begin(FROM_BYTES, by_line)
            try:
                self._bytes = <const uint8_t *> view.buf
                self._left = view.len
                self._count_all()
                self._raise_offence(source, None)
            finally:
                self._end()
        finally:
            PyBuffer_Release(&view)

    def add_file(self, file, source="", *, bint by_line=False):
        """Count the words of a binary file from where it stands; otherwise like `add_bytes`."""
        self._begin(FROM_FILE, by_line)
        try:
            # `readinto` of a buffered file reads until the room is full, and an interruption that comes between two of
            # its reads waits for the second: for ever, where a pipe gives nothing more.
            self._read_into = file.readinto1 if type(file) is BufferedReader else file.readinto
            self._count_all()
            self._raise_offence(source, None)
        finally:
            self._end()

    def finish(self):
        """Return the table of all words counted; the counter is closed."""
        cdef WordTable table = WordTable.__new__(WordTable)
        cdef Packed units
        memset(&units, 0, sizeof(Packed))
        self._begin(NO_SOURCE, False)
        try:
            if self._lowercase or self._punctuation:
                self._pack(&units, False)
                self._rewrite(&units, table)
            else:
                self._pack(&table._packed, True)
        finally:
            close_packed(&units)
            self._is_busy = False
        table._threads = self._threads
        return table

    def held_bytes(self):
        """Return about how much memory the words take that were counted so far, in bytes."""
        cdef size_t held = 0
        cdef int i
        for i in range(self._threads):
            # A hash table is between a third and two thirds full.
            held += self._workers[i].words.used * 2 * sizeof(WordSlot) + self._workers[i].words.text_used
        return held

    cdef int _begin(self, SourceKind kind, bint by_line) except -1:
        if self._is_busy:
            raise ValueError("this counter is at work already")
        if not self._is_open:
            raise WorkUnfinished(work="counting", reason="interrupted")
        self._is_busy = True
        self._is_open = False
        self._kind = kind
        self._by_line = by_line
        self._carry_used = 0
        self._at_end = self._stopped = False
        self._byte_offset = self._code_points = self._lines = self._line_start = 0
        self._marker_at = self._invalid_at = self._surrogate_at = NOWHERE
        self._failure = None
        return 0

    cdef int _end(self) except -1:
        self._is_busy = False
        self._text = self._read_into = None
        self._bytes = NULL
        return 0

    # ── one source ───────────────────────────────────────────────────────────────────────────────────────────────

    cdef int _count_all(self) except -1:
        self._lock = allocate_lock() if self._threads > 1 and not self._is_small() else None
        if self._lock is None:
            self._work(&self._workers[0])
        else:
            self._all_do(COUNT)
        return 0

    cdef int _all_do(self, Task task) except -1:
        self._task = task
        return self._share()

    cdef int _do(self, int number) except -1:
        if self._task == COUNT:
            self._work(&self._workers[number])
        elif self._task == JOIN:
            self._join_part(number)
        elif self._task == MEASURE:
            self._measure(number)
        else:
            self._write(number)
        return 0

    cdef bint _is_small(self):
        """Whether a thread would cost more than it brings."""
        if self._kind == FROM_BYTES:
            return self._left <= self._block_bytes
        return self._kind == FROM_STR and self._str_length <= self._block_bytes

    cdef int _work(self, Worker *worker) except -1:
        cdef bint feff_is_space = not self._lowercase
        while True:
            if self._lock is None:
                if not self._next_block(worker):
                    return 0
            else:
                with self._lock:
                    if self._stopped or not self._next_block(worker):
                        return 0
            with nogil:
                scan(worker, feff_is_space)
            self._note_offences(worker)
            PyErr_CheckSignals()

    cdef bint _next_block(self, Worker *worker) except -1:
        """Put the next block into the worker's buffer; False at the end of the source."""
        cdef size_t used = self._carry_used, cut, searched = 0, got, limit, wanted = self._block_bytes
        if self._at_end:
            return False
        if self._kind == FROM_BYTES:
            wanted = min(wanted, self._left + 4)
        elif self._kind == FROM_STR:
            wanted = min(wanted, 4 * (self._str_length - self._str_at) + 4)
        limit = max(wanted, used + 4)
        self._make_room(worker, limit)
        if used:
            memcpy(worker.buffer, self._carry, used)
        while True:
            if limit - used >= 4:
                got = self._read(worker.buffer + used, limit - used)
                used += got
                if got:
                    continue  # a pipe gives less than there is room for
                self._at_end = True
                cut = used
                break
            cut = pl_last_cut(worker.buffer, searched, used)
            if cut:
                break
            # One word longer than the block: read on.
            searched = used - 3 if used > 3 else 0
            limit = 2 * used + 4
            self._make_room(worker, limit)
        self._carry_used = used - cut
        if self._carry_used:
            if not pl_reserve(<void **> &self._carry, &self._carry_capacity, self._carry_used, 1):
                raise MemoryError
            memcpy(self._carry, worker.buffer + cut, self._carry_used)
        worker.used = cut
        worker.byte_offset = self._byte_offset
        worker.code_points_before = self._code_points
        worker.lines_before = self._lines
        worker.line_start = self._line_start
        if worker != self._last:
            # What one thread counts without another in between is one stretch of the text.
            self._last = worker
            self._stretches += 1
        worker.words.block = self._stretches
        self._byte_offset += cut
        if self._by_line:
            self._count_lines(worker)
        self._code_points += pl_code_points(worker.buffer, cut)
        return True

    cdef int _make_room(self, Worker *worker, size_t wanted) except -1:
        if worker.capacity < wanted + PADDING:
            # Nothing of the old content is needed but what was read into this very block.
            if not pl_reserve(<void **> &worker.buffer, &worker.capacity, wanted + PADDING, 1):
                raise MemoryError
        return 0

    cdef size_t _read(self, uint8_t *to, size_t room) except? 0:
        """Read some bytes, none only at the end of the source."""
        cdef size_t taken
        if self._kind == FROM_BYTES:
            taken = min(room, self._left)
            if taken:
                memcpy(to, self._bytes, taken)
            self._bytes += taken
            self._left -= taken
            return taken
        if self._kind == FROM_STR:
            return self._read_str(to, room)
        # A Ctrl-C that came since the last read would not be seen by one that blocks.
        PyErr_CheckSignals()
        view = PyMemoryView_FromMemory(<char *> to, room, PyBUF_WRITE)
        got = self._read_into(view)
        try:
            view.release()
        except BufferError:
            self._is_lent = True  # somebody has kept it: the memory must stay
            raise
        if got is None:
            raise BlockingIOError("the file gives nothing now: open it for blocking reads")
        if not 0 <= index(got) <= room:
            raise ValueError(f"readinto gave {got} bytes where {room} fit")
        return got

    cdef size_t _read_str(self, uint8_t *to, size_t room) noexcept:
        cdef size_t at = self._str_at, end = self._str_length, written = 0
        cdef uint32_t point
        cdef int kind = self._str_kind
        cdef const void *data = self._str_data
        if self._surrogate_at != NOWHERE or room < 4:
            return 0
        room -= 4
        with nogil:
            while at < end and written <= room:
                point = pl_read(kind, data, at)
                if 0xD800 <= point <= 0xDFFF:
                    self._surrogate_at = at
                    self._surrogate = point
                    break
                written += pl_encode(point, to + written)
                at += 1
        self._str_at = at
        return written

    cdef void _count_lines(self, Worker *worker) noexcept:
        """Note how many lines the block ends, and with which code point the last one begins."""
        cdef size_t i, last = NOWHERE
        for i in range(worker.used):
            if worker.buffer[i] == 10:
                self._lines += 1
                last = i
        if last != NOWHERE:
            self._line_start = self._code_points + pl_code_points(worker.buffer, last + 1)

    # ── what is wrong with it ────────────────────────────────────────────────────────────────────────────────────

    cdef void _note_offences(self, Worker *worker) noexcept:
        """Keep the first marker and the first byte that is not UTF-8; a later one of the same kind says nothing."""
        cdef size_t at
        if worker.invalid_at != NOWHERE:
            at = worker.byte_offset + worker.invalid_at
            self._stopped = True
            self._at_end = True  # all blocks before this one have been handed out
            if at < self._invalid_at:
                self._invalid_at = at
                self._invalid_line = self._line_of(worker, worker.invalid_at)
        if worker.marker_at != NOWHERE and worker.byte_offset + worker.marker_at < self._marker_at:
            self._marker_at = worker.byte_offset + worker.marker_at
            self._marker_line = self._line_of(worker, worker.marker_at)
            self._marker_position = worker.code_points_before + pl_code_points(worker.buffer, worker.marker_at)
            if self._by_line:
                self._marker_position -= self._start_of_line(worker, worker.marker_at)

    cdef size_t _line_of(self, Worker *worker, size_t offset) noexcept:
        cdef size_t i, lines = worker.lines_before
        if self._by_line:
            for i in range(offset):
                lines += worker.buffer[i] == 10
        return lines

    cdef size_t _start_of_line(self, Worker *worker, size_t offset) noexcept:
        """With how many code points before it the line of a byte begins."""
        while offset:
            if worker.buffer[offset - 1] == 10:
                return worker.code_points_before + pl_code_points(worker.buffer, offset)
            offset -= 1
        return worker.line_start

    cdef int _raise_offence(self, source, text_index) except -1:
        """Raise what is wrong with the text; bytes that are no UTF-8 first, as they are no text at all.

        Line by line the first line decides.
        """
        cdef bint is_marked = self._marker_at != NOWHERE
        if self._by_line and is_marked and self._invalid_at != NOWHERE and self._invalid_line > self._marker_line:
            self._invalid_at = NOWHERE
        if self._invalid_at != NOWHERE:
            raise InvalidUtf8(source=source, byte_offset=self._invalid_at)
        if is_marked:
            if self._by_line:
                text_index = self._marker_line
            raise ForbiddenCodePoint(
                kind="marker", position=self._marker_position, code_point=MARKER, text_index=text_index
            )
        if self._surrogate_at != NOWHERE:
            raise ForbiddenCodePoint(
                kind="surrogate", position=self._surrogate_at, code_point=self._surrogate, text_index=text_index
            )
        self._is_open = True
        return 0

    # ── what was counted ─────────────────────────────────────────────────────────────────────────────────────────

    cdef int _pack(self, Packed *packed, bint marked) except -1:
        """Write down what all threads have counted, and close their tables."""
        cdef int i
        cdef WordHash *words
        if self._stretches <= 1:
            # One thread has counted all there was.
            words = &self._workers[0].words if self._last == NULL else &self._last.words
            if not pack(words, packed, marked):
                raise MemoryError
            return 0
        self._packed, self._marked = packed, marked
        self._tables = <WordHash **> pl_new(self._threads, sizeof(WordHash *))
        self._parts = <Stretches *> pl_new_zeros(self._threads, sizeof(Stretches))
        if self._tables == NULL or self._parts == NULL:
            raise MemoryError
        for i in range(self._threads):
            self._tables[i] = &self._workers[i].words
        self._all_do(JOIN)
        self._all_do(MEASURE)
        self._lay_out()
        self._all_do(WRITE)
        memset(packed.text + packed.text_capacity - 16, 0, 16)
        self._close_parts()
        for i in range(self._threads):
            close_words(&self._workers[i].words)
        return 0

    cdef int _join_part(self, int number) except -1:
        cdef Joining joining
        cdef bint done = False
        memset(&joining, 0, sizeof(Joining))
        joining.table = 1
        while not done and not self._stopped:
            with nogil:
                done = join(self._tables, self._threads, number, self._threads, &joining)
            PyErr_CheckSignals()
        return 0

    cdef int _measure(self, int number) except -1:
        cdef Stretches *part = &self._parts[number]
        cdef bint done = False
        part.words = <size_t *> pl_new_zeros(self._stretches + 1, sizeof(size_t))
        part.bytes = <size_t *> pl_new_zeros(self._stretches + 1, sizeof(size_t))
        if part.words != NULL and part.bytes != NULL:
            with nogil:
                done = measure(self._tables[number], part)
        if not done:
            raise MemoryError
        return 0

    cdef int _lay_out(self) except -1:
        """Say where the words of each stretch are written."""
        cdef size_t words = 0, total = 0, here
        cdef uint32_t stretch
        cdef int i
        cdef Stretches *part
        cdef Packed *packed = self._packed
        for stretch in range(1, self._stretches + 1):
            for i in range(self._threads):
                part = &self._parts[i]
                here = part.bytes[stretch] + (3 * part.words[stretch] if self._marked else 0)
                part.bytes[stretch] = total
                total += here
                here = part.words[stretch]
                part.words[stretch] = words
                words += here
        packed.text = <uint8_t *> pl_new(total + 16, 1)
        packed.ends = <uint64_t *> pl_new(words, sizeof(uint64_t))
        packed.counts = <uint64_t *> pl_new(words, sizeof(uint64_t))
        if packed.text == NULL or packed.ends == NULL or packed.counts == NULL:
            raise MemoryError
        packed.size = words
        packed.text_capacity = total + 16
        return 0

    cdef int _write(self, int number) except -1:
        cdef bint done = False
        while not done and not self._stopped:
            with nogil:
                done = write_words(self._tables[number], &self._parts[number], self._packed, self._marked)
            PyErr_CheckSignals()
        return 0

    cdef int _close_parts(self) noexcept:
        cdef int i
        if self._parts != NULL:
            for i in range(self._threads):
                pl_free(self._parts[i].words)
                pl_free(self._parts[i].bytes)
                pl_free(self._parts[i].slots)
        pl_free(self._parts)
        pl_free(self._tables)
        self._parts = NULL
        self._tables = NULL
        return 0

    cdef int _rewrite(self, Packed *units, WordTable table) except -1:
        """Lower-case and split the distinct units, and add up what became equal."""
        cdef WordHash words
        cdef Rewriter rewriter
        cdef size_t at = 0
        cdef bint done = True
        memset(&rewriter, 0, sizeof(Rewriter))
        if not open_words(&words, FIRST_SLOTS):
            raise MemoryError
        try:
            while done and at < units.size:
                with nogil:
                    done = rewrite(units, &at, &words, &rewriter, self._lowercase, self._punctuation)
                PyErr_CheckSignals()
            close_packed(units)
            if not done or not pack(&words, &table._packed, False):
                raise MemoryError
        finally:
            close_words(&words)
            close_rewriter(&rewriter)
        return 0


cdef bint add_unmarked(WordHash *words, const uint8_t *start, size_t length, uint64_t count) noexcept nogil:
    cdef Word word
    look_at(&word, start, length)
    return has_room(words, 1) and add_word(words, &word, count)


cdef bint add_marked(
    WordHash *words, Rewriter *rewriter, const uint8_t *start, size_t length, uint64_t count, bint punctuation
) noexcept nogil:
    """Add a word with the marker in front, whole or in the pieces that the punctuation pre-tokenizer makes of it."""
    cdef size_t end = piece_end(start, length) if punctuation else length, begin
    if not pl_reserve(<void **> &rewriter.marked, &rewriter.marked_capacity, end + 3 + 16, 1):
        return False
    memcpy(rewriter.marked, MARKER_BYTES, 3)
    memcpy(rewriter.marked + 3, start, end)
    if not add_unmarked(words, rewriter.marked, end + 3, count):
        return False
    while end < length:
        begin = end
        end = begin + piece_end(start + begin, length - begin)
        if not add_unmarked(words, start + begin, end - begin, count):
            return False
    return True


cdef bint rewrite(
    Packed *units, size_t *at, WordHash *words, Rewriter *rewriter, bint lowercase, bint punctuation
) noexcept nogil:
    """Lower-case and split some thousand units, with the markers put in front."""
    cdef size_t i = at[0], stop = min(units.size, i + 16384), begin, end, length
    cdef const uint8_t *text
    while i < stop:
        begin = units.ends[i - 1] if i else 0
        text = units.text + begin
        length = units.ends[i] - begin
        if lowercase:
            if not lower_word(rewriter, text, length, &length):
                return False
            text = rewriter.text
        # U+FEFF is the only whitespace that may be left, and only with lower case on.
        begin = 0
        while begin < length:
            end = begin
            while end < length:
                if text[end] == 0xEF and end + 2 < length and text[end + 1] == 0xBB and text[end + 2] == 0xBF:
                    break
                end += 1
            if end > begin and not add_marked(words, rewriter, text + begin, end - begin, units.counts[i], punctuation):
                return False
            begin = end + 3
        i += 1
    at[0] = i
    return True
