/* examples.h: example sentences, each with a hint on what to look for. */
#ifndef HEADLIGHT_APP_EXAMPLES_H
#define HEADLIGHT_APP_EXAMPLES_H

#include "app/app_state.h"

/* entry.label: what it is about; entry.help: what to look for. */
typedef struct Example {
    Entry entry;
    const char *text;
} Example;

extern const Example EXAMPLES[];
extern const Registry EXAMPLE_REGISTRY;

/* Replace the text by the example's sentence, as one undo step, and show its hint. */
void example_show(App *app, int example);

/* Return the example whose sentence is the text, or -1. */
int example_shown(const App *app);

#endif
