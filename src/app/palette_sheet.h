/* palette_sheet.h: a searchable list of all commands and all values of every option. Pure, except
 * that running a row changes the App. */
#ifndef HEADLIGHT_APP_PALETTE_SHEET_H
#define HEADLIGHT_APP_PALETTE_SHEET_H

#include "app/app_state.h"

#define PALETTE_ROWS_MAX  640
#define PALETTE_LABEL_MAX 160

typedef enum PaletteKind {
    PALETTE_COMMAND, /* index: row of COMMANDS */
    PALETTE_CHOICE,  /* row, and index: a row of its choices, -1 for none */
    PALETTE_VALUE,   /* row, and a value as text; "" opens the sheet of settings */
    PALETTE_ENTRY,   /* list, and index: a row of its registry */
    PALETTE_NUMBERS, /* value: numbers to set by hand, such as "W_Q1(3,5)=4" */
} PaletteKind;

/* A registry whose entries are found by name: examples, questions, tours, the glossary's words. */
typedef struct PaletteList {
    const char *name; /* name of one entry, such as "question" */
    const Registry *registry;
    AppAction *show;
} PaletteList;

typedef struct PaletteRow {
    PaletteKind kind;
    const OptionRow *row;
    const PaletteList *list;
    int index;
    int score;
    char value[OPTION_TEXT_MAX];
} PaletteRow;

/* Return how well words match a label: letters in order, starts of words score higher; 0 for no
 * match. An empty search matches all labels equally. */
int palette_score(const char *label, const char *words);

void palette_label(char out[PALETTE_LABEL_MAX], const PaletteRow *row);

/* Fill out with the matching rows, best first. Return their number, at most PALETTE_ROWS_MAX. */
int palette_find(PaletteRow *out, const char *words, const Session *session);

/* Open and draw the sheet. */
void palette_open(App *app, const char *words);
void palette_draw(App *app);

#endif
