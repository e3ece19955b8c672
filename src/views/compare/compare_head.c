/* The heading of a column. Dragging its mark, or the empty part of its line, onto another column
 * moves the column. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "model/attention/params.h"
#include "ui/dropdown.h"
#include "ui/formula.h"
#include "ui/icon.h"
#include "ui/layout.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/compare/compare.h"

#define NAME_H    36
#define FORMULA_H 30
#define OWN_H     40
/* Px: width for one scheme of a single matrix; with twice this width there are two in a line. */
#define OWN_W         300
#define FORMULA_SIZE  19
#define FORMULA_LEAST 0.75f /* minimum factor by which a formula is shrunk to fit */
#define GRIP_FROM     6     /* px that the pointer moves before a drag begins */

static int own_across(float width) {
    return width < 2 * OWN_W ? 1 : 2;
}

float compare_head_height(const ViewContext *c, float width) {
    bool each = c->settings->compare.matrices == MATRICES_EACH;
    int rows = ATTN_WEIGHT_COUNT / own_across(width);
    return NAME_H + FORMULA_H + (each ? (float)(OWN_H * rows + 8) : 0);
}

static bool in_use(const ViewContext *c, int column) {
    return !weights_give_all(c->session->weights) &&
           c->settings->compare.schemes.rows[column] == c->session->options.init;
}

/* Draw the mark of a column. A click chooses the column's scheme for the layer. Return true while
 * the mark is held down, which may become a drag. */
static bool mark_button(const ViewContext *c, Rect place, int column) {
    UiId id = ui_id("use scheme", column);
    UiState state = ui_control(c->ui, id, place, 0);
    if (state.hovered)
        draw_fill(c->ui->list, rect_inset(place, 0, 4), 8, c->ui->theme->hover);
    mark_draw(c->ui, column_mark(column), rect_centre(place), 13, column_colour(c, column));
    ui_focus_ring(c->ui, id, rect_inset(place, 0, 4), 8);
    bool is_given = weights_give_all(c->session->weights);
    tooltip(c->ui, id, place,
            is_given            ? "Close the file of weights to use this scheme"
            : in_use(c, column) ? "In use"
                                : "Use this scheme",
            is_given ? "The other views use the weights of the file."
                     : "All other views use the weights of the scheme in use.");
    if (state.clicked && !is_given && c->memory->compare->dragged == 0)
        view_set(c, "init", column_scheme(c, column)->entry.id, 0);
    return state.held;
}

static int column_under(const ViewContext *c) {
    const CompareMemory *m = c->memory->compare;
    for (int i = 0; i < c->settings->compare.schemes.count; i++)
        if (rect_contains(m->places[i], c->ui->pointer))
            return i;
    return -1;
}

/* Move the column by a drag onto another one, or by Alt and an arrow key. */
static void grip(const ViewContext *c, Rect line, int column, bool by_mark) {
    CompareMemory *m = c->memory->compare;
    UiId id = ui_id("column", column);
    UiState state = ui_control(c->ui, id, line, UI_NO_KEYS);
    float moved =
        hypotf(c->ui->pointer.x - c->ui->press_at.x, c->ui->pointer.y - c->ui->press_at.y);
    int last = c->settings->compare.schemes.count - 1, to = column, dragged = m->dragged;
    bool held = state.held || by_mark;
    if (held && moved > GRIP_FROM)
        m->dragged = column + 1;
    else if (m->dragged == column + 1 && !held) {
        m->dragged = 0;
        to = column_under(c);
    }
    if (m->dragged != dragged) /* request another pass, because earlier columns are drawn already */
        c->ui->again = true;
    if (state.focused)
        to += ui_keys(c->ui, KEY_RIGHT, KEY_MOD_ALT) - ui_keys(c->ui, KEY_LEFT, KEY_MOD_ALT);
    if (to >= 0 && to <= last && to != column)
        column_move(c, column, to);
    ui_focus_ring(c->ui, id, line, 8);
    tooltip_on(c->ui, id, line, c->ui->hot == id,
               &(Tooltip){.title = column_scheme(c, column)->entry.label,
                          .text = "Drag this column onto another to change their order.",
                          .key = "Alt ← →"});
}

static void name_draw(const ViewContext *c, Rect line, int column) {
    int scheme = c->settings->compare.schemes.rows[column];
    Rect whole = line, cross = {0};
    DropdownChoices choices = {.registry = &SCHEME_REGISTRY};
    UiId remove = ui_id("remove column", column);
    bool by_mark = mark_button(c, rect_cut_left(&line, 26), column);
    rect_cut_left(&line, 4);
    if (c->settings->compare.schemes.count > 2)
        cross = rect_cut_right(&line, 28);
    Rect name = rect_cut_left(&line, fminf(dropdown_width(c->ui, &choices, scheme), line.w));
    if (in_use(c, column) && line.w > 60)
        text_in(c->ui, rect_inset(line, 6, 0), TEXT_CAPTION | TEXT_FAINT | TEXT_RIGHT, "in use");
    int picked = dropdown(c->ui, ui_id("column scheme", column), name, &choices, scheme);
    if (picked >= 0)
        column_replace(c, column, picked);
    grip(c, line.w > 24 ? line : (Rect){whole.x, whole.y, 0, 0}, column, by_mark);
    if (cross.w == 0)
        return;
    UiState state = ui_control(c->ui, remove, cross, 0);
    if (state.hovered)
        draw_fill(c->ui->list, rect_inset(cross, 0, 4), 8, c->ui->theme->hover);
    icon_draw(c->ui, ICON_CLOSE, rect_centre(cross), 12, c->ui->theme->text_3);
    ui_focus_ring(c->ui, remove, rect_inset(cross, 0, 4), 8);
    if (state.clicked)
        column_remove(c, column);
    tooltip(c->ui, remove, cross, "Remove", "Takes this column out of the comparison.");
}

/* Replace the letters of a formula by numbers: √(2/(d_model + h·d_k)) becomes √(2/(64 + 64)). */
static void numbers_put_in(char *out, size_t capacity, const char *formula, const AttnShape *s) {
    const struct {
        const char *name;
        int value;
    } names[] = {{"fan_in", s->D}, {"h·d_k", s->H * s->K}, {"d_model", s->D}, {"d_k", s->K}};
    size_t used = 0;
    while (*formula != '\0' && used + 16 < capacity) {
        size_t taken = 0;
        for (size_t i = 0; i < ARRAY_COUNT(names) && taken == 0; i++)
            if (strncmp(formula, names[i].name, strlen(names[i].name)) == 0) {
                taken = strlen(names[i].name);
                used += (size_t)snprintf(out + used, capacity - used, "%d", names[i].value);
            }
        if (taken == 0)
            out[used++] = *formula;
        formula += taken > 0 ? taken : 1;
    }
    out[used] = '\0';
}

/* Draw the formula, with numbers if it is the same for every matrix. If it is too long, draw a
 * short text: the known standard deviation of W_Q for a SCHEME_CENTRED scheme, otherwise the
 * formula up to its first comma. */
static void formula_line(const ViewContext *c, Rect line, int column) {
    const Scheme *scheme = column_scheme(c, column);
    const Comparison *comparison = compare_comparison(c);
    char numbers[160];
    double std = comparison->expected[column][STUDY_STD_W_Q];
    bool one = strncmp(scheme->entry.formula, "σ_W = √", strlen("σ_W = √")) == 0;
    numbers_put_in(numbers, sizeof numbers, scheme->entry.formula, &comparison->plan.shape);
    const char *text =
        one && isfinite(std) ? PRINT("%s = %s", numbers, FIXED(std, 3)) : scheme->entry.formula;
    const char *brief =
        isfinite(std) && scheme->law == SCHEME_CENTRED
            ? PRINT("σ(W_Q) = %s", FIXED(std, 4))
            : PRINT("%.*s", (int)strcspn(scheme->entry.formula, ","), scheme->entry.formula);
    bool fits = formula_width(c->ui, FORMULA_SIZE * FORMULA_LEAST, text) <= line.w;
    text_in(c->ui, line, TEXT_FORMULA | TEXT_DIM | TEXT_PX(FORMULA_SIZE), "%s",
            fits ? text : brief);
    tooltip_over(c->ui, ui_id("column formula", column), line, scheme->entry.label,
                 scheme->entry.help);
}

static void own_draw(const ViewContext *c, Rect line, int column, AttnParam param) {
    int scheme = column_own(c, column, param);
    DropdownChoices choices = {.registry = &SCHEME_REGISTRY, .absent = "As the column"};
    text_in(c->ui, rect_cut_left(&line, 44), TEXT_FORMULA | TEXT_PX(FORMULA_SIZE), "%s",
            PARAMS[param].entry.label);
    line.w = fminf(dropdown_width(c->ui, &choices, scheme), line.w);
    int picked = dropdown(c->ui, ui_id("column matrix", column * ATTN_WEIGHT_COUNT + (int)param),
                          rect_inset(line, 0, 2), &choices, scheme);
    if (picked != DROPDOWN_UNCHANGED)
        column_replace_own(c, column, param, picked);
}

float compare_head_draw(const ViewContext *c, Rect place, int column) {
    const CompareMemory *m = c->memory->compare;
    float width = place.w;
    if (m->dragged != 0 && m->dragged != column + 1 && column_under(c) == column)
        draw_ring(c->ui->list, rect_inset(m->places[column], -8, 2), 10, 2, c->ui->theme->ring);
    name_draw(c, rect_cut_top(&place, NAME_H), column);
    formula_line(c, rect_cut_top(&place, FORMULA_H), column);
    for (int p = 0; p < ATTN_WEIGHT_COUNT && c->settings->compare.matrices == MATRICES_EACH; p++) {
        Rect own = layout_cell(place, 0, OWN_H, p, own_across(width));
        own_draw(c, own, column, (AttnParam)p);
    }
    return compare_head_height(c, width);
}
