# The first count of pairs, and the noting of their places, on several threads.
#
# Each thread takes a stretch of slots and counts the pairs of frequent code points in a dense table of its own; where the
# others stand it writes down, and one thread enters those into the hash table. The counts of the threads before say where
# in a pair's list a thread begins to write its places, so that lists are ascending as ever. Later counts meet symbols of
# several code points, whose beginnings only reading from the start can tell: they are rare, and one thread does them.

cdef enum:
    SHARED = 16  # times as many slots as make a dense table worthwhile make threads worthwhile


cdef void close_parts(Training *training) noexcept nogil:
    cdef int i
    for i in range(training.parts_used):
        pl_free(training.parts[i].dense)
        pl_free(training.parts[i].next)
        pl_free(training.parts[i].others)
    pl_free(training.parts)
    training.parts = NULL
    training.parts_used = 0


cdef bint open_parts(Training *training, int parts) noexcept nogil:
    """Part the slots; each pair belongs to the part of its left symbol. False where there is no memory."""
    cdef size_t begin = 1, end, i
    cdef Part *part
    training.parts = <Part *> pl_new_zeros(parts, sizeof(Part))
    if training.parts == NULL:
        return False
    training.parts_used = parts
    for i in range(<size_t> parts):
        part = &training.parts[i]
        part.dense = <Dense *> pl_new_zeros(DENSE * DENSE, sizeof(Dense))
        part.next = <uint32_t **> pl_new_zeros(DENSE * DENSE, sizeof(uint32_t *))
        if part.dense == NULL or part.next == NULL:
            return False
        end = max(begin, training.slots // parts * (i + 1)) if i + 1 < <size_t> parts else training.slots
        part.begin = part.at = begin
        part.end = end
        begin = end
    return True


cdef Outcome count_part(Training *training, Part *part, symbol_t *symbols, uint64_t budget) noexcept nogil:
    """Count the pairs of one part, about so many operations."""
    cdef size_t at = part.at, stop
    cdef uint32_t left, right
    cdef Dense *dense
    cdef Range *range_ = &training.ranges[part.range_]
    cdef Outcome outcome = DONE
    cdef uint64_t before = part.operations
    while at < part.end and outcome == DONE:
        if part.operations - before >= budget:
            outcome = PAUSED
            break
        stop = min(part.end, at + STRIDE)
        part.operations += (stop - at) // 2 + 1
        if not pl_reserve(
            <void **> &part.others, &part.others_capacity, part.others_used + STRIDE, sizeof(uint32_t)
        ):
            outcome = OUT_OF_MEMORY
            break
        # Each symbol is one slot long, so the right one of a pair is the next one's left.
        while at < stop:
            left = symbols[at]
            right = symbols[at + 1]
            if left and right:
                if left < DENSE and right < DENSE:
                    while range_.end <= at:
                        range_ += 1
                    dense = &part.dense[left * DENSE + right]
                    dense.frequency += range_.weight
                    dense.count += 1
                else:
                    part.others[part.others_used] = <uint32_t> at
                    part.others_used += 1
            at += 1
    part.at = at
    part.range_ = range_ - training.ranges
    return outcome


cdef Outcome add_parts(Training *training, symbol_t *symbols) noexcept nogil:
    """Add up what the parts have counted, then enter the pairs that are in no dense table."""
    cdef Part *part
    cdef size_t i, slot, place
    cdef uint32_t number
    cdef Pair *pair
    cdef Pairs *pairs = &training.pairs
    while training.cursor < <size_t> training.parts_used:
        part = &training.parts[training.cursor]
        if training.position == 0:
            training.position = 1
            for i in range(DENSE * DENSE):
                training.dense[i].frequency += part.dense[i].frequency
                training.dense[i].count += part.dense[i].count
        while training.position <= part.others_used:
            if training.operations >= training.pause_at:
                return PAUSED
            training.operations += 1
            place = part.others[training.position - 1]
            training.position += 1
            slot = find_slot(pairs, symbols[place], symbols[place + 1])
            number = pairs.slots[slot].pair
            if pairs.slots[slot].left == 0:
                number = enter_pair(pairs, slot, symbols[place], symbols[place + 1])
                if number == NO_PAIR:
                    return OUT_OF_MEMORY
            pair = &pairs.pairs[number]
            pair.frequency += weight_of(training, place)
            pair.count += 1
        training.position = 0
        training.cursor += 1
    return DONE


cdef void begin_noting(Training *training) noexcept nogil:
    """Say where each part writes the places of each pair of the dense table: behind those of the parts before."""
    cdef size_t i
    cdef int number
    cdef uint32_t *next_place
    for i in range(DENSE * DENSE):
        next_place = training.next[i]
        for number in range(training.parts_used):
            training.parts[number].next[i] = next_place
            if next_place != NULL:
                next_place += training.parts[number].dense[i].count
    for number in range(training.parts_used):
        training.parts[number].at = training.parts[number].begin


cdef Outcome note_part(Training *training, Part *part, symbol_t *symbols, uint64_t budget) noexcept nogil:
    """Write down where the pairs of the dense table stand in one part, about so many operations."""
    cdef size_t at = part.at, stop
    cdef uint32_t left, right
    cdef uint32_t *next_place
    cdef uint64_t before = part.operations
    while at < part.end:
        if part.operations - before >= budget:
            part.at = at
            return PAUSED
        stop = min(part.end, at + STRIDE)
        part.operations += (stop - at) // 2 + 1
        while at < stop:
            left = symbols[at]
            right = symbols[at + 1]
            if left and right and left < DENSE and right < DENSE:
                next_place = part.next[left * DENSE + right]
                if next_place != NULL:
                    next_place[0] = <uint32_t> at
                    part.next[left * DENSE + right] = next_place + 1
            at += 1
    part.at = at
    return DONE


cdef Outcome note_others(Training *training, symbol_t *symbols) noexcept nogil:
    """Write down where the pairs stand that are in no dense table."""
    cdef Part *part
    cdef size_t place
    cdef uint32_t number
    cdef Pair *pair
    while training.cursor < <size_t> training.parts_used:
        part = &training.parts[training.cursor]
        while training.position <= part.others_used:
            if training.operations >= training.pause_at:
                return PAUSED
            training.operations += 1
            place = part.others[training.position - 1]
            training.position += 1
            number = find_pair(&training.pairs, symbols[place], symbols[place + 1])
            if number != NO_PAIR:
                pair = &training.pairs.pairs[number]
                pair.places[pair.count] = <uint32_t> place
                pair.count += 1
        training.position = 1
        training.cursor += 1
    return DONE
