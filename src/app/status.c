#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/tip.h"
#include "base/number.h"
#include "model/attention/cost.h"
#include "model/attention/form.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define BETWEEN 28
#define CHECK_HELP                                                                                 \
    "The largest difference between the attention weights of two forms of the same layer, W_Q "    \
    "and W_K apart or merged. 0: equal; about 10^{−6}, and more for large scores, is the "       \
    "rounding of float32."
#define PARAMETERS_HELP                                                                            \
    "Learned numbers of the layer: the entries of its weight matrices and biases. No text "        \
    "changes "                                                                                     \
    "them; training does."

static LabelStyle value_style(const App *app) {
    return (LabelStyle){FONT_MONO, 18, app->ui.theme->text_1, LABEL_LEFT};
}

/* Add a tooltip to a part of the row that is no control. */
static void tip_draw(App *app, Rect place, const char *title, const char *text) {
    tooltip_on(&app->ui, ui_id(title, 0), place, ui_over(&app->ui, place),
               &(Tooltip){.title = title, .text = text});
}

/* Draw a name and its value with a tooltip, if both fit. */
static void pair_draw(App *app, Rect *rest, const char *name, const char *value, const char *help) {
    LabelStyle left = {FONT_SANS, 18, app->ui.theme->text_3, LABEL_LEFT}, right = value_style(app);
    float width = label_width(&app->ui, left.font, left.size, name, strlen(name)) + 10 +
                  label_width(&app->ui, right.font, right.size, value, strlen(value));
    if (width > rest->w)
        return;
    tip_draw(app, (Rect){rest->x, rest->y, width, rest->h}, name, help);
    rect_cut_left(rest, label_draw(&app->ui, *rest, &left, name) + 10);
    rect_cut_left(rest, label_draw(&app->ui, *rest, &right, value) + BETWEEN);
}

/* Draw the number of parameters. For a truncated W_QK draw both: of the square matrix, and of two
 * thin factors with the same product. */
static void parameters_draw(App *app, Rect *rest, long long whole) {
    const AttnShape *shape = &app->run.layers[0].shape[app->run.form];
    char number[32], factors[96];
    long long E = attn_input_width(shape);
    long long least = whole - shape->H * (E * E - 2 * E * shape->rank);
    number_format_grouped(number, sizeof number, whole);
    if (shape->form != FORM_RANK || least >= whole) {
        pair_draw(app, rest, "Parameters", number, PARAMETERS_HELP);
        return;
    }
    snprintf(factors, sizeof factors, "%s (%s as factors)", number, GROUPED(least));
    pair_draw(app, rest, "Parameters", factors, PARAMETERS_HELP);
}

static void counts_draw(App *app, Rect *rest) {
    Cost cost = cost_of(&app->run.layers[0].shape[app->run.form]);
    char time[48];
    parameters_draw(app, rest, cost.parameters);
    pair_draw(app, rest, "Multiply-adds", GROUPED(cost.multiply_adds),
              "Multiplications, each with an addition, of one pass from X to Y over this text.");
    if (app->pass_s <= 0) /* the clock of a browser may be too coarse */
        return;
    bool milli = app->pass_s >= 1e-3;
    snprintf(time, sizeof time, "%s %s", FIXED(app->pass_s * (milli ? 1e3 : 1e6), milli ? 1 : 0),
             milli ? "ms" : "µs");
    pair_draw(app, rest, "Last pass", time,
              "How long this computer took to compute the layer last, from the text to Y.");
}

/* Draw a small number with a power of ten, such as 3.3·10⁻⁷. */
static float scientific_draw(App *app, Rect rest, double value) {
    LabelStyle style = value_style(app);
    if (!(value > 0))
        return label_draw(&app->ui, rest, &style, value == 0 ? "0" : "×");
    int power = (int)floor(log10(value));
    char digits[48];
    snprintf(digits, sizeof digits, "%s × 10", FIXED(value / pow(10, power), 1));
    float width = label_draw(&app->ui, rest, &style, digits);
    style.size = 13;
    Rect above = {rest.x + width + 1, rest.y - 7, rest.w - width, rest.h};
    return width + 1 + label_draw(&app->ui, above, &style, FIXED(power, 0));
}

/* Write the result of the comparison of two forms. */
static void check_words(char *out, size_t capacity, const Results *run, const LayerResults *layer,
                        bool same) {
    const AttnShape *shape = &layer->shape[run->form];
    if (!layer->must_agree)
        snprintf(out, capacity, "differs, as expected: rank %d of %d", shape->rank, shape->K);
    else if (!same)
        snprintf(out, capacity, "forms differ");
    else
        snprintf(
            out, capacity, "%s vs %s",
            registry_entry(&ATTN_FORMS, run->form == FORM_MERGED ? layer->checked : (int)run->form)
                ->id,
            registry_entry(&ATTN_FORMS, run->form == FORM_MERGED ? (int)run->form : layer->checked)
                ->id);
}

/* Draw why there is no other form to compare this one with. */
static void unchecked_draw(App *app, Rect *rest) {
    const char *text = app->run.form == FORM_FREE ? "no other form has these weights" : NULL;
    if (text != NULL && label_width(&app->ui, FONT_SANS, 18, text, strlen(text)) <= rest->w)
        rect_cut_left(rest, text_in(&app->ui, *rest, TEXT_BODY, "%s", text) + BETWEEN);
}

static void check_mark(App *app, Rect mark, bool same, bool must_agree) {
    const Theme *theme = app->ui.theme;
    LabelStyle warn = {FONT_SANS_BOLD, 20, must_agree ? theme->warn : theme->text_2, LABEL_CENTRE};
    if (same)
        icon_draw(&app->ui, ICON_TICK, rect_centre(mark), 16, theme->ok);
    else
        label_draw(&app->ui, mark, &warn, must_agree ? "!" : "≠");
}

/* Draw whether the current form and another give the same attention, as measured on this layer. */
static void check_draw(App *app, Rect *rest) {
    const Theme *theme = app->ui.theme;
    const LayerResults *layer = &app->run.layers[0];
    if (layer->checked == FORM_UNCHECKED) {
        unchecked_draw(app, rest);
        return;
    }
    if (rest->w < 230 || !layer->has_trace[layer->checked])
        return;
    double difference = (double)app->run.layers[0].figures.form_difference_A;
    bool same = difference <= form_rounding(&results_trace(&app->run, 0)->S);
    char text[64];
    float from = rest->x;
    check_words(text, sizeof text, &app->run, layer, same);
    check_mark(app, rect_cut_left(rest, 18), same, layer->must_agree);
    rect_cut_left(rest, 10);
    Vec2 at = {rest->x, rest->y + rest->h / 2 + 6};
    rect_cut_left(rest, formula_draw(&app->ui, at, 19, theme->text_1, "\"max\" |ΔA|") + 10);
    rect_cut_left(rest, scientific_draw(app, *rest, difference) + 12);
    bool calm = same || !layer->must_agree;
    LabelStyle words = {FONT_SANS, 18, calm ? theme->text_2 : theme->warn, LABEL_LEFT};
    if (label_width(&app->ui, FONT_SANS, 18, text, strlen(text)) <= rest->w)
        rect_cut_left(rest, label_draw(&app->ui, *rest, &words, text) + BETWEEN);
    tip_draw(app, (Rect){from, rest->y, rest->x - from, rest->h}, "Check of the forms", CHECK_HELP);
}

/* Say how many numbers are set by hand. */
static void hand_draw(App *app, Rect *rest) {
    if (app->session.hand == NULL)
        return;
    char text[64];
    int count = app->session.hand->count;
    snprintf(text, sizeof text, "%s number%s set by hand", GROUPED(count), count == 1 ? "" : "s");
    float width = text_width(&app->ui, TEXT_BODY | TEXT_BRIGHT, "%s", text);
    if (width + 130 > rest->w)
        return;
    rect_cut_left(rest, text_in(&app->ui, *rest, TEXT_BODY | TEXT_BRIGHT, "%s", text) + BETWEEN);
}

/* Draw the button that undoes edits of edges. It is at the row's end, so that no control moves
 * when it appears. */
static void edges_draw(App *app, Rect *rest) {
    char text[48];
    if (app->session.edges == NULL)
        return;
    long edited = app->run.edges_edited;
    snprintf(text, sizeof text, "%s edge%s edited ×", GROUPED(edited), edited == 1 ? "" : "s");
    float width = label_width(&app->ui, FONT_SANS, 18, text, strlen(text)) + 24;
    if (width + 130 > rest->w)
        return;
    UiId id = ui_id("edges", 0);
    Rect place = rect_inset(rect_cut_left(rest, width), 0, 4);
    if (button_text(&app->ui, id, place, text))
        command_run(app, "edges-reset");
    tip_command(app, id, place, "edges-reset");
    rect_cut_left(rest, BETWEEN);
}

static void state_draw(App *app, Rect rest) {
    char state[APP_STATE_MAX];
    const Theme *theme = app->ui.theme;
    StateExtra extra = settings_extra(&app->settings, NULL);
    bool wide = app->layout.width == LAYOUT_WIDE;
    size_t bytes = state_write(state, sizeof state, &app->session, &extra);
    if (bytes == 0)
        snprintf(state, sizeof state, "the default state");
    bool copied = app->copied_until_s > app->time_s;
    const char *text = copied ? "Copied" : wide ? state : "State";
    LabelStyle style = {wide && !copied ? FONT_MONO : FONT_SANS, 18, theme->text_3, LABEL_RIGHT};
    float width =
        fminf(label_width(&app->ui, style.font, style.size, text, strlen(text)), rest.w - 44);
    Rect button = {rect_right(rest) - width - 44, rest.y + 4, width + 44, rest.h - 8};
    if (rest.w < 110)
        return;
    Rect place = button;
    UiState control = ui_control(&app->ui, ui_id("state string", 0), button, 0);
    if (control.hovered)
        draw_fill(app->ui.list, button, 6, theme->hover);
    ui_focus_ring(&app->ui, ui_id("state string", 0), button, 6);
    Rect icon = rect_cut_right(&button, 28);
    icon_draw(&app->ui, ICON_COPY, rect_centre(icon), 16, theme->text_2);
    label_draw(&app->ui, button, &style, text);
    if (copied)
        ui_wake(&app->ui, app->copied_until_s);
    tip_command(app, ui_id("state string", 0), place, "copy-state");
    if (control.clicked)
        command_run(app, "copy-state");
}

void status_draw(App *app) {
    Rect row = app->layout.status;
    draw_fill(app->ui.list, row, 0, app->ui.theme->chrome);
    Rect rest = rect_inset(row, 24, 0);
    if (work_is_said(app)) {
        work_status_draw(app, &rest);
        rect_cut_left(&rest, BETWEEN);
    } else if (app->run.valid && app->run.T > 0) {
        if (app->layout.width < LAYOUT_NARROW)
            counts_draw(app, &rest);
        check_draw(app, &rest);
        hand_draw(app, &rest);
        edges_draw(app, &rest);
    }
    state_draw(app, rest);
}
