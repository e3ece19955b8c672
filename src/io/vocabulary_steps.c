#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "base/heap.h"
#include "base/util.h"
#include "io/vocabulary_file.h"

#define DEPTH_MAX 4 /* limit of levels of nested Sequences */
#define COMPOSED  (UTF8PROC_STABLE | UTF8PROC_COMPOSE)
#define APART     (UTF8PROC_STABLE | UTF8PROC_DECOMPOSE)

typedef struct StepRow {
    const char *stage, *type;
    bool (*take)(VocabularyReader *r, const json_t *object); /* NULL: append `step` */
    VocabularyStep step;
} StepRow;

static bool push(VocabularyReader *r, VocabularyStep step) {
    Vocabulary *v = r->v;
    if (v->step_count == VOCABULARY_STEPS_MAX || v->is_bytes)
        return vocabulary_invalid(r, "pre_tokenizer",
                                  "has too many steps, or steps after ByteLevel");
    v->steps[v->step_count++] = step;
    return true;
}

static bool set(char out[STEP_TEXT_MAX], size_t *bytes, const json_t *text) {
    *bytes = json_string_length(text);
    if (!json_is_string(text) || *bytes > STEP_TEXT_MAX)
        return false;
    memcpy(out, json_string_value(text), *bytes);
    return true;
}

/* The regular expressions that occur in files, and the built-in patterns that are equivalent to
 * them. */
static const struct {
    const char *regex;
    PiecePattern pattern;
} PATTERNS[] = {
    {"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", {0}},
    {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
     "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     {.leads = true, .digits = 3}},
    {"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}"
     "| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+",
     {.leads = true, .digits = 1}},
};

static const VocabularyStep LEAD = {
    .run = step_lead, .from = " ", .from_bytes = 1, .to = " ", .to_bytes = 1};

static bool take_byte_level(VocabularyReader *r, const json_t *object) {
    bool taken = !vocabulary_flag(object, "add_prefix_space", true) || push(r, LEAD);
    if (vocabulary_flag(object, "use_regex", true))
        taken = taken && push(r, (VocabularyStep){.run = step_pattern});
    if (r->v->is_bytes)
        return vocabulary_invalid(r, "pre_tokenizer", "has ByteLevel twice");
    r->v->is_bytes = true;
    return taken;
}

static bool take_split(VocabularyReader *r, const json_t *object) {
    const json_t *pattern = json_object_get(object, "pattern");
    const char *regex = json_string_value(json_object_get(pattern, "Regex"));
    const char *way = json_string_value(json_object_get(object, "behavior"));
    VocabularyStep step = {.run = step_cut_at, .right = true};
    bool plain = way != NULL && !vocabulary_flag(object, "invert", false);
    for (size_t i = 0; i < ARRAY_COUNT(PATTERNS) && regex != NULL && plain; i++)
        if (strcmp(regex, PATTERNS[i].regex) == 0 && strcmp(way, "Isolated") == 0)
            return push(r, (VocabularyStep){.run = step_pattern, .pattern = PATTERNS[i].pattern});
    if (plain && strcmp(way, "MergedWithPrevious") == 0 &&
        set(step.from, &step.from_bytes, json_object_get(pattern, "String")))
        return push(r, step);
    return vocabulary_refuse(r, "pre_tokenizer: Split by", regex != NULL ? regex : "a text");
}

static bool take_digits(VocabularyReader *r, const json_t *object) {
    bool each = vocabulary_flag(object, "individual_digits", false);
    return push(r, (VocabularyStep){.run = step_cut, .cut = each ? cut_each_digit : cut_digits});
}

static bool take_punctuation(VocabularyReader *r, const json_t *object) {
    const char *way = json_string_value(json_object_get(object, "behavior"));
    return way == NULL || strcmp(way, "Isolated") == 0
               ? push(r, (VocabularyStep){.run = step_cut, .cut = cut_punctuation})
               : vocabulary_refuse(r, "pre_tokenizer: Punctuation", way);
}

static bool take_bert(VocabularyReader *r, const json_t *object) {
    bool lower = vocabulary_flag(object, "lowercase", true), taken = true;
    if (vocabulary_flag(object, "clean_text", true))
        taken = push(r, (VocabularyStep){.run = step_map, .map = map_clean});
    if (vocabulary_flag(object, "handle_chinese_chars", true))
        taken = taken && push(r, (VocabularyStep){.run = step_map, .map = map_han});
    if (vocabulary_flag(object, "strip_accents", lower))
        taken = taken && push(r, (VocabularyStep){.run = step_form, .form = APART}) &&
                push(r, (VocabularyStep){.run = step_map, .map = map_marks});
    return taken && (!lower || push(r, (VocabularyStep){.run = step_map, .map = map_lower}));
}

static bool take_replace(VocabularyReader *r, const json_t *object) {
    const json_t *pattern = json_object_get(object, "pattern");
    const json_t *text = json_object_get(pattern, "String");
    const char *regex = json_string_value(json_object_get(pattern, "Regex"));
    VocabularyStep step = {.run = step_replace, .from = " ", .from_bytes = 1, .left = text == NULL};
    bool known = text != NULL ? set(step.from, &step.from_bytes, text)
                              : regex != NULL && strcmp(regex, " {2,}") == 0;
    if (!known || !set(step.to, &step.to_bytes, json_object_get(object, "content")))
        return vocabulary_refuse(r, "normalizer: Replace", regex != NULL ? regex : "a text");
    return push(r, step);
}

static bool take_prepend(VocabularyReader *r, const json_t *object) {
    VocabularyStep step = {.run = step_lead};
    return set(step.to, &step.to_bytes, json_object_get(object, "prepend"))
               ? push(r, step)
               : vocabulary_refuse(r, "normalizer", "Prepend");
}

static bool take_strip(VocabularyReader *r, const json_t *object) {
    return push(r, (VocabularyStep){.run = step_strip,
                                    .left = vocabulary_flag(object, "strip_left", true),
                                    .right = vocabulary_flag(object, "strip_right", true)});
}

static bool take_metaspace(VocabularyReader *r, const json_t *object) {
    const char *scheme = json_string_value(json_object_get(object, "prepend_scheme"));
    VocabularyStep swap = {.run = step_replace, .from = " ", .from_bytes = 1};
    if (!set(swap.to, &swap.to_bytes, json_object_get(object, "replacement")))
        return vocabulary_refuse(r, "pre_tokenizer", "Metaspace");
    VocabularyStep lead = swap,
                   cut = {.run = step_cut_at, .from_bytes = swap.to_bytes, .left = true};
    memcpy(cut.from, swap.to, swap.to_bytes);
    memcpy(lead.from, swap.to, swap.to_bytes);
    lead.run = step_lead;
    lead.from_bytes = swap.to_bytes;
    lead.only_first = scheme != NULL && strcmp(scheme, "first") == 0;
    bool leads = scheme != NULL ? strcmp(scheme, "never") != 0
                                : vocabulary_flag(object, "add_prefix_space", true);
    return push(r, swap) && (!leads || push(r, lead)) &&
           (!vocabulary_flag(object, "split", true) || push(r, cut));
}

static int value_of(char c) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(letters, c) : NULL;
    return at != NULL ? (int)(at - letters) : -1;
}

/* Decode base64 into out and return the number of bytes; 0 if text is invalid. */
static size_t decode_base64(unsigned char *out, const char *text) {
    size_t used = 0, digits = 0;
    uint32_t bits = 0;
    for (; value_of(text[digits]) >= 0; digits++) {
        bits = bits << 6 | (uint32_t)value_of(text[digits]);
        if (digits % 4 != 0)
            out[used++] = (unsigned char)(bits >> (6 - 2 * (digits % 4)));
    }
    return text[digits + strspn(text + digits, "=")] == '\0' ? used : 0;
}

static bool take_precompiled(VocabularyReader *r, const json_t *object) {
    const json_t *text = json_object_get(object, "precompiled_charsmap");
    Vocabulary *v = r->v;
    unsigned char *bytes = heap_get(json_string_length(text) + 1);
    if (bytes == NULL)
        return err_fail(r->err, "memory", "too little to read " VOCABULARY_FILE);
    size_t size = json_is_string(text) ? decode_base64(bytes, json_string_value(text)) : 0;
    if (v->charsmap.bytes == NULL && charsmap_take(&v->charsmap, bytes, size))
        return push(r, (VocabularyStep){.run = step_charsmap, .charsmap = &v->charsmap});
    if (v->charsmap.bytes != bytes)
        free(bytes);
    return vocabulary_refuse(r, "normalizer", "Precompiled");
}

#define NORMALIZER "normalizer"
#define CUTTER     "pre_tokenizer"
static const StepRow ROWS[] = {
    {NORMALIZER, "NFC", NULL, {.run = step_form, .form = COMPOSED}},
    {NORMALIZER, "NFD", NULL, {.run = step_form, .form = APART}},
    {NORMALIZER, "NFKC", NULL, {.run = step_form, .form = COMPOSED | UTF8PROC_COMPAT}},
    {NORMALIZER, "NFKD", NULL, {.run = step_form, .form = APART | UTF8PROC_COMPAT}},
    {NORMALIZER, "Lowercase", NULL, {.run = step_map, .map = map_lower}},
    {NORMALIZER, "StripAccents", NULL, {.run = step_map, .map = map_all_marks}},
    {NORMALIZER, "BertNormalizer", take_bert, {0}},
    {NORMALIZER, "Replace", take_replace, {0}},
    {NORMALIZER, "Prepend", take_prepend, {0}},
    {NORMALIZER, "Strip", take_strip, {0}},
    {NORMALIZER, "Precompiled", take_precompiled, {0}},
    {CUTTER, "ByteLevel", take_byte_level, {0}},
    {CUTTER, "Split", take_split, {0}},
    {CUTTER, "Digits", take_digits, {0}},
    {CUTTER, "Punctuation", take_punctuation, {0}},
    {CUTTER, "BertPreTokenizer", NULL, {.run = step_cut, .cut = cut_bert}},
    {CUTTER, "Whitespace", NULL, {.run = step_cut, .cut = cut_words}},
    {CUTTER, "WhitespaceSplit", NULL, {.run = step_cut, .cut = cut_blanks}},
    {CUTTER, "Metaspace", take_metaspace, {0}},
};

static bool take_step(VocabularyReader *r, const char *stage, const json_t *object) {
    const char *type = json_string_value(json_object_get(object, "type"));
    for (size_t i = 0; i < ARRAY_COUNT(ROWS) && type != NULL; i++)
        if (strcmp(ROWS[i].stage, stage) == 0 && strcmp(ROWS[i].type, type) == 0)
            return ROWS[i].take != NULL ? ROWS[i].take(r, object) : push(r, ROWS[i].step);
    return vocabulary_refuse(r, stage, type != NULL ? type : "without a type");
}

/* Read a step, or the steps of a Sequence, which are in its field `list`. */
static bool take_stage(VocabularyReader *r, const char *stage, const json_t *object,
                       const char *list, int depth) {
    const char *type = json_string_value(json_object_get(object, "type"));
    if (object == NULL || json_is_null(object))
        return true;
    if (type == NULL || strcmp(type, "Sequence") != 0)
        return take_step(r, stage, object);
    const json_t *steps = json_object_get(object, list);
    bool taken = depth < DEPTH_MAX ||
                 vocabulary_invalid(r, stage, "has too many Sequences inside each other");
    for (size_t i = 0; i < json_array_size(steps) && taken; i++)
        taken = take_stage(r, stage, json_array_get(steps, i), list, depth + 1);
    return taken;
}

bool vocabulary_take_steps(VocabularyReader *r) {
    bool taken = take_stage(r, NORMALIZER, json_object_get(r->root, NORMALIZER), "normalizers", 0);
    r->v->normal_count = r->v->step_count;
    return taken && take_stage(r, CUTTER, json_object_get(r->root, CUTTER), "pretokenizers", 0);
}
