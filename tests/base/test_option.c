#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/option.h"
#include "base/util.h"
#include "document/options.h"
#include "support/test.h"
#include "views/settings.h"

/* Memory for the struct of either table, and a pointer to its table. */
typedef struct Target {
    const OptionTable *table;
    union {
        Options options;
        Settings settings;
    } values;
} Target;

static const OptionTable *const TABLES[] = {&STATE_OPTIONS, &PICTURE_OPTIONS};

static Target standard(const OptionTable *table) {
    Target target;
    memset(&target, 0xA5, sizeof target);
    target.table = table;
    option_set_standard(&target.values, table);
    return target;
}

static bool set(Target *target, const OptionRow *row, const char *text, Err *err) {
    *err = (Err){0};
    return option_set(&target->values, row, text, strlen(text), err);
}

/* Assert that text is refused, that the error names the option, and that nothing changed. */
static void check_refused(const OptionTable *table, const OptionRow *row, const char *text,
                          size_t bytes) {
    Target target = standard(table), before = target;
    Err err = {0};
    if (option_set(&target.values, row, text, bytes, &err))
        fail_msg("%s accepts “%.*s”", row->entry.id, (int)bytes, text);
    assert_memory_equal(&target.values, &before.values, sizeof target.values);
    assert_int_equal(err.kind, ERR_USAGE);
    assert_non_null(strstr(err.what, row->entry.id));
    assert_true(err.why[0] != '\0');
}

/* Assert that option_get returns the text that option_set read, and that it reads back equal. */
static void check_round_trip(const OptionTable *table, const OptionRow *row, const char *text) {
    Target target = standard(table), again = target;
    char got[OPTION_TEXT_MAX], second[OPTION_TEXT_MAX];
    if (!set(&target, row, text, &told))
        fail_msg("%s refuses “%s”: %s", row->entry.id, text, told.why);
    option_get(got, row, &target.values);
    assert_true(strlen(got) < OPTION_TEXT_MAX - 1);
    assert_true(set(&again, row, got, &told));
    option_get(second, row, &again.values);
    assert_string_equal(got, second);
    assert_memory_equal(&target.values, &again.values, sizeof target.values);
}

static void for_every_row(void (*check)(const OptionTable *table, const OptionRow *row)) {
    for (size_t t = 0; t < ARRAY_COUNT(TABLES); t++)
        for (int i = 0; i < TABLES[t]->count; i++)
            check(TABLES[t], &TABLES[t]->rows[i]);
}

static void check_default(const OptionTable *table, const OptionRow *row) {
    Target target = standard(table);
    char text[OPTION_TEXT_MAX];
    option_get(text, row, &target.values);
    assert_string_equal(text, row->standard);
    assert_true(option_is_standard(row, &target.values));
    check_round_trip(table, row, row->standard);
}

TEST(defaults_are_valid_and_canonical) {
    for_every_row(check_default);
    Target target = standard(&STATE_OPTIONS);
    must(options_check(&target.values.options, &told));
}

static void check_named(const OptionTable *table, const OptionRow *row) {
    assert_ptr_equal(option_find(table, row->entry.id, strlen(row->entry.id)), row);
    assert_true(strlen(row->entry.label) > 0 && strlen(row->entry.help) > 0);
    for (int i = 0; i < table->count; i++)
        assert_true(&table->rows[i] == row || table->rows[i].offset != row->offset);
    for (const char *c = row->entry.id; *c != '\0'; c++)
        assert_true((*c >= 'a' && *c <= 'z') || *c == '-');
    bool chooses = row->kind == OPTION_CHOICE || row->kind == OPTION_LIST;
    assert_true(chooses == (row->choices != NULL));
}

TEST(every_row_is_found_by_its_key_alone) {
    for_every_row(check_named);
    assert_null(option_find(&STATE_OPTIONS, "", 0));
    for (int i = 0; i < STATE_OPTIONS.count; i++)
        assert_null(option_find(&PICTURE_OPTIONS, STATE_OPTIONS.rows[i].entry.id,
                                strlen(STATE_OPTIONS.rows[i].entry.id)));
}

static void check_choices(const OptionTable *table, const OptionRow *row) {
    for (int i = 0; row->kind == OPTION_CHOICE && i < row->choices->count; i++) {
        const char *id = registry_entry(row->choices, i)->id;
        Target target = standard(table);
        char text[OPTION_TEXT_MAX];
        must(set(&target, row, option_choice_text(row, i), &told));
        assert_int_equal(*(int *)option_at(&target.values, row), i);
        option_get(text, row, &target.values);
        assert_string_equal(text, option_choice_text(row, i));
        assert_true((strcmp(text, id) == 0) != (i == option_numbered_choice(row)));
    }
}

TEST(every_choice_goes_in_and_out) {
    for_every_row(check_choices);
}

/* A choice's number: both ends of its range, none, out of range, and on a choice that takes
 * none. */
static void check_numbered(const OptionTable *table, const OptionRow *row) {
    int choice = option_numbered_choice(row), least = (int)row->least, most = (int)row->most;
    if (row->numbered == NULL) {
        assert_int_equal(choice, -1);
        return;
    }
    const char *id = registry_entry(row->choices, choice)->id;
    const char *other = registry_entry(row->choices, choice > 0 ? 0 : 1)->id;
    char text[OPTION_TEXT_MAX];
    const int inside[] = {least, least + 1, most};
    for (size_t i = 0; i < ARRAY_COUNT(inside); i++) {
        Target target = standard(table);
        snprintf(text, sizeof text, "%s:%d", id, inside[i]);
        check_round_trip(table, row, text);
        must(set(&target, row, text, &told));
        OptionChoice *value = option_at(&target.values, row);
        assert_int_equal(value->row, choice);
        assert_int_equal(value->number, inside[i]);
        must(set(&target, row, other, &told));
        assert_int_equal(value->number, 0);
    }
    const char *const wrong[] = {"", ":", ":x", ":1.5", ": 1", ":1:1", ":1 "};
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        snprintf(text, sizeof text, "%s%s", id, wrong[i]);
        check_refused(table, row, text, strlen(text));
    }
    snprintf(text, sizeof text, "%s:%d", id, least - 1);
    check_refused(table, row, text, strlen(text));
    snprintf(text, sizeof text, "%s:%d", id, most + 1);
    check_refused(table, row, text, strlen(text));
    snprintf(text, sizeof text, "%s:%d", other, least);
    check_refused(table, row, text, strlen(text));
}

TEST(a_choice_may_carry_a_number) {
    for_every_row(check_numbered);
    assert_int_equal(option_numbered_choice(option_find(&STATE_OPTIONS, "mask", 4)), 2);
}

static void check_ends(const OptionTable *table, const OptionRow *row) {
    char least[32], most[32], pair[2 * OPTION_TEXT_MAX];
    if (row->choices != NULL || row->kind == OPTION_SEED)
        return;
    if (row->kind == OPTION_REAL) {
        number_format_exact(least, sizeof least, (float)row->least);
        number_format_exact(most, sizeof most, (float)row->most);
    } else {
        snprintf(least, sizeof least, "%lld", (long long)row->least);
        snprintf(most, sizeof most, "%lld", (long long)row->most);
    }
    bool one = row->kind == OPTION_INT || row->kind == OPTION_REAL;
    char mark = row->kind == OPTION_SIZE ? 'x' : ',';
    snprintf(pair, sizeof pair, one ? "%s" : "%s%c%s", least, mark, most);
    check_round_trip(table, row, pair);
    snprintf(pair, sizeof pair, one ? "%s" : "%s%c%s", most, mark, least);
    check_round_trip(table, row, pair);
}

TEST(both_ends_of_a_range_are_in_it) {
    for_every_row(check_ends);
}

static void check_outside(const OptionTable *table, const OptionRow *row) {
    char text[4][OPTION_TEXT_MAX];
    int count = 0;
    long long least = (long long)floor(row->least) - 1, most = (long long)row->most + 1;
    if (row->kind == OPTION_INT || row->kind == OPTION_REAL) {
        snprintf(text[count++], OPTION_TEXT_MAX, "%lld", least);
        snprintf(text[count++], OPTION_TEXT_MAX, "%lld", most);
    } else if (row->kind == OPTION_SIZE || row->kind == OPTION_CELL) {
        char mark = row->kind == OPTION_SIZE ? 'x' : ',';
        snprintf(text[count++], OPTION_TEXT_MAX, "%lld%c%lld", least, mark, most - 1);
        snprintf(text[count++], OPTION_TEXT_MAX, "%lld%c%lld", least + 1, mark, most);
    }
    for (int i = 0; i < count; i++)
        check_refused(table, row, text[i], strlen(text[i]));
}

TEST(just_outside_a_range_is_refused) {
    for_every_row(check_outside);
}

static void check_junk(const OptionTable *table, const OptionRow *row) {
    static const char *const junk[] = {
        "",   " ",    "1 ",   " 1",   "1\n",  "0x10",    "1e999",  "nan",       "inf", "-inf",
        "--", "-",    "+",    ".",    "1,,2", "1x2x3",   "1,2,3",  "x",         ",",   "x7",
        "7,", "1.5.", "\xC2", "\xFF", "NONE", "unknown", "\u0661", "1\u2009000"};
    for (size_t i = 0; i < ARRAY_COUNT(junk); i++)
        if (row->kind != OPTION_LINE || strpbrk(junk[i], "\n\xC2\xFF") != NULL)
            check_refused(table, row, junk[i], strlen(junk[i]));
    if (row->kind != OPTION_REAL &&
        row->kind != OPTION_LINE) /* 2 to the 64th: larger than every whole number */
        check_refused(table, row, "18446744073709551616", 20);
    char with_nul[OPTION_TEXT_MAX];
    size_t bytes = strlen(row->standard);
    memcpy(with_nul, row->standard, bytes + 1);
    check_refused(table, row, with_nul, bytes + 1);
    char overlong[4096];
    memset(overlong, '1', sizeof overlong);
    check_refused(table, row, overlong, sizeof overlong);
    memset(overlong, 'a', sizeof overlong);
    check_refused(table, row, overlong, sizeof overlong);
}

TEST(junk_is_refused_and_changes_nothing) {
    for_every_row(check_junk);
}

static void check_absent(const OptionTable *table, const OptionRow *row) {
    if (row->absent == NULL)
        return;
    Target target = standard(table);
    char text[OPTION_TEXT_MAX];
    must(set(&target, row, row->absent, &told));
    option_get(text, row, &target.values);
    assert_string_equal(text, row->absent);
    check_refused(table, row, row->absent, strlen(row->absent) - 1);
    if (row->kind == OPTION_CHOICE) {
        assert_int_equal(*(int *)option_at(&target.values, row), -1);
        assert_int_equal(registry_find(row->choices, row->absent, strlen(row->absent)), -1);
    }
}

TEST(the_word_for_no_value_is_no_value) {
    for_every_row(check_absent);
}

static const OptionRow *state_row(const char *key) {
    const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
    assert_non_null(row);
    return row;
}

/* Write a list of count items that cycles through the choices. */
static void write_list(char *out, size_t capacity, const OptionRow *row, int count) {
    size_t used = 0;
    for (int i = 0; i < count && used < capacity; i++)
        used += (size_t)snprintf(out + used, capacity - used, "%s%s", i > 0 ? "," : "",
                                 registry_entry(row->choices, i % row->choices->count)->id);
    assert_true(used < capacity);
}

static void check_list(const OptionTable *table, const OptionRow *row) {
    char text[1024];
    if (row->kind != OPTION_LIST)
        return;
    for (int count = 1; count <= OPTION_LIST_MAX + 1; count++) {
        write_list(text, sizeof text, row, count);
        if (count < (int)row->least || count > (int)row->most) {
            check_refused(table, row, text, strlen(text));
            continue;
        }
        Target target = standard(table);
        check_round_trip(table, row, text);
        must(set(&target, row, text, &told));
        const OptionList *list = option_at(&target.values, row);
        assert_int_equal(list->count, count);
        for (int i = 0; i < OPTION_LIST_MAX; i++)
            assert_int_equal(list->rows[i], i < count ? i % row->choices->count : 0);
        strncat(text, ",", sizeof text - strlen(text) - 1);
        check_refused(table, row, text, strlen(text));
        check_refused(table, row, text + 1, strlen(text) - 1);
    }
    for (int i = 0; i < row->choices->count; i++) { /* the longest list of this choice fits */
        const char *id = registry_entry(row->choices, i)->id;
        assert_true((strlen(id) + 1) * (size_t)row->most < OPTION_TEXT_MAX - 1);
    }
}

TEST(a_list_has_as_many_as_its_row_says) {
    for_every_row(check_list);
    const OptionRow *own = option_find(&PICTURE_OPTIONS, "compare-q", strlen("compare-q"));
    Target target = standard(&PICTURE_OPTIONS);
    must(set(&target, own, "auto,normal,auto", &told));
    const OptionList *list = option_at(&target.values, own);
    assert_int_equal(list->count, 3);
    assert_int_equal(list->rows[0], -1);
    assert_int_equal(list->rows[1], registry_find(own->choices, "normal", 6));
    check_round_trip(&PICTURE_OPTIONS, own, "auto,normal,auto");
    check_refused(&PICTURE_OPTIONS, own, "auto,,auto", 10);
}

TEST(a_line_is_kept_without_blanks_at_its_ends) {
    const OptionRow *row = option_find(&PICTURE_OPTIONS, "second", strlen("second"));
    Target target = standard(&PICTURE_OPTIONS);
    char text[OPTION_TEXT_MAX], longest[OPTION_TEXT_MAX];
    must(set(&target, row, "  a \u2026 b  ", &told));
    option_get(text, row, &target.values);
    assert_string_equal(text, "a \u2026 b");
    must(set(&target, row, "   ", &told));
    assert_true(option_is_standard(row, &target.values));
    memset(longest, 'a', sizeof longest);
    check_refused(&PICTURE_OPTIONS, row, longest, sizeof longest);
    must(option_set(&target.values, row, longest, sizeof longest - 1, &told));
    option_get(text, row, &target.values);
    assert_int_equal(strlen(text), sizeof longest - 1);
}

TEST(seeds_are_whole_64_bit_numbers) {
    const OptionRow *row = state_row("seed");
    check_round_trip(&STATE_OPTIONS, row, "0");
    check_round_trip(&STATE_OPTIONS, row, "18446744073709551615");
    Target target = standard(&STATE_OPTIONS);
    must(set(&target, row, "18446744073709551615", &told));
    assert_true(target.values.options.seed == UINT64_MAX);
    check_refused(&STATE_OPTIONS, row, "-1", 2);
    check_refused(&STATE_OPTIONS, row, "1.0", 3);
    check_refused(&STATE_OPTIONS, row, "\u22121", strlen("\u22121"));
}

TEST(real_numbers_keep_all_their_digits) {
    const OptionRow *row = state_row("temperature");
    static const char *const values[] = {"0.1", "0.3333333333", "1e-6",      "3.14159265358979",
                                         "1e9", "1e-30",        "0.70000005"};
    for (size_t i = 0; i < ARRAY_COUNT(values); i++)
        check_round_trip(&STATE_OPTIONS, row, values[i]);
    check_refused(&STATE_OPTIONS, row, "0", 1);
    check_refused(&STATE_OPTIONS, row, "9e-31", 5);
    check_refused(&STATE_OPTIONS, row, "1,5", 3);
}

TEST(messages_say_what_would_be_right) {
    Target target = standard(&STATE_OPTIONS);
    assert_false(set(&target, state_row("heads"), "65", &told));
    assert_string_equal(told.what, "--heads 65");
    assert_non_null(strstr(told.why, "from 1 to 64"));
    assert_false(set(&target, state_row("mask"), "casual", &told));
    assert_non_null(strstr(told.why, "causal"));
    assert_false(set(&target, state_row("beside"), "zero", &told));
    assert_non_null(strstr(told.why, "none"));
    char overlong[300];
    memset(overlong, '9', sizeof overlong);
    assert_false(option_set(&target.values, state_row("heads"), overlong, sizeof overlong, &told));
    assert_true(strlen(told.what) < 80);
}
