/* commands.h: the table of all commands that a key or the command list can run. The help sheet, the
 * user's own keys, `headlight list commands` and the tests also read it. */
#ifndef HEADLIGHT_APP_COMMANDS_H
#define HEADLIGHT_APP_COMMANDS_H

#include "app/app_state.h"
#include "base/registry.h"

typedef struct Command {
    Entry entry; /* id: the command's name in a keys file; label: what it does, on the help sheet */
    struct {
        /* What the command did, for an audience that saw the key press. {seed} stands for the value
         * of the option "seed". */
        const char *word;
        AppAction *run;
        int argument;
        /* True if the command also works while a text field has the focus, but not by a key that
         * types a character or moves the caret. */
        bool while_typing;
        /* The keys that run the command, separated by commas, as a user writes them; and further
         * keys for some keyboards, not shown on screen. NULL for none. */
        const char *keys, *synonyms;
    };
} Command;

extern const Command COMMANDS[];
extern const Registry COMMAND_REGISTRY;

/* Return the row with this id, or -1. */
int command_find(const char *id, size_t bytes);

/* Return the label of a command: what it does. */
const char *command_label(int command);

/* Return what the command has done, in one or two words. */
const char *command_word(int command);

/* Run a row of COMMANDS, or the command with this id, which must exist. When it runs: see
 * app_do. */
void command_do(App *app, int command);
void command_run(App *app, const char *id);

/* Run the commands whose keys were pressed and not used by a widget. */
void commands_keys(App *app);

#endif
