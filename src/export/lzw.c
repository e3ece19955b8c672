#include "export/lzw.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

static void put_byte(Lzw *lzw, unsigned char byte) {
    if (lzw->capacity - lzw->used < 2) {
        size_t capacity = lzw->capacity > 0 ? 2 * lzw->capacity : 4096;
        unsigned char *grown = heap_resize(lzw->bytes, capacity);
        if (grown == NULL) {
            lzw->failed = true;
            return;
        }
        lzw->bytes = grown;
        lzw->capacity = capacity;
    }
    if (lzw->used == 0 || lzw->bytes[lzw->block] == LZW_CHUNKS) {
        lzw->block = lzw->used++;
        lzw->bytes[lzw->block] = 0;
    }
    lzw->bytes[lzw->used++] = byte;
    lzw->bytes[lzw->block]++;
}

static void put_code(Lzw *lzw, int code) {
    lzw->bits |= (uint32_t)code << lzw->bit_count;
    for (lzw->bit_count += lzw->code_bits; lzw->bit_count >= 8; lzw->bit_count -= 8) {
        put_byte(lzw, (unsigned char)lzw->bits);
        lzw->bits >>= 8;
    }
}

static int clear_code(const Lzw *lzw) {
    return 1 << lzw->symbol_bits;
}

/* Empty the table of strings. The two codes after the symbols mean "clear" and "end". */
static void clear(Lzw *lzw) {
    put_code(lzw, clear_code(lzw));
    memset(lzw->next, 0, (size_t)clear_code(lzw) * sizeof lzw->next[0]);
    lzw->count = clear_code(lzw) + 2;
    lzw->code_bits = lzw->symbol_bits + 1;
}

void lzw_begin(Lzw *lzw, int symbol_bits) {
    lzw->symbol_bits = symbol_bits;
    lzw->code = -1;
    lzw->bits = 0;
    lzw->bit_count = 0;
    lzw->used = lzw->block = 0;
    lzw->code_bits = symbol_bits + 1;
    clear(lzw);
}

/* Add the string of the last code followed by one symbol. */
static void learn(Lzw *lzw, int symbol) {
    if (lzw->count == LZW_CODES) {
        clear(lzw);
        return;
    }
    if (lzw->count == 1 << lzw->code_bits)
        lzw->code_bits++;
    memset(lzw->next[lzw->count], 0, sizeof lzw->next[0]);
    lzw->next[lzw->code][symbol] = (uint16_t)lzw->count++;
}

void lzw_put(Lzw *lzw, int symbol) {
    int next = lzw->code < 0 ? symbol : lzw->next[lzw->code][symbol];
    if (lzw->code >= 0 && next == 0) {
        put_code(lzw, lzw->code);
        learn(lzw, symbol);
        next = symbol;
    }
    lzw->code = next;
}

bool lzw_end(Lzw *lzw) {
    if (lzw->code >= 0) {
        put_code(lzw, lzw->code);
        if (lzw->count == 1 << lzw->code_bits && lzw->code_bits < 12)
            lzw->code_bits++; /* at this code the reader's table has one more string */
    }
    put_code(lzw, clear_code(lzw) + 1);
    if (lzw->bit_count > 0)
        put_byte(lzw, (unsigned char)lzw->bits);
    if (!lzw->failed && lzw->capacity == lzw->used) {
        unsigned char *grown = heap_resize(lzw->bytes, lzw->used + 1);
        lzw->failed = grown == NULL;
        lzw->bytes = grown != NULL ? grown : lzw->bytes;
        lzw->capacity += grown != NULL;
    }
    if (lzw->failed)
        return false;
    lzw->bytes[lzw->used++] = 0;
    return true;
}

void lzw_release(Lzw *lzw) {
    free(lzw->bytes);
    lzw->bytes = NULL;
    lzw->used = lzw->capacity = 0;
}
