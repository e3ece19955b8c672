#include "base/option.h"

#include <assert.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

const OptionRow *option_find(const OptionTable *table, const char *key, size_t key_bytes) {
    const Registry rows = {"", "", table->rows, sizeof *table->rows, table->count};
    int found = registry_find(&rows, key, key_bytes);
    return found >= 0 ? &table->rows[found] : NULL;
}

void option_set_standard(void *target, const OptionTable *table) {
    for (int i = 0; i < table->count; i++) {
        Err err;
        const OptionRow *row = &table->rows[i];
        bool valid = option_set(target, row, row->standard, strlen(row->standard), &err);
        assert(valid);
        (void)valid;
    }
}

/* A text that is parsed as the value of a row. */
typedef struct Given {
    const OptionRow *row;
    const char *text;
    size_t bytes;
    Err *err;
} Given;

/* Fail with a message about "--key value", with the value cut to 48 bytes. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static bool
refuse(const Given *given, const char *format, ...) {
    char what[128], why[sizeof given->err->why], shown[49];
    size_t repairs,
        used = utf8_repair(shown, sizeof shown - 1, given->text, given->bytes, &repairs);
    snprintf(what, sizeof what, "--%s %.*s%s", given->row->entry.id, (int)used, shown,
             given->bytes > 48 ? "…" : "");
    va_list list;
    va_start(list, format);
    vsnprintf(why, sizeof why, format, list);
    va_end(list);
    return err_usage(given->err, what, "%s", why);
}

static bool is_word(const Given *given, const char *word) {
    return word != NULL && strlen(word) == given->bytes &&
           memcmp(word, given->text, given->bytes) == 0;
}

static bool in_range(const OptionRow *row, double value) {
    return value >= row->least && value <= row->most;
}

/* Write an end of the row's range for a message. A whole number gets no exponent. */
static const char *limit(char out[32], const OptionRow *row, double end) {
    if (row->kind == OPTION_REAL)
        number_format_exact(out, 32, (float)end);
    else
        snprintf(out, 32, "%lld", (long long)end);
    return out;
}

static bool out_of_range(const Given *given, const char *wanted) {
    char least[32], most[32];
    const OptionRow *row = given->row;
    return refuse(given, "must be %s from %s to %s", wanted, limit(least, row, row->least),
                  limit(most, row, row->most));
}

int option_numbered_choice(const OptionRow *row) {
    if (row->numbered == NULL)
        return -1;
    const char *mark = strchr(row->numbered, ':');
    assert(mark != NULL);
    return registry_find(row->choices, row->numbered, (size_t)(mark - row->numbered));
}

const char *option_choice_text(const OptionRow *row, int choice) {
    return choice == option_numbered_choice(row) ? row->numbered
                                                 : registry_entry(row->choices, choice)->id;
}

static bool set_choice(int *out, const Given *given) {
    const OptionRow *row = given->row;
    int found = registry_find(row->choices, given->text, given->bytes);
    if (found < 0) {
        char ids[320];
        registry_ids(row->choices, ids, sizeof ids);
        return refuse(given, "unknown %s; choose one of: %s%s%s", row->choices->noun, ids,
                      row->absent ? ", " : "", row->absent ? row->absent : "");
    }
    *out = found;
    return true;
}

/* Parse the value of a numbered row: a choice or, as in "window:2", a choice with its number. */
static bool set_numbered(OptionChoice *out, const Given *given) {
    const OptionRow *row = given->row;
    const char *mark = memchr(given->text, ':', given->bytes);
    size_t id = mark != NULL ? (size_t)(mark - given->text) : given->bytes;
    OptionChoice choice = {registry_find(row->choices, given->text, id), 0};
    long long number;
    if (choice.row == option_numbered_choice(row)) {
        if (mark == NULL || !number_parse_int(&number, mark + 1, given->bytes - id - 1) ||
            !in_range(row, (double)number))
            return refuse(given, "needs a whole number from %d to %d, as in %s", (int)row->least,
                          (int)row->most, row->numbered);
        choice.number = (int)number;
    } else if (choice.row >= 0 && mark != NULL) {
        return refuse(given, "%s takes no number; remove it",
                      registry_entry(row->choices, choice.row)->id);
    } else if (!set_choice(&choice.row, given)) {
        return false;
    }
    *out = choice;
    return true;
}

static bool set_pair(OptionPair *out, const Given *given) {
    bool is_size = given->row->kind == OPTION_SIZE;
    const char *split = memchr(given->text, is_size ? 'x' : ',', given->bytes);
    size_t before = split != NULL ? (size_t)(split - given->text) : 0;
    long long first, second;
    if (split == NULL || !number_parse_int(&first, given->text, before) ||
        !number_parse_int(&second, split + 1, given->bytes - before - 1) ||
        !in_range(given->row, (double)first) || !in_range(given->row, (double)second))
        return out_of_range(given, is_size ? "WIDTHxHEIGHT, each" : "QUERY,KEY, each");
    *out = (OptionPair){(int)first, (int)second};
    return true;
}

static bool set_list(OptionList *out, const Given *given) {
    const OptionRow *row = given->row;
    OptionList list = {0};
    bool more = true;
    for (size_t at = 0; more && list.count < OPTION_LIST_MAX; list.count++) {
        const char *comma = memchr(given->text + at, ',', given->bytes - at);
        size_t end = comma != NULL ? (size_t)(comma - given->text) : given->bytes;
        const Given item = {row, given->text + at, end - at, given->err};
        list.rows[list.count] = -1;
        if (!is_word(&item, row->absent) && !set_choice(&list.rows[list.count], &item))
            return false;
        more = comma != NULL;
        at = end + 1;
    }
    if (more || !in_range(row, list.count))
        return refuse(given, "must be a list of %d to %d items, separated by commas",
                      (int)row->least, (int)row->most);
    *out = list;
    return true;
}

static bool set_line(char *out, const Given *given) {
    const char *text = given->text;
    size_t bytes = given->bytes;
    for (; bytes > 0 && text[0] == ' '; text++)
        bytes--;
    while (bytes > 0 && text[bytes - 1] == ' ')
        bytes--;
    bool is_line = utf8_first_invalid(text, bytes) == bytes;
    for (size_t i = 0; i < bytes; i++)
        is_line = is_line && (unsigned char)text[i] >= ' ';
    if (!is_line)
        return refuse(given, "must be one line of UTF-8 without control characters");
    if (bytes >= OPTION_TEXT_MAX)
        return refuse(given, "is %zu bytes long; the maximum is %d", bytes, OPTION_TEXT_MAX - 1);
    memset(out, 0, OPTION_TEXT_MAX);
    memcpy(out, text, bytes);
    return true;
}

static size_t value_bytes(const OptionRow *row) {
    static const size_t bytes[] = {
        [OPTION_CHOICE] = sizeof(int),      [OPTION_INT] = sizeof(int),
        [OPTION_SEED] = sizeof(uint64_t),   [OPTION_REAL] = sizeof(float),
        [OPTION_SIZE] = sizeof(OptionPair), [OPTION_CELL] = sizeof(OptionPair),
        [OPTION_LIST] = sizeof(OptionList), [OPTION_LINE] = OPTION_TEXT_MAX};
    return row->numbered != NULL ? sizeof(OptionChoice) : bytes[row->kind];
}

static bool set_absent(void *at, const OptionRow *row) {
    memset(at, 0, value_bytes(row));
    if (row->kind == OPTION_CHOICE)
        *(int *)at = -1;
    if (row->kind == OPTION_LIST)
        *(OptionList *)at = (OptionList){1, {-1}};
    return true;
}

bool option_set(void *target, const OptionRow *row, const char *text, size_t bytes, Err *err) {
    void *at = option_at(target, row);
    const Given given = {row, text, bytes, err};
    long long whole;
    double real;
    if (is_word(&given, row->absent))
        return set_absent(at, row);
    switch (row->kind) {
    case OPTION_CHOICE:
        return row->numbered != NULL ? set_numbered(at, &given) : set_choice(at, &given);
    case OPTION_INT:
        if (!number_parse_int(&whole, text, bytes) || !in_range(row, (double)whole))
            return out_of_range(&given, "a whole number");
        *(int *)at = (int)whole;
        return true;
    case OPTION_SEED:
        return number_parse_u64(at, text, bytes) ||
               refuse(&given, "must be a whole number from 0 to 18446744073709551615");
    case OPTION_REAL:
        if (!number_parse_real(&real, text, bytes) || !in_range(row, real))
            return out_of_range(&given, "a number");
        *(float *)at = (float)real;
        return true;
    case OPTION_SIZE:
    case OPTION_CELL:
        return set_pair(at, &given);
    case OPTION_LIST:
        return set_list(at, &given);
    case OPTION_LINE:
        return set_line(at, &given);
    }
    assert(false);
    return false;
}

static const char *choice_id(const OptionRow *row, int choice) {
    return choice < 0 ? row->absent : registry_entry(row->choices, choice)->id;
}

void option_get(char out[OPTION_TEXT_MAX], const OptionRow *row, const void *target) {
    const void *at = (const char *)target + row->offset;
    const OptionChoice *choice = at;
    const OptionPair *pair = at;
    const OptionList *list = at;
    static const unsigned char zeros[sizeof(OptionPair)];
    size_t used = 0;
    bool is_number = row->choices == NULL && row->kind != OPTION_LINE;
    if (row->absent != NULL && is_number && memcmp(at, zeros, value_bytes(row)) == 0) {
        snprintf(out, OPTION_TEXT_MAX, "%s", row->absent);
        return;
    }
    switch (row->kind) {
    case OPTION_CHOICE:
        used = (size_t)snprintf(out, OPTION_TEXT_MAX, "%s", choice_id(row, choice->row));
        if (row->numbered != NULL && choice->row == option_numbered_choice(row))
            snprintf(out + used, OPTION_TEXT_MAX - used, ":%d", choice->number);
        break;
    case OPTION_INT:
        snprintf(out, OPTION_TEXT_MAX, "%d", *(const int *)at);
        break;
    case OPTION_SEED:
        snprintf(out, OPTION_TEXT_MAX, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case OPTION_REAL:
        number_format_exact(out, OPTION_TEXT_MAX, *(const float *)at);
        break;
    case OPTION_SIZE:
    case OPTION_CELL:
        snprintf(out, OPTION_TEXT_MAX, "%d%c%d", pair->first, row->kind == OPTION_SIZE ? 'x' : ',',
                 pair->second);
        break;
    case OPTION_LIST:
        for (int i = 0; i < list->count && used < OPTION_TEXT_MAX; i++)
            used += (size_t)snprintf(out + used, OPTION_TEXT_MAX - used, "%s%s", i > 0 ? "," : "",
                                     choice_id(row, list->rows[i]));
        assert(used < OPTION_TEXT_MAX);
        break;
    case OPTION_LINE:
        memcpy(out, at, OPTION_TEXT_MAX);
        break;
    }
}

bool option_list_equal(const OptionList *a, const OptionList *b) {
    return a->count == b->count &&
           memcmp(a->rows, b->rows, (size_t)a->count * sizeof a->rows[0]) == 0;
}

bool option_pair_equal(const OptionPair *a, const OptionPair *b) {
    return a->first == b->first && a->second == b->second;
}

bool option_value_equal(const OptionRow *row, const void *a, const void *b) {
    const void *left = (const char *)a + row->offset, *right = (const char *)b + row->offset;
    if (row->kind == OPTION_LIST)
        return option_list_equal(left, right);
    return row->kind == OPTION_LINE ? strcmp(left, right) == 0
                                    : memcmp(left, right, value_bytes(row)) == 0;
}

bool option_values_equal(const OptionTable *table, const void *a, const void *b) {
    for (int i = 0; i < table->count; i++)
        if (!option_value_equal(&table->rows[i], a, b))
            return false;
    return true;
}

bool option_is_standard(const OptionRow *row, const void *target) {
    char text[OPTION_TEXT_MAX];
    const int *at = (const void *)((const char *)target + row->offset);
    if (row->kind == OPTION_CHOICE && row->numbered == NULL &&
        *at >= 0) /* compare ids directly, which is faster than option_get */
        return strcmp(registry_entry(row->choices, *at)->id, row->standard) == 0;
    option_get(text, row, target);
    return strcmp(text, row->standard) == 0;
}
