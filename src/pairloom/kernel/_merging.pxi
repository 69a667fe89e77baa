# One word as symbols → merged: the lowest rank first, the leftmost on a tie, one occurrence at a time (E2).
#
# Two ways with the same answers. A short word keeps the rank of each of its pairs and looks at all of them before each
# merge. A long one keeps a heap of (rank, position), so that a word of any length costs O(n log n).
#
# Symbols are numbered in the order in which the merge list first speaks of them: the frequent ones are low, and most
# look-ups of a pair end in one dense table. An unknown code point is no symbol: UNKNOWN and the code point, in no pair.

cdef enum:
    BITS_A_SLOT = 4
    LOW_SYMBOLS = 256  # pairs of symbols below it are looked up without hashing
    FEW_BITS = 6
    FEW_SYMBOLS = 1 << FEW_BITS  # up to so many, looking at all ranks is faster than the heap
    FEW_RANKS = 1 << 25  # with more, a rank and a place have no room in 32 bits
    LONG_STRIDE = 1 << 15  # merges of a long word between two looks for Ctrl-C: some milliseconds


cdef struct RankSlot:
    uint64_t pair  # left symbol in the upper half, right one in the lower; FREE_SLOT: nothing stands here
    uint32_t rank
    uint32_t padding


cdef struct Ranks:
    RankSlot *slots
    size_t mask
    uint64_t *listed  # a bit for the hash of each pair: most pairs that are not in the list have none
    size_t shift
    uint32_t *low  # ranks of pairs of low symbols; NO_RANK: not in the list
    uint32_t *results  # by rank, the symbol that the merge makes
    size_t size


cdef struct LongWord:
    uint32_t *following
    uint32_t *preceding
    uint64_t *queue
    size_t following_capacity
    size_t preceding_capacity
    size_t queue_capacity
    size_t queue_used


cdef struct Steps:
    # The merges in the order in which they were made: rank, and where the right half begins.
    uint32_t *ranks
    uint32_t *places
    size_t used
    uint32_t *starts  # of the symbols that are left


cdef void close_ranks(Ranks *ranks) noexcept nogil:
    pl_free(ranks.slots)
    pl_free(ranks.listed)
    pl_free(ranks.low)
    pl_free(ranks.results)
    memset(ranks, 0, sizeof(Ranks))


cdef bint open_ranks(Ranks *ranks, size_t size) noexcept nogil:
    """Make room for so many merges. False where there is no memory."""
    cdef size_t slots = 64
    memset(ranks, 0, sizeof(Ranks))
    ranks.shift = 64 - 6 - BITS_A_SLOT
    while slots < 2 * size:
        slots *= 2
        ranks.shift -= 1
    ranks.slots = <RankSlot *> pl_new(slots, sizeof(RankSlot))
    ranks.listed = <uint64_t *> pl_new_zeros(slots << BITS_A_SLOT >> 6, sizeof(uint64_t))
    ranks.low = <uint32_t *> pl_new(LOW_SYMBOLS * LOW_SYMBOLS, sizeof(uint32_t))
    ranks.results = <uint32_t *> pl_new(size, sizeof(uint32_t))
    if ranks.slots == NULL or ranks.listed == NULL or ranks.low == NULL or ranks.results == NULL:
        close_ranks(ranks)
        return False
    ranks.mask = slots - 1
    memset(ranks.slots, 0xff, slots * sizeof(RankSlot))
    memset(ranks.low, 0xff, LOW_SYMBOLS * LOW_SYMBOLS * sizeof(uint32_t))
    return True


cdef inline uint64_t pair_hash(uint32_t left, uint32_t right) noexcept nogil:
    """A number whose highest bits depend on both symbols."""
    return ((<uint64_t> left << 32) | right) * <uint64_t> 0x9e3779b97f4a7c15


cdef void add_rank(Ranks *ranks, uint32_t left, uint32_t right, uint32_t result) noexcept nogil:
    """Enter the next merge. Of a pair that is listed twice the lower rank stays."""
    cdef uint32_t rank = <uint32_t> ranks.size
    cdef uint64_t pair = (<uint64_t> left << 32) | right, hashed
    cdef size_t at
    cdef uint32_t *entry
    ranks.results[rank] = result
    ranks.size += 1
    if (left | right) < LOW_SYMBOLS:
        entry = &ranks.low[left * LOW_SYMBOLS + right]
        if entry[0] == NO_RANK:
            entry[0] = rank
        return
    hashed = pair_hash(left, right) >> ranks.shift
    ranks.listed[hashed >> 6] |= <uint64_t> 1 << (hashed & 63)
    at = hashed >> BITS_A_SLOT
    while ranks.slots[at].pair != FREE_SLOT:
        if ranks.slots[at].pair == pair:
            return
        at = (at + 1) & ranks.mask
    ranks.slots[at].pair = pair
    ranks.slots[at].rank = rank


cdef inline uint32_t rank_of(const Ranks *ranks, uint32_t left, uint32_t right) noexcept nogil:
    """The rank of a pair; NO_RANK, higher than all, where it is not in the list."""
    cdef uint64_t pair, hashed
    cdef size_t at
    if (left | right) < LOW_SYMBOLS:
        return ranks.low[left * LOW_SYMBOLS + right]
    hashed = pair_hash(left, right) >> ranks.shift
    if not (ranks.listed[hashed >> 6] >> (hashed & 63)) & 1:
        return NO_RANK
    pair = (<uint64_t> left << 32) | right
    at = hashed >> BITS_A_SLOT
    while ranks.slots[at].pair != pair:
        if ranks.slots[at].pair == FREE_SLOT:
            return NO_RANK
        at = (at + 1) & ranks.mask
    return ranks.slots[at].rank


cdef inline void note_step(Steps *steps, uint32_t rank, uint32_t place) noexcept nogil:
    steps.ranks[steps.used] = rank
    steps.places[steps.used] = place
    steps.used += 1


cdef inline int32_t key_at(const Ranks *ranks, const uint32_t *symbols, size_t at, size_t behind, uint32_t prefix) noexcept nogil:
    """What decides when the pair at a place is merged: its rank above the place; LAST_KEY: never."""
    cdef uint32_t rank = rank_of(ranks, symbols[at], symbols[behind])
    return <int32_t> (rank << FEW_BITS | <uint32_t> at) if rank < prefix else LAST_KEY


cdef size_t merge_few(
    const Ranks *ranks, uint32_t *symbols, size_t size, uint32_t prefix, Steps *steps, uint64_t *operations
) noexcept nogil:
    """Merge a word of at most FEW_SYMBOLS symbols in place; return how many are left.

    The least key is the lowest rank, and the leftmost of those: one look at all keys, four at a time, finds both.
    """
    cdef int32_t keys[FEW_SYMBOLS]
    cdef uint8_t following[FEW_SYMBOLS]
    cdef uint8_t preceding[FEW_SYMBOLS + 1]
    cdef size_t i, at, gone, after, padded = (size + 3) & ~<size_t> 3
    cdef int32_t least
    cdef uint64_t spent = size
    if size < 2:
        return size
    for i in range(size - 1):
        keys[i] = key_at(ranks, symbols, i, i + 1, prefix)
        following[i] = <uint8_t> (i + 1)
        preceding[i + 1] = <uint8_t> i
    following[size - 1] = <uint8_t> size
    for i in range(size - 1, padded):
        keys[i] = LAST_KEY
    while True:
        spent += padded >> 2
        least = pl_least(keys, padded)
        if least == LAST_KEY:
            break
        at = <size_t> least & (FEW_SYMBOLS - 1)
        gone = following[at]
        symbols[at] = ranks.results[least >> FEW_BITS]
        if steps != NULL:
            note_step(steps, least >> FEW_BITS, <uint32_t> gone)
        after = following[gone]
        following[at] = <uint8_t> after
        preceding[after] = <uint8_t> at
        keys[gone] = LAST_KEY
        keys[at] = key_at(ranks, symbols, at, after, prefix) if after < size else LAST_KEY
        if at:
            i = preceding[at]
            keys[i] = key_at(ranks, symbols, i, at, prefix)
    operations[0] += spent
    at = i = 0
    while at < size:
        symbols[i] = symbols[at]
        if steps != NULL:
            steps.starts[i] = <uint32_t> at
        i += 1
        at = following[at]
    return i


cdef inline size_t sift_down(uint64_t *queue, size_t size, size_t at, uint64_t item) noexcept nogil:
    """Put an item into the free place `at` of a heap whose nodes have four children; return how many levels it took."""
    cdef size_t child = 4 * at + 1, end, i, least, levels = 1
    while child < size:
        end = child + 4 if child + 4 < size else size
        least = child
        for i in range(child + 1, end):
            if queue[i] < queue[least]:
                least = i
        if queue[least] >= item:
            break
        queue[at] = queue[least]
        at = least
        child = 4 * at + 1
        levels += 1
    queue[at] = item
    return levels


cdef inline size_t sift_up(uint64_t *queue, size_t at, uint64_t item) noexcept nogil:
    """Put an item into a heap whose free place at the end is `at`; return how many levels it took."""
    cdef size_t parent, levels = 1
    while at:
        parent = (at - 1) >> 2
        if queue[parent] <= item:
            break
        queue[at] = queue[parent]
        at = parent
        levels += 1
    queue[at] = item
    return levels


cdef void close_long_word(LongWord *word) noexcept nogil:
    pl_free(word.following)
    pl_free(word.preceding)
    pl_free(word.queue)
    memset(word, 0, sizeof(LongWord))


cdef int open_long_word(LongWord *word, size_t size) except -1 nogil:
    """Make room for so many symbols. A merge puts two entries into the queue at most, and was one itself."""
    if size >= SWALLOWED or not (
        pl_reserve(<void **> &word.following, &word.following_capacity, size, sizeof(uint32_t))
        and pl_reserve(<void **> &word.preceding, &word.preceding_capacity, size, sizeof(uint32_t))
        and pl_reserve(<void **> &word.queue, &word.queue_capacity, 2 * size, sizeof(uint64_t))
    ):
        no_memory()
    return 0


cdef int merge_many(
    const Ranks *ranks, LongWord *word, uint32_t *symbols, size_t *size, uint32_t prefix, Steps *steps,
    uint64_t *operations,
) except -1 nogil:
    """Merge a word of any length in place. An entry of the queue is a rank above a position.

    Entries may be stale: the pair that stands there now decides. What was swallowed follows SWALLOWED.
    """
    cdef size_t n = size[0], i, used = 0, done = 0, spent = size[0]
    cdef uint32_t rank, at, gone, after, before, merged
    cdef uint64_t top
    cdef uint64_t *queue
    cdef uint32_t *following
    cdef uint32_t *preceding
    open_long_word(word, n)
    queue, following, preceding = word.queue, word.following, word.preceding
    for i in range(n):
        following[i] = <uint32_t> i + 1
        preceding[i] = <uint32_t> i - 1  # in front of the first one there is none, and it is SWALLOWED
        if i + 1 < n:
            rank = rank_of(ranks, symbols[i], symbols[i + 1])
            if rank < prefix:
                queue[used] = (<uint64_t> rank << 32) | i
                used += 1
        if i % (16 * LONG_STRIDE) == 0:
            look_for_signals()
    i = (used + 2) >> 2
    while i:
        i -= 1
        top = queue[i]
        spent += sift_down(queue, used, i, top)
    while used:
        top = queue[0]
        at = <uint32_t> top
        rank = <uint32_t> (top >> 32)
        gone = following[at]
        done += 1
        if done % LONG_STRIDE == 0:
            look_for_signals()
        if gone >= n or rank_of(ranks, symbols[at], symbols[gone]) != rank:
            used -= 1
            if used:
                spent += sift_down(queue, used, 0, queue[used])
            continue
        if steps != NULL:
            note_step(steps, rank, gone)
        symbols[at] = merged = ranks.results[rank]
        after = following[gone]
        following[at] = after
        following[gone] = SWALLOWED
        used -= 1
        if used:
            spent += sift_down(queue, used, 0, queue[used])
        if after < n:
            preceding[after] = at
            rank = rank_of(ranks, merged, symbols[after])
            if rank < prefix:
                spent += sift_up(queue, used, (<uint64_t> rank << 32) | at)
                used += 1
        before = preceding[at]
        if before != SWALLOWED:
            rank = rank_of(ranks, symbols[before], merged)
            if rank < prefix:
                spent += sift_up(queue, used, (<uint64_t> rank << 32) | before)
                used += 1
    operations[0] += spent
    at = 0
    done = 0
    while at < n:
        symbols[done] = symbols[at]
        if steps != NULL:
            steps.starts[done] = at
        done += 1
        at = following[at]
    size[0] = done
    return 0


cdef int look_for_signals() except -1 nogil:
    with gil:
        PyErr_CheckSignals()
    return 0
