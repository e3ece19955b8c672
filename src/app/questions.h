/* questions.h: what students ask about attention, each with the place where it answers itself by
 * playing, and what to try there. */
#ifndef HEADLIGHT_APP_QUESTIONS_H
#define HEADLIGHT_APP_QUESTIONS_H

#include "app/app_state.h"

/* entry.label: the question; entry.help: what to try. */
typedef struct Question {
    Entry entry;
    const char *state; /* a state string: how the layer and the picture differ from the default */
} Question;

extern const Question QUESTIONS[];
extern const Registry QUESTION_REGISTRY;

/* Go to where it is answered, as one step of undo, and say what to try. The text, how it is cut and
 * the seed stay where the question has none of its own; so does what the picture's options have
 * that it does not name. Between passes. */
void question_ask(App *app, int question);

#endif
