#include "app/chrome.h"

#include <stdio.h>

#include "app/part_menu.h"
#include "base/number.h"
#include "base/util.h"
#include "model/attention/form.h"
#include "results/by_hand.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/shared/number_editor.h"

#define SHOWN_MOST 3 /* number of values that are listed; the others are only counted */
#define ROW_H      32
#define NAME_TEXT  400

void hand_edit(App *app, int argument) {
    (void)argument;
    if (!app_has_picture(app))
        return;
    const ViewContext *context = app_context(app);
    AttnCell cell = view_focus(context);
    if (attn_cell_is_set(cell) && cell.layer == 0) {
        NumberOffer offer = part_menu_offer(app, cell);
        if (offer.row.w == 0) {
            offer.row = app->layout.view;
            offer.row.h = 64; /* no matrix shows the cell: open below the title */
        }
        number_editor_open(context, offer.place, offer.cell, offer.row);
    } else
        app_say(app, "Pin a cell first, to edit its score");
}

void hand_reset(App *app, int argument) {
    (void)argument;
    if (app->session.hand == NULL)
        app_say(app, "No number is set by hand");
    else
        app_apply(app, &(Edit){.is_by_hand = true, .hand = HAND_RESET});
}

/* Set a number that belongs to a whole head, or restore it. head -1 is the chosen head. */
static void toggle(App *app, HandNumber number) {
    const AttnShape *shape = &app->run.layers[0].shape[app->run.form];
    if (number.head < 0)
        number.head = app->session.options.head - 1;
    if (!app_has_picture(app) || number.head >= shape->H)
        return;
    bool sets = hand_set_find(app->session.hand, &number) == NULL;
    app_apply(app, &(Edit){.is_by_hand = true, .hand = hand_paint_of(&number, sets)});
}

void hand_zero_head(App *app, int head) {
    toggle(app, (HandNumber){.name = HAND_GAIN, .head = head});
}

void hand_mean_head(App *app, int head) {
    toggle(app, (HandNumber){.name = HAND_MEAN, .head = head, .value = 1});
}

/* Write how many numbers are set by hand: "1 of 144 scores, 2 of 16,384 learned numbers". */
static void counts_write(char *out, size_t capacity, const App *app, int head) {
    HandCount count = results_hand_count(&app->run, head);
    long long T = app->run.T, D = app->run.X.cols;
    const AttnShape *shape = &app->run.layers[0].shape[app->run.form];
    int used = 0, sigmas, cols;
    hand_name_size(&sigmas, &cols, HAND_SIGMA, shape);
    out[0] = '\0';
    const struct {
        int count;
        long long all;
        const char *what;
    } rows[] = {{count.scores, T * T, "scores"},
                {count.input, T * D, "numbers of X"},
                {count.learned, cost_of(shape).parameters, "learned numbers"},
                {count.sigmas, (long long)sigmas * shape->H, "singular values"},
                {count.gains, shape->H, "gains"},
                {count.means, shape->H, "means"}};
    for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
        if (rows[i].count > 0)
            used +=
                snprintf(out + used, capacity - (size_t)used, "%s%s of %s %s", used > 0 ? ", " : "",
                         GROUPED(rows[i].count), GROUPED(rows[i].all), rows[i].what);
    if (used == 0)
        snprintf(out, capacity, "0 scores of this head");
}

static void restore(App *app, int i) {
    HandPaint paint = hand_paint_of(&app->session.hand->at[i], false);
    app_apply(app, &(Edit){.is_by_hand = true, .hand = paint});
}

static void number_row(App *app, Rect *rest, const ViewContext *c, int i) {
    const HandNumber *number = &app->session.hand->at[i];
    char name[NUMBER_NAME_MAX], brief[NUMBER_NAME_MAX];
    Rect line = rect_cut_top(rest, ROW_H), button = rect_cut_right(&line, 28);
    UiId id = ui_id("number again", i);
    if (button_icon(&app->ui, id, rect_inset(button, 0, 2), ICON_CLOSE))
        app_do(app, restore, i);
    tooltip(&app->ui, id, button, "Reset", "Restore the computed or learned value of this number.");
    rect_cut_right(&line, 8);
    text_right(&app->ui, &line, TEXT_NUMBER, "%s", SHORT((double)number->value));
    number_name(name, c, number);
    number_name_brief(brief, number);
    text_in(&app->ui, line, TEXT_CAPTION | (number->name < HAND_X ? 0 : TEXT_PLAIN), "%s\n%s", name,
            brief);
}

void hand_list_draw(App *app, Rect *rest) {
    const HandSet *set = app->session.hand;
    if (set == NULL)
        return;
    int head = app->session.options.head - 1, count = set->count;
    long long pairs = (long long)app->run.T * app->run.T;
    char counts[NAME_TEXT], sentence[NAME_TEXT + 120];
    Rect line = rect_cut_top(rest, 36);
    Rect reset = rect_cut_right(&line, 104);
    text_in(&app->ui, line, TEXT_HEADING, "Set by hand");
    command_button(app, reset, "Reset all", "numbers-reset");
    rect_cut_top(rest, 4);
    for (int i = count > SHOWN_MOST ? count - SHOWN_MOST : 0; i < count; i++)
        number_row(app, rest, app_context(app), i);
    if (count > SHOWN_MOST)
        text_line(&app->ui, rest, TEXT_NOTE, "and %s more", GROUPED(count - SHOWN_MOST));
    counts_write(counts, sizeof counts, app, head);
    if (app->run.hand_changed_known)
        snprintf(sentence, sizeof sentence,
                 "%s set by hand; %s of %s attention weights of head %d changed.", counts,
                 GROUPED(app->run.hand_changed[head]), GROUPED(pairs), head + 1);
    else
        snprintf(sentence, sizeof sentence, "%s set by hand.", counts);
    text_wrap(&app->ui, rest, TEXT_BODY, sentence);
    rect_cut_top(rest, 16);
}
