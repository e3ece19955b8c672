#include <string.h>
#include <utf8proc.h>

#include "base/util.h"
#include "io/vocabulary_read.h"

#define DEPTH_MAX 4 /* of Sequence in Sequence */

typedef struct StepRow {
    const char *stage, *type;
    bool (*take)(VocabularyReader *r, const json_t *step);
    int form; /* for take_form */
} StepRow;

static bool push(VocabularyReader *r, VocabularyStep step) {
    Vocabulary *v = r->v;
    if (v->step_count == VOCABULARY_STEPS_MAX || v->is_bytes)
        return vocabulary_refuse(r, "pre_tokenizer",
                                 "has too many steps, or steps after ByteLevel");
    v->steps[v->step_count++] = step;
    return true;
}

/* Patterns as they stand in the files. Llama 3's is also that of Qwen, but for the digits. */
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

static bool take_byte_level(VocabularyReader *r, const json_t *step) {
    bool taken = true;
    if (vocabulary_flag(step, "add_prefix_space", true))
        taken = push(r, (VocabularyStep){.run = step_lead});
    if (vocabulary_flag(step, "use_regex", true))
        taken = taken && push(r, (VocabularyStep){.run = step_pattern});
    if (r->v->is_bytes)
        return vocabulary_refuse(r, "pre_tokenizer", "ByteLevel twice");
    r->v->is_bytes = true;
    return taken;
}

static bool take_split(VocabularyReader *r, const json_t *step) {
    const char *regex =
        json_string_value(json_object_get(json_object_get(step, "pattern"), "Regex"));
    const char *behavior = json_string_value(json_object_get(step, "behavior"));
    for (size_t i = 0; i < ARRAY_COUNT(PATTERNS) && regex != NULL; i++)
        if (strcmp(regex, PATTERNS[i].regex) == 0 && behavior != NULL &&
            strcmp(behavior, "Isolated") == 0 && !vocabulary_flag(step, "invert", false))
            return push(r, (VocabularyStep){.run = step_pattern, .pattern = PATTERNS[i].pattern});
    return vocabulary_refuse(r, "pre_tokenizer: Split by", regex != NULL ? regex : "a text");
}

static bool take_digits(VocabularyReader *r, const json_t *step) {
    bool each = vocabulary_flag(step, "individual_digits", false);
    return push(r, (VocabularyStep){.run = each ? step_each_digit : step_digits});
}

#define NORMALIZER "normalizer"
#define CUTTER     "pre_tokenizer"
static const StepRow ROWS[] = {
    {NORMALIZER, "NFC", NULL, UTF8PROC_STABLE | UTF8PROC_COMPOSE},
    {NORMALIZER, "NFD", NULL, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE},
    {NORMALIZER, "NFKC", NULL, UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT},
    {NORMALIZER, "NFKD", NULL, UTF8PROC_STABLE | UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT},
    {CUTTER, "ByteLevel", take_byte_level, 0},
    {CUTTER, "Split", take_split, 0},
    {CUTTER, "Digits", take_digits, 0},
};

static bool take_step(VocabularyReader *r, const char *stage, const json_t *step) {
    const char *type = json_string_value(json_object_get(step, "type"));
    for (size_t i = 0; i < ARRAY_COUNT(ROWS) && type != NULL; i++)
        if (strcmp(ROWS[i].stage, stage) == 0 && strcmp(ROWS[i].type, type) == 0)
            return ROWS[i].take != NULL
                       ? ROWS[i].take(r, step)
                       : push(r, (VocabularyStep){.run = step_form, .form = ROWS[i].form});
    return vocabulary_refuse(r, stage, type != NULL ? type : "without a type");
}

/* Take a step, or those of a Sequence, which `list` of its fields has. */
static bool take_stage(VocabularyReader *r, const char *stage, const json_t *step, const char *list,
                       int depth) {
    const char *type = json_string_value(json_object_get(step, "type"));
    if (step == NULL || json_is_null(step))
        return true;
    if (type == NULL || strcmp(type, "Sequence") != 0)
        return take_step(r, stage, step);
    const json_t *steps = json_object_get(step, list);
    bool taken = depth < DEPTH_MAX || vocabulary_refuse(r, stage, "Sequence inside Sequence");
    for (size_t i = 0; i < json_array_size(steps) && taken; i++)
        taken = take_stage(r, stage, json_array_get(steps, i), list, depth + 1);
    return taken;
}

bool vocabulary_take_steps(VocabularyReader *r) {
    return take_stage(r, NORMALIZER, json_object_get(r->root, NORMALIZER), "normalizers", 0) &&
           take_stage(r, CUTTER, json_object_get(r->root, CUTTER), "pretokenizers", 0);
}
