#include "app/tip.h"

#include <string.h>

#include "app/commands.h"
#include "app/keymap.h"
#include "ui/tooltip.h"

/* Write the keys of the command with this id. Write "" if the tooltip of `owner` is not shown, to
 * save time. */
static void keys_of(char out[KEY_NAME_MAX * 2], const App *app, UiId owner, const char *id) {
    const Ui *ui = &app->ui;
    bool may_show = ui->hot == owner || ui->focus == owner || ui->tip.owner == owner;
    int command = may_show ? command_find(id, strlen(id)) : -1;
    out[0] = '\0';
    if (command >= 0)
        keymap_names(out, KEY_NAME_MAX * 2, &app->keys, command);
}

static void tip(App *app, UiId id, Rect rect, const Entry *entry, const char *label,
                const char *keys) {
    tooltip(&app->ui, id, rect,
            &(Tooltip){label, entry->help, keys[0] != '\0' ? keys : NULL, NULL});
}

void tip_command(App *app, UiId id, Rect rect, const char *command) {
    char keys[KEY_NAME_MAX * 2];
    int found = command_find(command, strlen(command));
    keys_of(keys, app, id, command);
    tip(app, id, rect, &COMMANDS[found].entry, command_label(found), keys);
}

/* Explain an option, with the keys of the command of the same id, or of the command that rolls the
 * dice. */
void tip_option(App *app, UiId id, Rect rect, const OptionRow *row) {
    char keys[KEY_NAME_MAX * 2];
    keys_of(keys, app, id, row->kind == OPTION_SEED ? "reroll" : row->entry.id);
    tip(app, id, rect, &row->entry, row->entry.label, keys);
}

void tip_words(App *app, UiId id, Rect rect, const char *words, const char *command) {
    char keys[KEY_NAME_MAX * 2];
    keys_of(keys, app, id, command);
    tooltip(&app->ui, id, rect, &(Tooltip){NULL, words, keys[0] != '\0' ? keys : NULL, NULL});
}
