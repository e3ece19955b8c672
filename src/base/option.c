#include "base/option.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"

const OptionRow *option_find(const OptionTable *table, const char *key, size_t key_bytes) {
    for (int i = 0; i < table->count; i++) {
        const char *id = table->rows[i].entry.id;
        if (strlen(id) == key_bytes && memcmp(id, key, key_bytes) == 0)
            return &table->rows[i];
    }
    return NULL;
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

/* Write "--key value" for an error message, with the value cut to 48 bytes. */
static void option_name(char out[128], const OptionRow *row, const char *text, size_t bytes) {
    char shown[49];
    size_t repairs, used = utf8_repair(shown, sizeof shown - 1, text, bytes, &repairs);
    snprintf(out, 128, "--%s %.*s%s", row->entry.id, (int)used, shown, bytes > 48 ? "…" : "");
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

static bool option_set_choice(int *out, const OptionRow *row, const char *text, size_t bytes,
                              Err *err) {
    int found = registry_find(row->choices, text, bytes);
    if (found < 0) {
        char name[128], ids[320];
        option_name(name, row, text, bytes);
        registry_ids(row->choices, ids, sizeof ids);
        return err_usage(err, name, "unknown %s; choose one of: %s%s%s", row->choices->noun, ids,
                         row->absent ? ", " : "", row->absent ? row->absent : "");
    }
    *out = found;
    return true;
}

/* Parse text[0..bytes), the part of a choice after its id: a colon and a number in range. */
static bool choice_number(int *out, const OptionRow *row, const char *text, size_t bytes) {
    long long value;
    if (bytes == 0 || text[0] != ':' || !number_parse_int(&value, text + 1, bytes - 1) ||
        (double)value < row->least || (double)value > row->most)
        return false;
    *out = (int)value;
    return true;
}

static bool option_set_numbered(OptionChoice *out, const OptionRow *row, const char *text,
                                size_t bytes, Err *err) {
    char name[128];
    const char *mark = memchr(text, ':', bytes);
    size_t id_bytes = mark != NULL ? (size_t)(mark - text) : bytes;
    int found = registry_find(row->choices, text, id_bytes), number;
    if (found == option_numbered_choice(row)) {
        if (choice_number(&number, row, text + id_bytes, bytes - id_bytes)) {
            *out = (OptionChoice){found, number};
            return true;
        }
        option_name(name, row, text, bytes);
        return err_usage(err, name, "needs a whole number from %d to %d, as in %s", (int)row->least,
                         (int)row->most, row->numbered);
    }
    if (found >= 0 && mark != NULL) {
        option_name(name, row, text, bytes);
        return err_usage(err, name, "%s takes no number; remove it",
                         registry_entry(row->choices, found)->id);
    }
    OptionChoice choice = {0, 0};
    if (!option_set_choice(&choice.row, row, text, bytes, err))
        return false;
    *out = choice;
    return true;
}

/* Write an end of the range; a whole number is written in full. */
static void end_text(char *out, size_t capacity, const OptionRow *row, double end) {
    if (row->kind == OPTION_REAL)
        number_format_exact(out, capacity, (float)end);
    else
        snprintf(out, capacity, "%lld", (long long)end);
}

static bool out_of_range(const OptionRow *row, const char *text, size_t bytes, const char *wanted,
                         Err *err) {
    char name[128], least[32], most[32];
    option_name(name, row, text, bytes);
    end_text(least, sizeof least, row, row->least);
    end_text(most, sizeof most, row, row->most);
    return err_usage(err, name, "must be %s from %s to %s", wanted, least, most);
}

static bool option_set_int(int *out, const OptionRow *row, const char *text, size_t bytes,
                           Err *err) {
    long long value;
    if (!number_parse_int(&value, text, bytes) || (double)value < row->least ||
        (double)value > row->most)
        return out_of_range(row, text, bytes, "a whole number", err);
    *out = (int)value;
    return true;
}

static bool option_set_real(float *out, const OptionRow *row, const char *text, size_t bytes,
                            Err *err) {
    double value;
    if (!number_parse_real(&value, text, bytes) || value < row->least || value > row->most)
        return out_of_range(row, text, bytes, "a number", err);
    *out = (float)value;
    return true;
}

static bool option_set_seed(uint64_t *out, const OptionRow *row, const char *text, size_t bytes,
                            Err *err) {
    if (number_parse_u64(out, text, bytes))
        return true;
    char name[128];
    option_name(name, row, text, bytes);
    return err_usage(err, name, "must be a whole number from 0 to 18446744073709551615");
}

static bool option_set_pair(OptionPair *out, const OptionRow *row, const char *text, size_t bytes,
                            Err *err) {
    char mark = row->kind == OPTION_SIZE ? 'x' : ',';
    const char *split = memchr(text, mark, bytes);
    long long first, second;
    bool read = split != NULL && number_parse_int(&first, text, (size_t)(split - text)) &&
                number_parse_int(&second, split + 1, bytes - (size_t)(split - text) - 1);
    if (!read || (double)first < row->least || (double)first > row->most ||
        (double)second < row->least || (double)second > row->most)
        return out_of_range(row, text, bytes,
                            row->kind == OPTION_SIZE ? "WIDTHxHEIGHT, each" : "QUERY,KEY, each",
                            err);
    *out = (OptionPair){(int)first, (int)second};
    return true;
}

/* Parse one item of a list. */
static bool list_item(int *out, const OptionRow *row, const char *text, size_t bytes, Err *err) {
    if (row->absent != NULL && strlen(row->absent) == bytes &&
        memcmp(row->absent, text, bytes) == 0) {
        *out = -1;
        return true;
    }
    return option_set_choice(out, row, text, bytes, err);
}

static bool option_set_list(OptionList *out, const OptionRow *row, const char *text, size_t bytes,
                            Err *err) {
    OptionList list = {0};
    bool more = true;
    for (size_t at = 0; more && list.count < OPTION_LIST_MAX; list.count++) {
        const char *comma = memchr(text + at, ',', bytes - at);
        size_t end = comma != NULL ? (size_t)(comma - text) : bytes;
        if (!list_item(&list.rows[list.count], row, text + at, end - at, err))
            return false;
        more = comma != NULL;
        at = end + 1;
    }
    if (!more && list.count >= (int)row->least && list.count <= (int)row->most) {
        *out = list;
        return true;
    }
    char name[128];
    option_name(name, row, text, bytes);
    return err_usage(err, name, "must be a list of %d to %d items, separated by commas",
                     (int)row->least, (int)row->most);
}

/* Set a line of text, without the blanks at its ends. */
static bool option_set_line(char *out, const OptionRow *row, const char *text, size_t bytes,
                            Err *err) {
    char name[128];
    while (bytes > 0 && text[0] == ' ')
        text++, bytes--;
    while (bytes > 0 && text[bytes - 1] == ' ')
        bytes--;
    bool is_line = utf8_first_invalid(text, bytes) == bytes;
    for (size_t i = 0; i < bytes; i++)
        is_line = is_line && (unsigned char)text[i] >= ' ';
    option_name(name, row, text, bytes);
    if (!is_line)
        return err_usage(err, name, "must be one line of UTF-8 without control characters");
    if (bytes >= OPTION_TEXT_MAX)
        return err_usage(err, name, "is %zu bytes long; %d is the most", bytes,
                         OPTION_TEXT_MAX - 1);
    memset(out, 0, OPTION_TEXT_MAX);
    memcpy(out, text, bytes);
    return true;
}

static bool option_set_absent(void *at, OptionKind kind) {
    switch (kind) {
    case OPTION_CHOICE:
        *(int *)at = -1;
        break;
    case OPTION_INT:
        *(int *)at = 0;
        break;
    case OPTION_SEED:
        *(uint64_t *)at = 0;
        break;
    case OPTION_REAL:
        *(float *)at = 0;
        break;
    case OPTION_SIZE:
    case OPTION_CELL:
        *(OptionPair *)at = (OptionPair){0, 0};
        break;
    case OPTION_LIST:
        *(OptionList *)at = (OptionList){1, {-1}};
        break;
    case OPTION_LINE:
        memset(at, 0, OPTION_TEXT_MAX);
        break;
    }
    return true;
}

bool option_set(void *target, const OptionRow *row, const char *text, size_t bytes, Err *err) {
    void *at = option_at(target, row);
    if (row->absent != NULL && strlen(row->absent) == bytes &&
        memcmp(row->absent, text, bytes) == 0)
        return option_set_absent(at, row->kind);
    if (row->numbered != NULL)
        return option_set_numbered(at, row, text, bytes, err);
    switch (row->kind) {
    case OPTION_CHOICE:
        return option_set_choice(at, row, text, bytes, err);
    case OPTION_INT:
        return option_set_int(at, row, text, bytes, err);
    case OPTION_SEED:
        return option_set_seed(at, row, text, bytes, err);
    case OPTION_REAL:
        return option_set_real(at, row, text, bytes, err);
    case OPTION_SIZE:
    case OPTION_CELL:
        return option_set_pair(at, row, text, bytes, err);
    case OPTION_LIST:
        return option_set_list(at, row, text, bytes, err);
    case OPTION_LINE:
        return option_set_line(at, row, text, bytes, err);
    }
    assert(false);
    return false;
}

static void option_get_int(char out[OPTION_TEXT_MAX], const OptionRow *row, int value) {
    if (row->absent != NULL && value == (row->kind == OPTION_CHOICE ? -1 : 0))
        snprintf(out, OPTION_TEXT_MAX, "%s", row->absent);
    else if (row->kind == OPTION_CHOICE)
        snprintf(out, OPTION_TEXT_MAX, "%s", registry_entry(row->choices, value)->id);
    else
        snprintf(out, OPTION_TEXT_MAX, "%d", value);
}

static void option_get_list(char out[OPTION_TEXT_MAX], const OptionRow *row,
                            const OptionList *list) {
    size_t used = 0;
    for (int i = 0; i < list->count && used < OPTION_TEXT_MAX; i++) {
        const char *id =
            list->rows[i] < 0 ? row->absent : registry_entry(row->choices, list->rows[i])->id;
        used += (size_t)snprintf(out + used, OPTION_TEXT_MAX - used, "%s%s", i > 0 ? "," : "", id);
    }
    assert(used < OPTION_TEXT_MAX);
}

void option_get(char out[OPTION_TEXT_MAX], const OptionRow *row, const void *target) {
    const void *at = (const char *)target + row->offset;
    if (row->numbered != NULL && *(const int *)at == option_numbered_choice(row)) {
        const OptionChoice *choice = at;
        snprintf(out, OPTION_TEXT_MAX, "%s:%d", registry_entry(row->choices, choice->row)->id,
                 choice->number);
        return;
    }
    switch (row->kind) {
    case OPTION_CHOICE:
    case OPTION_INT:
        option_get_int(out, row, *(const int *)at);
        break;
    case OPTION_SEED:
        snprintf(out, OPTION_TEXT_MAX, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case OPTION_REAL:
        if (row->absent != NULL && *(const float *)at == 0)
            snprintf(out, OPTION_TEXT_MAX, "%s", row->absent);
        else
            number_format_exact(out, OPTION_TEXT_MAX, *(const float *)at);
        break;
    case OPTION_SIZE:
    case OPTION_CELL: {
        const OptionPair *pair = at;
        if (row->absent != NULL && pair->first == 0 && pair->second == 0)
            snprintf(out, OPTION_TEXT_MAX, "%s", row->absent);
        else
            snprintf(out, OPTION_TEXT_MAX, "%d%c%d", pair->first,
                     row->kind == OPTION_SIZE ? 'x' : ',', pair->second);
        break;
    }
    case OPTION_LIST:
        option_get_list(out, row, at);
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

bool option_choice_equal(const OptionChoice *a, const OptionChoice *b) {
    return a->row == b->row && a->number == b->number;
}

bool option_value_equal(const OptionRow *row, const void *a, const void *b) {
    const void *left = (const char *)a + row->offset, *right = (const char *)b + row->offset;
    if (row->numbered != NULL)
        return option_choice_equal(left, right);
    switch (row->kind) {
    case OPTION_CHOICE:
    case OPTION_INT:
        return *(const int *)left == *(const int *)right;
    case OPTION_SEED:
        return *(const uint64_t *)left == *(const uint64_t *)right;
    case OPTION_REAL:
        return *(const float *)left == *(const float *)right;
    case OPTION_SIZE:
    case OPTION_CELL:
        return option_pair_equal(left, right);
    case OPTION_LIST:
        return option_list_equal(left, right);
    case OPTION_LINE:
        return strcmp(left, right) == 0;
    }
    assert(false);
    return false;
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
    if (row->kind == OPTION_CHOICE && row->numbered == NULL && *at >= 0) /* without a copy */
        return strcmp(registry_entry(row->choices, *at)->id, row->standard) == 0;
    option_get(text, row, target);
    return strcmp(text, row->standard) == 0;
}
