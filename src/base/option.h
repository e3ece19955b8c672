/* option.h: tables of settings. A row serves the command line, the session file, the state string,
 * the control on screen, `--help` and the tests. Pure. */
#ifndef HEADLIGHT_BASE_OPTION_H
#define HEADLIGHT_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/registry.h"

typedef enum OptionKind {
    OPTION_CHOICE, /* int, an index in choices; OptionChoice if the row is `numbered` */
    OPTION_INT,    /* int from least to most */
    OPTION_SEED,   /* uint64_t */
    OPTION_REAL,   /* float from least to most */
    OPTION_SIZE,   /* OptionPair, "WxH", both from least to most */
    OPTION_CELL,   /* OptionPair, "I,J", both from least to most */
    /* OptionList, "ID,ID": a list of indices in choices; its length is from least to most */
    OPTION_LIST,
    OPTION_LINE, /* char[OPTION_TEXT_MAX], a line of UTF-8; "" for none */
} OptionKind;

typedef struct OptionPair {
    int first, second;
} OptionPair;

#define OPTION_LIST_MAX 8

/* rows are indices in `choices`; -1 for an item that is the word for "no value". */
typedef struct OptionList {
    int count, rows[OPTION_LIST_MAX]; /* entries past count are 0 */
} OptionList;

/* number is 0 if the choice carries none. */
typedef struct OptionChoice {
    int row, number;
} OptionChoice;

/* id is the key ("d-model"), label the name on screen, formula the placeholder in --help ("N"),
 * help one sentence. */
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

/* Return the text of a choice for option_set: its id, with the default number if it carries one. */
const char *option_choice_text(const OptionRow *row, int choice);

#define OPTION_TEXT_MAX 224 /* maximum bytes of a value as text, with NUL */

/* Return the row with this key, or NULL. */
const OptionRow *option_find(const OptionTable *table, const char *key, size_t key_bytes);

/* Set every value to its default. Asserts that the defaults are valid. */
void option_set_standard(void *target, const OptionTable *table);

/* Parse text[0..bytes) into the row's value. On failure (ERR_USAGE) target is unchanged, and err
 * names the option, the value and the valid values. */
bool option_set(void *target, const OptionRow *row, const char *text, size_t bytes, Err *err);

/* Write the value as text for option_set. */
void option_get(char out[OPTION_TEXT_MAX], const OptionRow *row, const void *target);

bool option_pair_equal(const OptionPair *a, const OptionPair *b);
bool option_list_equal(const OptionList *a, const OptionList *b);

bool option_value_equal(const OptionRow *row, const void *a, const void *b);

/* True if the values of all rows are equal in a and b. */
bool option_values_equal(const OptionTable *table, const void *a, const void *b);

bool option_is_standard(const OptionRow *row, const void *target);

static inline void *option_at(void *target, const OptionRow *row) {
    return (char *)target + row->offset;
}

#endif
