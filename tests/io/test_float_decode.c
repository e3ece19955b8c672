#include <math.h>
#include <string.h>

#include "io/float_decode.h"
#include "support/test.h"

/* By the definition of IEEE 754-2008, table 3.5: sign, exponent and fraction. */
static double half_of(unsigned bits) {
    unsigned exponent = bits >> 10 & 0x1F, fraction = bits & 0x3FF;
    double size = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, (int)exponent - 25);
    if (exponent == 0x1F)
        size = fraction != 0 ? (double)NAN : (double)INFINITY;
    return bits >> 15 ? -size : size;
}

TEST(every_half_has_its_value) {
    for (unsigned bits = 0; bits < 0x10000; bits++) {
        const unsigned char bytes[] = {(unsigned char)bits, (unsigned char)(bits >> 8)};
        const unsigned char turned[] = {bytes[1], bytes[0]};
        float little, big, brain;
        double exact = half_of(bits);
        uint32_t wide = (uint32_t)bits << 16;
        float_decode(&little, bytes, 1, FLOAT_F16, false);
        float_decode(&big, turned, 1, FLOAT_F16, true);
        float_decode(&brain, bytes, 1, FLOAT_BF16, false);
        assert_memory_equal(&little, &big, sizeof big);
        assert_memory_equal(&brain, &wide, sizeof wide);
        assert_true(isnan(exact) ? isnan(little) : (double)little == exact);
        assert_int_equal(signbit(little) != 0, bits >> 15);
    }
}

/* By table 1 of Micikevicius et al. 2022, FP8 Formats for Deep Learning. */
static double byte_of(unsigned bits, int fraction_bits, int bias) {
    int exponent = (int)(bits & 0x7Fu) >> fraction_bits, ones = (1 << fraction_bits) - 1;
    int fraction = (int)bits & ones;
    double size = exponent == 0
                      ? ldexp(fraction, 1 - bias - fraction_bits)
                      : ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
    if (fraction_bits == 3 && exponent == 15 && fraction == 7)
        size = (double)NAN;
    if (fraction_bits == 2 && exponent == 31)
        size = fraction != 0 ? (double)NAN : (double)INFINITY;
    return bits >> 7 ? -size : size;
}

TEST(every_byte_has_its_value) {
    static const struct {
        FloatType type;
        int fraction_bits, bias;
    } kinds[] = {{FLOAT_F8_E4M3, 3, 7}, {FLOAT_F8_E5M2, 2, 15}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        unsigned char bytes[256];
        float values[256];
        for (int i = 0; i < 256; i++)
            bytes[i] = (unsigned char)i;
        float_decode(values, bytes, 256, kinds[k].type, false);
        for (unsigned i = 0; i < 256; i++) {
            double exact = byte_of(i, kinds[k].fraction_bits, kinds[k].bias);
            assert_true(isnan(exact) ? isnan(values[i]) : (double)values[i] == exact);
            assert_int_equal(signbit(values[i]) != 0, i >> 7);
        }
    }
}

/* As many as make whole vectors and a rest, in either order of bytes. */
TEST(wide_floats_keep_what_float32_holds) {
    enum { COUNT = 37 };
    for (int big = 0; big < 2; big++) {
        unsigned char singles[COUNT * 4], doubles[COUNT * 8];
        float from_singles[COUNT], from_doubles[COUNT];
        for (int i = 0; i < COUNT; i++) {
            float value = ldexpf(1 + 0.01F * (float)i, 6 * i - 120) * (i % 2 ? -1.0F : 1.0F);
            double wide = (double)value;
            uint32_t single;
            uint64_t bits;
            memcpy(&single, &value, sizeof single);
            memcpy(&bits, &wide, sizeof bits);
            for (int b = 0; b < 4; b++)
                singles[4 * i + (big ? 3 - b : b)] = (unsigned char)(single >> 8 * b);
            for (int b = 0; b < 8; b++)
                doubles[8 * i + (big ? 7 - b : b)] = (unsigned char)(bits >> 8 * b);
        }
        float_decode(from_singles, singles, COUNT, FLOAT_F32, big == 1);
        float_decode(from_doubles, doubles, COUNT, FLOAT_F64, big == 1);
        for (int i = 0; i < COUNT; i++)
            assert_true(from_singles[i] ==
                        ldexpf(1 + 0.01F * (float)i, 6 * i - 120) * (i % 2 ? -1.0F : 1.0F));
        assert_memory_equal(from_singles, from_doubles, sizeof from_singles);
    }
}
