#include "app/questions.h"

#include <string.h>

#include "app/detour.h"
#include "app/hint.h"
#include "app/remember.h"
#include "base/util.h"

const Question QUESTIONS[] = {
    {{"width", "How wide should the weights be drawn?", "",
      "Xavier keeps the scores near deviation 1: every token is read a little. Compare σ = 1, "
      "whose softmax takes one token and leaves the rest, and 0.02, which reads all alike."},
     "view=compare&compare=columns&compare-schemes=xavier_uniform,normal,normal_002"
     "&compare-spread=scores&compare-maps=weights"},
    {{"scale", "Why divide the scores by √d_k?", "",
      "Not scaled, the deviation of q·k grows with √d_k. Drag the line to the right: the softmax "
      "saturates. Then choose Scaled."},
     "view=compare&compare=scale&scale=none&compare-schemes=lecun_normal,he_normal"},
    {{"fused", "What is wrong with Xavier on a fused QKV?", "",
      "One matrix three times as wide makes the fan-out too large: each part gets half the "
      "variance, the scores half their deviation. A gain of √2 puts it right."},
     "view=compare&compare=fused"},
    {{"output", "What does scaling W_O do?", "",
      "Each layer adds to the stream. GPT-2's rule draws W_O smaller the deeper the stack is: turn "
      "Depth rule off and on, and change Layers."},
     "view=compare&compare=depth&compare-schemes=gpt2,normal_002&compare-rule=on"
     "&compare-depth=24&block=pre-norm&d-model=768&heads=12"},
    {{"two-kinds", "Where do attention's weights come from?", "",
      "There are two kinds. W_Q and W_K are learned and stay; these between tokens are made anew "
      "for each text. Click behind the words to type another, and press S for the scores before "
      "the softmax."},
     "view=heads&show=weights&minus=none&focus=strongest"},
    {{"number", "Where does one number come from?", "",
      "From its token, step by step: Space plays all six. Click any number of Y to follow that "
      "one; "
      "what the pointer is on in a card lights up where it stands."},
     "view=steps&steps-step=1&focus=strongest"},
    {{"graph", "Attention, a graph?", "",
      "The mask says whom a token may read: its neighbourhood. Attention gives each edge its "
      "weight. Click a token, and again, to follow the message that reaches it; M changes the "
      "mask."},
     "view=graph&mask=causal&graph-value=weights"},
    {{"two-matrices", "If only W_Q·W_Kᵀ matters, why two?", "",
      "F merges them and A stays. But the product has rank d_k and no more: drag r. Two thin "
      "factors are fewer numbers and fewer products while d_model > 2 d_k: see Cost."},
     "view=wqk&wqk-product=qk&wqk-against=merged&wqk-page=rank"},
    {{"meaning", "Does a number of W_Q mean anything?", "",
      "Turn R: all numbers of W_Q and W_K change, and none of A. Only their product has a "
      "meaning."},
     "view=wqk&wqk-product=qk&wqk-against=gauge&wqk-page=gauge"},
    {{"embedding", "Are W_Q and W_K the embedding?", "",
      "No: the embedding makes X. Set all three to I, and attention is plain likeness of word "
      "vectors. What training puts in their place makes it more: see Train."},
     "text=king%20queen%20man%20woman%20dog%20cat&view=wqk&wqk-product=qk&wqk-against=merged&wqk-"
     "page=plain"},
    {{"training", "What does training make of the weights?", "",
      "Started from I, attention is likeness: the diagonal. Press Space: backpropagation changes "
      "W_Q, W_K, W_V and W_O until one head reads the word before. The score says how far. "
      "Compare it with a random start."},
     "view=train&train-task=previous&train-optimiser=adam&train-rate=auto&train-steps=400"
     "&train-step=0&compare-schemes=identity,xavier_uniform"},
    {{"paper", "What does the paper project twice?", "",
      "Read to the letter, Q = X·W^Q is projected once more in every head. Two maps in a row are "
      "one: implementations keep only the product of each head, side by side in one matrix."},
     "view=wqk&form=nested&wqk-product=qk&wqk-against=merged&wqk-page=nested"},
    {{"rope", "When can W_Q and W_K not be merged?", "",
      "RoPE turns q and k by their positions: there is one matrix for each distance i − j. Drag "
      "the distance. Biases only need a constant 1 more in X."},
     "view=wqk&positions=rope&wqk-product=qk&wqk-against=merged&wqk-page=rank"},
};

const Registry QUESTION_REGISTRY = {"questions", "question", QUESTIONS, sizeof QUESTIONS[0],
                                    ARRAY_COUNT(QUESTIONS)};

/* The default layer on a person's text: what was tried before must not colour the answer. */
static bool plain_session(Session *plain, const Session *of, Err *err) {
    if (!session_init(plain, err))
        return false;
    plain->options.seed = of->options.seed;
    plain->options.tokenizer = of->options.tokenizer;
    if (session_edit_text(plain, 0, plain->text->size, of->text->bytes, of->text->size, err))
        return true;
    session_release(plain);
    return false;
}

static bool take(App *app, const char *state, Err *err) {
    Session changed;
    Settings settings = settings_fresh(app);
    if (!plain_session(&changed, &app->session, err))
        return false;
    if (!app_read_state(app, &changed, &settings, state, strlen(state), err)) {
        session_release(&changed);
        return false;
    }
    return app_take_session(app, &changed, &settings, err);
}

void question_ask(App *app, int question) {
    Err err;
    detour_begin(app);
    if (take(app, QUESTIONS[question].state, &err))
        hint_say(app, QUESTIONS[question].entry.help, NULL);
    else
        app_say_err(app, &err);
}
