#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/heap.h"
#include "io/vocabulary_read.h"

bool vocabulary_take_wordpiece(VocabularyReader *r, const json_t *model) {
    Vocabulary *v = r->v;
    const json_t *prefix = json_object_get(model, "continuing_subword_prefix");
    const json_t *longest = json_object_get(model, "max_input_chars_per_word");
    const char *text = prefix != NULL ? json_string_value(prefix) : "##";
    json_int_t chars = longest != NULL ? json_integer_value(longest) : 100;
    if (text == NULL || strlen(text) >= sizeof v->prefix)
        return vocabulary_refuse(r, "model", "with an odd prefix");
    memcpy(v->prefix, text, strlen(text) + 1);
    v->longest = chars >= 0 && chars < 200 ? (int)chars : 200;
    v->unknown = vocabulary_unknown(r, model, "[UNK]");
    return v->unknown >= 0 || vocabulary_refuse(r, "model.unk_token", "[UNK]");
}

static bool take_score(VocabularyReader *r, size_t id, const json_t *entry) {
    double score = json_number_value(json_array_get(entry, 1));
    r->v->scores[id] = score;
    r->v->unknown_score = fmin(r->v->unknown_score, score);
    return json_is_number(json_array_get(entry, 1)) && isfinite(score);
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
        vocabulary_bytes(v, (int)i, &size);
        v->scores[i] = (double)NAN;
        if (size > 512 || (i < count && !take_score(r, i, json_array_get(vocab, i))))
            return vocabulary_refuse(r, "model.vocab",
                                     "with a score that is no number, or too long");
    }
    json_int_t id = json_is_integer(unknown) ? json_integer_value(unknown) : -1;
    if (id < 0 || id >= (json_int_t)count)
        return vocabulary_refuse(r, "model.unk_id", "of no token");
    v->unknown = (int)id;
    v->unknown_score -= 10;
    v->falls_to_bytes = vocabulary_flag(model, "byte_fallback", false);
    vocabulary_take_bytes(v);
    return true;
}
