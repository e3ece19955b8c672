/* palette_sheet.h: a searchable list of all commands and all values of every option. Pure, except
 * that running a row changes the App. */
#ifndef HEADLIGHT_APP_PALETTE_SHEET_H
#define HEADLIGHT_APP_PALETTE_SHEET_H

#include "app/app_state.h"

#define PALETTE_ROWS_MAX  640
#define PALETTE_LABEL_MAX 160

/* A command or an entry of a list has an action. Other rows have an option and its value ("" opens
 * the sheet of settings at the option), or only a value: numbers to set by hand. */
typedef struct PaletteRow {
    char label[PALETTE_LABEL_MAX];
    const Entry *entry; /* its id and its help */
    AppAction *action;
    int argument;
    const OptionRow *row;
    char value[OPTION_TEXT_MAX];
    int score;
} PaletteRow;

/* Return how well words match a label: letters in order, starts of words score higher; 0 for no
 * match. An empty search matches all labels equally. */
int palette_score(const char *label, const char *words);

/* Fill out with the matching rows, best first. Return their number, at most PALETTE_ROWS_MAX.
 * session limits the tokenizers; NULL for all. */
int palette_find(PaletteRow *out, const char *words, const Session *session);

/* Open and draw the sheet. */
void palette_open(App *app, const char *words);
void palette_draw(App *app);

#endif
