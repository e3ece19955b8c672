/* pdf_parts.h: the text and cells of a PDF. Only for pdf*.c. */
#ifndef HEADLIGHT_EXPORT_PDF_PARTS_H
#define HEADLIGHT_EXPORT_PDF_PARTS_H

#include <cairo.h>
#include <stdbool.h>

#include "draw/draw.h"
#include "gfx/fonts.h"

#define PDF_FACES 64

/* The font faces of one file, which are opened when text first needs them. */
typedef struct PdfTexts {
    GfxFonts *fonts;
    cairo_font_face_t *faces[PDF_FACES]; /* owned; NULL until text needs it */
} PdfTexts;

void pdf_texts_release(PdfTexts *texts);
void pdf_colour(cairo_t *to, Colour colour);

/* Draw a line of text. The second function draws a matrix. Both fail only if memory runs out. */
bool pdf_text(cairo_t *to, PdfTexts *texts, const DrawText *text, const char *words);
bool pdf_cells(cairo_t *to, const DrawCells *cells);

#endif
