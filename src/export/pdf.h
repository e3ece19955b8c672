/* pdf.h: writes draw lists as the pages of a PDF file in memory, with cairo. Text stays text, with
 * its fonts embedded. Deterministic, except for the data that cairo adds about itself. */
#ifndef HEADLIGHT_EXPORT_PDF_H
#define HEADLIGHT_EXPORT_PDF_H

#include "base/err.h"
#include "base/text_out.h"
#include "draw/draw.h"
#include "gfx/fonts.h"

typedef struct PdfAbout {
    const char *title; /* UTF-8; may be NULL */
    const char *state; /* the state string, written as the document's keywords; may be NULL */
    float width_mm;    /* width of the page; 0: a logical pixel is 1/96 inch */
} PdfAbout;

/* A PDF file being written. Fill fonts and about, which are borrowed. The struct must not be moved
 * after its first page. */
typedef struct PdfFile {
    GfxFonts *fonts;
    PdfAbout about;
    TextOut out;   /* the file so far */
    void *surface; /* a cairo_surface_t; NULL before the first page */
    int pages;
} PdfFile;

/* Append a page that shows list, which must be ended and complete. title is the page's name in the
 * document's outline, or NULL. Fails if memory runs out or cairo reports an error. */
bool pdf_page(PdfFile *pdf, const DrawList *list, const char *title, Err *err);

/* Finish the file, which must have a page. Afterwards out contains the whole file. */
bool pdf_end(PdfFile *pdf, Err *err);

void pdf_release(PdfFile *pdf);

#endif
