/* questions.h: questions that students ask about attention, each with the view that answers it, and
 * what to try there. */
#ifndef HEADLIGHT_APP_QUESTIONS_H
#define HEADLIGHT_APP_QUESTIONS_H

#include "app/app_state.h"

/* entry.label: the question; entry.help: what to try. */
typedef struct Question {
    Entry entry;
    const char *state; /* a state string: the differences from the default layer and picture */
} Question;

extern const Question QUESTIONS[];
extern const Registry QUESTION_REGISTRY;

/* Open the view that answers the question, as one undo step, and show what to try. Text,
 * tokenizer, seed and picture options stay unless the question sets them. Call between passes. */
void question_ask(App *app, int question);

#endif
