/* commands.h: the table of all commands: what a key or the command list can do. The help sheet, the
 * user's own keys, `headlight list commands` and the tests read it, too. */
#ifndef HEADLIGHT_APP_COMMANDS_H
#define HEADLIGHT_APP_COMMANDS_H

#include "app/app_state.h"
#include "base/registry.h"

typedef struct Command {
    Entry entry; /* id: its name in a keys file; label: what it does, on the help sheet */
    struct {
        const char *word; /* what the command has done, for an audience that saw its key */
        AppAction *run;
        int argument;
        bool while_typing; /* works while a text field has the focus, too, if its key types nothing
                            */
    };
} Command;

extern const Command COMMANDS[];
extern const Registry COMMAND_REGISTRY;

/* Return the row with this id, or -1. */
int command_find(const char *id, size_t bytes);

/* Return what the command does. */
const char *command_label(int command);

/* Return what it has done, in one or two words. */
const char *command_word(int command);

/* Run a row of COMMANDS, or the command with this id, which must exist, as app_do does. */
void command_do(App *app, int command);
void command_run(App *app, const char *id);

/* Commands: move the pin, or if there is none the focus, by one cell (0 left, 1 right, 2 up, 3
 * down); without either, pin the first cell. Pin the cell under the pointer, or else the focused
 * one, and choose its head. */
void pin_move(App *app, int way);
void pin_here(App *app, int unused);

/* Run the commands whose keys were pressed and not used by a widget. */
void commands_keys(App *app);

#endif
