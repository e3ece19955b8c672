/* lzw.h: the compression of GIF. Pure.
 * Source: Welch 1984; GIF89a specification, appendix F. */
#ifndef HEADLIGHT_EXPORT_LZW_H
#define HEADLIGHT_EXPORT_LZW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LZW_CODES  4096
#define LZW_CHUNKS 255 /* bytes of a block */

/* Zeroed is empty, apart from the size of a symbol. */
typedef struct Lzw {
    int symbol_bits;               /* 2 to 8: symbols are below 1 << symbol_bits */
    uint16_t next[LZW_CODES][256]; /* the code of a code's string and one symbol more, or 0 */
    int code, count, code_bits;    /* the string so far, -1 for none; codes in use */
    uint32_t bits;                 /* not yet put */
    int bit_count;
    unsigned char *bytes;         /* owned: blocks of GIF, each after its length */
    size_t used, capacity, block; /* block: where the length of the last one is */
    bool failed;                  /* memory ran out */
} Lzw;

/* Empty lzw but keep its memory. */
void lzw_begin(Lzw *lzw, int symbol_bits);
void lzw_put(Lzw *lzw, int symbol);

/* End the last block, and append the empty one. False if memory ran out. */
bool lzw_end(Lzw *lzw);

void lzw_release(Lzw *lzw);

#endif
