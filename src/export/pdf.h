/* pdf.h: draw lists as the pages of a PDF file in memory, by cairo, with text as text and its fonts
 * embedded. Deterministic but for what cairo writes about itself. */
#ifndef HEADLIGHT_EXPORT_PDF_H
#define HEADLIGHT_EXPORT_PDF_H

#include "base/err.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

typedef struct PdfAbout {
    const char *title; /* UTF-8; may be NULL */
    const char *state; /* the state string, as the document's keywords; may be NULL */
    float width_mm;    /* of the page; 0: a logical pixel is 1/96 inch */
} PdfAbout;

typedef struct PdfFile PdfFile;

/* Start a file; its text is set in fonts, which are borrowed like about. *pdf is to be released in
 * any case. */
bool pdf_begin(PdfFile **pdf, GfxFonts *fonts, const PdfAbout *about, Err *err);

/* Append a page that shows list, which is ended and whole. title is its name in the outline of the
 * document, or NULL. Fails when memory runs out or cairo fails. */
bool pdf_page(PdfFile *pdf, const DrawList *list, const char *title, Err *err);

/* Finish the file, which has a page. On success *bytes is to be freed by the caller. */
bool pdf_end(PdfFile *pdf, unsigned char **bytes, size_t *size, Err *err);

void pdf_release(PdfFile *pdf);

#endif
