# One word as symbols → merged: the lowest rank first, the leftmost on a tie, one occurrence at a time (E2).
#
# Two ways with the same answers. A short word keeps the rank of each of its pairs and looks at all of them before each
# merge: in registers where the machine has wide ones, or else in memory. A long one keeps a heap of (rank, position), so
# that a word of any length costs O(n log n).
#
# Symbols are numbered so that what the merge of a rank makes follows from the rank, unless the list makes a string twice:
# first those that no merge makes, in the order in which the list speaks of them, then the results. An unknown code point
# is no symbol: UNKNOWN and the code point, in no pair.

#
# The ranks of pairs stand in a table with two buckets for each, of two slots: finding one takes two accesses and no
# branch. A slot has 32 bits: the rank, and above it as much of the pair's hash as there is room for. Small is what
# counts: the table, and the rows, stay in a core's own cache. Now and then a pair looks like another one that is in the
# list, and is taken to have a rank that is too low, never one that is too high. That is seen when it would be merged,
# since every merge compares both symbols: then its own rank is looked up, and it waits for that.

cdef enum:
    LOW_SYMBOLS = 256  # pairs of symbols below it are looked up without hashing
    FEW_BITS = 6
    FEW_SYMBOLS = 1 << FEW_BITS  # up to so many, looking at all ranks is faster than the heap
    MOST_RANKS = (1 << 25) - 1  # with more, a rank and a place have no room in 32 bits
    LONG_STRIDE = 1 << 15  # merges of a long word between two looks for Ctrl-C: some milliseconds
    MOST_MOVES = 500  # of entries that make room for one: more are a sign that there is none, and another hash is tried


cdef size_t _most_in_registers = PL_MOST_IN_REGISTERS if pl_has_wide_registers() else 0


cdef struct MergeRow:
    uint32_t left
    uint32_t right


cdef struct Ranks:
    MergeRow *rows  # by rank
    size_t size
    uint32_t first_result
    uint32_t *results  # by rank; NULL where they follow each other from `first_result`
    uint32_t *slots
    size_t buckets  # of two slots
    int shift
    int rank_bits
    uint64_t factor
    uint32_t *low  # ranks of pairs of low symbols; NO_RANK: not in the list


cdef struct LongWord:
    uint32_t *following
    uint32_t *preceding
    uint64_t *queue
    size_t following_capacity
    size_t preceding_capacity
    size_t queue_capacity
    size_t queue_used


cdef void close_ranks(Ranks *ranks) noexcept nogil:
    pl_free(ranks.rows)
    pl_free(ranks.results)
    pl_free(ranks.slots)
    pl_free(ranks.low)
    memset(ranks, 0, sizeof(Ranks))


cdef bint open_ranks(Ranks *ranks, size_t size) noexcept nogil:
    """Make room for so many merges. False where there is no memory."""
    memset(ranks, 0, sizeof(Ranks))
    ranks.rows = <MergeRow *> pl_new(size, sizeof(MergeRow))
    ranks.results = <uint32_t *> pl_new(size, sizeof(uint32_t))
    ranks.low = <uint32_t *> pl_new(LOW_SYMBOLS * LOW_SYMBOLS, sizeof(uint32_t))
    if ranks.rows == NULL or ranks.results == NULL or ranks.low == NULL:
        close_ranks(ranks)
        return False
    ranks.buckets = 8
    ranks.shift = 61
    ranks.rank_bits = 4
    while ranks.buckets < size:
        ranks.buckets *= 2
        ranks.shift -= 1
    # The highest number is no rank.
    while <size_t> 1 << ranks.rank_bits <= size:
        ranks.rank_bits += 1
    return True


cdef bint index_ranks(Ranks *ranks) noexcept nogil:
    """Make the rows of the merges, all entered, ready to be found. False where there is no memory."""
    cdef size_t rank, tries = 0
    cdef MergeRow row
    cdef uint32_t *entry
    memset(ranks.low, 0xff, LOW_SYMBOLS * LOW_SYMBOLS * sizeof(uint32_t))
    for rank in range(ranks.size):
        row = ranks.rows[rank]
        if (row.left | row.right) < LOW_SYMBOLS:
            entry = &ranks.low[row.left * LOW_SYMBOLS + row.right]
            if entry[0] == NO_RANK:
                entry[0] = <uint32_t> rank
    ranks.slots = <uint32_t *> pl_new(2 * ranks.buckets, sizeof(uint32_t))
    if ranks.slots == NULL:
        return False
    # Half of the slots stay free at least, so hardly any hash has to be tried twice.
    while True:
        tries += 1
        # Nobody can prepare merges that find no place: the seeds are drawn anew in each process.
        ranks.factor = pl_fold_multiply(_seed_1 ^ tries, _seed_2) | 1
        memset(ranks.slots, 0xff, 2 * ranks.buckets * sizeof(uint32_t))
        for rank in range(ranks.size):
            if not enter_rank(ranks, <uint32_t> rank):
                break
        else:
            return True


cdef bint enter_rank(Ranks *ranks, uint32_t rank) noexcept nogil:
    """Give a pair a slot, unless it has a lower rank already. False where none can be found."""
    cdef const MergeRow *row = &ranks.rows[rank]
    cdef uint64_t hashed = pl_pair_hash(row.left, row.right, ranks.factor)
    cdef size_t bucket = hashed >> ranks.shift, other, i, moves
    cdef uint32_t check = pl_pair_check(hashed, ranks.rank_bits), found, moving, highest = (1 << ranks.rank_bits) - 1
    cdef uint32_t *slot
    other = pl_other_bucket(bucket, check, ranks.shift)
    for i in range(4):
        slot = &ranks.slots[2 * (bucket if i < 2 else other) + i % 2]
        found = slot[0] & highest
        if found < ranks.size and is_pair(&ranks.rows[found], row.left, row.right):
            return True
    moving = (check << ranks.rank_bits) | rank
    for moves in range(MOST_MOVES):
        for i in range(4):
            slot = &ranks.slots[2 * (bucket if i < 2 else other) + i % 2]
            if slot[0] == FREE_SLOT:
                slot[0] = moving
                return True
        # It takes the place of another one, which has its second bucket left.
        slot = &ranks.slots[2 * other + moves % 2]
        found = slot[0]
        slot[0] = moving
        moving = found
        bucket = other
        other = pl_other_bucket(bucket, moving >> ranks.rank_bits, ranks.shift)
    return False


cdef inline uint32_t rank_of(const Ranks *ranks, uint32_t left, uint32_t right) noexcept nogil:
    """The rank of a pair, or NO_RANK where it is not in the list; hardly ever a lower one, of another pair or of none."""
    return pl_rank_of(ranks.slots, ranks.shift, ranks.rank_bits, ranks.factor, left, right)


cdef inline uint32_t own_rank(const Ranks *ranks, uint32_t left, uint32_t right) noexcept nogil:
    """The rank of a pair itself; no rank where it is not in the list."""
    cdef const uint32_t *rows = <const uint32_t *> ranks.rows
    return pl_own_rank(ranks.slots, rows, ranks.shift, ranks.rank_bits, ranks.factor, left, right)


cdef inline bint is_pair(const MergeRow *row, uint32_t left, uint32_t right) noexcept nogil:
    return row.left == left and row.right == right


cdef inline uint32_t result_of(const Ranks *ranks, uint32_t rank) noexcept nogil:
    return ranks.first_result + rank if ranks.results == NULL else ranks.results[rank]


cdef pl_merges merges_of(const Ranks *ranks) noexcept nogil:
    cdef pl_merges merges
    merges.slots, merges.low, merges.rows = ranks.slots, ranks.low, <const uint32_t *> ranks.rows
    merges.results, merges.first_result = ranks.results, ranks.first_result
    merges.factor, merges.shift, merges.rank_bits = ranks.factor, ranks.shift, ranks.rank_bits
    return merges


cdef size_t merge_few(
    const Ranks *ranks, uint32_t *symbols, size_t size, uint32_t prefix, uint64_t *operations
) noexcept nogil:
    """Merge a word of at most FEW_SYMBOLS symbols in place; return how many are left.

    A key is a rank above a place: the least is the lowest rank, and the leftmost of those. One look at all keys, four at
    a time, finds both. What was swallowed is no place any more: around the word, too, stands what is in no pair.
    """
    cdef int32_t keys[FEW_SYMBOLS + 8]
    cdef uint32_t around[FEW_SYMBOLS + 2]
    cdef uint8_t following[FEW_SYMBOLS + 2]
    cdef uint8_t preceding[FEW_SYMBOLS + 2]
    cdef uint32_t *word = around + 1
    cdef size_t i, at, gone, after, before, padded = (size + 3) & ~<size_t> 3
    cdef int32_t least
    cdef uint32_t rank, merged
    cdef uint64_t spent = size
    cdef const MergeRow *row
    if size < 2:
        return size
    around[0] = word[size] = NO_SYMBOL
    word[0] = symbols[0]
    for i in range(1, size):
        word[i] = symbols[i]
        rank = first_rank(ranks, word[i - 1], word[i])
        keys[i - 1] = pl_key(rank, <uint32_t> (i - 1), prefix)
    for i in range(size - 1, padded):
        keys[i] = LAST_KEY
    for i in range(size):
        following[i] = <uint8_t> (i + 1)
        preceding[i + 1] = <uint8_t> i
    preceding[0] = FEW_SYMBOLS  # the place before the word, where a key is written and never read
    while True:
        spent += padded >> 2
        least = pl_least(keys, padded)
        if least == LAST_KEY:
            break
        at = <size_t> least & (FEW_SYMBOLS - 1)
        rank = <uint32_t> least >> FEW_BITS
        row = &ranks.rows[rank]
        gone = following[at]
        if not is_pair(row, word[at], word[gone]):
            keys[at] = pl_key(own_rank(ranks, word[at], word[gone]), <uint32_t> at, prefix)
            continue
        merged = result_of(ranks, rank)
        word[at] = merged
        after = following[gone]
        following[at] = <uint8_t> after
        preceding[after] = <uint8_t> at
        before = preceding[at]
        keys[gone] = LAST_KEY
        rank = rank_of(ranks, merged, word[after])
        keys[at] = pl_key(rank, <uint32_t> at, prefix)
        rank = rank_of(ranks, around[before + 1 if at else 0], merged)
        keys[before] = pl_key(rank, <uint32_t> before, prefix)
    operations[0] += spent
    at = i = 0
    while at < size:
        symbols[i] = word[at]
        i += 1
        at = following[at]
    return i


cdef inline uint32_t first_rank(const Ranks *ranks, uint32_t left, uint32_t right) noexcept nogil:
    """The rank of a pair of a word that is not merged yet: mostly of frequent code points."""
    if (left | right) < LOW_SYMBOLS:
        return ranks.low[left * LOW_SYMBOLS + right]
    return rank_of(ranks, left, right)


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
    const Ranks *ranks, LongWord *word, uint32_t *symbols, size_t *size, uint32_t prefix, uint64_t *operations,
    const bint *is_given_up,
) except -1 nogil:
    """Merge a word of any length in place. An entry of the queue is a rank above a position.

    Entries may be stale: the pair that stands there now decides. What was swallowed follows SWALLOWED.

    Raises: GivenUp, soon after `is_given_up`.
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
            rank = first_rank(ranks, symbols[i], symbols[i + 1])
            if rank < prefix:
                queue[used] = (<uint64_t> rank << 32) | i
                used += 1
        if i % (16 * LONG_STRIDE) == 0:
            look_around(is_given_up)
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
            look_around(is_given_up)
        if gone >= n or not is_pair(&ranks.rows[rank], symbols[at], symbols[gone]):
            if gone < n and rank_of(ranks, symbols[at], symbols[gone]) == rank:
                # Not stale: this pair was taken for another one.
                rank = own_rank(ranks, symbols[at], symbols[gone])
                if rank < prefix:
                    spent += sift_down(queue, used, 0, (<uint64_t> rank << 32) | at)
                    continue
            used -= 1
            if used:
                spent += sift_down(queue, used, 0, queue[used])
            continue
        symbols[at] = merged = result_of(ranks, rank)
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
        done += 1
        at = following[at]
    size[0] = done
    return 0


class GivenUp(Exception):
    """The work that this is a part of has failed elsewhere: nobody waits for it any more."""


cdef int look_around(const bint *is_given_up) except -1 nogil:
    """Let Ctrl-C through, and end what is not wanted any more."""
    with gil:
        PyErr_CheckSignals()
        if is_given_up[0]:
            raise GivenUp
    return 0
