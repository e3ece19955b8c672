#include <cairo-ft.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "export/pdf_parts.h"
#include "gfx/raster.h"
#include "gfx/text.h"

#define LAYOUT_PX 64 /* text is laid out at this size in px and then scaled */

/* A line of text that is being drawn, in pixels at size LAYOUT_PX. */
typedef struct PdfLine {
    cairo_t *to;
    PdfTexts *texts;
    double scale;
    bool failed;
} PdfLine;

void pdf_texts_release(PdfTexts *texts) {
    for (int i = 0; i < PDF_FACES; i++)
        if (texts->faces[i] != NULL)
            cairo_font_face_destroy(texts->faces[i]);
}

static cairo_font_face_t *open_face(PdfTexts *texts, int face) {
    int index;
    const char *path =
        face >= 0 && face < PDF_FACES ? fonts_file(texts->fonts, face, &index) : NULL;
    if (path == NULL)
        return NULL;
    if (texts->faces[face] == NULL) {
        FcPattern *pattern = FcPatternCreate();
        if (pattern == NULL)
            return NULL;
        FcPatternAddString(pattern, FC_FILE, (const FcChar8 *)path);
        FcPatternAddInteger(pattern, FC_INDEX, index);
        texts->faces[face] = cairo_ft_font_face_create_for_pattern(pattern);
        FcPatternDestroy(pattern);
    }
    return texts->faces[face];
}

/* Draw, as a bitmap, a run that cairo cannot draw as text: colour glyphs, letters that join, text
 * from right to left, or boxes for missing characters. */
static void put_picture(PdfLine *line, const TextRun *run, double x) {
    RasterImage image = raster_run(line->texts->fonts, run, LAYOUT_PX);
    line->failed |= image.lacks_memory;
    if (image.pixels == NULL)
        return;
    int stride = cairo_format_stride_for_width(CAIRO_FORMAT_ARGB32, image.width);
    unsigned char *argb = heap_get_zero((size_t)image.height, (size_t)stride);
    line->failed |= argb == NULL;
    for (int y = 0; argb != NULL && y < image.height; y++)
        for (int i = 0; i < image.width; i++) {
            const unsigned char *p =
                image.pixels + 4 * ((size_t)y * (size_t)image.width + (size_t)i);
            uint32_t pixel =
                (uint32_t)p[3] << 24 | (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
            memcpy(argb + (size_t)y * (size_t)stride + 4 * (size_t)i, &pixel, sizeof pixel);
        }
    if (argb != NULL) {
        cairo_surface_t *picture = cairo_image_surface_create_for_data(
            argb, CAIRO_FORMAT_ARGB32, image.width, image.height, stride);
        cairo_save(line->to);
        cairo_translate(line->to, x, 0);
        cairo_scale(line->to, (double)image.scale, (double)image.scale);
        double left = -image.left - RASTER_EDGE, top = -image.top - RASTER_EDGE;
        if (image.is_coloured) {
            cairo_set_source_surface(line->to, picture, left, top);
            cairo_paint(line->to);
        } else {
            cairo_mask_surface(line->to, picture, left, top);
        }
        cairo_restore(line->to);
        cairo_surface_finish(picture); /* cairo has made its own copy, if the file needs one */
        cairo_surface_destroy(picture);
    }
    free(argb);
    free(image.pixels);
}

/* Draw letters, stretched to the width that was measured. */
static void put_letters(PdfLine *line, const TextRun *run, double x, double width) {
    char words[TEXT_RUN_BYTES];
    cairo_text_extents_t extents;
    text_copy_run(words, sizeof words, run);
    cairo_set_font_face(line->to, open_face(line->texts, run->face));
    cairo_set_font_size(line->to, LAYOUT_PX);
    cairo_text_extents(line->to, words, &extents);
    double stretch = extents.x_advance > 0 && width > 0 ? width / extents.x_advance : 1;
    cairo_save(line->to);
    cairo_translate(line->to, x, 0);
    cairo_scale(line->to, stretch, 1);
    cairo_move_to(line->to, 0, 0);
    cairo_show_text(line->to, words);
    cairo_restore(line->to);
}

/* Draw one run of text: a TextRunFn. */
static void put_run(void *context, const TextRun *run, float x, float width) {
    PdfLine *line = context;
    bool is_plain = run->face != FONTS_NO_FACE &&
                    !fonts_has_colour(line->texts->fonts, run->face) &&
                    !fonts_is_bitmap(line->texts->fonts, run->face) && !run->is_rtl &&
                    (run->script == NULL || !run->script->is_shaped) &&
                    open_face(line->texts, run->face) != NULL;
    if (is_plain)
        put_letters(line, run, (double)x, (double)width);
    else
        put_picture(line, run, (double)x);
}

bool pdf_text(cairo_t *to, PdfTexts *texts, const DrawText *text, const char *words) {
    PdfLine line = {.to = to, .texts = texts};
    cairo_translate(to, (double)text->at.x, (double)text->at.y);
    cairo_rotate(to, (double)text->angle_rad);
    cairo_scale(to, (double)text->size / LAYOUT_PX, (double)text->size / LAYOUT_PX);
    pdf_colour(to, text->colour);
    text_layout(texts->fonts, text->font, LAYOUT_PX, words, text->text_bytes, text->direction,
                put_run, &line);
    return !line.failed;
}
