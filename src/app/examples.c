#include "app/examples.h"

#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
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
               "Set Positions to none: the columns of the four “the” become the same. Finding what "
               "followed a word earlier takes a second layer."},
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
    {.entry = {"word-before", "Trained: word before", "",
               "Each row reads the word before it, whatever the words are. Type your own: only the "
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
    Settings unused; /* the picture's settings stay */
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
