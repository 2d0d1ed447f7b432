// Loops over blocks of postings and words of bit sets for processors with AVX-512.
//
// In C, since Swift cannot say "this function alone for that processor". Each has a twin in Swift that
// gives the same bits and runs everywhere; `wide_is_supported` says which one to call. Only what a
// profile asked for is here.
#ifndef WIDE_H
#define WIDE_H

#include <stddef.h>
#include <stdint.h>

// Whether the processor and the system have what the other functions need: AVX-512 F, BW, DQ, VL,
// VBMI2 and VPOPCNTDQ. False if the environment has LIMELIGHT_PORTABLE, so that tests can compare.
int wide_is_supported(void);

#if defined(__x86_64__)

// Replaces 128 integers by their running sums on top of `base`, wrapping.
void wide_sum(uint32_t *values, uint32_t base);

// Writes the set bits of from ..< to, ascending, and returns how many: at most `limit` and up to 63
// more; `out` has room for these and 16 more.
size_t wide_extract(
    const uint64_t *words, size_t from, size_t to, size_t limit, uint32_t *out);

// The set bits of `count` words; of the words that two sets share.
size_t wide_popcount(const uint64_t *words, size_t count);
size_t wide_popcount_and(const uint64_t *a, const uint64_t *b, size_t count);

// The set bits of from ..< to, which lie in a few words.
size_t wide_rank(const uint64_t *words, size_t from, size_t to);

// The boosts by_code[min(code, last)] of postings, and the least of them; 0 of none. Room for 15 more.
float wide_boosts(
    const uint32_t *codes, size_t count, const float *by_code, uint32_t last, float *boosts);

// The scores idf * (tf / (tf + factors[norms[document]]) + boost) of postings; those below grid_limit
// (at most 64) rounded to multiples of 2^-16. The boost is `boost`, or that of each posting if `boosts`
// is not NULL. `norms` is aligned to 4 bytes and readable up to the next multiple of 4.
typedef struct {
  const uint8_t *norms;
  const float *factors;
  float idf;
  float grid_limit;
  float boost;
  const float *boosts;
} wide_formula;

// The largest tf / (tf + factors[norm]) of each block of four pairs (tf u8, norm u8); 1 if a tf is 255.
// Writes up to a multiple of four blocks.
void wide_saturations(
    const uint8_t *pairs, size_t blocks, const float *factors, float *saturations);

// Room for 15 scores more.
void wide_score(
    wide_formula formula, const uint32_t *documents, const uint32_t *frequencies, size_t count,
    float *scores);

// The postings with a frequency above `least` and a score above `floor`, and how many these are; if they
// have boosts, also not below `least_boost`. Reads up to 15 postings too many and writes as many; `count`
// is at most 128.
size_t wide_select(
    wide_formula formula, const uint32_t *documents, const uint32_t *frequencies, size_t count,
    uint32_t least, float least_boost, float floor, uint32_t *selected, float *scores);

#endif
#endif
