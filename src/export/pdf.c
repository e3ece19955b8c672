#include "export/pdf.h"

#include <cairo-pdf.h>
#include <math.h>
#include <stdio.h>

#include "draw/curve.h"
#include "export/pdf_parts.h"
#include "export/shapes.h"

#define CURVE_PIECES 24

static cairo_status_t append(void *context, const unsigned char *bytes, unsigned count) {
    TextOut *out = context;
    text_out_bytes(out, bytes, count);
    return out->failed ? CAIRO_STATUS_WRITE_ERROR : CAIRO_STATUS_SUCCESS;
}

void pdf_colour(cairo_t *to, Colour c) {
    cairo_set_source_rgba(to, (c >> 24) / 255.0, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0,
                          (c & 255) / 255.0);
}

/* Set the colour of the next fill or stroke: a gradient from one point to another. */
static void set_gradient(cairo_t *to, Vec2 from, Vec2 end, Colour a, Colour b) {
    if (a == b) {
        pdf_colour(to, a);
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
    pdf_colour(to, box->stroke);
    cairo_set_line_width(to, (double)border);
    set_dashes(to, box->dash_on, box->dash_off);
    cairo_stroke(to);
}

/* Draw a curve. If its width changes, draw straight lines of constant width. */
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
        put = pdf_cells(to, &command->as.cells);
        break;
    case DRAW_TEXT:
        put = pdf_text(to, texts, &command->as.text, list->text + command->as.text.text_at);
        break;
    }
    cairo_restore(to);
    return put;
}

static bool put_list(cairo_t *to, const DrawList *list, GfxFonts *fonts) {
    PdfTexts texts = {.fonts = fonts};
    bool put = true;
    if (is_visible(list->ground)) {
        pdf_colour(to, list->ground);
        cairo_paint(to);
    }
    for (size_t i = 0; i < list->command_count && put; i++)
        put = put_command(to, list, &list->commands[i], &texts);
    pdf_texts_release(&texts);
    return put;
}

static bool check(const PdfFile *pdf, Err *err) {
    cairo_status_t status = cairo_surface_status(pdf->surface);
    return status == CAIRO_STATUS_SUCCESS
               ? fonts_check(pdf->fonts, err)
               : err_fail(err, "PDF", "%s", cairo_status_to_string(status));
}

/* Create the cairo surface with the size of the first page, in points. */
static void create_surface(PdfFile *pdf, double width, double height) {
    const PdfAbout *about = &pdf->about;
    pdf->surface = cairo_pdf_surface_create_for_stream(append, &pdf->out, width, height);
    /* Use PDF 1.4, because from 1.5 on the keywords may be compressed, and picture_state.h could
     * not read them. */
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
    bool put = put_list(to, list, pdf->fonts) && cairo_status(to) == CAIRO_STATUS_SUCCESS;
    cairo_show_page(to);
    cairo_destroy(to);
    return check(pdf, err) && (put || err_fail(err, "PDF", "out of memory"));
}

bool pdf_end(PdfFile *pdf, Err *err) {
    cairo_surface_finish(pdf->surface);
    return check(pdf, err);
}

void pdf_release(PdfFile *pdf) {
    cairo_surface_destroy(pdf->surface);
    text_out_release(&pdf->out);
}
