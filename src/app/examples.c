#include "app/examples.h"

#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/desk.h"
#include "app/tour.h"
#include "base/util.h"

const Example EXAMPLES[] = {
    {.entry = {"reference", "What “it” stands for", "",
               "Seed 11 was picked because in its head 1 “it” happens to read “animal” most. Press "
               "R: with another seed it reads another word. That is chance, not grammar."},
     .text = SESSION_TEXT_STANDARD,
     .state = "seed=11&pin=9,2",
     .seed = 11,
     .query = 9,
     .key = 2},
    {.entry = {"ambiguity", "Two kinds of bank", "",
               "Both “bank” have the same word vector. Set Positions to none: their rows become "
               "the same."},
     .text = "she sat on the river bank before she went to the bank for money"},
    {.entry = {"repetition", "A phrase that comes again", "",
               "Set Positions to none: the columns of the four “the” become the same. To find "
               "what followed the same word earlier, a model needs a second layer."},
     .text = "the cat sat on the mat and the cat sat on the rug"},
    {.entry = {"negation", "Good, not bad", "",
               "“good” and “bad” have similar vectors (cosine 0.69). Random weights hide it: press "
               "3, and the page W = I shows the cosines."},
     .text = "the film was not bad but the book was good"},
    {.entry = {"similarity", "King, queen, dog", "",
               "“king” and “queen” have similar vectors (cosine 0.73), “queen” and “dog” do not "
               "(0.23). Random weights hide it: press 3, set W = I, and attention shows it."},
     .text = "king queen man woman dog cat"},
    {.entry = {"agreement", "Far apart, yet they agree", "",
               "“are” agrees with “keys”, nine words back. Set Mask to Window 2: then “are” can no "
               "longer read “keys”."},
     .text = "the keys to the old wooden cabinet near the door are missing"},
    {.entry =
         {"word-before", "Trained: word before", "",
          "Each row reads the word before it, whatever the words are. Type your own text: only the "
          "distance counts, through RoPE and the biases."},
     .text = "an owl sat in the tall tree and watched the snow",
     .is_trained = true},
    {.entry = {"word-after", "Trained: word after", "",
               "Each row reads the word after it. Set Mask to Causal: it hides that word, and each "
               "row reads what is left."},
     .text = "an owl sat in the tall tree and watched the snow",
     .is_trained = true},
    {.entry = {"first-word", "Trained: first word", "",
               "Every row reads the first word: one bright column. Set Positions to none, and it "
               "is gone."},
     .text = "quietly the owl left the tall tree in the snow",
     .is_trained = true},
    {.entry = {"same-word-earlier", "Trained: same word earlier", "",
               "A word that occurred before reads its earlier place; the other rows read "
               "themselves. Repeat a word, and see."},
     .text = "the owl saw the mouse and the mouse saw the owl",
     .is_trained = true},
    {.entry = {"similar-word", "Trained: similar word", "",
               "Each row reads the word whose vector is nearest to its own: coffee and tea, monday "
               "and friday."},
     .text = "on monday we drink coffee and on friday they drink tea",
     .is_trained = true},
    {.entry = {"induction", "Trained: induction head", "",
               "A repeated token reads the token that followed it the first time, and the model "
               "expects exactly that one next. It takes two layers: in layer 1 (key {) each token "
               "reads the one before it."},
     .text = "Then bread water fire sword gold house bread water fire sword gold",
     .is_trained = true,
     .layer = 2},
    {.entry =
         {"english", "Trained: English", "",
          "A small model of the King James Bible expects “Israel”. Choose head 4 and zero it (Z): "
          "now the model expects “the”. Keys { and } choose the layer, W shows all heads."},
     .text = "And the LORD spake unto Moses, and said unto the children of",
     .is_trained = true,
     .layer = 1},
};
#define TRAINED_COUNT 7

const Registry EXAMPLE_REGISTRY = REGISTRY("examples", "example", EXAMPLES);
const Registry TRAINED_REGISTRY = {"trained", "trained layer",
                                   &EXAMPLES[ARRAY_COUNT(EXAMPLES) - TRAINED_COUNT],
                                   sizeof EXAMPLES[0], TRAINED_COUNT};

#define PATH_MAX_TRAINED 64
static void trained_path(char out[PATH_MAX_TRAINED], int example) {
    snprintf(out, PATH_MAX_TRAINED, "trained:%s", EXAMPLES[example].entry.id);
}

/* Make a session from a trained layer and its sentence. The caller releases it, also on failure. */
static bool trained_session(Session *out, const App *app, int example, Err *err) {
    WeightsLoad load = app->resources.load_weights;
    const char *text = EXAMPLES[example].text;
    char path[PATH_MAX_TRAINED];
    trained_path(path, example);
    *out = (Session){0};
    if (load == NULL)
        return err_fail(err, path, "cannot be read here");
    int layer = EXAMPLES[example].layer;
    Weights *weights = load(path, &(WeightsRequest){.layer = layer > 0 ? layer : 1}, err);
    if (weights == NULL)
        return false;
    if (!session_init(out, err)) {
        weights_drop(weights);
        return false;
    }
    return session_set_weights(out, weights, 0, err) &&
           session_edit_text(out, 0, out->text->size, text, strlen(text), err);
}

void example_show(App *app, int example) {
    const Example *e = &EXAMPLES[example];
    Session changed;
    Settings unused; /* settings in the state string: not used, so that the window keeps its own */
    Err err;
    bool shown;
    if (!e->is_trained && e->state == NULL) {
        shown = app_edit_text(app, 0, app->session.text->size, e->text, strlen(e->text), 0);
    } else {
        bool made = e->is_trained
                        ? trained_session(&changed, app, example, &err)
                        : app_read_state(app, &changed, &unused, e->state, strlen(e->state), &err);
        shown = app_told(app, app_take_session(app, made, &changed, NULL, &err), &err);
    }
    if (shown)
        hint_say(app, e->entry.help, app->session.text);
}

static bool is_shown(const App *app, int example) {
    const Text *text = app->session.text;
    const Weights *weights = app->session.weights;
    char path[PATH_MAX_TRAINED];
    trained_path(path, example);
    return text->size == strlen(EXAMPLES[example].text) &&
           memcmp(text->bytes, EXAMPLES[example].text, text->size) == 0 &&
           (!EXAMPLES[example].is_trained || (weights != NULL && strcmp(weights->path, path) == 0));
}

AttnCell example_cell(const App *app) {
    const Session *s = &app->session;
    bool is_chosen = is_shown(app, 0) && s->options.seed == (uint64_t)EXAMPLES[0].seed &&
                     s->weights == NULL && s->hand == NULL;
    return is_chosen ? (AttnCell){0, 0, EXAMPLES[0].query - 1, EXAMPLES[0].key - 1}
                     : ATTN_CELL_NONE;
}

int example_shown(const App *app) {
    for (int i = 0; i < EXAMPLE_REGISTRY.count; i++)
        if (is_shown(app, i))
            return i;
    return -1;
}

/* The five most frequent questions come first, because a small window does not show all. */
const Question QUESTIONS[] = {
    {{"width", "How large should the initial weights be?", "",
      "Apply Xavier's rule to each matrix alone: the scores get a standard deviation near 1, so "
      "the softmax prefers some tokens and ignores none. In a deep stack make W_O smaller: GPT-2 "
      "divides it by √(2·layers)."},
     "init",
     "view=compare&compare=columns&compare-schemes=xavier_uniform,normal,normal_002"
     "&compare-spread=scores&compare-maps=weights"},
    {{"two-kinds", "Where do attention's weights come from?", "",
      "There are two kinds. W_Q, W_K, W_V and W_O are learned, and the same for every text. "
      "Attention weights are computed from each text: the softmax of the scores, one for each edge "
      "that the mask leaves."},
     "weights",
     "view=heads&show=weights&minus=none&focus=strongest"},
    {{"two-matrices", "If only W_Q·W_Kᵀ matters, why two?", "",
      "Merged into one matrix, they give the same A. But its rank is at most d_k, and two thin "
      "factors store it with fewer parameters and multiply-adds, as long as d_k is below about "
      "half of d_model."},
     "two-matrices",
     "view=wqk&wqk-product=qk&wqk-against=merged&wqk-page=rank"},
    {{"embedding", "Are W_Q and W_K the embedding?", "",
      "No: the embedding is the table that gives X. With W_Q = W_K = I attention is plain "
      "similarity of word vectors; training makes W_Q and W_K compare what the task needs."},
     "embedding",
     "text=king%20queen%20man%20woman%20dog%20cat&positions=none&view=wqk&wqk-product=qk"
     "&wqk-against=merged&wqk-page=plain"},
    {{"paper", "Why do some formulas project Q and K twice?", "",
      "In the paper, Q and K stand for the layer's input X, which each head projects once. If Q = "
      "X·W^{Q} is projected again, one of the two matrices is redundant: implementations hold only "
      "their product."},
     "projected",
     "view=wqk&form=nested&wqk-product=qk&wqk-against=merged&wqk-page=nested"},
    {{"scale", "Why divide the scores by √d_k?", "",
      "Without the division the standard deviation of q·k grows with √d_k. Drag the line to the "
      "right: the softmax saturates. Then choose Scaled."},
     NULL,
     "view=compare&compare=scale&scale=none&compare-schemes=lecun_normal,he_normal"},
    {{"root", "Why √d_k and not d_k?", "",
      "A score is a sum of d_k products. Variances add, so σ grows with the root. Drag n from 1 to "
      "the right: the sum becomes √n times as wide, and its softmax picks one token; divided by √n "
      "it stays as wide as one product."},
     NULL,
     "view=compare&compare=root"},
    {{"fused", "What is wrong with Xavier on a fused QKV?", "",
      "One matrix three times as wide makes the fan-out too large: each part gets half the "
      "variance, the scores half their standard deviation. A gain of √2 corrects it."},
     NULL,
     "view=compare&compare=fused"},
    {{"output", "What does scaling W_O do?", "",
      "Each layer adds to the residual stream. GPT-2's rule makes W_O smaller in a deeper stack: "
      "switch Depth rule off and on, and change Layers."},
     NULL,
     "view=compare&compare=depth&compare-schemes=gpt2,normal_002&compare-rule=on"
     "&compare-depth=24&block=pre-norm&d-model=768&heads=12"},
    {{"norm", "Does the scale of W_V and W_O matter under LayerNorm?", "",
      "In the forward pass LayerNorm removes the scale: std Y is 1.00 in both columns, although "
      "W_V and W_O at the right have σ = 1. In the backward pass the removed std divides the "
      "gradients of W_V and W_O: at the right these are 4 to 7 times smaller."},
     NULL,
     "view=compare&compare=columns&block=post-norm&compare-schemes=xavier_uniform,xavier_uniform"
     "&compare-v=auto,normal&compare-o=auto,normal&compare-measures=gradients"
     "&compare-maps=hidden&compare-matrices=each"},
    {{"number", "Where does one number come from?", "",
      "From its token, step by step: Space plays all six. Click any number of Y to follow it; the "
      "entry that you point at in a card is marked in its matrix."},
     NULL,
     "view=steps&steps-step=1&focus=strongest"},
    {{"bias", "Why is there often a bias only in W_O?", "",
      "Each row of A sums to 1, so b_V only adds b_V·W_O to every row of Y: b_O can do that. b_K "
      "adds the same to all scores of a row, which the softmax ignores. So of the 4·64 = 256 "
      "biases (16,384 parameters become 16,640, see below) only b_Q and b_O add something new."},
     NULL,
     "view=steps&steps-step=5&bias=all&focus=strongest"},
    {{"graph", "In what sense is attention a graph?", "",
      "It is a directed graph: the mask decides which tokens a token may read, its neighbourhood "
      "N(i), and attention gives each edge its weight. Click a token, then click it again, to "
      "follow the message that reaches it. M changes the mask."},
     NULL,
     "view=graph&mask=causal&graph-value=weights"},
    {{"square", "Why do W_Q and W_K look square?", "",
      "The matrix of one head is d_model × d_k: 64 × 16 here. Implementations store the h heads "
      "side by side, and 4 · 16 = 64. So 8,192 parameters for W_Q and W_K of all heads are 2 · 64 "
      "· 64."},
     NULL,
     "view=wqk&wqk-product=qk&wqk-against=merged&wqk-page=cost"},
    {{"meaning", "Do individual entries of W_Q mean anything?", "",
      "Rotate by R: every entry of W_Q and W_K changes, yet A does not. Only the product carries "
      "meaning."},
     "redundant",
     "view=wqk&wqk-product=qk&wqk-against=gauge&wqk-page=gauge"},
    {{"lookup", "Where does X itself come from?", "",
      "X = onehot·E plus the positions: a token's id picks one row e of the table E. "
      "Backpropagation trains E, too: a row gets the sum of the gradients at all positions of its "
      "word. Under Gradient norm, the norm of E is not 0."},
     NULL,
     "view=train&train-task=previous&train-embedding=trained&train-steps=400&train-step=0"
     "&compare-schemes=xavier_uniform,identity"},
    {{"contextual", "What is a static, what a contextual embedding?", "",
      "Both “bank” have the same vector e: their cosine is 1.00. Their rows of Y are contextual: "
      "each has read different words, so their cosine is lower. Drag from W = I, where attention "
      "is similarity alone, to this layer; or train one, press Use, and return."},
     NULL,
     "text=river%20bank%20money%20bank&positions=none&mask=causal&view=compare&compare=twice"
     "&compare-blend=0"},
    {{"training", "What do the weights look like after training?", "",
      "With W = I tokens read themselves and similar tokens. Press Space: backpropagation changes "
      "all four matrices until one head reads the word before. From both starts the score reaches "
      "about 0.85; an even share is 0.08."},
     NULL,
     "view=train&train-task=previous&train-optimiser=adam&train-rate=auto&train-steps=400"
     "&train-step=0&compare-schemes=identity,xavier_uniform"},
    {{"apart", "Why do the heads differ?", "",
      "Only because each starts from different random weights. In the right column all heads are "
      "copies of head 1, in W_O too. Their gradients are equal (above the measures: ∂W_Q of two "
      "heads differs by up to 0 %), so they stay equal in training."},
     NULL,
     "view=compare&compare=bugs&compare-bug=2"},
    {{"rope", "When can W_Q and W_K not be merged?", "",
      "RoPE rotates q and k by their positions, so there is one matrix for each distance i − j. "
      "Drag the distance. Biases are no obstacle: append a constant 1 to X."},
     NULL,
     "view=wqk&positions=rope&wqk-product=qk&wqk-against=merged&wqk-page=rank"},
};

const Registry QUESTION_REGISTRY = REGISTRY("questions", "question", QUESTIONS);

/* Make a default layer with the user's text, tokenizer and seed. The user's other changes must not
 * alter the question's answer. */
static bool plain_session(Session *plain, const Session *of, Err *err) {
    if (!session_init(plain, err))
        return false;
    plain->options.seed = of->options.seed;
    plain->options.tokenizer = of->options.tokenizer;
    return session_edit_text(plain, 0, plain->text->size, of->text->bytes, of->text->size, err);
}

static bool is_text_of_question(App *app, const Text *text) {
    bool found = false;
    for (int i = 0; i < QUESTION_REGISTRY.count && !found; i++) {
        Session asked;
        Settings settings;
        Err err;
        const char *state = QUESTIONS[i].state;
        if (strstr(state, "text=") == NULL ||
            !app_read_state(app, &asked, &settings, state, strlen(state), &err))
            continue;
        found = asked.text->size == text->size &&
                memcmp(asked.text->bytes, text->bytes, text->size) == 0;
        session_release(&asked);
    }
    return found;
}

void question_ask(App *app, int question) {
    Err err;
    Session changed;
    const char *tour = QUESTIONS[question].tour;
    if (tour != NULL && app->resources.load_tour != NULL) {
        tour_begin_shipped(app, registry_find(&TOUR_REGISTRY, tour, strlen(tour)));
        return;
    }
    bool was_tour = tour_is_on(app);
    tour_leave(app);
    Snapshot before = detour_begin(app);
    app->ui.focus = 0; /* so that Space plays the view instead of opening the list of questions */
    /* Keep the user's own text, but not one that a question or a tour has set. */
    bool brought = was_tour || is_text_of_question(app, app->session.text);
    const Session *own = brought ? &before.session : &app->session;
    const char *state = QUESTIONS[question].state;
    Settings settings = settings_fresh(app);
    settings_open(app, &settings);
    bool made = plain_session(&changed, own, &err) &&
                app_read_over(app, &changed, &settings, state, strlen(state), &err);
    bool taken = app_told(app, app_take_session(app, made, &changed, &settings, &err), &err);
    if (taken)
        detour_set(app, &before, &app->session);
    session_release(&before.session);
    if (taken)
        hint_say(app, QUESTIONS[question].entry.help, NULL);
}

const Entry TOURS[] = {
    {"first", "A first look", "", "How to read an attention matrix, in one minute."},
    {"weights", "Where do attention's weights come from?", "",
     "What is learned, what is computed, and the graph."},
    {"init", "How large should the initial weights be?", "",
     "Scores of standard deviation 1, and what changes that."},
    {"two-matrices", "If only W_Q·W_Kᵀ matters, why two?", "",
     "W_Q, W_K, their product and its rank."},
    {"embedding", "Are W_Q and W_K the embedding?", "",
     "What attention is if W_Q and W_K are both I."},
    {"projected", "Why do some formulas project Q and K twice?", "",
     "Two matrices in a row are one."},
    {"redundant", "What in the layer is redundant?", "", "Rotations, biases and parameters."},
    {"trained", "What does attention look like after training?", "",
     "Trained layers that read the word before, the same word or a similar word."},
    {"next-word", "How does a model guess the next word?", "",
     "Two layers make an induction head: it finds what followed before."},
    {"merge", "The merge", "", "Two factors become one matrix, and A stays the same."},
    {"lecture", "What is attention?", "",
     "A lecture of ten minutes: attention, why W_Q and W_K, how to initialise."},
};
const Registry TOUR_REGISTRY = REGISTRY("tours", "tour", TOURS);

Snapshot detour_own(const App *app) {
    const HistoryDetour *d = history_detour(&app->history);
    return detour_is_on(app) ? (Snapshot){d->own, *(const Settings *)d->shown} : (Snapshot){0};
}

bool detour_is_on(const App *app) {
    return history_detour(&app->history)->own.text != NULL;
}

bool detour_is_guest(const App *app) {
    return history_detour(&app->history)->is_guest;
}

bool detour_is_edited(const App *app) {
    const HistoryDetour *d = history_detour(&app->history);
    return d->is_guest && !session_equal(&app->session, &d->set);
}

Snapshot detour_begin(const App *app) {
    const HistoryDetour *d = history_detour(&app->history);
    bool stays = d->is_guest || (detour_is_on(app) && session_equal(&d->own, &app->session));
    Snapshot before = stays ? detour_own(app) : (Snapshot){app->session, app->settings};
    before.session = session_share(&before.session);
    return before;
}

void detour_set(App *app, const Snapshot *before, const Session *set) {
    bool is_guest = tour_is_on(app) || !session_equal(&before->session, &app->session);
    HistoryDetour detour = {before->session, &before->settings, *set, is_guest};
    history_set_detour(&app->history, &detour);
}

void detour_set_or_end(App *app, const Snapshot *before, const Session *set) {
    if (snapshot_is_current(before, app))
        detour_end(app);
    else
        detour_set(app, before, set);
}

void detour_end(App *app) {
    history_set_detour(&app->history, &(HistoryDetour){.is_guest = false});
}

/* Restore the session, but keep the current theme, sizes and motion. */
void detour_back(App *app) {
    Err err;
    Snapshot own = detour_own(app);
    if (own.session.text == NULL) {
        app_say(app, "No question has changed the layer");
        return;
    }
    Session back = session_share(&own.session);
    settings_keep_remembered(&own.settings, &app->settings);
    if (app_told(app, app_take_session(app, true, &back, &own.settings, &err), &err))
        detour_end(app);
}
