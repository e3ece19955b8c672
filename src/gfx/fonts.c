#include "gfx/fonts.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <fontconfig/fontconfig.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/heap.h"
#include "gfx/width_cache.h"

#define FONTS_FACES_MAX 64
/* maximum number of fonts open at once; each takes a third of a megabyte */
#define FONTS_OPEN_MAX     16
#define FONTS_FAMILIES_MAX 8
/* code points whose faces are remembered; a power of two */
#define FONTS_GLYPHS 4096

/* Families in order of preference. The first `own` are names under which the font itself is
 * packaged; the others are substitutes. */
typedef struct FaceSpec {
    const char *name;
    int own;
    const char *families[FONTS_FAMILIES_MAX];
    int weight, slant;
} FaceSpec;

#define SANS_FAMILIES                                                                              \
    { "Inter", "Noto Sans", "DejaVu Sans", "Liberation Sans", "sans-serif" }
#define MONO_FAMILIES                                                                              \
    { "JetBrains Mono", "DejaVu Sans Mono", "Noto Sans Mono", "Liberation Mono", "monospace" }
#define MATH_FAMILIES                                                                              \
    {                                                                                              \
        "STIXGeneral", "STIX Two Text", "STIX", "Noto Serif", "DejaVu Serif", "Liberation Serif",  \
            "serif"                                                                                \
    }

static const FaceSpec FACE_SPECS[FONT_COUNT] = {
    [FONT_SANS] = {"Inter", 1, SANS_FAMILIES, FC_WEIGHT_REGULAR, FC_SLANT_ROMAN},
    [FONT_SANS_BOLD] = {"Inter SemiBold", 1, SANS_FAMILIES, FC_WEIGHT_DEMIBOLD, FC_SLANT_ROMAN},
    [FONT_MONO] = {"JetBrains Mono", 1, MONO_FAMILIES, FC_WEIGHT_REGULAR, FC_SLANT_ROMAN},
    [FONT_MONO_BOLD] = {"JetBrains Mono SemiBold", 1, MONO_FAMILIES, FC_WEIGHT_DEMIBOLD,
                        FC_SLANT_ROMAN},
    [FONT_MATH] = {"STIX", 3, MATH_FAMILIES, FC_WEIGHT_REGULAR, FC_SLANT_ROMAN},
    [FONT_MATH_ITALIC] = {"STIX Italic", 3, MATH_FAMILIES, FC_WEIGHT_REGULAR, FC_SLANT_ITALIC},
};

static const FaceSpec EMOJI_SPEC = {"emoji",
                                    1,
                                    {"Noto Color Emoji", "Twitter Color Emoji", "emoji"},
                                    FC_WEIGHT_REGULAR,
                                    FC_SLANT_ROMAN};

typedef struct Face {
    char *path; /* owned */
    int index;  /* index of the face in the file */
    FcCharSet *characters;
    bool is_bitmap, has_colour, is_broken;
    unsigned
        serves; /* bit f: this face replaces font f for some character; bit FONT_COUNT: for emoji */
} Face;

/* A face may be open twice: at the reference size for measuring, and at the size drawn last.
 * Setting another size takes a tenth of the time of opening. */
typedef struct OpenFont {
    TTF_Font *ttf;
    int face, size_px;
    bool measures;
    uint64_t used;
} OpenFont;

typedef struct GlyphFace {
    uint32_t key; /* hash of code point, font and is-emoji; 0 if empty */
    int face;
} GlyphFace;

struct GfxFonts {
    FcConfig *config;
    Face faces[FONTS_FACES_MAX];
    int face_count;
    int own[FONT_COUNT]; /* the face of each font */
    OpenFont open[FONTS_OPEN_MAX];
    uint64_t clock;
    GlyphFace glyphs[FONTS_GLYPHS];
    int glyph_count;
    FontMetrics metrics[FONT_COUNT]; /* metrics at 1 px; ascent is 0 until they are known */
    WidthCache widths;
    char substitutions[512];
    bool has_ttf, has_failed;
    bool lacks_files; /* a file did not open because too many were open */
};

void fonts_note_shortage(GfxFonts *fonts) {
    fonts->has_failed |= errno == ENOMEM;
    errno = 0;
}

static void note_files(GfxFonts *fonts) {
    fonts->lacks_files |= errno == EMFILE || errno == ENFILE;
}

static volatile sig_atomic_t in_fontconfig;

bool fonts_is_in_fontconfig(void) {
    return in_fontconfig != 0;
}

/* Return the best installed font for a pattern: one that has the code point, unless it is 0 or no
 * font has it. Return NULL if memory ran out or no font is installed. */
static FcPattern *match_font(FcConfig *config, const FaceSpec *spec, uint32_t code_point) {
    in_fontconfig = 1;
    FcPattern *pattern = FcPatternCreate();
    FcCharSet *wanted = FcCharSetCreate();
    FcPattern *found = NULL;
    if (pattern != NULL && wanted != NULL) {
        for (int i = 0; i < FONTS_FAMILIES_MAX && spec->families[i] != NULL; i++)
            FcPatternAddString(pattern, FC_FAMILY, (const FcChar8 *)spec->families[i]);
        FcPatternAddInteger(pattern, FC_WEIGHT, spec->weight);
        FcPatternAddInteger(pattern, FC_SLANT, spec->slant);
        FcPatternAddBool(pattern, FC_VARIABLE, FcFalse);
        bool asked = code_point == 0 || (FcCharSetAddChar(wanted, code_point) &&
                                         FcPatternAddCharSet(pattern, FC_CHARSET, wanted));
        FcResult result;
        if (asked && FcConfigSubstitute(config, pattern, FcMatchPattern)) {
            FcDefaultSubstitute(pattern);
            found = FcFontMatch(config, pattern, &result);
        }
    }
    if (wanted != NULL)
        FcCharSetDestroy(wanted);
    if (pattern != NULL)
        FcPatternDestroy(pattern);
    in_fontconfig = 0;
    return found;
}

/* Return the face of a matched pattern; add it if it is new. FONTS_NO_FACE if it cannot be used. */
static int add_face(GfxFonts *fonts, const FcPattern *pattern) {
    FcChar8 *path;
    FcCharSet *characters;
    int index = 0;
    FcBool is_outline = FcTrue, has_colour = FcFalse;
    if (pattern == NULL || FcPatternGetString(pattern, FC_FILE, 0, &path) != FcResultMatch ||
        FcPatternGetCharSet(pattern, FC_CHARSET, 0, &characters) != FcResultMatch)
        return FONTS_NO_FACE;
    FcPatternGetInteger(pattern, FC_INDEX, 0, &index);
    FcPatternGetBool(pattern, FC_OUTLINE, 0, &is_outline);
    FcPatternGetBool(pattern, FC_COLOR, 0, &has_colour);
    index &= 0xFFFF; /* drop the upper 16 bits, the instance of a variable font */
    for (int i = 0; i < fonts->face_count; i++)
        if (fonts->faces[i].index == index && strcmp(fonts->faces[i].path, (char *)path) == 0)
            return fonts->faces[i].is_broken ? FONTS_NO_FACE : i;
    if (fonts->face_count == FONTS_FACES_MAX)
        return FONTS_NO_FACE;
    char *copy = heap_copy((const char *)path, strlen((const char *)path));
    if (copy == NULL) {
        fonts->has_failed = true;
        return FONTS_NO_FACE;
    }
    int face = fonts->face_count++;
    fonts->faces[face] = (Face){.path = copy,
                                .index = index,
                                .characters = FcCharSetCopy(characters),
                                .is_bitmap = !is_outline,
                                .has_colour = has_colour};
    fonts->faces[face].is_broken = fonts_open(fonts, face, FONTS_REFERENCE_PX) == NULL;
    return fonts->faces[face].is_broken ? FONTS_NO_FACE : face;
}

static void note_substitution(GfxFonts *fonts, const FaceSpec *spec, const FcPattern *pattern) {
    FcChar8 *family;
    if (FcPatternGetString(pattern, FC_FAMILY, 0, &family) != FcResultMatch)
        return;
    for (int i = 0; i < spec->own; i++)
        if (strcmp((const char *)family, spec->families[i]) == 0)
            return;
    size_t used = strlen(fonts->substitutions);
    snprintf(fonts->substitutions + used, sizeof fonts->substitutions - used, "%s%s: %s",
             used > 0 ? ", " : "", spec->name, (const char *)family);
}

static bool find_own_faces(GfxFonts *fonts) {
    for (int font = 0; font < FONT_COUNT; font++) {
        FcPattern *pattern = match_font(fonts->config, &FACE_SPECS[font], 0);
        fonts->own[font] = add_face(fonts, pattern);
        if (pattern != NULL) {
            note_substitution(fonts, &FACE_SPECS[font], pattern);
            FcPatternDestroy(pattern);
        }
        if (fonts->own[font] == FONTS_NO_FACE)
            return false;
    }
    return true;
}

/* Load fontconfig's configuration and suppress messages on standard error; if there is none,
 * fontconfig uses defaults. Make it the current configuration, because otherwise fontconfig would
 * load one again, with messages. Return NULL if the messages cannot be suppressed. errno says
 * whether too many files were open. */
static FcConfig *load_config(void) {
    int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
    int nowhere = kept >= 0 ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    if (nowhere < 0) {
        if (kept >= 0)
            close(kept);
        errno = EMFILE;
        return NULL;
    }
    errno = 0;
    dup2(nowhere, STDERR_FILENO);
    in_fontconfig = 1;
    FcConfig *config = FcInitLoadConfigAndFonts();
    if (config != NULL)
        FcConfigSetCurrent(config);
    /* Let fontconfig ask once, here, for the languages of the locale, so that it reports a locale
     * that it ignores only once. The current configuration stores them. */
    FcStrSet *languages = FcGetDefaultLangs();
    if (languages != NULL)
        FcStrSetDestroy(languages);
    in_fontconfig = 0;
    int code = errno;
    dup2(kept, STDERR_FILENO);
    close(nowhere);
    close(kept);
    errno = code;
    return config;
}

bool fonts_create(GfxFonts **out, Err *err) {
    *out = NULL;
    GfxFonts *fonts = heap_get_zero(1, sizeof *fonts);
    if (fonts == NULL)
        return err_fail(err, "memory", "too little to load fonts; close other programs");
    /* allocate SDL's error message now: SDL 2.26 loops for ever if it cannot do that later */
    SDL_ClearError();
    fonts->has_ttf = TTF_Init() == 0;
    if (!fonts->has_ttf) {
        err_fail(err, "fonts", "SDL_ttf does not start: %s", TTF_GetError());
        fonts_release(fonts);
        return false;
    }
    fonts_note_shortage(fonts);
    fonts->config = load_config();
    note_files(fonts);
    if (fonts->config == NULL || !find_own_faces(fonts)) {
        if (fonts_check(fonts, err))
            err_fail(err, "fonts",
                     "no usable font was found; install a font package, such as fonts-inter, "
                     "fonts-jetbrains-mono and fonts-stix");
        fonts_release(fonts);
        return false;
    }
    *out = fonts;
    return true;
}

void fonts_release(GfxFonts *fonts) {
    if (fonts == NULL)
        return;
    for (int i = 0; i < FONTS_OPEN_MAX; i++)
        if (fonts->open[i].ttf != NULL)
            TTF_CloseFont(fonts->open[i].ttf);
    for (int i = 0; i < fonts->face_count; i++) {
        free(fonts->faces[i].path);
        if (fonts->faces[i].characters != NULL)
            FcCharSetDestroy(fonts->faces[i].characters);
    }
    if (fonts->config != NULL)
        FcConfigDestroy(fonts->config);
    if (fonts->has_ttf)
        TTF_Quit();
    free(fonts);
}

void fonts_note_failure(GfxFonts *fonts) {
    fonts->has_failed = true;
}

bool fonts_check(GfxFonts *fonts, Err *err) {
    fonts_note_shortage(fonts);
    if (fonts->lacks_files)
        return err_fail(err, "fonts",
                        "too many files are open to load all; raise the limit (ulimit -n)");
    return !fonts->has_failed ||
           err_fail(err, "memory", "too little for all fonts; close other programs");
}

const char *fonts_substitutions(const GfxFonts *fonts) {
    return fonts->substitutions;
}

const char *fonts_file(const GfxFonts *fonts, int face, int *index) {
    *index = fonts->faces[face].index;
    return fonts->faces[face].path;
}

bool fonts_is_bitmap(const GfxFonts *fonts, int face) {
    return fonts->faces[face].is_bitmap;
}

bool fonts_has_colour(const GfxFonts *fonts, int face) {
    return fonts->faces[face].has_colour;
}

struct WidthCache *fonts_width_cache(GfxFonts *fonts) {
    return &fonts->widths;
}

static bool has_glyph(const GfxFonts *fonts, int face, uint32_t code_point) {
    const Face *f = &fonts->faces[face];
    return f->characters != NULL && FcCharSetHasChar(f->characters, code_point);
}

/* Return a face for a character that the font lacks. First try the faces that already replaced this
 * font: fontconfig takes a millisecond. */
static int find_fallback(GfxFonts *fonts, Font font, uint32_t code_point, bool as_emoji) {
    unsigned serves = as_emoji ? 1u << FONT_COUNT : 1u << font;
    for (int i = 0; i < fonts->face_count; i++)
        if ((fonts->faces[i].serves & serves) != 0 && has_glyph(fonts, i, code_point))
            return i;
    FcPattern *pattern =
        match_font(fonts->config, as_emoji ? &EMOJI_SPEC : &FACE_SPECS[font], code_point);
    int face = add_face(fonts, pattern);
    if (pattern != NULL)
        FcPatternDestroy(pattern);
    else
        fonts->has_failed = true;
    if (face == FONTS_NO_FACE || !has_glyph(fonts, face, code_point))
        return FONTS_NO_FACE;
    fonts->faces[face].serves |= serves;
    return face;
}

int fonts_face(GfxFonts *fonts, Font font, uint32_t code_point, bool as_emoji) {
    if (!as_emoji && has_glyph(fonts, fonts->own[font], code_point))
        return fonts->own[font];
    uint32_t key = 1 + ((code_point << 4) | ((uint32_t)font << 1) | as_emoji);
    uint32_t slot = (key * 2654435761u) >> 20;
    static_assert(FONTS_GLYPHS == 1 << 12, "the slot is the upper 12 bits");
    while (fonts->glyphs[slot].key != 0 && fonts->glyphs[slot].key != key)
        slot = (slot + 1) % FONTS_GLYPHS;
    if (fonts->glyphs[slot].key == key)
        return fonts->glyphs[slot].face;
    int face = find_fallback(fonts, font, code_point, as_emoji);
    if (fonts->glyph_count >= FONTS_GLYPHS / 2) {
        memset(fonts->glyphs, 0, sizeof fonts->glyphs);
        fonts->glyph_count = 0;
        slot = (key * 2654435761u) >> 20;
    }
    fonts->glyphs[slot] = (GlyphFace){key, face};
    fonts->glyph_count++;
    return face;
}

/* Return the slot in which a face is open, or a slot with ttf NULL to open it in. */
static OpenFont *find_open(GfxFonts *fonts, int face, bool measures) {
    OpenFont *oldest = &fonts->open[0];
    for (int i = 0; i < FONTS_OPEN_MAX; i++) {
        OpenFont *open = &fonts->open[i];
        if (open->ttf != NULL && open->face == face && open->measures == measures)
            return open;
        if (open->used < oldest->used)
            oldest = open;
    }
    if (oldest->ttf != NULL)
        TTF_CloseFont(oldest->ttf);
    *oldest = (OpenFont){.face = face, .measures = measures};
    return oldest;
}

/* Return NULL if the file does not open or the shaper does not work: without memory it gives every
 * text a width of 0 and reports nothing. */
static TTF_Font *open_face(const Face *face, int size_px, bool measures) {
    int width = 0;
    TTF_Font *ttf = TTF_OpenFontIndex(face->path, size_px, face->index);
    if (ttf != NULL && TTF_GlyphIsProvided32(ttf, 'H') != 0 &&
        (TTF_SizeUTF8(ttf, "H", &width, NULL) != 0 || width <= 0)) {
        TTF_CloseFont(ttf);
        ttf = NULL;
    }
    if (ttf != NULL)
        TTF_SetFontHinting(ttf, measures ? TTF_HINTING_NONE : TTF_HINTING_LIGHT_SUBPIXEL);
    return ttf;
}

TTF_Font *fonts_open(GfxFonts *fonts, int face, int size_px) {
    assert(face >= 0 && face < fonts->face_count);
    assert((size_px >= 1 && size_px <= FONTS_SIZE_MAX) || size_px == FONTS_REFERENCE_PX);
    fonts_note_shortage(fonts);
    if (fonts->faces[face].is_broken)
        return NULL;
    OpenFont *open = find_open(fonts, face, size_px == FONTS_REFERENCE_PX);
    open->used = ++fonts->clock;
    bool is_set = open->size_px == size_px;
    if (open->ttf == NULL)
        is_set = (open->ttf = open_face(&fonts->faces[face], size_px, open->measures)) != NULL;
    else if (!is_set)
        is_set = TTF_SetFontSize(open->ttf, size_px) == 0;
    open->size_px = is_set ? size_px : open->size_px;
    fonts->has_failed |= !is_set;
    if (!is_set)
        note_files(fonts);
    fonts_note_shortage(fonts);
    return is_set ? open->ttf : NULL;
}

static float glyph_top(TTF_Font *ttf, uint32_t code_point) {
    int top = 0;
    TTF_GlyphMetrics32(ttf, code_point, NULL, NULL, NULL, &top, NULL);
    return (float)top;
}

FontMetrics fonts_metrics(GfxFonts *fonts, Font font, float size_px) {
    FontMetrics *unit = &fonts->metrics[font];
    TTF_Font *ttf =
        unit->ascent > 0 ? NULL : fonts_open(fonts, fonts->own[font], FONTS_REFERENCE_PX);
    if (ttf != NULL) {
        const float px = FONTS_REFERENCE_PX;
        *unit = (FontMetrics){.ascent = (float)TTF_FontAscent(ttf) / px,
                              .descent = (float)-TTF_FontDescent(ttf) / px,
                              .cap_height = glyph_top(ttf, 'H') / px,
                              .x_height = glyph_top(ttf, 'x') / px};
    }
    return (FontMetrics){unit->ascent * size_px, unit->descent * size_px,
                         unit->cap_height * size_px, unit->x_height * size_px};
}
