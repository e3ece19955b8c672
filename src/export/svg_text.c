#include "export/svg_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "draw/bidi.h"
#include "export/png.h"
#include "gfx/raster.h"
#include "gfx/text.h"

/* The class of a font: its family, and substitutes for viewers without it. The class "e" has fonts
 * of emoji between them, for emoji without a picture. Other words must not use that class, because
 * emoji fonts also have digits, and other fonts have a few emoji in black. */
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

#define PICTURE_SIZE 100 /* px of text that a picture is defined for */

/* A piece of a line: letters, or a run of colour glyphs. */
typedef struct Piece {
    size_t at, bytes; /* within the line */
    float x, width;   /* x counts from the line's start */
    int picture;      /* number of its picture; 0 for letters */
    bool is_rtl;
} Piece;

typedef struct Line {
    SvgOut *out;
    SvgTexts *texts;
    const char *words;
    Piece *pieces; /* owned; from left to right */
    int count, capacity;
    bool has_pictures, failed;
    Err *err;
} Line;

/* True for pictographs in the planes beyond the first. */
static bool has_emoji(const char *words, size_t bytes) {
    size_t length;
    for (size_t at = 0; at < bytes; at += length) {
        uint32_t code = utf8_decode(words, bytes, at, &length);
        if (code >= 0x1F000 && code < 0x1FB00)
            return true;
    }
    return false;
}

static bool is_ascii(const char *words, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if ((unsigned char)words[i] >= 0x80)
            return false;
    return true;
}

/* Make room for one more element in an array. Return false if memory runs out. */
static bool make_room(void **array, int *capacity, int count, size_t element) {
    if (count < *capacity)
        return true;
    int wanted = *capacity > 0 ? 2 * *capacity : 16;
    void *grown = heap_resize(*array, (size_t)wanted * element);
    if (grown == NULL)
        return false;
    *array = grown;
    *capacity = wanted;
    return true;
}

/* Define an image in the file, with its pen at 0, to be referred to by number where its text
 * stands. */
static bool define_picture(SvgOut *out, const RasterImage *image, int number, Err *err) {
    unsigned char *png;
    size_t size;
    float scale = image->scale * PICTURE_SIZE;
    /* Convert to PNG's colours, which are not multiplied by alpha. */
    size_t pixels = (size_t)image->width * (size_t)image->height;
    for (size_t i = 0; i < pixels; i++) {
        unsigned char *p = image->pixels + 4 * i;
        for (int channel = 0; channel < 3 && p[3] != 0; channel++)
            p[channel] = (unsigned char)((p[channel] * 255 + p[3] / 2) / p[3]);
    }
    if (!png_encode(&png, &size, image->pixels, image->width, image->height, err))
        return false;
    svg_put(out, "<defs><image id=\"");
    svg_put_name(out, "p", number);
    svg_put(out, "\"");
    svg_put_attribute(out, "x", -scale * (float)(image->left + RASTER_EDGE));
    svg_put_attribute(out, "y", -scale * (float)(image->top + RASTER_EDGE));
    svg_put_attribute(out, "width", scale * (float)image->width);
    svg_put_attribute(out, "height", scale * (float)image->height);
    svg_put(out, " xlink:href=\"data:image/png;base64,");
    svg_put_base64(out, png, size);
    svg_put(out, "\"/></defs>\n");
    free(png);
    return true;
}

/* Return the number of a run's picture, which is defined in the file at its first use. Return 0 if
 * the run has no colours or the line has failed. */
static int picture_of(Line *line, const TextRun *run) {
    SvgTexts *texts = line->texts;
    if (run->face == FONTS_NO_FACE || !fonts_has_colour(texts->fonts, run->face))
        return 0;
    uint64_t parts[2] = {(uint64_t)(uint32_t)run->face << 1 | run->is_rtl,
                         rng_hash(run->text, run->bytes)};
    uint64_t key = rng_hash(parts, sizeof parts);
    for (int i = 0; i < texts->count; i++)
        if (texts->pictures[i] == key)
            return i + 1;
    RasterImage image = raster_colours(texts->fonts, run);
    if (image.pixels == NULL)
        return 0;
    void *pictures = texts->pictures;
    bool has_room = make_room(&pictures, &texts->capacity, texts->count, sizeof *texts->pictures);
    texts->pictures = pictures;
    if (!has_room)
        err_fail(line->err, "memory", "too little for the picture; use a smaller --size");
    line->failed = !has_room || !define_picture(line->out, &image, texts->count + 1, line->err);
    free(image.pixels);
    if (line->failed)
        return 0;
    texts->pictures[texts->count++] = key;
    return texts->count;
}

/* True if two pieces are letters that follow each other, and so become one piece. */
static bool continues(const Piece *before, const Piece *piece) {
    return before->picture == 0 && piece->picture == 0 && !before->is_rtl && !piece->is_rtl &&
           before->at + before->bytes == piece->at;
}

/* Add a run to the line's pieces: a TextRunFn. */
static void add_run(void *context, const TextRun *run, float x, float width) {
    Line *line = context;
    if (line->failed)
        return;
    Piece piece = {.at = (size_t)(run->text - line->words),
                   .bytes = run->bytes,
                   .x = x,
                   .width = width,
                   .picture = picture_of(line, run),
                   .is_rtl = run->is_rtl};
    line->has_pictures = line->has_pictures || piece.picture != 0;
    if (line->count > 0 && continues(&line->pieces[line->count - 1], &piece)) {
        line->pieces[line->count - 1].bytes += piece.bytes;
        line->pieces[line->count - 1].width += piece.width;
        return;
    }
    void *pieces = line->pieces;
    if (make_room(&pieces, &line->capacity, line->count, sizeof piece)) {
        line->pieces = pieces;
        line->pieces[line->count++] = piece;
    } else if (!line->failed) {
        line->failed = true;
        err_fail(line->err, "memory", "too little for the picture; use a smaller --size");
    }
}

static int by_place(const void *a, const void *b) {
    const Piece *p = a, *q = b;
    return p->at < q->at ? -1 : p->at > q->at;
}

/* Write the pieces in reading order, each at its place from x on. */
static void put_pieces(const Line *line, float x) {
    SvgOut *out = line->out;
    for (int i = 0; i < line->count; i++) {
        const Piece *piece = &line->pieces[i];
        svg_put(out, "<tspan");
        svg_put_attribute(out, "x", x + piece->x);
        if (piece->width > 0 && !piece->is_rtl)
            svg_put_attribute(out, "textLength", piece->width);
        svg_put(out, piece->picture != 0 ? " fill-opacity=\"0\">" : ">");
        svg_put_words(out, line->words + piece->at, piece->bytes);
        svg_put(out, "</tspan>");
    }
}

/* Write the start of a transform, which moves to a point and rotates. */
static void put_turn(SvgOut *out, Vec2 at, float angle_rad) {
    svg_put(out, " transform=\"translate(");
    svg_put_numbers(out, (float[]){at.x, at.y}, 2);
    svg_put(out, ")");
    if (angle_rad == 0)
        return;
    svg_put(out, " rotate(");
    svg_put_number(out, angle_rad * 57.29578f);
    svg_put(out, ")");
}

static void put_picture(const Line *line, const Piece *piece, const DrawText *text, Vec2 at,
                        float size) {
    SvgOut *out = line->out;
    float x = text->angle_rad != 0 ? piece->x : roundf(piece->x);
    Vec2 pen = {at.x + x * cosf(text->angle_rad), at.y + x * sinf(text->angle_rad)};
    svg_put(out, "<use xlink:href=\"#");
    svg_put_name(out, "p", piece->picture);
    svg_put(out, "\"");
    put_turn(out, pen, text->angle_rad);
    svg_put(out, " scale(");
    svg_put_number(out, size / PICTURE_SIZE);
    svg_put(out, ")\"");
    if ((text->colour & 0xFF) != 0xFF)
        svg_put_attribute(out, "opacity", (float)(text->colour & 0xFF) / 255);
    svg_put(out, "/>\n");
}

static void put_text(const Line *line, const DrawText *text, Vec2 at, float size) {
    SvgOut *out = line->out;
    const TextMeasure *measure = line->texts->measure;
    bool is_rotated = text->angle_rad != 0, is_whole = line->count == 0;
    bool wants_emoji = is_whole && has_emoji(line->words, text->text_bytes);
    svg_put(out, "<text class=\"");
    svg_put_name(out, wants_emoji ? "e" : "f", (int)text->font);
    svg_put(out, "\"");
    if (is_rotated) {
        put_turn(out, at, text->angle_rad);
        svg_put(out, "\"");
    } else {
        svg_put_attribute(out, "x", at.x);
        svg_put_attribute(out, "y", at.y);
    }
    svg_put_attribute(out, "font-size", size);
    float width = measure->width(measure->context, text->font, size, line->words, text->text_bytes);
    bool is_one_way = !bidi_is_needed(line->words, text->text_bytes);
    if (width > 0 && is_one_way && is_whole) /* Inkscape would tear other lines apart */
        svg_put_attribute(out, "textLength", width);
    svg_put_colour(out, "fill", text->colour);
    svg_put(out, ">");
    if (is_whole)
        svg_put_words(out, line->words, text->text_bytes);
    put_pieces(line, is_rotated ? 0 : at.x);
    svg_put(out, "</text>\n");
}

/* Cut a line into its pieces; none if it has no pictures. */
static void cut_up(Line *line, const DrawText *text, float size) {
    if (line->texts->fonts == NULL || is_ascii(line->words, text->text_bytes))
        return;
    text_layout(line->texts->fonts, text->font, text_size_px(size), line->words, text->text_bytes,
                text->direction, add_run, line);
    if (!line->has_pictures)
        line->count = 0;
    else
        qsort(line->pieces, (size_t)line->count, sizeof *line->pieces, by_place);
}

bool svg_text(SvgOut *out, SvgTexts *texts, const DrawText *text, const char *words, float scale,
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

static void put_style(SvgOut *out, int font, bool with_emoji) {
    const FontStyle *style = &FONT_STYLES[font];
    svg_put_name(out, with_emoji ? ".e" : ".f", font);
    svg_put(out, "{font-family:");
    svg_put(out, style->family);
    svg_put(out, ",");
    svg_put(out, with_emoji ? EMOJI_FAMILIES : "");
    svg_put(out, style->others);
    svg_put(out, style->look);
    svg_put(out, "}\n");
}

void svg_text_styles(SvgOut *out) {
    for (int i = 0; i < 2 * FONT_COUNT; i++)
        put_style(out, i % FONT_COUNT, i >= FONT_COUNT);
}

void svg_texts_release(SvgTexts *texts) {
    free(texts->pictures);
    *texts = (SvgTexts){0};
}
