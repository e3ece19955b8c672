#include "views/shared/columns.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Px by which a grid of heads may be higher than `most`, the largest side of one map. */
#define MARGIN     38
#define GAP_ACROSS 11

Colour column_colour(const ViewContext *c, int column) {
    return c->ui->theme->heads[column % THEME_HEADS];
}

Mark column_mark(int column) {
    static const Mark marks[] = {MARK_CIRCLE, MARK_SQUARE, MARK_TRIANGLE, MARK_DIAMOND};
    return marks[column % 4];
}

const Scheme *column_scheme(const ViewContext *c, int column) {
    return &SCHEMES[c->settings->compare.schemes.rows[column]];
}

/* Write the first word of a scheme's label or, if a comma follows it, the other words, because
 * several schemes begin with that word. */
static void short_label(char out[64], const char *label) {
    size_t first = strcspn(label, " ,"), behind = first + strspn(label + first, " ,");
    if (label[first] == ',')
        snprintf(out, 64, "%c%s", toupper((unsigned char)label[behind]), label + behind + 1);
    else
        snprintf(out, 64, "%.*s", (int)first, label);
}

const char *column_short_name(char out[64], const ViewContext *c, int column) {
    char other[64];
    short_label(out, column_scheme(c, column)->entry.label);
    for (int i = 0; i < c->settings->compare.schemes.count; i++) {
        short_label(other, column_scheme(c, i)->entry.label);
        if (i != column && strcmp(other, out) == 0)
            snprintf(out, 64, "%s", column_scheme(c, column)->entry.label);
    }
    return out;
}

/* The columns: their schemes, their own schemes for single matrices, and `against`, the index of
 * the reference column. */
typedef struct Columns {
    OptionList schemes, own[ATTN_WEIGHT_COUNT];
    int against;
} Columns;

int column_own(const ViewContext *c, int column, AttnParam param) {
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
            columns.own[p].rows[i] = column_own(c, i, p);
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

void column_replace(const ViewContext *c, int column, int scheme) {
    Columns columns = columns_of(c);
    columns.schemes.rows[column] = scheme;
    set_columns(c, &columns);
}

void column_replace_own(const ViewContext *c, int column, AttnParam param, int scheme) {
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

void column_add(const ViewContext *c, int scheme) {
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

void column_remove(const ViewContext *c, int column) {
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
    memmove(&list->rows[to + 1], &list->rows[to],
            (size_t)(list->count - to) * sizeof list->rows[0]);
    list->rows[to] = row;
    list->count++;
}

void column_move(const ViewContext *c, int from, int to) {
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

MapGrid map_grid(int heads, float width, float most, float scale) {
    MapGrid m = {.heads = heads};
    for (m.across = heads < 4 ? heads : 4;; m.across++) {
        m.gap = m.across > 4 ? 4 : fminf(GAP_ACROSS, width * 0.03f);
        m.side = (width - m.gap * (float)(m.across - 1)) / (float)m.across;
        m.side = fmaxf(fminf(m.side, most), 1);
        m.rows = (heads + m.across - 1) / m.across;
        if ((m.side + m.gap) * (float)m.rows <= most + MARGIN || m.across == heads)
            break;
    }
    m.side = fmaxf(floorf(m.side * scale), 1) / scale;
    return m;
}

Rect map_grid_place(const MapGrid *grid, Vec2 at, int head) {
    float pitch = grid->side + grid->gap;
    return (Rect){at.x + pitch * (float)(head % grid->across),
                  at.y + pitch * (float)(head / grid->across), grid->side, grid->side};
}
