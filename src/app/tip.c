#include <string.h>

#include "app/chrome.h"
#include "app/commands.h"
#include "app/keymap.h"
#include "app/sheets.h"
#include "document/options.h"
#include "lab/study_stats.h"
#include "model/attention/params.h"
#include "model/init/scheme.h"
#include "ui/button.h"
#include "ui/tooltip.h"

#define BLANKS_MAX 7 /* a text with more spaces is a sentence and not a name */

/* Draw a tooltip. Also show the keys of this command, if it exists. */
static void tip(App *app, UiId id, Rect rect, const char *title, const char *words,
                const char *command) {
    const Ui *ui = &app->ui;
    char keys[KEY_NAME_MAX * 2] = "";
    /* The keys are looked up only for a tooltip that may be shown, to save time. */
    bool may_show = ui->hot == id || ui->focus == id || ui->tip.owner == id;
    int found = may_show ? command_find(command, strlen(command)) : -1;
    if (found >= 0)
        keymap_names(keys, sizeof keys, &app->keys, found);
    tooltip_on(&app->ui, id, rect, ui->hot == id,
               &(Tooltip){.title = title, .text = words, .key = keys[0] != '\0' ? keys : NULL});
}

void tip_command(App *app, UiId id, Rect rect, const char *command) {
    int found = command_find(command, strlen(command));
    tip(app, id, rect, command_label(found), COMMANDS[found].entry.help, command);
}

void command_button(App *app, Rect rect, const char *label, const char *command) {
    UiId id = ui_id(command, 0);
    if (button_text(&app->ui, id, rect, label))
        command_run(app, command);
    tip_command(app, id, rect, command);
}

/* Explain an option. Also show the keys of the command with the same id or, for the seed, of
 * reroll. */
void tip_option(App *app, UiId id, Rect rect, const OptionRow *row) {
    tip(app, id, rect, row->entry.label, row->entry.help,
        row->kind == OPTION_SEED ? "reroll" : row->entry.id);
}

void tip_words(App *app, UiId id, Rect rect, const char *words, const char *command) {
    tip(app, id, rect, NULL, words, command);
}

/* The best match so far: the longest name with which the words begin. */
typedef struct Lookup {
    const char *words;
    bool is_whole; /* if true, a name must equal all the words: many sentences begin with the name
                      of a choice, such as "All" */
    Tooltip best;
    size_t bytes;
} Lookup;

static char lower(char c) {
    return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static bool is_part_of_word(char c) {
    return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

/* True if words start with this name, and the name ends at the end of a word. If its first letter
 * is not ASCII, it may also end inside a word. A name of one letter is a symbol: its case counts,
 * and only _, (, :, " =" or the end of the words may follow. */
static bool starts_with(const char *words, const char *name, size_t bytes) {
    bool is_letter = bytes == 1;
    for (size_t i = 0; i < bytes; i++)
        if (is_letter ? words[i] != name[i] : lower(words[i]) != lower(name[i]))
            return false;
    const char *rest = words + bytes;
    if (is_letter)
        return *rest == '\0' || *rest == '_' || *rest == '(' || *rest == ':' ||
               strncmp(rest, " =", 2) == 0;
    return !is_part_of_word(*rest) || (unsigned char)name[0] > 127;
}

static void match(Lookup *find, const Entry *entry, const char *name, size_t bytes) {
    if (bytes <= find->bytes || !starts_with(find->words, name, bytes) ||
        (find->is_whole && find->words[bytes] != '\0'))
        return;
    const char *formula = entry->formula[0] != '\0' ? entry->formula : NULL;
    find->best = (Tooltip){.title = entry->label, .text = entry->help, .formula = formula};
    find->bytes = bytes;
}

static void match_registry(Lookup *find, const Registry *registry) {
    for (int i = 0; i < registry->count; i++) {
        const Entry *entry = registry_entry(registry, i);
        match(find, entry, entry->label, strlen(entry->label));
    }
}

static void match_term(Lookup *find, const Term *term) {
    match(find, &term->entry, term->entry.label, strlen(term->entry.label));
    for (const char *name = term->also; name != NULL && *name != '\0';) {
        size_t bytes = strcspn(name, "|");
        match(find, &term->entry, name, bytes);
        name += bytes + (name[bytes] == '|');
    }
}

static void match_options(Lookup *find, const OptionTable *table, const char *prefix) {
    for (int i = 0; i < table->count; i++) {
        const OptionRow *row = &table->rows[i];
        if (strncmp(row->entry.id, prefix, strlen(prefix)) != 0)
            continue;
        Entry option = row->entry;
        /* Omit the formula, because the words name the option's value. */
        option.formula = "";
        match(find, &option, option.label, strlen(option.label));
        if (row->choices != NULL)
            match_registry(find, row->choices);
    }
}

/* Skip a count before a name, as in "12 tokens" or "4 of 12 drawn". */
static const char *after_count(const char *words) {
    const char *at = words + strspn(words, "0123456789., %/");
    if (strncmp(at, "of ", 3) == 0)
        at += 3 + strspn(at + 3, "0123456789., %/");
    return at;
}

/* True if the words are a sentence. A text with = or | is a formula, however long. */
static bool is_sentence(const char *words) {
    int blanks = 0;
    for (const char *at = words; *at != '\0'; at++)
        blanks += *at == ' ';
    return blanks > BLANKS_MAX && strpbrk(words, "=|") == NULL;
}

static bool is_token(const App *app, const char *words) {
    size_t bytes = strlen(words);
    for (int i = 0; i < app->run.T; i++)
        if (app->run.tokens[i].bytes == bytes &&
            memcmp(results_token(&app->run, i), words, bytes) == 0)
            return true;
    return false;
}

/* Find the words in the tables. If two names of the same length match, the first table counts. */
Tooltip word_tip(const App *app, const char *words) {
    char plain[UI_WORDS_MAX];
    /* Copy words without the marks of a formula: d_{"model"} is d_model. */
    size_t used = 0;
    for (const char *at = words; *at != '\0' && used + 1 < UI_WORDS_MAX; at++)
        if (strchr("{}\"", *at) == NULL)
            plain[used++] = *at;
    plain[used] = '\0';
    Lookup find = {.words = after_count(plain)};
    const char *view = VIEWS[app_view(app)].entry.id;
    if (is_sentence(words) || is_token(app, words))
        return find.best;
    for (int i = 0; i < WINDOW_WORD_COUNT; i++)
        if (WINDOW_WORDS[i].state[0] == '\0' || strcmp(WINDOW_WORDS[i].state, view) == 0)
            match_term(&find, &WINDOW_WORDS[i]);
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++)
        match_term(&find, &GLOSSARY[i]);
    match_registry(&find, &PARAM_REGISTRY);
    match_registry(&find, &STUDY_STAT_REGISTRY);
    match_registry(&find, &SCHEME_REGISTRY);
    find.is_whole = true;
    match_options(&find, &PICTURE_OPTIONS, view);
    match_options(&find, &STATE_OPTIONS, "");
    match_options(&find, &PICTURE_OPTIONS, "");
    return find.best;
}

void word_tip_draw(App *app) {
    Ui *ui = &app->ui;
    Tooltip tip = {.text = NULL};
    if (!ui->has_tip && ui->pointed.text[0] != '\0')
        tip = word_tip(app, ui->pointed.text);
    if (tip.text != NULL) {
        app->word.tip = tip;
        app->word.rect = ui->pointed.rect;
    }
    if (app->word.tip.text == NULL)
        return;
    UiId id = ui_id(app->word.tip.title, UI_LAYER_TIP);
    /* The term whose label is the tip's title, compared by address; if none, the term count. */
    int term = 0;
    while (term < GLOSSARY_REGISTRY.count && GLOSSARY[term].entry.label != app->word.tip.title)
        term++;
    app->word.tip.is_link = term < GLOSSARY_REGISTRY.count;
    if (tooltip_on(ui, id, app->word.rect, tip.text != NULL, &app->word.tip))
        glossary_open(app, term);
}
