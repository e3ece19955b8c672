#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/desk.h"
#include "base/number.h"
#include "base/utf8.h"
#include "ui/text.h"
#include "ui/toast.h"

#define MESSAGE_S  8.0
#define SEEN_S     1.0 /* seconds on screen after which a newer message may replace a message */
#define BETWEEN    8
#define FOOT       2   /* px below the lowest message, in the status row */
#define STATE_W    130 /* px: width of the button that copies the state */
#define LEAST_W    480 /* px: least width of messages next to the words of the status row */
#define MARGIN     8   /* px below the notice */
#define PATH_SHOWN 120 /* bytes of the end of a path that a message shows */

static int shown_count(const App *app) {
    return app->message_count < MESSAGES_SHOWN ? app->message_count : MESSAGES_SHOWN;
}

static void drop(App *app, int at) {
    AppMessage *m = app->messages;
    memmove(m + at, m + at + 1, (size_t)(--app->message_count - at) * sizeof *m);
    app->ui.again = true;
}

/* Return the slot of a new message: after all others, so that errors in several files are shown in
 * order. But if MESSAGES_SHOWN messages exist and the oldest was on screen for SEEN_S, drop the
 * oldest and show the new one at once, because it answers the user's last action. If MESSAGES_MAX
 * exist, also drop the oldest. */
static AppMessage *place(App *app) {
    AppMessage *m = app->messages;
    int at = app->message_count;
    bool were_read =
        at >= MESSAGES_SHOWN && !isinf(m[0].until_s) && m[0].since_s + SEEN_S <= app->time_s;
    if (were_read || at == MESSAGES_MAX)
        drop(app, 0);
    at = were_read ? MESSAGES_SHOWN - 1 : app->message_count;
    memmove(m + at + 1, m + at, (size_t)(app->message_count++ - at) * sizeof *m);
    return &m[at];
}

static void say(App *app, bool is_warning, const char *format, va_list arguments) {
    char text[DOCUMENT_PATH_MAX + 160];
    vsnprintf(text, sizeof text, format, arguments);
    for (int i = 0; i < app->message_count; i++)
        /* A repeated message moves to the end, as the newest. */
        if (strcmp(app->messages[i].text, text) == 0) {
            drop(app, i);
            break;
        }
    AppMessage *message = place(app);
    *message = (AppMessage){.warning = is_warning, .until_s = INFINITY};
    message->number = ++app->message_number;
    size_t repairs; /* a file name may be invalid UTF-8 */
    size_t bytes =
        utf8_repair(message->text, sizeof message->text - 1, text, strlen(text), &repairs);
    message->text[bytes] = '\0';
    app->ui.again = true;
}

void app_say(App *app, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(app, false, format, arguments);
    va_end(arguments);
}

void app_warn(App *app, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(app, true, format, arguments);
    va_end(arguments);
}

/* Start to fade out a message; a message that was never shown disappears at once. */
static void leave(App *app, int at) {
    AppMessage *message = &app->messages[at];
    app->ui.again = true;
    if (isinf(message->until_s)) {
        drop(app, at);
        return;
    }
    message->leaves = true;
    message->until_s =
        fmin(message->until_s, app->time_s + (app->ui.reduced_motion ? 0 : TOAST_LEAVES_S));
}

void message_end(App *app, unsigned number) {
    for (int i = 0; i < app->message_count; i++)
        if (app->messages[i].number == number && !app->messages[i].leaves)
            leave(app, i);
}

void message_about(App *app, const Text *text) {
    for (int i = 0; i < app->message_count; i++)
        if (app->messages[i].number == app->message_number)
            app->messages[i].about = text;
}

const char *message_text(const App *app, unsigned number) {
    for (int i = 0; i < app->message_count; i++)
        if (app->messages[i].number == number)
            return app->messages[i].text;
    return NULL;
}

bool message_dismiss(App *app) {
    int at = shown_count(app) - 1;
    while (at >= 0 && app->messages[at].leaves)
        at--;
    if (at >= 0)
        leave(app, at);
    return at >= 0;
}

void messages_age(App *app) {
    bool still_wrong = false;
    for (int i = app->message_count - 1; i >= 0; i--) {
        const AppMessage *m = &app->messages[i];
        bool outlived = m->about != NULL && m->about != app->session.text;
        if (m->until_s <= app->time_s || outlived)
            drop(app, i);
    }
    for (int i = 0; i < app->message_count; i++)
        still_wrong |= app->messages[i].number == app->wrong_message;
    if (!still_wrong)
        app->wrong = NULL;
}

static void try_again(App *app, int unused) {
    (void)unused;
    unsigned failed = app->desk.failed_message;
    app->desk.failed_message = 0;
    desk_open(app, app->desk.failed_path);
    message_end(app, failed);
}

/* Return the area of messages: in a lecture the view, otherwise the window down to the status row,
 * without the button that copies the state. If there is room next to the words of the status row,
 * messages don't cover these words, either. */
static Rect messages_area(const App *app) {
    if (app->lecture.is_on)
        return app->layout.view;
    Rect area = app->layout.window;
    rect_cut_right(&area, area.w > STATE_W * 3 ? STATE_W : 0);
    float words_w = app->status_end - area.x;
    rect_cut_left(&area, area.w - words_w >= LEAST_W ? words_w : 0);
    return area;
}

/* Draw a message. It stays while the pointer is on it. */
static ToastState message_draw(App *app, AppMessage *message, float above) {
    Ui *ui = &app->ui;
    UiId id = ui_id("close message", (int)message->number);
    if (isinf(message->until_s)) {
        message->since_s = app->time_s;
        message->until_s = app->time_s + MESSAGE_S;
    }
    bool is_failed = message->number == app->desk.failed_message;
    Toast shown = {.text = message->text,
                   .warning = message->warning,
                   .passes = true,
                   .action = is_failed ? "Try again" : NULL,
                   .since_s = message->since_s,
                   .until_s = message->until_s,
                   .size = app->lecture.is_on ? LECTURE_LABEL : 0,
                   .above = above};
    ToastState state = toast(ui, id, messages_area(app), &shown);
    tip_words(app, id, state.close, "Close this message.", "escape");
    if (state.held && !message->leaves)
        message->until_s = app->time_s + MESSAGE_S;
    if (state.acted)
        app_do(app, try_again, 0);
    ui_wake(ui, message->until_s);
    return state;
}

void messages_draw(App *app) {
    unsigned closed = 0;
    float above = app->lecture.is_on ? BETWEEN : FOOT;
    Rect all = {0};
    app->ui.list->layer = UI_LAYER_TOAST;
    for (int i = shown_count(app) - 1; i >= 0; i--) {
        AppMessage *message = &app->messages[i];
        if (app->wrong_is_said && message->number == app->wrong_message)
            continue;
        ToastState state = message_draw(app, message, above);
        above += state.rect.h + BETWEEN;
        all = (Rect){state.rect.x, state.rect.y, fmaxf(all.w, state.rect.w), above - BETWEEN};
        closed = state.closed ? message->number : closed;
    }
    if (all.h > 0)
        ui_cover(&app->ui, all);
    app->ui.list->layer = UI_LAYER_BASE;
    message_end(app, closed);
}

/* Return the first code point that no font has, in the part of the text that can be visible; 0 if
 * there is none. */
static uint32_t missing_in(const App *app) {
    const TextMeasure *measure = app->resources.measure;
    const Text *text = text_is_fixed(app) ? app->session.weights->names : app->session.text;
    size_t bytes = utf8_floor(text->bytes, text->size, text->size < 4096 ? text->size : 4096);
    return measure->first_missing(measure->context, text->bytes, bytes);
}

/* Write the most important notice about the picture; "" if there is none. Return true if it is a
 * warning. */
static bool notice_write(const App *app, char *out, size_t capacity) {
    const Results *run = &app->run;
    bool is_fixed = text_is_fixed(app);
    uint32_t missing = missing_in(app);
    double sum = 0;
    for (int layer = 0; app_has_picture(app) && layer < run->layer_count; layer++)
        for (int head = 0; head < app->session.options.heads; head++)
            sum += run->layers[layer].figures.stats[head].score_std;
    out[0] = '\0';
    if (!isfinite(sum)) {
        snprintf(
            out, capacity,
            "S overflowed: its cells are crossed out. Use smaller weights or a higher temperature");
    } else if (run->valid && run->token_total > run->T) {
        snprintf(out, capacity, "The first %s of %s tokens are shown%s", GROUPED(run->T),
                 GROUPED(run->token_total), is_fixed ? "" : "; shorten the text to see the rest");
    } else if (missing != 0) {
        snprintf(out, capacity,
                 "No installed font has U+%04X; it is shown as a box. Install a Noto font for its "
                 "script",
                 (unsigned)missing);
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
    if (title != NULL)
        text_in(&app->ui, rect_cut_top(&area, 40), TEXT_TITLE | TEXT_PLAIN, "%s", title);
    area.w = fminf(area.w, 720);
    text_wrap(&app->ui, &area, TEXT_BODY | TEXT_PLAIN | TEXT_PX(20), text);
}

void notice_draw(App *app) {
    char text[256];
    Toast line = {.text = text, .above = MARGIN};
    line.warning = notice_write(app, text, sizeof text);
    app->notice_h = 0;
    if (text[0] == '\0')
        return;
    ToastState state = toast(&app->ui, ui_id("notice", 0), app->layout.view, &line);
    app->notice_h = state.rect.h + MARGIN;
    rect_cut_bottom(&app->layout.view, app->notice_h);
}

/* Show the faults one by one; if there are many, show the first two, and the others in one message.
 * Names of options have no dashes, as in files. Of a long path only the end is shown. */
void desk_say_faults(App *app, const char *file, const DocumentFaults *faults) {
    char text[sizeof app->messages[0].text];
    int told = faults->count <= MESSAGES_SHOWN ? faults->count : MESSAGES_SHOWN - 1;
    int known = faults->count < DOCUMENT_FAULTS_MAX ? faults->count : DOCUMENT_FAULTS_MAX, at;
    size_t bytes = strlen(file), from = bytes > PATH_SHOWN ? bytes - PATH_SHOWN : 0;
    size_t before = utf8_floor(file, bytes, from);
    file = file + (before < from ? utf8_next(file, bytes, before) : from);
    size_t used = (size_t)snprintf(text, sizeof text, "%s, also wrong:", file);
    for (at = 0; at < known && used + 120 < sizeof text; at++) {
        const Err *err = &faults->at[at].err;
        const char *name = err->what + (strncmp(err->what, "--", 2) == 0 ? 2 : 0);
        int name_bytes = (int)strcspn(name, " ");
        if (at < told)
            app_warn(app, "%s, line %d: %.80s: %.340s. The other lines apply", file,
                     faults->at[at].line, name, err->why);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, "%s line %d (%.*s)",
                                     at > told ? "," : "", faults->at[at].line,
                                     name_bytes < 40 ? name_bytes : 40, name);
    }
    if (at < faults->count)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, " and %d more", faults->count - at);
    snprintf(text + used, sizeof text - used, ". The other lines apply");
    if (faults->count > told)
        app_warn(app, "%s", text);
}
