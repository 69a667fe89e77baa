# The table of words that counting leaves behind: a read-only mapping whose words stay raw UTF-8 until asked for.


cdef class WordTable:
    """Distinct words, markers in place, and how often each occurs, in the order in which they were first seen.

    A read-only mapping of `str` to `int`.
    """

    cdef Packed _packed
    # So many threads counted it; as many may work on it later.
    cdef int _threads
    # Made when a word is looked up: index by hash, plus one; 0 is a free slot.
    cdef uint32_t *_index
    cdef size_t _index_mask
    cdef object __weakref__

    def __dealloc__(self):
        close_packed(&self._packed)
        pl_free(self._index)

    @staticmethod
    def of(counts):
        """Return the table of any mapping of words to counts; a table as it is. Raises: CountOverflow."""
        if isinstance(counts, WordTable):
            return counts
        cdef WordTable table = WordTable.__new__(WordTable)
        cdef Packed *packed = &table._packed
        cdef size_t size = len(counts), i = 0
        packed.ends = <uint64_t *> pl_new(size, sizeof(uint64_t))
        packed.counts = <uint64_t *> pl_new(size, sizeof(uint64_t))
        if packed.ends == NULL or packed.counts == NULL:
            raise MemoryError
        if not pl_reserve(<void **> &packed.text, &packed.text_capacity, 16, 1):
            raise MemoryError
        for word, count in counts.items():
            if i == size:
                raise RuntimeError("the word counts have changed while they were read")
            table._append(word, count)
            i += 1
            if i % 4096 == 0:
                PyErr_CheckSignals()
        return table

    cdef int _append(self, str word, count) except -1:
        cdef Packed *packed = &self._packed
        cdef size_t length = PyUnicode_GET_LENGTH(word), at = packed.ends[packed.size - 1] if packed.size else 0, i
        cdef int kind = PyUnicode_KIND(word)
        cdef const void *data = PyUnicode_DATA(word)
        cdef uint32_t point
        if not 0 < count <= <uint64_t> 0x7fffffffffffffff:
            raise CountOverflow(word=word, count=count)
        if not pl_reserve(<void **> &packed.text, &packed.text_capacity, at + 4 * length + 16, 1):
            raise MemoryError
        for i in range(length):
            point = pl_read(kind, data, i)
            if 0xD800 <= point <= 0xDFFF:
                raise CountError(word=word, count=count, reason="a word holds no surrogates")
            at += pl_encode(point, packed.text + at)
        packed.ends[packed.size] = at
        packed.counts[packed.size] = count
        packed.size += 1
        return 0

    def __len__(self):
        return self._packed.size

    def __iter__(self):
        cdef size_t i
        for i in range(self._packed.size):
            yield self._word(i)

    def __getitem__(self, word):
        cdef Py_ssize_t found = self._find(word)
        if found < 0:
            raise KeyError(word)
        return self._packed.counts[found]

    def __contains__(self, word):
        return self._find(word) >= 0

    def get(self, word, default=None):
        """Return the count of a word, or `default` if the table does not have it."""
        cdef Py_ssize_t found = self._find(word)
        return default if found < 0 else self._packed.counts[found]

    def keys(self):
        """Return a view of the words."""
        return KeysView(self)

    def values(self):
        """Return a view of the counts."""
        return ValuesView(self)

    def items(self):
        """Return a view of the words with their counts."""
        return ItemsView(self)

    def pairs(self):
        """Yield each word with its count, without looking any up."""
        cdef size_t i
        for i in range(self._packed.size):
            yield self._word(i), self._packed.counts[i]

    def __eq__(self, other):
        if not isinstance(other, Mapping):
            return NotImplemented
        return len(self) == len(other) and dict(self.pairs()) == dict(other.items())

    __hash__ = None

    def __repr__(self):
        return f"<WordTable of {self._packed.size} words>"

    def __reduce__(self):
        return dict, (list(self.pairs()),)

    def tokens(self):
        """Return the number of symbols before the first merge, weighted by count. Raises: CountOverflow."""
        cdef size_t i, begin = 0
        cdef uint64_t total = 0, points, count
        cdef Packed *packed = &self._packed
        for i in range(packed.size):
            points = pl_code_points(packed.text + begin, packed.ends[i] - begin)
            begin = packed.ends[i]
            count = packed.counts[i]
            if points > (<uint64_t> 0x7fffffffffffffff - total) // count:
                raise CountOverflow(word=self._word(i), count=count)
            total += points * count
        return total

    def code_points(self):
        """Return the set of all code points of the words, as strings."""
        cdef uint8_t *seen = <uint8_t *> pl_new_zeros(CODE_POINTS, 1)
        cdef size_t at = 0, end = self.text_bytes()
        cdef uint32_t point = 0, highest = 0
        if seen == NULL:
            raise MemoryError
        try:
            with nogil:
                while at < end:
                    at += pl_decode(self._packed.text + at, self._packed.text + end, &point)
                    seen[point] = 1
                    highest = max(highest, point)
            return {chr(point) for point in range(highest + 1) if seen[point]}
        finally:
            pl_free(seen)

    cdef size_t text_bytes(self):
        return self._packed.ends[self._packed.size - 1] if self._packed.size else 0

    cdef str _word(self, size_t i):
        cdef size_t begin = self._packed.ends[i - 1] if i else 0
        return PyUnicode_DecodeUTF8(<const char *> self._packed.text + begin, self._packed.ends[i] - begin, NULL)

    cdef Py_ssize_t _find(self, word) except -2:
        """The number of a word, or -1."""
        cdef Word looked, other
        cdef size_t at, begin
        cdef uint32_t found
        if not isinstance(word, str):
            return -1
        try:
            encoded = word.encode() + b"\0" * 16
        except UnicodeEncodeError:
            return -1
        if self._index == NULL:
            self._make_index()
        look_at(&looked, <const uint8_t *> PyBytes_AS_STRING(encoded), len(encoded) - 16)
        at = looked.hash & self._index_mask
        while self._index[at]:
            found = self._index[at] - 1
            begin = self._packed.ends[found - 1] if found else 0
            if self._packed.ends[found] - begin == looked.length and (
                memcmp(self._packed.text + begin, looked.start, looked.length) == 0
            ):
                return found
            at = (at + 1) & self._index_mask
        return -1

    cdef int _make_index(self) except -1:
        cdef size_t slots = 16, at, i, begin = 0
        cdef Word word
        cdef uint32_t *index
        while slots < 2 * self._packed.size:
            slots *= 2
        index = <uint32_t *> pl_new_zeros(slots, sizeof(uint32_t))
        if index == NULL:
            raise MemoryError
        for i in range(self._packed.size):
            look_at(&word, self._packed.text + begin, self._packed.ends[i] - begin)
            begin = self._packed.ends[i]
            at = word.hash & (slots - 1)
            while index[at]:
                at = (at + 1) & (slots - 1)
            index[at] = <uint32_t> i + 1
        self._index, self._index_mask = index, slots - 1
        return 0


class ItemsView(CollectionsItemsView):
    """The items of a table, read in one go."""

    def __iter__(self):
        return self._mapping.pairs()


class ValuesView(CollectionsValuesView):
    """The counts of a table, read in one go."""

    def __iter__(self):
        return (count for _, count in self._mapping.pairs())


Mapping.register(WordTable)
