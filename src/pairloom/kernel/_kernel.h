/* What C says better than Cython: prefetching, wide multiplication, bit tricks, and sixteen bytes compared at once.
 *
 * Everything here has a portable form; the faster one gives the same answers.
 */
#ifndef PAIRLOOM_KERNEL_H
#define PAIRLOOM_KERNEL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GNUC__) || defined(__clang__)
#define PL_PREFETCH(address) __builtin_prefetch(address)
#define PL_LIKELY(x) __builtin_expect(!!(x), 1)
#define PL_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define PL_PREFETCH(address) ((void)(address))
#define PL_LIKELY(x) (x)
#define PL_UNLIKELY(x) (x)
#endif

#if defined(__SSE2__) || (defined(_MSC_VER) && defined(_M_X64))
#include <emmintrin.h>
#define PL_SSE2 1
#endif

/* All memory comes from here. A build with PAIRLOOM_TEST_ALLOCATION can refuse the k-th request and counts what is
 * still held, so that tests can see each failure handled and nothing leaked. */
#ifdef PAIRLOOM_TEST_ALLOCATION
static long long pl_until_refusal = -1;
static long long pl_held = 0;
/* Threads ask for memory at the same time. */
#define PL_ADD(counter, number) __atomic_fetch_add(&(counter), (number), __ATOMIC_RELAXED)
#define PL_REFUSED() (__atomic_load_n(&pl_until_refusal, __ATOMIC_RELAXED) >= 0 && PL_ADD(pl_until_refusal, -1) == 0)
#define PL_HOLD(pointer) ((pointer) ? (PL_ADD(pl_held, 1), (pointer)) : NULL)
static const int pl_counts_allocations = 1;
#else
static long long pl_until_refusal = -1;
static long long pl_held = 0;
#define PL_REFUSED() 0
#define PL_HOLD(pointer) (pointer)
static const int pl_counts_allocations = 0;
#endif

/* Room for `count` items; NULL where there is none, or where their size is no size at all. */
static inline void *pl_new(size_t count, size_t item) {
    void *made;
    if (PL_REFUSED() || count > (size_t)PTRDIFF_MAX / item) {
        return NULL;
    }
    made = malloc(count * item + !count);
    return PL_HOLD(made);
}

static inline void *pl_new_zeros(size_t count, size_t item) {
    void *made;
    if (PL_REFUSED() || count > (size_t)PTRDIFF_MAX / item) {
        return NULL;
    }
    made = calloc(count + !count, item);
    return PL_HOLD(made);
}

static inline void pl_free(void *memory) {
#ifdef PAIRLOOM_TEST_ALLOCATION
    PL_ADD(pl_held, -(memory != NULL));
#endif
    free(memory);
}

/* Make room for at least `wanted` items, half as much again as before; 0 where there is none, and nothing has changed. */
static inline int pl_reserve(void **memory, size_t *capacity, size_t wanted, size_t item) {
    size_t larger = *capacity + *capacity / 2 + 16;
    void *moved;
    if (wanted <= *capacity) {
        return 1;
    }
    if (larger < wanted) {
        larger = wanted;
    }
    if (PL_REFUSED() || larger > (size_t)PTRDIFF_MAX / item) {
        return 0;
    }
    moved = realloc(*memory, larger * item);
    if (!moved) {
        return 0;
    }
#ifdef PAIRLOOM_TEST_ALLOCATION
    PL_ADD(pl_held, *memory == NULL);
#endif
    *memory = moved;
    *capacity = larger;
    return 1;
}

/* Make an array of `count` items twice as long, zeros in its new half; 0 where there is no room, and nothing has changed.
 */
static inline int pl_double(void **memory, size_t count, size_t item) {
    void *moved;
    if (PL_REFUSED() || count > (size_t)PTRDIFF_MAX / 2 / item) {
        return 0;
    }
    moved = realloc(*memory, 2 * count * item);
    if (!moved) {
        return 0;
    }
    memset((char *)moved + count * item, 0, count * item);
    *memory = moved;
    return 1;
}

/* Give back what an array does not use; where that fails it keeps its room. */
static inline void pl_trim(void **memory, size_t *capacity, size_t used, size_t item) {
    if (used && used < *capacity) {
        void *moved = realloc(*memory, used * item);
        if (moved) {
            *memory = moved;
            *capacity = used;
        }
    }
}

/* The place of the lowest bit that is set; x is not 0. */
static inline int pl_lowest_bit(uint64_t x) {
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(x);
#else
    int place = 0;
    while (!(x & 1)) {
        x >>= 1;
        place++;
    }
    return place;
#endif
}

/* The place of the highest bit that is set; x is not 0. */
static inline int pl_highest_bit(uint64_t x) {
#if defined(__GNUC__) || defined(__clang__)
    return 63 - __builtin_clzll(x);
#else
    int place = 0;
    while (x >>= 1) {
        place++;
    }
    return place;
#endif
}

/* High and low half of the 128-bit product, folded together. */
static inline uint64_t pl_fold_multiply(uint64_t a, uint64_t b) {
#if defined(__SIZEOF_INT128__)
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t a_low = a & 0xffffffffu, a_high = a >> 32, b_low = b & 0xffffffffu, b_high = b >> 32;
    uint64_t low = a_low * b_low, middle = a_high * b_low + (low >> 32);
    uint64_t middle_low = (middle & 0xffffffffu) + a_low * b_high;
    uint64_t high = a_high * b_high + (middle >> 32) + (middle_low >> 32);
    return ((middle_low << 32) | (low & 0xffffffffu)) ^ high;
#endif
}

static inline uint64_t pl_load(const uint8_t *from) {
    uint64_t value;
    memcpy(&value, from, 8);
    return value;
}

/* The first `length` bytes (at most 16) as two integers, zeros behind them. Sixteen bytes from `from` on are readable.
 * Two words of equal length have equal integers exactly if they are equal. */
static inline void pl_load_short(const uint8_t *from, size_t length, uint64_t *first, uint64_t *second) {
    static const uint8_t ones[32] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    *first = pl_load(from) & pl_load(ones + 16 - length);
    *second = pl_load(from + 8) & pl_load(ones + 24 - length);
}

/* The first eight bytes as a number that orders like the bytes, zeros behind a shorter string. */
static inline uint64_t pl_ordering_prefix(const uint8_t *from, size_t length) {
    uint64_t value = 0;
    size_t i;
    for (i = 0; i < 8; i++) {
        value = (value << 8) | (i < length ? from[i] : 0);
    }
    return value;
}

/* Bit i of `space`: byte i of the 64 is a space or U+0009 to U+000D. Bit i of `high`: it is no ASCII. */
static inline void pl_classify(const uint8_t *from, uint64_t *space, uint64_t *high) {
    uint64_t spaces = 0, highs = 0;
#ifdef PL_SSE2
    const __m128i blank = _mm_set1_epi8(0x20), below = _mm_set1_epi8(0x08), above = _mm_set1_epi8(0x0e);
    int i;
    for (i = 0; i < 4; i++) {
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(from + 16 * i));
        const __m128i control = _mm_and_si128(_mm_cmpgt_epi8(bytes, below), _mm_cmpgt_epi8(above, bytes));
        const __m128i either = _mm_or_si128(_mm_cmpeq_epi8(bytes, blank), control);
        spaces |= (uint64_t)(unsigned)_mm_movemask_epi8(either) << (16 * i);
        highs |= (uint64_t)(unsigned)_mm_movemask_epi8(bytes) << (16 * i);
    }
#else
    int i;
    for (i = 0; i < 64; i++) {
        const uint8_t byte = from[i];
        spaces |= (uint64_t)(byte == 0x20 || (byte >= 0x09 && byte <= 0x0d)) << i;
        highs |= (uint64_t)(byte >> 7) << i;
    }
#endif
    *space = spaces;
    *high = highs;
}

/* Where the rank of a pair is looked for: two buckets of two slots each. The factor is odd. */
static inline uint64_t pl_pair_hash(uint32_t left, uint32_t right, uint64_t factor) {
    return (((uint64_t)left << 32) | right) * factor;
}

static inline uint32_t pl_pair_check(uint64_t hash, int rank_bits) {
    return (uint32_t)(hash >> 8) >> rank_bits;
}

static inline size_t pl_other_bucket(size_t bucket, uint32_t check, int shift) {
    return bucket ^ (size_t)((check * UINT64_C(0x9e3779b97f4a7c15)) >> shift);
}

/* What is left of a slot: its rank if it has the hash bits of the pair, all ones if not. */
static inline uint32_t pl_if_equal(uint32_t slot, uint32_t check, int rank_bits) {
    return slot | (uint32_t)-(int32_t)(slot >> rank_bits != check);
}

/* The rank in the slot that has the hash bits of the pair; where none has them the highest number of so many bits. More
 * than one slot may have them: then it is no more than any of their ranks, and at most that of the pair itself. */
static inline uint32_t pl_rank_of(const uint32_t *slots, int shift, int rank_bits, uint64_t factor, uint32_t left,
                                  uint32_t right) {
    const uint64_t hash = pl_pair_hash(left, right, factor);
    const uint32_t check = pl_pair_check(hash, rank_bits);
    const size_t bucket = (size_t)(hash >> shift);
    const uint32_t *first = slots + 2 * bucket, *second = slots + 2 * pl_other_bucket(bucket, check, shift);
    return pl_if_equal(first[0], check, rank_bits) & pl_if_equal(first[1], check, rank_bits) &
           pl_if_equal(second[0], check, rank_bits) & pl_if_equal(second[1], check, rank_bits) &
           ((1u << rank_bits) - 1);
}

/* The rank of the pair itself; the highest number of so many bits where it is not in the list. `rows`: left and right of
 * each rank. */
static inline uint32_t pl_own_rank(const uint32_t *slots, const uint32_t *rows, int shift, int rank_bits, uint64_t factor,
                                   uint32_t left, uint32_t right) {
    const uint64_t hash = pl_pair_hash(left, right, factor);
    const uint32_t check = pl_pair_check(hash, rank_bits), none = (1u << rank_bits) - 1;
    const size_t bucket = (size_t)(hash >> shift);
    int i;
    for (i = 0; i < 4; i++) {
        const uint32_t rank = pl_if_equal(slots[2 * (i < 2 ? bucket : pl_other_bucket(bucket, check, shift)) + i % 2], check,
                                          rank_bits) & none;
        if (rank != none && rows[2 * (size_t)rank] == left && rows[2 * (size_t)rank + 1] == right) {
            return rank;
        }
    }
    return none;
}

/* A rank below the prefix above a place of six bits; INT32_MAX for every other rank. */
static inline int32_t pl_key(uint32_t rank, uint32_t place, uint32_t prefix) {
    const uint32_t none = (uint32_t)-(int32_t)(rank >= prefix);
    return (int32_t)(((rank << 6 | place) | none) & 0x7fffffffu);
}

/* The least of these numbers, whose count is a multiple of four and not 0. */
static inline int32_t pl_least(const int32_t *from, size_t count) {
    size_t i;
#ifdef PL_SSE2
    int32_t four[4];
    __m128i least = _mm_loadu_si128((const __m128i *)(const void *)from);
    for (i = 4; i < count; i += 4) {
        const __m128i next = _mm_loadu_si128((const __m128i *)(const void *)(from + i));
        const __m128i is_less = _mm_cmplt_epi32(next, least);
        least = _mm_or_si128(_mm_and_si128(is_less, next), _mm_andnot_si128(is_less, least));
    }
    _mm_storeu_si128((__m128i *)(void *)four, least);
    four[0] = four[0] < four[1] ? four[0] : four[1];
    four[2] = four[2] < four[3] ? four[2] : four[3];
    return four[0] < four[2] ? four[0] : four[2];
#else
    int32_t least = from[0];
    for (i = 1; i < count; i++) {
        least = from[i] < least ? from[i] : least;
    }
    return least;
#endif
}

/* Seven registers of eight keys. */
#define PL_MOST_IN_REGISTERS 57

/* The merges of a model, as a word of few symbols is merged with them. */
typedef struct {
    const uint32_t *slots;
    const uint32_t *low;     /* ranks of pairs of symbols below 256 */
    const uint32_t *rows;    /* by rank: left, right */
    const uint32_t *results; /* by rank; NULL where they follow each other from `first_result` */
    uint64_t factor;
    uint32_t first_result;
    int shift;
    int rank_bits;
} pl_merges;

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define PL_INLINE inline __attribute__((always_inline))
#define PL_TARGET __attribute__((target("avx2")))

/* Merge a word of at most 8 * groups + 1 symbols in place; return how many are left. As `merge_few` does, but the keys stay
 * in registers: what was just written has not to be read again. A place counts from 1, and around the word stands what is
 * in no pair. Bit p of `alive`: what stands at the place p is still a symbol of its own. */
static PL_INLINE PL_TARGET size_t pl_merge_groups(const pl_merges *merges, uint32_t *symbols, size_t size, uint32_t prefix,
                                                  uint64_t *operations, const int groups) {
    const __m256i places_0 = _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 8), eight = _mm256_set1_epi32(8);
    __m256i keys[7];
    int32_t first[56];
    uint32_t word[59];
    uint64_t alive, spent = size;
    size_t i, used = 0;
    int g;
    alive = ((uint64_t)1 << (size + 2)) - 1;
    word[0] = word[size + 1] = UINT32_MAX;
    word[1] = symbols[0];
    for (g = 0; g < groups; g++) {
        _mm256_storeu_si256((__m256i *)(void *)(first + 8 * g), _mm256_set1_epi32(INT32_MAX));
    }
    for (i = 1; i < size; i++) {
        const uint32_t left = symbols[i - 1], right = symbols[i];
        const uint32_t rank = (left | right) < 256 ? merges->low[left * 256 + right]
                                                   : pl_rank_of(merges->slots, merges->shift, merges->rank_bits,
                                                                merges->factor, left, right);
        word[i + 1] = right;
        first[i - 1] = pl_key(rank, (uint32_t)i, prefix);
    }
    for (g = 0; g < groups; g++) {
        keys[g] = _mm256_loadu_si256((const __m256i *)(const void *)(first + 8 * g));
    }
    for (;;) {
        __m256i wide = keys[0], places = places_0, at_key, before_key, at_place, gone_place, before_place;
        __m128i least;
        uint32_t found, at, gone, rank, merged;
        uint64_t behind, after, before;
        for (g = 1; g < groups; g++) {
            wide = _mm256_min_epi32(wide, keys[g]);
        }
        least = _mm_min_epi32(_mm256_castsi256_si128(wide), _mm256_extracti128_si256(wide, 1));
        least = _mm_min_epi32(least, _mm_shuffle_epi32(least, _MM_SHUFFLE(1, 0, 3, 2)));
        least = _mm_min_epi32(least, _mm_shuffle_epi32(least, _MM_SHUFFLE(2, 3, 0, 1)));
        found = (uint32_t)_mm_cvtsi128_si32(least);
        spent += (uint64_t)groups;
        if (found == INT32_MAX) {
            break;
        }
        at = found & 63;
        rank = found >> 6;
        behind = alive & (~(uint64_t)1 << at);
        gone = (uint32_t)pl_lowest_bit(behind);
        at_place = _mm256_set1_epi32((int)at);
        if (PL_UNLIKELY(merges->rows[2 * (size_t)rank] != word[at] || merges->rows[2 * (size_t)rank + 1] != word[gone])) {
            at_key = _mm256_set1_epi32(pl_key(pl_own_rank(merges->slots, merges->rows, merges->shift, merges->rank_bits,
                                                          merges->factor, word[at], word[gone]),
                                              at, prefix));
            for (g = 0; g < groups; g++) {
                keys[g] = _mm256_blendv_epi8(keys[g], at_key, _mm256_cmpeq_epi32(places, at_place));
                places = _mm256_add_epi32(places, eight);
            }
            continue;
        }
        merged = merges->results == NULL ? merges->first_result + rank : merges->results[rank];
        word[at] = merged;
        alive &= ~((uint64_t)1 << gone);
        after = (uint64_t)pl_lowest_bit(behind & (behind - 1));
        before = (uint64_t)pl_highest_bit(alive & (((uint64_t)1 << at) - 1));
        gone_place = _mm256_set1_epi32((int)gone);
        before_place = _mm256_set1_epi32((int)before);
        at_key = _mm256_set1_epi32(pl_key(
            pl_rank_of(merges->slots, merges->shift, merges->rank_bits, merges->factor, merged, word[after]), at, prefix));
        before_key = _mm256_set1_epi32(
            pl_key(pl_rank_of(merges->slots, merges->shift, merges->rank_bits, merges->factor, word[before], merged),
                   (uint32_t)before, prefix));
        for (g = 0; g < groups; g++) {
            keys[g] = _mm256_or_si256(keys[g], _mm256_srli_epi32(_mm256_cmpeq_epi32(places, gone_place), 1));
            keys[g] = _mm256_blendv_epi8(keys[g], at_key, _mm256_cmpeq_epi32(places, at_place));
            keys[g] = _mm256_blendv_epi8(keys[g], before_key, _mm256_cmpeq_epi32(places, before_place));
            places = _mm256_add_epi32(places, eight);
        }
    }
    *operations += spent;
    alive &= ~(uint64_t)1 & ~((uint64_t)1 << (size + 1));
    while (alive) {
        symbols[used++] = word[pl_lowest_bit(alive)];
        alive &= alive - 1;
    }
    return used;
}

/* The same for at most PL_MOST_IN_REGISTERS symbols, where `pl_has_wide_registers`. */
static PL_TARGET size_t pl_merge_in_registers(const pl_merges *merges, uint32_t *symbols, size_t size, uint32_t prefix,
                                              uint64_t *operations) {
    if (size < 2) {
        return size;
    }
    if (size <= 9) {
        return pl_merge_groups(merges, symbols, size, prefix, operations, 1);
    }
    if (size <= 17) {
        return pl_merge_groups(merges, symbols, size, prefix, operations, 2);
    }
    if (size <= 33) {
        return pl_merge_groups(merges, symbols, size, prefix, operations, 4);
    }
    return pl_merge_groups(merges, symbols, size, prefix, operations, 7);
}

static int pl_has_wide_registers(void) { return __builtin_cpu_supports("avx2"); }
#else
static int pl_has_wide_registers(void) { return 0; }

static size_t pl_merge_in_registers(const pl_merges *merges, uint32_t *symbols, size_t size, uint32_t prefix,
                                    uint64_t *operations) {
    (void)merges, (void)symbols, (void)prefix, (void)operations;
    return size;
}
#endif

/* How many code points begin in these bytes: all bytes but continuation bytes. */
static inline size_t pl_code_points(const uint8_t *from, size_t length) {
    size_t count = 0, i;
    for (i = 0; i < length; i++) {
        count += (int8_t)from[i] >= -64;
    }
    return count;
}

/* Length in bytes of the code point that begins at `from`, which is stored; 0 if these bytes are not strict UTF-8. */
static inline size_t pl_decode(const uint8_t *from, const uint8_t *end, uint32_t *code_point) {
    const size_t left = (size_t)(end - from);
    const uint8_t lead = from[0];
    if (lead < 0x80) {
        *code_point = lead;
        return 1;
    }
    if (lead < 0xc2 || left < 2 || (from[1] & 0xc0) != 0x80) {
        return 0;
    }
    if (lead < 0xe0) {
        *code_point = ((uint32_t)(lead & 0x1f) << 6) | (from[1] & 0x3f);
        return 2;
    }
    if (left < 3 || (from[2] & 0xc0) != 0x80) {
        return 0;
    }
    if (lead < 0xf0) {
        const uint32_t value =
            ((uint32_t)(lead & 0x0f) << 12) | ((uint32_t)(from[1] & 0x3f) << 6) | (from[2] & 0x3f);
        if (value < 0x800 || (value >= 0xd800 && value <= 0xdfff)) {
            return 0;
        }
        *code_point = value;
        return 3;
    }
    if (lead > 0xf4 || left < 4 || (from[3] & 0xc0) != 0x80) {
        return 0;
    }
    {
        const uint32_t value = ((uint32_t)(lead & 0x07) << 18) | ((uint32_t)(from[1] & 0x3f) << 12) |
                               ((uint32_t)(from[2] & 0x3f) << 6) | (from[3] & 0x3f);
        if (value < 0x10000 || value > 0x10ffff) {
            return 0;
        }
        *code_point = value;
        return 4;
    }
}

/* Write a code point as UTF-8 and return how many bytes it took; four are writable. */
static inline size_t pl_encode(uint32_t code_point, uint8_t *to) {
    if (code_point < 0x80) {
        to[0] = (uint8_t)code_point;
        return 1;
    }
    if (code_point < 0x800) {
        to[0] = (uint8_t)(0xc0 | (code_point >> 6));
        to[1] = (uint8_t)(0x80 | (code_point & 0x3f));
        return 2;
    }
    if (code_point < 0x10000) {
        to[0] = (uint8_t)(0xe0 | (code_point >> 12));
        to[1] = (uint8_t)(0x80 | ((code_point >> 6) & 0x3f));
        to[2] = (uint8_t)(0x80 | (code_point & 0x3f));
        return 3;
    }
    to[0] = (uint8_t)(0xf0 | (code_point >> 18));
    to[1] = (uint8_t)(0x80 | ((code_point >> 12) & 0x3f));
    to[2] = (uint8_t)(0x80 | ((code_point >> 6) & 0x3f));
    to[3] = (uint8_t)(0x80 | (code_point & 0x3f));
    return 4;
}

/* Whether a code point is whitespace beyond ASCII; U+FEFF only where `with_feff`. */
static inline int pl_is_wide_space(uint32_t code_point, int with_feff) {
    if (code_point < 0x1680) {
        return code_point == 0xa0;
    }
    if (code_point < 0x3000) {
        return code_point == 0x1680 || (code_point >= 0x2000 && code_point <= 0x200a) || code_point == 0x2028 ||
               code_point == 0x2029 || code_point == 0x202f || code_point == 0x205f;
    }
    return code_point == 0x3000 || (with_feff && code_point == 0xfeff);
}

/* A code point of a str of 1, 2 or 4 bytes each. */
static inline uint32_t pl_read(int kind, const void *data, size_t at) {
    return kind == 1   ? ((const uint8_t *)data)[at]
           : kind == 2 ? ((const uint16_t *)data)[at]
                       : ((const uint32_t *)data)[at];
}

/* The end of the last whitespace in these bytes, U+FEFF not counted; 0 if there is none. A cut there parts no word. */
static inline size_t pl_last_cut(const uint8_t *bytes, size_t from, size_t length) {
    size_t i;
    for (i = length; i > from; i--) {
        const uint8_t byte = bytes[i - 1];
        uint32_t code_point;
        size_t taken;
        if (byte == 0x20 || (byte >= 0x09 && byte <= 0x0d)) {
            return i;
        }
        if (byte == 0xc2 || (byte >= 0xe1 && byte <= 0xe3)) {
            taken = pl_decode(bytes + i - 1, bytes + length, &code_point);
            if (taken && pl_is_wide_space(code_point, 0)) {
                return i - 1 + taken;
            }
        }
    }
    return 0;
}

#endif
