/* fonts.h: the font files of the fonts in font.h. fontconfig finds them once, at creation; SDL_ttf
 * opens a file when it is needed. A face is a small integer for one family in one file; drawing
 * text adds faces. Sizes are whole device pixels. One thread. */
#ifndef HEADLIGHT_GFX_FONTS_H
#define HEADLIGHT_GFX_FONTS_H

#include <SDL_ttf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "draw/font.h"

#define FONTS_SIZE_MAX 400
/* px: text is measured at this size, unhinted, and the result scaled */
#define FONTS_REFERENCE_PX 512
#define FONTS_NO_FACE      (-1)

typedef struct GfxFonts GfxFonts;

/* Find the six fonts or substitutes. Fails, naming the package, if no usable font is installed.
 * Owned: fonts_release. */
bool fonts_create(GfxFonts **out, Err *err);
void fonts_release(GfxFonts *fonts);

/* True while fontconfig runs, which crashes without memory. Signal handlers may call this. */
bool fonts_is_in_fontconfig(void);

/* Fail if a picture may lack something: if a measurement or a search for a font has failed since
 * the start. Reasons: no memory, too many open files, an unreadable font file. */
bool fonts_check(GfxFonts *fonts, Err *err);
void fonts_note_failure(GfxFonts *fonts);

/* Call this after using a font and before other code may clear errno: if memory runs out, the
 * shaper, the rasteriser and fontconfig omit something and report success, but they set errno. */
void fonts_note_shortage(GfxFonts *fonts);

/* Return the substitutes of missing fonts, as "Inter: DejaVu Sans, ...", or "". Valid as long as
 * fonts. */
const char *fonts_substitutions(const GfxFonts *fonts);

/* Return the face for a code point: the font's own if it has the code point, otherwise any
 * installed face that has it, otherwise FONTS_NO_FACE. as_emoji prefers a colour font. Cached. */
int fonts_face(GfxFonts *fonts, Font font, uint32_t code_point, bool as_emoji);

/* True if the glyphs are bitmaps of one size, which must be scaled. */
bool fonts_is_bitmap(const GfxFonts *fonts, int face);

/* True if the glyphs have colours of their own. */
bool fonts_has_colour(const GfxFonts *fonts, int face);

/* Return the face at a size up to FONTS_SIZE_MAX, lightly hinted, or at FONTS_REFERENCE_PX without
 * hints. NULL if the file can no longer be read. Valid until the next call. */
TTF_Font *fonts_open(GfxFonts *fonts, int face, int size_px);

/* Return the path of the face's file, valid as long as fonts. *index: the face's index in the file.
 */
const char *fonts_file(const GfxFonts *fonts, int face, int *index);

FontMetrics fonts_metrics(GfxFonts *fonts, Font font, float size_px);

/* Lives as long as fonts. */
struct WidthCache;
struct WidthCache *fonts_width_cache(GfxFonts *fonts);

#endif
