#include "web/canvas.h"

#include <math.h>
#include <stdlib.h>

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

/* Draw a curve whose width changes: as a sequence of short curves. */
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

/* Draw a triangle as a gradient from corner a to the opposite edge, which gets the mean colour of
 * its two corners. This is exact if these have the same colour. */
static void put_triangle(const DrawTriangle *t, float scale) {
    const float points[] = {t->a.x * scale, t->a.y * scale, t->b.x * scale,
                            t->b.y * scale, t->c.x * scale, t->c.y * scale};
    Vec2 edge = {t->c.x - t->b.x, t->c.y - t->b.y};
    float square = edge.x * edge.x + edge.y * edge.y;
    float along = (t->a.x - t->b.x) * edge.x + (t->a.y - t->b.y) * edge.y;
    float share = square > 0 ? along / square : 0;
    browser_fill(points, 3,
                 &(Shade){points[0], points[1], (t->b.x + share * edge.x) * scale,
                          (t->b.y + share * edge.y) * scale, t->colour_a,
                          colour_mix(t->colour_b, t->colour_c, 0.5f)});
}

/* The image of a matrix: its pixels, top row first, and its place on the canvas. */
typedef struct CellImage {
    unsigned char *rgba;
    int width, height;
    Rect rect;
} CellImage;

static void fill_rect(const CellImage *image, Rect r, Colour colour) {
    int left = (int)fmaxf(0, r.x - image->rect.x), top = (int)fmaxf(0, r.y - image->rect.y);
    int right = (int)fminf((float)image->width, rect_right(r) - image->rect.x);
    int bottom = (int)fminf((float)image->height, rect_bottom(r) - image->rect.y);
    for (int y = top; y < bottom; y++) {
        unsigned char *p = image->rgba + 4 * ((size_t)y * (size_t)image->width + (size_t)left);
        for (int x = left; x < right; x++, p += 4) {
            p[0] = (unsigned char)(colour >> 24), p[1] = (unsigned char)(colour >> 16);
            p[2] = (unsigned char)(colour >> 8), p[3] = (unsigned char)colour;
        }
    }
}

/* Return a cell's colour while it fades from `before`, as gfx/soft_cells.c does. */
static Colour colour_now(const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    Colour now = cell_grid_colour(grid, row, col);
    if (cells->before == NULL)
        return now;
    float before = cells->before[(size_t)row * (size_t)cells->cols + (size_t)col];
    float hi = cells->before_hi > cells->before_lo ? cells->before_hi : cells->before_lo + 1;
    Colour old =
        before == DRAW_CELL_MASKED ? cells->masked
        : !isfinite(before)
            ? cells->ground
            : palette_colour(cells->palette, (before - cells->before_lo) / (hi - cells->before_lo));
    return colour_mix(old, now, cell_way(cells->way, cells->sweep, col, cells->cols));
}

static void fill_cell(const CellImage *image, const CellGrid *grid, int row, int col) {
    const DrawCells *cells = grid->cells;
    float value = cell_grid_value(cells, row, col);
    Rect r = cell_grid_rect(grid, row, col);
    if (!(r.w > 0))
        return;
    Colour colour = colour_now(grid, row, col);
    fill_rect(image, cell_grid_filled(grid, r, value), colour);
    if (!grid->is_signed || !grid->has_dash || !isfinite(value) || !(value < 0) ||
        value > DRAW_MINUS_FROM * cells->lo)
        return;
    float thickness = fmaxf(1, roundf(DRAW_DASH_THICKNESS * grid->scale));
    fill_rect(image, cell_grid_centred(r, floorf(r.w / 2 + 0.5f), thickness),
              palette_dash(cells->palette, colour, cells->ground));
}

/* Draw the marks of cells: a stroke that rises to the right if masked, otherwise the cross of a
 * value that is not finite. */
static void put_strokes(const CellGrid *grid, bool masked) {
    const DrawCells *cells = grid->cells;
    Rect first = cell_grid_rect(grid, 0, 0);
    float extent = fminf(first.w, first.h), reach = extent * (masked ? 0.1838f : 0.26f);
    bool is_large = extent >= (masked ? STROKE_FROM : CROSS_FROM);
    size_t cell_count = (size_t)cells->rows * (size_t)cells->cols;
    float *points = is_large ? malloc(cell_count * 8 * sizeof *points) : NULL;
    int count = 0;
    if (points == NULL)
        return;
    for (int i = 0; i < cells->rows; i++)
        for (int j = 0; j < cells->cols; j++) {
            float value = cell_grid_value(cells, i, j);
            if (isfinite(value) || (value == DRAW_CELL_MASKED) != masked)
                continue;
            Vec2 c = rect_centre(cell_grid_rect(grid, i, j));
            for (int line = 0; line < (masked ? 1 : 2); line++) {
                float rise = line == 0 ? reach : -reach;
                points[count++] = c.x - reach, points[count++] = c.y + rise;
                points[count++] = c.x + reach, points[count++] = c.y - rise;
            }
        }
    if (count > 0)
        browser_lines(points, count / 2,
                      2 * (masked ? 0.06f * extent + 0.2f : 0.07f * extent + 0.3f),
                      masked ? cells->masked_stroke : cells->wrong);
    free(points);
}

static void put_cells(const DrawCells *cells, float scale) {
    if (cells->rows <= 0 || cells->cols <= 0 || !(cells->rect.w > 0) || !(cells->rect.h > 0))
        return;
    CellGrid grid = cell_grid(cells, scale);
    CellImage image = {.width = (int)grid.rect.w, .height = (int)grid.rect.h, .rect = grid.rect};
    image.rgba = malloc((size_t)image.width * (size_t)image.height * 4);
    if (image.rgba != NULL) {
        fill_rect(&image, grid.rect, cells->ground);
        /* A cell that covers no pixel's centre is not drawn. */
        for (int i = 0; i < cells->rows; i++)
            for (int j = 0; cell_grid_rect(&grid, i, 0).h > 0 && j < cells->cols; j++)
                fill_cell(&image, &grid, i, j);
        browser_image(image.rgba, (int)grid.rect.x, (int)grid.rect.y, image.width, image.height);
        put_strokes(&grid, true);
        put_strokes(&grid, false);
    }
    free(image.rgba);
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
