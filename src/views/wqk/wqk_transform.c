/* R's panel: the choice of the invertible matrix R between the factors, and how far R moves them.
 * */
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

/* Draw how far one matrix has moved: a bar of length `part`, 0 to 1, and the value as text. */
static void moved_row(const Wqk *w, Rect line, const char *name, double part, const char *value,
                      bool is_good) {
    const Theme *theme = w->ui->theme;
    text_in(w->ui, rect_cut_left(&line, 44), TEXT_FORMULA, "%s", name);
    bool is_power = strchr(value, '^') != NULL;
    text_in(w->ui, rect_cut_right(&line, VALUE_W),
            TEXT_RIGHT | TEXT_BRIGHT | (is_power ? TEXT_FORMULA : TEXT_BODY), "%s", value);
    rect_cut_right(&line, 10);
    Rect bar = {line.x, line.y + line.h / 2 - 3, line.w, 6};
    draw_fill(w->ui->list, bar, 3, theme->hover);
    bar.w = fmaxf(bar.w * (isfinite(part) ? (float)fmin(fmax(part, 0), 1) : 1), 6);
    draw_fill(w->ui->list, bar, 3, is_good ? theme->ok : theme->fill);
}

/* Draw the choice of the kind of R, a button with dice for another random R, and a slider for how
 * far it rotates. A change also makes the proof compare the results with and without R. */
static void choices(const Wqk *w, Rect line, Rect slider_line) {
    static const char *const labels[] = {"Rotation", "Any invertible"};
    static const char *const brief[] = {"Rotation", "Any"};
    const ViewContext *c = w->c;
    Ui *ui = w->ui;
    float turn = w->settings->wqk_turn;
    Rect dice = rect_cut_right(&line, 36);
    bool fits = segmented_width(ui, labels, 2) <= line.w - 8;
    const char *const *shown = fits ? labels : brief;
    Rect place = rect_cut_left(&line, fminf(segmented_width(ui, shown, 2), line.w));
    int kind = segmented(ui, ui_id("wqk gauge", 0), place, shown, 2, w->settings->wqk_transform);
    bool is_rolled = button_icon(ui, ui_id("wqk dice", 0), dice, ICON_DICE);
    const SliderRow row = {"", "Rotate by R",          FIXED((double)turn, 2), 0, NAME_W,
                           58, {0, 1, 0.01f, 0, false}};
    bool is_turned = slider_row(ui, ui_id("wqk turn", 0), slider_line, &row, &turn);
    if (kind >= 0)
        view_set_row(c, "wqk-gauge", kind);
    if (is_rolled)
        view_set_number(c, "wqk-gauge-seed", w->settings->wqk_transform_seed % 99999 + 1, 0);
    if (is_rolled && w->settings->wqk_turn == 0)
        view_set_number(c, "wqk-turn", 0.5, 0);
    if (is_turned)
        view_set_number(c, "wqk-turn", round((double)turn * 100) / 100, ui->drag_serial);
    if ((kind >= 0 || is_rolled || is_turned) && w->settings->wqk_against != AGAINST_TRANSFORM)
        view_set(c, "wqk-against", "gauge", 0);
}

static float line_height(float height) {
    return fminf(LINE, (height - 44) / 5);
}

float wqk_transform_height(float most) {
    return fminf(HEADING + KIND + 4 * line_height(most) - 5, most);
}

void wqk_transform(const Wqk *w, Rect area) {
    Ui *ui = w->ui;
    const ProductAnalysis *m = w->m;
    draw_part(ui->list, PART_RECT(area), "wqk.gauge");
    if (!w->p->has_factors || area.h < LINE)
        return;
    area.w = fminf(area.w, 460);
    float line = line_height(area.h);
    Rect rest = text_section(ui, &area, HEADING, "Gauge", NULL);
    bool is_sign = w->width <= 1 && w->settings->wqk_transform == 0;
    if (w->rope && w->settings->wqk_turn > 0) {
        text_left(ui, &rest, TEXT_STRONG | TEXT_WARN, "!");
        text_in(ui, rest, TEXT_NOTE,
                "With RoPE between the factors R does not cancel\nWith RoPE R does not "
                "cancel\nR does not cancel");
    } else if (is_sign) {
        text_in(ui, rest, TEXT_NOTE, "With one column R can only be ±1\nR can only be ±1");
    } else {
        text_in(ui, rest, TEXT_BODY, "any R cancels in the product\nany R cancels");
    }
    /* Disabled while merged, because the factors are then hidden. */
    bool was = ui_disable(ui, w->merged > 0.5f);
    rect_cut_top(&area, 2);
    Rect kind = rect_cut_top(&area, KIND - 2);
    choices(w, kind, rect_cut_top(&area, line + 4));
    const char *const names[] = {w->names->left_plain, w->names->right_plain};
    const double moved[] = {m->moved_left, m->moved_right};
    for (int i = 0; i < 2; i++) {
        const char *percent = GROUPED(isfinite(moved[i]) ? llround(moved[i] * 100) : 0);
        moved_row(w, rect_cut_top(&area, line - 3), names[i], moved[i],
                  PRINT(moved[i] < 10 ? "%s %% moved" : "%s %%", percent), false);
    }
    double A = (double)m->transformed_A;
    moved_row(w, rect_cut_top(&area, line - 3), w->names->result, A, WQK_NUMBER(A),
              A <= wqk_rounding(w));
    ui_disable(ui, was);
}
