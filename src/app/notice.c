#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "base/number.h"
#include "base/utf8.h"
#include "ui/label.h"
#include "ui/toast.h"

#define MARGIN 8 /* px above and below the notice */

/* Find the first code point that no font has, in the part of the text that can be visible. */
static void find_missing(App *app) {
    const TextMeasure *measure = app->resources.measure;
    const Text *text = text_is_fixed(app) ? app->session.weights->names : app->session.text;
    if (app->missing_in == text)
        return;
    size_t bytes = utf8_floor(text->bytes, text->size, text->size < 4096 ? text->size : 4096);
    app->missing = measure->first_missing(measure->context, text->bytes, bytes);
    app->missing_in = text;
}

static bool say_missing_glyph(const App *app, char *out, size_t capacity) {
    snprintf(
        out, capacity,
        "No installed font has U+%04X; it is shown as a box. Install a Noto font for its script",
        (unsigned)app->missing);
    return app->missing != 0;
}

static bool say_cut(const App *app, char *out, size_t capacity) {
    char shown[32];
    if (!app->run.valid || app->run.token_total <= app->run.T)
        return false;
    number_format_grouped(shown, sizeof shown, app->run.T);
    snprintf(out, capacity, "The first %s of %s tokens are shown%s", shown,
             GROUPED(app->run.token_total),
             text_is_fixed(app) ? "" : "; shorten the text to see the rest");
    return true;
}

static bool say_vectors(const App *app, char *out, size_t capacity) {
    if (text_is_fixed(app) || app->session.options.embedding != EMBEDDING_GLOVE ||
        !app_has_picture(app) || app->resources.run.words == NULL)
        return false;
    const char *noun = TOKENIZERS[app->session.options.tokenizer].cuts_words ? "token" : "word";
    if (app->run.missing == 1)
        snprintf(out, capacity, "1 %s has no vector: random one used (dotted underline)", noun);
    else
        snprintf(out, capacity, "%d %ss have no vector: random ones used (dotted underline)",
                 app->run.missing, noun);
    return app->run.missing > 0;
}

static bool say_single(const App *app, char *out, size_t capacity) {
    snprintf(out, capacity, "One token can only read itself");
    return app->run.valid && app->run.T == 1;
}

static bool say_not_finite(const App *app, char *out, size_t capacity) {
    if (!app_has_picture(app))
        return false;
    double sum = 0;
    for (int layer = 0; layer < app->run.layer_count; layer++)
        for (int head = 0; head < app->session.options.heads; head++)
            sum += app->run.layers[layer].figures.stats[head].score_std;
    snprintf(out, capacity,
             "S overflowed: its cells are crossed. Use a smaller scheme or a higher temperature");
    return !isfinite(sum);
}

void sentence_draw(App *app, Rect area, const char *title, const char *text) {
    LabelStyle style = {FONT_SANS_BOLD, 26, app->ui.theme->text_1, LABEL_LEFT};
    if (title != NULL)
        label_draw(&app->ui, rect_cut_top(&area, 40), &style, title);
    style = (LabelStyle){FONT_SANS, 20, app->ui.theme->text_2, LABEL_LEFT};
    area.w = fminf(area.w, 720);
    label_wrap(&app->ui, area, &style, text);
}

void notice_draw(App *app) {
    static const struct {
        bool (*say)(const App *app, char *out, size_t capacity);
        bool warning;
    } NOTICES[] = {{say_not_finite, true},
                   {say_cut, true},
                   {say_missing_glyph, true},
                   {say_vectors, false},
                   {say_single, false}};
    find_missing(app);
    app->notice_h = 0;
    for (size_t i = 0; i < sizeof NOTICES / sizeof *NOTICES; i++) {
        char text[256];
        if (!NOTICES[i].say(app, text, sizeof text))
            continue;
        Toast line = {.text = text, .warning = NOTICES[i].warning, .above = MARGIN};
        ToastState state = toast(&app->ui, ui_id("notice", 0), app->layout.view, &line);
        app->notice_h = state.rect.h + MARGIN;
        rect_cut_bottom(&app->layout.view, app->notice_h);
        return;
    }
}
