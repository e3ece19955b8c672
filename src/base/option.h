/* option.h: tables of settings. One row drives the command line, the session file, the state
 * string, the control on screen, `--help` and the tests. Pure. */
#ifndef HEADLIGHT_BASE_OPTION_H
#define HEADLIGHT_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/registry.h"

typedef enum OptionKind {
    OPTION_CHOICE, /* int, a row of choices; OptionChoice if one of the choices carries a number */
    OPTION_INT,    /* int from least to most */
    OPTION_SEED,   /* uint64_t */
    OPTION_REAL,   /* float from least to most */
    OPTION_SIZE,   /* OptionPair, "WxH": both numbers are in the range from least to most */
    OPTION_CELL,   /* OptionPair, "I,J": both numbers are in the range from least to most */
    /* OptionList, "ID,ID": the list has at least `least` and at most `most` rows of choices. */
    OPTION_LIST,
    OPTION_LINE, /* char[OPTION_TEXT_MAX], a line of UTF-8; "" for none */
} OptionKind;

typedef struct OptionPair {
    int first, second;
} OptionPair;

#define OPTION_LIST_MAX 8

/* Rows of the registry `choices`; -1 for an item that is the word for "no value". */
typedef struct OptionList {
    int count, rows[OPTION_LIST_MAX]; /* entries past count are 0 */
} OptionList;

/* The number is 0 if the choice carries none. */
typedef struct OptionChoice {
    int row, number;
} OptionChoice;

/* entry.id is the key ("d-model"), entry.label the name on screen, entry.formula the placeholder in
 * --help ("N"), entry.help one sentence. */
typedef struct OptionRow {
    Entry entry;
    struct {
        OptionKind kind;
        size_t offset;        /* offset of the value in the struct that the table describes */
        const char *standard; /* the default, as text */
        double least, most;
        const Registry *choices;
        const char *absent;   /* the word for "no value" ("auto", "none"), or NULL. Stored as -1 for
                                 a choice or a list item, 0 for a number, {0, 0} for a pair */
        const char *numbered; /* the choice that carries a number from least to most, with its
                                 default number: "window:2"; or NULL */
    };
} OptionRow;

typedef struct OptionTable {
    const OptionRow *rows;
    int count;
} OptionTable;

/* Return the row of choices that carries a number, or -1. */
int option_numbered_choice(const OptionRow *row);

/* Return text that option_set reads as this choice: its id, with the default number if it carries
 * one. */
const char *option_choice_text(const OptionRow *row, int choice);

#define OPTION_TEXT_MAX 224 /* bytes of any value as text, NUL included */

/* Return the row with this key, or NULL. */
const OptionRow *option_find(const OptionTable *table, const char *key, size_t key_bytes);

/* Set every value of the struct to its default. Asserts that the defaults are valid. */
void option_set_standard(void *target, const OptionTable *table);

/* Parse text[0..bytes) into the row's value.
 * On failure target is unchanged, and err names the option, the value and the valid values
 * (ERR_USAGE). */
bool option_set(void *target, const OptionRow *row, const char *text, size_t bytes, Err *err);

/* Write the value as text that option_set reads back as the same value. */
void option_get(char out[OPTION_TEXT_MAX], const OptionRow *row, const void *target);

bool option_pair_equal(const OptionPair *a, const OptionPair *b);
bool option_list_equal(const OptionList *a, const OptionList *b);

/* True if the row's value is equal in a and b, two structs that its table describes. */
bool option_value_equal(const OptionRow *row, const void *a, const void *b);

/* True if a and b, two structs that the table describes, have equal values in every row. */
bool option_values_equal(const OptionTable *table, const void *a, const void *b);

bool option_is_standard(const OptionRow *row, const void *target);

/* Return the address of the value, for callers that know its type. */
static inline void *option_at(void *target, const OptionRow *row) {
    return (char *)target + row->offset;
}

#endif
