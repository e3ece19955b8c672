#include <assert.h>
#include <string.h>

#include "app/commands.h"

int command_find(const char *id, size_t bytes) {
    return registry_find(&COMMAND_REGISTRY, id, bytes);
}

void command_run(App *app, const char *id) {
    int command = command_find(id, strlen(id));
    assert(command >= 0);
    command_do(app, command);
}

void command_do(App *app, int command) {
    app_do(app, COMMANDS[command].run, COMMANDS[command].argument);
}

/* True if the key types a character. */
static bool is_letter(const Binding *binding) {
    return (binding->mods & KEY_MOD_COMMAND) == 0 && binding->key < KEY_ESCAPE;
}

/* True if the key types a character or moves the caret. */
static bool belongs_to_text(const Binding *binding) {
    return (binding->mods & KEY_MOD_COMMAND) == 0 && binding->key < KEY_F1;
}

void commands_keys(App *app) {
    bool typing = app->ui.wants_text;
    for (int i = 0; i < app->keys.count; i++) {
        const Binding *binding = &app->keys.at[i];
        const Command *command = &COMMANDS[binding->command];
        bool runs_always = command->while_typing;
        if (typing && (!runs_always || belongs_to_text(binding)))
            continue;
        if (app->sheet != SHEET_NONE && is_letter(binding) && !runs_always &&
            COMMANDS[binding->command].run != COMMANDS[command_find("options", 7)].run)
            continue; /* shortcuts do not change what is under the sheet */
        while (ui_key(&app->ui, binding->key, binding->mods)) {
            command_do(app, binding->command);
            lecture_pressed(app, binding);
        }
    }
}
