// The loops that wide.h describes, in AVX-512.

#include "wide.h"

#include <stdlib.h>

#if defined(__x86_64__)

#include <immintrin.h>
#include <math.h>

#define WIDE                                                                                       \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx512vpopcntdq,popcnt")))
#define WIDE_INLINE WIDE static inline __attribute__((always_inline))

int wide_is_supported(void) {
  if (getenv("LIMELIGHT_PORTABLE")) return 0;
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("avx512vpopcntdq") &&
         __builtin_cpu_supports("popcnt");
}

// The lanes of the last vector of `count` values, from `start` on.
WIDE_INLINE __mmask16 lanes(size_t start, size_t count) {
  size_t rest = count - start;
  return rest >= 16 ? 0xFFFF : (__mmask16)((1u << rest) - 1);
}

// MARK: Integers

WIDE void wide_sum(uint32_t *values, uint32_t base) {
  const __m512i zero = _mm512_setzero_si512();
  const __m512i last = _mm512_set1_epi32(15);
  __m512i carry = _mm512_set1_epi32((int)base);
  for (int i = 0; i < 128; i += 16) {
    __m512i sums = _mm512_loadu_si512(values + i);
    // Each lane and the 1, 2, 4 and 8 before it.
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 15));
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 14));
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 12));
    sums = _mm512_add_epi32(sums, _mm512_alignr_epi32(sums, zero, 8));
    // The carry waits for one addition alone.
    __m512i total = _mm512_permutexvar_epi32(last, sums);
    _mm512_storeu_si512(values + i, _mm512_add_epi32(sums, carry));
    carry = _mm512_add_epi32(carry, total);
  }
}

// MARK: Bit sets

WIDE size_t wide_extract(
    const uint64_t *words, size_t from, size_t to, size_t limit, uint32_t *out) {
  if (from >= to) return 0;
  const __m512i first = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  size_t word = from >> 6, last = (to - 1) >> 6, found = 0;
  uint64_t bits = words[word] & (~0ull << (from & 63));
  for (;;) {
    if (word == last && (to & 63)) bits &= ~0ull >> (64 - (to & 63));
    __m512i numbers = _mm512_add_epi32(first, _mm512_set1_epi32((int)(word << 6)));
    for (int part = 0; part < 4; part++) {
      __mmask16 mask = (__mmask16)(bits >> (16 * part));
      _mm512_storeu_si512(out + found, _mm512_maskz_compress_epi32(mask, numbers));
      found += (size_t)__builtin_popcount(mask);
      numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
    }
    if (word == last || found >= limit) return found;
    bits = words[++word];
  }
}

WIDE size_t wide_popcount(const uint64_t *words, size_t count) {
  __m512i sum = _mm512_setzero_si512();
  size_t i = 0;
  for (; i + 8 <= count; i += 8)
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(_mm512_loadu_si512(words + i)));
  size_t rest = 0;
  for (; i < count; i++) rest += (size_t)__builtin_popcountll(words[i]);
  return rest + (size_t)_mm512_reduce_add_epi64(sum);
}

WIDE size_t wide_popcount_and(const uint64_t *a, const uint64_t *b, size_t count) {
  __m512i sum = _mm512_setzero_si512();
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    __m512i both = _mm512_and_si512(_mm512_loadu_si512(a + i), _mm512_loadu_si512(b + i));
    sum = _mm512_add_epi64(sum, _mm512_popcnt_epi64(both));
  }
  size_t rest = 0;
  for (; i < count; i++) rest += (size_t)__builtin_popcountll(a[i] & b[i]);
  return rest + (size_t)_mm512_reduce_add_epi64(sum);
}

WIDE size_t wide_rank(const uint64_t *words, size_t from, size_t to) {
  if (from >= to) return 0;
  size_t word = from >> 6, last = (to - 1) >> 6;
  uint64_t high = ~0ull >> ((64 - (to & 63)) & 63);
  if (word == last)
    return (size_t)__builtin_popcountll(words[word] & (~0ull << (from & 63)) & high);
  size_t sum = (size_t)__builtin_popcountll(words[word] & (~0ull << (from & 63)));
  while (++word < last) sum += (size_t)__builtin_popcountll(words[word]);
  return sum + (size_t)__builtin_popcountll(words[last] & high);
}

// MARK: Scores

WIDE void wide_saturations(
    const uint8_t *pairs, size_t blocks, const float *factors, float *saturations) {
  for (size_t i = 0; i < blocks; i += 4) {
    // 16 pairs: the frequency in the low byte of each, the norm in the high one.
    __m256i four = _mm256_maskz_loadu_epi16(lanes(i * 4, blocks * 4), pairs + i * 8);
    __m512i both = _mm512_cvtepu16_epi32(four);
    __m512i frequency = _mm512_and_si512(both, _mm512_set1_epi32(255));
    __m512 factor = _mm512_i32gather_ps(_mm512_srli_epi32(both, 8), factors, 4);
    __m512 tf = _mm512_cvtepi32_ps(frequency);
    __m512 value = _mm512_div_ps(tf, _mm512_add_ps(tf, factor));
    __mmask16 any = _mm512_cmpeq_epi32_mask(frequency, _mm512_set1_epi32(255));
    value = _mm512_mask_mov_ps(value, any, _mm512_set1_ps(1));
    value = _mm512_max_ps(value, _mm512_permute_ps(value, 0xB1));
    value = _mm512_max_ps(value, _mm512_permute_ps(value, 0x4E));
    // The first lane of each four.
    __m512i places = _mm512_set_epi32(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 12, 8, 4, 0);
    _mm_storeu_ps(saturations + i, _mm512_castps512_ps128(_mm512_permutexvar_ps(places, value)));
  }
}

WIDE float wide_boosts(
    const uint32_t *codes, size_t count, const float *by_code, uint32_t last, float *boosts) {
  __m512 least = _mm512_setzero_ps();
  for (size_t i = 0; i < count; i += 16) {
    __mmask16 mask = lanes(i, count);
    __m512i code = _mm512_maskz_loadu_epi32(mask, codes + i);
    code = _mm512_min_epu32(code, _mm512_set1_epi32((int)last));
    __m512 boost = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), mask, code, by_code, 4);
    _mm512_storeu_ps(boosts + i, boost);
    least = i == 0 ? _mm512_mask_mov_ps(_mm512_set1_ps(INFINITY), mask, boost)
                   : _mm512_mask_min_ps(least, mask, least, boost);
  }
  return _mm512_reduce_min_ps(least);
}

// The boosts of 16 postings.
WIDE_INLINE __m512 boosts(const wide_formula *formula, size_t start, __mmask16 mask) {
  if (formula->boosts) return _mm512_maskz_loadu_ps(mask, formula->boosts + start);
  return _mm512_set1_ps(formula->boost);
}

// The scores of 16 postings. Each step rounds as in the twin; nothing is fused.
WIDE_INLINE __m512 score(
    const wide_formula *formula, __m512i documents, __m512i frequencies, __m512 boost,
    __mmask16 mask) {
  // A norm is taken out of the aligned four bytes that hold it: nothing is read behind the last.
  __m512i four = _mm512_mask_i32gather_epi32(
      _mm512_setzero_si512(), mask, _mm512_srli_epi32(documents, 2), formula->norms, 4);
  __m512i shift =
      _mm512_slli_epi32(_mm512_and_si512(documents, _mm512_set1_epi32(3)), 3);
  __m512i norm = _mm512_and_si512(_mm512_srlv_epi32(four, shift), _mm512_set1_epi32(255));
  __m512 factor = _mm512_i32gather_ps(norm, formula->factors, 4);
  __m512 tf = _mm512_cvtepi32_ps(frequencies);
  __m512 saturation = _mm512_div_ps(tf, _mm512_add_ps(tf, factor));
  __m512 sum = _mm512_add_ps(saturation, boost);
  __m512 value = _mm512_mul_ps(_mm512_set1_ps(formula->idf), sum);
  // Between 128 and 256 a float has 16 bits behind the point.
  __mmask16 small =
      _mm512_cmp_ps_mask(value, _mm512_set1_ps(formula->grid_limit), _CMP_LT_OQ);
  const __m512 shift_up = _mm512_set1_ps(192);
  return _mm512_mask_sub_ps(value, small, _mm512_add_ps(value, shift_up), shift_up);
}

WIDE void wide_score(
    wide_formula formula, const uint32_t *documents, const uint32_t *frequencies, size_t count,
    float *scores) {
  for (size_t i = 0; i < count; i += 16) {
    __m512i document = _mm512_loadu_si512(documents + i);
    __m512i frequency = _mm512_loadu_si512(frequencies + i);
    __mmask16 mask = lanes(i, count);
    __m512 boost = boosts(&formula, i, mask);
    _mm512_storeu_ps(scores + i, score(&formula, document, frequency, boost, mask));
  }
}

WIDE size_t wide_select(
    wide_formula formula, const uint32_t *documents, const uint32_t *frequencies, size_t count,
    uint32_t least, float least_boost, float floor, uint32_t *selected, float *scores) {
  uint32_t frequent[128 + 16], rest[128 + 16];
  float boosted[128 + 16];
  if (least > 0 || formula.boosts) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i += 16) {
      __mmask16 mask = lanes(i, count);
      __m512i document = _mm512_loadu_si512(documents + i);
      __m512i frequency = _mm512_loadu_si512(frequencies + i);
      __m512 boost = boosts(&formula, i, mask);
      mask = _mm512_mask_cmpgt_epu32_mask(mask, frequency, _mm512_set1_epi32((int)least));
      if (formula.boosts)
        mask = _mm512_mask_cmp_ps_mask(mask, boost, _mm512_set1_ps(least_boost), _CMP_GE_OQ);
      _mm512_storeu_si512(rest + kept, _mm512_maskz_compress_epi32(mask, document));
      _mm512_storeu_si512(frequent + kept, _mm512_maskz_compress_epi32(mask, frequency));
      _mm512_storeu_ps(boosted + kept, _mm512_maskz_compress_ps(mask, boost));
      kept += (size_t)__builtin_popcount(mask);
    }
    documents = rest;
    frequencies = frequent;
    count = kept;
    if (formula.boosts) formula.boosts = boosted;
  }
  size_t found = 0;
  for (size_t i = 0; i < count; i += 16) {
    __mmask16 mask = lanes(i, count);
    __m512i document = _mm512_loadu_si512(documents + i);
    __m512i frequency = _mm512_loadu_si512(frequencies + i);
    __m512 value = score(&formula, document, frequency, boosts(&formula, i, mask), mask);
    mask = _mm512_mask_cmp_ps_mask(mask, value, _mm512_set1_ps(floor), _CMP_GT_OQ);
    _mm512_storeu_si512(selected + found, _mm512_maskz_compress_epi32(mask, document));
    _mm512_storeu_ps(scores + found, _mm512_maskz_compress_ps(mask, value));
    found += (size_t)__builtin_popcount(mask);
  }
  return found;
}

#else

int wide_is_supported(void) { return 0; }

#endif
