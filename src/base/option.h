/* option.h: settings as tables. One row drives the command line, the session file, the state
 * string, the controls on screen, `--help` and the tests. Pure. */
#ifndef HEADLIGHT_BASE_OPTION_H
#define HEADLIGHT_BASE_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/registry.h"

typedef enum OptionKind {
    OPTION_CHOICE, /* int: a row of choices; OptionChoice where one of them carries a number */
    OPTION_INT,    /* int from least to most */
    OPTION_SEED,   /* uint64_t */
    OPTION_REAL,   /* float from least to most */
    OPTION_SIZE,   /* OptionPair, "WxH", each from least to most */
    OPTION_CELL,   /* OptionPair, "I,J", each from least to most */
    OPTION_LIST,   /* OptionList, "ID,ID": from least to most rows of choices */
} OptionKind;

typedef struct OptionPair {
    int first, second;
} OptionPair;

#define OPTION_LIST_MAX 8

/* Rows of choices; -1 where an item is the row's word for "no value". */
typedef struct OptionList {
    int count, rows[OPTION_LIST_MAX]; /* those past count are 0 */
} OptionList;

/* number is 0 for a row that carries none. */
typedef struct OptionChoice {
    int row, number;
} OptionChoice;

/* entry.id is the key ("d-model"), entry.label the control's name on screen, entry.formula the
 * placeholder in --help ("N"), entry.help one sentence. */
typedef struct OptionRow {
    Entry entry;
    OptionKind kind;
    const Registry *choices;
    size_t offset; /* of the value in the struct that the table describes */
    double least, most;
    const char *standard; /* the default, as text */
    const char *absent;   /* a word for "no value" ("auto", "none"), or NULL. It is stored as -1
                             for a choice and as an item of a list, 0 for a number, {0, 0} for a
                             pair */
    const char *numbered; /* the choice that carries a number from least to most, written with the
                             number that it starts with: "window:2"; NULL where none does */
} OptionRow;

typedef struct OptionTable {
    const OptionRow *rows;
    int count;
} OptionTable;

/* The choice that carries a number, as a row of choices, or -1. */
int option_numbered_choice(const OptionRow *row);

/* What option_set reads as that choice: its id, with a number to start with where it carries one.
 */
const char *option_choice_text(const OptionRow *row, int choice);

#define OPTION_TEXT_MAX 224 /* bytes of any value as text, its end included */

/* The row of that key, or NULL. */
const OptionRow *option_find(const OptionTable *table, const char *key, size_t key_bytes);

/* Every value of the struct as its default. Asserts that the defaults are valid. */
void option_set_standard(void *target, const OptionTable *table);

/* Read text[0..bytes) into the row's value; on failure target is unchanged and err says the
 * option, the value and what would be right (kind ERR_USAGE). */
bool option_set(void *target, const OptionRow *row, const char *text, size_t bytes, Err *err);

/* The value as text that option_set reads back to the same value. */
void option_get(char out[OPTION_TEXT_MAX], const OptionRow *row, const void *target);

bool option_pair_equal(const OptionPair *a, const OptionPair *b);
bool option_choice_equal(const OptionChoice *a, const OptionChoice *b);
bool option_list_equal(const OptionList *a, const OptionList *b);

/* True if the row's value is equal in a and b, two structs that its table describes. */
bool option_value_equal(const OptionRow *row, const void *a, const void *b);

/* True if a and b, two structs that the table describes, have equal values in every row. */
bool option_values_equal(const OptionTable *table, const void *a, const void *b);

bool option_is_standard(const OptionRow *row, const void *target);

/* The value's place, for those who know its type. */
static inline void *option_at(void *target, const OptionRow *row) {
    return (char *)target + row->offset;
}

#endif
