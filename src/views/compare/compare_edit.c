/* What a person does to the columns of the Compare view. */
#include <stdio.h>
#include <string.h>

#include "views/compare/compare.h"

/* All that a column is: a list of schemes, and one for each matrix; and the column, from 0, that
 * the others are compared with. */
typedef struct Columns {
    OptionList schemes, own[ATTN_WEIGHT_COUNT];
    int against;
} Columns;

int compare_own(const ViewContext *c, int column, AttnParam param) {
    const OptionList *own = &c->settings->compare.own[param];
    return column < own->count ? own->rows[column] : -1;
}

static Columns columns_of(const ViewContext *c) {
    const CompareSettings *chosen = &c->settings->compare;
    int last = chosen->schemes.count - 1, against = chosen->against - 1;
    Columns columns = {.schemes = chosen->schemes, .against = against < last ? against : last};
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++) {
        columns.own[p].count = columns.schemes.count;
        for (int i = 0; i < columns.schemes.count; i++)
            columns.own[p].rows[i] = compare_own(c, i, p);
    }
    return columns;
}

static bool all_absent(const OptionList *list) {
    for (int i = 0; i < list->count; i++)
        if (list->rows[i] >= 0)
            return false;
    return true;
}

static void set_list(const ViewContext *c, const char *key, const OptionList *list) {
    char text[OPTION_TEXT_MAX];
    size_t used = 0;
    if (all_absent(list)) {
        view_set(c, key, "auto", c->ui->drag_serial);
        return;
    }
    for (int i = 0; i < list->count; i++) {
        int row = list->rows[i];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i > 0 ? "," : "",
                                 row < 0 ? "auto" : registry_entry(&SCHEME_REGISTRY, row)->id);
    }
    view_set(c, key, text, c->ui->drag_serial);
}

static void set_columns(const ViewContext *c, const Columns *columns) {
    static const char *const keys[ATTN_WEIGHT_COUNT] = {[ATTN_W_Q] = "compare-q",
                                                        [ATTN_W_K] = "compare-k",
                                                        [ATTN_W_V] = "compare-v",
                                                        [ATTN_W_O] = "compare-o"};
    set_list(c, "compare-schemes", &columns->schemes);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        set_list(c, keys[p], &columns->own[p]);
    if (columns->against != c->settings->compare.against - 1)
        view_set_number(c, "compare-against", columns->against + 1, c->ui->drag_serial);
}

void compare_replace(const ViewContext *c, int column, int scheme) {
    Columns columns = columns_of(c);
    columns.schemes.rows[column] = scheme;
    set_columns(c, &columns);
}

void compare_replace_own(const ViewContext *c, int column, AttnParam param, int scheme) {
    Columns columns = columns_of(c);
    columns.own[param].rows[column] = scheme;
    set_columns(c, &columns);
}

static int first_missing(const OptionList *schemes) {
    int scheme = 0;
    for (int i = 0; i < schemes->count; i++)
        if (schemes->rows[i] == scheme)
            scheme++, i = -1;
    return scheme;
}

void compare_add(const ViewContext *c, int scheme) {
    Columns columns = columns_of(c);
    scheme = scheme < 0 ? first_missing(&columns.schemes) : scheme;
    columns.schemes.rows[columns.schemes.count++] = scheme;
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        columns.own[p].rows[columns.own[p].count++] = -1;
    set_columns(c, &columns);
}

static void list_remove(OptionList *list, int at) {
    memmove(&list->rows[at], &list->rows[at + 1],
            (size_t)(list->count - at - 1) * sizeof list->rows[0]);
    list->rows[--list->count] = 0;
}

static void list_insert(OptionList *list, int at, int row) {
    memmove(&list->rows[at + 1], &list->rows[at],
            (size_t)(list->count - at) * sizeof list->rows[0]);
    list->rows[at] = row;
    list->count++;
}

void compare_remove(const ViewContext *c, int column) {
    Columns columns = columns_of(c);
    list_remove(&columns.schemes, column);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        list_remove(&columns.own[p], column);
    if (columns.against >= column)
        columns.against = columns.against == column ? 0 : columns.against - 1;
    set_columns(c, &columns);
}

static void list_move(OptionList *list, int from, int to) {
    int row = list->rows[from];
    list_remove(list, from);
    list_insert(list, to, row);
}

void compare_move(const ViewContext *c, int from, int to) {
    Columns columns = columns_of(c);
    list_move(&columns.schemes, from, to);
    for (AttnParam p = 0; p < ATTN_WEIGHT_COUNT; p++)
        list_move(&columns.own[p], from, to);
    if (columns.against == from)
        columns.against = to;
    else {
        columns.against -= columns.against > from;
        columns.against += columns.against >= to;
    }
    set_columns(c, &columns);
}
