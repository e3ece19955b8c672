#include <stdio.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "app/option_control.h"
#include "document/layer_code.h"

void state_copy(App *app, int argument) {
    char state[APP_STATE_MAX * 4];
    StateExtra extra = settings_extra(&app->settings, NULL);
    (void)argument;
    size_t bytes = state_write(state, sizeof state, &app->session, &extra);
    if (bytes == 0) /* an empty string could not be pasted, so name one value */
        bytes = (size_t)snprintf(state, sizeof state, "seed=%s", option_row("seed")->standard);
    if (bytes >= sizeof state) {
        app_warn(app, "The state string is too long to copy; shorten the text");
        return;
    }
    app_copy(app, state, bytes);
    app->copied_until_s = app->time_s + 1.2;
    app->ui.again = true;
}

void layer_copy(App *app, int code) {
    TextOut text = {0};
    layer_code(&text, &app->session, (LayerCode)code, "layer.safetensors", false);
    if (!text.failed)
        app_copy(app, text.at, text.used);
    if (text.failed)
        app_warn(app, "Too little memory to copy");
    else
        app_say(app, "Script copied. Its second line exports the tensors that it reads");
    text_out_release(&text);
}
