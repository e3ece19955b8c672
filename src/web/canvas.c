#include "web/page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "draw/camera.h"
#include "export/shapes.h"
#include "web/browser.h"

#define CURVE_PIECES 16 /* number of pieces of a curve whose width changes */

static void put_box(const DrawBox *box, float scale) {
    if (!(box->rect.w > 0) || !(box->rect.h > 0))
        return;
    Rect r = draw_box_rect(box, scale);
    float most = 0.5f * fminf(r.w, r.h), border = fmaxf(0, fminf(box->border * scale, most));
    float radius = fmaxf(0, fminf(box->radius * scale, most));
    BoxShape shape = {r.x, r.y, r.w, r.h, radius};
    if (is_visible(box->fill) || is_visible(box->fill_right))
        browser_fill_box(&shape, &(Shade){r.x, 0, rect_right(r), 0, box->fill, box->fill_right});
    if (border <= 0 || !is_visible(box->stroke))
        return;
    Rect middle = rect_inset(r, border / 2, border / 2);
    shape = (BoxShape){middle.x, middle.y, middle.w, middle.h, fmaxf(0, radius - border / 2)};
    browser_stroke_box(&shape, &(Dashes){border, box->dash_on * scale, box->dash_off * scale},
                       box->stroke);
}

/* Compute the part of a curve between two parameters t. Each of its control points is a value of
 * the blossom: de Casteljau's algorithm with `from` or `to` as the t of each level. */
static void piece_of(float out[8], const DrawCurve *c, float from, float to) {
    const Vec2 p[] = {c->from, c->control_1, c->control_2, c->to};
    for (int i = 0; i < 4; i++) {
        const float t[3] = {i < 3 ? from : to, i < 2 ? from : to, i < 1 ? from : to};
        Vec2 q[4] = {p[0], p[1], p[2], p[3]};
        for (int level = 0; level < 3; level++)
            for (int k = 0; k + level < 3; k++)
                q[k] = (Vec2){q[k].x + (q[k + 1].x - q[k].x) * t[level],
                              q[k].y + (q[k + 1].y - q[k].y) * t[level]};
        out[2 * i] = q[0].x, out[2 * i + 1] = q[0].y;
    }
}

/* Draw a curve. If its width changes, draw it as a sequence of short curves. */
static void put_curve(const DrawCurve *curve, float scale) {
    DrawCurve c = camera_curve(&(Camera){.zoom = scale}, curve);
    int pieces = c.width_from != c.width_to ? CURVE_PIECES : 1;
    Shade shade = {c.from.x, c.from.y, c.to.x, c.to.y, c.colour_from, c.colour_to};
    for (int i = 0; i < pieces; i++) {
        float points[8], from = (float)i / (float)pieces, to = (float)(i + 1) / (float)pieces;
        piece_of(points, &c, from, to);
        float width = c.width_from + (c.width_to - c.width_from) * (from + to) / 2;
        browser_curve(points, &(Dashes){width, c.dash_on, c.dash_off}, &shade);
    }
}

static void put_triangle(const DrawTriangle *triangle, float scale) {
    DrawTriangle t = *triangle;
    Vec2 end = triangle_gradient(&t);
    const float points[] = {t.a.x * scale, t.a.y * scale, t.b.x * scale,
                            t.b.y * scale, t.c.x * scale, t.c.y * scale};
    browser_fill(
        points, 3,
        &(Shade){points[0], points[1], end.x * scale, end.y * scale, t.colour_a, t.colour_b});
}

typedef struct Lines {
    float *at;
    int count;
} Lines;

static void add_line(void *context, Vec2 from, Vec2 to) {
    Lines *lines = context;
    const float ends[] = {from.x, from.y, to.x, to.y};
    memcpy(lines->at + lines->count, ends, sizeof ends);
    lines->count += 4;
}

static void put_cells(const DrawCells *cells, float scale) {
    if (cells->rows <= 0 || cells->cols <= 0 || !(cells->rect.w > 0) || !(cells->rect.h > 0))
        return;
    CellGrid grid = cell_grid(cells, scale);
    int width = (int)grid.rect.w, height = (int)grid.rect.h;
    Lines lines = {malloc((size_t)cells->rows * (size_t)cells->cols * 8 * sizeof(float)), 0};
    unsigned char *rgba = malloc((size_t)width * (size_t)height * 4);
    if (rgba != NULL) {
        cell_grid_paint(rgba, &grid);
        browser_image(rgba, (int)grid.rect.x, (int)grid.rect.y, width, height);
    }
    for (int masked = 0; masked < 2 && lines.at != NULL; masked++) {
        lines.count = 0;
        float thickness = cell_grid_marks(&grid, masked, 1, add_line, &lines);
        if (lines.count > 0)
            browser_lines(lines.at, lines.count / 2, thickness,
                          masked ? cells->masked_stroke : cells->wrong);
    }
    free(lines.at);
    free(rgba);
}

/* Text that is not rotated starts on whole pixels, like on the desktop. */
static void put_text(const DrawText *text, const char *words, float scale) {
    Vec2 at = {text->at.x * scale, text->at.y * scale};
    if (text->angle_rad == 0)
        at = (Vec2){roundf(at.x), roundf(at.y)};
    browser_text((int)text->font, (int)fmaxf(1, roundf(text->size * scale)), (int)text->direction,
                 at.x, at.y, text->angle_rad, text->colour, words, text->text_bytes);
}

static void put_command(const DrawList *list, const DrawCommand *command) {
    switch (command->kind) {
    case DRAW_BOX:
        put_box(&command->as.box, list->scale);
        break;
    case DRAW_CURVE:
        put_curve(&command->as.curve, list->scale);
        break;
    case DRAW_TRIANGLE:
        put_triangle(&command->as.triangle, list->scale);
        break;
    case DRAW_CELLS:
        put_cells(&command->as.cells, list->scale);
        break;
    case DRAW_TEXT:
        put_text(&command->as.text, list->text + command->as.text.text_at, list->scale);
        break;
    }
}

void canvas_draw(const DrawList *list, int width, int height) {
    Rect clip = {0, 0, list->width, list->height};
    float scale = list->scale;
    browser_begin(width, height, list->ground);
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawCommand *command = &list->commands[i];
        if (!rect_equal(clip, command->clip)) {
            clip = command->clip;
            browser_clip(clip.x * scale, clip.y * scale, clip.w * scale, clip.h * scale);
        }
        put_command(list, command);
    }
}
