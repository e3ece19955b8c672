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
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define BETWEEN   28
#define WORDS_MAX 240
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
        pair_draw(app, rest, "Learned numbers", number, PARAMETERS_HELP);
        return;
    }
    snprintf(factors, sizeof factors, "%s (%s as factors)", number, GROUPED(least));
    pair_draw(app, rest, "Learned numbers", factors, PARAMETERS_HELP);
}

/* Write what one pass costs: multiply-adds and, if there is a clock, time. */
static void pass_words(char *out, size_t capacity, const App *app) {
    Cost cost = cost_of(&app->run.layers[0].shape[app->run.form]);
    bool milli = app->pass_s >= 1e-3;
    size_t used = (size_t)snprintf(out, capacity, "One pass from X to Y takes %s multiply-adds",
                                   GROUPED(cost.multiply_adds));
    if (app->pass_s > 0) /* the clock of a browser may be too coarse */
        used += (size_t)snprintf(out + used, capacity - used, "; the last took %s %s",
                                 FIXED(app->pass_s * (milli ? 1e3 : 1e6), milli ? 1 : 0),
                                 milli ? "ms" : "µs");
    snprintf(out + used, capacity - used, ".");
}

/* Write the largest difference between two forms, such as 3.3·10⁻⁷, and what it means. */
static void difference_words(char *out, size_t capacity, const App *app, double difference,
                             bool same) {
    const Results *run = &app->run;
    bool is_merged = run->form == FORM_MERGED;
    int checked = run->layers[0].checked, used = (int)run->form;
    int power = difference > 0 ? (int)floor(log10(difference)) : 0;
    char number[64];
    if (difference > 0 && isfinite(difference))
        snprintf(number, sizeof number, "%s × 10^{%s}", FIXED(difference / pow(10, power), 1),
                 FIXED(power, 0));
    else
        snprintf(number, sizeof number, "%s", difference == 0 ? "0" : "no number");
    snprintf(out, capacity, "Largest difference of an attention weight, %s or %s: %s. %s ",
             registry_entry(&ATTN_FORMS, is_merged ? checked : used)->id,
             registry_entry(&ATTN_FORMS, is_merged ? used : checked)->id, number,
             same ? "That is the rounding of float32."
                  : "That is more than the rounding of float32.");
}

/* Write the result of the comparison of two forms. */
static void check_words(char *out, size_t capacity, const AttnShape *shape, bool must_agree,
                        bool same) {
    if (!must_agree)
        snprintf(out, capacity, "differs, as expected: rank %d of %d", shape->rank, shape->K);
    else
        snprintf(out, capacity, same ? "Both forms agree" : "forms differ");
}

static void check_mark(App *app, Rect mark, bool same, bool must_agree) {
    const Theme *theme = app->ui.theme;
    LabelStyle warn = {FONT_SANS_BOLD, 20, must_agree ? theme->warn : theme->text_2, LABEL_CENTRE};
    if (same)
        icon_draw(&app->ui, ICON_TICK, rect_centre(mark), 16, theme->ok);
    else
        label_draw(&app->ui, mark, &warn, must_agree ? "!" : "≠");
}

/* Draw whether the current form and another give the same attention, as measured on this layer. Its
 * tooltip has the numbers. Of a layer without another form draw why there is none. */
static void check_draw(App *app, Rect *rest) {
    const Theme *theme = app->ui.theme;
    const LayerResults *layer = &app->run.layers[0];
    bool is_checked = layer->checked != FORM_UNCHECKED;
    char text[64] = "no other form has these weights";
    char difference[WORDS_MAX] = "", pass[WORDS_MAX], help[2 * WORDS_MAX];
    if (is_checked ? !layer->has_trace[layer->checked] : app->run.form != FORM_FREE)
        return;
    double most = (double)layer->figures.form_difference_A;
    bool same = is_checked && most <= form_rounding(&results_trace(&app->run, 0)->S);
    if (is_checked) {
        check_words(text, sizeof text, &layer->shape[app->run.form], layer->must_agree, same);
        difference_words(difference, sizeof difference, app, most, same);
    }
    float width = label_width(&app->ui, FONT_SANS, 18, text, strlen(text));
    if (width + 28 > rest->w)
        return;
    Rect place = {rest->x, rest->y, width + (is_checked ? 28 : 0), rest->h};
    if (is_checked) {
        check_mark(app, rect_cut_left(rest, 18), same, layer->must_agree);
        rect_cut_left(rest, 10);
    }
    bool calm = same || !is_checked || !layer->must_agree;
    LabelStyle words = {FONT_SANS, 18, calm ? theme->text_2 : theme->warn, LABEL_LEFT};
    rect_cut_left(rest, label_draw(&app->ui, *rest, &words, text) + BETWEEN);
    pass_words(pass, sizeof pass, app);
    snprintf(help, sizeof help, "%s%s", difference, pass);
    tip_draw(app, place, "Check of the forms", help);
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
    tip_draw(app, (Rect){rest->x, rest->y, width, rest->h}, "Set by hand",
             "Numbers that you set in place of computed or learned ones. The inspector lists them; "
             "Ctrl Z undoes the last.");
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
    } else if (app_has_picture(app)) {
        if (app->layout.width < LAYOUT_NARROW)
            parameters_draw(app, &rest,
                            cost_of(&app->run.layers[0].shape[app->run.form]).parameters);
        check_draw(app, &rest);
        hand_draw(app, &rest);
        edges_draw(app, &rest);
    }
    state_draw(app, rest);
}
