#include "io/vocabulary_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/json.h"

#define ADDED_MAX  16384
#define IDS_ADVICE "; choose the tokenizer Token ids, or give --ids"

bool vocabulary_refuse(VocabularyReader *r, const char *field, const char *what) {
    return err_fail(r->err, VOCABULARY_FILE, "%s “%.160s” is not known here" IDS_ADVICE, field,
                    what);
}

bool vocabulary_invalid(VocabularyReader *r, const char *field, const char *why) {
    return err_fail(r->err, VOCABULARY_FILE, "%s %s" IDS_ADVICE, field, why);
}

static bool no_memory(VocabularyReader *r) {
    return err_fail(r->err, "memory", "too little for " VOCABULARY_FILE "; close other programs");
}

bool vocabulary_flag(const json_t *object, const char *key, bool otherwise) {
    const json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

/* The text of each id, borrowed from the JSON tree. */
typedef struct Texts {
    struct {
        const char *bytes;
        size_t size;
    } * at;
    size_t total;
} Texts;

/* Set the text of a token. Fails if its id already has a different text. */
static bool take_text(VocabularyReader *r, Texts *texts, json_int_t number, const char *bytes,
                      size_t size) {
    if (number < 0 || number >= VOCABULARY_MAX)
        return vocabulary_invalid(r, PRINT("token “%.60s”", bytes),
                                  "has an id that is not a number up to 1048575");
    if (texts->at[number].bytes != NULL)
        return (texts->at[number].size == size &&
                memcmp(texts->at[number].bytes, bytes, size) == 0) ||
               vocabulary_invalid(r, PRINT("token “%.60s”", bytes), "has the id of another token");
    texts->at[number].bytes = bytes;
    texts->at[number].size = size;
    texts->total += size;
    r->v->count = (int)number >= r->v->count ? (int)number + 1 : r->v->count;
    return texts->total <= VOCABULARY_TEXT_MAX ||
           vocabulary_invalid(r, "vocab", "has tokens of more than 64 MiB in all");
}

static json_int_t id_of(const json_t *id) {
    return json_is_integer(id) ? json_integer_value(id) : -1;
}

static bool take_texts(VocabularyReader *r, Texts *texts, const json_t *vocab,
                       const json_t *added) {
    const char *text;
    const json_t *id;
    if (json_object_size(vocab) + json_array_size(vocab) == 0)
        return vocabulary_invalid(r, "model", "has no “vocab”");
    /* The vocab of Unigram is a list, that of other models an object. */
    for (size_t i = 0; i < json_array_size(vocab); i++) {
        const json_t *pair = json_array_get(vocab, i), *first = json_array_get(pair, 0);
        if (!json_is_string(first))
            return vocabulary_invalid(r, "model.vocab",
                                      "has an entry that is not a pair of text and score");
        if (!take_text(r, texts, (json_int_t)i, json_string_value(first),
                       json_string_length(first)))
            return false;
    }
    json_object_foreach((json_t *)vocab, text, id) {
        if (!take_text(r, texts, id_of(id), text, strlen(text)))
            return false;
    }
    for (size_t i = 0; i < json_array_size(added); i++) {
        const json_t *token = json_array_get(added, i),
                     *content = json_object_get(token, "content");
        if (json_string_length(content) == 0)
            return vocabulary_invalid(r, "added_tokens", "has a token without “content”");
        if (!take_text(r, texts, id_of(json_object_get(token, "id")), json_string_value(content),
                       json_string_length(content)))
            return false;
    }
    return true;
}

/* Write the bytes of a token and return their number. A token with a letter that stands for no byte
 * is copied unchanged. */
static size_t decode_bytes(char *out, const char *text, size_t size) {
    size_t used = 0, length;
    for (size_t at = 0; at < size; at += length) {
        int byte = vocabulary_byte(utf8_decode(text, size, at, &length));
        if (byte < 0) {
            memcpy(out, text, size);
            return size;
        }
        out[used++] = (char)byte;
    }
    return used;
}

static bool copy_texts(VocabularyReader *r, const Texts *texts) {
    Vocabulary *v = r->v;
    size_t used = 0;
    v->text = heap_get(texts->total + 1);
    v->starts = heap_get(((size_t)v->count + 1) * sizeof *v->starts);
    if (v->text == NULL || v->starts == NULL)
        return no_memory(r);
    for (int id = 0; id <= v->count; id++) {
        v->starts[id] = (uint32_t)used;
        size_t size = id < v->count ? texts->at[id].size : 0;
        if (v->is_bytes)
            used += decode_bytes(v->text + used, texts->at[id].bytes, size);
        else if (size > 0)
            memcpy(v->text + used, texts->at[id].bytes, size);
        used += v->is_bytes ? 0 : size;
    }
    return vocabulary_sort(v) || no_memory(r);
}

/* Compare tokens by their bytes. Of two ids with the same bytes the smaller one comes last, because
 * the search finds the last one. */
static int compare_added(const void *a, const void *b) {
    const AddedToken *left = a, *right = b;
    int order = vocabulary_compare(left->text, left->bytes, right->text, right->bytes);
    return order != 0 ? order : (left->id < right->id) - (left->id > right->id);
}

static bool begins_with(const AddedToken *token, const AddedToken *start) {
    return start->bytes <= token->bytes && memcmp(token->text, start->text, start->bytes) == 0;
}

/* Copy the text of an added token, normalised if it is found in the normalised text. */
static bool take_added_text(VocabularyReader *r, AddedToken *token, const json_t *content,
                            bool is_normal) {
    Flow flows[2] = {0};
    const Flow *flow = &flows[0];
    size_t size = json_string_length(content);
    if (size <= VOCABULARY_ADDED_MAX && is_normal)
        flow = vocabulary_normalise(flows, r->v, json_string_value(content), 0, size);
    else if (size <= VOCABULARY_ADDED_MAX)
        flow_start(&flows[0], json_string_value(content), 0, size);
    bool failed = flow->failed, fits = flow->size > 0 && flow->size <= VOCABULARY_ADDED_MAX;
    token->bytes = (uint32_t)flow->size;
    token->text = fits && !failed ? heap_copy(flow->text, flow->size) : NULL;
    flow_release(&flows[0]);
    flow_release(&flows[1]);
    if (!failed && !fits)
        return vocabulary_invalid(r, "added_tokens",
                                  "has a token that is too long, or that the normalizer removes");
    return token->text != NULL || no_memory(r);
}

static bool take_added_token(VocabularyReader *r, const json_t *object) {
    bool is_normal = vocabulary_flag(object, "normalized", false);
    AddedTokens *all = is_normal ? &r->v->normal : &r->v->raw;
    AddedToken *token = &all->at[all->count++];
    const json_t *content = json_object_get(object, "content");
    *token = (AddedToken){.id = (int)json_integer_value(json_object_get(object, "id")),
                          .takes_left = vocabulary_flag(object, "lstrip", false),
                          .takes_right = vocabulary_flag(object, "rstrip", false)};
    if (vocabulary_flag(object, "single_word", false))
        return vocabulary_refuse(r, "added_tokens: single_word of", json_string_value(content));
    if (!take_added_text(r, token, content, is_normal))
        return false;
    all->begins[(unsigned char)token->text[0]] = true;
    return true;
}

static void sort_added(AddedTokens *all) {
    qsort(all->at, (size_t)all->count, sizeof *all->at, compare_added);
    for (int i = 0; i < all->count; i++) {
        AddedToken *token = &all->at[i];
        token->start = i - 1;
        while (token->start >= 0 && !begins_with(token, &all->at[token->start]))
            token->start = all->at[token->start].start;
    }
}

static bool take_added(VocabularyReader *r, const json_t *added) {
    Vocabulary *v = r->v;
    size_t count = json_array_size(added);
    if (count > ADDED_MAX)
        return vocabulary_invalid(r, "added_tokens", "has too many tokens");
    v->raw.at = heap_get((count + 1) * sizeof *v->raw.at);
    v->normal.at = heap_get((count + 1) * sizeof *v->normal.at);
    if (v->raw.at == NULL || v->normal.at == NULL)
        return no_memory(r);
    for (size_t i = 0; i < count; i++)
        if (!take_added_token(r, json_array_get(added, i)))
            return false;
    sort_added(&v->raw);
    sort_added(&v->normal);
    return true;
}

static bool take_end(VocabularyReader *r, bool after, const json_t *id) {
    Vocabulary *v = r->v;
    int *count = after ? &v->after_count : &v->before_count;
    json_int_t number = id_of(id);
    if (number < 0 || number >= v->count || *count == VOCABULARY_ENDS_MAX)
        return vocabulary_invalid(
            r, "post_processor",
            "has a token that is not in the vocabulary, or has too many tokens");
    (after ? v->after : v->before)[(*count)++] = (int)number;
    return true;
}

/* Read a template for one text: special tokens before and after it. */
static bool take_template(VocabularyReader *r, const json_t *step) {
    const json_t *single = json_object_get(step, "single");
    const json_t *tokens = json_object_get(step, "special_tokens");
    bool after = false, taken = true;
    for (size_t i = 0; i < json_array_size(single) && taken; i++) {
        const json_t *part = json_array_get(single, i);
        const json_t *special = json_object_get(part, "SpecialToken");
        const char *name = json_string_value(json_object_get(special, "id"));
        const json_t *ids =
            name != NULL ? json_object_get(json_object_get(tokens, name), "ids") : NULL;
        if (special != NULL && json_array_size(ids) == 0)
            return vocabulary_invalid(r, "post_processor", "has a special token without ids");
        for (size_t k = 0; k < json_array_size(ids) && taken; k++)
            taken = take_end(r, after, json_array_get(ids, k));
        after = after || json_object_get(part, "Sequence") != NULL;
    }
    return taken;
}

/* Read the post-processor: the tokens around each text. depth counts nested Sequences. */
static bool take_ends(VocabularyReader *r, const json_t *step, int depth) {
    const char *type = json_string_value(json_object_get(step, "type"));
    if (step == NULL || json_is_null(step) || (type != NULL && strcmp(type, "ByteLevel") == 0))
        return true;
    if (type != NULL && strcmp(type, "TemplateProcessing") == 0)
        return take_template(r, step);
    if (type != NULL &&
        (strcmp(type, "BertProcessing") == 0 || strcmp(type, "RobertaProcessing") == 0))
        return take_end(r, false, json_array_get(json_object_get(step, "cls"), 1)) &&
               take_end(r, true, json_array_get(json_object_get(step, "sep"), 1));
    const json_t *steps = json_object_get(step, "processors");
    bool taken = type != NULL && strcmp(type, "Sequence") == 0 && depth < 4;
    if (!taken)
        return vocabulary_refuse(r, "post_processor", type != NULL ? type : "without a type");
    for (size_t i = 0; i < json_array_size(steps) && taken; i++)
        taken = take_ends(r, json_array_get(steps, i), depth + 1);
    return taken;
}

/* Functions that read the file's model, in the order of VOCABULARY_MODELS. */
static bool (*const TAKE_MODEL[])(VocabularyReader *r, const json_t *model) = {
    vocabulary_take_bpe, vocabulary_take_wordpiece, vocabulary_take_unigram};

static bool take_model(VocabularyReader *r, const json_t *model) {
    const char *type = json_string_value(json_object_get(model, "type"));
    if (type == NULL && json_object_get(model, "merges") != NULL)
        type = "BPE";
    if (type == NULL)
        return vocabulary_invalid(r, "model", "has no type");
    int row = registry_find(&VOCABULARY_MODEL_REGISTRY, type, strlen(type));
    if (row < 0)
        return vocabulary_refuse(r, "model", type);
    r->v->model = &VOCABULARY_MODELS[row];
    return TAKE_MODEL[row](r, model);
}

static bool take_all(VocabularyReader *r) {
    const json_t *model = json_object_get(r->root, "model");
    const json_t *added = json_object_get(r->root, "added_tokens");
    Texts texts = {.at = heap_get_zero(VOCABULARY_MAX, sizeof *texts.at)};
    bool taken = texts.at != NULL || no_memory(r);
    taken = taken && vocabulary_take_steps(r) &&
            take_texts(r, &texts, json_object_get(model, "vocab"), added) && copy_texts(r, &texts);
    free(texts.at);
    return taken && take_added(r, added) && take_model(r, model) &&
           take_ends(r, json_object_get(r->root, "post_processor"), 0);
}

Vocabulary *vocabulary_read(const char *text, size_t size, Err *err) {
    json_error_t error;
    Err why = {0};
    VocabularyReader r = {.v = heap_get_zero(1, sizeof *r.v), .err = &why};
    if (r.v == NULL) {
        no_memory(&(VocabularyReader){.err = err});
        return NULL;
    }
    json_t *root = json_read_most(text, size, VOCABULARY_FILE_VALUES, &error);
    r.root = root;
    bool taken =
        root != NULL ? take_all(&r) : vocabulary_invalid(&r, "it cannot be read:", error.text);
    json_decref(root);
    if (taken || strcmp(why.what, VOCABULARY_FILE) == 0) {
        if (!taken) {
            r.v->count = 0; /* no tokens: texts may be missing */
            snprintf(r.v->why, sizeof r.v->why, "%.100s: %.290s", why.what, why.why);
        }
        return r.v;
    }
    *err = why;
    vocabulary_release(r.v);
    return NULL;
}
