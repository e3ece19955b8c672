#include "io/float_decode.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

size_t float_width(FloatType type) {
    switch (type) {
    case FLOAT_F8_E4M3:
    case FLOAT_F8_E5M2:
        return 1;
    case FLOAT_F16:
    case FLOAT_BF16:
        return 2;
    case FLOAT_F32:
        return 4;
    case FLOAT_F64:
        return 8;
    }
    assert(false);
    return 0;
}

static inline uint64_t take(const unsigned char *bytes, size_t width, bool swapped) {
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (width) {
    case 1:
        return *bytes;
    case 2:
        memcpy(&two, bytes, sizeof two);
        return swapped ? __builtin_bswap16(two) : two;
    case 4:
        memcpy(&four, bytes, sizeof four);
        return swapped ? __builtin_bswap32(four) : four;
    default:
        memcpy(&eight, bytes, sizeof eight);
        return swapped ? __builtin_bswap64(eight) : eight;
    }
}

static float from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Convert a small float type that has infinities. The exponent is shifted by a multiplication,
 * because that is exact even for subnormals. The largest exponent stands for infinity and NaN. */
static float from_half(uint32_t half) {
    uint32_t size = (half & 0x7FFFu) << 13, sign = (half & 0x8000u) << 16;
    uint32_t finite = bits_of(from_bits(size) * 0x1p112F), odd = size | 0x7F800000u;
    return from_bits(sign | (size >= 0x7C00u << 13 ? odd : finite));
}

/* Convert a small float type without infinities. The largest exponent is an ordinary one, but a
 * value with all bits set is NaN. Source: Micikevicius et al. 2022, FP8 Formats for Deep Learning,
 * table 1. */
static float from_e4m3(uint32_t byte) {
    uint32_t size = byte & 0x7Fu;
    float finite = from_bits(size << 20) * 0x1p120F;
    return from_bits((byte & 0x80u) << 24 | (size == 0x7Fu ? 0x7FC00000u : bits_of(finite)));
}

/* The conversion rounds to nearest. C leaves the result undefined above the largest float32, so
 * return infinity there. */
static float from_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value) && fabs(value) >= 0x1.ffffffp127)
        return value < 0 ? -INFINITY : INFINITY;
    return (float)value;
}

/* Decode values of one type and byte order. Each call passes constants for both, so that the
 * compiler makes a separate loop for each call. */
static inline __attribute__((always_inline)) void
decode(float *out, const unsigned char *bytes, size_t count, FloatType type, bool swapped) {
    size_t width = float_width(type);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = take(bytes + i * width, width, swapped);
        out[i] = type == FLOAT_F8_E4M3   ? from_e4m3((uint32_t)bits)
                 : type == FLOAT_F8_E5M2 ? from_half((uint32_t)bits << 8)
                 : type == FLOAT_F16     ? from_half((uint32_t)bits)
                 : type == FLOAT_BF16    ? from_bits((uint32_t)bits << 16)
                 : type == FLOAT_F32     ? from_bits((uint32_t)bits)
                                         : from_double(bits);
    }
}

void float_decode(float *out, const unsigned char *bytes, size_t count, FloatType type,
                  bool big_endian) {
#define DECODE(of)                                                                                 \
    if (type == (of)) {                                                                            \
        if (big_endian)                                                                            \
            decode(out, bytes, count, of, true);                                                   \
        else                                                                                       \
            decode(out, bytes, count, of, false);                                                  \
    }
    DECODE(FLOAT_F8_E4M3)
    DECODE(FLOAT_F8_E5M2)
    DECODE(FLOAT_F16)
    DECODE(FLOAT_BF16)
    DECODE(FLOAT_F32)
    DECODE(FLOAT_F64)
#undef DECODE
}
