#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "base/number.h"
#include "base/utf8.h"
#include "model/attention/form.h"
#include "ui/button.h"
#include "ui/label.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define BETWEEN   28
#define SPARE     130 /* px reserved for the button that copies the state */
#define WORDS_MAX 480

/* Draw the number of parameters. For a truncated W_QK, also draw that of two thin factors with the
 * same product, if it is smaller. */
static void parameters_draw(App *app, Rect *rest) {
    static const char name[] = "Learned numbers";
    Ui *ui = &app->ui;
    const AttnShape *shape = &app->run.layers[0].shape[app->run.form];
    long long E = attn_input_width(shape), whole = cost_of(shape).parameters;
    long long least = whole - shape->H * (E * E - 2 * E * shape->rank);
    const char *value = shape->form == FORM_RANK && least < whole
                            ? PRINT("%s (%s as factors)", GROUPED(whole), GROUPED(least))
                            : GROUPED(whole);
    float name_w = text_width(ui, TEXT_BODY, name) + 10;
    Rect place = {rest->x, rest->y, name_w + text_width(ui, TEXT_NUMBER, "%s", value), rest->h};
    if (place.w > rest->w)
        return;
    tooltip_over(ui, ui_id(name, 0), place, name,
                 "Learned numbers of the layer: the entries of its weight matrices and biases. No "
                 "text changes them; training does.");
    text_in(ui, rect_cut_left(rest, name_w), TEXT_BODY | TEXT_FAINT, name);
    rect_cut_left(rest, text_in(ui, *rest, TEXT_NUMBER, "%s", value) + BETWEEN);
}

/* Write the largest difference between two forms, such as 3.3·10⁻⁷, and its meaning. Then write the
 * cost of one pass: multiply-adds and, if there is a clock, time. */
static void check_help(char out[WORDS_MAX], const App *app, bool is_checked, bool same) {
    const Results *run = &app->run;
    const LayerResults *layer = &run->layers[0];
    size_t used = 0;
    if (is_checked) {
        bool is_merged = run->form == FORM_MERGED;
        double most = (double)layer->figures.form_difference_A;
        int power = most > 0 ? (int)floor(log10(most)) : 0;
        const char *number =
            most > 0 && isfinite(most)
                ? PRINT("%s × 10^{%s}", FIXED(most / pow(10, power), 1), FIXED(power, 0))
            : most == 0 ? "0"
                        : "no number";
        used = (size_t)snprintf(
            out, WORDS_MAX,
            "Largest difference of an attention weight between the forms %s and %s: %s. %s ",
            registry_entry(&ATTN_FORMS, is_merged ? layer->checked : (int)run->form)->id,
            registry_entry(&ATTN_FORMS, is_merged ? (int)run->form : layer->checked)->id, number,
            same ? "That is the rounding of float32."
                 : "That is more than the rounding of float32.");
    }
    bool milli = app->pass_s >= 1e-3;
    used += (size_t)snprintf(out + used, WORDS_MAX - used,
                             "One pass from X to Y takes %s multiply-adds",
                             GROUPED(cost_of(&layer->shape[run->form]).multiply_adds));
    if (app->pass_s > 0) /* the clock of a browser may be too coarse to measure it */
        used += (size_t)snprintf(out + used, WORDS_MAX - used, "; the last took %s %s",
                                 FIXED(app->pass_s * (milli ? 1e3 : 1e6), milli ? 1 : 0),
                                 milli ? "ms" : "µs");
    snprintf(out + used, WORDS_MAX - used, ".");
}

/* Draw whether the current form and another form give the same attention, as measured on this
 * layer. The tooltip has the numbers. If the layer has no other form, draw why. */
static void check_draw(App *app, Rect *rest) {
    Ui *ui = &app->ui;
    const LayerResults *layer = &app->run.layers[0];
    const AttnShape *shape = &layer->shape[app->run.form];
    bool is_checked = layer->checked != FORM_UNCHECKED;
    if (is_checked ? !layer->has_trace[layer->checked] : app->run.form != FORM_FREE)
        return;
    bool same = is_checked && (double)layer->figures.form_difference_A <=
                                  form_rounding(&results_trace(&app->run, 0)->S);
    bool calm = same || !is_checked || !layer->must_agree;
    char help[WORDS_MAX];
    const char *text = !is_checked ? "no other form has these weights"
                       : !layer->must_agree
                           ? PRINT("differs, as expected: rank %d of %d", shape->rank, shape->K)
                       : same ? "Both forms agree"
                              : "forms differ";
    unsigned style = TEXT_BODY | (calm ? 0 : TEXT_WARN);
    Rect place = *rest;
    place.w = text_width(ui, style, "%s", text) + (is_checked ? 28 : 0);
    if (place.w > rest->w)
        return;
    if (is_checked) {
        Rect mark = rect_cut_left(rest, 18);
        if (same)
            icon_draw(ui, ICON_TICK, rect_centre(mark), 16, ui->theme->ok);
        else
            text_in(ui, mark, TEXT_HEADING | TEXT_CENTRE | (calm ? TEXT_DIM : TEXT_WARN), "%s",
                    calm ? "≠" : "!");
        rect_cut_left(rest, 10);
    }
    rect_cut_left(rest, text_in(ui, *rest, style, "%s", text) + BETWEEN);
    check_help(help, app, is_checked, same);
    tooltip_over(ui, ui_id("check", 0), place, "Check of the forms", help);
}

static void hand_draw(App *app, Rect *rest) {
    int count = app->session.hand != NULL ? app->session.hand->count : 0;
    const char *text = PRINT("%s number%s set by hand", GROUPED(count), count == 1 ? "" : "s");
    Rect place = *rest;
    place.w = text_width(&app->ui, TEXT_BODY, "%s", text);
    if (app->session.hand == NULL || place.w + SPARE > rest->w)
        return;
    tooltip_over(
        &app->ui, ui_id("set by hand", 0), place, "Set by hand",
        "Numbers that you set in place of computed or learned ones. The inspector lists them; "
        "Ctrl Z undoes the last.");
    text_in(&app->ui, rect_cut_left(rest, place.w), TEXT_BODY | TEXT_BRIGHT, "%s", text);
    rect_cut_left(rest, BETWEEN);
}

/* Draw the button that undoes edits of edges. It is at the row's end, so that no control moves
 * when it appears. */
static void edges_draw(App *app, Rect *rest) {
    long edited = app->run.edges_edited;
    const char *text = PRINT("%s edge%s edited ×", GROUPED(edited), edited == 1 ? "" : "s");
    float width = text_width(&app->ui, TEXT_BODY, "%s", text) + 24;
    if (app->session.edges == NULL || width + SPARE > rest->w)
        return;
    command_button(app, rect_inset(rect_cut_left(rest, width), 0, 4), text, "edges-reset");
    rect_cut_left(rest, BETWEEN);
}

/* Draw the button that copies the state string. It shows the string or, in a narrow window, a short
 * name. */
static void state_draw(App *app, Rect rest) {
    Ui *ui = &app->ui;
    UiId id = ui_id("state string", 0);
    char text[APP_STATE_MAX];
    bool copied = app->copied_until_s > app->time_s;
    bool is_long = app->layout.width == LAYOUT_WIDE && !copied;
    StateExtra extra = settings_extra(&app->settings, NULL);
    char *made = is_long ? state_make(&app->session, &extra) : NULL;
    snprintf(text, sizeof text, "%s",
             copied                            ? "Copied"
             : !is_long                        ? "State"
             : made == NULL || made[0] == '\0' ? "the default state"
                                               : made);
    free(made);
    LabelStyle style = {is_long ? FONT_MONO : FONT_SANS, 18, ui->theme->text_3, LABEL_RIGHT};
    float width = label_text_width(ui, &style, text) + 44;
    if (rest.w < 110)
        return;
    Rect button = rect_inset(rect_cut_right(&rest, width), 0, 4), words = button;
    UiState control = button_ground(ui, id, button, 6, COLOUR_CLEAR);
    icon_draw(ui, ICON_COPY, rect_centre(rect_cut_right(&words, 28)), 16, ui->theme->text_2);
    label_draw(ui, words, &style, text);
    if (copied)
        ui_wake(ui, app->copied_until_s);
    tip_command(app, id, button, "copy-state");
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
            parameters_draw(app, &rest);
        check_draw(app, &rest);
        hand_draw(app, &rest);
        edges_draw(app, &rest);
    }
    app->status_end = rest.x;
    state_draw(app, rest);
}
