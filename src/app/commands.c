#include "app/commands.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/examples.h"
#include "app/hall.h"
#include "app/sheets.h"
#include "app/tour.h"
#include "base/utf8.h"
#include "document/layer_code.h"
#include "ui/number_field.h"
#include "views/heads/heads.h"
#include "views/inspector/inspector.h"
#include "views/shared/heatmap.h"

#define UI_SCALE_STEP 0.1f

static void run_sheet(App *app, int sheet) {
    if (app->sheet == (AppSheet)sheet)
        sheet_close(app);
    else
        sheet_open(app, (AppSheet)sheet);
    if (app->sheet == SHEET_PALETTE)
        palette_open(app, "");
}

static void run_trained(App *app, int argument) {
    (void)argument;
    sheet_open(app, SHEET_PALETTE);
    palette_open(app, "trained: ");
}

static void run_seed(App *app, int step) {
    option_step(app, option_row("seed"), step, NUMBER_PLAIN, 0);
}

/* Switch between the two forms that a lecture compares; from any other form go to the first. */
static void run_form(App *app, int argument) {
    bool separate = app->session.options.form.row == FORM_SEPARATE;
    (void)argument;
    app_set_key(app, "form", separate ? "merged" : "separate");
}

static void run_mask(App *app, int argument) {
    (void)argument;
    option_cycle(app, option_row("mask"));
}

/* Choose the next theme. In a lecture, which has its own theme, only show a message. In a presented
 * tour, the first call replaces the projector theme by the theme of the settings. */
static void run_theme(App *app, int argument) {
    (void)argument;
    if (app->lecture.is_on)
        app_say(app, "A lecture keeps the projector theme; Esc ends the lecture");
    else if (hall_is_on(app) && !hall_keeps_theme(app))
        hall_keep_theme(app);
    else
        option_cycle(app, option_row("theme"));
}

static void run_motion(App *app, int argument) {
    (void)argument;
    option_cycle(app, option_row("motion"));
}

static void run_view(App *app, int view) {
    lecture_leave(app);
    app_set_key(app, "view", registry_entry(&VIEW_REGISTRY, view)->id);
}

static void run_scale(App *app, int step) {
    /* A lecture and a presented tour choose their scale themselves. */
    if (app->lecture.is_on || hall_is_on(app))
        return;
    float scale = step == 0 ? 1 : app->settings.ui_scale + UI_SCALE_STEP * (float)step;
    scale = fminf(fmaxf(scale, 0.75f), 3);
    app_set_key(app, "ui-scale", PRINT("%.2f", (double)scale));
}

static void run_close_weights(App *app, int argument) {
    (void)argument;
    Err err;
    if (app->session.weights == NULL)
        return;
    Session changed = session_share(&app->session);
    bool closed = session_set_weights(&changed, NULL, 0, &err);
    if (app_told(app, app_take_session(app, closed, &changed, NULL, &err), &err))
        app_say(app, "The weights are sampled again; Ctrl Z restores those of the file");
}

static void run_back(App *app, int argument) {
    (void)argument;
    (tour_is_on(app) ? tour_leave_back : detour_back)(app);
}

static void run_window(App *app, int quits) {
    app->effects.quit |= quits != 0;
    app->effects.toggle_fullscreen |= quits == 0;
}

static void run_drawer(App *app, int argument) {
    (void)argument;
    lecture_leave(app);
    app->drawer_open = !app->drawer_open;
    app->rail_open = false;
}

static void run_paste_state(App *app, int argument) {
    (void)argument;
    app->ui.wants_paste = true;
}

/* Close what is open in the view: the display of where a number comes from, or a part of Heads.
 * Return false if nothing was open. */
static bool escape_view(App *app) {
    const ViewContext *context = app_context(app);
    bool heads = VIEWS[app_view(app)].frame == heads_frame;
    return provenance_end(context) || (heads && app_has_picture(app) && heads_escape(context));
}

/* Handle Escape: close or leave the first of these that exists: sheet, rail, message, lecture,
 * hint, what is open in the view. If there is none, unpin, and explain no cell. */
static void run_escape(App *app, int argument) {
    (void)argument;
    if (app->sheet != SHEET_NONE)
        sheet_close(app);
    else if (app->rail_open)
        app->rail_open = false;
    else if (!message_dismiss(app) && !lecture_leave(app) && !hint_close(app) &&
             !escape_view(app)) {
        app_step_begin(app);
        app_set_key(app, "pin", "none");
        app_set_key(app, "focus", "nothing");
        app_step_end(app);
    }
}

static void run_show_scores(App *app, int argument) {
    (void)argument;
    app_set_key(app, "show", app->settings.maps.show == SHOW_SCORES ? "weights" : "scores");
}

static void run_second(App *app, int argument) {
    (void)argument;
    app_set_key(app, "view", "heads");
    app->memory.heads.wants_second = true;
}

/* Pass a play key to the view. Return true if the view uses it, or if the view cannot be drawn yet:
 * then the key does nothing. */
static bool press(App *app, TransportButton button) {
    const View *view = &VIEWS[app_view(app)];
    return view->press != NULL && (!app->view_ready || view->press(app_context(app), button));
}

static void run_press(App *app, int button) {
    press(app, (TransportButton)button);
}

/* Move the pin by one cell or, if no cell is pinned, pin a neighbour of the strongest cell
 * (view_rest). If there is neither, pin the first cell. */
void pin_move(App *app, int way) {
    static const int rows[] = {0, 0, -1, 1}, columns[] = {-1, 1, 0, 0};
    OptionPair pin = {1, 1};
    int T = app->run.T;
    if (!app_has_picture(app))
        return;
    AttnCell from = view_rest(app_context(app));
    if (attn_cell_is_set(from))
        pin = (OptionPair){from.query + 1 + rows[way], from.key + 1 + columns[way]};
    if (pin.first < 1 || pin.second < 1 || pin.first > T || pin.second > T)
        return;
    app_set_key(app, "pin", PRINT("%d,%d", pin.first, pin.second));
}

/* Pin the cell that is explained (view_focus), and choose its head. */
void pin_here(App *app, int unused) {
    (void)unused;
    if (!app_has_picture(app))
        return;
    AttnCell cell = view_focus(app_context(app));
    if (!attn_cell_is_set(cell))
        return;
    app_step_begin(app);
    app_set_key(app, "head", PRINT("%d", cell.head + 1));
    app_set_key(app, "pin", PRINT("%d,%d", cell.query + 1, cell.key + 1));
    app_step_end(app);
}

static void run_across(App *app, int button) {
    if (!press(app, (TransportButton)button))
        pin_move(app, button != TRANSPORT_BACK && button != TRANSPORT_FAR_BACK);
}

const Command COMMANDS[] = {
    {{"palette", "All commands", "", "Find any command or setting by typing a part of its name."},
     {"commands", run_sheet, .while_typing = true, .argument = SHEET_PALETTE, .keys = "Ctrl+K"}},
    {{"keys", "All keys", "", "List every key and what it does."},
     {"keys", run_sheet, .while_typing = true, .argument = SHEET_KEYS, .keys = "?, F1",
      .synonyms = "Shift+?, Shift+/"}},
    {{"options", "Every setting", "", "Show every setting of the layer and the picture."},
     {"settings", run_sheet, .argument = SHEET_OPTIONS, .keys = "O"}},
    {{"glossary", "Glossary", "", "Explain the words that the program uses."},
     {"words", run_sheet, .argument = SHEET_GLOSSARY}},
    {{"edit-text", "Edit the sentence", "", "Put the caret into the text field."},
     {"edit the text", token_field_edit, .while_typing = true, .keys = "Ctrl+L"}},
    {{"pin-left", "Pin one key to the left", "",
      "From the pinned cell or, without a pin, from the strongest one. In Steps and Train: go back "
      "one "
      "step."},
     {"key before", run_across, .argument = TRANSPORT_BACK, .keys = "Left"}},
    {{"pin-right", "Pin one key to the right", "",
      "From the pinned cell or, without a pin, from the strongest one. In Steps and Train: go to "
      "the "
      "next step."},
     {"next key", run_across, .argument = TRANSPORT_FORWARD, .keys = "Right"}},
    {{"key-before", "Previous key", "",
      "Move the pin one key to the left, also in Steps. In Train: go back ten steps."},
     {"key before", run_across, .argument = TRANSPORT_FAR_BACK, .keys = "Shift+Left"}},
    {{"key-next", "Next key", "",
      "Move the pin one key to the right, also in Steps. In Train: skip ten steps."},
     {"next key", run_across, .argument = TRANSPORT_FAR_FORWARD, .keys = "Shift+Right"}},
    {{"pin-up", "Pin one query up", "",
      "Start from the pinned cell, or else from the strongest one."},
     {"query before", pin_move, .argument = 2, .keys = "Up"}},
    {{"pin-down", "Pin one query down", "",
      "Start from the pinned cell, or else from the strongest one."},
     {"next query", pin_move, .argument = 3, .keys = "Down"}},
    {{"pin", "Pin the highlighted cell", "",
      "Pin the cell under the pointer, or the strongest one."},
     {"pin", .run = pin_here, .keys = "Enter"}},
    {{"play", "Play, or stop", "", "Play or pause the steps, in Graph, Steps and Train."},
     {"play", run_press, .argument = TRANSPORT_PLAY, .keys = "Space"}},
    {{"first", "First step", "",
      "In Steps, go back to the first step; in Train, go back to step 0, with the same initial "
      "weights."},
     {"first step", run_press, .argument = TRANSPORT_FIRST, .keys = "Home"}},
    {{"last", "Last step", "", "In Steps, go to the output; in Train, to the last step."},
     {"last step", run_press, .argument = TRANSPORT_LAST, .keys = "End"}},
    {{"escape", "Close, or unpin", "",
      "Close the open panel, message or lecture; if there is none, unpin."},
     {"close", .run = run_escape, .keys = "Escape"}},
    {{"head-before", "Previous head", "", "Choose the previous head."},
     {"head {head}", step_head, .argument = -1, .keys = "["}},
    {{"head-next", "Next head", "", "Choose the next head."},
     {"head {head}", step_head, .argument = 1, .keys = "]"}},
    {{"layer-before", "Layer below", "", "Show the layer below, in a checkpoint."},
     {"layer below", step_layer, .argument = -1, .keys = "{", .synonyms = "Shift+{, Shift+["}},
    {{"layer-next", "Layer above", "", "Show the layer above, in a checkpoint."},
     {"layer above", step_layer, .argument = 1, .keys = "}", .synonyms = "Shift+}, Shift+]"}},
    {{"layers", "All layers and heads", "", "Show a map of a whole checkpoint."},
     {"map", .run = show_layers, .keys = "W"}},
    {{"form", "Separate or merged weights", "", "Two matrices W_Q and W_K, or their product W_QK."},
     {"form: {form}", .run = run_form, .keys = "F"}},
    {{"reroll", "Next seed", "", "Sample all weights again."},
     {"seed {seed}", run_seed, .argument = 1, .keys = "R"}},
    {{"reroll-back", "Previous seed", "", "Return to the weights of the previous seed."},
     {"seed {seed}", run_seed, .argument = -1, .keys = "Shift+R"}},
    {{"mask", "Next mask", "", "Choose the next mask."},
     {"mask: {mask}", .run = run_mask, .keys = "M"}},
    {{"scores", "Scores or weights", "", "Switch the heads between scores S and weights A."},
     {"{show}", .run = run_show_scores, .keys = "S"}},
    {{"second", "Compare two sentences", "",
      "Show both matrices of the chosen head side by side, and their difference."},
     {"two sentences", .run = run_second, .keys = "K"}},
    {{"edges-reset", "Mask without edits", "",
      "Undo all edits of the mask. A click with Ctrl edits one edge."},
     {"reset edges", .run = app_reset_edges, .keys = "Shift+M"}},
    {{"edit-number", "Edit a number", "",
      "Set the score of the pinned cell by hand. To set another number, type it in All commands: "
      "W_Q1(3,5)=4 or X(2,1)=0."},
     {"edit a number", .run = hand_edit, .keys = "E"}},
    {{"part-menu", "Menu of the pinned cell", "",
      "Open the menu of the right mouse button at the pinned cell: copy, pin, follow, zero, save."},
     {"menu", .run = part_menu_ask, .keys = "Shift+F10", .synonyms = "F10"}},
    {{"zero-head", "Zero the head, or restore it", "", "A zeroed head adds nothing to the output."},
     {"zero the head", hand_zero_head, .argument = -1, .keys = "Z"}},
    {{"mean-head", "Average the head, or restore it", "",
      "An averaged head outputs the same for every token: the mean over the tokens."},
     {"average the head", hand_mean_head, .argument = -1}},
    {{"numbers-reset", "Reset numbers", "",
      "Restore the computed or learned value of every number that was set by hand."},
     {"reset numbers", .run = hand_reset}},
    {{"theme", "Next theme", "", "Choose the next of dark, light and projector."},
     {"{theme}", .run = run_theme, .keys = "T"}},
    {{"motion", "Less motion, or full motion", "", "Show each change at once, or animate it."},
     {"motion", .run = run_motion}},
    {{"lecture", "Lecture", "", "Show one head in large type for a lecture hall; Esc leaves."},
     {"lecture", .run = lecture_toggle, .keys = "L"}},
    {{"hints", "Show hints", "", "Show the hints for the first steps again."},
     {"hints", .run = hints_show}},
    {{"tour", "Take the tour", "", "How to read an attention matrix, in one minute."},
     {"tour", .run = tour_take_first}},
    {{"tour-next", "Next step of a tour", "",
      "While presenting: show the next cue or, after the last one, the next step."},
     {"next", tour_press, .while_typing = true, .argument = 1, .keys = "PageDown"}},
    {{"tour-back", "Previous step of a tour", "",
      "Go back or, after a change, show this step again."},
     {"back", tour_press, .while_typing = true, .argument = -1, .keys = "PageUp"}},
    {{"present", "Present a tour", "",
      "Present the tour to an audience. Keys: B black, W white, H spotlight, N notes; G 7 Enter "
      "goes to step 7; F5 stops."},
     {"present", presenter_toggle, .while_typing = true, .keys = "F5"}},
    {{"tour-add", "Add a step to the tour", "",
      "Add the current picture as a step; F6 edits the steps."},
     {"add", tour_editor_add, .while_typing = true, .keys = "Ctrl+Enter"}},
    {{"tour-edit", "Edit the tour", "", "Edit, order and save the steps of the tour."},
     {"edit", tour_editor_toggle, .while_typing = true, .keys = "F6"}},
    {{"record", "Record what I do", "",
      "Record each state as a step of a tour, until you press this again or add a step."},
     {"record", take_toggle, .while_typing = true, .keys = "Ctrl+F9"}},
    {{"inspector", "Inspector, when narrow", "",
      "Open or close the panel that explains one number."},
     {"inspector", .run = run_drawer, .keys = "I"}},
    {{"view-1", "View 1", "", "Show the first view."}, {"view 1", .run = run_view, .keys = "1"}},
    {{"view-2", "View 2", "", "Show the second view."},
     {"view 2", run_view, .argument = 1, .keys = "2"}},
    {{"view-3", "View 3", "", "Show the third view."},
     {"view 3", run_view, .argument = 2, .keys = "3"}},
    {{"view-4", "View 4", "", "Show the fourth view."},
     {"view 4", run_view, .argument = 3, .keys = "4"}},
    {{"view-5", "View 5", "", "Show the fifth view."},
     {"view 5", run_view, .argument = 4, .keys = "5"}},
    {{"view-6", "View 6", "", "Show the sixth view."},
     {"view 6", run_view, .argument = 5, .keys = "6"}},
    {{"new", "New session", "", "Start a new session; Undo restores the old one."},
     {"new", desk_new, .while_typing = true, .keys = "Ctrl+N"}},
    {{"open", "Open…", "", "Open a session, weights or a text; recent files come first."},
     {"open", path_sheet_open, .while_typing = true, .argument = SHEET_OPEN, .keys = "Ctrl+O"}},
    {{"open-trained", "Open a trained layer…", "",
      "Choose one of the trained layers that come with the program."},
     {"trained", .run = run_trained}},
    {{"save", "Save", "",
      "Write the session to its file. During a question or a tour, this saves your own layer."},
     {"save", desk_save, .while_typing = true, .keys = "Ctrl+S"}},
    {{"save-as", "Save as…", "",
      "Save what is shown under another name. It then becomes your own layer."},
     {"save as", path_sheet_open, .while_typing = true, .argument = SHEET_SAVE,
      .keys = "Ctrl+Shift+S"}},
    {{"save-png", "Save the picture as PNG…", "", "Save the window as you see it."},
     {"save", export_view_ask, .while_typing = true, .argument = RESULT_PNG}},
    {{"save-svg", "Save the picture as SVG…", "", "Save lines and text, for print."},
     {"save", export_view_ask, .while_typing = true, .argument = RESULT_SVG}},
    {{"save-csv", "Save the numbers as CSV…", "",
      "Save the numbers that the view shows; in Heads, A of the chosen head."},
     {"save", export_view_ask, .while_typing = true, .argument = RESULT_CSV}},
    {{"save-json", "Save the numbers as JSON…", "",
      "Save the numbers that the view shows, with the state string."},
     {"save", export_view_ask, .while_typing = true, .argument = RESULT_JSON}},
    {{"save-tensors", "Export all tensors: NPZ, safetensors…", "",
      "Save X, Q, K, V, S, A, Z, Y and the weights as safetensors, NPZ or JSON."},
     {"export the tensors", export_view_ask, .while_typing = true, .argument = RESULT_TENSORS}},
    {{"save-pytorch", "Save the schemes as PyTorch…", "",
      "Save the schemes of Compare as code, three lines each."},
     {"save", export_view_ask, .while_typing = true, .argument = RESULT_PYTORCH}},
    {{"undo", "Undo", "", "Undo the last change."},
     {"undo", app_undo, .while_typing = true, .argument = -1, .keys = "Ctrl+Z"}},
    {{"redo", "Redo", "", "Repeat the change that was undone."},
     {"redo", app_undo, .while_typing = true, .argument = 1, .keys = "Ctrl+Shift+Z, Ctrl+Y"}},
    {{"close-weights", "Close the file of weights", "", "Use random weights from the seed again."},
     {"close the file", .run = run_close_weights}},
    {{"back", "Back to my layer", "",
      "Restore the text, weights, pin and view that you had before you opened a question. Undo "
      "shows again what you tried there."},
     {"back", run_back, .while_typing = true}},
    {{"copy-state", "Copy the state as text", "",
      "Copy one line of text that holds every setting."},
     {"copy", state_copy, .while_typing = true, .keys = "Ctrl+Shift+C"}},
    {{"copy-pytorch", "Copy the layer as PyTorch", "",
      "Copy a script that rebuilds this layer from its exported tensors and checks A."},
     {"copy", layer_copy, .while_typing = true, .argument = LAYER_CODE_PYTORCH}},
    {{"copy-numpy", "Copy the layer as NumPy", "",
      "Copy a script that rebuilds this layer from its exported tensors and checks A."},
     {"copy", layer_copy, .while_typing = true, .argument = LAYER_CODE_NUMPY}},
    {{"paste-state", "Paste a state", "", "Use the state that you copied as text."},
     {"paste", .run = run_paste_state, .keys = "Ctrl+V"}},
    {{"larger", "Zoom in", "", "Enlarge the window's contents, up to 300 %."},
     {"larger", run_scale, .while_typing = true, .argument = 1, .keys = "Ctrl++",
      .synonyms = "Ctrl+Shift++, Ctrl+=, Ctrl+Shift+="}},
    {{"smaller", "Zoom out", "", "Shrink the window's contents, down to 75 %."},
     {"smaller", run_scale, .while_typing = true, .argument = -1, .keys = "Ctrl+-"}},
    {{"normal-size", "Everything at 100 %", "", "Return to the size that fits the window."},
     {"100 %", run_scale, .while_typing = true, .keys = "Ctrl+0"}},
    {{"fullscreen", "Full screen", "", "Fill the display, or go back to a window."},
     {"full screen", run_window, .while_typing = true, .keys = "F11"}},
    {{"quit", "Quit", "",
      "Close the window; an unsaved session comes back at the next start, without the question "
      "or tour that was shown."},
     {"quit", run_window, .while_typing = true, .argument = 1, .keys = "Ctrl+Q"}},
};

const Registry COMMAND_REGISTRY = REGISTRY("commands", "command", COMMANDS);

const char *command_label(int command) {
    const Command *c = &COMMANDS[command];
    return c->run == run_view ? registry_entry(&VIEW_REGISTRY, c->argument)->label : c->entry.label;
}

const char *command_word(int command) {
    const Command *c = &COMMANDS[command];
    if (c->run != run_view)
        return c->word;
    const Entry *view = registry_entry(&VIEW_REGISTRY, c->argument);
    return view->formula[0] != '\0' ? view->formula : view->label;
}

int command_find(const char *id, size_t bytes) {
    return registry_find(&COMMAND_REGISTRY, id, bytes);
}

void command_run(App *app, const char *id) {
    int command = command_find(id, strlen(id));
    assert(command >= 0);
    command_do(app, command);
}

void command_do(App *app, int command) {
    const Command *c = &COMMANDS[command];
    if (c->run == app_undo || !number_field_leave(&app->ui)) {
        app_do(app, c->run, c->argument);
        return;
    }
    /* The number that is being typed is set in the next pass, before the command runs. */
    app->later = c->run;
    app->later_argument = c->argument;
}

/* Run the commands of the pressed keys. While the user types, only commands with while_typing run,
 * and only by keys that neither type a character nor move the caret. While a sheet is open, a
 * letter runs a command only if it has while_typing or opens a sheet. */
void commands_keys(App *app) {
    bool typing = app->ui.wants_text, is_sheet = app->sheet != SHEET_NONE;
    for (int i = 0; i < app->keys.count; i++) {
        const Binding *binding = &app->keys.at[i];
        const Command *command = &COMMANDS[binding->command];
        bool is_plain = (binding->mods & KEY_MOD_COMMAND) == 0, always = command->while_typing;
        bool is_letter = is_plain && binding->key < KEY_ESCAPE;
        if ((typing && (!always || (is_plain && binding->key < KEY_F1))) ||
            (is_sheet && is_letter && !always && command->run != run_sheet))
            continue;
        while (ui_key(&app->ui, binding->key, binding->mods)) {
            if (typing)
                app->ui.popup = 0; /* otherwise an open list would take the text typed next */
            command_do(app, binding->command);
            lecture_pressed(app, binding);
        }
    }
}
