/* commands.h: what can be done by a key or from the list of all commands, as a table: the help
 * sheet, a person's own keys, `headlight list commands` and the tests read it too. */
#ifndef HEADLIGHT_APP_COMMANDS_H
#define HEADLIGHT_APP_COMMANDS_H

#include "app/app_state.h"
#include "base/registry.h"

typedef struct Command {
    Entry entry;       /* id: what a file of keys says; label: what it does, on the help sheet */
    const char *word;  /* what it has done, for those who saw the key being pressed */
    bool while_typing; /* also while a text field has the focus, by a key that types nothing */
    void (*run)(App *app, int argument);
    int argument;
} Command;

extern const Command COMMANDS[];
extern const Registry COMMAND_REGISTRY;

/* The row of that id, or -1. */
int command_find(const char *id, size_t bytes);

/* What it does, in words. */
const char *command_label(int command);

/* What it has done, in a word or two. */
const char *command_word(int command);

/* Results one by its id; asserts that it exists. */
void command_run(App *app, const char *id);

/* Results those whose keys were pressed and not used by a widget. */
void commands_keys(App *app);

#endif
