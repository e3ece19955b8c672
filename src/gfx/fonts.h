/* fonts.h: the font files of the faces in font.h, found by fontconfig and opened by SDL_ttf. The
 * installed fonts are searched once, at creation; files are opened when needed. A face is a small
 * integer that stands for one family in one file; drawing text adds faces as needed. Sizes are
 * whole device pixels. One thread. */
#ifndef HEADLIGHT_GFX_FONTS_H
#define HEADLIGHT_GFX_FONTS_H

#include <SDL_ttf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "draw/font.h"

#define FONTS_SIZE_MAX 400
/* Size in px at which text is measured, unhinted, before the result is scaled. */
#define FONTS_REFERENCE_PX 512
#define FONTS_NO_FACE      (-1)

typedef struct GfxFonts GfxFonts;

/* Find the six faces or their substitutes. Fails, naming the package, if no usable font is
 * installed. Release with fonts_release. */
bool fonts_create(GfxFonts **out, Err *err);
void fonts_release(GfxFonts *fonts);

/* True while fontconfig runs. It crashes if it gets no memory. A signal handler may call this
 * function. */
bool fonts_is_in_fontconfig(void);

/* Fail if a measurement or a search for a font has failed since the start, because memory ran out,
 * too many files were open, or a font file could not be read. Then a picture may lack something. */
bool fonts_check(GfxFonts *fonts, Err *err);
void fonts_note_failure(GfxFonts *fonts);

/* Return the substitutes of fonts that are not installed, as "Inter: DejaVu Sans, ...", or "".
 * Valid as long as fonts. */
const char *fonts_substitutions(const GfxFonts *fonts);

/* Return the face for a code point: the font's own face if it has the code point, otherwise any
 * installed face that has it, otherwise FONTS_NO_FACE. as_emoji prefers a colour font. Results are
 * cached. */
int fonts_face(GfxFonts *fonts, Font font, uint32_t code_point, bool as_emoji);

/* True if the glyphs of the face are bitmaps of one size, which must be scaled. */
bool fonts_is_bitmap(const GfxFonts *fonts, int face);

/* True if the glyphs of the face have their own colours instead of the text's. */
bool fonts_has_colour(const GfxFonts *fonts, int face);

/* Return the face at a size from 1 to FONTS_SIZE_MAX, lightly hinted, or at FONTS_REFERENCE_PX
 * without hints. NULL if the file can no longer be read. Valid until the next call. */
TTF_Font *fonts_open(GfxFonts *fonts, int face, int size_px);

/* Return the path of the face's file, valid as long as fonts, and set *index to the face's place in
 * the file. */
const char *fonts_file(const GfxFonts *fonts, int face, int *index);

FontMetrics fonts_metrics(GfxFonts *fonts, Font font, float size_px);

/* Return the cache of measured widths, which lives as long as the fonts. */
struct WidthCache;
struct WidthCache *fonts_width_cache(GfxFonts *fonts);

#endif
