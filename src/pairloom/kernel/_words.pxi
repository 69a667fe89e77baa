# Distinct words and their counts: a hash table while counting, packed arrays afterwards.
#
# A slot of the hash table is half a cache line. A word of up to sixteen bytes stands in it: nearly every look-up of a
# text in an alphabetic script costs one access to memory. Longer words stand in `text`, one behind the other.

cdef struct WordSlot:
    uint64_t first  # the bytes of a short word; where a long one begins in `text`
    uint64_t second  # the same, bytes 8 to 16; the length of a long one
    uint64_t count  # 0: what stood here was added to the same word of another table
    uint32_t order  # how many words were there before
    uint32_t tag  # the length of a short word; the highest bit and 31 bits of the hash for a long one; 0: free


cdef struct WordHash:
    WordSlot *slots
    size_t mask
    size_t used
    uint8_t *text
    size_t text_used
    size_t text_capacity
    # Threads only: in which stretch of the text each word was seen first, by `order`.
    uint32_t *blocks
    size_t blocks_capacity
    bint notes_blocks
    uint32_t block


cdef struct Word:
    const uint8_t *start
    size_t length
    uint64_t first
    uint64_t second
    uint64_t hash


cdef enum:
    BATCH = 32
    SHORT = 16
    FIRST_SLOTS = 256

cdef const uint8_t *MARKER_BYTES = b"\xe2\x96\x81"

# Drawn by Python anew in each process: nobody can prepare words that all fall into one slot.
cdef uint64_t _seed_1 = <uint64_t> hash("pairloom, first seed") | 1
cdef uint64_t _seed_2 = <uint64_t> hash("pairloom, second seed") | 1


cdef bint open_words(WordHash *words, size_t slots) noexcept nogil:
    memset(words, 0, sizeof(WordHash))
    words.slots = <WordSlot *> pl_new_zeros(slots, sizeof(WordSlot))
    words.mask = slots - 1
    return words.slots != NULL


cdef void close_words(WordHash *words) noexcept nogil:
    pl_free(words.slots)
    pl_free(words.text)
    pl_free(words.blocks)
    memset(words, 0, sizeof(WordHash))


cdef inline void look_at(Word *word, const uint8_t *start, size_t length) noexcept nogil:
    """Note a word and its hash. Sixteen bytes from `start` on are readable."""
    cdef size_t done = 0
    cdef uint64_t mixed = length
    word.start = start
    word.length = length
    if length <= SHORT:
        pl_load_short(start, length, &word.first, &word.second)
        word.hash = pl_fold_multiply(word.first ^ _seed_1, word.second ^ _seed_2 ^ (mixed << 56))
        return
    while done + 16 < length:
        mixed = pl_fold_multiply(pl_load(start + done) ^ _seed_1, pl_load(start + done + 8) ^ _seed_2 ^ mixed)
        done += 16
    done = length - 16
    word.hash = pl_fold_multiply(pl_load(start + done) ^ _seed_1, pl_load(start + done + 8) ^ _seed_2 ^ mixed)


cdef inline uint64_t hash_of(WordHash *words, WordSlot *slot) noexcept nogil:
    cdef Word word
    if slot.tag & LONG_WORD:
        look_at(&word, words.text + slot.first, <size_t> slot.second)
        return word.hash
    return pl_fold_multiply(slot.first ^ _seed_1, slot.second ^ _seed_2 ^ (<uint64_t> slot.tag << 56))


cdef bint enlarge_words(WordHash *words) noexcept nogil:
    """Double the table where it is: fresh memory is what the system has to clear.

    A word stays in its half or moves to the same place of the new one. Taken in order from behind a free slot, none is
    put behind its old place, so none jumps over a word that is still to be moved.
    """
    cdef size_t slots = words.mask + 1, mask = 2 * slots - 1, at, i, behind_free = 1
    cdef WordSlot moving
    if not pl_double(<void **> &words.slots, slots, sizeof(WordSlot)):
        return False
    words.mask = mask
    while words.slots[behind_free - 1].tag:
        behind_free += 1
    for i in range(slots):
        at = (behind_free + i) & (slots - 1)
        if words.slots[at].tag == 0:
            continue
        moving = words.slots[at]
        words.slots[at].tag = 0
        at = hash_of(words, &moving) & mask
        while words.slots[at].tag:
            at = (at + 1) & mask
        words.slots[at] = moving
    return True


cdef inline bint has_room(WordHash *words, size_t more) noexcept nogil:
    return (words.used + more) * 3 <= (words.mask + 1) * 2 or enlarge_words(words)


cdef bint add_new_word(WordHash *words, WordSlot *slot, Word *word, uint32_t tag, uint64_t count) noexcept nogil:
    if words.used >= 0x7fffffff:
        return False
    if words.notes_blocks:
        if not pl_reserve(<void **> &words.blocks, &words.blocks_capacity, words.used + 1, sizeof(uint32_t)):
            return False
        words.blocks[words.used] = words.block
    if word.length > SHORT:
        # Behind the text sixteen bytes stay readable.
        if not pl_reserve(<void **> &words.text, &words.text_capacity, words.text_used + word.length + 16, 1):
            return False
        memcpy(words.text + words.text_used, word.start, word.length)
        slot.first = words.text_used
        slot.second = word.length
        words.text_used += word.length
    else:
        slot.first = word.first
        slot.second = word.second
    slot.order = <uint32_t> words.used
    slot.tag = tag
    slot.count = count
    words.used += 1
    return True


cdef bint add_word(WordHash *words, Word *word, uint64_t count) noexcept nogil:
    """Count a word; there has to be room for one more. False where there is no memory."""
    cdef size_t at = word.hash & words.mask
    cdef WordSlot *slot
    cdef uint32_t tag
    if word.length <= SHORT:
        tag = <uint32_t> word.length
        while True:
            slot = &words.slots[at]
            if slot.tag == 0:
                return add_new_word(words, slot, word, tag, count)
            if slot.first == word.first and slot.second == word.second and slot.tag == tag:
                slot.count += count
                return True
            at = (at + 1) & words.mask
    tag = LONG_WORD | <uint32_t> (word.hash >> 33)
    while True:
        slot = &words.slots[at]
        if slot.tag == 0:
            return add_new_word(words, slot, word, tag, count)
        if (
            slot.tag == tag
            and slot.second == word.length
            and memcmp(words.text + slot.first, word.start, word.length) == 0
        ):
            slot.count += count
            return True
        at = (at + 1) & words.mask


cdef inline WordSlot *find_word(WordHash *words, Word *word) noexcept nogil:
    """The slot of a word, NULL where the table has none."""
    cdef size_t at = word.hash & words.mask
    cdef WordSlot *slot
    cdef uint32_t tag = LONG_WORD | <uint32_t> (word.hash >> 33)
    if word.length <= SHORT:
        tag = <uint32_t> word.length
    while True:
        slot = &words.slots[at]
        if slot.tag == 0:
            return NULL
        if slot.tag == tag:
            if word.length <= SHORT:
                if slot.first == word.first and slot.second == word.second:
                    return slot
            elif slot.second == word.length and memcmp(words.text + slot.first, word.start, word.length) == 0:
                return slot
        at = (at + 1) & words.mask


cdef bint add_batch(WordHash *words, Word *batch, size_t size) noexcept nogil:
    cdef size_t i
    if not has_room(words, size):
        return False
    for i in range(size):
        if not add_word(words, &batch[i], 1):
            return False
    return True


cdef inline const uint8_t *word_at(WordHash *words, WordSlot *slot, size_t *length) noexcept nogil:
    """Where the bytes of a slot's word stand, and how many they are."""
    if slot.tag & LONG_WORD:
        length[0] = <size_t> slot.second
        return words.text + slot.first
    length[0] = slot.tag
    return <const uint8_t *> &slot.first


cdef uint32_t *in_order(WordHash *words) noexcept nogil:
    """The slots of the words in the order in which they were first seen; NULL where there is no memory."""
    cdef uint32_t *slots = <uint32_t *> pl_new(words.used, sizeof(uint32_t))
    cdef size_t i
    if slots != NULL:
        for i in range(words.mask + 1):
            if words.slots[i].tag:
                slots[words.slots[i].order] = <uint32_t> i
    return slots


cdef struct Packed:
    # Word i is text[ends[i - 1]:ends[i]] and occurs counts[i] times. Sixteen more bytes of text are readable.
    uint8_t *text
    uint64_t *ends
    uint64_t *counts
    size_t size
    size_t text_capacity


cdef void close_packed(Packed *packed) noexcept nogil:
    pl_free(packed.text)
    pl_free(packed.ends)
    pl_free(packed.counts)
    memset(packed, 0, sizeof(Packed))


cdef bint pack(WordHash *words, Packed *packed, bint marked) noexcept nogil:
    """Write the words one behind the other, with the marker in front of each if `marked`; the hash table is closed."""
    cdef uint32_t *slots = in_order(words)
    cdef size_t i, length, total = 0, size = words.used
    cdef WordSlot *slot
    cdef const uint8_t *start
    memset(packed, 0, sizeof(Packed))
    if slots == NULL:
        return False
    for i in range(words.mask + 1):
        slot = &words.slots[i]
        if slot.tag:
            word_at(words, slot, &length)
            total += length + (3 if marked else 0)
    packed.text = <uint8_t *> pl_new(total + 16, 1)
    packed.ends = <uint64_t *> pl_new(size, sizeof(uint64_t))
    packed.counts = <uint64_t *> pl_new(size, sizeof(uint64_t))
    if packed.text == NULL or packed.ends == NULL or packed.counts == NULL:
        pl_free(slots)
        close_packed(packed)
        return False
    packed.size = size
    packed.text_capacity = total + 16
    total = 0
    for i in range(size):
        if i + 16 < size:
            PL_PREFETCH(&words.slots[slots[i + 16]])
        slot = &words.slots[slots[i]]
        start = word_at(words, slot, &length)
        if marked:
            memcpy(packed.text + total, MARKER_BYTES, 3)
            total += 3
        memcpy(packed.text + total, start, length)
        total += length
        packed.ends[i] = total
        packed.counts[i] = slot.count
    memset(packed.text + total, 0, 16)
    pl_free(slots)
    close_words(words)
    return True
