#include "io/float_decode.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

size_t float_width(FloatType type) {
    switch (type) {
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

static uint64_t take(const unsigned char *bytes, size_t width, bool big_endian) {
    uint64_t bits = 0;
    for (size_t i = 0; i < width; i++)
        bits = bits << 8 | bytes[big_endian ? i : width - 1 - i];
    return bits;
}

static float from_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The exponent is moved by a product, which is exact for subnormals too; its last value stands for
 * infinity and what is no number. */
static float from_half(uint32_t half) {
    float sign = half & 0x8000u ? -1.0F : 1.0F;
    if ((half & 0x7C00u) == 0x7C00u)
        return (half & 0x03FFu) != 0 ? NAN : sign * INFINITY;
    return sign * from_bits((half & 0x7FFFu) << 13) * 0x1p112F;
}

/* The conversion rounds to nearest; past the largest float32 C leaves it open. */
static float from_double(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value) && fabs(value) >= 0x1.ffffffp127)
        return value < 0 ? -INFINITY : INFINITY;
    return (float)value;
}

void float_decode(float *out, const unsigned char *bytes, size_t count, FloatType type,
                  bool big_endian) {
    size_t width = float_width(type);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = take(bytes + i * width, width, big_endian);
        switch (type) {
        case FLOAT_F16:
            out[i] = from_half((uint32_t)bits);
            break;
        case FLOAT_BF16:
            out[i] = from_bits((uint32_t)bits << 16);
            break;
        case FLOAT_F32:
            out[i] = from_bits((uint32_t)bits);
            break;
        case FLOAT_F64:
            out[i] = from_double(bits);
            break;
        }
    }
}
