#include "app/fixed_input.h"

#include <stdio.h>

#include "app/desk.h"

bool fixed_input_is_shown(const App *app) {
    return weights_has(app->session.weights, WEIGHTS_X);
}

bool fixed_input_report(App *app) {
    if (!fixed_input_is_shown(app))
        return false;
    app_say(app, "The tokens are the rows of X in %.160s; close the file to type a sentence",
            desk_name(app->session.weights->path));
    return true;
}
