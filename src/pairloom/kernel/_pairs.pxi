# The pairs that can still be merged: how frequent, where they stand, and which comes next.
#
# Three structures on one array of pairs:
#
# - a hash table (left, right) → pair, for the pairs that a merge breaks up;
# - `places`, the postings: positions in the corpus, ascending, written once at their exact size. They may be stale;
# - the queue. A pair's frequency only falls after the round in which its younger symbol was made, and every pair that a
#   round makes is at most as frequent as the pair it merged. So the frequency of the next pair never rises, which is
#   what a radix heap asks for: bucket b holds the pairs whose noted frequency first differs from the present one in bit
#   b - 1. A note can be too high, never too low: whoever takes a pair out of its bucket looks at its true frequency and
#   puts it where it belongs. Only pairs of exactly the present frequency are ordered by their strings, in a heap.

cdef enum:
    BUCKETS = 65
    SMALL = 64  # lists of fewer places are kept by size when they are given back
    SORTS = 34
    CHUNK = 1 << 18  # places


cdef struct Pair:
    uint64_t frequency  # 0: forgotten
    uint32_t *places
    uint32_t count
    uint32_t left
    uint32_t right
    uint32_t room


cdef struct PairSlot:
    uint32_t left  # 0: free; no symbol has this number
    uint32_t right
    uint32_t pair


cdef struct Tie:
    uint64_t left  # the first bytes of the two strings, as numbers
    uint64_t right
    uint32_t pair


cdef struct Bucket:
    uint32_t *pairs
    size_t used
    size_t capacity


cdef struct Stretch:
    uint32_t *start
    size_t size


cdef struct Symbol:
    uint64_t prefix
    size_t text
    size_t bytes


cdef struct Pairs:
    Pair *pairs
    size_t used
    size_t capacity
    uint32_t *unused  # numbers of forgotten pairs that the queue has let go of
    size_t unused_used
    size_t unused_capacity
    PairSlot *slots
    size_t mask
    size_t live
    # The queue.
    uint64_t present
    Bucket buckets[BUCKETS]
    Tie *ties
    size_t ties_used
    size_t ties_capacity
    # Memory for places.
    uint32_t **chunks
    size_t chunks_used
    size_t chunks_capacity
    Stretch open
    void *small[SMALL]  # free pieces of exactly so many places
    void *stretches[SORTS]  # longer ones, by the highest bit of their size
    # What ties are decided on.
    Symbol *symbols
    size_t symbols_capacity
    uint8_t *text
    size_t text_used
    size_t text_capacity


# ── memory for places ────────────────────────────────────────────────────────────────────────────────────────────────

cdef bint open_chunk(Pairs *pairs, size_t size) noexcept nogil:
    cdef uint32_t *chunk
    if not pl_reserve(<void **> &pairs.chunks, &pairs.chunks_capacity, pairs.chunks_used + 1, sizeof(uint32_t *)):
        return False
    chunk = <uint32_t *> pl_new(size, sizeof(uint32_t))
    if chunk == NULL:
        return False
    pairs.chunks[pairs.chunks_used] = chunk
    pairs.chunks_used += 1
    give_back(pairs, pairs.open.start, pairs.open.size)
    pairs.open.start = chunk
    pairs.open.size = size
    return True


cdef void give_back(Pairs *pairs, uint32_t *places, size_t size) noexcept nogil:
    """Take places back for later lists: each piece of free memory holds the link to the next, and a long one its size."""
    cdef int sort
    if size < 2 or places == NULL:
        return
    if size < SMALL:
        memcpy(places, &pairs.small[size], sizeof(void *))
        pairs.small[size] = places
        return
    sort = pl_highest_bit(size)
    memcpy(places, &pairs.stretches[sort], sizeof(void *))
    memcpy(places + 2, &size, sizeof(size_t))
    pairs.stretches[sort] = places


cdef bint open_stretch(Pairs *pairs, size_t size) noexcept nogil:
    """Go on with a free stretch of at least this size, the smallest sort that surely has one."""
    cdef int sort = pl_highest_bit(size)
    cdef uint32_t *found
    cdef size_t room = 0
    if pairs.stretches[sort] != NULL:
        memcpy(&room, <uint32_t *> pairs.stretches[sort] + 2, sizeof(size_t))
    if room < size:
        sort += 1
        while sort < SORTS and pairs.stretches[sort] == NULL:
            sort += 1
        if sort == SORTS:
            return False
    found = <uint32_t *> pairs.stretches[sort]
    memcpy(&pairs.stretches[sort], found, sizeof(void *))
    memcpy(&room, found + 2, sizeof(size_t))
    give_back(pairs, pairs.open.start, pairs.open.size)
    pairs.open.start = found
    pairs.open.size = room
    return True


cdef uint32_t *take_places(Pairs *pairs, size_t size) noexcept nogil:
    """Room for a list of places, at least two; NULL where there is none."""
    cdef uint32_t *taken
    if size < SMALL and pairs.small[size] != NULL:
        taken = <uint32_t *> pairs.small[size]
        memcpy(&pairs.small[size], taken, sizeof(void *))
        return taken
    if pairs.open.size < size and not open_stretch(pairs, size) and not open_chunk(pairs, max(size, <size_t> CHUNK)):
        return NULL
    taken = pairs.open.start
    pairs.open.start += size
    pairs.open.size -= size
    return taken


# ── pairs by their symbols ───────────────────────────────────────────────────────────────────────────────────────────

cdef inline size_t slot_of(uint32_t left, uint32_t right, size_t mask) noexcept nogil:
    cdef uint64_t mixed = ((<uint64_t> left << 32) | right) * <uint64_t> 0x9e3779b97f4a7c15
    return <size_t> (mixed ^ (mixed >> 32)) & mask


cdef inline size_t find_slot(Pairs *pairs, uint32_t left, uint32_t right) noexcept nogil:
    """The slot of a pair, or the free one where it would stand."""
    cdef size_t at = slot_of(left, right, pairs.mask)
    while pairs.slots[at].left and not (pairs.slots[at].left == left and pairs.slots[at].right == right):
        at = (at + 1) & pairs.mask
    return at


cdef inline uint32_t find_pair(Pairs *pairs, uint32_t left, uint32_t right) noexcept nogil:
    cdef size_t at = find_slot(pairs, left, right)
    return pairs.slots[at].pair if pairs.slots[at].left else NO_PAIR


cdef bint enlarge_slots(Pairs *pairs, size_t slots) noexcept nogil:
    cdef PairSlot *old = pairs.slots
    cdef size_t old_size = pairs.mask + 1 if old != NULL else 0, i
    cdef PairSlot *made = <PairSlot *> pl_new_zeros(slots, sizeof(PairSlot))
    if made == NULL:
        return False
    pairs.slots = made
    pairs.mask = slots - 1
    for i in range(old_size):
        if old[i].left:
            made[find_slot(pairs, old[i].left, old[i].right)] = old[i]
    pl_free(old)
    return True


cdef uint32_t enter_pair(Pairs *pairs, size_t at, uint32_t left, uint32_t right) noexcept nogil:
    """Make a pair that is not there yet; `at` is its free slot. NO_PAIR where there is no memory."""
    cdef uint32_t made
    cdef Pair *pair
    if (pairs.live + 1) * 2 > pairs.mask + 1:
        if not enlarge_slots(pairs, 2 * (pairs.mask + 1)):
            return NO_PAIR
        at = find_slot(pairs, left, right)
    if pairs.unused_used:
        pairs.unused_used -= 1
        made = pairs.unused[pairs.unused_used]
    else:
        if pairs.used >= NO_PAIR - 1:
            return NO_PAIR
        if not pl_reserve(<void **> &pairs.pairs, &pairs.capacity, pairs.used + 1, sizeof(Pair)):
            return NO_PAIR
        made = <uint32_t> pairs.used
        pairs.used += 1
    pair = &pairs.pairs[made]
    memset(pair, 0, sizeof(Pair))
    pair.left = left
    pair.right = right
    pairs.slots[at].left = left
    pairs.slots[at].right = right
    pairs.slots[at].pair = made
    pairs.live += 1
    return made


cdef void forget_slot(Pairs *pairs, size_t at) noexcept nogil:
    """Free a slot; those behind it move up, so that no search stops too early."""
    cdef size_t hole = at, home, mask = pairs.mask
    pairs.live -= 1
    while True:
        at = (at + 1) & mask
        if pairs.slots[at].left == 0:
            break
        home = slot_of(pairs.slots[at].left, pairs.slots[at].right, mask)
        if ((at - home) & mask) >= ((at - hole) & mask):
            pairs.slots[hole] = pairs.slots[at]
            hole = at
    pairs.slots[hole].left = 0


cdef void forget_pair(Pairs *pairs, size_t at) noexcept nogil:
    """Forget the pair of a slot for good; the queue lets go of its number later."""
    cdef Pair *pair = &pairs.pairs[pairs.slots[at].pair]
    give_back(pairs, pair.places, pair.room)
    pair.places = NULL
    pair.frequency = 0
    forget_slot(pairs, at)


cdef inline bint release_number(Pairs *pairs, uint32_t number) noexcept nogil:
    if not pl_reserve(<void **> &pairs.unused, &pairs.unused_capacity, pairs.unused_used + 1, sizeof(uint32_t)):
        return False
    pairs.unused[pairs.unused_used] = number
    pairs.unused_used += 1
    return True


# ── the queue ────────────────────────────────────────────────────────────────────────────────────────────────────────

cdef int compare_symbols(Pairs *pairs, uint32_t one, uint32_t other) noexcept nogil:
    """Order of two strings: UTF-8 compares like the code points do, and a beginning of a string is smaller (T4)."""
    cdef Symbol *a = &pairs.symbols[one]
    cdef Symbol *b = &pairs.symbols[other]
    cdef int order
    if one == other:
        return 0
    if a.prefix != b.prefix:
        return -1 if a.prefix < b.prefix else 1
    order = memcmp(pairs.text + a.text, pairs.text + b.text, min(a.bytes, b.bytes))
    if order:
        return order
    return -1 if a.bytes < b.bytes else 1


cdef inline bint comes_first(Pairs *pairs, Tie *one, Tie *other) noexcept nogil:
    cdef Pair *a
    cdef Pair *b
    cdef int order
    if one.left != other.left:
        return one.left < other.left
    a = &pairs.pairs[one.pair]
    b = &pairs.pairs[other.pair]
    order = compare_symbols(pairs, a.left, b.left)
    if order == 0:
        order = compare_symbols(pairs, a.right, b.right)
    return order < 0


cdef void sink(Pairs *pairs, size_t at) noexcept nogil:
    cdef Tie moving = pairs.ties[at]
    cdef size_t child
    while True:
        child = 2 * at + 1
        if child >= pairs.ties_used:
            break
        if child + 1 < pairs.ties_used and comes_first(pairs, &pairs.ties[child + 1], &pairs.ties[child]):
            child += 1
        if not comes_first(pairs, &pairs.ties[child], &moving):
            break
        pairs.ties[at] = pairs.ties[child]
        at = child
    pairs.ties[at] = moving


cdef bint append_tie(Pairs *pairs, uint32_t number) noexcept nogil:
    cdef Tie *tie
    if not pl_reserve(<void **> &pairs.ties, &pairs.ties_capacity, pairs.ties_used + 1, sizeof(Tie)):
        return False
    tie = &pairs.ties[pairs.ties_used]
    tie.left = pairs.symbols[pairs.pairs[number].left].prefix
    tie.right = pairs.symbols[pairs.pairs[number].right].prefix
    tie.pair = number
    pairs.ties_used += 1
    return True


cdef bint into_bucket(Pairs *pairs, int number, uint32_t pair) noexcept nogil:
    cdef Bucket *bucket = &pairs.buckets[number]
    if not pl_reserve(<void **> &bucket.pairs, &bucket.capacity, bucket.used + 1, sizeof(uint32_t)):
        return False
    bucket.pairs[bucket.used] = pair
    bucket.used += 1
    return True


cdef inline int bucket_of(uint64_t frequency, uint64_t present) noexcept nogil:
    return 0 if frequency == present else 1 + pl_highest_bit(frequency ^ present)


cdef bint queue_pair(Pairs *pairs, uint32_t number) noexcept nogil:
    """Enter a pair that is at most as frequent as the present one."""
    cdef int bucket = bucket_of(pairs.pairs[number].frequency, pairs.present)
    cdef size_t at, above
    cdef Tie moving
    if bucket:
        return into_bucket(pairs, bucket, number)
    if not append_tie(pairs, number):
        return False
    at = pairs.ties_used - 1
    moving = pairs.ties[at]
    while at:
        above = (at - 1) // 2
        if not comes_first(pairs, &moving, &pairs.ties[above]):
            break
        pairs.ties[at] = pairs.ties[above]
        at = above
    pairs.ties[at] = moving
    return True


cdef int lower_present(Pairs *pairs, uint64_t *operations) noexcept nogil:
    """Make the next lower frequency the present one, and return 1; 0 and -1 as below."""
    cdef int number, target
    cdef size_t i, kept
    cdef uint64_t frequency, highest
    cdef Bucket *bucket
    cdef uint32_t pair
    for number in range(1, BUCKETS):
        bucket = &pairs.buckets[number]
        kept = 0
        highest = 0
        for i in range(bucket.used):
            if i + 8 < bucket.used:
                PL_PREFETCH(&pairs.pairs[bucket.pairs[i + 8]])
            pair = bucket.pairs[i]
            frequency = pairs.pairs[pair].frequency
            if frequency == 0:
                if not release_number(pairs, pair):
                    return -1
                continue
            target = bucket_of(frequency, pairs.present)
            if target > number:
                if not into_bucket(pairs, target, pair):
                    return -1
                continue
            bucket.pairs[kept] = pair
            kept += 1
            highest = max(highest, frequency)
        operations[0] += bucket.used // 4 + 1
        bucket.used = 0
        if kept == 0:
            continue
        pairs.present = highest
        for i in range(kept):
            pair = bucket.pairs[i]
            target = bucket_of(pairs.pairs[pair].frequency, highest)
            if not (into_bucket(pairs, target, pair) if target else append_tie(pairs, pair)):
                return -1
        i = pairs.ties_used // 2
        while i:
            i -= 1
            sink(pairs, i)
        return 1
    return 0


cdef int next_pair(Pairs *pairs, uint32_t *number, uint64_t *operations, uint64_t pause_at) noexcept nogil:
    """Take the most frequent pair out of the queue, the smallest among equals (T4).

    Returns 1 for a pair, 0 if the queue is empty, -1 where there is no memory, 2 where the budget is used up: the next
    call goes on from there.
    """
    cdef uint32_t pair
    cdef uint64_t frequency
    cdef int result
    while True:
        while pairs.ties_used:
            if operations[0] >= pause_at:
                return 2
            operations[0] += 1
            pair = pairs.ties[0].pair
            pairs.ties_used -= 1
            pairs.ties[0] = pairs.ties[pairs.ties_used]
            if pairs.ties_used:
                sink(pairs, 0)
            frequency = pairs.pairs[pair].frequency
            if frequency == pairs.present:
                number[0] = pair
                return 1
            if frequency == 0:
                if not release_number(pairs, pair):
                    return -1
            elif not into_bucket(pairs, bucket_of(frequency, pairs.present), pair):
                return -1
        result = lower_present(pairs, operations)
        if result <= 0:
            return result


cdef void empty_pairs(Pairs *pairs) noexcept nogil:
    """Forget all pairs; what symbols are stays."""
    cdef size_t i
    pairs.used = pairs.unused_used = pairs.live = pairs.ties_used = 0
    if pairs.slots != NULL:
        memset(pairs.slots, 0, (pairs.mask + 1) * sizeof(PairSlot))
    for i in range(BUCKETS):
        pairs.buckets[i].used = 0
    for i in range(pairs.chunks_used):
        pl_free(pairs.chunks[i])
    pairs.chunks_used = 0
    memset(&pairs.open, 0, sizeof(Stretch))
    memset(pairs.small, 0, sizeof(pairs.small))
    memset(pairs.stretches, 0, sizeof(pairs.stretches))


cdef void close_pairs(Pairs *pairs) noexcept nogil:
    cdef size_t i
    empty_pairs(pairs)
    for i in range(BUCKETS):
        pl_free(pairs.buckets[i].pairs)
    pl_free(pairs.pairs)
    pl_free(pairs.unused)
    pl_free(pairs.slots)
    pl_free(pairs.ties)
    pl_free(pairs.chunks)
    pl_free(pairs.symbols)
    pl_free(pairs.text)
    memset(pairs, 0, sizeof(Pairs))
