#include "model/attention/embedding.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <utf8proc.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "base/util.h"

static const Entry EMBEDDING_ROWS[EMBEDDING_KIND_COUNT] = {
    [EMBEDDING_RANDOM] = {"random", "Random", "x = √D · g / |g|, g ~ N(0, 1)",
                          "Every different token has its own random row of rms 1, from the seed."},
    [EMBEDDING_ONEHOT] = {"onehot", "One-hot", "x = e_i",
                          "The i-th different token of the text has a 1 in column i, else 0."},
    [EMBEDDING_GLOVE] = {"glove", "GloVe word vectors", "x = √D · g / |g|",
                         "Word vectors learnt from text, in principal components."},
};

const Registry EMBEDDINGS = REGISTRY("embeddings", "embedding", EMBEDDING_ROWS);

/* Kinds of characters: letters with their marks, numbers, and others. A word ends where the kind
 * changes. */
typedef enum WordClass { WORD_NONE, WORD_LETTER, WORD_NUMBER } WordClass;

static WordClass class_at(const EmbedInput *in, size_t at) {
    size_t length;
    uint32_t c = utf8_decode(in->text, in->text_bytes, at, &length);
    utf8proc_category_t category = utf8proc_category((utf8proc_int32_t)c);
    if (category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO)
        return WORD_NUMBER;
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME ? WORD_LETTER
                                                                                : WORD_NONE;
}

/* True if a word or a character continues across this position. */
static bool is_inside_word(const EmbedInput *in, size_t at) {
    if (at == 0 || at >= in->text_bytes)
        return false;
    if (utf8_floor(in->text, in->text_bytes, at) != at)
        return true;
    WordClass class = class_at(in, at);
    return class != WORD_NONE && class == class_at(in, utf8_previous(in->text, in->text_bytes, at));
}

/* The form in which a token's vector is looked up: as token_fold writes it. A token stays unchanged
 * if it is longer than WORD_BYTES_MAX, so that two different long tokens never get the same form,
 * or if token_fold writes nothing. */
#define WORD_BYTES_MAX  128
#define FOLD_GROWTH_MAX 11 /* maximum of output bytes for one input byte: U+FDFA, 3 to 33 */

typedef struct Folded {
    const char *bytes; /* in `room`, or the token itself */
    size_t size;
    uint64_t hash;
    /* true if the token is part of a word and so has no vector */
    bool is_part;
    char room[WORD_BYTES_MAX * FOLD_GROWTH_MAX];
} Folded;

static void fold(Folded *out, const EmbedInput *in, int token) {
    size_t at = in->tokens[token].at, size = in->tokens[token].bytes;
    bool by_word = in->cuts_words && in->kind == EMBEDDING_GLOVE;
    out->is_part = by_word && (is_inside_word(in, at) || is_inside_word(in, at + size));
    if (by_word && !out->is_part && size > 1 && in->text[at] == ' ') {
        at++;
        size--;
    }
    out->bytes = in->text + at;
    out->size = size;
    size_t folded =
        size <= WORD_BYTES_MAX ? token_fold(out->room, sizeof out->room, out->bytes, size) : 0;
    if (folded > 0) {
        out->bytes = out->room;
        out->size = folded;
    }
    out->hash = rng_hash(out->bytes, out->size);
}

static bool is_same(const Folded *word, const EmbedInput *in, int token) {
    Folded other;
    fold(&other, in, token);
    return other.is_part == word->is_part && other.size == word->size &&
           memcmp(other.bytes, word->bytes, word->size) == 0;
}

uint32_t words_slot(const WordVectors *words, const char *folded, size_t bytes) {
    uint32_t mask = words->slot_count - 1;
    uint32_t at = (uint32_t)rng_hash(folded, bytes) & mask;
    for (int probe = 0; probe < WORDS_PROBES_MAX; probe++, at = (at + 1) & mask) {
        if (words->slots[at] == 0)
            return at;
        uint32_t word = words->slots[at] - 1;
        const char *candidate = words->words + words->word_at[word];
        size_t size = words->word_at[word + 1] - words->word_at[word] - 1;
        if (size == bytes && memcmp(candidate, folded, bytes) == 0)
            return at;
    }
    return words->slot_count;
}

int words_find(const WordVectors *words, const char *folded, size_t bytes) {
    uint32_t at = words_slot(words, folded, bytes);
    return at < words->slot_count ? (int)words->slots[at] - 1 : -1;
}

/* Words without a vector, each with the word of the same or nearest meaning whose vector it
 * borrows. The list of vectors has no single letters, digits or endings such as “n't”. */
typedef struct Borrow {
    const char *word, *from;
} Borrow;

static const Borrow BORROWS[] = {
    {"n't", "not"},   {"'m", "am"},   {"'re", "are"},  {"'ve", "have"}, {"'ll", "will"},
    {"'d", "would"},  {"'s", "is"},   {"'t", "not"},   {"ca", "can"},   {"wo", "will"},
    {"sha", "shall"}, {"a", "an"},    {"i", "me"},     {"u.s.", "usa"}, {"0", "zero"},
    {"1", "one"},     {"2", "two"},   {"3", "three"},  {"4", "four"},   {"5", "five"},
    {"6", "six"},     {"7", "seven"}, {"8", "eight"},  {"9", "nine"},   {"10", "ten"},
    {"--", "-"},      {"---", "-"},   {"\u2013", "-"}, {"\u2014", "-"}, {"''", "\""},
    {"``", "\""},
};

static int find_borrowed(const WordVectors *words, const Folded *word) {
    for (size_t i = 0; i < ARRAY_COUNT(BORROWS); i++) {
        size_t size = strlen(BORROWS[i].word);
        if (size == word->size && memcmp(BORROWS[i].word, word->bytes, size) == 0)
            return words_find(words, BORROWS[i].from, strlen(BORROWS[i].from));
    }
    return -1;
}

/* Convert a half float. The exponent is shifted by a multiplication, because that is exact even for
 * subnormals. */
static float half_to_float(uint16_t half) {
    uint32_t bits = (uint32_t)(half & 0x7FFFu) << 13;
    float size;
    memcpy(&size, &bits, sizeof size);
    size *= 0x1p112f;
    return half & 0x8000u ? -size : size;
}

/* Scale to root mean square 1. Return false if all entries are 0. */
static bool scale_row(float *row, int D) {
    double sum = 0;
    for (int j = 0; j < D; j++)
        sum += (double)row[j] * (double)row[j];
    if (sum == 0)
        return false;
    float factor = (float)sqrt(D / sum);
    for (int j = 0; j < D; j++)
        row[j] *= factor;
    return true;
}

static void fill_drawn(float *row, int D, uint64_t seed, const Folded *word) {
    Rng rng = rng_stream(seed, word->hash);
    for (int j = 0; j < D; j++)
        row[j] = (float)rng_normal(rng, (uint64_t)j);
    scale_row(row, D);
}

static void fill_onehot(float *row, int D, int column) {
    memset(row, 0, (size_t)D * sizeof *row);
    if (column < D)
        row[column] = 1;
}

/* Copy the first D columns of a vector; fill missing columns with 0. Return false if all are 0. */
static bool fill_vector(float *row, int D, const WordVectors *words, int word) {
    const uint16_t *halves = words->halves + (size_t)word * (size_t)words->width;
    int shared = D < words->width ? D : words->width;
    for (int j = 0; j < shared; j++)
        row[j] = half_to_float(halves[j]);
    for (int j = shared; j < D; j++)
        row[j] = 0;
    return scale_row(row, D);
}

static EmbedNote fill_glove(float *row, int D, const WordVectors *words, const Folded *word) {
    if (words != NULL && !word->is_part) {
        int own = words_find(words, word->bytes, word->size);
        int found = own >= 0 ? own : find_borrowed(words, word);
        if (found >= 0 && fill_vector(row, D, words, found))
            return (EmbedNote){own >= 0 ? EMBED_OWN : EMBED_BORROWED, found};
    }
    fill_drawn(row, D, 0, word);
    return (EmbedNote){EMBED_HASHED, -1};
}

static EmbedNote fill_row(float *row, int D, const EmbedInput *in, const Folded *word, int column) {
    switch (in->kind) {
    case EMBEDDING_RANDOM:
        fill_drawn(row, D, in->seed, word);
        break;
    case EMBEDDING_ONEHOT:
        fill_onehot(row, D, column);
        break;
    case EMBEDDING_GLOVE:
        return fill_glove(row, D, in->words, word);
    case EMBEDDING_KIND_COUNT:
        assert(false && "a kind of embedding");
    }
    return (EmbedNote){EMBED_OWN, -1};
}

bool embed(Mat *x, EmbedNote *notes, const EmbedInput *in, Err *err) {
    assert(x->rows >= 1 && x->rows <= TOKENS_MAX && x->cols >= 1);
    uint64_t hashes[TOKENS_MAX]; /* Folded.hash of each token */
    int distinct = 0;
    for (int t = 0; t < x->rows; t++) {
        Folded word;
        fold(&word, in, t);
        hashes[t] = word.hash;
        int first = 0;
        while (first < t && (hashes[first] != word.hash || !is_same(&word, in, first)))
            first++;
        if (first == t) {
            notes[t] = fill_row(mat_row(x, t), x->cols, in, &word, distinct++);
            continue;
        }
        notes[t] = notes[first];
        memcpy(mat_row(x, t), mat_row(x, first), (size_t)x->cols * sizeof(float));
    }
    if (in->kind == EMBEDDING_ONEHOT && distinct > x->cols)
        return err_usage(err, "--embedding onehot",
                         "the text has %d different tokens and d_model is only %d; make d_model %d "
                         "or more, or choose another embedding",
                         distinct, x->cols, distinct);
    return true;
}
