/* drawn.h: finds commands of a draw list: words by their text, matrices by their order; and
 * compares the whole list with a file. */
#ifndef HEADLIGHT_TESTS_SUPPORT_DRAWN_H
#define HEADLIGHT_TESTS_SUPPORT_DRAWN_H

#include "draw/draw.h"

/* The nth command, from 0, whose text is exactly these words, or NULL. */
const DrawCommand *drawn_text(const DrawList *list, const char *words, int nth);

/* The first that begins with them, or NULL. */
const DrawCommand *drawn_beginning(const DrawList *list, const char *words);

/* The words of command i of a list; "" if it is no text. Valid until the next call. */
const char *drawn_words(const DrawList *list, size_t i);

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

/* Return NULL if no command was lost, every number is finite and every text is UTF-8; else the
 * fault. */
const char *drawn_fault(const DrawList *list);

/* Fail with the first command in which two lists differ; they are known to. */
void drawn_fail_difference(const DrawList *before, const DrawList *after, const char *what);

/* Compare with tests/golden/NAME.txt: fails at the first line that differs. Numbers may differ by
 * one in their last digit and colours by 3, because another processor rounds differently. With
 * HEADLIGHT_GOLDEN=write the file is written instead. */
void drawn_golden(const DrawList *list, const char *name);

#define DRAWN_LINE_MAX 1024

/* Write one command as a line; of a matrix the shape and palette, not the values. */
void drawn_print(char out[DRAWN_LINE_MAX], const DrawList *list, const DrawCommand *command);

/* True if two such lines are equal except for another processor's rounding. */
bool drawn_line_agrees(const char *a, const char *b);

#endif
