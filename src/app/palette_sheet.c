#include "app/palette_sheet.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/examples.h"
#include "app/glossary.h"
#include "app/glossary_sheet.h"
#include "app/option_control.h"
#include "app/questions.h"
#include "app/tour.h"
#include "app/tours.h"
#include "base/util.h"
#include "ui/label.h"

#define HINT_W    480 /* px: a sheet this wide shows the full hint */
#define KEY_BRIEF 9   /* bytes for the keys in a narrow sheet */
#define WIDTH     720
#define HEIGHT    620
#define PAD       16
#define HELP_H    52

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static bool is_letter(char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || (c & 0x80) != 0;
}

static bool begins(const char *text, const char *word, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (text[i] == '\0' || lower(text[i]) != lower(word[i]))
            return false;
    return true;
}

/* True if text contains the letters of word in order, with gaps allowed. */
static bool is_within(const char *text, const char *word, size_t bytes) {
    size_t at = 0;
    for (; *text != '\0' && at < bytes; text++)
        at += lower(*text) == lower(word[at]);
    return at == bytes;
}

static int word_score(const char *label, const char *word, size_t bytes) {
    int best = is_within(label, word, bytes) ? 1 : 0;
    for (const char *at = label; *at != '\0' && best > 0; at++) {
        if (!begins(at, word, bytes))
            continue;
        bool starts = at == label || !is_letter(at[-1]);
        bool ends = !is_letter(at[bytes]);
        int score = starts ? (ends ? 40 : 30) : 10;
        best = score > best ? score : best;
    }
    return best;
}

int palette_score(const char *label, const char *words) {
    int sum = 1;
    for (words += strspn(words, " "); *words != '\0'; words += strspn(words, " ")) {
        size_t bytes = strcspn(words, " ");
        int score = word_score(label, words, bytes);
        if (score == 0)
            return 0;
        sum += score;
        words += bytes;
    }
    return sum;
}

static void show_tour(App *app, int tour) {
    tour_begin_shipped(app, TOURS[tour].entry.id);
}

static const PaletteList LISTS[] = {{"Example", &EXAMPLE_REGISTRY, example_show},
                                    {"Question", &QUESTION_REGISTRY, question_ask},
                                    {"Tour", &TOUR_REGISTRY, show_tour},
                                    {"Word", &GLOSSARY_REGISTRY, glossary_open}};

static const Entry *list_entry(const PaletteRow *row) {
    return registry_entry(row->list->registry, row->index);
}

void palette_label(char out[PALETTE_LABEL_MAX], const PaletteRow *row) {
    const char *number = strchr(row->value, ':');
    switch (row->kind) {
    case PALETTE_COMMAND:
        snprintf(out, PALETTE_LABEL_MAX, "%s%s",
                 strncmp(COMMANDS[row->index].entry.id, "view-", 5) == 0 ? "View: " : "",
                 command_label(row->index));
        break;
    case PALETTE_ENTRY:
        snprintf(out, PALETTE_LABEL_MAX, "%s: %s", row->list->name, list_entry(row)->label);
        break;
    case PALETTE_CHOICE:
        snprintf(out, PALETTE_LABEL_MAX, "%s: %s%s%s", row->row->entry.label,
                 row->index < 0 ? row->row->absent
                                : registry_entry(row->row->choices, row->index)->label,
                 number != NULL ? " " : "", number != NULL ? number + 1 : "");
        break;
    case PALETTE_VALUE:
        snprintf(out, PALETTE_LABEL_MAX, row->value[0] != '\0' ? "%s: %s" : "%s…%s",
                 row->row->entry.label, row->value);
        break;
    case PALETTE_NUMBERS:
        snprintf(out, PALETTE_LABEL_MAX, "Set by hand: %.140s", row->value);
        break;
    }
}

static const char *row_id(const PaletteRow *row) {
    if (row->kind == PALETTE_NUMBERS)
        return HAND_KEY.id;
    if (row->kind == PALETTE_COMMAND)
        return COMMANDS[row->index].entry.id;
    if (row->kind == PALETTE_CHOICE && row->index >= 0)
        return registry_entry(row->row->choices, row->index)->id;
    return row->kind == PALETTE_ENTRY ? list_entry(row)->id : row->row->entry.id;
}

static const char *row_help(const PaletteRow *row) {
    if (row->kind == PALETTE_NUMBERS)
        return "In place of what the layer computes or has learned; everything after it follows.";
    if (row->kind == PALETTE_COMMAND)
        return COMMANDS[row->index].entry.help;
    if (row->kind == PALETTE_ENTRY)
        return list_entry(row)->help;
    if (row->kind == PALETTE_CHOICE && row->index >= 0)
        return registry_entry(row->row->choices, row->index)->help;
    return row->row->entry.help;
}

/* The typed text: words to search for, and the number at its end, if any. */
typedef struct Search {
    const char *whole;
    char words[256], number[OPTION_TEXT_MAX];
    PaletteRow *out;
    int count;
    const Session *session;
} Search;

static Search search_of(const char *typed, PaletteRow *out) {
    Search s = {.whole = typed, .out = out};
    size_t bytes = strlen(typed);
    while (bytes > 0 && typed[bytes - 1] == ' ')
        bytes--;
    size_t from = bytes;
    while (from > 0 && typed[from - 1] != ' ')
        from--;
    bool has_number = from > 0 && typed[from] >= '0' && typed[from] <= '9' &&
                      bytes - from < sizeof s.number && from < sizeof s.words;
    if (has_number) {
        memcpy(s.number, typed + from, bytes - from);
        memcpy(s.words, typed, from);
    }
    return s;
}

/* Synonyms that people search for: of a command by its id, of an option's choices by its key, of a
 * list by its name. */
static const struct {
    const char *id, *words;
} SYNONYMS[] = {{"new", "reset restart clear"},
                {"open", "load import"},
                {"save", "download"},
                {"save-png", "export download image screenshot"},
                {"save-svg", "export download image vector"},
                {"save-csv", "export download table"},
                {"save-json", "export download data"},
                {"save-tensors", "download safetensors npz json numpy matrices weights"},
                {"save-pytorch", "export download code"},
                {"copy-state", "share link export"},
                {"copy-pytorch", "export code torch script"},
                {"copy-numpy", "export code python script"},
                {"paste-state", "import link"},
                {"undo", "revert"},
                {"wqk-delta", "magnify"},
                {"range", "lock scale 0 to 1"},
                {"second", "minus subtract difference"},
                {"view-5", "follow trace"},
                {"theme", "dark mode"},
                {"glossary", "dictionary help meaning"},
                {"Example", "sentence text"},
                {"Tour", "guide lesson"},
                {"Word", "glossary meaning"}};

static const char *synonyms_of(const PaletteRow *row) {
    const char *id = row->kind == PALETTE_ENTRY ? row->list->name
                     : row->row != NULL         ? row->row->entry.id
                                                : row_id(row);
    for (size_t i = 0; i < ARRAY_COUNT(SYNONYMS); i++)
        if (strcmp(SYNONYMS[i].id, id) == 0)
            return SYNONYMS[i].words;
    return "";
}

/* Insert a row after all rows with the same or a higher score. */
static void offer(Search *s, PaletteRow row, const char *words) {
    char label[PALETTE_LABEL_MAX], all[PALETTE_LABEL_MAX + 128];
    palette_label(label, &row);
    snprintf(all, sizeof all, "%s %s %s", label, row_id(&row), synonyms_of(&row));
    row.score = palette_score(all, words);
    if (row.score == 0 || s->count == PALETTE_ROWS_MAX)
        return;
    int at = s->count++;
    for (; at > 0 && s->out[at - 1].score < row.score; at--)
        s->out[at] = s->out[at - 1];
    s->out[at] = row;
}

static void offer_choices(Search *s, const OptionRow *row) {
    bool limits = s->session != NULL && row->choices == &TOKENIZER_REGISTRY;
    int count = (limits ? session_tokenizers(s->session) : row->choices)->count;
    for (int i = row->absent != NULL ? -1 : 0; i < count; i++) {
        PaletteRow entry = {.kind = PALETTE_CHOICE, .row = row, .index = i};
        snprintf(entry.value, sizeof entry.value, "%s",
                 i < 0 ? row->absent : option_choice_text(row, i));
        bool numbered = i >= 0 && i == option_numbered_choice(row) && s->number[0] != '\0';
        if (numbered)
            snprintf(entry.value, sizeof entry.value, "%.20s:%.40s",
                     registry_entry(row->choices, i)->id, s->number);
        offer(s, entry, numbered ? s->words : s->whole);
    }
}

static void offer_value(Search *s, const OptionRow *row) {
    Err err;
    union {
        Options options;
        Settings settings;
    } trial;
    bool of_session = row >= STATE_OPTIONS.rows && row < STATE_OPTIONS.rows + STATE_OPTIONS.count;
    PaletteRow entry = {.kind = PALETTE_VALUE, .row = row};
    offer(s, entry, s->whole);
    option_set_standard(&trial, of_session ? &STATE_OPTIONS : &PICTURE_OPTIONS);
    if (s->number[0] == '\0' || !option_set(&trial, row, s->number, strlen(s->number), &err))
        return;
    snprintf(entry.value, sizeof entry.value, "%s", s->number);
    offer(s, entry, s->words);
}

static void offer_table(Search *s, const OptionTable *table) {
    for (int i = 0; i < table->count; i++) {
        bool is_view = table->rows[i].choices == &VIEW_REGISTRY; /* views are among the commands */
        if (table->rows[i].kind == OPTION_LIST)                  /* edited where it is shown */
            continue;
        if (table->rows[i].kind != OPTION_CHOICE)
            offer_value(s, &table->rows[i]);
        else if (!is_view)
            offer_choices(s, &table->rows[i]);
    }
}

/* Offer to set numbers by hand, if the text is a list of them. */
static void offer_numbers(Search *s, const char *words) {
    PaletteRow row = {.kind = PALETTE_NUMBERS, .score = 1};
    HandSet *set;
    Err err;
    words += strncmp(words, "set ", 4) == 0 ? 4 : 0;
    if (strchr(words, '=') == NULL || strlen(words) >= sizeof row.value ||
        !hand_set_read(&set, words, strlen(words), &err))
        return;
    hand_set_drop(set);
    snprintf(row.value, sizeof row.value, "%s", words);
    s->out[s->count++] = row;
}

int palette_find(PaletteRow *out, const char *words, const Session *session) {
    Search s = search_of(words, out);
    s.session = session;
    offer_numbers(&s, words);
    for (int i = 0; i < COMMAND_REGISTRY.count; i++)
        offer(&s, (PaletteRow){.kind = PALETTE_COMMAND, .index = i}, words);
    for (size_t l = 0; l < ARRAY_COUNT(LISTS); l++)
        for (int i = 0; i < LISTS[l].registry->count; i++)
            offer(&s, (PaletteRow){.kind = PALETTE_ENTRY, .list = &LISTS[l], .index = i}, words);
    offer_table(&s, &STATE_OPTIONS);
    offer_table(&s, &PICTURE_OPTIONS);
    return s.count;
}

static UiId field_id(void) {
    return ui_id("palette", 0);
}

void palette_open(App *app, const char *words) {
    finder_open(&app->ui, &app->finder, field_id(), words, false);
}

static void close(App *app) {
    app->sheet = SHEET_NONE;
    app->ui.focus = 0;
    app->ui.again = true;
}

/* Set the numbers, as one undo step, if the layer has them all. */
static void set_numbers(App *app, const char *text) {
    HandSet *set;
    Err err;
    if (!app->run.valid || app->run.T == 0 || !hand_set_read(&set, text, strlen(text), &err))
        return;
    bool has_all = hand_set_check(set, &app->run.layers[0].shape[app->run.form], &err);
    if (!has_all)
        app_say_err(app, &err);
    app_step_begin(app);
    for (int i = 0; has_all && set != NULL && i < set->count; i++) {
        HandPaint paint = hand_paint_of(&set->at[i], true);
        app_paint_hand(app, &paint, 0);
    }
    app_step_end(app);
    hand_set_drop(set);
}

/* Runs after the picture is built, because a command may change it. */
static void run_chosen(App *app, int chosen) {
    static PaletteRow rows[PALETTE_ROWS_MAX];
    palette_find(rows, app->finder.text, &app->session);
    const PaletteRow *row = &rows[chosen];
    close(app);
    switch (row->kind) {
    case PALETTE_COMMAND:
        command_do(app, row->index);
        break;
    case PALETTE_ENTRY:
        row->list->show(app, row->index);
        break;
    case PALETTE_CHOICE:
        app_set(app, row->row, row->value, 0);
        break;
    case PALETTE_VALUE:
        if (row->value[0] != '\0')
            app_set(app, row->row, row->value, 0);
        else
            option_control_focus(app, row->row);
        break;
    case PALETTE_NUMBERS:
        set_numbers(app, row->value);
        break;
    }
}

/* What the rows of the list need while they are drawn. */
typedef struct Listed {
    const App *app;
    const PaletteRow *rows;
    bool is_narrow; /* narrow: only the first keys of a command are shown */
    char label[PALETTE_LABEL_MAX], note[OPTION_TEXT_MAX];
} Listed;

static void list_row(void *data, int i, FinderRow *out) {
    Listed *listed = data;
    const PaletteRow *row = &listed->rows[i];
    char value[OPTION_TEXT_MAX] = "";
    palette_label(listed->label, row);
    listed->note[0] = '\0';
    if (row->kind == PALETTE_COMMAND)
        keymap_names(listed->note, listed->is_narrow ? KEY_BRIEF : sizeof listed->note,
                     &listed->app->keys, row->index);
    else if (row->row != NULL)
        app_value_text(value, listed->app, row->row);
    if (row->kind == PALETTE_VALUE && row->value[0] == '\0')
        snprintf(listed->note, sizeof listed->note, "%s", value);
    bool current = row->value[0] != '\0' && strcmp(value, row->value) == 0;
    *out = (FinderRow){.label = listed->label, .note = listed->note, .is_current = current};
}

static LabelStyle help_style(const App *app) {
    return (LabelStyle){FONT_SANS, 16, app->ui.theme->text_2, LABEL_LEFT};
}

/* Return the height for the lit row's help, at least two lines, so that the list rarely moves. */
static float help_height(const App *app, const PaletteRow *row, float width) {
    LabelStyle style = help_style(app);
    int lines = row != NULL ? label_lines(&app->ui, &style, row_help(row), width) : 0;
    return HELP_H + (float)(lines > 2 ? lines - 2 : 0) * style.size * LABEL_LINE;
}

static void draw_help(App *app, Rect rect, const PaletteRow *row) {
    LabelStyle style = help_style(app);
    draw_fill(app->ui.list, (Rect){rect.x, rect.y, rect.w, 1}, 0, app->ui.theme->hover);
    rect_cut_top(&rect, 8);
    if (row != NULL)
        label_wrap(&app->ui, rect, &style, row_help(row));
    else
        label_wrap(&app->ui, rect, &style, "No match.");
}

void palette_draw(App *app) {
    static PaletteRow rows[PALETTE_ROWS_MAX]; /* filled in each pass */
    Ui *ui = &app->ui;
    float w = fminf(WIDTH, ui->list->width - 32), h = fminf(HEIGHT, ui->list->height - 32);
    Rect sheet = {(ui->list->width - w) / 2, fminf(80, (ui->list->height - h) / 2), w, h};
    sheet_panel(app, sheet);
    Rect rest = rect_inset(sheet, PAD, PAD);
    Rect field = rect_cut_top(&rest, FINDER_FIELD_H);
    FinderEvent event = finder_field(ui, field_id(), field, &app->finder,
                                     w < HINT_W ? "he normal, depth 4"
                                                : "Command, setting or value: he normal, depth 4");
    int count = palette_find(rows, app->finder.text, &app->session);
    rect_cut_top(&rest, 8);
    const PaletteRow *was =
        app->finder.at >= 0 && app->finder.at < count ? &rows[app->finder.at] : NULL;
    Rect help = rect_cut_bottom(&rest, help_height(app, was, rest.w));
    Listed listed = {.app = app, .rows = rows, .is_narrow = w < HINT_W};
    int chosen = finder_list(ui, field_id(), rest, &app->finder, count, list_row, &listed);
    int lit = app->finder.at;
    draw_help(app, help, lit >= 0 && lit < count ? &rows[lit] : NULL);
    bool outside = ui_pressed_outside(ui, sheet);
    if (event == FINDER_ENTER && lit >= 0 && lit < count)
        chosen = lit;
    if (chosen >= 0)
        app_do(app, run_chosen, chosen);
    else if (event == FINDER_ESCAPE || outside)
        close(app);
}
