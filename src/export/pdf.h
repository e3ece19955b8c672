/* pdf.h: writes draw lists as the pages of a PDF file in memory, by cairo. Text stays text, with
 * its fonts embedded. Deterministic, except for what cairo writes about itself. */
#ifndef HEADLIGHT_EXPORT_PDF_H
#define HEADLIGHT_EXPORT_PDF_H

#include "base/err.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

typedef struct PdfAbout {
    const char *title; /* UTF-8; may be NULL */
    const char *state; /* the state string, as the document's keywords; may be NULL */
    float width_mm;    /* width of the page; 0: a logical pixel is 1/96 inch */
} PdfAbout;

typedef struct PdfFile PdfFile;

/* Start a file. fonts and about are borrowed. *pdf must be released in any case. */
bool pdf_begin(PdfFile **pdf, GfxFonts *fonts, const PdfAbout *about, Err *err);

/* Append a page that shows list, which must be ended and complete. title is the page's name in the
 * document's outline, or NULL. Fails if memory runs out or cairo fails. */
bool pdf_page(PdfFile *pdf, const DrawList *list, const char *title, Err *err);

/* Finish the file, which must have a page. On success *bytes must be freed by the caller. */
bool pdf_end(PdfFile *pdf, unsigned char **bytes, size_t *size, Err *err);

void pdf_release(PdfFile *pdf);

#endif
