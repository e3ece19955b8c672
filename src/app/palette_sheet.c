#include "app/sheets.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/examples.h"
#include "app/tour.h"
#include "base/util.h"
#include "ui/text.h"

#define HINT_W    448 /* px: a sheet at least this wide shows the full hint */
#define KEY_BRIEF 9   /* bytes for the names of the keys in a narrow sheet */
#define WIDTH     720
#define HEIGHT    620
#define HELP_H    52

static bool is_letter(char c) {
    return isalnum((unsigned char)c) || (c & 0x80) != 0;
}

/* True if text contains the letters of word in order, with gaps allowed. */
static bool is_within(const char *text, const char *word, size_t bytes) {
    size_t at = 0;
    for (; *text != '\0' && at < bytes; text++)
        at += strncasecmp(text, word + at, 1) == 0;
    return at == bytes;
}

static int word_score(const char *label, const char *word, size_t bytes) {
    int best = is_within(label, word, bytes) ? 1 : 0;
    for (const char *at = label; *at != '\0' && best > 0; at++) {
        if (strncasecmp(at, word, bytes) != 0)
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

/* Registries whose entries are found by name. */
static const struct {
    const char *name; /* what one entry is called */
    const Registry *registry;
    AppAction *show;
} LISTS[] = {{"Example", &EXAMPLE_REGISTRY, example_show},
             {"Question", &QUESTION_REGISTRY, question_ask},
             {"Tour", &TOUR_REGISTRY, tour_begin_shipped},
             {"Word", &GLOSSARY_REGISTRY, glossary_open}};

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

/* Synonyms that people search for: for a command by its id, for an option's choices by its key, for
 * a list by its name. */
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

/* Insert a row after all rows with the same or a higher score. key: the id by which SYNONYMS lists
 * it. */
static void offer(Search *s, PaletteRow row, const char *key, const char *words) {
    char all[PALETTE_LABEL_MAX + 128];
    const char *synonyms = "";
    for (size_t i = 0; i < ARRAY_COUNT(SYNONYMS); i++)
        if (strcmp(SYNONYMS[i].id, key) == 0)
            synonyms = SYNONYMS[i].words;
    snprintf(all, sizeof all, "%s %s %s", row.label, row.entry->id, synonyms);
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
        const Entry *choice = i >= 0 ? registry_entry(row->choices, i) : NULL;
        PaletteRow made = {.row = row, .entry = choice != NULL ? choice : &row->entry};
        snprintf(made.value, sizeof made.value, "%s",
                 i < 0 ? row->absent : option_choice_text(row, i));
        bool numbered = i >= 0 && i == option_numbered_choice(row) && s->number[0] != '\0';
        if (numbered)
            snprintf(made.value, sizeof made.value, "%.20s:%.40s", choice->id, s->number);
        const char *number = strchr(made.value, ':');
        snprintf(made.label, sizeof made.label, "%s: %s%s%s", row->entry.label,
                 choice != NULL ? choice->label : row->absent, number != NULL ? " " : "",
                 number != NULL ? number + 1 : "");
        offer(s, made, row->entry.id, numbered ? s->words : s->whole);
    }
}

static void offer_value(Search *s, const OptionRow *row) {
    Err err;
    union {
        Options options;
        Settings settings;
    } trial;
    PaletteRow made = {.row = row, .entry = &row->entry};
    snprintf(made.label, sizeof made.label, "%s…", row->entry.label);
    offer(s, made, row->entry.id, s->whole);
    option_set_standard(&trial, option_is_setting(row) ? &PICTURE_OPTIONS : &STATE_OPTIONS);
    if (s->number[0] == '\0' || !option_set(&trial, row, s->number, strlen(s->number), &err))
        return;
    snprintf(made.value, sizeof made.value, "%s", s->number);
    snprintf(made.label, sizeof made.label, "%s: %s", row->entry.label, s->number);
    offer(s, made, row->entry.id, s->words);
}

/* Offer to set numbers by hand, if the typed text has them in the notation of --set. */
static void offer_numbers(Search *s, const char *words) {
    static const Entry ENTRY = {"set", "Set by hand", "",
                                "Replace numbers that the layer computes or has learned; "
                                "everything computed from them changes too."};
    PaletteRow made = {.entry = &ENTRY, .score = 1};
    HandSet *set = NULL;
    Err err;
    words += strncmp(words, "set ", 4) == 0 ? 4 : 0;
    if (strchr(words, '=') == NULL || strlen(words) >= sizeof made.value ||
        !hand_set_read(&set, words, strlen(words), &err))
        return;
    hand_set_drop(set);
    snprintf(made.value, sizeof made.value, "%s", words);
    snprintf(made.label, sizeof made.label, "%s: %.140s", ENTRY.label, words);
    s->out[s->count++] = made;
}

int palette_find(PaletteRow *out, const char *words, const Session *session) {
    Search s = search_of(words, out);
    s.session = session;
    offer_numbers(&s, words);
    for (int i = 0; i < COMMAND_REGISTRY.count; i++) {
        const Entry *entry = &COMMANDS[i].entry;
        PaletteRow made = {.entry = entry, .action = command_do, .argument = i};
        snprintf(made.label, sizeof made.label, "%s%s",
                 strncmp(entry->id, "view-", 5) == 0 ? "View: " : "", command_label(i));
        offer(&s, made, entry->id, words);
    }
    for (size_t l = 0; l < ARRAY_COUNT(LISTS); l++)
        for (int i = 0; i < LISTS[l].registry->count; i++) {
            const Entry *entry = registry_entry(LISTS[l].registry, i);
            PaletteRow made = {.entry = entry, .action = LISTS[l].show, .argument = i};
            snprintf(made.label, sizeof made.label, "%s: %s", LISTS[l].name, entry->label);
            offer(&s, made, LISTS[l].name, words);
        }
    const OptionRow *row;
    for (int i = 0; (row = option_nth(i)) != NULL; i++)
        if (row->kind == OPTION_CHOICE &&
            row->choices != &VIEW_REGISTRY) /* each view has its own command */
            offer_choices(&s, row);
        else if (row->kind != OPTION_CHOICE &&
                 row->kind != OPTION_LIST) /* a list is edited where it is shown */
            offer_value(&s, row);
    return s.count;
}

static UiId field_id(void) {
    return ui_id("palette", 0);
}

void palette_open(App *app, const char *words) {
    finder_open(&app->ui, &app->finder, field_id(), words, false);
}

/* Set the numbers as one undo step, if the layer has all these numbers. */
static void set_numbers(App *app, const char *text) {
    HandSet *set = NULL;
    Err err;
    if (!app->run.valid || app->run.T == 0 || !hand_set_read(&set, text, strlen(text), &err))
        return;
    bool has_all =
        app_told(app, hand_set_check(set, &app->run.layers[0].shape[app->run.form], &err), &err);
    app_step_begin(app);
    for (int i = 0; has_all && set != NULL && i < set->count; i++)
        app_apply(app, &(Edit){.is_by_hand = true, .hand = hand_paint_of(&set->at[i], true)});
    app_step_end(app);
    hand_set_drop(set);
}

/* Return the view that alone shows a setting: the setting's key begins with the view's id, such as
 * "compare" and "wqk-page". -1 if there is none. */
static int view_of(const OptionRow *row) {
    const char *key = row->entry.id;
    for (int i = 0; option_is_setting(row) && i < VIEW_REGISTRY.count; i++) {
        const char *id = VIEWS[i].entry.id;
        size_t length = strlen(id);
        if (strncmp(key, id, length) == 0 && (key[length] == '\0' || key[length] == '-'))
            return i;
    }
    return -1;
}

static void set_value(App *app, const PaletteRow *row) {
    int view = view_of(row->row);
    app_step_begin(app);
    app_set(app, row->row, row->value, 0);
    if (view >= 0 && view != app_view(app))
        app_set_key(app, "view", VIEWS[view].entry.id);
    app_step_end(app);
}

/* Run the chosen row. Find the rows again, because those on screen may be out of date. */
static void run_chosen(App *app, int chosen) {
    static PaletteRow rows[PALETTE_ROWS_MAX];
    palette_find(rows, app->finder.text, &app->session);
    const PaletteRow *row = &rows[chosen];
    sheet_close(app);
    if (row->action != NULL)
        row->action(app, row->argument);
    else if (row->row == NULL)
        set_numbers(app, row->value);
    else if (row->value[0] != '\0')
        set_value(app, row);
    else
        option_control_focus(app, row->row);
}

typedef struct Listed {
    const App *app;
    const PaletteRow *rows;
    bool is_narrow; /* only the first keys of a command are shown */
    char note[OPTION_TEXT_MAX];
} Listed;

static void list_row(void *data, int i, FinderRow *out) {
    Listed *listed = data;
    const PaletteRow *row = &listed->rows[i];
    char value[OPTION_TEXT_MAX] = "";
    if (row->row != NULL)
        app_value_text(value, listed->app, row->row);
    snprintf(listed->note, sizeof listed->note, "%s", row->value[0] == '\0' ? value : "");
    if (row->action == command_do)
        keymap_names(listed->note, listed->is_narrow ? KEY_BRIEF : sizeof listed->note,
                     &listed->app->keys, row->argument);
    *out = (FinderRow){.label = row->label,
                       .note = listed->note,
                       .is_current = row->value[0] != '\0' && strcmp(value, row->value) == 0};
}

void palette_draw(App *app) {
    static PaletteRow rows[PALETTE_ROWS_MAX]; /* filled in each pass */
    Ui *ui = &app->ui;
    Finder *finder = &app->finder;
    Rect rest = sheet_finder(app, WIDTH, HEIGHT);
    bool is_narrow = rest.w < HINT_W;
    FinderEvent event = finder_field(ui, field_id(), rect_cut_top(&rest, FINDER_FIELD_H), finder,
                                     is_narrow ? "he normal, depth 4"
                                               : "Command, setting or value: he normal, depth 4");
    int count = palette_find(rows, finder->text, &app->session);
    rect_cut_top(&rest, 8);
    /* Reserve two lines for the help of the lit row, so that the list rarely moves. */
    bool was_lit = finder->at >= 0 && finder->at < count;
    float words_h =
        was_lit ? text_wrap_height(ui, TEXT_CAPTION, rows[finder->at].entry->help, rest.w) : 0;
    Rect help = rect_cut_bottom(&rest, HELP_H + fmaxf(words_h - 2 * 16 * LABEL_LINE, 0));
    Listed listed = {.app = app, .rows = rows, .is_narrow = is_narrow};
    int chosen = finder_list(ui, field_id(), rest, finder, count, list_row, &listed);
    bool is_lit = finder->at >= 0 && finder->at < count;
    draw_fill(ui->list, (Rect){help.x, help.y, help.w, 1}, 0, ui->theme->hover);
    rect_cut_top(&help, 8);
    text_wrap(ui, &help, TEXT_CAPTION, is_lit ? rows[finder->at].entry->help : "No match.");
    if (event == FINDER_ENTER && is_lit)
        chosen = finder->at;
    if (chosen >= 0)
        app_do(app, run_chosen, chosen);
    else if (event == FINDER_ESCAPE)
        sheet_close(app);
}
