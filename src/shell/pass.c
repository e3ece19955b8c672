#include "shell/pass.h"

/* Whether the text has 1 to TOKENS_MAX tokens; err names the option. */
static bool check_text(const Session *session, const TextResources *resources, Err *err) {
    if (weights_has(session->weights, WEIGHTS_X))
        return true;
    Token room[1];
    TokenList list = {.at = room, .capacity = 1};
    const Tokenizer *tokenizer = &TOKENIZERS[session->options.tokenizer];
    if (!tokenizer->split(&list, session->text->bytes, session->text->size, resources, err))
        return false;
    if (list.total == 0)
        return err_usage(err, "--text", "has no token in it; give at least one word");
    if (list.total > TOKENS_MAX)
        return err_usage(err, "--text", "has %d tokens; %d is the most, so give a shorter one",
                         list.total, TOKENS_MAX);
    return true;
}

bool pass_begin(Pass *pass, const Session *session, Err *err) {
    *pass = (Pass){0};
    RunLimits limits = {.tokens_max = TOKENS_MAX};
    if (!assets_load_used(&pass->assets, session, err))
        return false;
    if (!check_text(session, &pass->assets.run.text, err) || !run_init(&pass->run, err)) {
        assets_release(&pass->assets);
        return false;
    }
    if (run_update(&pass->run, session, &pass->assets.run, limits))
        return true;
    *err = pass->run.err;
    pass_end(pass);
    return false;
}

void pass_end(Pass *pass) {
    run_release(&pass->run);
    assets_release(&pass->assets);
}
