#include "export/tikz.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "draw/curve.h"
#include "export/shapes.h"

#define CURVE_PIECES 24
#define FINE         16 /* cells are rounded to 1/FINE logical pixel */

typedef struct Tikz {
    TextOut *out;
    const DrawList *list;
    double pt;
} Tikz;

/* Write a point. TikZ's y axis points upwards. */
static void put_point(const Tikz *t, Vec2 at) {
    text_out(t->out, "(%.2f,%.2f)", (double)at.x * t->pt, (double)(t->list->height - at.y) * t->pt);
}

static void put_colour(const Tikz *t, const char *kind, Colour c) {
    text_out(t->out, "%s={rgb,255:red,%u;green,%u;blue,%u}", kind, c >> 24, c >> 16 & 255,
             c >> 8 & 255);
    if ((c & 255) != 255)
        text_out(t->out, ",%s opacity=%.3f", kind, (c & 255) / 255.0);
}

static void put_rect(const Tikz *t, Rect r) {
    put_point(t, (Vec2){r.x, r.y});
    text_out(t->out, " rectangle ");
    put_point(t, (Vec2){rect_right(r), rect_bottom(r)});
    text_out(t->out, ";\n");
}

/* A CellFill. */
static void put_fill(void *context, Rect r, Colour colour, CellLayer layer) {
    const Tikz *t = context;
    (void)layer;
    text_out(t->out, "\\path[");
    put_colour(t, "fill", colour);
    text_out(t->out, "] ");
    put_rect(t, r);
}

static void put_dashes(const Tikz *t, float on, float off) {
    if (on > 0)
        text_out(t->out, ",dash pattern=on %.2fpt off %.2fpt", (double)on * t->pt,
                 (double)off * t->pt);
}

static void put_box(const Tikz *t, const DrawBox *box) {
    bool is_filled = is_visible(box->fill), is_drawn = box->border > 0 && is_visible(box->stroke);
    float radius = fminf(box->radius, fminf(box->rect.w, box->rect.h) / 2);
    if (!(box->rect.w > 0 && box->rect.h > 0) || (!is_filled && !is_drawn))
        return;
    text_out(t->out, "\\path[");
    if (is_filled)
        put_colour(t, "fill", box->fill);
    if (is_drawn) {
        text_out(t->out, is_filled ? "," : "");
        put_colour(t, "draw", box->stroke);
        text_out(t->out, ",line width=%.2fpt", (double)box->border * t->pt);
        put_dashes(t, box->dash_on, box->dash_off);
    }
    if (radius > 0)
        text_out(t->out, ",rounded corners=%.2fpt", (double)radius * t->pt);
    text_out(t->out, "] ");
    float half = is_drawn ? box->border / 2 : 0;
    put_rect(t, rect_inset(box->rect, half, half));
}

static void put_stroke(const Tikz *t, Colour colour, float width) {
    text_out(t->out, "\\path[");
    put_colour(t, "draw", colour);
    text_out(t->out, ",line width=%.2fpt", (double)width * t->pt);
}

/* End the options of a path, and write its points. between[i] is the text after point i. */
static void put_points(const Tikz *t, const Vec2 *points, const char *const *between, int count) {
    text_out(t->out, "] ");
    for (int i = 0; i < count; i++) {
        put_point(t, points[i]);
        text_out(t->out, "%s", between[i]);
    }
    text_out(t->out, ";\n");
}

static void put_line(const Tikz *t, Vec2 from, Vec2 to) {
    put_points(t, (Vec2[]){from, to}, (const char *const[]){" -- ", ""}, 2);
}

/* If a curve's colour or width changes, draw it as a sequence of short lines. */
static void put_curve(const Tikz *t, const DrawCurve *c) {
    if (c->width_from == c->width_to && c->colour_from == c->colour_to) {
        put_stroke(t, c->colour_from, c->width_from);
        static const char *const between[] = {" .. controls ", " and ", " .. ", ""};
        put_dashes(t, c->dash_on, c->dash_off);
        put_points(t, (Vec2[]){c->from, c->control_1, c->control_2, c->to}, between, 4);
        return;
    }
    for (int i = 0; i < CURVE_PIECES; i++) {
        float from = (float)i / CURVE_PIECES, to = (float)(i + 1) / CURVE_PIECES,
              way = (from + to) / 2;
        put_stroke(t, colour_mix(c->colour_from, c->colour_to, way),
                   c->width_from + (c->width_to - c->width_from) * way);
        put_line(t, curve_point(c, from), curve_point(c, to));
    }
}

static void put_triangle(const Tikz *t, const DrawTriangle *triangle) {
    Colour mean = colour_mix(colour_mix(triangle->colour_a, triangle->colour_b, 0.5f),
                             triangle->colour_c, 1.0f / 3);
    text_out(t->out, "\\path[");
    put_colour(t, "fill", mean);
    put_points(t, (Vec2[]){triangle->a, triangle->b, triangle->c},
               (const char *const[]){" -- ", " -- ", " -- cycle"}, 3);
}

/* Append a line to the text of a path: a CellMark. */
static void put_mark(void *path, Vec2 from, Vec2 to) {
    const Tikz *t = path;
    put_point(t, from);
    text_out(t->out, " -- ");
    put_point(t, to);
}

static bool put_cells(const Tikz *t, const DrawCells *cells, Err *err) {
    if (cells->rows <= 0 || cells->cols <= 0)
        return true;
    if ((long long)cells->rows * cells->cols > TIKZ_CELLS_MAX)
        return err_fail(err, "TeX", "a matrix of %d x %d is too large; the limit is 64 x 64 cells",
                        cells->rows, cells->cols);
    CellGrid grid = cell_grid(cells, FINE);
    Tikz fine = {t->out, t->list, t->pt / FINE};
    DrawList list = *t->list;
    list.height *= FINE;
    fine.list = &list;
    cell_grid_fill(&grid, put_fill, &fine);
    for (int masked = 0; masked < 2; masked++) {
        TextOut path = {0};
        Tikz marks = {&path, &list, fine.pt};
        float width = cell_grid_marks(&grid, masked, FINE, put_mark, &marks);
        if (path.used > 0) {
            put_stroke(&fine, masked ? cells->masked_stroke : cells->wrong, width);
            text_out(t->out, "] %s;\n", path.at);
        }
        t->out->failed = t->out->failed || path.failed;
        text_out_release(&path);
    }
    return true;
}

/* Escape characters that have a meaning in TeX, and write characters that TeX's fonts lack as
 * formulas. */
static void put_words(const Tikz *t, const char *words, size_t bytes) {
    static const char *const names[] = {/* each character, followed by its name in TeX */
                                        "\\", "\\textbackslash{}",
                                        "{",  "\\{",
                                        "}",  "\\}",
                                        "$",  "\\$",
                                        "&",  "\\&",
                                        "#",  "\\#",
                                        "%",  "\\%",
                                        "_",  "\\_",
                                        "~",  "\\textasciitilde{}",
                                        "^",  "\\textasciicircum{}",
                                        "→",  "$\\rightarrow$",
                                        "←",  "$\\leftarrow$",
                                        "↓",  "$\\downarrow$",
                                        "↑",  "$\\uparrow$",
                                        "−",  "$-$",
                                        "·",  "$\\cdot$",
                                        "×",  "$\\times$",
                                        "±",  "$\\pm$",
                                        "σ",  "$\\sigma$",
                                        "Σ",  "$\\Sigma$",
                                        "Δ",  "$\\Delta$",
                                        "≈",  "$\\approx$",
                                        "√",  "$\\surd$",
                                        "∑",  "$\\sum$",
                                        "⊤",  "$\\top$",
                                        "∞",  "$\\infty$"};
    for (size_t at = 0, next; at < bytes; at = next) {
        const char *tex = NULL;
        next = utf8_next(words, bytes, at);
        for (size_t i = 0; i < ARRAY_COUNT(names) && tex == NULL; i += 2)
            if (strlen(names[i]) == next - at && memcmp(names[i], words + at, next - at) == 0)
                tex = names[i + 1];
        if (tex != NULL)
            text_out(t->out, "%s", tex);
        else if ((unsigned char)words[at] >= ' ')
            text_out(t->out, "%.*s", (int)(next - at), words + at);
    }
}

static void put_text(const Tikz *t, const DrawText *text) {
    static const char *const faces[FONT_COUNT] = {
        [FONT_SANS] = "\\sffamily", [FONT_SANS_BOLD] = "\\sffamily\\bfseries",
        [FONT_MONO] = "\\ttfamily", [FONT_MONO_BOLD] = "\\ttfamily\\bfseries",
        [FONT_MATH] = "\\rmfamily", [FONT_MATH_ITALIC] = "\\rmfamily\\itshape",
    };
    double size = (double)text->size * t->pt;
    text_out(t->out, "\\node[anchor=base west,inner sep=0pt,");
    put_colour(t, "text", text->colour);
    if (text->angle_rad != 0)
        text_out(t->out, ",rotate=%.1f", (double)text->angle_rad * -180 / M_PI);
    text_out(t->out, ",font=\\fontsize{%.1fpt}{%.1fpt}\\selectfont%s] at ", size, size,
             faces[text->font]);
    put_point(t, text->at);
    text_out(t->out, " {");
    put_words(t, t->list->text + text->text_at, text->text_bytes);
    text_out(t->out, "};\n");
}

static bool put_command(const Tikz *t, const DrawCommand *command, Err *err) {
    switch (command->kind) {
    case DRAW_BOX:
        put_box(t, &command->as.box);
        break;
    case DRAW_CURVE:
        put_curve(t, &command->as.curve);
        break;
    case DRAW_TRIANGLE:
        put_triangle(t, &command->as.triangle);
        break;
    case DRAW_CELLS:
        return put_cells(t, &command->as.cells, err);
    case DRAW_TEXT:
        put_text(t, &command->as.text);
        break;
    }
    return true;
}

bool tikz_write(TextOut *out, const DrawList *list, double pt, const char *state, Err *err) {
    Tikz t = {out, list, pt};
    Rect all = {0, 0, list->width, list->height};
    text_out(out, "%% headlight-state: %s\n\\begin{tikzpicture}[x=1pt,y=1pt]\n\\path[clip] ",
             state);
    put_rect(&t, all);
    if (is_visible(list->ground))
        put_fill(&t, all, list->ground, CELL_GROUND);
    for (size_t i = 0; i < list->command_count; i++)
        if (!put_command(&t, &list->commands[i], err))
            return false;
    text_out(out, "\\end{tikzpicture}\n");
    return !out->failed || err_fail(err, "memory", "too little for the picture");
}
