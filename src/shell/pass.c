#include "shell/pass.h"

#include "shell/assets.h"

bool pass_check_text(const Session *session, Err *err) {
    Token room[1];
    const Tokenizer *tokenizer = &TOKENIZERS[session->options.tokenizer];
    int total = tokenizer->split(room, 1, session->text->bytes, session->text->size);
    if (total == 0)
        return err_usage(err, "--text", "has no token in it; give at least one word");
    if (total > TOKENS_MAX)
        return err_usage(err, "--text", "has %d tokens; %d is the most, so give a shorter one",
                         total, TOKENS_MAX);
    return true;
}

bool pass_begin(Pass *pass, const Session *session, Err *err) {
    *pass = (Pass){0};
    bool wants_words = session->options.embedding == EMBEDDING_GLOVE;
    if (!pass_check_text(session, err) || (wants_words && !assets_load_words(&pass->words, err)))
        return false;
    RunLimits limits = {.tokens_max = TOKENS_MAX};
    const WordVectors *words = wants_words ? &pass->words.vectors : NULL;
    if (!run_init(&pass->run, err)) {
        words_file_release(&pass->words);
        return false;
    }
    if (run_update(&pass->run, session, words, limits))
        return true;
    *err = pass->run.err;
    pass_end(pass);
    return false;
}

void pass_end(Pass *pass) {
    run_release(&pass->run);
    words_file_release(&pass->words);
}
