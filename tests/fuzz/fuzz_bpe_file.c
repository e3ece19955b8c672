#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "io/bpe_file.h"

#define PIECE_MAX  200
#define HEADER_MAX 128
#define ROW_BYTES  4

/* Any accepted merges join a piece into tokens that cover it, and no further merge is possible. The
 * tokens of the bytes are in ids; NULL: the bytes themselves. */
static void check_join(const Bpe *bpe, const int *ids, const char *piece, size_t bytes) {
    BpeNode nodes[PIECE_MAX];
    uint64_t queue[2 * PIECE_MAX];
    for (uint32_t i = 0; i < bytes; i++) {
        unsigned char byte = (unsigned char)piece[i];
        nodes[i] = (BpeNode){.next = i + 1, .token = ids != NULL ? (uint32_t)ids[byte] : byte};
    }
    bpe_join(nodes, queue, bpe, bytes);
    for (size_t at = 0, next; at < bytes; at = next) {
        next = nodes[at].next;
        if (next <= at || next > bytes)
            abort();
        if (next < bytes && bpe_merge(bpe, nodes[at].token, nodes[next].token) != NULL)
            abort();
    }
}

static void check_file(const void *bytes, size_t size, const char *piece, size_t piece_bytes) {
    Err err = {0};
    Vocabulary *v = bpe_file_open("file", bytes, size, &err);
    if (v != NULL) {
        check_join(&v->bpe, v->bytes, piece, piece_bytes);
        vocabulary_release(v);
    } else if (err.why[0] == '\0') {
        abort();
    }
}

/* The last byte chooses a file that is valid except for its tensor; the other bytes are the merges.
 */
static void check_header(const uint8_t *data, size_t size) {
    size_t count = size / ROW_BYTES, bytes = count * ROW_BYTES;
    unsigned oddity = size > 0 ? data[size - 1] : 0;
    char *file = malloc(8 + HEADER_MAX + bytes);
    if (file == NULL)
        abort();
    int header = snprintf(file + 8, HEADER_MAX,
                          "{\"%s\":{\"dtype\":\"%s\",\"shape\":[%zu,%d],\"data_offsets\":[0,%zu]}}",
                          oddity == 255 ? "merge" : "merges", oddity == 254 ? "I16" : "U16",
                          oddity == 253 ? count / 2 : count, oddity == 253 ? 4 : 2, bytes);
    if (header % 2 != 0 && oddity != 252)
        file[8 + header++] = ' ';
    memset(file, 0, 8);
    file[0] = (char)header;
    memcpy(file + 8 + header, data, bytes);
    check_file(file, 8 + (size_t)header + bytes, (const char *)data,
               size < PIECE_MAX ? size : PIECE_MAX);
    free(file);
}

/* Read the bytes as a whole file, as the merges of a file, and as valid merges, which random bytes
 * hardly ever are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t bytes = size < PIECE_MAX ? size : PIECE_MAX;
    check_file(data, size, (const char *)data, bytes);
    check_header(data, size);
    uint32_t count = (uint32_t)(size / ROW_BYTES);
    Bpe bpe = {malloc((count + 1) * sizeof *bpe.merges), count};
    if (bpe.merges == NULL)
        abort();
    for (uint32_t i = 0; i < count; i++) {
        uint16_t pair[2];
        memcpy(pair, data + i * ROW_BYTES, sizeof pair);
        bpe.merges[i] = (BpeMerge){.left = pair[0] % (BPE_BYTES + i),
                                   .right = pair[1] % (BPE_BYTES + i),
                                   .joined = BPE_BYTES + i};
    }
    if (bpe_sort(&bpe) == count && bytes > 0)
        check_join(&bpe, NULL, (const char *)data, bytes);
    free(bpe.merges);
    return 0;
}
