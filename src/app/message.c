#include <math.h>
#include <string.h>

#include "app/chrome.h"
#include "app/tip.h"
#include "base/utf8.h"
#include "ui/toast.h"

#define MESSAGE_S 8.0
#define BETWEEN   8

static int shown_count(const App *app) {
    return app->message_count < MESSAGES_SHOWN ? app->message_count : MESSAGES_SHOWN;
}

static void drop(App *app, int at) {
    AppMessage *m = app->messages;
    memmove(m + at, m + at + 1, (size_t)(--app->message_count - at) * sizeof *m);
    app->ui.again = true;
}

void app_say(App *app, const char *text, bool is_warning) {
    for (int i = 0; i < app->message_count; i++)
        if (strcmp(app->messages[i].text, text) == 0) { /* said again: it is the newest now */
            drop(app, i);
            break;
        }
    if (app->message_count == MESSAGES_MAX)
        drop(app, 0); /* it is shown, so that it has been seen */
    AppMessage *message = &app->messages[app->message_count++];
    *message = (AppMessage){.warning = is_warning, .until_s = INFINITY};
    message->number = ++app->message_number;
    size_t repairs; /* a file may have any name */
    size_t bytes =
        utf8_repair(message->text, sizeof message->text - 1, text, strlen(text), &repairs);
    message->text[bytes] = '\0';
    app->ui.again = true;
}

/* One that nobody has seen goes at once. */
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

/* The pointer on it gives a person the time to read it. */
static ToastState message_draw(App *app, AppMessage *message, float above) {
    Ui *ui = &app->ui;
    UiId id = ui_id("close message", (int)message->number);
    if (isinf(message->until_s)) {
        message->since_s = app->time_s;
        message->until_s = app->time_s + MESSAGE_S;
    }
    Toast shown = {.text = message->text,
                   .warning = message->warning,
                   .passes = true,
                   .since_s = message->since_s,
                   .until_s = message->until_s,
                   .above = above};
    ToastState state = toast(ui, id, app->layout.view, &shown);
    tip_words(app, id, state.close, "Close this message.", "escape");
    if (state.held && !message->leaves)
        message->until_s = app->time_s + MESSAGE_S;
    ui_wake(ui, message->until_s);
    return state;
}

void messages_draw(App *app) {
    unsigned closed = 0;
    float above = BETWEEN;
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
