/* examples.h: what a user can start from: questions, tours, example sentences and trained layers;
 * and the way back to the user's own layer. Each sentence or layer has a hint on what to look for.
 * assets/trained/ID.safetensors holds a layer, the folder assets/trained/ID a model. */
#ifndef HEADLIGHT_APP_EXAMPLES_H
#define HEADLIGHT_APP_EXAMPLES_H

#include "app/app_state.h"
#include "base/registry.h"

/* entry.label: the subject of the sentence; entry.help: what to look for. */
typedef struct Example {
    Entry entry;
    const char *text;
    bool is_trained;
    /* The layer of a trained model to show first, from 1; 0 for a file with a single layer. */
    int layer;
    const char *state; /* state string of a new session, or NULL to replace only the text */
    /* A seed with which head 1 shows one pair well, and the tokens of this pair, from 1; 0 for
     * none. */
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

/* A question that students ask about attention. entry.label: the question; entry.help: what to try
 * in the view that answers it. */
typedef struct Question {
    Entry entry;
    const char *tour;  /* id of the tour that answers the question in place of the view, or NULL */
    const char *state; /* a state string: the differences from the default layer and picture */
} Question;

extern const Question QUESTIONS[];
extern const Registry QUESTION_REGISTRY;

/* Open the view that answers the question, as one undo step, and show what to try. Text,
 * tokenizer, seed and picture options stay unless the question sets them. Call between passes. */
void question_ask(App *app, int question);

/* The tours that ship as assets/tours/ID.tour. The label is the title in the file. */
extern const Entry TOURS[];
extern const Registry TOUR_REGISTRY;

/* A detour: a question, a tour or a glossary entry has replaced the user's layer and picture. Each
 * state in the history stores the state to come back to, so undo and redo also restore it; a change
 * by the user keeps it. Return that state, borrowed; its text is NULL outside of a detour. */
Snapshot detour_own(const App *app);

/* True if there is a state to come back to. */
bool detour_is_on(const App *app);

/* True if the layer on screen is that of a tour, or differs from the user's own. */
bool detour_is_guest(const App *app);

/* True if the user has changed the layer that a question or a tour has set. */
bool detour_is_edited(const App *app);

/* Call before a question, a tour or a glossary entry changes the state. Return the state to come
 * back to: that of the current detour, if this shows a tour or another layer, or if the session has
 * not changed since the detour began; otherwise the current state. The caller releases its
 * session. */
Snapshot detour_begin(const App *app);

/* Call after that change. before: the state to come back to. set: the session as it was set, to
 * detect edits by the user. */
void detour_set(App *app, const Snapshot *before, const Session *set);

/* Call detour_set or, if the state on screen is the one to come back to, end the detour. */
void detour_set_or_end(App *app, const Snapshot *before, const Session *set);

/* Forget the current state's way back. */
void detour_end(App *app);

/* Restore the text, weights, pin and view from before the first question, as one undo step. */
void detour_back(App *app);

#endif
