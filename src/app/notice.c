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

/* Write the most important notice about the picture; "" if there is none. Return true if it is a
 * warning. */
static bool notice_write(const App *app, char *out, size_t capacity) {
    const Results *run = &app->run;
    bool is_fixed = text_is_fixed(app);
    double sum = 0;
    for (int layer = 0; app_has_picture(app) && layer < run->layer_count; layer++)
        for (int head = 0; head < app->session.options.heads; head++)
            sum += run->layers[layer].figures.stats[head].score_std;
    out[0] = '\0';
    if (!isfinite(sum)) {
        snprintf(out, capacity,
                 "S overflowed: its cells are crossed. Use a smaller scheme or a higher "
                 "temperature");
    } else if (run->valid && run->token_total > run->T) {
        char shown[32];
        number_format_grouped(shown, sizeof shown, run->T);
        snprintf(out, capacity, "The first %s of %s tokens are shown%s", shown,
                 GROUPED(run->token_total), is_fixed ? "" : "; shorten the text to see the rest");
    } else if (app->missing != 0) {
        snprintf(out, capacity,
                 "No installed font has U+%04X; it is shown as a box. Install a Noto font for its "
                 "script",
                 (unsigned)app->missing);
    } else if (!is_fixed && app->session.options.embedding == EMBEDDING_GLOVE &&
               app_has_picture(app) && app->resources.run.words != NULL && run->missing > 0) {
        bool is_one = run->missing == 1;
        snprintf(out, capacity, "%d %s%s no vector: random %s used (dotted underline)",
                 run->missing,
                 TOKENIZERS[app->session.options.tokenizer].cuts_words ? "token" : "word",
                 is_one ? " has" : "s have", is_one ? "one" : "ones");
        return false;
    } else if (run->valid && run->T == 1) {
        snprintf(out, capacity, "One token can only read itself");
        return false;
    }
    return true;
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
    char text[256];
    find_missing(app);
    Toast line = {.text = text, .above = MARGIN};
    line.warning = notice_write(app, text, sizeof text);
    app->notice_h = 0;
    if (text[0] == '\0')
        return;
    ToastState state = toast(&app->ui, ui_id("notice", 0), app->layout.view, &line);
    app->notice_h = state.rect.h + MARGIN;
    rect_cut_bottom(&app->layout.view, app->notice_h);
}
