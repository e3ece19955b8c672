#include "text/gpt2.h"

#include <string.h>

#include "base/arena.h"
#include "base/util.h"
#include "text/pieces.h"

static const PiecePattern GPT2 = {0};

/* Return the token number of a byte. The vocabulary begins with the bytes that print, in order,
 * followed by the others. */
static int number_of_byte(unsigned char byte) {
    static const struct { int first, last; } prints[] = {{'!', '~'}, {0xA1, 0xAC}, {0xAE, 0xFF}};
    int before = 0, printing = 0;
    for (size_t i = 0; i < ARRAY_COUNT(prints); i++) {
        int count = prints[i].last - prints[i].first + 1;
        if (byte >= prints[i].first && byte <= prints[i].last)
            return printing + byte - prints[i].first;
        before += byte > prints[i].last ? count : 0;
        printing += count;
    }
    return printing + byte - before;
}

static void add_piece(TokenList *out, BpeRoom *room, const Bpe *bpe, const char *text, size_t at,
                      size_t end) {
    BpeNode *nodes = room->nodes;
    size_t bytes = end - at;
    bpe_place_bytes(nodes, text + at, bytes);
    bpe_join(room, bpe, bytes);
    for (size_t from = 0; from < bytes; from = nodes[from].next) {
        int token = (int)nodes[from].token;
        token_add(out, at + from, nodes[from].next - from,
                  token < BPE_BYTES ? number_of_byte((unsigned char)token) : token);
    }
}

bool gpt2_ready(const TextResources *resources, Err *err) {
    if (resources != NULL && resources->gpt2 != NULL)
        return true;
    const char *why = resources != NULL ? resources->gpt2_missing : NULL;
    return err_fail(err, "tokenizer gpt2", "%s",
                    why != NULL ? why
                                : "the merges of GPT-2 are not loaded; choose another tokenizer");
}

bool gpt2_split(TokenList *out, const char *text, size_t size, const TextResources *resources,
                Err *err) {
    BpeNode nodes[BPE_SHORT_PIECE] = {0};
    uint64_t queue[2 * BPE_SHORT_PIECE] = {0};
    Arena arena = {0};
    bool ok = gpt2_ready(resources, err);
    out->total = 0;
    for (size_t at = 0, end; at < size && ok; at = end) {
        BpeRoom room = {nodes, queue};
        end = piece_end(&GPT2, text, size, at);
        ok = bpe_room(&room, &arena, end - at, err);
        if (ok)
            add_piece(out, &room, resources->gpt2, text, at, end);
    }
    arena_release(&arena);
    return ok;
}

size_t gpt2_token_bytes(char *out, size_t capacity, const Bpe *bpe, int number) {
    uint32_t left[BPE_SHORT_PIECE]; /* a stack of the tokens to be written */
    size_t count = 1, used = 0;
    if (bpe == NULL || number < 0 || (uint32_t)number >= bpe->tokens)
        return 0;
    for (int byte = 0; byte < BPE_BYTES && number < BPE_BYTES; byte++)
        if (number_of_byte((unsigned char)byte) == number) {
            out[0] = (char)byte;
            return capacity > 0;
        }
    for (left[0] = (uint32_t)number; count > 0;) {
        uint32_t token = left[--count];
        if (token < BPE_BYTES) {
            if (used == capacity)
                return 0;
            out[used++] = (char)token;
            continue;
        }
        if (count + 2 > BPE_SHORT_PIECE)
            return 0;
        left[count++] = bpe->merges[token - BPE_BYTES].right;
        left[count++] = bpe->merges[token - BPE_BYTES].left;
    }
    return used;
}
