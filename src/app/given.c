#include "app/given.h"

#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "ui/button.h"
#include "ui/label.h"

#define LINE_H   36
#define BUTTON_W 84

bool given_rows(const App *app) {
    return weights_has(app->session.weights, WEIGHTS_X);
}

static const char *file_name(const Weights *weights) {
    const char *slash = strrchr(weights->path, '/');
    return slash != NULL ? slash + 1 : weights->path;
}

bool given_say_rows(App *app) {
    char text[300];
    if (!given_rows(app))
        return false;
    snprintf(text, sizeof text,
             "The tokens are the rows of X in %.160s; let go of the file to type a sentence",
             file_name(app->session.weights));
    app_say(app, text, false);
    return true;
}

/* "X, W_Q and b_O are those of trained.npz", and how to be rid of them. */
static void given_words(char *out, size_t capacity, const Weights *weights) {
    size_t used = 0;
    int count = 0, at = 0;
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++)
        count += weights_has(weights, p);
    for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++)
        if (weights_has(weights, p)) {
            const char *before = at == 0 ? "" : at == count - 1 ? " and " : ", ";
            used += (size_t)snprintf(out + used, capacity - used, "%s%s", before,
                                     WEIGHTS_PARTS[p].name);
            at++;
        }
    snprintf(out + used, capacity - used, " %s of %.160s", count == 1 ? "is that" : "are those",
             file_name(weights));
}

void given_draw(App *app) {
    const Weights *weights = app->session.weights;
    Ui *ui = &app->ui;
    char text[300];
    if (weights == NULL)
        return;
    given_words(text, sizeof text, weights);
    Rect line = rect_cut_bottom(&app->layout.view, LINE_H + 8);
    LabelStyle style = {FONT_SANS, 18, ui->theme->text_2, LABEL_LEFT};
    line = (Rect){line.x + 24, line.y, line.w - 48, LINE_H};
    float width = label_width(ui, style.font, style.size, text, strlen(text)) + 1;
    Rect words = line;
    words.w = width < line.w - BUTTON_W - 14 ? width : line.w - BUTTON_W - 14;
    label_draw(ui, words, &style, text);
    Rect button = {rect_right(words) + 14, line.y, BUTTON_W, LINE_H};
    app->let_go = button_text(ui, ui_id("let go", 0), button, "Let go") || app->let_go;
}

void given_let_go(App *app) {
    Err err;
    bool wanted = app->let_go && app->session.weights != NULL;
    app->let_go = false;
    if (!wanted)
        return;
    if (!session_set_weights(&app->session, NULL, 0, &err)) {
        app_say_err(app, &err);
        return;
    }
    app_say(app, "The weights are drawn again; Ctrl Z brings those of the file back", false);
    app_record(app);
}
