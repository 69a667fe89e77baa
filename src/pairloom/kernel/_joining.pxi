# The tables of several threads become one result, without a table for it: each word ends up in one of them.
#
# A word that two tables hold stays where it was seen first; the other's count is added there, and becomes 0. Which
# thread does it follows from the low bits of its hash, which all tables have in common, so no two ever touch the same
# word. Each table is then written out by stretches of the text, and these lie one behind the other as the text did:
# the order is the one in which a single thread would have met the words.

cdef enum:
    PORTION = 16384  # words between two looks for Ctrl-C: less than a millisecond


cdef struct Stretches:
    # Of one table, by stretch of the text: words that stayed, and their bytes; then where the first of them is written.
    size_t *words
    size_t *bytes
    uint32_t *slots  # in the order in which they were first seen
    # How far they are written.
    size_t used
    uint32_t stretch
    size_t word
    size_t byte


cdef struct Joining:
    # How far one thread has come.
    int table
    size_t repetition
    size_t at


cdef void join_batch(WordHash **tables, int table, WordSlot **slots, Word *batch, size_t size) noexcept nogil:
    """Add these words of a table to those of the tables before it, or the other way round."""
    cdef WordHash *words = tables[table]
    cdef WordHash *others
    cdef WordSlot *found
    cdef size_t i
    cdef int other
    for other in range(table):
        others = tables[other]
        for i in range(size):
            PL_PREFETCH(&others.slots[batch[i].hash & others.mask])
        for i in range(size):
            if slots[i] == NULL:
                continue
            found = find_word(others, &batch[i])
            if found == NULL or found.count == 0:
                continue
            # No stretch belongs to two tables.
            if others.blocks[found.order] < words.blocks[slots[i].order]:
                found.count += slots[i].count
                slots[i].count = 0
            else:
                slots[i].count += found.count
                found.count = 0
            slots[i] = NULL


cdef bint join(WordHash **tables, int size, int part, int parts, Joining *joining) noexcept nogil:
    """Join some thousand words of one part of the hashes; True once all of it is done."""
    cdef size_t common = ~<size_t> 0, low, high, end, at, home, used = 0, left = PORTION
    cdef WordHash *words
    cdef WordSlot *slot
    cdef WordSlot *slots[BATCH]
    cdef Word batch[BATCH]
    cdef int i
    for i in range(size):
        common &= tables[i].mask
    low = (common + 1) * part // parts
    high = (common + 1) * (part + 1) // parts
    while joining.table < size:
        words = tables[joining.table]
        while joining.repetition <= words.mask:
            # Those that the end of the part pushed behind it are of this part, too; those pushed into it are not.
            end = joining.repetition + high
            at = joining.repetition + low + joining.at
            while at < end or words.slots[at & words.mask].tag:
                slot = &words.slots[at & words.mask]
                at += 1
                if slot.tag:
                    batch[used].hash = hash_of(words, slot)
                    home = batch[used].hash & words.mask
                    if joining.repetition + low <= home < end:
                        batch[used].first = slot.first
                        batch[used].second = slot.second
                        batch[used].start = word_at(words, slot, &batch[used].length)
                        slots[used] = slot
                        used += 1
                        if used == BATCH:
                            join_batch(tables, joining.table, slots, batch, used)
                            used = 0
                            if left == 0:
                                joining.at = at - joining.repetition - low
                                return False
                            left -= BATCH
            joining.repetition += common + 1
            joining.at = 0
        join_batch(tables, joining.table, slots, batch, used)
        used = 0
        joining.table += 1
        joining.repetition = joining.at = 0
    return True


cdef bint measure(WordHash *words, Stretches *stretches) noexcept nogil:
    """Note for each stretch of the text what has stayed in this table. False where there is no memory."""
    cdef size_t i, length
    cdef uint32_t stretch
    stretches.slots = <uint32_t *> pl_new(words.used, sizeof(uint32_t))
    if stretches.slots == NULL:
        return False
    for i in range(words.mask + 1):
        if words.slots[i].tag:
            stretches.slots[words.slots[i].order] = <uint32_t> i
            if words.slots[i].count:
                stretch = words.blocks[words.slots[i].order]
                word_at(words, &words.slots[i], &length)
                stretches.words[stretch] += 1
                stretches.bytes[stretch] += length
    return True


cdef bint write_words(WordHash *words, Stretches *stretches, Packed *packed, bint marked) noexcept nogil:
    """Write some thousand words of a table where they belong; True once it has no more."""
    cdef size_t stop = min(words.used, stretches.used + PORTION), i, length
    cdef WordSlot *slot
    cdef const uint8_t *start
    for i in range(stretches.used, stop):
        if i + 16 < words.used:
            PL_PREFETCH(&words.slots[stretches.slots[i + 16]])
        if words.blocks[i] != stretches.stretch:
            stretches.stretch = words.blocks[i]
            stretches.word = stretches.words[stretches.stretch]
            stretches.byte = stretches.bytes[stretches.stretch]
        slot = &words.slots[stretches.slots[i]]
        if slot.count == 0:
            continue
        start = word_at(words, slot, &length)
        if marked:
            memcpy(packed.text + stretches.byte, MARKER_BYTES, 3)
            stretches.byte += 3
        memcpy(packed.text + stretches.byte, start, length)
        stretches.byte += length
        packed.ends[stretches.word] = stretches.byte
        packed.counts[stretches.word] = slot.count
        stretches.word += 1
    stretches.used = stop
    return stop == words.used
