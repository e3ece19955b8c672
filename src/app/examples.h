/* examples.h: sentences to begin with, each with what to look for. */
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

/* Put its sentence in place of the text, as one step of undo, and say what to look for. */
void example_show(App *app, int example);

/* The example whose sentence the text is, or -1. */
int example_shown(const App *app);

#endif
