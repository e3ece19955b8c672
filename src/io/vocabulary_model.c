#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "io/vocabulary_file.h"

#define PAIR_BYTES  2048 /* limit of bytes of a merge */
#define LONGEST_MAX 1000 /* limit of characters of a word that WordPiece cuts */

static bool bad_merge(VocabularyReader *r, size_t rank, const char *why) {
    return vocabulary_refuse(r, "model.merges: row", PRINT("%zu %s", rank + 1, why));
}

/* Copy the two tokens that a merge joins. A merge is written as "a b" or as ["a", "b"]. */
static bool read_pair(char sides[2][PAIR_BYTES], const json_t *merge) {
    const char *texts[2] = {json_string_value(merge), json_string_value(json_array_get(merge, 1))};
    size_t first = 0;
    if (texts[0] != NULL) {
        first = strcspn(texts[0], " ");
        texts[1] = texts[0][first] == ' ' ? texts[0] + first + 1 : NULL;
    } else if (json_array_size(merge) == 2) {
        texts[0] = json_string_value(json_array_get(merge, 0));
        first = texts[0] != NULL ? strlen(texts[0]) : 0;
    }
    if (texts[0] == NULL || texts[1] == NULL || first + strlen(texts[1]) >= PAIR_BYTES)
        return false;
    snprintf(sides[0], PAIR_BYTES, "%.*s", (int)first, texts[0]);
    snprintf(sides[1], PAIR_BYTES, "%s", texts[1]);
    return true;
}

/* Find the id of a token. All ids of the vocabulary have been checked. */
static bool find_token(uint32_t *out, const json_t *vocab, const char *text) {
    const json_t *id = json_object_get(vocab, text);
    *out = (uint32_t)json_integer_value(id);
    return id != NULL;
}

static bool take_merges(VocabularyReader *r, const json_t *vocab, const json_t *merges) {
    Vocabulary *v = r->v;
    char sides[2][PAIR_BYTES], both[2 * PAIR_BYTES];
    size_t count = json_array_size(merges);
    if (!json_is_array(merges))
        return vocabulary_refuse(r, "model.merges", "that is no list");
    v->bpe = (Bpe){heap_get((count + 1) * sizeof *v->bpe.merges), (uint32_t)count};
    if (v->bpe.merges == NULL)
        return err_fail(r->err, "memory", "too little for the merges; close other programs");
    for (size_t i = 0; i < count; i++) {
        BpeMerge *m = &v->bpe.merges[i];
        if (!read_pair(sides, json_array_get(merges, i)))
            return bad_merge(r, i, "that is no pair");
        snprintf(both, sizeof both, "%s%s", sides[0], sides[1]);
        if (!find_token(&m->left, vocab, sides[0]) || !find_token(&m->right, vocab, sides[1]) ||
            !find_token(&m->joined, vocab, both))
            return bad_merge(r, i, "with a token that is not in the vocabulary");
    }
    uint32_t bad = bpe_sort(&v->bpe);
    return bad == count || bad_merge(r, bad, "that appears twice");
}

static bool has_text(const json_t *model, const char *key) {
    return json_string_length(json_object_get(model, key)) > 0;
}

/* Return the token that the model's unk_token names, or the token `otherwise` if the key is absent;
 * -1 if the vocabulary does not have it. */
static int unknown_token(const VocabularyReader *r, const json_t *model, const char *otherwise) {
    const char *name = json_string_value(json_object_get(model, "unk_token"));
    name = name != NULL ? name : otherwise;
    return vocabulary_find(r->v, name, strlen(name));
}

static void take_bytes(Vocabulary *v) {
    for (int b = 0; b < BPE_BYTES; b++) {
        char name[8] = {(char)b};
        int size = v->is_bytes ? 1 : snprintf(name, sizeof name, "<0x%02X>", b);
        v->bytes[b] =
            v->is_bytes || v->falls_to_bytes ? vocabulary_find(v, name, (size_t)size) : -1;
    }
}

bool vocabulary_take_bpe(VocabularyReader *r, const json_t *model) {
    Vocabulary *v = r->v;
    if (has_text(model, "continuing_subword_prefix") || has_text(model, "end_of_word_suffix"))
        return vocabulary_invalid(r, "model",
                                  "adds a prefix or suffix to words, which is not supported");
    if (json_number_value(json_object_get(model, "dropout")) > 0)
        return vocabulary_invalid(r, "model", "has dropout, which is not supported");
    v->takes_whole = vocabulary_flag(model, "ignore_merges", false);
    v->joins_unknown = vocabulary_flag(model, "fuse_unk", false);
    v->falls_to_bytes = !v->is_bytes && vocabulary_flag(model, "byte_fallback", false);
    v->unknown = unknown_token(r, model, "");
    if (has_text(model, "unk_token") && v->unknown < 0)
        return vocabulary_refuse(r, "model.unk_token",
                                 json_string_value(json_object_get(model, "unk_token")));
    take_bytes(v);
    return take_merges(r, json_object_get(model, "vocab"), json_object_get(model, "merges"));
}

bool vocabulary_take_wordpiece(VocabularyReader *r, const json_t *model) {
    Vocabulary *v = r->v;
    const json_t *prefix = json_object_get(model, "continuing_subword_prefix");
    const json_t *longest = json_object_get(model, "max_input_chars_per_word");
    const char *text = prefix != NULL ? json_string_value(prefix) : "##";
    json_int_t chars = longest != NULL ? json_integer_value(longest) : 100;
    if (text == NULL || strlen(text) >= sizeof v->prefix)
        return vocabulary_invalid(r, "model",
                                  "has a continuing_subword_prefix of more than 15 bytes");
    memcpy(v->prefix, text, strlen(text) + 1);
    if (chars < 1 || chars > LONGEST_MAX)
        return vocabulary_invalid(r, "model",
                                  "has a max_input_chars_per_word that is not from 1 to 1000");
    v->longest = (int)chars;
    v->unknown = unknown_token(r, model, "[UNK]");
    return v->unknown >= 0 || vocabulary_refuse(r, "model.unk_token", "[UNK]");
}

/* The score of an unknown character is 10 below that of the worst token, as in SentencePiece. */
bool vocabulary_take_unigram(VocabularyReader *r, const json_t *model) {
    Vocabulary *v = r->v;
    const json_t *vocab = json_object_get(model, "vocab"),
                 *unknown = json_object_get(model, "unk_id");
    size_t count = json_array_size(vocab);
    v->scores = heap_get((size_t)v->count * sizeof *v->scores);
    if (v->scores == NULL)
        return err_fail(r->err, "memory", "too little for the scores; close other programs");
    v->unknown_score = INFINITY;
    for (size_t i = 0; i < (size_t)v->count; i++) {
        size_t size;
        const json_t *score = json_array_get(json_array_get(vocab, i), 1);
        vocabulary_bytes(v, (int)i, &size);
        v->scores[i] = json_is_number(score) ? json_number_value(score) : (double)NAN;
        v->unknown_score = fmin(v->unknown_score, v->scores[i]);
        if (size > 512 || (i < count && !isfinite(v->scores[i])))
            return vocabulary_invalid(
                r, "model.vocab",
                "has a score that is not finite, or a token of more than 512 bytes");
    }
    json_int_t id = json_is_integer(unknown) ? json_integer_value(unknown) : -1;
    if (id < 0 || id >= (json_int_t)count)
        return vocabulary_invalid(r, "model.unk_id", "is not the id of a token");
    v->unknown = (int)id;
    v->unknown_score -= 10;
    v->falls_to_bytes = vocabulary_flag(model, "byte_fallback", false);
    take_bytes(v);
    return true;
}
