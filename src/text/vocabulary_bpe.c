#include "base/utf8.h"
#include "text/vocabulary_models.h"

static uint32_t token_of(int id) {
    return id >= 0 ? (uint32_t)id : BPE_NO_TOKEN;
}

/* Fill nodes with the tokens before any merge: bytes, or characters, or the bytes of unknown
 * characters. */
static void place_nodes(BpeNode *nodes, const Vocabulary *v, const char *piece, size_t size) {
    for (size_t at = 0, bytes = 1; at < size; at += bytes) {
        int id = v->bytes[(unsigned char)piece[at]];
        if (!v->is_bytes) {
            utf8_decode(piece, size, at, &bytes);
            id = vocabulary_find(v, piece + at, bytes);
        }
        if (id >= 0 || v->is_bytes || !v->falls_to_bytes) {
            nodes[at] = (BpeNode){.next = (uint32_t)(at + bytes), .token = token_of(id)};
            continue;
        }
        for (size_t i = at; i < at + bytes; i++)
            nodes[i] = (BpeNode){.next = (uint32_t)(i + 1),
                                 .token = token_of(v->bytes[(unsigned char)piece[i]])};
    }
}

static bool add_tokens(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at,
                       const BpeNode *nodes, size_t size, Err *err) {
    for (size_t from = 0, to; from < size; from = to) {
        uint32_t token = nodes[from].token;
        to = nodes[from].next;
        while (token == BPE_NO_TOKEN && v->joins_unknown && to < size &&
               nodes[to].token == BPE_NO_TOKEN)
            to = nodes[to].next;
        if (token == BPE_NO_TOKEN && v->unknown < 0)
            return err_fail(err, "tokenizer model", "has no token for the byte %02X of the text",
                            (unsigned char)flow->text[at + from]);
        flow_token(out, flow, at + from, at + to, token != BPE_NO_TOKEN ? (int)token : v->unknown);
    }
    return true;
}

bool bpe_split(TokenList *out, const Vocabulary *v, const Flow *flow, size_t at, size_t end,
               Err *err) {
    BpeNode nodes[BPE_SHORT_PIECE];
    uint64_t queue[2 * BPE_SHORT_PIECE];
    BpeRoom room = {nodes, queue};
    Arena arena = {0};
    size_t size = end - at;
    int whole = v->takes_whole ? vocabulary_find(v, flow->text + at, size) : -1;
    if (whole >= 0) {
        flow_token(out, flow, at, end, whole);
        return true;
    }
    if (!bpe_room(&room, &arena, size, err))
        return false;
    place_nodes(room.nodes, v, flow->text + at, size);
    bpe_join(&room, &v->bpe, size);
    bool added = add_tokens(out, v, flow, at, room.nodes, size, err);
    arena_release(&arena);
    return added;
}
