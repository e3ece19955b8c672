/* The strip of a tour that is edited: a card for each step, and fields for the texts of a step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/tour.h"
#include "base/util.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/text_field.h"
#include "views/tour_numbers.h"

#define PAD       16
#define GAP       8
#define CARD_W    144
#define CARD_H    108
#define CARD_PAD  8
#define PICTURE_W 1280 /* px: width of the window that a card shows at a smaller size */
#define PICTURE_H 720
#define WAIT_S    0.05
#define LEFT_W    300 /* px: width of the fields at the left */
#define LEFT_MOST 0.3f

float tour_strip_height(const App *app) {
    float all = 2 * PAD + 3 * BUTTON_HEIGHT + CARD_H + 3 * GAP;
    return fminf(all, app->layout.view.h * 0.6f);
}

static UiId field_id(TourField field) {
    return ui_id("tour field", (int)field);
}

void tour_strip_focus(App *app) {
    app->ui.focus = field_id(TOUR_FIELD_CAPTION);
    app->ui.focus_visible = false;
}

static void field_draw(App *app, TourField field, Rect place, const char *hint) {
    AppTourEditor *e = &app->tour_editor;
    Ui *ui = &app->ui;
    UiId id = field_id(field);
    char *text = e->texts[field], wrong[sizeof(Err)];
    Err err;
    if (e->typed == field && (ui->focus != id || e->typed_step != app->tour.step))
        tour_editor_commit(app);
    if (e->typed != field) {
        const char *words = tour_editor_text(app, app->tour.step, field);
        snprintf(text, TOUR_FIELD_MAX, "%s", words != NULL ? words : "");
        e->edits[field] = (LineEdit){.caret = strlen(text)};
        e->edits[field].anchor = ui->focus_visible ? 0 : strlen(text);
    }
    TextField f = {.buffer = {text, e->copied[field], TOUR_FIELD_MAX, &e->edits[field]},
                   .hint = hint};
    if (field == TOUR_FIELD_CAPTION) {
        tour_fill(app, text, &err);
        snprintf(wrong, sizeof wrong, "%s %s", err.what, err.why);
        f.wrong = err.kind != ERR_NONE ? wrong : NULL;
    }
    TextFieldEvent event = text_field(ui, id, place, &f);
    ui_name(ui, id, hint);
    if (ui->focus == id) {
        e->typed = field;
        e->typed_step = app->tour.step;
    }
    if (event == TEXT_FIELD_ESCAPE || event == TEXT_FIELD_ENTER) {
        tour_editor_commit(app);
        ui->focus = 0;
        ui->again = true;
    }
}

static void head_draw(App *app, Rect line, float left_w) {
    Ui *ui = &app->ui;
    bool is_unsaved = tour_editor_is_unsaved(app);
    Rect cross = rect_cut_right(&line, BUTTON_HEIGHT);
    if (button_icon(ui, ui_id("tour strip close", 0), cross, ICON_CLOSE))
        tour_editor_toggle(app, 0);
    rect_cut_right(&line, GAP);
    field_draw(app, TOUR_FIELD_NAME, rect_cut_left(&line, left_w), "Title of the tour");
    rect_cut_left(&line, GAP);
    int step = app->tour.step, count = app->tour.tour.step_count;
    const struct {
        const char *words;
        AppAction *action;
        int argument;
        bool is_disabled;
    } buttons[] = {{"Play", tour_edit_play, 0, false},
                   {is_unsaved ? "Save" : "Saved", desk_save, 0, !is_unsaved},
                   {"Delete", tour_edit_drop, 0, count == 1},
                   {"Later", tour_edit_move, 1, step + 1 == count},
                   {"Earlier", tour_edit_move, -1, step == 0},
                   {"Use this picture", tour_edit_step, 0, !app->tour.is_detour},
                   {"Add a step", tour_edit_step, 1, false}};
    for (int i = 0; i < (int)ARRAY_COUNT(buttons); i++) {
        Rect place = rect_cut_right(&line, text_width(ui, TEXT_BODY, "%s", buttons[i].words) + 28);
        rect_cut_right(&line, GAP);
        bool disabled = ui_disable(ui, buttons[i].is_disabled);
        if (button_text(ui, ui_id("tour edit", i), place, buttons[i].words)) {
            tour_editor_commit(app);
            app_do(app, buttons[i].action, buttons[i].argument);
        }
        ui_disable(ui, disabled);
    }
}

static const StepPictureLook LOOK = {PICTURE_W, PICTURE_H, false};

static bool card_draw(App *app, Rect card, int index) {
    Ui *ui = &app->ui;
    const TourStep *step = &app->tour.tour.steps[index];
    const DrawList *picture = step_picture_find(&app->tour_editor.pictures, app, index, &LOOK);
    bool is_now = index == app->tour.step;
    UiId id = ui_id("tour card", index);
    UiState state = button_ground(ui, id, card, 8, ui->theme->raised);
    ui_name(ui, id, step->title);
    Rect rest = rect_inset(card, CARD_PAD, CARD_PAD);
    Rect place = rect_cut_top(&rest, rest.w * PICTURE_H / PICTURE_W);
    draw_fill(ui->list, place, 0, ui->theme->canvas);
    if (picture != NULL)
        step_picture_draw(ui, place, picture, picture->command_count);
    text_left(ui, &rest, TEXT_COUNT, "%d", index + 1);
    text_in(ui, rest, TEXT_CAPTION | TEXT_BRIGHT | TEXT_PLAIN, "%s", step->title);
    draw_ring(ui->list, card, 8, is_now ? 2 : 1, is_now ? ui->theme->beam : ui->theme->hair);
    if (state.clicked) {
        tour_editor_commit(app);
        tour_go(app, index);
    }
    return picture != NULL;
}

/* Draw the cards that fit, including that of the current step. */
static void cards_draw(App *app, Rect line) {
    int count = app->tour.tour.step_count, fit = (int)((line.w + GAP) / (CARD_W + GAP));
    int first = app->tour.step, missing = -1;
    fit = fit < 1 ? 1 : fit < STEP_PICTURES_MAX ? fit : STEP_PICTURES_MAX - 1;
    first = first - fit / 2 > count - fit ? count - fit : first - fit / 2;
    first = first < 0 ? 0 : first;
    for (int i = first; i < count && i < first + fit; i++) {
        bool is_made = card_draw(app, rect_cut_left(&line, fminf(CARD_W, line.w)), i);
        missing = missing < 0 && !is_made ? i : missing;
        rect_cut_left(&line, GAP);
    }
    if (missing < 0 || !app->ui.first_pass)
        return;
    step_picture_make(&app->tour_editor.pictures, app, missing, &LOOK);
    ui_wake(&app->ui, app->time_s + WAIT_S);
}

void tour_strip_draw(App *app, Rect strip) {
    Ui *ui = &app->ui;
    draw_fill(ui->list, strip, 0, ui->theme->chrome);
    Rect clip = draw_clip(ui->list, strip);
    Rect rest = rect_inset(strip, PAD, PAD);
    float left_w = fminf(LEFT_W, rest.w * LEFT_MOST);
    head_draw(app, rect_cut_top(&rest, BUTTON_HEIGHT), left_w);
    rect_cut_top(&rest, GAP);
    cards_draw(app, rect_cut_top(&rest, CARD_H));
    rect_cut_top(&rest, GAP);
    Rect line = rect_cut_top(&rest, BUTTON_HEIGHT);
    field_draw(app, TOUR_FIELD_TITLE, rect_cut_left(&line, left_w), "Title of the step");
    rect_cut_left(&line, GAP);
    field_draw(app, TOUR_FIELD_CAPTION, line,
               "Text of the step; {A(9,2):%} inserts a number of the layer");
    rect_cut_top(&rest, GAP);
    field_draw(app, TOUR_FIELD_NOTE, rest, "Notes that only the presenter sees");
    draw_clip_restore(ui->list, clip);
}
