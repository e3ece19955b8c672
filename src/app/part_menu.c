#include "app/part_menu.h"

#include <stdio.h>

#include "app/app_state.h"
#include "app/path_sheet.h"
#include "base/util.h"
#include "ui/dropdown.h"
#include "views/shared/number_editor.h"

/* One row of the menu: a use of the part. */
typedef struct PartCommand {
    Entry entry;
    ViewResult result; /* RESULT_NONE edits the number */
    bool copies;       /* copy to the clipboard; else save to a file */
} PartCommand;

static const PartCommand COMMANDS_OF_PART[] = {
    {{"edit", "Edit this number…", "", "Type another number in its place."}, RESULT_NONE, false},
    {{"copy-picture", "Copy picture", "", "This part as a PNG."}, RESULT_PNG, true},
    {{"copy-svg", "Copy SVG", "", "This part in lines and text."}, RESULT_SVG, true},
    {{"copy-numbers", "Copy numbers (CSV)", "", "The numbers that this part shows."},
     RESULT_CSV,
     true},
    {{"save-picture", "Save picture as…", "", "This part as a PNG."}, RESULT_PNG, false},
    {{"save-svg", "Save SVG as…", "", "This part in lines and text."}, RESULT_SVG, false},
    {{"save-numbers", "Save numbers as…", "", "The numbers that this part shows, as CSV."},
     RESULT_CSV,
     false},
};
#define ROWS     ((int)ARRAY_COUNT(COMMANDS_OF_PART))
#define ROW_SIZE (sizeof COMMANDS_OF_PART[0])

/* List the rows that apply, the editor of a number first. If no part can be cut out, it is the only
 * row. */
static Registry rows_of(const App *app) {
    bool cuts = app->resources.cuts_parts;
    int first = app->part_menu.has_number ? 0 : 1, count = (cuts ? ROWS : 1) - first;
    return (Registry){"commands", "command", &COMMANDS_OF_PART[first], ROW_SIZE, count};
}

static void run(App *app, const PartCommand *command) {
    ViewContext context = app_view_context(app);
    const NumberOffer *offer = &app->memory.editor.offer;
    if (command->result == RESULT_NONE) {
        number_editor_open(&context, offer->place, offer->cell, offer->row);
    } else if (command->copies) {
        app->part_menu.copy = command->result;
    } else {
        app->result = command->result;
        snprintf(app->result_part, sizeof app->result_part, "%s", app->part_menu.part);
        path_sheet_open(app, SHEET_RESULT);
    }
    app->ui.again = true;
}

static void open(App *app, UiId id) {
    Ui *ui = &app->ui;
    AppPartMenu *menu = &app->part_menu;
    const DrawPart *part = part_at(ui->list, ui->pointer);
    menu->has_number = app->memory.editor.offer.frame == ui->frame;
    menu->at = ui->pointer;
    snprintf(menu->part, sizeof menu->part, "%s", part != NULL ? part->id : "");
    if (part != NULL && rows_of(app).count > 0)
        dropdown_open(ui, id, -1);
}

static void list_draw(App *app, UiId id) {
    AppPartMenu *menu = &app->part_menu;
    UiState state;
    Registry rows = rows_of(app);
    DropdownChoices choices = {.registry = &rows, .label = menu->part};
    int row =
        dropdown_under(&app->ui, id, (Rect){menu->at.x, menu->at.y, 1, 1}, &choices, -1, &state);
    if (row >= 0)
        run(app, (const PartCommand *)rows.rows + row);
}

void part_menu_draw(App *app) {
    Ui *ui = &app->ui;
    UiId id = ui_id("part menu", 0);
    bool is_over = app->sheet == SHEET_NONE && !ui->is_plain && ui->first_pass;
    bool is_offered = is_over && app->memory.editor.offer.frame == ui->frame;
    if (is_offered || (is_over && ui_pressed_right(ui, (UiState){.hovered = true})))
        open(app, id);
    else if (ui->popup == id)
        list_draw(app, id);
}

void part_menu_frame(App *app) {
    AppPartMenu *menu = &app->part_menu;
    if (menu->copy == RESULT_NONE)
        return;
    app->effects.part = menu->part;
    app->effects.part_result = (int)menu->copy;
    menu->copy = RESULT_NONE;
}
