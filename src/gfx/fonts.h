/* fonts.h: the font files behind the faces of font.h, found by fontconfig and opened by SDL_ttf.
 * Looks at the fonts installed on the system when created; reads font files lazily.
 * A face is a small integer, one file of one family; faces are added as text asks for them.
 * Sizes are whole device pixels. One thread. */
#ifndef HEADLIGHT_GFX_FONTS_H
#define HEADLIGHT_GFX_FONTS_H

#include <SDL_ttf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "draw/font.h"

#define FONTS_SIZE_MAX     400
#define FONTS_REFERENCE_PX 512 /* text is measured at this size, unhinted, and scaled */
#define FONTS_NO_FACE      (-1)

typedef struct GfxFonts GfxFonts;

/* Find the six faces, or what stands in for them. Fails, naming the package, when no usable font
 * is installed. Release with fonts_release. */
bool fonts_create(GfxFonts **out, Err *err);
void fonts_release(GfxFonts *fonts);

/* True inside fontconfig, which crashes if it gets no memory. A signal handler may call it. */
bool fonts_is_in_fontconfig(void);

/* True if text was measured or found no font as it should, because memory ran out or a font file
 * could not be read: a picture since then may lack something. */
bool fonts_has_failed(GfxFonts *fonts);
void fonts_note_failure(GfxFonts *fonts);

/* What stands in for a face that is not installed, as "Inter: DejaVu Sans, ...", or "". Valid as
 * long as fonts. */
const char *fonts_substitutions(const GfxFonts *fonts);

/* The face for a code point: the font's own, else any installed one that has it, else
 * FONTS_NO_FACE. as_emoji prefers a colour font. Remembered, so that asking again is cheap. */
int fonts_face(GfxFonts *fonts, Font font, uint32_t code_point, bool as_emoji);

/* Whether the face is made of bitmaps of one size, to be scaled. */
bool fonts_is_bitmap(const GfxFonts *fonts, int face);

/* Whether its glyphs have colours of their own, which text is not drawn in. */
bool fonts_has_colour(const GfxFonts *fonts, int face);

/* The face at a size from 1 to FONTS_SIZE_MAX, lightly hinted, or at FONTS_REFERENCE_PX without
 * hints. NULL when the file cannot be read any more. Valid until the next call of this function. */
TTF_Font *fonts_open(GfxFonts *fonts, int face, int size_px);

/* Return the path of the face's file, valid as long as fonts, and set *index to its place in it. */
const char *fonts_file(const GfxFonts *fonts, int face, int *index);

/* Of a font at a size. */
FontMetrics fonts_metrics(GfxFonts *fonts, Font font, float size_px);

/* A place for measured widths, kept here so that they live as long as the fonts. */
struct WidthCache;
struct WidthCache *fonts_width_cache(GfxFonts *fonts);

#endif
