#include "text/gpt2.h"

#include <string.h>
#include <utf8proc.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "base/util.h"

#define SHORT_PIECE 256 /* bytes; shorter pieces need no allocation */

typedef enum PieceClass {
    PIECE_NONE,
    PIECE_BLANK,
    PIECE_LETTER,
    PIECE_NUMBER,
    PIECE_OTHER
} PieceClass;

static bool is_blank(uint32_t c) {
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85;
}

static PieceClass class_of(uint32_t c) {
    if (is_blank(c))
        return PIECE_BLANK;
    switch (utf8proc_category((utf8proc_int32_t)c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return PIECE_LETTER;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return PIECE_NUMBER;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
        return PIECE_BLANK;
    default:
        return PIECE_OTHER;
    }
}

/* Return the class of the character at `at` and set *end to its end; PIECE_NONE past the last. */
static PieceClass class_at(const char *text, size_t size, size_t at, size_t *end) {
    size_t bytes = 0;
    *end = at;
    if (at >= size)
        return PIECE_NONE;
    if ((text[at] >= 'a' && text[at] <= 'z') || (text[at] >= 'A' && text[at] <= 'Z')) {
        *end = at + 1;
        return PIECE_LETTER;
    }
    uint32_t c = utf8_decode(text, size, at, &bytes);
    *end = at + bytes;
    return class_of(c);
}

/* Return the bytes of the English clitic that starts at `at`, or 0. */
static size_t clitic_bytes(const char *text, size_t size, size_t at) {
    static const char *const clitics[] = {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (size_t i = 0; text[at] == '\'' && i < ARRAY_COUNT(clitics); i++) {
        size_t bytes = strlen(clitics[i]);
        if (bytes <= size - at && memcmp(text + at, clitics[i], bytes) == 0)
            return bytes;
    }
    return 0;
}

/* Return the end of the blanks at `at`, without the last of several if text follows. */
static size_t blanks_end(const char *text, size_t size, size_t at) {
    size_t end = at, last = at, next;
    while (class_at(text, size, end, &next) == PIECE_BLANK) {
        last = end;
        end = next;
    }
    return end == size || last == at ? end : last;
}

size_t gpt2_piece_end(const char *text, size_t size, size_t at) {
    size_t clitic = clitic_bytes(text, size, at), end, next;
    if (clitic > 0)
        return at + clitic;
    PieceClass class = class_at(text, size, at, &end);
    if (class == PIECE_BLANK) {
        PieceClass after = class_at(text, size, end, &next);
        if (text[at] != ' ' || after == PIECE_BLANK || after == PIECE_NONE)
            return blanks_end(text, size, at);
        class = after;
        end = next;
    }
    while (class_at(text, size, end, &next) == class)
        end = next;
    return end;
}

/* Allocate for a piece of this size; the memory is reused for later pieces. */
static bool make_room(BpeRoom *room, Arena *arena, size_t bytes, Err *err) {
    size_t nodes = bytes * sizeof *room->nodes, queue = 2 * bytes * sizeof *room->queue;
    if (!arena_reserve(arena, arena_padded(nodes) + arena_padded(queue), err))
        return false;
    room->nodes = arena_push(arena, nodes);
    room->queue = arena_push(arena, queue);
    return true;
}

static void add_piece(TokenList *out, BpeRoom *room, const Bpe *bpe, const char *text, size_t at,
                      size_t end) {
    size_t bytes = end - at;
    bpe_join(room, bpe, text + at, bytes);
    for (size_t from = 0; from < bytes; from = room->nodes[from].next)
        token_add(out, at + from, room->nodes[from].next - from);
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
    BpeNode nodes[SHORT_PIECE] = {0};
    uint64_t queue[2 * SHORT_PIECE] = {0};
    Arena arena = {0};
    bool ok = gpt2_ready(resources, err);
    out->total = 0;
    for (size_t at = 0, end; at < size && ok; at = end) {
        BpeRoom room = {nodes, queue};
        end = gpt2_piece_end(text, size, at);
        ok = end - at <= SHORT_PIECE || make_room(&room, &arena, end - at, err);
        if (ok)
            add_piece(out, &room, resources->gpt2, text, at, end);
    }
    arena_release(&arena);
    return ok;
}

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

int gpt2_number(const Bpe *bpe, const char *bytes, size_t size) {
    BpeNode nodes[SHORT_PIECE] = {0};
    uint64_t queue[2 * SHORT_PIECE] = {0};
    BpeRoom room = {nodes, queue};
    if (bpe == NULL || size < 1 || size > SHORT_PIECE)
        return -1;
    bpe_join(&room, bpe, bytes, size);
    if (nodes[0].next != size)
        return -1;
    return nodes[0].token < BPE_BYTES ? number_of_byte((unsigned char)bytes[0]) : nodes[0].token;
}

size_t gpt2_token_bytes(char *out, size_t capacity, const Bpe *bpe, int number) {
    uint16_t left[SHORT_PIECE]; /* tokens still to be written, the next one last */
    size_t count = 1, used = 0;
    if (bpe == NULL || number < 0 || number >= BPE_BYTES + bpe->count)
        return 0;
    for (int byte = 0; byte < BPE_BYTES && number < BPE_BYTES; byte++)
        if (number_of_byte((unsigned char)byte) == number) {
            out[0] = (char)byte;
            return capacity > 0;
        }
    for (left[0] = (uint16_t)number; count > 0;) {
        uint16_t token = left[--count];
        if (token < BPE_BYTES) {
            if (used == capacity)
                return 0;
            out[used++] = (char)token;
            continue;
        }
        if (count + 2 > SHORT_PIECE)
            return 0;
        left[count++] = bpe->merges[token - BPE_BYTES].right;
        left[count++] = bpe->merges[token - BPE_BYTES].left;
    }
    return used;
}
