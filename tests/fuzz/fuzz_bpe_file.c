#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/bpe_file.h"

#define PIECE_MAX  200
#define HEADER_MAX 128

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Any merges that are taken join a piece into tokens that are the whole of it, and are joined as
 * far as they can be. */
static void check_join(const Bpe *bpe, const char *piece, size_t bytes) {
    BpeNode nodes[PIECE_MAX];
    uint64_t queue[2 * PIECE_MAX];
    BpeRoom room = {nodes, queue};
    bpe_join(&room, bpe, piece, bytes);
    for (size_t at = 0, next; at < bytes; at = next) {
        next = nodes[at].next;
        if (next <= at || next > bytes)
            abort();
        if (next < bytes && bpe_rank(bpe, nodes[at].token, nodes[next].token) != BPE_NO_MERGE)
            abort();
    }
}

static void check_file(const void *bytes, size_t size, const char *piece, size_t piece_bytes) {
    BpeFile file;
    Err err = {0};
    if (bpe_file_open(&file, "file", bytes, size, &err)) {
        check_join(&file.bpe, piece, piece_bytes);
        bpe_file_release(&file);
    } else if (err.why[0] == '\0') {
        abort();
    }
}

/* The bytes as the merges of a file, sound but for the tensor, as the last byte chooses. */
static void check_header(const uint8_t *data, size_t size) {
    size_t count = size / sizeof(BpeMerge), bytes = count * sizeof(BpeMerge);
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

/* As a whole file; as the merges of one; and as merges that are sound, as bytes hardly ever are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size_t bytes = size < PIECE_MAX ? size : PIECE_MAX;
    check_file(data, size, (const char *)data, bytes);
    check_header(data, size);
    size_t count = size / sizeof(BpeMerge);
    count = count < BPE_MERGES_MAX ? count : BPE_MERGES_MAX;
    BpeMerge *merges = malloc(size + 1);
    uint16_t *slots = calloc(bpe_slot_count((int)count), sizeof *slots);
    if (merges == NULL || slots == NULL)
        abort();
    memcpy(merges, data, count * sizeof *merges);
    for (size_t i = 0; i < count; i++) {
        merges[i].left = (uint16_t)(merges[i].left % (BPE_BYTES + i));
        merges[i].right = (uint16_t)(merges[i].right % (BPE_BYTES + i));
    }
    Bpe bpe;
    int taken = bpe_build(&bpe, slots, merges, (int)count);
    if (taken == (int)count && bytes > 0)
        check_join(&bpe, (const char *)data, bytes);
    free(merges);
    free(slots);
    return 0;
}
