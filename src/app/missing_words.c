#include "app/chrome.h"

#include <math.h>

#include "app/desk.h"
#include "app/sheets.h"
#include "base/number.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define LINE_H   44
#define FIELD_X  184 /* px: x of the text, under the first word of the token field */
#define BUTTON_W 112
#define GAP      14

bool missing_words_can_take(const App *app) {
    return app->resources.run.words == NULL && app->resources.words.take != NULL;
}

float missing_words_height(const App *app) {
    bool lacks = app->resources.run.words == NULL && !text_is_fixed(app) &&
                 app->session.text->size > 0 && app->session.options.embedding == EMBEDDING_GLOVE;
    return lacks ? LINE_H : 0;
}

void missing_words_draw(App *app) {
    Ui *ui = &app->ui;
    Rect line = app->layout.line;
    if (line.h <= 0)
        return;
    draw_fill(ui->list, line, 0, ui->theme->chrome);
    bool can_take = missing_words_can_take(app);
    float start = app->layout.width < LAYOUT_DRAWER ? FIELD_X : 24;
    Rect rest = {start, line.y, line.w - start - 24, line.h - 8};
    UiId id = ui_id("no word vectors", 0);
    float room = rest.w - (can_take ? BUTTON_W + GAP : 0);
    Rect words = rest;
    words.w = room;
    words.w = fminf(text_in(ui, words, TEXT_BODY | TEXT_BRIGHT | TEXT_PLAIN,
                            "No word vectors found. Using random ones.\nNo word vectors found.\n"
                            "No vectors") +
                        1,
                    room);
    tooltip_on(ui, id, words, ui_over(ui, words),
               &(Tooltip){.text = app->resources.words.why_none, .is_plain = true});
    Rect button = {rect_right(words) + GAP, rest.y, BUTTON_W, rest.h};
    if (can_take && button_text(ui, ui_id("choose words", 0), button, "Choose file"))
        path_sheet_open(app, SHEET_WORDS);
}

bool app_take_words(App *app, const WordVectors *words, Err *err) {
    Results fresh; /* empty, because everything on screen was computed without the vectors */
    if (!results_init(&fresh, err))
        return false;
    if (!view_place_forget(app)) {
        results_release(&fresh);
        return err_fail(err, "Word vectors",
                        "a computation is still running; try again when it has finished");
    }
    results_release(&app->run);
    app->run = fresh;
    app->resources.run.words = words;
    app->ui.again = true;
    return true;
}

bool missing_words_take(App *app, const char *path, Err *err) {
    const AppWords *reader = &app->resources.words;
    const WordVectors *words;
    bool is_kept;
    Err not_kept;
    if (!reader->take(reader->context, &words, &is_kept, path, &not_kept)) {
        *err = not_kept;
        return false;
    }
    if (!app_take_words(app, words, err))
        return false;
    if (is_kept)
        app_say(app, "%.200s: %s word vectors of %d numbers", desk_name(path),
                GROUPED(words->count), words->width);
    else
        app_warn(app,
                 "%.200s: %s word vectors of %d numbers. Later windows will not have them: %.260s",
                 desk_name(path), GROUPED(words->count), words->width, not_kept.why);
    return true;
}
