/* sheets.h: the sheets that cover a view: settings, keys, all commands, files, the glossary; and
 * the exports that ask for a file's name. */
#ifndef HEADLIGHT_APP_SHEETS_H
#define HEADLIGHT_APP_SHEETS_H

#include "app/app_state.h"

/* Draw the open sheet, if any. */
void sheet_draw(App *app);

/* After a pass: if a sheet opened, let Tab start at its top. If it closed, return the focus to the
 * control that had it before, unless the focus has moved. */
void sheet_follow(App *app);

/* Open a sheet at its top, or close it. */
void sheet_open(App *app, AppSheet sheet);
void sheet_close(App *app);

/* Draw the background of a sheet with a search field. Return the space inside. A press outside
 * closes the sheet. */
Rect sheet_finder(App *app, float width, float height);

/* Draw the background of a sheet, its title and its close button. Return the space for its rows. */
Rect sheet_ground(App *app, Rect sheet, const char *title);

/* Open the sheet that asks for a file: a path field over a list of its folder and of recent files.
 * Tab completes the name, Enter accepts it. Argument: SHEET_OPEN, SHEET_SAVE, SHEET_WORDS for word
 * vectors, or SHEET_RESULT to export app->result. */
AppAction path_sheet_open;

/* Ask in the open sheet whether to replace this file; the next Enter replaces it, if the field
 * still contains its path. */
void path_sheet_ask(App *app, const char *path);

void path_sheet_draw(App *app);

#define PALETTE_ROWS_MAX  640
#define PALETTE_LABEL_MAX 160

/* A row of the list of all commands. action runs the row, unless NULL. Otherwise the row sets the
 * option `row` to value or, if value is "", opens the sheet of settings at that option; if row is
 * NULL, it sets the numbers in value by hand. */
typedef struct PaletteRow {
    char label[PALETTE_LABEL_MAX];
    const Entry *entry; /* the id and the help of the row */
    AppAction *action;
    int argument;
    const OptionRow *row;
    char value[OPTION_TEXT_MAX];
    int score;
} PaletteRow;

/* Return how well words match a label; 0 if the label lacks the letters, in order, of any word. A
 * word that the label contains unchanged scores higher, most at the start of a word of the label.
 * An empty search matches all labels equally. */
int palette_score(const char *label, const char *words);

/* Fill out with the matching rows, best first. Return their number, at most PALETTE_ROWS_MAX. Of
 * the tokenizers, list only those that session can use; all if it is NULL. */
int palette_find(PaletteRow *out, const char *words, const Session *session);

void palette_open(App *app, const char *words);
void palette_draw(App *app);

/* A technical word that the program shows, with its meaning and a place where it can be seen. */
typedef struct Term {
    Entry entry; /* entry.help: one or two sentences */
    struct {
        /* A state string that shows an example of the term; "" if no view does. */
        const char *state;
        const char *also; /* other names on screen, separated by '|', or NULL */
    };
} Term;

extern const Term GLOSSARY[]; /* sorted by label */
extern const Registry GLOSSARY_REGISTRY;

/* Open the sheet of all terms, scrolled to this row of GLOSSARY. The second function draws it. A
 * click on a term shows an example of it. */
void glossary_open(App *app, int term);
void glossary_sheet_draw(App *app);

/* Words in the window that no option, command or term of the glossary explains. state: the id of
 * the only view in which the word has this meaning; "" for all. */
extern const Term WINDOW_WORDS[];
extern const int WINDOW_WORD_COUNT;

/* The file suffix of an export, such as ".csv", and the title of its sheet; by ViewResult. */
typedef struct ExportKind {
    const char *suffix, *title;
} ExportKind;
extern const ExportKind EXPORTS[];

/* Ask for a file name, or show a message if the view has no such export. */
AppAction export_view_ask; /* a ViewResult */

/* Save the requested export. Numbers are written at once. A picture is taken in the first frame
 * without the sheet (export_view_frame). On failure show a message and return false. */
bool export_view_save(App *app, const char *path);

/* Use the layer that a view trained in this pass, if there is one. Ask for a file name if a view
 * requested an export. */
void export_view_wanted(App *app);

/* At the end of a frame, ask the shell for the picture that is to be saved. */
void export_view_frame(App *app);

#endif
