# What the words of a text were merged to, for those that come again. It never grows beyond some megabytes.
#
# An entry is half a cache line; two of them, a whole one, are where a word can stand. The newer one stands in front and
# drives out the other when a third comes. A word of up to sixteen bytes stands in its entry, and so do its IDs if they
# are three at most: nearly every word of a text in an alphabetic script costs one access to memory. Longer words and
# more IDs stand in two arrays; when one of them is full, everything is forgotten.

cdef enum:
    FIRST_SETS = 1 << 7
    MOST_SETS = 1 << 17  # 8 MB; both by powers of four
    GROWTH = 4
    MOST_WORD_BYTES = 256  # longer words are not kept
    MOST_TEXT_BYTES = 8 << 20
    MOST_CODES = 1 << 21  # 8 MB
    INLINE_CODES = 3
    # What a word is to the pre-tokenizer, in the tag.
    WHOLE_UNIT = 1 << 5  # what stands between two whitespaces
    MARKED_PIECE = 2 << 5  # a pre-token with the marker in front
    BARE_PIECE = 3 << 5  # one without
    KEY_BITS = 0xff


cdef struct Known:
    uint64_t first  # as in `WordSlot`
    uint64_t second
    uint32_t tag  # short: its length and kind, and above them how many codes; long: LONG_WORD, kind, bits of the hash
    uint32_t codes[3]  # or, where there are more or the word is long, where they begin, and how many they are


cdef struct WordCache:
    Known *entries
    void *memory  # where `entries` are, before alignment
    size_t mask
    size_t used
    uint8_t *text
    size_t text_used
    size_t text_capacity
    uint32_t *codes
    size_t codes_used
    size_t codes_capacity


cdef inline uint64_t short_hash(uint64_t first, uint64_t second, uint64_t length) noexcept nogil:
    """The hash that `look_at` gives a word of up to sixteen bytes."""
    return pl_fold_multiply(first ^ _seed_1, second ^ _seed_2 ^ (length << 56))


cdef bint open_entries(WordCache *cache, size_t sets) noexcept nogil:
    cache.memory = pl_new_zeros(2 * sets + 2, sizeof(Known))
    if cache.memory == NULL:
        return False
    cache.entries = <Known *> ((<uintptr_t> cache.memory + 63) & ~<uintptr_t> 63)
    cache.mask = sets - 1
    return True


cdef void close_cache(WordCache *cache) noexcept nogil:
    pl_free(cache.memory)
    pl_free(cache.text)
    pl_free(cache.codes)
    memset(cache, 0, sizeof(WordCache))


cdef void forget_words(WordCache *cache) noexcept nogil:
    memset(cache.entries, 0, 2 * (cache.mask + 1) * sizeof(Known))
    cache.used = cache.text_used = cache.codes_used = 0


cdef void begin_anew(WordCache *cache) noexcept nogil:
    """Forget all words, and how many there were: to clear megabytes takes longer than to encode a short text."""
    cdef WordCache small = cache[0]
    if cache.mask + 1 > 4 * FIRST_SETS and open_entries(&small, FIRST_SETS):
        pl_free(cache.memory)
        cache[0] = small
        cache.used = cache.text_used = cache.codes_used = 0
    else:
        forget_words(cache)


cdef inline Known *entries_of(WordCache *cache, uint64_t hashed, uint32_t kind) noexcept nogil:
    return &cache.entries[2 * ((hashed + kind) & cache.mask)]


cdef inline uint32_t key_of(const Word *word, uint32_t kind) noexcept nogil:
    """What the tag of the word's entry begins with."""
    if word.length <= SHORT:
        return <uint32_t> word.length | kind
    return LONG_WORD | kind | (<uint32_t> (word.hash >> 33) & 0x7fffff00)


cdef inline bint is_known(const WordCache *cache, const Known *entry, const Word *word, uint32_t key) noexcept nogil:
    if word.length <= SHORT:
        return (entry.tag & (LONG_WORD | KEY_BITS)) == key and (
            entry.first == word.first and entry.second == word.second
        )
    return (
        entry.tag == key
        and entry.second == word.length
        and memcmp(cache.text + entry.first, word.start, word.length) == 0
    )


cdef inline Known *find_known(WordCache *cache, const Word *word, uint32_t kind) noexcept nogil:
    """The entry of a word, or NULL."""
    cdef Known *entry = entries_of(cache, word.hash, kind)
    cdef uint32_t key = key_of(word, kind)
    if is_known(cache, entry, word, key):
        return entry
    if is_known(cache, entry + 1, word, key):
        return entry + 1
    return NULL


cdef inline const uint32_t *codes_of(const WordCache *cache, const Known *entry, size_t *size) noexcept nogil:
    """Where the codes of an entry stand, and how many they are."""
    if entry.tag & LONG_WORD:
        size[0] = entry.codes[1]
        return cache.codes + entry.codes[0]
    size[0] = entry.tag >> 8
    if size[0] <= INLINE_CODES:
        return entry.codes
    return cache.codes + entry.codes[0]


cdef bint enlarge_cache(WordCache *cache) noexcept nogil:
    """Make room for four times as many. Where there is no memory the cache stays as it is: False, and no harm done."""
    cdef WordCache larger = cache[0]
    cdef size_t i
    cdef Known *entry
    cdef Known *to
    cdef Word word
    cdef uint32_t kind
    if not open_entries(&larger, GROWTH * (cache.mask + 1)):
        return False
    for i in range(2 * (cache.mask + 1)):
        # The older one of each two first, so that they stay in order.
        entry = &cache.entries[i ^ 1]
        if entry.tag == 0:
            continue
        if entry.tag & LONG_WORD:
            look_at(&word, cache.text + entry.first, entry.second)
        else:
            word.hash = short_hash(entry.first, entry.second, entry.tag & 0x1f)
        to = entries_of(&larger, word.hash, entry.tag & (3 << 5))
        to[1] = to[0]
        to[0] = entry[0]
    pl_free(cache.memory)
    cache[0] = larger
    return True


cdef bint keep_word(
    WordCache *cache, const Word *word, uint32_t kind, const uint32_t *codes, size_t size
) noexcept nogil:
    """Enter a word that is not there. False where there is no memory."""
    cdef Known *entry
    cdef bint is_long = word.length > SHORT, has_list = is_long or size > INLINE_CODES
    if word.length > MOST_WORD_BYTES:
        return True
    if (is_long and cache.text_used + word.length > MOST_TEXT_BYTES) or (
        has_list and cache.codes_used + size > MOST_CODES
    ):
        forget_words(cache)
    elif cache.used > cache.mask and cache.mask + 1 < MOST_SETS and not enlarge_cache(cache):
        return False
    if is_long and not pl_reserve(<void **> &cache.text, &cache.text_capacity, cache.text_used + word.length + 16, 1):
        return False
    # So many as stand inline are read from any place, however few there are.
    if has_list and not pl_reserve(
        <void **> &cache.codes, &cache.codes_capacity, cache.codes_used + size + INLINE_CODES, sizeof(uint32_t)
    ):
        return False
    entry = entries_of(cache, word.hash, kind)
    cache.used += 1
    entry[1] = entry[0]
    entry.tag = key_of(word, kind)
    if is_long:
        memcpy(cache.text + cache.text_used, word.start, word.length)
        entry.first = cache.text_used
        entry.second = word.length
        cache.text_used += word.length
        entry.codes[1] = <uint32_t> size
    else:
        entry.first = word.first
        entry.second = word.second
        entry.tag |= <uint32_t> size << 8
    if has_list:
        memcpy(cache.codes + cache.codes_used, codes, size * sizeof(uint32_t))
        entry.codes[0] = <uint32_t> cache.codes_used
        cache.codes_used += size
    else:
        memcpy(entry.codes, codes, size * sizeof(uint32_t))
    return True
