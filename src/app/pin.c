#include "app/pin.h"

#include <stdio.h>

void pin_move(App *app, int way) {
    static const int rows[] = {0, 0, -1, 1}, columns[] = {-1, 1, 0, 0};
    OptionPair pin = {1, 1};
    char value[32];
    int T = app->run.T;
    if (!app->run.valid || T == 0)
        return;
    ViewContext context = app_view_context(app);
    AttnCell from = view_rest(&context);
    if (attn_cell_is_set(from))
        pin = (OptionPair){from.query + 1 + rows[way], from.key + 1 + columns[way]};
    if (pin.first < 1 || pin.second < 1 || pin.first > T || pin.second > T)
        return;
    snprintf(value, sizeof value, "%d,%d", pin.first, pin.second);
    app_set_key(app, "pin", value);
}

void pin_here(App *app, int unused) {
    char value[32];
    (void)unused;
    if (!app->run.valid || app->run.T == 0)
        return;
    ViewContext context = app_view_context(app);
    AttnCell cell = view_focus(&context);
    if (!attn_cell_is_set(cell))
        return;
    app_step_begin(app);
    snprintf(value, sizeof value, "%d", cell.head + 1);
    app_set_key(app, "head", value);
    snprintf(value, sizeof value, "%d,%d", cell.query + 1, cell.key + 1);
    app_set_key(app, "pin", value);
    app_step_end(app);
}
