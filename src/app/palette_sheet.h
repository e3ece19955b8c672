/* palette_sheet.h: every command and every value of every option as one list to be searched.
 * Pure but for what running a row does to the App. */
#ifndef HEADLIGHT_APP_PALETTE_SHEET_H
#define HEADLIGHT_APP_PALETTE_SHEET_H

#include "app/app_state.h"

#define PALETTE_ROWS_MAX  512
#define PALETTE_LABEL_MAX 160

typedef enum PaletteKind {
    PALETTE_COMMAND,  /* index: row of COMMANDS */
    PALETTE_CHOICE,   /* row, and index: a row of its choices, -1 for none */
    PALETTE_VALUE,    /* row, and value as typed, "" to open the sheet of settings */
    PALETTE_EXAMPLE,  /* index: row of EXAMPLES */
    PALETTE_QUESTION, /* index: row of QUESTIONS */
} PaletteKind;

typedef struct PaletteRow {
    PaletteKind kind;
    const OptionRow *row;
    int index;
    int score;
    char value[OPTION_TEXT_MAX];
} PaletteRow;

/* How well words match a label, letter by letter in order, the starts of words better; 0 for not
 * at all. An empty search matches everything alike. */
int palette_score(const char *label, const char *words);

/* What a row says. */
void palette_label(char out[PALETTE_LABEL_MAX], const PaletteRow *row);

/* The rows that match, best first; returns how many of at most PALETTE_ROWS_MAX. */
int palette_find(PaletteRow *out, const char *words);

/* Open and draw the sheet. */
void palette_open(App *app);
void palette_draw(App *app);

#endif
