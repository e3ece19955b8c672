#include "app/chrome.h"
#include "app/commands.h"

/* A key that would put a character into a text field, or move in it. */
static bool belongs_to_text(const Binding *binding) {
    return (binding->mods & KEY_MOD_COMMAND) == 0 && binding->key < KEY_F1;
}

static void run_key(App *app, const Binding *binding) {
    const Command *command = &COMMANDS[binding->command];
    command->run(app, command->argument);
    lecture_pressed(app, binding);
}

void commands_keys(App *app) {
    bool typing = app->ui.wants_text;
    if (app->memory.heads.wants_keep)
        command_run(app, "keep");
    for (int i = 0; i < app->keys.count; i++) {
        const Binding *binding = &app->keys.at[i];
        if (typing && (!COMMANDS[binding->command].while_typing || belongs_to_text(binding)))
            continue;
        while (ui_key(&app->ui, binding->key, binding->mods))
            run_key(app, binding);
    }
}
