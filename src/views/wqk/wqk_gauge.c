#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "ui/slider.h"
#include "views/wqk/wqk_view.h"

#define LINE    34
#define NAME_W  104
#define VALUE_W 120
#define HEADING 34
#define KIND    38

/* Putting R between the factors shows what it does to A. */
static void show_gauge(const Wqk *w) {
    if (w->c->settings->wqk_against != AGAINST_GAUGE)
        view_set(w->c, "wqk-against", "gauge", 0);
}

static void kind_row(const Wqk *w, Rect line) {
    static const char *const labels[] = {"Rotation", "Any invertible"};
    static const char *const brief[] = {"Rotation", "Any"};
    const ViewContext *c = w->c;
    Rect dice = rect_cut_right(&line, 36);
    bool fits = segmented_width(c->ui, labels, 2) <= line.w - 8;
    const char *const *shown = fits ? labels : brief;
    Rect place = rect_cut_left(&line, fminf(segmented_width(c->ui, shown, 2), line.w));
    int clicked = segmented(c->ui, ui_id("wqk gauge", 0), place, shown, 2, c->settings->wqk_gauge);
    if (clicked >= 0) {
        view_set(c, "wqk-gauge", registry_entry(&WQK_GAUGES, clicked)->id, 0);
        show_gauge(w);
    }
    if (!button_icon(c->ui, ui_id("wqk dice", 0), dice, ICON_DICE))
        return;
    int seed = c->settings->wqk_gauge_seed % 99999 + 1;
    view_set_number(c, "wqk-gauge-seed", seed, 0);
    if (c->settings->wqk_turn == 0)
        view_set_number(c, "wqk-turn", 0.5, 0);
    show_gauge(w);
}

static void turn_row(const Wqk *w, Rect line) {
    const ViewContext *c = w->c;
    char text[32];
    float turn = c->settings->wqk_turn;
    LabelStyle style = {FONT_SANS, WQK_BODY, c->ui->theme->text_2, LABEL_LEFT};
    LabelStyle number = {FONT_MONO, WQK_BODY, c->ui->theme->text_1, LABEL_RIGHT};
    number_format_fixed(text, sizeof text, (double)turn, 2);
    label_draw(c->ui, rect_cut_left(&line, NAME_W), &style, "Rotate by R");
    label_draw(c->ui, rect_cut_right(&line, 50), &number, text);
    rect_cut_right(&line, 8);
    SliderRange range = {0, 1, 0.01f, 0, false};
    if (!slider(c->ui, ui_id("wqk turn", 0), line, &range, &turn))
        return;
    view_set_number(c, "wqk-turn", round((double)turn * 100) / 100, c->ui->drag_serial);
    show_gauge(w);
}

/* How far one thing moved, as a bar and as a number. */
static void moved_row(const Wqk *w, Rect line, const char *name, double part, const char *value,
                      bool is_good) {
    const Theme *theme = w->c->ui->theme;
    DrawList *list = w->c->ui->list;
    FormulaStyle formula = {.size = 20, .colour = theme->text_1, .align = LABEL_LEFT};
    formula_label(w->c->ui, rect_cut_left(&line, 44), &formula, name);
    Rect words = rect_cut_right(&line, VALUE_W);
    rect_cut_right(&line, 10);
    Rect bar = {line.x, line.y + line.h / 2 - 3, line.w, 6};
    draw_fill(list, bar, 3, theme->hover);
    float share = isfinite(part) ? (float)fmin(fmax(part, 0), 1) : 1;
    Rect done = bar;
    done.w = fmaxf(bar.w * share, 6);
    draw_fill(list, done, 3, is_good ? theme->ok : theme->fill);
    LabelStyle number = {FONT_SANS, WQK_BODY, theme->text_1, LABEL_RIGHT};
    if (strchr(value, '^') != NULL)
        formula_label(w->c->ui, words,
                      &(FormulaStyle){.size = 20, .colour = theme->text_1, .align = LABEL_RIGHT},
                      value);
    else
        label_draw(w->c->ui, words, &number, value);
}

static void moved_text(char *out, size_t capacity, double moved) {
    char number[32];
    number_format_grouped(number, sizeof number, isfinite(moved) ? llround(moved * 100) : 0);
    snprintf(out, capacity, moved < 10 ? "%s %% moved" : "%s %%", number);
}

static void moved_rows(const Wqk *w, Rect *area, float line) {
    char text[64];
    const ProductAnalysis *m = w->m;
    moved_text(text, sizeof text, m->moved_left);
    moved_row(w, rect_cut_top(area, line), w->names->left_plain, m->moved_left, text, false);
    moved_text(text, sizeof text, m->moved_right);
    moved_row(w, rect_cut_top(area, line), w->names->right_plain, m->moved_right, text, false);
    wqk_number(text, sizeof text, (double)m->turned_A);
    bool same = (double)m->turned_A <= wqk_rounding(w);
    moved_row(w, rect_cut_top(area, line), w->names->result, (double)m->turned_A, text, same);
}

/* What has to be said about this R, in as many words as there is room for. */
static const char *note(const Wqk *w, float width, bool *is_warning) {
    const ProductAnalysis *m = w->m;
    bool rope = m->site.turn != NULL && m->product.kind == PRODUCT_QK;
    *is_warning = rope && w->c->settings->wqk_turn > 0;
    if (*is_warning)
        return wqk_fit(w, WQK_SMALL, width, "RoPE stands in between", "RoPE is between");
    if (w->width > 1 || w->c->settings->wqk_gauge != 0)
        return NULL;
    return wqk_fit(w, WQK_SMALL, width, "With one column R can only be ±1", "R can only be ±1");
}

/* Of a line, where it has so much height in all. */
static float line_height(float height) {
    return fminf(LINE, (height - 44) / 5);
}

float wqk_gauge_height(float most) {
    return fminf(HEADING + KIND + 4 * line_height(most) - 5, most);
}

void wqk_gauge(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    const Theme *theme = c->ui->theme;
    if (!w->m->product.has_factors || area.h < LINE)
        return;
    area.w = fminf(area.w, 460);
    draw_part(c->ui->list, PART_RECT(area), "wqk.gauge");
    float line = line_height(area.h);
    Rect rest = wqk_heading(c, rect_cut_top(&area, HEADING), "Gauge");
    LabelStyle style = {FONT_SANS, WQK_BODY, theme->text_2, LABEL_LEFT};
    bool warns;
    const char *said = note(w, rest.w - 20, &warns);
    if (said != NULL && warns) {
        LabelStyle warn = {FONT_SANS_BOLD, WQK_BODY, theme->warn, LABEL_LEFT};
        rect_cut_left(&rest, label_draw(c->ui, rest, &warn, "!") + 8);
    }
    style.size = said != NULL ? WQK_SMALL : WQK_BODY;
    const char *usual =
        wqk_fit(w, WQK_BODY, rest.w, "any R cancels in the product", "any R cancels");
    label_draw(c->ui, rest, &style, said != NULL ? said : usual);
    bool was = ui_disable(c->ui, w->merged > 0.5f); /* where nobody sees it change */
    rect_cut_top(&area, 2);
    kind_row(w, rect_cut_top(&area, KIND - 2));
    turn_row(w, rect_cut_top(&area, line + 4));
    moved_rows(w, &area, line - 3);
    ui_disable(c->ui, was);
}
