
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "gen/version.h"
#include "shell/output.h"

#define NAME_COLUMNS 26
#define TEXT_COLUMNS 70 /* characters per line of the text to the right of names */
#define VALUES_BYTES 800

/* Write the text in lines of TEXT_COLUMNS, broken at blanks. All lines but the first are
 * indented. */
static void put_wrapped(TextOut *to, const char *text) {
    size_t column = 0;
    for (const char *word = text; *word != '\0'; word += strspn(word, " ")) {
        size_t bytes = strcspn(word, " ");
        if (column > 0 && column + 1 + bytes > TEXT_COLUMNS) {
            text_out(to, "\n  %*s  ", NAME_COLUMNS, "");
            column = 0;
        }
        text_out(to, "%s%.*s", column > 0 ? " " : "", (int)bytes, word);
        column += (column > 0) + bytes;
        word += bytes;
    }
    text_out(to, "\n");
}

static void put_row(TextOut *to, const char *name, const char *text) {
    if (strlen(name) > NAME_COLUMNS)
        text_out(to, "  %s\n  %*s  ", name, NAME_COLUMNS, "");
    else
        text_out(to, "  %-*s  ", NAME_COLUMNS, name);
    put_wrapped(to, text);
}

static void put_groups(TextOut *to, unsigned groups) {
    for (int i = 0; i < CALL_OPTION_REGISTRY.count; i++) {
        const CallOption *option = &CALL_OPTIONS[i];
        const char *value = option->entry.formula, *space = value[0] != '\0' ? " " : "";
        const char *letter = option->letter != 0 ? PRINT("-%c, ", option->letter) : "";
        if ((option->group & groups) != 0)
            put_row(to, PRINT("%s--%s%s%s", letter, option->entry.id, space, value),
                    option->entry.help);
    }
}

/* Write the values of an option: "1 to 64", "WIDTHxHEIGHT", or the choices' ids. */
static void values_text(char out[VALUES_BYTES], const OptionRow *row) {
    char numbered[120] = "";
    if (row->numbered != NULL)
        snprintf(numbered, sizeof numbered, ", with a number from %d to %d as in %s",
                 (int)row->least, (int)row->most, row->numbered);
    switch (row->kind) {
    case OPTION_CHOICE:
        registry_ids(row->choices, out, VALUES_BYTES / 2);
        break;
    case OPTION_LIST:
        snprintf(out, VALUES_BYTES, "%d to %d %s, with commas between them; run headlight list %s",
                 (int)row->least, (int)row->most, row->choices->kind, row->choices->kind);
        break;
    case OPTION_INT:
    case OPTION_SIZE:
    case OPTION_CELL:
        snprintf(out, VALUES_BYTES, "%lld to %lld", (long long)row->least, (long long)row->most);
        break;
    case OPTION_REAL:
        snprintf(out, VALUES_BYTES, "%s to %s", EXACT((float)row->least), EXACT((float)row->most));
        break;
    case OPTION_LINE:
        snprintf(out, VALUES_BYTES, "one line, at most %d bytes", OPTION_TEXT_MAX - 1);
        break;
    case OPTION_SEED:
        snprintf(out, VALUES_BYTES, "0 to 18446744073709551615");
        break;
    }
    size_t used = strlen(out);
    snprintf(out + used, VALUES_BYTES - used, "%s%s%s (%s)", numbered,
             row->absent != NULL ? ", " : "", row->absent != NULL ? row->absent : "",
             row->standard[0] != '\0' ? row->standard : "none");
}

static void put_option(TextOut *to, const OptionRow *row) {
    char values[VALUES_BYTES];
    put_row(to, PRINT("--%s %s", row->entry.id, row->entry.formula), row->entry.help);
    values_text(values, row);
    put_row(to, "", values);
}

static void put_help(TextOut *to, const Verb *verb) {
    const char *id = verb->entry.id;
    text_out(to, "Usage: headlight%s%s %s\n%s\n", id[0] != '\0' ? " " : "", id, verb->entry.label,
             verb->entry.help);
    if (id[0] == '\0')
        text_out(to, "\nVerbs, each with a --help of its own:\n");
    for (int i = 0; i < VERB_REGISTRY.count && id[0] == '\0'; i++)
        put_row(to,
                PRINT("headlight%s%s %s", VERBS[i].entry.id[0] != '\0' ? " " : "",
                      VERBS[i].entry.id, VERBS[i].entry.label),
                VERBS[i].entry.help);
    if (verb->words != NULL)
        text_out(to, "\n%s is one of:\n", verb->word);
    for (int i = 0; verb->words != NULL && i < verb->words->count; i++)
        put_row(to, registry_entry(verb->words, i)->id, registry_entry(verb->words, i)->help);
    text_out(to, "\nOptions:\n");
    put_groups(to, (verb->groups | CALL_GENERAL) & ~(unsigned)(CALL_STATE | CALL_PICTURE));
    if ((verb->groups & CALL_STATE) != 0) {
        text_out(to, "\nThe layer (defaults in brackets):\n");
        put_groups(to, CALL_STATE);
        for (int i = 0; i < STATE_OPTIONS.count; i++)
            put_option(to, &STATE_OPTIONS.rows[i]);
    }
    bool is_picture = (verb->groups & CALL_PICTURE) != 0;
    if (is_picture || (verb->groups & CALL_TRAIN) != 0)
        text_out(to, "\nThe %s (defaults in brackets):\n", is_picture ? "picture" : "training");
    put_groups(to, verb->groups & CALL_PICTURE);
    for (int i = 0; i < PICTURE_OPTIONS.count; i++)
        if (call_has_picture(verb->groups, &PICTURE_OPTIONS.rows[i]))
            put_option(to, &PICTURE_OPTIONS.rows[i]);
    text_out(to, "\nExit status: 0 success; 1 failure; 2 wrong command line.\n");
}

bool help_print(const Verb *verb, Err *err) {
    TextOut text = {0};
    put_help(&text, verb);
    return print_text(&text, err);
}

bool help_print_version(Err *err) {
    TextOut text = {0};
    text_out(&text, "headlight %s\nMIT licence, copyright 2026 the Headlight authors\n",
             HEADLIGHT_VERSION);
    return print_text(&text, err);
}
