/* commands.h: what keys do, as a table: the help sheet and the tests read it too. */
#ifndef HEADLIGHT_APP_COMMANDS_H
#define HEADLIGHT_APP_COMMANDS_H

#include "app/app_state.h"

typedef struct Command {
    const char *id;
    const char *label;    /* what it does, on the help sheet */
    const char *key_name; /* how its key is written there */
    uint32_t key;
    unsigned mods;
    bool while_typing; /* also while a text field has the focus */
    void (*run)(App *app, int argument);
    int argument;
} Command;

extern const Command COMMANDS[];
extern const int COMMAND_COUNT;

/* Run one by its id; asserts that it exists. */
void command_run(App *app, const char *id);

/* Run those whose keys were pressed and not used by a widget. */
void commands_keys(App *app);

#endif
