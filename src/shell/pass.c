#include "shell/pass.h"

#include "base/utf8.h"

static bool check_text(const Session *session, const TextResources *resources, Err *err) {
    if (weights_has(session->weights, WEIGHTS_X))
        return true;
    Token room[1];
    TokenList list = {.at = room, .capacity = 1};
    if (!session_split(&list, session, resources, err))
        return false;
    if (list.total == 0)
        return err_usage(err, "--text", "has no tokens; give at least one word");
    if (list.total > TOKENS_MAX)
        return err_usage(err, "--text",
                         "has %d tokens, but at most %d are possible; give a shorter text",
                         list.total, TOKENS_MAX);
    return true;
}

/* Fail if the pin is outside the text. In the window a pin waits until the text has enough tokens,
 * but a picture would not show it. */
static bool check_pin(const Results *run, OptionPair pin, Err *err) {
    if (pin.first <= run->T && pin.second <= run->T)
        return true;
    return err_usage(err, PRINT("--pin %d,%d", pin.first, pin.second),
                     "there %s %d token%s; choose positions from 1 to %d",
                     run->T == 1 ? "is" : "are", run->T, run->T == 1 ? "" : "s", run->T);
}

bool pass_begin(Pass *pass, const Session *session, Err *err) {
    *pass = (Pass){0};
    ResultsLimits limits = {.tokens_max = TOKENS_MAX};
    if (!assets_load_used(&pass->assets, session, err))
        return false;
    if (!check_text(session, &pass->assets.run.text, err) || !results_init(&pass->run, err)) {
        assets_release(&pass->assets);
        return false;
    }
    bool computed = results_update(&pass->run, session, &pass->assets.run, limits);
    if (computed && check_pin(&pass->run, session->options.pin, err) &&
        (pass->run.T == 0 ||
         hand_set_check(session->hand, &pass->run.layers[0].shape[pass->run.form], err)))
        return true;
    if (!computed)
        *err = pass->run.err;
    pass_end(pass);
    return false;
}

void pass_end(Pass *pass) {
    results_release(&pass->run);
    assets_release(&pass->assets);
}

bool pass_check(const Session *session, Err *err) {
    Pass pass;
    if (!pass_begin(&pass, session, err))
        return false;
    pass_end(&pass);
    return true;
}
