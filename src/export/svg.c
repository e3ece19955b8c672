#include "export/svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/picture_state.h"
#include "draw/camera.h"
#include "draw/curve.h"
#include "draw/part.h"
#include "export/shapes.h"
#include "export/svg_parts.h"

#define CURVE_PIECES 24 /* pieces per side of a tapered curve's outline */
#define NEAR         0.01f
#define REACH        16 /* px: names and marks may lie this far outside a part */

/* The parts of a picture (draw/part.h) as nested groups such as <g id="heads.matrix.1">. A command
 * belongs to the smallest part that contains it, or that it exceeds by at most REACH. The order of
 * commands is kept. If other commands interrupt a part, it continues in a group without an id, of
 * the class "part". */
typedef struct SvgGroups {
    const DrawList *list;
    /* Owned: for each part, the smallest part that contains it, or -1; NULL for no groups. */
    int *parents;
    bool *is_open;
    int current; /* the innermost open part, or -1 */
} SvgGroups;

static bool holds(Rect outer, Rect inner, float reach) {
    return inner.x >= outer.x - reach && inner.y >= outer.y - reach &&
           rect_right(inner) <= rect_right(outer) + reach &&
           rect_bottom(inner) <= rect_bottom(outer) + reach;
}

/* True if part a must be nested in part b. Of equal rectangles, the later part is inside. */
static bool is_inside(const DrawList *list, int a, int b) {
    Rect inner = list->parts[a].rect, outer = list->parts[b].rect;
    float inner_area = inner.w * inner.h, outer_area = outer.w * outer.h;
    return holds(outer, inner, 0) &&
           (inner_area < outer_area || (inner_area == outer_area && a > b));
}

/* Return the smallest part in which part `of` must be nested. If `of` is -1, return the smallest
 * part that contains bounds, or that bounds exceed by at most `reach`. Return -1 if there is
 * none. */
static int smallest(const DrawList *list, Rect bounds, float reach, int of) {
    int best = -1;
    for (int i = 0; i < (int)list->part_count; i++) {
        bool fits = of < 0 ? holds(list->parts[i].rect, bounds, reach) : is_inside(list, of, i);
        if (fits && i != of &&
            (best < 0 || is_inside(list, i, best) ||
             list->parts[i].rect.w * list->parts[i].rect.h <
                 list->parts[best].rect.w * list->parts[best].rect.h))
            best = i;
    }
    return best;
}

static bool groups_begin(SvgGroups *groups, const DrawList *list) {
    size_t count = list->part_count;
    *groups = (SvgGroups){.list = list, .current = -1};
    if (count == 0)
        return true;
    groups->parents = heap_get(count * sizeof *groups->parents);
    groups->is_open = heap_get_zero(count, sizeof *groups->is_open);
    if (groups->parents == NULL || groups->is_open == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        groups->parents[i] = smallest(list, list->parts[i].rect, 0, (int)i);
    return true;
}

static void groups_release(SvgGroups *groups) {
    free(groups->parents);
    free(groups->is_open);
    *groups = (SvgGroups){0};
}

static int groups_find(const SvgGroups *groups, Rect bounds) {
    return groups->parents != NULL ? smallest(groups->list, bounds, REACH, -1) : -1;
}

static void open_group(SvgGroups *groups, TextOut *out, int part) {
    const char *id = groups->list->parts[part].id;
    if (groups->parents[part] != groups->current)
        open_group(groups, out, groups->parents[part]);
    bool is_first = !groups->is_open[part] &&
                    part_find(groups->list, id, strlen(id)) == &groups->list->parts[part];
    text_out(out, is_first ? "<g id=\"" : "<g class=\"part");
    svg_put_words(out, id, is_first ? strlen(id) : 0);
    text_out(out, "\">\n");
    groups->is_open[part] = true;
    groups->current = part;
}

/* Close and open groups so that this part (-1: none) is the innermost one. */
static void groups_go(SvgGroups *groups, TextOut *out, int part) {
    for (; groups->current >= 0; groups->current = groups->parents[groups->current]) {
        int outer = part;
        while (outer >= 0 && outer != groups->current)
            outer = groups->parents[outer];
        if (outer == groups->current)
            break;
        text_out(out, "</g>\n");
    }
    if (part != groups->current)
        open_group(groups, out, part);
}

/* Add a group with an invisible rectangle for each part that had no command. Close all groups. */
static void groups_end(SvgGroups *groups, TextOut *out) {
    const DrawList *list = groups->list;
    if (groups->parents == NULL)
        return;
    for (int i = 0; i < (int)list->part_count; i++) {
        Rect r = list->parts[i].rect;
        if (groups->is_open[i])
            continue;
        groups_go(groups, out, i);
        text_out(out, "<rect fill=\"none\"");
        svg_put_place(out, (Rect){r.x * list->scale, r.y * list->scale, r.w * list->scale,
                                  r.h * list->scale});
        text_out(out, "/>\n");
    }
    groups_go(groups, out, -1);
}

typedef struct SvgWriter {
    TextOut out;
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

static void put_point(SvgWriter *w, const char *before, Vec2 p) {
    text_out(&w->out, "%s%s %s", before, SVG_NUMBER(p.x), SVG_NUMBER(p.y));
}

/* Write a gradient from one point to another. Return its number for put_paint; 0 if both colours
 * are equal. */
static int put_gradient(SvgWriter *w, Vec2 from, Vec2 to, Colour a, Colour b) {
    TextOut *out = &w->out;
    if (a == b)
        return 0;
    text_out(out,
             "<linearGradient gradientUnits=\"userSpaceOnUse\" id=\"g%d\" x1=\"%s\" y1=\"%s\" "
             "x2=\"%s\" y2=\"%s\"><stop offset=\"0\"",
             ++w->names, SVG_NUMBER(from.x), SVG_NUMBER(from.y), SVG_NUMBER(to.x),
             SVG_NUMBER(to.y));
    svg_put_colour(out, "stop", a);
    text_out(out, "/><stop offset=\"1\"");
    svg_put_colour(out, "stop", b);
    text_out(out, "/></linearGradient>\n");
    return w->names;
}

/* Write " fill=…" (or another attribute name) with a gradient, or with a colour if gradient is
 * 0. */
static void put_paint(SvgWriter *w, const char *name, int gradient, Colour colour) {
    if (gradient == 0)
        svg_put_colour(&w->out, name, colour);
    else
        text_out(&w->out, " %s=\"url(#g%d)\"", name, gradient);
}

static void put_stroke(SvgWriter *w, float width, float dash_on, float dash_off) {
    text_out(&w->out, " stroke-width=\"%s\"", SVG_NUMBER(width));
    if (dash_on > 0) /* no blank at the end: Inkscape would read a dash of length 0 */
        text_out(&w->out, " stroke-dasharray=\"%s %s\"", SVG_NUMBER(dash_on * w->scale),
                 SVG_NUMBER(dash_off * w->scale));
}

static void put_rect(SvgWriter *w, Rect r, float radius) {
    text_out(&w->out, "<rect");
    svg_put_place(&w->out, r);
    if (radius > 0)
        text_out(&w->out, " rx=\"%s\"", SVG_NUMBER(radius));
}

static void write_box(SvgWriter *w, const DrawBox *box) {
    if (!(box->rect.w > 0) || !(box->rect.h > 0))
        return;
    Rect r = draw_box_rect(box, w->scale);
    float most = 0.5f * fminf(r.w, r.h), radius = fmaxf(0, fminf(box->radius * w->scale, most));
    float border = fmaxf(0, fminf(box->border * w->scale, most));
    if (is_visible(box->fill) || is_visible(box->fill_right)) {
        int gradient =
            put_gradient(w, (Vec2){r.x, 0}, (Vec2){rect_right(r), 0}, box->fill, box->fill_right);
        put_rect(w, r, radius);
        put_paint(w, "fill", gradient, box->fill);
        text_out(&w->out, "/>\n");
    }
    if (border <= 0 || !is_visible(box->stroke))
        return;
    Rect middle = {r.x + border / 2, r.y + border / 2, r.w - border, r.h - border};
    put_rect(w, middle, fmaxf(0, radius - border / 2));
    text_out(&w->out, " fill=\"none\"");
    svg_put_colour(&w->out, "stroke", box->stroke);
    put_stroke(w, border, box->dash_on, box->dash_off);
    text_out(&w->out, "/>\n");
}

/* Return a point of the curve's outline, on its side 1 or -1. */
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

/* Write a curve. If its width changes, write its outline as a filled path. */
static void write_curve(SvgWriter *w, const DrawCurve *c) {
    bool is_tapered = c->width_from != c->width_to;
    int gradient =
        put_gradient(w, scaled(w, c->from), scaled(w, c->to), c->colour_from, c->colour_to);
    text_out(&w->out, is_tapered ? "<path" : "<path fill=\"none\"");
    put_paint(w, is_tapered ? "fill" : "stroke", gradient, c->colour_from);
    if (is_tapered) {
        for (int i = 0; i <= CURVE_PIECES; i++)
            put_point(w, i == 0 ? " d=\"M" : "L",
                      scaled(w, outline_point(c, (float)i / CURVE_PIECES, 1)));
        for (int i = CURVE_PIECES; i >= 0; i--)
            put_point(w, "L", scaled(w, outline_point(c, (float)i / CURVE_PIECES, -1)));
        text_out(&w->out, "z\"/>\n");
        return;
    }
    put_stroke(w, c->width_from * w->scale, c->dash_on, c->dash_off);
    put_point(w, " d=\"M", scaled(w, c->from));
    put_point(w, "C", scaled(w, c->control_1));
    put_point(w, " ", scaled(w, c->control_2));
    put_point(w, " ", scaled(w, c->to));
    text_out(&w->out, "\"/>\n");
}

static void write_triangle(SvgWriter *w, const DrawTriangle *triangle) {
    DrawTriangle t = *triangle;
    t.a = scaled(w, t.a), t.b = scaled(w, t.b), t.c = scaled(w, t.c);
    Vec2 end = triangle_gradient(&t);
    int gradient = put_gradient(w, t.a, end, t.colour_a, t.colour_b);
    text_out(&w->out, "<path");
    put_paint(w, "fill", gradient, t.colour_a);
    put_point(w, " d=\"M", t.a);
    put_point(w, "L", t.b);
    put_point(w, "L", t.c);
    text_out(&w->out, "z\"/>\n");
}

static void close_clip(SvgWriter *w) {
    if (w->clipped)
        text_out(&w->out, "</g>\n");
    w->clipped = false;
}

/* Open a group with the clip of the command; it stays open until the clip or the part changes. A
 * command that lies within its clip needs no group. */
static void open_clip(SvgWriter *w, const DrawCommand *command, Rect bounds) {
    if (w->clipped && rect_equal(w->clip, command->clip))
        return;
    close_clip(w);
    if (holds(command->clip, bounds, NEAR))
        return;
    Rect r = command->clip;
    text_out(&w->out, "<clipPath id=\"c%d\">", ++w->names);
    put_rect(w, (Rect){r.x * w->scale, r.y * w->scale, r.w * w->scale, r.h * w->scale}, 0);
    text_out(&w->out, "/></clipPath>\n<g clip-path=\"url(#c%d)\">\n", w->names);
    w->clipped = true;
    w->clip = command->clip;
}

static bool write_command(SvgWriter *w, const DrawCommand *command, Err *err) {
    Rect meet = rect_intersect(command->clip, (Rect){0, 0, w->list->width, w->list->height});
    Rect bounds = draw_bounds(w->list, w->texts.measure, command);
    if (meet.w <= 0 || meet.h <= 0 || !isfinite(bounds.x + bounds.y + bounds.w + bounds.h))
        return true;
    int part = groups_find(&w->groups, rect_intersect(bounds, meet));
    if (part != w->groups.current) {
        close_clip(w);
        groups_go(&w->groups, &w->out, part);
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

static void put_element(TextOut *out, const char *name, const char *words) {
    if (words == NULL || words[0] == '\0')
        return;
    text_out(out, "<%s>", name);
    svg_put_words(out, words, strlen(words));
    text_out(out, "</%s>\n", name);
}

static void write_head(SvgWriter *w, const SvgAbout *about) {
    TextOut *out = &w->out;
    float width = roundf(w->list->width * w->scale), height = roundf(w->list->height * w->scale);
    float mm = about->width_mm / width; /* width of a pixel in mm */
    const char *unit = mm > 0 ? "mm" : "";
    text_out(out,
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<svg xmlns=\"http://www.w3.org/2000/svg\" "
             "xmlns:xlink=\"http://www.w3.org/1999/xlink\" version=\"1.1\" width=\"%s%s\" "
             "height=\"%s%s\" viewBox=\"0 0 %s %s\">\n",
             SVG_NUMBER(mm > 0 ? width * mm : width), unit,
             SVG_NUMBER(mm > 0 ? height * mm : height), unit, SVG_NUMBER(width),
             SVG_NUMBER(height));
    put_element(out, "title", about->title);
    put_element(out, "desc", about->description);
    text_out(out, "<style>text{white-space:pre}\n");
    svg_text_styles(out);
    text_out(out, "</style>\n");
    if (about->description != NULL) {
        text_out(out, "<metadata><state xmlns=\"" PICTURE_STATE_SPACE "\">");
        svg_put_words(out, about->description, strlen(about->description));
        text_out(out, "</state></metadata>\n");
    }
    if (about->group != NULL) {
        text_out(out, "<g id=\"");
        svg_put_words(out, about->group, strlen(about->group));
        text_out(out, "\">\n");
    }
    if (!is_visible(w->list->ground))
        return;
    put_rect(w, (Rect){0, 0, width, height}, 0);
    svg_put_colour(out, "fill", w->list->ground);
    text_out(out, "/>\n");
}

bool svg_encode(TextOut *out, const DrawList *list, const TextMeasure *measure, GfxFonts *fonts,
                const SvgAbout *about, Err *err) {
    SvgWriter w = {
        .list = list, .texts = {.measure = measure, .fonts = fonts}, .scale = list->scale};
    write_head(&w, about);
    w.groups.current = -1;
    bool wrote = about->group != NULL || groups_begin(&w.groups, list) ||
                 err_fail(err, "memory", "too little for the picture's parts");
    for (size_t i = 0; i < list->command_count && wrote && !w.out.failed; i++)
        wrote = write_command(&w, &list->commands[i], err);
    if (wrote) {
        close_clip(&w);
        groups_end(&w.groups, &w.out);
        text_out(&w.out, about->group != NULL ? "</g>\n</svg>\n" : "</svg>\n");
    }
    groups_release(&w.groups);
    *out = w.out;
    return wrote && (!out->failed ||
                     err_fail(err, "memory", "too little for the picture; use a smaller --size"));
}
