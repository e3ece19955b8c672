#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "draw/bidi.h"
#include "export/png.h"
#include "export/svg_parts.h"
#include "gfx/raster.h"
#include "gfx/text.h"

/* The CSS of a font: its family, and substitutes for viewers without it. Each font has two classes.
 * Class e, for emoji without a picture, lists emoji fonts before the substitutes, which have a few
 * black emoji. Class f, for all other words, lists none, because emoji fonts also have digits. */
typedef struct FontStyle {
    const char *family, *others, *look;
} FontStyle;

static const FontStyle FONT_STYLES[FONT_COUNT] = {
    [FONT_SANS] = {"Inter", "'DejaVu Sans',sans-serif", ""},
    [FONT_SANS_BOLD] = {"Inter", "'DejaVu Sans',sans-serif", ";font-weight:600"},
    [FONT_MONO] = {"'JetBrains Mono'", "'DejaVu Sans Mono',monospace", ""},
    [FONT_MONO_BOLD] = {"'JetBrains Mono'", "'DejaVu Sans Mono',monospace", ";font-weight:600"},
    [FONT_MATH] = {"STIX", "'STIX Two Text',STIXGeneral,serif", ""},
    [FONT_MATH_ITALIC] = {"STIX", "'STIX Two Text',STIXGeneral,serif", ";font-style:italic"},
};
static const char EMOJI_FAMILIES[] = "'Noto Color Emoji','Apple Color Emoji','Segoe UI Emoji',";

/* px: font size of the glyphs in a picture, which <use> scales to the text's size */
#define PICTURE_SIZE 100

/* A piece of a line: either letters, or a run of colour glyphs. */
typedef struct Piece {
    size_t at, bytes; /* range of bytes in the line */
    float x, width;   /* x counts from the line's start */
    int picture;      /* number of the picture of the glyphs; 0 for letters */
    bool is_rtl;
} Piece;

typedef struct Line {
    TextOut *out;
    SvgTexts *texts;
    const char *words;
    Piece *pieces; /* owned: pieces from left to right, with room for one per byte of the line */
    int count;
    bool has_pictures, failed;
    Err *err;
} Line;

/* True if the text has pictographs, U+1F000 to U+1FAFF. */
static bool has_emoji(const char *words, size_t bytes) {
    size_t length;
    for (size_t at = 0; at < bytes; at += length) {
        uint32_t code = utf8_decode(words, bytes, at, &length);
        if (code >= 0x1F000 && code < 0x1FB00)
            return true;
    }
    return false;
}

/* Define an image in the file, with its pen at 0. Later texts refer to it by its number. */
static bool define_picture(TextOut *out, const RasterImage *image, int number, Err *err) {
    TextOut png = {0};
    float scale = image->scale * PICTURE_SIZE;
    /* Convert from premultiplied colours to PNG's, which are not multiplied by alpha. */
    size_t pixels = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < pixels; i++) {
        unsigned char *p = image->pixels + 4 * i;
        for (int channel = 0; channel < 3 && p[3] != 0; channel++)
            p[channel] = (unsigned char)((p[channel] * 255 + p[3] / 2) / p[3]);
    }
    bool encoded = png_encode(&png, image->pixels, image->width, image->height, NULL, err);
    text_out(out, "<defs><image id=\"p%d\"", number);
    svg_put_place(out, (Rect){-scale * (float)(image->left + RASTER_EDGE),
                              -scale * (float)(image->top + RASTER_EDGE),
                              scale * (float)image->width, scale * (float)image->height});
    svg_put_png(out, &png);
    text_out(out, "/></defs>\n");
    return encoded;
}

/* Return the number of the picture of a run. At the first use, define the picture in the file.
 * Return 0 if the run has no colours or the line has failed. */
static int picture_of(Line *line, const TextRun *run) {
    SvgTexts *texts = line->texts;
    if (run->face == FONTS_NO_FACE || !fonts_has_colour(texts->fonts, run->face))
        return 0;
    uint64_t parts[2] = {(uint64_t)(uint32_t)run->face << 1 | run->is_rtl,
                         rng_hash(run->text, run->bytes)};
    uint64_t key = rng_hash(parts, sizeof parts);
    for (int i = 0; i < texts->count && i < SVG_PICTURES_MAX; i++)
        if (texts->pictures[i] == key)
            return i + 1;
    RasterImage image = raster_colours(texts->fonts, run);
    if (image.pixels == NULL)
        return 0;
    line->failed = !define_picture(line->out, &image, texts->count + 1, line->err);
    free(image.pixels);
    if (line->failed)
        return 0;
    if (texts->count < SVG_PICTURES_MAX)
        texts->pictures[texts->count] = key;
    return ++texts->count;
}

/* Add a run to the pieces of the line: a TextRunFn. Letters that follow letters are added to the
 * same piece. */
static void add_run(void *context, const TextRun *run, float x, float width) {
    Line *line = context;
    size_t at = (size_t)(run->text - line->words);
    int picture = line->failed ? 0 : picture_of(line, run);
    assert(line->pieces != NULL);
    Piece *before = line->count > 0 ? &line->pieces[line->count - 1] : NULL;
    line->has_pictures = line->has_pictures || picture != 0;
    if (before != NULL && before->picture == 0 && picture == 0 && !before->is_rtl && !run->is_rtl &&
        before->at + before->bytes == at) {
        before->bytes += run->bytes;
        before->width += width;
    } else {
        line->pieces[line->count++] = (Piece){at, run->bytes, x, width, picture, run->is_rtl};
    }
}

static int by_place(const void *a, const void *b) {
    const Piece *p = a, *q = b;
    return p->at < q->at ? -1 : p->at > q->at;
}

/* Write the start of a transform, which moves to a point and rotates. */
static void put_turn(TextOut *out, Vec2 at, float angle_rad) {
    text_out(out, " transform=\"translate(%s %s)", SVG_NUMBER(at.x), SVG_NUMBER(at.y));
    if (angle_rad != 0)
        text_out(out, " rotate(%s)", SVG_NUMBER(angle_rad * 57.29578f));
}

static void put_picture(const Line *line, const Piece *piece, const DrawText *text, Vec2 at,
                        float size) {
    TextOut *out = line->out;
    float x = text->angle_rad != 0 ? piece->x : roundf(piece->x);
    Vec2 pen = {at.x + x * cosf(text->angle_rad), at.y + x * sinf(text->angle_rad)};
    text_out(out, "<use xlink:href=\"#p%d\"", piece->picture);
    put_turn(out, pen, text->angle_rad);
    text_out(out, " scale(%s)\"", SVG_NUMBER(size / PICTURE_SIZE));
    if ((text->colour & 0xFF) != 0xFF)
        text_out(out, " opacity=\"%s\"", SVG_NUMBER((float)(text->colour & 0xFF) / 255));
    text_out(out, "/>\n");
}

/* Write the line as one element, with its pieces in reading order. */
static void put_text(const Line *line, const DrawText *text, Vec2 at, float size) {
    TextOut *out = line->out;
    const TextMeasure *measure = line->texts->measure;
    bool is_rotated = text->angle_rad != 0, is_whole = line->count == 0;
    bool wants_emoji = is_whole && has_emoji(line->words, text->text_bytes);
    text_out(out, "<text class=\"%c%d\"", wants_emoji ? 'e' : 'f', (int)text->font);
    if (is_rotated)
        put_turn(out, at, text->angle_rad);
    else
        text_out(out, " x=\"%s\" y=\"%s", SVG_NUMBER(at.x), SVG_NUMBER(at.y));
    text_out(out, "\" font-size=\"%s\"", SVG_NUMBER(size));
    float width = measure->width(measure->context, text->font, size, line->words, text->text_bytes);
    bool is_one_way = !bidi_is_needed(line->words, text->text_bytes);
    /* Lines in pieces, and lines with two directions, get no width: Inkscape would tear them
     * apart. */
    if (width > 0 && is_one_way && is_whole)
        text_out(out, " textLength=\"%s\"", SVG_NUMBER(width));
    svg_put_colour(out, "fill", text->colour);
    text_out(out, ">");
    if (is_whole)
        svg_put_words(out, line->words, text->text_bytes);
    for (int i = 0; i < line->count; i++) {
        const Piece *piece = &line->pieces[i];
        text_out(out, "<tspan x=\"%s\"", SVG_NUMBER((is_rotated ? 0 : at.x) + piece->x));
        if (piece->width > 0 && !piece->is_rtl)
            text_out(out, " textLength=\"%s\"", SVG_NUMBER(piece->width));
        text_out(out, piece->picture != 0 ? " fill-opacity=\"0\">" : ">");
        svg_put_words(out, line->words + piece->at, piece->bytes);
        text_out(out, "</tspan>");
    }
    text_out(out, "</text>\n");
}

/* Cut a line into pieces. A line without pictures gets no pieces. */
static void cut_up(Line *line, const DrawText *text, float size) {
    size_t bytes = text->text_bytes;
    if (line->texts->fonts == NULL || utf8_is_ascii(line->words, bytes))
        return;
    line->pieces = heap_get_zero(bytes, sizeof *line->pieces);
    line->failed =
        line->pieces == NULL &&
        !err_fail(line->err, "memory", "too little for the picture; use a smaller --size");
    if (line->failed)
        return;
    text_layout(line->texts->fonts, text->font, text_size_px(size), line->words, bytes,
                text->direction, add_run, line);
    if (!line->has_pictures)
        line->count = 0;
    else
        qsort(line->pieces, (size_t)line->count, sizeof *line->pieces, by_place);
}

bool svg_text(TextOut *out, SvgTexts *texts, const DrawText *text, const char *words, float scale,
              Err *err) {
    float size = fmaxf(1, roundf(text->size * scale));
    Vec2 at = {text->at.x * scale, text->at.y * scale};
    if (text->angle_rad == 0)
        at = (Vec2){roundf(at.x), roundf(at.y)};
    Line line = {.out = out, .texts = texts, .words = words, .err = err};
    cut_up(&line, text, size);
    if (!line.failed) {
        put_text(&line, text, at, size);
        for (int i = 0; i < line.count; i++)
            if (line.pieces[i].picture != 0)
                put_picture(&line, &line.pieces[i], text, at, size);
    }
    free(line.pieces);
    return !line.failed;
}

void svg_text_styles(TextOut *out) {
    for (int i = 0; i < 2 * FONT_COUNT; i++) {
        const FontStyle *style = &FONT_STYLES[i % FONT_COUNT];
        bool with_emoji = i >= FONT_COUNT;
        text_out(out, ".%c%d{font-family:%s,%s%s%s}\n", with_emoji ? 'e' : 'f', i % FONT_COUNT,
                 style->family, with_emoji ? EMOJI_FAMILIES : "", style->others, style->look);
    }
}
