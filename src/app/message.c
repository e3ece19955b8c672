#include <math.h>
#include <string.h>

#include "app/chrome.h"
#include "app/tip.h"
#include "base/utf8.h"
#include "ui/button.h"
#include "ui/label.h"

#define MESSAGE_S 8.0
#define LEAST_H   36
#define PAD       8
#define TEXT_SIZE 18
#define MARK_W    32
#define CLOSE_W   36
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

void message_end(App *app, unsigned number) {
    for (int i = 0; i < app->message_count; i++)
        if (app->messages[i].number == number)
            drop(app, i);
}

const char *message_text(const App *app, unsigned number) {
    for (int i = 0; i < app->message_count; i++)
        if (app->messages[i].number == number)
            return app->messages[i].text;
    return NULL;
}

bool message_dismiss(App *app) {
    int shown = shown_count(app);
    if (shown > 0)
        drop(app, shown - 1);
    return shown > 0;
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

/* One message with its lower edge at bottom; returns where it stands. */
static Rect message_draw(App *app, const AppMessage *message, float bottom, bool *closed) {
    Ui *ui = &app->ui;
    const Theme *theme = ui->theme;
    Rect view = app->layout.view;
    LabelStyle style = {FONT_SANS, TEXT_SIZE, theme->text_1, LABEL_LEFT};
    float room = fmaxf(view.w - 32 - MARK_W - CLOSE_W - PAD, 40);
    float width = label_width(ui, style.font, style.size, message->text, strlen(message->text));
    int lines = width <= room ? 1 : label_lines(ui, &style, message->text, room);
    float height = fmaxf(LEAST_H, (float)lines * TEXT_SIZE * LABEL_LINE + 2 * PAD);
    height = lines == 1 ? LEAST_H : height;
    Rect box = {view.x + 16, bottom - height, fminf(width, room) + MARK_W + CLOSE_W + PAD, height};
    draw_fill(ui->list, box, 8, theme->raised);
    draw_ring(ui->list, box, 8, 1, message->warning ? theme->warn : theme->control);
    Rect line = box, mark = rect_cut_left(&line, MARK_W), close = rect_cut_right(&line, CLOSE_W);
    LabelStyle sign = {FONT_SANS_BOLD, 20, message->warning ? theme->warn : theme->text_2,
                       LABEL_CENTRE};
    mark.h = close.h = LEAST_H;
    label_draw(ui, mark, &sign, message->warning ? "!" : "i");
    if (lines == 1)
        label_draw(ui, line, &style, message->text);
    else
        label_wrap(ui, (Rect){line.x, line.y + PAD, room, line.h}, &style, message->text);
    UiId id = ui_id("close message", (int)message->number);
    close = rect_inset(close, 3, 3);
    *closed = button_icon(ui, id, close, ICON_CLOSE);
    tip_words(app, id, close, "Close this message.", "escape");
    return box;
}

void messages_draw(App *app) {
    int shown = shown_count(app);
    unsigned closed_number = 0;
    float bottom = rect_bottom(app->layout.view) - BETWEEN;
    Rect all = {0};
    app->ui.list->layer = UI_LAYER_TOAST;
    for (int i = shown - 1; i >= 0; i--) {
        AppMessage *message = &app->messages[i];
        bool closed = false;
        if (isinf(message->until_s))
            message->until_s = app->time_s + MESSAGE_S;
        ui_wake(&app->ui, message->until_s);
        if (app->wrong_is_said && message->number == app->wrong_message)
            continue;
        Rect box = message_draw(app, message, bottom, &closed);
        all = (Rect){box.x, box.y, fmaxf(all.w, box.w), all.h + box.h + BETWEEN};
        bottom = box.y - BETWEEN;
        closed_number = closed ? message->number : closed_number;
    }
    if (all.h > 0)
        ui_cover(&app->ui, all);
    app->ui.list->layer = UI_LAYER_BASE;
    message_end(app, closed_number);
}
