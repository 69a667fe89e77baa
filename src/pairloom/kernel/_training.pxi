# Training: words laid out as symbols, pairs counted, and the most frequent one merged, again and again.
#
# `symbols16` (or `symbols32`, once there are more than 65,535 symbols) holds a slot for each code point of the distinct
# words, and a 0 between words. A token of several code points has its number in its first slot and in its last one.
# So both neighbours of a token are one look away, in the same cache line, and nothing links them. A slot inside a token
# is never mistaken for the start of one: where a token began before it was swallowed stands 0, or a longer token's end.
#
# Words that occur once stand last, the others by falling count: the weight of a position follows from where it is.

cdef enum Phase:
    COUNTING_CODE_POINTS
    ORDERING
    LAYING_OUT
    COUNTING_PAIRS
    COUNTING_PARTS  # this and NOTING_PARTS: on several threads
    ADDING_PARTS
    CHOOSING_PAIRS
    NOTING_PLACES
    NOTING_PARTS
    NOTING_OTHERS
    CHOOSING
    MERGING
    RECOUNTING
    EXHAUSTED

cdef enum Outcome:
    PAUSED
    DONE
    OUT_OF_MEMORY

cdef enum:
    LATENCY = 200_000  # operations between two looks for Ctrl-C: some milliseconds
    STRIDE = 2048  # positions between two looks at the budget
    MOST_PARTS = 16  # each of them has tables of some megabytes
    DENSE = 256  # pairs of the most frequent code points are counted without hashing
    WEIGHT_BLOCK = 4  # 2^4 positions share an entry of `range_at`

# Bytes of the distinct words and one boundary each. Places are 32 bits wide.
LARGEST = 0xffff0000


ctypedef fused symbol_t:
    uint16_t
    uint32_t


cdef struct Dense:
    uint64_t frequency
    uint32_t count
    uint32_t padding


cdef struct Part:
    # What one thread counts: slots from `at` to `end`, the range of `at`, dense pairs, and where the other pairs stand.
    size_t begin
    size_t at
    size_t end
    size_t range_
    uint64_t operations
    Outcome outcome
    Dense *dense
    uint32_t **next
    uint32_t *others
    size_t others_used
    size_t others_capacity


cdef struct Neighbour:
    uint64_t weight
    uint32_t *next  # where the next place of the pair with the new symbol is written; NULL: not kept
    uint32_t count
    uint32_t padding


cdef struct Occurrence:
    uint32_t place
    uint32_t left
    uint32_t right


cdef struct LearnedRow:
    uint64_t frequency
    uint64_t replacements
    uint64_t tokens
    uint32_t left
    uint32_t right


cdef struct Range:
    uint64_t end  # position behind the last word of this count
    uint64_t weight


cdef struct Training:
    Phase phase
    uint64_t operations
    uint64_t pause_at
    size_t cursor
    size_t position
    int threads
    uint64_t min_frequency
    uint64_t threshold  # pairs below it are not kept
    uint64_t expected  # about how many merges will be asked for
    uint64_t tokens
    # Words in the order in which they are laid out.
    uint32_t *order
    size_t repeated  # so many occur more than once
    uint32_t *number_of  # code point → symbol
    uint32_t highest  # code point that occurs
    # Slots.
    uint16_t *symbols16
    uint32_t *symbols32
    size_t slots
    Range *ranges
    size_t ranges_used
    size_t ranges_capacity
    uint32_t *range_at
    size_t once_from
    # Symbols from 1; 0 is the boundary.
    uint32_t *lengths
    size_t lengths_capacity
    size_t symbols_used
    size_t alphabet
    Dense *dense
    uint32_t **next  # where the next place of a pair of the dense table is written; NULL: not kept
    size_t dense_symbols
    size_t large_from  # so many slots make a dense table worthwhile
    Part *parts  # on several threads only
    int parts_used
    uint64_t positions
    Pairs pairs
    # One round.
    uint32_t merging
    uint32_t left
    uint32_t right
    uint64_t frequency
    uint64_t replacements
    Neighbour *before
    size_t before_capacity
    Neighbour *behind
    size_t behind_capacity
    uint32_t *touched_before
    size_t touched_before_used
    size_t touched_before_capacity
    uint32_t *touched_behind
    size_t touched_behind_used
    size_t touched_behind_capacity
    Occurrence *occurrences
    size_t occurrences_used
    size_t occurrences_capacity
    uint64_t twin_weight
    uint32_t twin_count
    LearnedRow *learned
    size_t learned_used
    size_t learned_capacity


cdef void close_training(Training *training) noexcept nogil:
    pl_free(training.order)
    pl_free(training.number_of)
    pl_free(training.symbols16)
    pl_free(training.symbols32)
    pl_free(training.ranges)
    pl_free(training.range_at)
    pl_free(training.lengths)
    pl_free(training.dense)
    pl_free(training.next)
    close_parts(training)
    pl_free(training.before)
    pl_free(training.behind)
    pl_free(training.touched_before)
    pl_free(training.touched_behind)
    pl_free(training.occurrences)
    pl_free(training.learned)
    close_pairs(&training.pairs)
    memset(training, 0, sizeof(Training))


# ── laying out ───────────────────────────────────────────────────────────────────────────────────────────────────────

cdef Outcome count_code_points(Training *training, Packed *words) noexcept nogil:
    """Count each code point over the distinct words, in `number_of`, and the slots that they need."""
    cdef size_t at, end
    cdef uint32_t point = 0
    if training.number_of == NULL:
        training.number_of = <uint32_t *> pl_new_zeros(CODE_POINTS, sizeof(uint32_t))
        if training.number_of == NULL:
            return OUT_OF_MEMORY
        training.slots = 1
    while training.cursor < words.size:
        if training.operations >= training.pause_at:
            return PAUSED
        at = words.ends[training.cursor - 1] if training.cursor else 0
        end = words.ends[training.cursor]
        training.operations += 1 + (end - at) // 8
        while at < end:
            at += pl_decode(words.text + at, words.text + end, &point)
            training.number_of[point] += 1
            training.highest = max(training.highest, point)
            training.slots += 1
        training.slots += 1
        training.cursor += 1
    return DONE


cdef Outcome number_symbols(Training *training) noexcept nogil:
    """Number the code points by falling frequency, so that the frequent ones share the dense table."""
    cdef uint64_t *keys
    cdef uint64_t *sorted_keys
    cdef size_t used = 0, i
    cdef uint32_t point
    for i in range(training.highest + 1):
        used += training.number_of[i] != 0
    if not reserve_symbols(training, used + 1):
        return OUT_OF_MEMORY
    keys = <uint64_t *> pl_new(2 * used, sizeof(uint64_t))
    if keys == NULL:
        return OUT_OF_MEMORY
    used = 0
    for i in range(training.highest + 1):
        if training.number_of[i]:
            keys[used] = (<uint64_t> ~training.number_of[i] << 32) | i
            used += 1
    sorted_keys = sort_keys(keys, keys + used, used)
    training.symbols_used = 1
    training.lengths[0] = 1
    for i in range(used):
        point = <uint32_t> sorted_keys[i]
        training.number_of[point] = <uint32_t> i + 1
        if not add_code_point(training, point):
            pl_free(keys)
            return OUT_OF_MEMORY
    pl_free(keys)
    training.alphabet = used
    return DONE


cdef uint64_t *sort_keys(uint64_t *keys, uint64_t *spare, size_t size) noexcept nogil:
    """Sort by the upper half of each key, eight bits at a time, keeping the order of equals; returns where they are."""
    cdef size_t counts[256]
    cdef size_t i, total, here
    cdef int shift
    cdef uint64_t *swap
    cdef uint64_t differing = 0
    for i in range(1, size):
        differing |= keys[i] ^ keys[0]
    for shift in range(32, 64, 8):
        if not (differing >> shift) & 0xff:
            continue
        memset(counts, 0, sizeof(counts))
        for i in range(size):
            counts[(keys[i] >> shift) & 0xff] += 1
        total = 0
        for i in range(256):
            here = counts[i]
            counts[i] = total
            total += here
        for i in range(size):
            here = (keys[i] >> shift) & 0xff
            spare[counts[here]] = keys[i]
            counts[here] += 1
        swap = keys
        keys = spare
        spare = swap
    return keys


cdef bint reserve_symbols(Training *training, size_t size) noexcept nogil:
    """Make room for so many symbols in everything that is indexed by them."""
    cdef size_t before = training.before_capacity, behind = training.behind_capacity
    if not pl_reserve(<void **> &training.before, &training.before_capacity, size, sizeof(Neighbour)):
        return False
    memset(training.before + before, 0, (training.before_capacity - before) * sizeof(Neighbour))
    if not pl_reserve(<void **> &training.behind, &training.behind_capacity, size, sizeof(Neighbour)):
        return False
    memset(training.behind + behind, 0, (training.behind_capacity - behind) * sizeof(Neighbour))
    return pl_reserve(<void **> &training.lengths, &training.lengths_capacity, size, sizeof(uint32_t)) and pl_reserve(
        <void **> &training.pairs.symbols, &training.pairs.symbols_capacity, size, sizeof(Symbol)
    )


cdef bint add_code_point(Training *training, uint32_t point) noexcept nogil:
    cdef Pairs *pairs = &training.pairs
    cdef Symbol *symbol = &pairs.symbols[training.symbols_used]
    if not pl_reserve(<void **> &pairs.text, &pairs.text_capacity, pairs.text_used + 4, 1):
        return False
    symbol.text = pairs.text_used
    symbol.bytes = pl_encode(point, pairs.text + pairs.text_used)
    symbol.prefix = pl_ordering_prefix(pairs.text + symbol.text, symbol.bytes)
    pairs.text_used += symbol.bytes
    training.lengths[training.symbols_used] = 1
    training.symbols_used += 1
    return True


cdef bint add_symbol(Training *training, uint32_t left, uint32_t right) noexcept nogil:
    """Make the symbol that a pair becomes; its number is the last one."""
    cdef Pairs *pairs = &training.pairs
    cdef size_t made = training.symbols_used, length
    cdef Symbol *symbol
    if made >= NO_PAIR or not reserve_symbols(training, made + 1):
        return False
    length = pairs.symbols[left].bytes + pairs.symbols[right].bytes
    if not pl_reserve(<void **> &pairs.text, &pairs.text_capacity, pairs.text_used + length, 1):
        return False
    symbol = &pairs.symbols[made]
    symbol.text = pairs.text_used
    symbol.bytes = length
    memcpy(pairs.text + symbol.text, pairs.text + pairs.symbols[left].text, pairs.symbols[left].bytes)
    memcpy(
        pairs.text + symbol.text + pairs.symbols[left].bytes,
        pairs.text + pairs.symbols[right].text,
        pairs.symbols[right].bytes,
    )
    symbol.prefix = pl_ordering_prefix(pairs.text + symbol.text, length)
    pairs.text_used += length
    training.lengths[made] = training.lengths[left] + training.lengths[right]
    training.symbols_used += 1
    return True


cdef Outcome order_words(Training *training, Packed *words) noexcept nogil:
    """Put the repeated words first, by falling count, and the others behind; equals stay as they are."""
    cdef size_t i, repeated = 0, once, used
    cdef uint64_t *keys
    cdef uint64_t *found
    cdef uint64_t count
    training.order = <uint32_t *> pl_new(words.size, sizeof(uint32_t))
    if training.order == NULL:
        return OUT_OF_MEMORY
    for i in range(words.size):
        repeated += words.counts[i] > 1
    keys = <uint64_t *> pl_new(2 * repeated, sizeof(uint64_t))
    if keys == NULL:
        return OUT_OF_MEMORY
    once = repeated
    used = 0
    for i in range(words.size):
        count = words.counts[i]
        if count == 1:
            training.order[once] = <uint32_t> i
            once += 1
            continue
        # Counts over 32 bits are all alike here: the order is for speed alone, ranges of equal weight are what counts.
        keys[used] = (<uint64_t> ~(<uint32_t> min(count, <uint64_t> 0xffffffffu)) << 32) | i
        used += 1
    found = sort_keys(keys, keys + repeated, repeated)
    for i in range(repeated):
        training.order[i] = <uint32_t> found[i]
    pl_free(keys)
    training.repeated = repeated
    return DONE


cdef bint open_slots(Training *training) noexcept nogil:
    # One more slot than there are: a look at what stands behind the last boundary reads something.
    if training.symbols_used + 1 < 0xffff:
        training.symbols16 = <uint16_t *> pl_new(training.slots + 1, sizeof(uint16_t))
        return training.symbols16 != NULL
    training.symbols32 = <uint32_t *> pl_new(training.slots + 1, sizeof(uint32_t))
    return training.symbols32 != NULL


cdef bint widen(Training *training) noexcept nogil:
    """Give each slot 32 bits: there are more symbols than 16 can number."""
    cdef size_t i
    training.symbols32 = <uint32_t *> pl_new(training.slots + 1, sizeof(uint32_t))
    if training.symbols32 == NULL:
        return False
    for i in range(training.slots):
        training.symbols32[i] = training.symbols16[i]
    pl_free(training.symbols16)
    training.symbols16 = NULL
    return True


cdef Outcome lay_out(Training *training, symbol_t *symbols, Packed *words) noexcept nogil:
    cdef size_t at, end, word, to = training.position
    cdef uint32_t point = 0
    cdef uint64_t count
    cdef Range *last
    while training.cursor < words.size:
        if training.operations >= training.pause_at:
            training.position = to
            return PAUSED
        word = training.order[training.cursor]
        count = words.counts[word]
        if training.cursor == 0 or training.ranges[training.ranges_used - 1].weight != count:
            if not pl_reserve(
                <void **> &training.ranges, &training.ranges_capacity, training.ranges_used + 1, sizeof(Range)
            ):
                return OUT_OF_MEMORY
            training.ranges[training.ranges_used].weight = count
            training.ranges_used += 1
        at = words.ends[word - 1] if word else 0
        end = words.ends[word]
        training.operations += 1 + (end - at) // 8
        symbols[to] = 0
        to += 1
        while at < end:
            at += pl_decode(words.text + at, words.text + end, &point)
            symbols[to] = <symbol_t> training.number_of[point]
            to += 1
        training.ranges[training.ranges_used - 1].end = to
        training.cursor += 1
    symbols[to] = 0
    training.position = to
    return DONE


cdef Outcome index_ranges(Training *training) noexcept nogil:
    """Note for each few positions the range that the first of them is in."""
    cdef size_t i, at = 0, entries
    training.once_from = 0
    for i in range(training.ranges_used):
        if training.ranges[i].weight != 1:
            training.once_from = training.ranges[i].end
    entries = (training.once_from >> WEIGHT_BLOCK) + 1
    training.range_at = <uint32_t *> pl_new(entries, sizeof(uint32_t))
    if training.range_at == NULL:
        return OUT_OF_MEMORY
    for i in range(entries):
        while at + 1 < training.ranges_used and training.ranges[at].end <= i << WEIGHT_BLOCK:
            at += 1
        training.range_at[i] = <uint32_t> at
    return DONE


cdef inline uint64_t weight_of(Training *training, size_t place) noexcept nogil:
    cdef Range *range_
    if place >= training.once_from:
        return 1
    range_ = &training.ranges[training.range_at[place >> WEIGHT_BLOCK]]
    while range_.end <= place:
        range_ += 1
    return range_.weight


# ── counting pairs ───────────────────────────────────────────────────────────────────────────────────────────────────

cdef bint begin_count(Training *training) noexcept nogil:
    cdef size_t slots = 1024
    cdef Pairs *pairs = &training.pairs
    empty_pairs(pairs)
    if pairs.slots == NULL and not enlarge_slots(pairs, slots):
        return False
    if training.dense == NULL and training.slots > training.large_from:
        training.dense = <Dense *> pl_new(DENSE * DENSE, sizeof(Dense))
        training.next = <uint32_t **> pl_new(DENSE * DENSE, sizeof(uint32_t *))
        if training.dense == NULL or training.next == NULL:
            return False
        training.dense_symbols = DENSE
    if training.dense != NULL:
        memset(training.dense, 0, DENSE * DENSE * sizeof(Dense))
        memset(training.next, 0, DENSE * DENSE * sizeof(uint32_t *))
    training.position = 1
    training.cursor = 0
    training.positions = 0
    return True


cdef Outcome count_pairs(Training *training, symbol_t *symbols) noexcept nogil:
    """Count each pair, every adjacent position (T2)."""
    cdef size_t at = training.position, next_at, range_ = training.cursor, stop, slot, end = training.slots
    cdef uint32_t left, right, number
    cdef uint64_t weight
    cdef Dense *dense
    cdef Pair *pair
    cdef Pairs *pairs = &training.pairs
    while at < end:
        if training.operations >= training.pause_at:
            training.position = at
            training.cursor = range_
            return PAUSED
        stop = min(end, at + STRIDE)
        training.operations += (stop - at) // 2 + 1
        while at < stop:
            left = symbols[at]
            if left == 0:
                at += 1
                continue
            next_at = at + training.lengths[left]
            right = symbols[next_at]
            if right == 0:
                at = next_at + 1
                continue
            while training.ranges[range_].end <= at:
                range_ += 1
            weight = training.ranges[range_].weight
            if left < training.dense_symbols and right < training.dense_symbols:
                dense = &training.dense[left * DENSE + right]
                dense.frequency += weight
                dense.count += 1
            else:
                slot = find_slot(pairs, left, right)
                if pairs.slots[slot].left:
                    number = pairs.slots[slot].pair
                else:
                    number = enter_pair(pairs, slot, left, right)
                    if number == NO_PAIR:
                        return OUT_OF_MEMORY
                pair = &pairs.pairs[number]
                pair.frequency += weight
                pair.count += 1
            at = next_at
    return DONE


cdef Outcome choose_pairs(Training *training) noexcept nogil:
    """Keep the pairs that are frequent enough, with room for their places, and put them into the queue."""
    cdef Pairs *pairs = &training.pairs
    cdef size_t i, kept = 0, slot
    cdef uint64_t highest = 0, threshold
    cdef uint32_t number, left, right
    cdef Pair *pair
    cdef Dense *dense
    cdef uint64_t total = 0
    for i in range(pairs.used):
        highest = max(highest, pairs.pairs[i].frequency)
    if training.dense != NULL:
        for i in range(DENSE * DENSE):
            highest = max(highest, training.dense[i].frequency)
    if training.threshold == 0:
        threshold = highest // max(<uint64_t> 1, training.expected)
    else:
        threshold = min(training.threshold, highest) // 8
    training.threshold = threshold = max(threshold, training.min_frequency)
    # Move the kept ones together, then enter those of the dense table.
    memset(pairs.slots, 0, (pairs.mask + 1) * sizeof(PairSlot))
    for i in range(pairs.used):
        if pairs.pairs[i].frequency >= threshold:
            pairs.pairs[kept] = pairs.pairs[i]
            kept += 1
    pairs.used = kept
    pairs.live = kept
    for i in range(kept):
        slot = find_slot(pairs, pairs.pairs[i].left, pairs.pairs[i].right)
        pairs.slots[slot].left = pairs.pairs[i].left
        pairs.slots[slot].right = pairs.pairs[i].right
        pairs.slots[slot].pair = <uint32_t> i
    if training.dense != NULL:
        for left in range(1, DENSE):
            for right in range(1, DENSE):
                dense = &training.dense[left * DENSE + right]
                if dense.frequency < threshold:
                    continue
                number = enter_pair(pairs, find_slot(pairs, left, right), left, right)
                if number == NO_PAIR:
                    return OUT_OF_MEMORY
                pairs.pairs[number].frequency = dense.frequency
                pairs.pairs[number].count = dense.count
    pairs.present = highest
    for i in range(pairs.used):
        total += max(pairs.pairs[i].count, <uint32_t> 2)
    if total and not open_chunk(pairs, total):
        return OUT_OF_MEMORY
    for i in range(pairs.used):
        pair = &pairs.pairs[i]
        pair.room = max(pair.count, <uint32_t> 2)
        pair.places = pairs.open.start
        pairs.open.start += pair.room
        pairs.open.size -= pair.room
        if pair.left < training.dense_symbols and pair.right < training.dense_symbols:
            training.next[pair.left * DENSE + pair.right] = pair.places
        else:
            pair.count = 0
        if not queue_pair(pairs, <uint32_t> i):
            return OUT_OF_MEMORY
    training.operations += pairs.used // 4 + 1
    training.position = 1
    return DONE


cdef Outcome note_places(Training *training, symbol_t *symbols) noexcept nogil:
    """Write down where each pair that is kept stands."""
    cdef size_t at = training.position, next_at, stop, end = training.slots
    cdef uint32_t left, right, number
    cdef uint32_t *next_place
    cdef Pair *pair
    cdef Pairs *pairs = &training.pairs
    while at < end:
        if training.operations >= training.pause_at:
            training.position = at
            return PAUSED
        stop = min(end, at + STRIDE)
        training.operations += (stop - at) // 2 + 1
        while at < stop:
            left = symbols[at]
            if left == 0:
                at += 1
                continue
            next_at = at + training.lengths[left]
            right = symbols[next_at]
            if right == 0:
                at = next_at + 1
                continue
            if left < training.dense_symbols and right < training.dense_symbols:
                next_place = training.next[left * DENSE + right]
                if next_place != NULL:
                    next_place[0] = <uint32_t> at
                    training.next[left * DENSE + right] = next_place + 1
            else:
                number = find_pair(pairs, left, right)
                if number != NO_PAIR:
                    pair = &pairs.pairs[number]
                    pair.places[pair.count] = <uint32_t> at
                    pair.count += 1
            at = next_at
    return DONE


# ── one round ────────────────────────────────────────────────────────────────────────────────────────────────────────

cdef Outcome choose(Training *training) noexcept nogil:
    """Take the next pair and begin to merge it; with no pair left that was worth keeping, `merging` is NO_PAIR."""
    cdef uint32_t number = NO_PAIR
    cdef int result = next_pair(&training.pairs, &number, &training.operations, training.pause_at)
    cdef Pairs *pairs = &training.pairs
    cdef Pair *pair
    if result < 0:
        return OUT_OF_MEMORY
    if result == 2:
        return PAUSED
    training.operations += 1
    training.merging = number
    if number == NO_PAIR:
        return DONE
    pair = &pairs.pairs[number]
    training.left = pair.left
    training.right = pair.right
    training.frequency = pair.frequency
    training.replacements = 0
    training.twin_weight = 0
    training.twin_count = 0
    training.occurrences_used = 0
    training.touched_before_used = 0
    training.touched_behind_used = 0
    training.cursor = 0
    forget_slot(pairs, find_slot(pairs, pair.left, pair.right))
    if not add_symbol(training, pair.left, pair.right):
        return OUT_OF_MEMORY
    if training.symbols16 != NULL and training.symbols_used >= 0xffff and not widen(training):
        return OUT_OF_MEMORY
    if not pl_reserve(
        <void **> &training.occurrences, &training.occurrences_capacity, pair.count, sizeof(Occurrence)
    ):
        return OUT_OF_MEMORY
    # A symbol has at most as many distinct neighbours as places, and there are only so many symbols.
    if not pl_reserve(
        <void **> &training.touched_before, &training.touched_before_capacity,
        min(<size_t> pair.count, training.symbols_used), sizeof(uint32_t)
    ) or not pl_reserve(
        <void **> &training.touched_behind, &training.touched_behind_capacity,
        min(<size_t> pair.count, training.symbols_used), sizeof(uint32_t)
    ):
        return OUT_OF_MEMORY
    return DONE


cdef Outcome merge(Training *training, symbol_t *symbols) noexcept nogil:
    """Replace every occurrence of the pair, left to right without overlap (T5), and note its neighbours."""
    cdef Pair *pair = &training.pairs.pairs[training.merging]
    cdef const uint32_t *places = pair.places
    cdef size_t i = training.cursor, count = pair.count, stop, place, second, behind_at
    cdef symbol_t left = <symbol_t> training.left, right = <symbol_t> training.right
    cdef symbol_t made = <symbol_t> (training.symbols_used - 1)
    cdef size_t left_length = training.lengths[left], right_length = training.lengths[right]
    cdef uint32_t before, behind
    cdef uint64_t weight
    cdef Occurrence *occurrence
    cdef Neighbour *neighbour
    while i < count:
        if training.operations >= training.pause_at:
            training.cursor = i
            return PAUSED
        stop = min(count, i + STRIDE)
        training.operations += stop - i
        while i < stop:
            if i + 12 < count:
                PL_PREFETCH(&symbols[places[i + 12]])
            place = places[i]
            i += 1
            # Places may be stale: either symbol may have become part of another since.
            if symbols[place] != left:
                continue
            second = place + left_length
            if symbols[second] != right:
                continue
            weight = weight_of(training, place)
            training.replacements += weight
            before = symbols[place - 1]
            behind_at = second + right_length
            behind = symbols[behind_at]
            symbols[second] = 0
            symbols[place] = made
            symbols[behind_at - 1] = made
            occurrence = &training.occurrences[training.occurrences_used]
            training.occurrences_used += 1
            occurrence.place = <uint32_t> place
            occurrence.left = before
            occurrence.right = behind
            if before == made:
                # Two occurrences in a row, abab: the first one saw ab+a behind itself, which is ab+ab now.
                training.twin_weight += weight
                training.twin_count += 1
                occurrence.left = 0
                (occurrence - 1).right = made
            elif before:
                neighbour = &training.before[before]
                if neighbour.count == 0:
                    training.touched_before[training.touched_before_used] = before
                    training.touched_before_used += 1
                neighbour.weight += weight
                neighbour.count += 1
            if behind:
                neighbour = &training.behind[behind]
                if neighbour.count == 0:
                    training.touched_behind[training.touched_behind_used] = behind
                    training.touched_behind_used += 1
                neighbour.weight += weight
                neighbour.count += 1
    return DONE


cdef inline void lower_pair(Training *training, uint32_t left, uint32_t right, uint64_t weight) noexcept nogil:
    """Take what a round broke up off a pair, and forget it when it is not frequent enough any more."""
    cdef Pairs *pairs = &training.pairs
    cdef size_t slot = find_slot(pairs, left, right)
    cdef Pair *pair
    if pairs.slots[slot].left == 0:
        return
    pair = &pairs.pairs[pairs.slots[slot].pair]
    pair.frequency -= weight
    if pair.frequency < training.threshold:
        forget_pair(pairs, slot)


cdef bint enter_made(
    Training *training, uint32_t left, uint32_t right, uint64_t weight, uint32_t count, uint32_t **places
) noexcept nogil:
    """Enter a pair that this round made, if it can ever qualify; `places` is where its list is to be written."""
    cdef Pairs *pairs = &training.pairs
    cdef uint32_t number
    cdef Pair *pair
    places[0] = NULL
    if weight < training.threshold:
        return True
    number = enter_pair(pairs, find_slot(pairs, left, right), left, right)
    if number == NO_PAIR:
        return False
    pair = &pairs.pairs[number]
    pair.room = max(count, <uint32_t> 2)
    pair.places = take_places(pairs, pair.room)
    if pair.places == NULL:
        return False
    pair.count = count
    pair.frequency = weight
    places[0] = pair.places
    return queue_pair(pairs, number)


cdef Outcome recount(Training *training) noexcept nogil:
    """Take the pairs that the round broke up off the counts, add those that it made, and note where these stand."""
    cdef Pairs *pairs = &training.pairs
    cdef Neighbour *neighbour
    cdef Occurrence *occurrence
    cdef uint32_t made = <uint32_t> (training.symbols_used - 1), symbol
    cdef size_t i
    cdef bint kept = False
    cdef uint32_t *twins = NULL
    training.tokens -= training.replacements
    training.operations += training.touched_before_used + training.touched_behind_used + 1
    give_back(pairs, pairs.pairs[training.merging].places, pairs.pairs[training.merging].room)
    pairs.pairs[training.merging].places = NULL
    pairs.pairs[training.merging].frequency = 0
    if not release_number(pairs, training.merging):
        return OUT_OF_MEMORY
    if training.touched_before_used + training.touched_behind_used > 4:
        for i in range(training.touched_before_used):
            PL_PREFETCH(&pairs.slots[slot_of(training.touched_before[i], training.left, pairs.mask)])
        for i in range(training.touched_behind_used):
            PL_PREFETCH(&pairs.slots[slot_of(training.right, training.touched_behind[i], pairs.mask)])
    for i in range(training.touched_before_used):
        symbol = training.touched_before[i]
        lower_pair(training, symbol, training.left, training.before[symbol].weight)
    for i in range(training.touched_behind_used):
        symbol = training.touched_behind[i]
        lower_pair(training, training.right, symbol, training.behind[symbol].weight)
    if training.twin_count:
        training.behind[training.left].weight -= training.twin_weight
        training.behind[training.left].count -= training.twin_count
        if not enter_made(training, made, made, training.twin_weight, training.twin_count, &twins):
            return OUT_OF_MEMORY
        kept = twins != NULL
    for i in range(training.touched_before_used):
        symbol = training.touched_before[i]
        neighbour = &training.before[symbol]
        if not enter_made(training, symbol, made, neighbour.weight, neighbour.count, &neighbour.next):
            return OUT_OF_MEMORY
        kept |= neighbour.next != NULL
    for i in range(training.touched_behind_used):
        symbol = training.touched_behind[i]
        neighbour = &training.behind[symbol]
        if not enter_made(training, made, symbol, neighbour.weight, neighbour.count, &neighbour.next):
            return OUT_OF_MEMORY
        kept |= neighbour.next != NULL
    if kept:
        # The new symbol as its own neighbour behind: the twins, which no symbol was noted for while merging.
        training.behind[made].next = twins
        for i in range(training.occurrences_used):
            occurrence = &training.occurrences[i]
            neighbour = &training.behind[occurrence.right]
            if neighbour.next != NULL:
                neighbour.next[0] = occurrence.place
                neighbour.next += 1
            neighbour = &training.before[occurrence.left]
            if neighbour.next != NULL:
                neighbour.next[0] = occurrence.place - training.lengths[occurrence.left]
                neighbour.next += 1
        training.behind[made].next = NULL
    for i in range(training.touched_before_used):
        memset(&training.before[training.touched_before[i]], 0, sizeof(Neighbour))
    for i in range(training.touched_behind_used):
        memset(&training.behind[training.touched_behind[i]], 0, sizeof(Neighbour))
    return DONE


cdef bint note_learned(Training *training) noexcept nogil:
    cdef LearnedRow *row
    if not pl_reserve(
        <void **> &training.learned, &training.learned_capacity, training.learned_used + 1, sizeof(LearnedRow)
    ):
        return False
    row = &training.learned[training.learned_used]
    row.left = training.left
    row.right = training.right
    row.frequency = training.frequency
    row.replacements = training.replacements
    row.tokens = training.tokens
    training.learned_used += 1
    return True


cdef Outcome work(Training *training, Packed *words, size_t learned_limit) noexcept nogil:
    """Go on until the budget is used up (PAUSED), enough was learned or no pair qualifies (DONE)."""
    cdef Outcome outcome = DONE
    while True:
        if training.phase == COUNTING_CODE_POINTS:
            outcome = count_code_points(training, words)
            if outcome != DONE:
                return outcome
            training.phase = ORDERING
        elif training.phase == ORDERING:
            if number_symbols(training) != DONE or order_words(training, words) != DONE or not open_slots(training):
                return OUT_OF_MEMORY
            training.operations += words.size // 16 + 1
            training.cursor = training.position = 0
            training.phase = LAYING_OUT
        elif training.phase == LAYING_OUT:
            if training.symbols16 != NULL:
                outcome = lay_out[uint16_t](training, training.symbols16, words)
            else:
                outcome = lay_out[uint32_t](training, training.symbols32, words)
            if outcome != DONE:
                return outcome
            pl_free(training.order)
            pl_free(training.number_of)
            training.order = training.number_of = NULL
            if index_ranges(training) != DONE or not begin_count(training):
                return OUT_OF_MEMORY
            training.phase = COUNTING_PAIRS
            if training.threads > 1 and training.slots > SHARED * training.large_from:
                if not open_parts(training, training.threads):
                    return OUT_OF_MEMORY
                training.phase = COUNTING_PARTS
                return PAUSED
        elif training.phase == ADDING_PARTS:
            if training.symbols16 != NULL:
                outcome = add_parts(training, training.symbols16)
            else:
                outcome = add_parts(training, training.symbols32)
            if outcome != DONE:
                return outcome
            training.phase = CHOOSING_PAIRS
        elif training.phase == COUNTING_PAIRS:
            if training.symbols16 != NULL:
                outcome = count_pairs[uint16_t](training, training.symbols16)
            else:
                outcome = count_pairs[uint32_t](training, training.symbols32)
            if outcome != DONE:
                return outcome
            training.phase = CHOOSING_PAIRS
        elif training.phase == CHOOSING_PAIRS:
            if choose_pairs(training) != DONE:
                return OUT_OF_MEMORY
            training.phase = NOTING_PLACES
            if training.parts != NULL:
                begin_noting(training)
                training.phase = NOTING_PARTS
                return PAUSED
        elif training.phase == NOTING_OTHERS:
            if training.symbols16 != NULL:
                outcome = note_others(training, training.symbols16)
            else:
                outcome = note_others(training, training.symbols32)
            if outcome != DONE:
                return outcome
            close_parts(training)
            training.phase = CHOOSING
        elif training.phase == NOTING_PLACES:
            if training.symbols16 != NULL:
                outcome = note_places[uint16_t](training, training.symbols16)
            else:
                outcome = note_places[uint32_t](training, training.symbols32)
            if outcome != DONE:
                return outcome
            training.phase = CHOOSING
        elif training.phase == CHOOSING:
            if training.operations >= training.pause_at:
                return PAUSED
            outcome = choose(training)
            if outcome != DONE:
                return outcome
            if training.merging != NO_PAIR:
                training.phase = MERGING
            elif training.threshold <= training.min_frequency:
                training.phase = EXHAUSTED
                empty_pairs(&training.pairs)
                return DONE
            else:
                # All that was kept is merged: count those below the threshold, too.
                if not begin_count(training):
                    return OUT_OF_MEMORY
                training.phase = COUNTING_PAIRS
        elif training.phase == MERGING:
            if training.symbols16 != NULL:
                outcome = merge[uint16_t](training, training.symbols16)
            else:
                outcome = merge[uint32_t](training, training.symbols32)
            if outcome != DONE:
                return outcome
            training.phase = RECOUNTING
        elif training.phase == RECOUNTING:
            if recount(training) != DONE or not note_learned(training):
                return OUT_OF_MEMORY
            training.phase = CHOOSING
            if training.learned_used >= learned_limit:
                return DONE
        else:
            return DONE


cdef object new_tuple = tuple.__new__


cdef class TrainingRun(Team):
    """The state of one training: `advance` works on it in portions, without the interpreter lock.

    A large table that several threads counted is laid out by as many; everything else one thread does.

    `learned` are the rounds so far, complete ones only; `is_exhausted` says that no further pair qualifies; `operations`
    counts touched positions, pairs and queue entries, the measure of work that the tests bound.
    """

    cdef Training _training
    cdef WordTable _words
    cdef list _learned, _strings
    cdef object _turn  # held by who reads or writes what a portion changes
    cdef readonly uint64_t initial_tokens
    cdef bint _is_busy, _is_broken

    def __cinit__(
        self, counts, *, uint64_t min_frequency, uint64_t expected_merges=0xffffffff, size_t largest=LARGEST,
        size_t large_from=1 << 16, int threads=0
    ):
        cdef size_t size
        self._words = WordTable.of(counts)
        self._training.min_frequency = max(min_frequency, <uint64_t> 1)
        self._training.expected = expected_merges
        self._training.large_from = large_from
        self._threads = self._training.threads = min(threads or self._words._threads, MOST_PARTS)
        self.initial_tokens = self._training.tokens = self._words.tokens()
        self._learned = []
        self._strings = [""]
        self._turn = RLock()
        size = self._words._packed.size + self._words.text_bytes()
        if size > largest:
            raise CorpusTooLarge(size=size, limit=largest)

    def __dealloc__(self):
        close_training(&self._training)

    @property
    def alphabet(self):
        """The base alphabet: all code points of the words, in their order (T1)."""
        return tuple(sorted(self._words.code_points()))

    @property
    def learned_count(self):
        """How many rounds are complete."""
        return self._training.learned_used

    @property
    def operations(self):
        """The work done so far."""
        return self._training.operations

    @property
    def is_exhausted(self):
        """Whether no further pair qualifies."""
        return self._training.phase == EXHAUSTED

    @property
    def learned(self):
        """The complete rounds, a list that grows; other threads may read it while one is at work."""
        with self._turn:
            if len(self._learned) < self._training.learned_used:
                self._read_learned()
            return self._learned

    cdef int _read_learned(self) except -1:
        cdef size_t known = len(self._learned), i
        cdef LearnedRow *row
        cdef list strings = self._all_strings(), fresh = []
        for i in range(known, self._training.learned_used):
            row = &self._training.learned[i]
            # As the class itself makes one, without looking at its arguments again.
            fresh.append(
                new_tuple(
                    LearnedPair,
                    (
                        strings[row.left],
                        strings[row.right],
                        strings[self._training.alphabet + 1 + i],
                        row.frequency,
                        row.replacements,
                        row.tokens,
                    ),
                )
            )
        # Making objects may let somebody in who asks for the same.
        if <size_t> len(self._learned) == known:
            self._learned += fresh
        return 0

    cdef list _all_strings(self):
        """The strings of all symbols, by number: each made once."""
        cdef Pairs *pairs = &self._training.pairs
        cdef Symbol *symbol
        cdef list fresh = []
        cdef size_t known = len(self._strings), i
        for i in range(known, self._training.alphabet + 1 + self._training.learned_used):
            symbol = &pairs.symbols[i]
            fresh.append(PyUnicode_DecodeUTF8(<const char *> pairs.text + symbol.text, symbol.bytes, NULL))
        if <size_t> len(self._strings) == known:
            self._strings += fresh
        return self._strings

    def advance(self, *, double max_operations, size_t max_merges=1):
        """Work until so many merges more are learned, about so many operations done, or no pair qualifies any more.

        Raises:
            WorkUnfinished: an exception (Ctrl-C, no memory) broke into an earlier portion.
        """
        cdef Training *training = &self._training
        cdef Packed *words = &self._words._packed
        cdef Outcome outcome
        cdef size_t limit = training.learned_used + max_merges
        cdef uint64_t stop_at = <uint64_t> -1
        if self._is_busy:
            raise ValueError("this training is at work already")
        if self._is_broken:
            raise WorkUnfinished(work="training", reason="interrupted")
        if max_merges == 0 or training.phase == EXHAUSTED:
            return
        if max_operations < 9e18:
            stop_at = training.operations + <uint64_t> max(max_operations, 1.0)
        self._is_busy = self._is_broken = True
        try:
            while True:
                training.pause_at = min(stop_at, training.operations + LATENCY)
                with self._turn:
                    if training.phase == COUNTING_PARTS or training.phase == NOTING_PARTS:
                        outcome = self._share_parts()
                    else:
                        with nogil:
                            outcome = work(training, words, limit)
                if outcome == OUT_OF_MEMORY:
                    raise MemoryError
                PyErr_CheckSignals()
                if outcome == DONE or training.operations >= stop_at:
                    break
            self._is_broken = False
        finally:
            self._is_busy = False

    cdef Outcome _share_parts(self) except *:
        """Let each thread go on with its part for a moment; once all are through, the next phase begins."""
        cdef Training *training = &self._training
        cdef Outcome outcome = DONE
        cdef int i
        self._share()
        for i in range(training.parts_used):
            training.operations += training.parts[i].operations
            training.parts[i].operations = 0
            if training.parts[i].outcome == OUT_OF_MEMORY:
                return OUT_OF_MEMORY
            if training.parts[i].outcome == PAUSED:
                outcome = PAUSED
        if outcome == DONE:
            training.cursor = 0
            training.position = 0 if training.phase == COUNTING_PARTS else 1
            training.phase = ADDING_PARTS if training.phase == COUNTING_PARTS else NOTING_OTHERS
        return PAUSED

    cdef int _do(self, int number) except -1:
        cdef Training *training = &self._training
        cdef Part *part = &training.parts[number]
        cdef uint64_t budget = min(LATENCY, training.pause_at - training.operations)
        with nogil:
            if training.phase == COUNTING_PARTS:
                if training.symbols16 != NULL:
                    part.outcome = count_part(training, part, training.symbols16, budget)
                else:
                    part.outcome = count_part(training, part, training.symbols32, budget)
            elif training.symbols16 != NULL:
                part.outcome = note_part(training, part, training.symbols16, budget)
            else:
                part.outcome = note_part(training, part, training.symbols32, budget)
        return 0
