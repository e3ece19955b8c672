#include "export/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/picture_state.h"
#include "draw/curve.h"
#include "export/box_rect.h"
#include "export/svg_cells.h"
#include "export/svg_groups.h"
#include "export/svg_out.h"
#include "export/svg_text.h"

#define CURVE_PIECES 24 /* pieces of the outline of a curve whose width changes */
#define SPLIT_DEPTH  3  /* how often a triangle of three colours is cut into four */
#define NEAR         0.01f

typedef struct SvgWriter {
    SvgOut out;
    const DrawList *list;
    SvgTexts texts;
    SvgGroups groups;
    float scale;
    int names; /* number of gradients and clips so far */
    bool clipped;
    Rect clip;
} SvgWriter;

static Vec2 scaled(const SvgWriter *w, Vec2 p) {
    return (Vec2){p.x * w->scale, p.y * w->scale};
}

static void put_point(SvgOut *out, Vec2 p) {
    svg_put_numbers(out, (float[]){p.x, p.y}, 2);
}

static bool is_visible(Colour colour) {
    return (colour & 0xFF) != 0;
}

static void put_stop(SvgOut *out, const char *offset, Colour colour) {
    svg_put(out, "<stop offset=\"");
    svg_put(out, offset);
    svg_put(out, "\"");
    svg_put_colour(out, "stop", colour);
    svg_put(out, "/>");
}

/* Write a gradient from one point to another, and return its number for put_paint. */
static int put_gradient(SvgWriter *w, Vec2 from, Vec2 to, Colour a, Colour b) {
    SvgOut *out = &w->out;
    svg_put(out, "<linearGradient gradientUnits=\"userSpaceOnUse\" id=\"");
    svg_put_name(out, "g", ++w->names);
    svg_put(out, "\"");
    svg_put_attribute(out, "x1", from.x);
    svg_put_attribute(out, "y1", from.y);
    svg_put_attribute(out, "x2", to.x);
    svg_put_attribute(out, "y2", to.y);
    svg_put(out, ">");
    put_stop(out, "0", a);
    put_stop(out, "1", b);
    svg_put(out, "</linearGradient>\n");
    return w->names;
}

/* Write " fill=…" with a gradient, or with a colour if gradient is 0. */
static void put_paint(SvgWriter *w, const char *name, int gradient, Colour colour) {
    SvgOut *out = &w->out;
    if (gradient == 0) {
        svg_put_colour(out, name, colour);
        return;
    }
    svg_put(out, " ");
    svg_put(out, name);
    svg_put_name(out, "=\"url(#g", gradient);
    svg_put(out, ")\"");
}

static void put_dashes(SvgWriter *w, float on, float off, float fit) {
    if (on <= 0)
        return;
    svg_put(&w->out, " stroke-dasharray=\"");
    svg_put_numbers(&w->out, (float[]){on * fit, off * fit}, 2);
    svg_put(&w->out, "\"");
}

static void put_rect(SvgWriter *w, Rect r, float radius) {
    SvgOut *out = &w->out;
    svg_put(out, "<rect");
    svg_put_attribute(out, "x", r.x);
    svg_put_attribute(out, "y", r.y);
    svg_put_attribute(out, "width", r.w);
    svg_put_attribute(out, "height", r.h);
    if (radius > 0)
        svg_put_attribute(out, "rx", radius);
}

static void write_box(SvgWriter *w, const DrawBox *box) {
    SvgOut *out = &w->out;
    if (!(box->rect.w > 0) || !(box->rect.h > 0))
        return;
    Rect r = box_rect(box, w->scale);
    float most = 0.5f * fminf(r.w, r.h), radius = fmaxf(0, fminf(box->radius * w->scale, most));
    float border = fmaxf(0, fminf(box->border * w->scale, most));
    if (is_visible(box->fill) || is_visible(box->fill_right)) {
        int gradient = box->fill != box->fill_right
                           ? put_gradient(w, (Vec2){r.x, 0}, (Vec2){rect_right(r), 0}, box->fill,
                                          box->fill_right)
                           : 0;
        put_rect(w, r, radius);
        put_paint(w, "fill", gradient, box->fill);
        svg_put(out, "/>\n");
    }
    if (border <= 0 || !is_visible(box->stroke))
        return;
    Rect middle = {r.x + border / 2, r.y + border / 2, r.w - border, r.h - border};
    put_rect(w, middle, fmaxf(0, radius - border / 2));
    svg_put(out, " fill=\"none\"");
    svg_put_colour(out, "stroke", box->stroke);
    svg_put_attribute(out, "stroke-width", border);
    put_dashes(w, box->dash_on, box->dash_off, w->scale);
    svg_put(out, "/>\n");
}

/* Return a point of the outline, on the left (side 1) or right (side -1) of the curve. */
static Vec2 outline_point(const DrawCurve *c, float t, float side) {
    Vec2 at = curve_point(c, t), before = curve_point(c, fmaxf(0, t - 0.005f));
    Vec2 after = curve_point(c, fminf(1, t + 0.005f));
    Vec2 along = {after.x - before.x, after.y - before.y};
    float length = sqrtf(along.x * along.x + along.y * along.y);
    float half = side * (c->width_from + (c->width_to - c->width_from) * t) / 2;
    if (!(length > 0))
        return at;
    return (Vec2){at.x - half * along.y / length, at.y + half * along.x / length};
}

static void put_tapered(SvgWriter *w, const DrawCurve *c, int gradient) {
    SvgOut *out = &w->out;
    svg_put(out, "<path");
    put_paint(w, "fill", gradient, c->colour_from);
    for (int i = 0; i <= CURVE_PIECES; i++) {
        svg_put(out, i == 0 ? " d=\"M" : "L");
        put_point(out, scaled(w, outline_point(c, (float)i / CURVE_PIECES, 1)));
    }
    for (int i = CURVE_PIECES; i >= 0; i--) {
        svg_put(out, "L");
        put_point(out, scaled(w, outline_point(c, (float)i / CURVE_PIECES, -1)));
    }
    svg_put(out, "z\"/>\n");
}

static void write_curve(SvgWriter *w, const DrawCurve *c) {
    SvgOut *out = &w->out;
    int gradient =
        c->colour_from != c->colour_to
            ? put_gradient(w, scaled(w, c->from), scaled(w, c->to), c->colour_from, c->colour_to)
            : 0;
    if (c->width_from != c->width_to) {
        put_tapered(w, c, gradient);
        return;
    }
    svg_put(out, "<path fill=\"none\"");
    put_paint(w, "stroke", gradient, c->colour_from);
    svg_put_attribute(out, "stroke-width", c->width_from * w->scale);
    put_dashes(w, c->dash_on, c->dash_off, w->scale);
    svg_put(out, " d=\"M");
    put_point(out, scaled(w, c->from));
    svg_put(out, "C");
    put_point(out, scaled(w, c->control_1));
    svg_put(out, " ");
    put_point(out, scaled(w, c->control_2));
    svg_put(out, " ");
    put_point(out, scaled(w, c->to));
    svg_put(out, "\"/>\n");
}

static void put_triangle(SvgWriter *w, const DrawTriangle *t, int gradient) {
    SvgOut *out = &w->out;
    svg_put(out, "<path");
    put_paint(w, "fill", gradient, t->colour_a);
    svg_put(out, " d=\"M");
    put_point(out, t->a);
    svg_put(out, "L");
    put_point(out, t->b);
    svg_put(out, "L");
    put_point(out, t->c);
    svg_put(out, "z\"/>\n");
}

/* Return where the perpendicular through a meets the line from b to c. */
static Vec2 foot(Vec2 a, Vec2 b, Vec2 c) {
    Vec2 edge = {c.x - b.x, c.y - b.y};
    float square = edge.x * edge.x + edge.y * edge.y;
    float t = square > 0 ? ((a.x - b.x) * edge.x + (a.y - b.y) * edge.y) / square : 0;
    return (Vec2){b.x + t * edge.x, b.y + t * edge.y};
}

static Vec2 between(Vec2 a, Vec2 b) {
    return (Vec2){(a.x + b.x) / 2, (a.y + b.y) / 2};
}

/* Draw a triangle. If two corners have one colour, it is a gradient from the third corner to the
 * edge between them. SVG has none for three colours, so such a triangle is cut into four. */
static void put_shaded(SvgWriter *w, const DrawTriangle *t, int depth) {
    Colour a = t->colour_a, b = t->colour_b, c = t->colour_c;
    if (a == b && b == c) {
        put_triangle(w, t, 0);
        return;
    }
    if (b == c) {
        put_triangle(w, t, put_gradient(w, t->a, foot(t->a, t->b, t->c), a, b));
        return;
    }
    if (a == b || a == c) {
        DrawTriangle rotated = a == b ? (DrawTriangle){t->c, t->a, t->b, c, a, b}
                                      : (DrawTriangle){t->b, t->c, t->a, b, c, a};
        put_shaded(w, &rotated, depth);
        return;
    }
    Vec2 ab = between(t->a, t->b), bc = between(t->b, t->c), ca = between(t->c, t->a);
    Colour mid_ab = colour_mix(a, b, 0.5f), mid_bc = colour_mix(b, c, 0.5f),
           mid_ca = colour_mix(c, a, 0.5f);
    if (depth == 0) {
        Colour mean = colour_mix(mid_ab, c, 1.0f / 3);
        put_triangle(w, &(DrawTriangle){t->a, t->b, t->c, mean, mean, mean}, 0);
        return;
    }
    put_shaded(w, &(DrawTriangle){t->a, ab, ca, a, mid_ab, mid_ca}, depth - 1);
    put_shaded(w, &(DrawTriangle){ab, t->b, bc, mid_ab, b, mid_bc}, depth - 1);
    put_shaded(w, &(DrawTriangle){ca, bc, t->c, mid_ca, mid_bc, c}, depth - 1);
    put_shaded(w, &(DrawTriangle){ab, bc, ca, mid_ab, mid_bc, mid_ca}, depth - 1);
}

static void write_triangle(SvgWriter *w, const DrawTriangle *t) {
    DrawTriangle placed = *t;
    placed.a = scaled(w, t->a), placed.b = scaled(w, t->b), placed.c = scaled(w, t->c);
    put_shaded(w, &placed, SPLIT_DEPTH);
}

static Rect around(const Vec2 *points, int count, float reach) {
    Vec2 least = points[0], most = points[0];
    for (int i = 1; i < count; i++) {
        least = (Vec2){fminf(least.x, points[i].x), fminf(least.y, points[i].y)};
        most = (Vec2){fmaxf(most.x, points[i].x), fmaxf(most.y, points[i].y)};
    }
    return (Rect){least.x - reach, least.y - reach, most.x - least.x + 2 * reach,
                  most.y - least.y + 2 * reach};
}

static Rect text_bounds(const SvgWriter *w, const DrawText *text) {
    float size = fmaxf(1, text->size * w->scale);
    const TextMeasure *measure = w->texts.measure;
    float width = measure->width(measure->context, text->font, size, w->list->text + text->text_at,
                                 text->text_bytes) /
                  w->scale;
    Vec2 end = {text->at.x + width * cosf(text->angle_rad),
                text->at.y + width * sinf(text->angle_rad)};
    return around((Vec2[]){text->at, end}, 2, text->size);
}

static Rect bounds_of(const SvgWriter *w, const DrawCommand *command) {
    const DrawCurve *c = &command->as.curve;
    const DrawTriangle *t = &command->as.triangle;
    switch (command->kind) {
    case DRAW_BOX:
        return command->as.box.rect;
    case DRAW_CURVE:
        return around((Vec2[]){c->from, c->control_1, c->control_2, c->to}, 4,
                      fmaxf(c->width_from, c->width_to) / 2);
    case DRAW_TRIANGLE:
        return around((Vec2[]){t->a, t->b, t->c}, 3, 0);
    case DRAW_CELLS:
        return command->as.cells.rect;
    case DRAW_TEXT:
        return text_bounds(w, &command->as.text);
    }
    return command->clip;
}

static bool holds(Rect outer, Rect inner) {
    return inner.x >= outer.x - NEAR && inner.y >= outer.y - NEAR &&
           rect_right(inner) <= rect_right(outer) + NEAR &&
           rect_bottom(inner) <= rect_bottom(outer) + NEAR;
}

static void close_clip(SvgWriter *w) {
    if (w->clipped)
        svg_put(&w->out, "</g>\n");
    w->clipped = false;
}

/* Open a group with the command's clip, which stays open as long as the clip does. A command that
 * lies within its clip needs none. */
static void open_clip(SvgWriter *w, const DrawCommand *command, Rect bounds) {
    SvgOut *out = &w->out;
    bool same = w->clipped && rect_equal(w->clip, command->clip);
    if (same)
        return;
    close_clip(w);
    if (holds(command->clip, bounds))
        return;
    Rect r = command->clip;
    svg_put(out, "<clipPath id=\"");
    svg_put_name(out, "c", ++w->names);
    svg_put(out, "\">");
    put_rect(w, (Rect){r.x * w->scale, r.y * w->scale, r.w * w->scale, r.h * w->scale}, 0);
    svg_put(out, "/></clipPath>\n<g clip-path=\"url(#");
    svg_put_name(out, "c", w->names);
    svg_put(out, ")\">\n");
    w->clipped = true;
    w->clip = command->clip;
}

static bool write_command(SvgWriter *w, const DrawCommand *command, Err *err) {
    Rect meet = rect_intersect(command->clip, (Rect){0, 0, w->list->width, w->list->height});
    Rect bounds = bounds_of(w, command);
    if (meet.w <= 0 || meet.h <= 0 || !isfinite(bounds.x + bounds.y + bounds.w + bounds.h))
        return true;
    int part = svg_groups_find(&w->groups, rect_intersect(bounds, meet));
    if (part != w->groups.current) {
        close_clip(w);
        svg_groups_go(&w->groups, &w->out, part);
    }
    open_clip(w, command, bounds);
    switch (command->kind) {
    case DRAW_BOX:
        write_box(w, &command->as.box);
        break;
    case DRAW_CURVE:
        write_curve(w, &command->as.curve);
        break;
    case DRAW_TRIANGLE:
        write_triangle(w, &command->as.triangle);
        break;
    case DRAW_CELLS:
        return svg_cells(&w->out, &command->as.cells, w->scale, err);
    case DRAW_TEXT:
        return svg_text(&w->out, &w->texts, &command->as.text,
                        w->list->text + command->as.text.text_at, w->scale, err);
    }
    return true;
}

static void put_element(SvgOut *out, const char *name, const char *words) {
    if (words == NULL || words[0] == '\0')
        return;
    svg_put(out, "<");
    svg_put(out, name);
    svg_put(out, ">");
    svg_put_words(out, words, strlen(words));
    svg_put(out, "</");
    svg_put(out, name);
    svg_put(out, ">\n");
}

/* Write a length of the picture, in millimetres if one pixel is mm of them. */
static void put_length(SvgOut *out, const char *name, float pixels, float mm) {
    svg_put(out, " ");
    svg_put(out, name);
    svg_put(out, "=\"");
    svg_put_number(out, mm > 0 ? pixels * mm : pixels);
    svg_put(out, mm > 0 ? "mm\"" : "\"");
}

static void write_head(SvgWriter *w, const SvgAbout *about) {
    SvgOut *out = &w->out;
    float width = roundf(w->list->width * w->scale), height = roundf(w->list->height * w->scale);
    svg_put(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" "
                 "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\"");
    put_length(out, "width", width, about->width_mm / width);
    put_length(out, "height", height, about->width_mm / width);
    svg_put(out, " viewBox=\"0 0 ");
    svg_put_numbers(out, (float[]){width, height}, 2);
    svg_put(out, "\">\n");
    put_element(out, "title", about->title);
    put_element(out, "desc", about->description);
    svg_put(out, "<style>text{white-space:pre}\n");
    svg_text_styles(out);
    svg_put(out, "</style>\n");
    if (about->description != NULL) {
        svg_put(out, "<metadata><state xmlns=\"" PICTURE_STATE_SPACE "\">");
        svg_put_words(out, about->description, strlen(about->description));
        svg_put(out, "</state></metadata>\n");
    }
    if (about->group != NULL) {
        svg_put(out, "<g id=\"");
        svg_put_words(out, about->group, strlen(about->group));
        svg_put(out, "\">\n");
    }
    if (!is_visible(w->list->ground))
        return;
    put_rect(w, (Rect){0, 0, width, height}, 0);
    svg_put_colour(out, "fill", w->list->ground);
    svg_put(out, "/>\n");
}

bool svg_encode(char **bytes, size_t *size, const DrawList *list, const TextMeasure *measure,
                GfxFonts *fonts, const SvgAbout *about, Err *err) {
    SvgWriter w = {
        .list = list, .texts = {.measure = measure, .fonts = fonts}, .scale = list->scale};
    *bytes = NULL;
    *size = 0;
    write_head(&w, about);
    w.groups.current = -1;
    bool wrote = about->group != NULL || svg_groups_begin(&w.groups, list) ||
                 err_fail(err, "memory", "too little for the picture's parts");
    for (size_t i = 0; i < list->command_count && wrote && !w.out.failed; i++)
        wrote = write_command(&w, &list->commands[i], err);
    svg_texts_release(&w.texts);
    if (wrote) {
        close_clip(&w);
        svg_groups_end(&w.groups, &w.out);
    }
    svg_groups_release(&w.groups);
    if (!wrote) {
        free(w.out.bytes);
        return false;
    }
    svg_put(&w.out, about->group != NULL ? "</g>\n</svg>\n" : "</svg>\n");
    if (w.out.failed) {
        free(w.out.bytes);
        return err_fail(err, "memory", "too little for the picture; use a smaller --size");
    }
    *bytes = w.out.bytes;
    *size = w.out.used;
    return true;
}
