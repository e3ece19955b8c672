/* examples.h: example sentences, and the trained layers that ship, each with a hint on what to look
 * for. assets/trained/ID.safetensors holds a layer, the folder assets/trained/ID a model. */
#ifndef HEADLIGHT_APP_EXAMPLES_H
#define HEADLIGHT_APP_EXAMPLES_H

#include "app/app_state.h"

/* entry.label: the subject of the sentence; entry.help: what to look for. */
typedef struct Example {
    Entry entry;
    const char *text;
    bool is_trained;
    /* Number of the layer of a trained model to show first, from 1; 0 for a single layer. */
    int layer;
    const char *state; /* state string of a new session, or NULL to replace only the text */
    /* The seed that was chosen to show one pair well in head 1, and this pair; from 1. */
    int seed, query, key;
} Example;

extern const Example EXAMPLES[];
extern const Registry EXAMPLE_REGISTRY;
extern const Registry TRAINED_REGISTRY; /* the trained layers among the examples */

/* Replace the text by the example's sentence, as one undo step, and show its hint. An example with
 * trained weights or a state starts a new session. */
void example_show(App *app, int example);

/* Return the example whose sentence is the text, or -1. */
int example_shown(const App *app);

/* Return the pair of tokens that the first example shows, if this example is on screen with random
 * weights from its own seed. Otherwise return none. */
AttnCell example_cell(const App *app);

#endif
