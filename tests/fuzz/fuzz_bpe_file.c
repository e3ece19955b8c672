#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "io/bpe_file.h"
#include "text/tokenizer.h"

#define PIECE_MAX 200

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

/* As a whole file; and as the merges of a sound one, which random bytes hardly ever are. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    BpeFile file;
    Err err;
    size_t bytes = size < PIECE_MAX ? size : PIECE_MAX;
    if (bpe_file_open(&file, "file", data, size, &err)) {
        check_join(&file.bpe, (const char *)data, bytes);
        bpe_file_release(&file);
    }
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
