#include "export/pdf.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "draw/curve.h"
#include "export/shapes.h"
#include "gfx/raster.h"
#include "gfx/text.h"

#define CURVE_PIECES 24
#define LAYOUT_PX    64    /* px: text is laid out at this font size and then scaled */
#define RECTS_MAX    16384 /* a matrix with more cells is drawn as a bitmap */
#define FINE         16    /* rectangles are rounded to 1/FINE logical pixel */
#define PDF_FACES    64

/* The font faces of one page, which are opened when text first needs them. */
typedef struct PdfTexts {
    GfxFonts *fonts;
    cairo_font_face_t *faces[PDF_FACES]; /* owned */
} PdfTexts;

static cairo_status_t append(void *context, const unsigned char *bytes, unsigned count) {
    TextOut *out = context;
    text_out_bytes(out, bytes, count);
    return out->failed ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

static void set_colour(cairo_t *to, Colour c) {
    cairo_set_source_rgba(to, (c >> 24) / 255.0, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0,
                          (c & 255) / 255.0);
}

static void set_gradient(cairo_t *to, Vec2 from, Vec2 end, Colour a, Colour b) {
    if (a == b) {
        set_colour(to, a);
        return;
    }
    cairo_pattern_t *pattern =
        cairo_pattern_create_linear((double)from.x, (double)from.y, (double)end.x, (double)end.y);
    const Colour stops[] = {a, b};
    for (int i = 0; i < 2; i++)
        cairo_pattern_add_color_stop_rgba(pattern, i, (stops[i] >> 24) / 255.0,
                                          (stops[i] >> 16 & 255) / 255.0,
                                          (stops[i] >> 8 & 255) / 255.0, (stops[i] & 255) / 255.0);
    cairo_set_source(to, pattern);
    cairo_pattern_destroy(pattern);
}

static void round_rect(cairo_t *to, Rect r, float radius) {
    double x = (double)r.x, y = (double)r.y, w = (double)r.w, h = (double)r.h;
    double round = fmax(0, fmin((double)radius, fmin(w, h) / 2));
    cairo_new_path(to);
    if (round == 0) {
        cairo_rectangle(to, x, y, w, h);
        return;
    }
    cairo_arc(to, x + w - round, y + round, round, -M_PI / 2, 0);
    cairo_arc(to, x + w - round, y + h - round, round, 0, M_PI / 2);
    cairo_arc(to, x + round, y + h - round, round, M_PI / 2, M_PI);
    cairo_arc(to, x + round, y + round, round, M_PI, 3 * M_PI / 2);
    cairo_close_path(to);
}

static void set_dashes(cairo_t *to, float on, float off) {
    const double dashes[] = {(double)on, (double)off};
    cairo_set_dash(to, dashes, on > 0 ? 2 : 0, 0);
}

static void put_box(cairo_t *to, const DrawBox *box) {
    Rect r = box->rect;
    if (!(r.w > 0) || !(r.h > 0))
        return;
    if (is_visible(box->fill) || is_visible(box->fill_right)) {
        round_rect(to, r, box->radius);
        set_gradient(to, (Vec2){r.x, 0}, (Vec2){rect_right(r), 0}, box->fill, box->fill_right);
        cairo_fill(to);
    }
    float border = fminf(box->border, fminf(r.w, r.h) / 2);
    if (!(border > 0) || !is_visible(box->stroke))
        return;
    round_rect(to, rect_inset(r, border / 2, border / 2), box->radius - border / 2);
    set_colour(to, box->stroke);
    cairo_set_line_width(to, (double)border);
    set_dashes(to, box->dash_on, box->dash_off);
    cairo_stroke(to);
}

/* Draw a curve. If its width changes, draw it as CURVE_PIECES lines of constant width. */
static void put_curve(cairo_t *to, const DrawCurve *c) {
    int pieces = c->width_from != c->width_to ? CURVE_PIECES : 1;
    set_gradient(to, c->from, c->to, c->colour_from, c->colour_to);
    set_dashes(to, c->dash_on, c->dash_off);
    if (pieces == 1) {
        cairo_set_line_width(to, (double)c->width_from);
        cairo_move_to(to, (double)c->from.x, (double)c->from.y);
        cairo_curve_to(to, (double)c->control_1.x, (double)c->control_1.y, (double)c->control_2.x,
                       (double)c->control_2.y, (double)c->to.x, (double)c->to.y);
        cairo_stroke(to);
        return;
    }
    for (int i = 0; i < pieces; i++) {
        float from = (float)i / (float)pieces, end = (float)(i + 1) / (float)pieces;
        Vec2 a = curve_point(c, from), b = curve_point(c, end);
        cairo_set_line_width(
            to, (double)(c->width_from + (c->width_to - c->width_from) * (from + end) / 2));
        cairo_move_to(to, (double)a.x, (double)a.y);
        cairo_line_to(to, (double)b.x, (double)b.y);
        cairo_stroke(to);
    }
}

static void put_triangle(cairo_t *to, const DrawTriangle *triangle) {
    DrawTriangle t = *triangle;
    Vec2 end = triangle_gradient(&t);
    cairo_move_to(to, (double)t.a.x, (double)t.a.y);
    cairo_line_to(to, (double)t.b.x, (double)t.b.y);
    cairo_line_to(to, (double)t.c.x, (double)t.c.y);
    cairo_close_path(to);
    set_gradient(to, t.a, end, t.colour_a, t.colour_b);
    cairo_fill(to);
}

/* A line of text that is being drawn, in pixels at size LAYOUT_PX. */
typedef struct PdfLine {
    cairo_t *to;
    PdfTexts *texts;
    double scale;
    bool failed;
} PdfLine;

static void release_faces(PdfTexts *texts) {
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
static void put_bitmap(PdfLine *line, const TextRun *run, double x) {
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
        cairo_surface_finish(picture); /* cairo has copied the pixels if the file needs them */
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

/* A TextRunFn. */
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
        put_bitmap(line, run, (double)x);
}

static bool put_text(cairo_t *to, PdfTexts *texts, const DrawText *text, const char *words) {
    PdfLine line = {.to = to, .texts = texts};
    cairo_translate(to, (double)text->at.x, (double)text->at.y);
    cairo_rotate(to, (double)text->angle_rad);
    cairo_scale(to, (double)text->size / LAYOUT_PX, (double)text->size / LAYOUT_PX);
    set_colour(to, text->colour);
    text_layout(texts->fonts, text->font, LAYOUT_PX, words, text->text_bytes, text->direction,
                put_run, &line);
    return !line.failed;
}

/* A CellFill. */
static void fill_rect(void *to, Rect r, Colour colour, CellLayer layer) {
    (void)layer;
    set_colour(to, colour);
    cairo_rectangle(to, (double)r.x, (double)r.y, (double)r.w, (double)r.h);
    cairo_fill(to);
}

/* Add a line to cairo's path: a CellMark. */
static void put_line(void *to, Vec2 from, Vec2 end) {
    cairo_move_to(to, (double)from.x, (double)from.y);
    cairo_line_to(to, (double)end.x, (double)end.y);
}

/* Draw the cells as a bitmap with one pixel for each. */
static bool put_cell_bitmap(cairo_t *to, const CellGrid *grid) {
    const DrawCells *cells = grid->cells;
    cairo_surface_t *picture =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, cells->cols, cells->rows);
    if (cairo_surface_status(picture) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(picture);
        return false;
    }
    unsigned char *pixels = cairo_image_surface_get_data(picture);
    size_t stride = (size_t)cairo_image_surface_get_stride(picture);
    for (int row = 0; row < cells->rows; row++)
        for (int col = 0; col < cells->cols; col++) {
            uint32_t colour = cell_grid_colour(grid, row, col) >> 8;
            memcpy(pixels + (size_t)row * stride + 4 * (size_t)col, &colour, sizeof colour);
        }
    cairo_surface_mark_dirty(picture);
    const Rect *r = &grid->rect;
    cairo_translate(to, (double)r->x, (double)r->y);
    cairo_scale(to, (double)r->w / cells->cols, (double)r->h / cells->rows);
    cairo_set_source_surface(to, picture, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(to), CAIRO_FILTER_NEAREST);
    cairo_paint(to);
    cairo_surface_destroy(picture);
    return true;
}

static bool put_cells(cairo_t *to, const DrawCells *cells) {
    if (cells->rows <= 0 || cells->cols <= 0 || !(cells->rect.w > 0) || !(cells->rect.h > 0))
        return true;
    CellGrid grid = cell_grid(cells, FINE);
    cairo_scale(to, 1.0 / FINE, 1.0 / FINE);
    if ((long long)cells->rows * cells->cols > RECTS_MAX)
        return put_cell_bitmap(to, &grid);
    cell_grid_fill(&grid, fill_rect, to);
    for (int masked = 0; masked < 2; masked++) {
        cairo_set_line_width(to, (double)cell_grid_marks(&grid, masked, FINE, put_line, to));
        set_colour(to, masked ? cells->masked_stroke : cells->wrong);
        cairo_stroke(to);
    }
    return true;
}

static bool put_command(cairo_t *to, const DrawList *list, const DrawCommand *command,
                        PdfTexts *texts) {
    bool put = true;
    Rect clip = command->clip;
    cairo_save(to);
    cairo_rectangle(to, (double)clip.x, (double)clip.y, (double)clip.w, (double)clip.h);
    cairo_clip(to);
    switch (command->kind) {
    case DRAW_BOX:
        put_box(to, &command->as.box);
        break;
    case DRAW_CURVE:
        put_curve(to, &command->as.curve);
        break;
    case DRAW_TRIANGLE:
        put_triangle(to, &command->as.triangle);
        break;
    case DRAW_CELLS:
        put = put_cells(to, &command->as.cells);
        break;
    case DRAW_TEXT:
        put = put_text(to, texts, &command->as.text, list->text + command->as.text.text_at);
        break;
    }
    cairo_restore(to);
    return put && cairo_status(to) == CAIRO_STATUS_SUCCESS;
}

static bool put_list(cairo_t *to, const DrawList *list, GfxFonts *fonts) {
    PdfTexts texts = {.fonts = fonts};
    bool put = true;
    if (is_visible(list->ground)) {
        set_colour(to, list->ground);
        cairo_paint(to);
    }
    for (size_t i = 0; i < list->command_count && put; i++)
        put = put_command(to, list, &list->commands[i], &texts);
    release_faces(&texts);
    return put;
}

static bool check(const PdfFile *pdf, Err *err) {
    cairo_status_t status = cairo_surface_status(pdf->surface);
    return status == CAIRO_STATUS_SUCCESS
               ? fonts_check(pdf->fonts, err)
               : err_fail(err, "PDF", "%s", cairo_status_to_string(status));
}

static void create_surface(PdfFile *pdf, double width, double height) {
    const PdfAbout *about = &pdf->about;
    pdf->surface = cairo_pdf_surface_create_for_stream(append, &pdf->out, width, height);
    /* Use PDF 1.4: from 1.5 on the keywords may be compressed, and picture_state.h could not read
     * them. */
    cairo_pdf_surface_restrict_to_version(pdf->surface, CAIRO_PDF_VERSION_1_4);
    if (about->title != NULL)
        cairo_pdf_surface_set_metadata(pdf->surface, CAIRO_PDF_METADATA_TITLE, about->title);
    if (about->state != NULL)
        cairo_pdf_surface_set_metadata(pdf->surface, CAIRO_PDF_METADATA_KEYWORDS, about->state);
    cairo_pdf_surface_set_metadata(pdf->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
}

bool pdf_page(PdfFile *pdf, const DrawList *list, const char *title, Err *err) {
    float width_mm = pdf->about.width_mm;
    double scale = width_mm > 0 ? (double)width_mm / 25.4 * 72 / (double)list->width : 72.0 / 96;
    double width = scale * (double)list->width, height = scale * (double)list->height;
    if (pdf->surface == NULL)
        create_surface(pdf, width, height);
    cairo_pdf_surface_set_size(pdf->surface, width, height);
    pdf->pages++;
    if (title != NULL) {
        char place[24];
        snprintf(place, sizeof place, "page=%d", pdf->pages);
        cairo_pdf_surface_add_outline(pdf->surface, CAIRO_PDF_OUTLINE_ROOT, title, place, 0);
    }
    cairo_t *to = cairo_create(pdf->surface);
    cairo_scale(to, scale, scale);
    bool put = put_list(to, list, pdf->fonts);
    cairo_show_page(to);
    cairo_destroy(to);
    return check(pdf, err) && (put || err_fail(err, "PDF", "out of memory"));
}

bool pdf_end(PdfFile *pdf, Err *err) {
    cairo_surface_finish(pdf->surface);
    return check(pdf, err);
}

void pdf_release(PdfFile *pdf) {
    /* Leak a surface with an error, because cairo may crash when it finishes that. */
    if (pdf->surface != NULL && cairo_surface_status(pdf->surface) == CAIRO_STATUS_SUCCESS)
        cairo_surface_destroy(pdf->surface);
    text_out_release(&pdf->out);
}
