#include "ui/dropdown.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "ui/formula.h"
#include "ui/icon.h"
#include "ui/line_edit.h"
#include "ui/scroll.h"
#include "ui/skin.h"

#define ROW_HEIGHT 36
/* If fewer rows fit below or above the button, the list covers the button. */
#define ROWS_LEAST  3
#define STEM_BYTES  7 /* maximum bytes of a typed word to search in help and labels */
#define SEARCH_ROWS 8 /* a list with at least this number of rows always shows the search line */
#define MATCHES_MAX 128
#define PAGE        6
#define LIST_WIDTH  380
#define HELP_HEIGHT 104 /* px: height of four lines of help */
#define LIST_PAD    6
/* Px by which a row is wider than its label: margins, the tick, a scroll bar. */
#define LABEL_FRAME  (42 + SCROLL_BAR)
#define FORMULA_H    34
#define NOTE_SIZE    15
#define FORMULA_SIZE 20

static const char *choice_label(const DropdownChoices *choices, int row) {
    return row < 0 ? choices->absent : registry_entry(choices->registry, row)->label;
}

static const char *button_label(const DropdownChoices *choices, int chosen) {
    return choices->label != NULL ? choices->label : choice_label(choices, chosen);
}

static int align_of(const DropdownChoices *choices) {
    return choices->is_name ? LABEL_LEFT : LABEL_PROSE;
}

float dropdown_width(const Ui *ui, const DropdownChoices *choices, int chosen) {
    const char *label = button_label(choices, chosen);
    LabelStyle style = {.font = FONT_SANS, .size = SKIN_TEXT, .align = align_of(choices)};
    return label_text_width(ui, &style, label) + 48;
}

/* The rows whose label or id contains the typed text; then those whose help and label contain the
 * first letters of each typed word. */
typedef struct Matches {
    int at[MATCHES_MAX];
    int count;
} Matches;

static bool holds(const char *text, const char *word, size_t bytes) {
    while (*text != '\0' && strncasecmp(text, word, bytes) != 0)
        text++;
    return *text != '\0' || bytes == 0;
}

/* True if each typed word is in the help or the label. Only the first letters of a word count, so
 * that “initialise” finds “initial”. */
static bool describes(const Entry *entry, const char *typed) {
    for (typed += strspn(typed, " "); *typed != '\0'; typed += strspn(typed, " ")) {
        size_t bytes = strcspn(typed, " "), stem = bytes < STEM_BYTES ? bytes : STEM_BYTES;
        if (!holds(entry->help, typed, stem) && !holds(entry->label, typed, stem))
            return false;
        typed += bytes;
    }
    return true;
}

static Matches find(const DropdownChoices *choices, const char *typed) {
    Matches found = {.count = 0};
    typed += strspn(typed, " ");
    for (int in_help = 0; in_help < 2; in_help++)
        for (int row = choices->absent != NULL ? -1 : 0; row < choices->registry->count; row++) {
            const Entry *entry = row < 0 ? NULL : registry_entry(choices->registry, row);
            bool by_name = holds(choice_label(choices, row), typed, strlen(typed)) ||
                           (entry != NULL && holds(entry->id, typed, strlen(typed)));
            bool match = in_help ? !by_name && entry != NULL && describes(entry, typed) : by_name;
            if (match && found.count < MATCHES_MAX)
                found.at[found.count++] = row;
        }
    return found;
}

static float notes_height(const DropdownChoices *choices) {
    bool any = false;
    for (int i = 0; i < choices->registry->count; i++)
        any |= registry_entry(choices->registry, i)->formula[0] != '\0';
    return HELP_HEIGHT + (any ? FORMULA_H : 0);
}

static int match_of(const Matches *matches, int row) {
    for (int i = 0; i < matches->count; i++)
        if (matches->at[i] == row)
            return i;
    return -1;
}

/* Return the place of the list: below the button, or above it if there is more room there. If not
 * even a few rows fit at either place, the list covers the button. A context menu, whose button is
 * a point, may always cover it. */
static Rect list_place(const Ui *ui, Rect button, float width, float height) {
    float under = ui->list->height - rect_bottom(button) - 8, above = button.y - 8;
    float least = fminf(height, HELP_HEIGHT + FORMULA_H + (ROWS_LEAST + 1) * ROW_HEIGHT);
    bool below = height <= under || under >= above;
    Rect list = {button.x, rect_bottom(button) + 4, width, fminf(height, below ? under : above)};
    if (!below)
        list.y = button.y - 4 - list.h;
    if (list.h < least || button.w <= 1) {
        list.h = fminf(height, ui->list->height - 8);
        list.y = fminf(rect_bottom(button) + 4, ui->list->height - 4 - list.h);
    }
    list.x = fmaxf(fminf(list.x, ui->list->width - 4 - width), 4);
    list.y = fmaxf(list.y, 4);
    return list;
}

static void light(Ui *ui, const Matches *matches, int at) {
    at = at < 0 ? 0 : at >= matches->count ? matches->count - 1 : at;
    int row = matches->count > 0 ? matches->at[at] : ui->popup_at;
    ui->again |= row != ui->popup_at;
    ui->popup_at = row;
}

static bool list_keys(Ui *ui, const Matches *matches) {
    int at = match_of(matches, ui->popup_at), was = ui->popup_at;
    bool typed = ui->popup_text[0] != '\0';
    at += ui_keys(ui, KEY_DOWN, 0) - ui_keys(ui, KEY_UP, 0);
    at += PAGE * (ui_keys(ui, KEY_PAGE_DOWN, 0) - ui_keys(ui, KEY_PAGE_UP, 0));
    if (!typed && ui_keys(ui, KEY_HOME, 0) > 0)
        at = 0;
    if (!typed && ui_keys(ui, KEY_END, 0) > 0)
        at = matches->count - 1;
    light(ui, matches, at);
    return ui->popup_at != was;
}

static bool list_row(Ui *ui, UiId id, Rect rect, const char *label, const char *note, int row,
                     bool chosen) {
    UiState state = ui_control(ui, id, rect, UI_NO_FOCUS);
    if (state.hovered && ui->pointer_moved && row != ui->popup_at) {
        ui->popup_at = row;
        ui->again = true;
    }
    if (row == ui->popup_at)
        draw_fill(ui->list, rect, 6, ui->theme->hover);
    LabelStyle style = {chosen ? FONT_SANS_BOLD : FONT_SANS, SKIN_TEXT,
                        chosen ? ui->theme->text_1 : ui->theme->text_2, LABEL_PROSE};
    Rect words = rect_inset(rect, 10, 0);
    Rect mark = rect_cut_right(&words, 18);
    LabelStyle small = {FONT_SANS, NOTE_SIZE, ui->theme->text_3, LABEL_RIGHT};
    float note_w = label_text_width(ui, &small, note);
    label_draw(ui, rect_cut_right(&words, note_w), &small, note);
    label_draw(ui, words, &style, label);
    if (chosen)
        icon_draw(ui, ICON_TICK, rect_centre(mark), 14, ui->theme->text_1);
    return state.clicked;
}

static void list_help(Ui *ui, Rect rect, const DropdownChoices *choices, const Matches *matches) {
    LabelStyle style = {FONT_SANS, 15, ui->theme->text_2, LABEL_PROSE};
    FormulaStyle formula = {.size = FORMULA_SIZE, .colour = ui->theme->text_1};
    Rect words = rect_inset(rect, 10, 8);
    draw_fill(ui->list, (Rect){rect.x + 10, rect.y, rect.w - 20, 1}, 0, ui->theme->hover);
    if (matches->count == 0)
        label_wrap(ui, words, &style, "No match. Press Backspace to shorten the search.");
    if (matches->count == 0 || ui->popup_at < 0)
        return;
    const Entry *entry = registry_entry(choices->registry, ui->popup_at);
    if (entry->formula[0] != '\0')
        formula_label(ui, rect_cut_top(&words, FORMULA_H), &formula, entry->formula);
    label_wrap(ui, words, &style, entry->help);
}

static void search_draw(Ui *ui, Rect rect) {
    UiState state = {.focused = true};
    LabelStyle hint = {FONT_SANS, SKIN_TEXT, ui->theme->text_2, LABEL_LEFT};
    Rect words = rect_inset(rect, 10, 0);
    draw_fill(ui->list, rect, 6, ui->theme->canvas);
    line_edit_draw(ui, &ui->popup_edit, words, state, FONT_SANS, SKIN_TEXT, ui->popup_text,
                   strlen(ui->popup_text));
    if (ui->popup_text[0] == '\0' && ui->popup_edit.composing[0] == '\0')
        label_draw(ui, (Rect){words.x + 6, words.y, words.w - 6, words.h}, &hint, "Type to search");
}

/* Return the row to choose, or DROPDOWN_UNCHANGED; set *close if the list must close. */
static int list_events(Ui *ui, const DropdownChoices *choices, bool *moved, bool *close) {
    bool changed, blank = ui->popup_text[0] == '\0' && ui_key(ui, ' ', 0);
    LineBuffer buffer = {ui->popup_text, ui->popup_copied, sizeof ui->popup_text, &ui->popup_edit};
    Matches matches = find(choices, ui->popup_text);
    *moved = list_keys(ui, &matches);
    LineAction action = line_buffer_events(ui, &buffer, &changed);
    if (changed) {
        matches = find(choices, ui->popup_text);
        light(ui, &matches, match_of(&matches, ui->popup_at));
        *moved = ui->again = true;
    }
    ui->wants_text = true;
    *close = action == LINE_ESCAPE || ui_key(ui, KEY_TAB, 0);
    return (blank || action == LINE_ENTER) && matches.count > 0 ? ui->popup_at : DROPDOWN_UNCHANGED;
}

/* Draw the rows, and scroll to row ui->popup_at after it changed. Return the row that was clicked,
 * or DROPDOWN_UNCHANGED. */
static int list_body(Ui *ui, UiId id, Rect rect, const DropdownChoices *choices, int chosen,
                     const Matches *matches, bool moved) {
    int result = DROPDOWN_UNCHANGED;
    Vec2 size = {0, ROW_HEIGHT * (float)matches->count};
    ScrollArea area = scroll_begin_silent(ui, id + 1, rect, &ui->popup_scroll, size);
    for (int i = 0; i < matches->count; i++) {
        int row = matches->at[i];
        Rect place = {area.content.x, area.content.y + ROW_HEIGHT * (float)i, area.content.w,
                      ROW_HEIGHT};
        if (moved && row == ui->popup_at)
            scroll_show(ui, &area, place);
        if (list_row(ui, id + (UiId)(row + 6), place, choice_label(choices, row),
                     choices->note != NULL ? choices->note(row) : "", row, row == chosen))
            result = row;
    }
    scroll_end(ui, &area);
    return result;
}

static float list_width(const Ui *ui, const DropdownChoices *choices) {
    LabelStyle style = {.font = FONT_SANS_BOLD, .size = SKIN_TEXT, .align = LABEL_PROSE};
    float width = LIST_WIDTH;
    for (int i = 0; i < choices->registry->count; i++)
        width = fmaxf(width, label_text_width(ui, &style, choice_label(choices, i)) + 2 * LIST_PAD +
                                 LABEL_FRAME);
    return fminf(width, ui->list->width - 8);
}

static int list_show(Ui *ui, UiId id, Rect button, const DropdownChoices *choices, int chosen) {
    int rows = choices->registry->count + (choices->absent != NULL);
    bool moved, close, opened = ui->popup_scroll.focus_was != id;
    ui->popup_scroll.focus_was = id;
    int result = list_events(ui, choices, &moved, &close);
    Matches matches = find(choices, ui->popup_text);
    bool search = rows >= SEARCH_ROWS || ui->popup_text[0] != '\0';
    float width = fmaxf(button.w, list_width(ui, choices)),
          line = search ? ROW_HEIGHT + LIST_PAD : 0;
    float notes_h = notes_height(choices);
    float height = ROW_HEIGHT * (float)rows + notes_h + 2 * LIST_PAD + line;
    Rect list = list_place(ui, button, width, height), rest = rect_inset(list, LIST_PAD, LIST_PAD);
    skin_raise(ui, list, SKIN_RADIUS, ui->theme->raised, ui->theme->hover);
    ui_cover(ui, list);
    Rect field = rect_cut_top(&rest, line), help = rect_cut_bottom(&rest, notes_h);
    field.h -= LIST_PAD;
    if (search)
        search_draw(ui, field);
    int clicked = list_body(ui, id, rest, choices, chosen, &matches, moved || opened);
    result = clicked != DROPDOWN_UNCHANGED ? clicked : result;
    list_help(ui, help, choices, &matches);
    bool outside = ui_pressed_outside(ui, list);
    if (result != DROPDOWN_UNCHANGED || outside || close) {
        ui->popup = 0;
        ui->again = true;
    }
    return result;
}

void dropdown_open(Ui *ui, UiId id, int chosen) {
    ui->popup = id;
    ui->popup_at = chosen;
    ui->popup_text[0] = '\0';
    ui->popup_edit = (LineEdit){0};
    ui->popup_scroll = (Scroll){0};
    ui->again = true;
}

static void dropdown_button(Ui *ui, UiId id, Rect rect, UiState state,
                            const DropdownChoices *choices, int chosen) {
    Rect words = rect_inset(rect, 12, 0);
    draw_fill(ui->list, rect, SKIN_RADIUS, skin_ground(ui, id, state, ui->theme->raised));
    Rect mark = rect_cut_right(&words, 16);
    if (choices->wrong)
        skin_wrong(ui, rect, &words);
    LabelStyle style = {FONT_SANS, SKIN_TEXT, skin_ink(state, ui->theme->text_1),
                        align_of(choices)};
    label_draw(ui, words, &style, button_label(choices, chosen));
    icon_draw(ui, ICON_CHEVRON, rect_centre(mark), 11, skin_ink(state, ui->theme->text_2));
    ui_focus_ring(ui, id, rect, SKIN_RADIUS);
}

/* Return the row that keys or the wheel choose while the list is closed. */
static int closed_steps(Ui *ui, UiId id, Rect rect, UiState state, const DropdownChoices *choices,
                        int chosen) {
    int first = choices->absent != NULL ? -1 : 0, last = choices->registry->count - 1;
    int steps = ui_wheel_choice(ui, id, rect);
    if (state.focused)
        steps += ui_keys(ui, KEY_DOWN, 0) - ui_keys(ui, KEY_UP, 0);
    int wanted = chosen + steps < first ? first : chosen + steps;
    wanted = steps == 0 ? chosen : wanted > last ? last : wanted;
    if (state.focused && ui_keys(ui, KEY_HOME, 0) > 0)
        wanted = first;
    if (state.focused && ui_keys(ui, KEY_END, 0) > 0)
        wanted = last;
    return wanted == chosen ? DROPDOWN_UNCHANGED : wanted;
}

int dropdown_under(Ui *ui, UiId id, Rect rect, const DropdownChoices *choices, int chosen,
                   UiState *button) {
    if (ui->popup == id) { /* a press on the button counts as outside the list and closes it */
        *button = (UiState){.hovered = true};
        UiPlace below = ui_raise(ui, UI_LAYER_POPUP);
        int result = list_show(ui, id, rect, choices, chosen);
        ui_lower(ui, below);
        return result;
    }
    bool is_menu = choices->label != NULL;
    *button = ui_control(ui, id, rect, 0);
    if (button->clicked || (button->focused && (ui_key(ui, KEY_DOWN, KEY_MOD_ALT) ||
                                                (is_menu && ui_key(ui, KEY_DOWN, 0)))))
        dropdown_open(ui, id, chosen);
    return is_menu ? DROPDOWN_UNCHANGED : closed_steps(ui, id, rect, *button, choices, chosen);
}

int dropdown(Ui *ui, UiId id, Rect rect, const DropdownChoices *choices, int chosen) {
    UiState state;
    if (ui->is_plain)
        return DROPDOWN_UNCHANGED;
    int result = dropdown_under(ui, id, rect, choices, chosen, &state);
    dropdown_button(ui, id, rect, state, choices, chosen);
    return result;
}
