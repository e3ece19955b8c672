/* pdf.h: a draw list as a PDF file in memory, by cairo, with text as text and its fonts embedded.
 * Deterministic but for what cairo writes about itself. */
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

/* Write list, which is ended and whole; its text is set in fonts. On success *bytes is to be freed
 * by the caller; on failure, when memory runs out or cairo fails, it is NULL. */
bool pdf_encode(unsigned char **bytes, size_t *size, const DrawList *list, GfxFonts *fonts,
                const PdfAbout *about, Err *err);

#endif
