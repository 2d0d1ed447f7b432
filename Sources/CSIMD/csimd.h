// Vector operations that Swift's own SIMD types emit lane by lane: clang vector extensions only, so
// that the same lines become SSE2 on x86-64 and NEON on arm64. Header only; every function inlines.
#ifndef CSIMD_H
#define CSIMD_H

#include <stdint.h>

#define CSIMD_INLINE static inline __attribute__((always_inline, const, unused))

// MARK: Four 32-bit lanes

typedef uint32_t csimd_u4 __attribute__((ext_vector_type(4)));
typedef int32_t csimd_s4 __attribute__((ext_vector_type(4)));
typedef float csimd_f4 __attribute__((ext_vector_type(4)));
typedef _Bool csimd_b4 __attribute__((ext_vector_type(4)));

CSIMD_INLINE csimd_u4 v4_or(csimd_u4 a, csimd_u4 b) { return a | b; }
CSIMD_INLINE csimd_u4 v4_and(csimd_u4 a, csimd_u4 b) { return a & b; }
CSIMD_INLINE csimd_u4 v4_add(csimd_u4 a, csimd_u4 b) { return a + b; }
CSIMD_INLINE csimd_u4 v4_sub(csimd_u4 a, csimd_u4 b) { return a - b; }
CSIMD_INLINE csimd_u4 v4_shl(csimd_u4 a, uint32_t n) { return a << n; }
CSIMD_INLINE csimd_u4 v4_shr(csimd_u4 a, uint32_t n) { return a >> n; }

/// The running sums of the lanes, on top of `carry`.
CSIMD_INLINE csimd_u4 v4_prefix(csimd_u4 v, csimd_u4 carry) {
  csimd_u4 zero = {0, 0, 0, 0};
  v += __builtin_shufflevector(zero, v, 0, 4, 5, 6);
  v += __builtin_shufflevector(zero, v, 0, 1, 4, 5);
  return v + carry;
}

/// The last lane in every lane.
CSIMD_INLINE csimd_u4 v4_splat_last(csimd_u4 v) {
  return __builtin_shufflevector(v, v, 3, 3, 3, 3);
}

/// All ones in the lanes where a < b.
CSIMD_INLINE csimd_u4 v4_less(csimd_u4 a, csimd_u4 b) { return (csimd_u4)(a < b); }

/// All ones in the lanes where a > b, both taken as signed.
CSIMD_INLINE csimd_u4 v4_greater_signed(csimd_u4 a, csimd_u4 b) {
  return (csimd_u4)((csimd_s4)a > (csimd_s4)b);
}

/// All ones in the lanes where a == b.
CSIMD_INLINE csimd_u4 v4_equal(csimd_u4 a, csimd_u4 b) { return (csimd_u4)(a == b); }

/// The lanes of a where the mask is set, else those of b.
CSIMD_INLINE csimd_u4 v4_select(csimd_u4 mask, csimd_u4 a, csimd_u4 b) {
  return (mask & a) | (~mask & b);
}

/// The lanes moved down by one, two or three places, those that fall out at the top again.
CSIMD_INLINE csimd_u4 v4_rotate1(csimd_u4 v) {
  return __builtin_shufflevector(v, v, 1, 2, 3, 0);
}
CSIMD_INLINE csimd_u4 v4_rotate2(csimd_u4 v) {
  return __builtin_shufflevector(v, v, 2, 3, 0, 1);
}
CSIMD_INLINE csimd_u4 v4_rotate3(csimd_u4 v) {
  return __builtin_shufflevector(v, v, 3, 0, 1, 2);
}

/// Bit i says whether lane i of a mask (all ones or zero) is set.
CSIMD_INLINE uint32_t v4_movemask(csimd_u4 mask) {
#ifdef __SSE2__
  // From the sign bits as they are: the other form has them made first.
  return (uint32_t)__builtin_ia32_movmskps((csimd_f4)mask);
#else
  csimd_b4 bits = __builtin_convertvector(mask, csimd_b4);
  uint8_t out = 0;
  __builtin_memcpy(&out, &bits, sizeof(out));
  return out & 15u;
#endif
}

// MARK: Sixteen bytes

typedef uint8_t csimd_u16x8 __attribute__((ext_vector_type(16)));
typedef int8_t csimd_s16x8 __attribute__((ext_vector_type(16)));
typedef _Bool csimd_b16 __attribute__((ext_vector_type(16)));

CSIMD_INLINE csimd_u16x8 v16_or(csimd_u16x8 a, csimd_u16x8 b) { return a | b; }
CSIMD_INLINE csimd_u16x8 v16_and(csimd_u16x8 a, csimd_u16x8 b) { return a & b; }
CSIMD_INLINE csimd_u16x8 v16_add(csimd_u16x8 a, csimd_u16x8 b) { return a + b; }

/// All ones in the bytes that equal `byte`.
CSIMD_INLINE csimd_u16x8 v16_equal(csimd_u16x8 v, uint8_t byte) {
  csimd_u16x8 b = byte;
  return (csimd_u16x8)(v == b);
}

/// All ones in the bytes with first <= byte <= first + extent: one subtraction and one comparison.
CSIMD_INLINE csimd_u16x8 v16_in_range(csimd_u16x8 v, uint8_t first, uint8_t extent) {
  csimd_u16x8 low = first, width = extent;
  return (csimd_u16x8)((v - low) <= width);
}

/// Bit i says whether the top bit of byte i is set.
CSIMD_INLINE uint32_t v16_movemask(csimd_u16x8 v) {
  csimd_s16x8 zero = 0;
  csimd_b16 bits = __builtin_convertvector((csimd_s16x8)v < zero, csimd_b16);
  uint16_t out = 0;
  __builtin_memcpy(&out, &bits, sizeof(out));
  return out;
}

// MARK: Memory

/// Asks for the cache line of an address that will be read soon; any address is fine.
static inline __attribute__((always_inline, unused)) void csimd_prefetch(const void *address) {
  __builtin_prefetch(address);
}

#endif
