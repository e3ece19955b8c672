/* glossary.h: technical words that the program shows, each with its meaning and a place in the
 * program where it can be seen. */
#ifndef HEADLIGHT_APP_GLOSSARY_H
#define HEADLIGHT_APP_GLOSSARY_H

#include "app/app_state.h"

typedef struct Term {
    Entry entry; /* entry.help: one or two sentences */
    struct {
        /* A state string that shows an example of the term; "" if no view does. */
        const char *state;
        const char *also; /* other names on screen, separated by '|', or NULL */
    };
} Term;

extern const Term GLOSSARY[]; /* sorted by label */
extern const Registry GLOSSARY_REGISTRY;

/* Open the sheet of all terms, scrolled to this row of GLOSSARY. The second function draws it. A
 * click on a word shows its place. */
void glossary_open(App *app, int term);
void glossary_sheet_draw(App *app);

#endif
