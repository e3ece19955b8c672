/* drawn.h: what a draw list holds, for the tests: words by what they say, matrices by their order,
 * and the whole as text to be compared with a file. */
#ifndef HEADLIGHT_TESTS_SUPPORT_DRAWN_H
#define HEADLIGHT_TESTS_SUPPORT_DRAWN_H

#include "draw/draw.h"

/* The nth command, from 0, whose text is exactly these words, or NULL. */
const DrawCommand *drawn_text(const DrawList *list, const char *words, int nth);

/* The first that begins with them, or NULL. */
const DrawCommand *drawn_beginning(const DrawList *list, const char *words);

/* The middle of a text command by its capitals, unless it is turned. */
Vec2 drawn_middle(const DrawList *list, const DrawCommand *command);

/* The nth matrix, from 0, or NULL, and how many there are. */
const DrawCells *drawn_cells(const DrawList *list, int nth);
int drawn_cells_count(const DrawList *list);

/* The middle of cell (i, j). */
Vec2 drawn_cell(const DrawCells *cells, int i, int j);

/* How many curves have this colour at their start. */
int drawn_curves(const DrawList *list, Colour colour);

/* Whether some box is filled, or edged, with this colour and covers the point. */
bool drawn_fill_at(const DrawList *list, Colour fill, Vec2 at);
bool drawn_edge_at(const DrawList *list, Colour stroke, Vec2 at);

/* NULL where no command was dropped, every number is finite and every text is UTF-8;
 * else what is wrong. */
const char *drawn_fault(const DrawList *list);

/* Fail with the first command in which two lists differ; they are known to. */
void drawn_fail_difference(const DrawList *before, const DrawList *after, const char *what);

/* Compare with tests/golden/NAME.txt: fails at the first line that differs. Numbers may differ by
 * one in their last digit and colours by 3, which is what another processor's rounding does.
 * With HEADLIGHT_GOLDEN=write the file is written instead. */
void drawn_golden(const DrawList *list, const char *name);

#define DRAWN_LINE_MAX 1024

/* One command as a line; of a matrix its shape and palette, not its values. */
void drawn_print(char out[DRAWN_LINE_MAX], const DrawList *list, const DrawCommand *command);

/* Whether two such lines are the same but for another processor's rounding. */
bool drawn_line_agrees(const char *a, const char *b);

#endif
