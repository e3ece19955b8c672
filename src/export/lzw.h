/* lzw.h: the compression of GIF. Pure.
 * Source: Welch 1984; GIF89a specification, appendix F. */
#ifndef HEADLIGHT_EXPORT_LZW_H
#define HEADLIGHT_EXPORT_LZW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LZW_CODES  4096
#define LZW_CHUNKS 255 /* most bytes of a block */

/* The state of compression. All zero is empty; set symbol_bits. */
typedef struct Lzw {
    int symbol_bits;               /* 2 to 8: symbols are below 1 << symbol_bits */
    uint16_t next[LZW_CODES][256]; /* code of a code's string followed by a symbol, or 0 */
    int code, count,
        code_bits; /* the current string's, -1 for none; number of codes; their width */
    uint32_t bits; /* bits not yet written */
    int bit_count;
    unsigned char *bytes;         /* owned: GIF's blocks, each after its length */
    size_t used, capacity, block; /* block: offset of the last block's length */
    bool failed;                  /* memory ran out */
} Lzw;

/* Start again, but keep the memory. */
void lzw_begin(Lzw *lzw, int symbol_bits);
void lzw_put(Lzw *lzw, int symbol);

/* End the last block and append the empty one. Return false if memory ran out. */
bool lzw_end(Lzw *lzw);

void lzw_release(Lzw *lzw);

#endif
