/* float_decode.h: converts the floating-point types in files to float32. Pure. The machine is
 * little-endian; see words_file.c. */
#ifndef HEADLIGHT_IO_FLOAT_DECODE_H
#define HEADLIGHT_IO_FLOAT_DECODE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum FloatType {
    FLOAT_F8_E4M3,
    FLOAT_F8_E5M2,
    FLOAT_F16,
    FLOAT_BF16,
    FLOAT_F32,
    FLOAT_F64
} FloatType;

size_t float_width(FloatType type);

/* Convert count values, each to the nearest float32; too large values become infinite. bytes need
 * not be aligned. */
void float_decode(float *out, const unsigned char *bytes, size_t count, FloatType type,
                  bool big_endian);

#endif
