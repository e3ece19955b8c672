#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/button.h"
#include "views/wqk/wqk_view.h"

#define LINE    34
#define NAME_W  104
#define VALUE_W 120
#define HEADING 34
#define KIND    38

/* Show attention with and without R next to each other when R is put between the factors. */
static void show_transform(const Wqk *w) {
    if (w->c->settings->wqk_against != AGAINST_TRANSFORM)
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
    int clicked =
        segmented(c->ui, ui_id("wqk gauge", 0), place, shown, 2, c->settings->wqk_transform);
    if (clicked >= 0) {
        view_set(c, "wqk-gauge", registry_entry(&WQK_TRANSFORMS, clicked)->id, 0);
        show_transform(w);
    }
    if (!button_icon(c->ui, ui_id("wqk dice", 0), dice, ICON_DICE))
        return;
    int seed = c->settings->wqk_transform_seed % 99999 + 1;
    view_set_number(c, "wqk-gauge-seed", seed, 0);
    if (c->settings->wqk_turn == 0)
        view_set_number(c, "wqk-turn", 0.5, 0);
    show_transform(w);
}

static void turn_row(const Wqk *w, Rect line) {
    const ViewContext *c = w->c;
    float turn = c->settings->wqk_turn;
    text_in(c->ui, rect_cut_left(&line, NAME_W), TEXT_BODY, "Rotate by R");
    text_in(c->ui, rect_cut_right(&line, 58), TEXT_NUMBER | TEXT_RIGHT, "%s",
            FIXED((double)turn, 2));
    if (!slider(c->ui, ui_id("wqk turn", 0), line, &(SliderRange){0, 1, 0.01f, 0, false}, &turn))
        return;
    view_set_number(c, "wqk-turn", round((double)turn * 100) / 100, c->ui->drag_serial);
    show_transform(w);
}

/* Draw how far one matrix moved: a bar of `part`, 0 to 1, and the value as text. */
static void moved_row(const Wqk *w, Rect *area, float line_h, const char *name, double part,
                      const char *value, bool is_good) {
    const Theme *theme = w->c->ui->theme;
    Rect line = rect_cut_top(area, line_h);
    text_in(w->c->ui, rect_cut_left(&line, 44), TEXT_FORMULA, "%s", name);
    bool is_power = strchr(value, '^') != NULL;
    text_in(w->c->ui, rect_cut_right(&line, VALUE_W),
            TEXT_RIGHT | TEXT_BRIGHT | (is_power ? TEXT_FORMULA : TEXT_BODY), "%s", value);
    rect_cut_right(&line, 10);
    Rect bar = {line.x, line.y + line.h / 2 - 3, line.w, 6}, done = bar;
    draw_fill(w->c->ui->list, bar, 3, theme->hover);
    done.w = fmaxf(bar.w * (isfinite(part) ? (float)fmin(fmax(part, 0), 1) : 1), 6);
    draw_fill(w->c->ui->list, done, 3, is_good ? theme->ok : theme->fill);
}

static void moved_rows(const Wqk *w, Rect *area, float line) {
    const ProductAnalysis *m = w->m;
    const char *const names[] = {w->names->left_plain, w->names->right_plain};
    const double moved[] = {m->moved_left, m->moved_right};
    for (int i = 0; i < 2; i++) {
        const char *percent = GROUPED(isfinite(moved[i]) ? llround(moved[i] * 100) : 0);
        const char *text = PRINT(moved[i] < 10 ? "%s %% moved" : "%s %%", percent);
        moved_row(w, area, line, names[i], moved[i], text, false);
    }
    bool same = (double)m->transformed_A <= wqk_rounding(w);
    moved_row(w, area, line, w->names->result, (double)m->transformed_A,
              WQK_NUMBER((double)m->transformed_A), same);
}

/* Return a note about the chosen R, followed by its short form, and set *is_warning. Return NULL if
 * there is nothing to note. */
static const char *note(const Wqk *w, bool *is_warning) {
    bool rope = w->m->inputs.rotations != NULL && w->m->product.kind == PRODUCT_QK;
    *is_warning = rope && w->c->settings->wqk_turn > 0;
    if (*is_warning)
        return "RoPE stands in between\nRoPE is between";
    if (w->width > 1 || w->c->settings->wqk_transform != 0)
        return NULL;
    return "With one column R can only be ±1\nR can only be ±1";
}

/* Return the height of a line in a panel this high. */
static float line_height(float height) {
    return fminf(LINE, (height - 44) / 5);
}

float wqk_transform_height(float most) {
    return fminf(HEADING + KIND + 4 * line_height(most) - 5, most);
}

void wqk_transform(const Wqk *w, Rect area) {
    Ui *ui = w->c->ui;
    draw_part(ui->list, PART_RECT(area), "wqk.gauge");
    if (!w->m->product.has_factors || area.h < LINE)
        return;
    area.w = fminf(area.w, 460);
    float line = line_height(area.h);
    Rect rest = text_section(ui, &area, HEADING, "Gauge", NULL);
    bool is_warning;
    const char *text = note(w, &is_warning);
    if (is_warning)
        text_left(ui, &rest, TEXT_STRONG | TEXT_WARN, "!");
    text_in(ui, rest, text != NULL ? TEXT_NOTE : TEXT_BODY, "%s",
            text != NULL ? text : "any R cancels in the product\nany R cancels");
    bool was = ui_disable(ui, w->merged > 0.5f); /* the factors are hidden then */
    rect_cut_top(&area, 2);
    kind_row(w, rect_cut_top(&area, KIND - 2));
    turn_row(w, rect_cut_top(&area, line + 4));
    moved_rows(w, &area, line - 3);
    ui_disable(ui, was);
}
