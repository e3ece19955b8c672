#include "support/drawn.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "support/measure.h"
#include "support/test.h"

static const char *text_of(const DrawList *list, const DrawCommand *command) {
    return list->text + command->as.text.text_at;
}

static const DrawCommand *find(const DrawList *list, const char *words, bool whole, int nth) {
    size_t bytes = strlen(words);
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawCommand *command = &list->commands[i];
        if (command->kind != DRAW_TEXT || command->as.text.text_bytes < bytes ||
            (whole && command->as.text.text_bytes != bytes))
            continue;
        if (memcmp(text_of(list, command), words, bytes) == 0 && nth-- == 0)
            return command;
    }
    return NULL;
}

const DrawCommand *drawn_text(const DrawList *list, const char *words, int nth) {
    return find(list, words, true, nth);
}

const DrawCommand *drawn_beginning(const DrawList *list, const char *words) {
    return find(list, words, false, 0);
}

const char *drawn_words(const DrawList *list, size_t i) {
    static char words[DRAWN_LINE_MAX];
    const DrawCommand *command = &list->commands[i];
    uint32_t bytes = command->kind == DRAW_TEXT ? command->as.text.text_bytes : 0;
    assert_true(bytes < sizeof words);
    snprintf(words, sizeof words, "%.*s", (int)bytes, bytes > 0 ? text_of(list, command) : "");
    return words;
}

Vec2 drawn_middle(const DrawList *list, const DrawCommand *command) {
    const DrawText *text = &command->as.text;
    assert_int_equal(command->kind, DRAW_TEXT);
    assert_true(text->angle_rad == 0);
    float width =
        measure_width(NULL, text->font, text->size, text_of(list, command), text->text_bytes);
    return (Vec2){text->at.x + width / 2, text->at.y - text->size * 0.36f};
}

const DrawCells *drawn_cells(const DrawList *list, int nth) {
    for (size_t i = 0; i < list->command_count; i++)
        if (list->commands[i].kind == DRAW_CELLS && nth-- == 0)
            return &list->commands[i].as.cells;
    return NULL;
}

int drawn_cells_count(const DrawList *list) {
    int count = 0;
    while (drawn_cells(list, count) != NULL)
        count++;
    return count;
}

Vec2 drawn_cell(const DrawCells *cells, int i, int j) {
    return (Vec2){cells->rect.x + ((float)j + 0.5f) * cells->rect.w / (float)cells->cols,
                  cells->rect.y + ((float)i + 0.5f) * cells->rect.h / (float)cells->rows};
}

int drawn_curves(const DrawList *list, Colour colour) {
    int count = 0;
    for (size_t i = 0; i < list->command_count; i++)
        count += list->commands[i].kind == DRAW_CURVE &&
                 list->commands[i].as.curve.colour_from == colour;
    return count;
}

static bool box_at(const DrawList *list, Colour colour, bool edge, Vec2 at) {
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawBox *box = &list->commands[i].as.box;
        if (list->commands[i].kind == DRAW_BOX && rect_contains(box->rect, at) &&
            (edge ? box->border > 0 && box->stroke == colour : box->fill == colour))
            return true;
    }
    return false;
}

bool drawn_fill_at(const DrawList *list, Colour fill, Vec2 at) {
    return box_at(list, fill, false, at);
}

bool drawn_edge_at(const DrawList *list, Colour stroke, Vec2 at) {
    return box_at(list, stroke, true, at);
}

static int numbers_of(const DrawCommand *c, float out[16]) {
    const DrawBox *b = &c->as.box;
    const DrawCurve *v = &c->as.curve;
    const DrawTriangle *t = &c->as.triangle;
    const Rect *r = c->kind == DRAW_CELLS ? &c->as.cells.rect : &b->rect;
    float box[] = {r->x, r->y, r->w, r->h, b->radius, b->border};
    float curve[] = {v->from.x,      v->from.y, v->control_1.x, v->control_1.y, v->control_2.x,
                     v->control_2.y, v->to.x,   v->to.y,        v->width_from,  v->width_to};
    float corners[] = {t->a.x, t->a.y, t->b.x, t->b.y, t->c.x, t->c.y};
    float text[] = {c->as.text.at.x, c->as.text.at.y, c->as.text.size, c->as.text.angle_rad};
    float cells[] = {r->x, r->y, r->w, r->h, c->as.cells.gap, c->as.cells.lo, c->as.cells.hi};
    const struct {
        const float *at;
        size_t bytes;
    } kinds[] = {[DRAW_BOX] = {box, sizeof box},
                 [DRAW_CURVE] = {curve, sizeof curve},
                 [DRAW_TRIANGLE] = {corners, sizeof corners},
                 [DRAW_CELLS] = {cells, sizeof cells},
                 [DRAW_TEXT] = {text, sizeof text}};
    memcpy(out, kinds[c->kind].at, kinds[c->kind].bytes);
    return (int)(kinds[c->kind].bytes / sizeof(float));
}

const char *drawn_fault(const DrawList *list) {
    if (list->dropped > 0)
        return "commands were dropped";
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawCommand *c = &list->commands[i];
        float numbers[16];
        int count = numbers_of(c, numbers);
        for (int k = 0; k < count; k++)
            if (!isfinite(numbers[k]))
                return "a number is not finite";
        size_t bytes = c->as.text.text_bytes;
        if (c->kind == DRAW_TEXT && utf8_first_invalid(text_of(list, c), bytes) != bytes)
            return "a text is not UTF-8";
    }
    return NULL;
}

static void print_colours(char *out, size_t capacity, const DrawCommand *c) {
    const DrawCells *m = &c->as.cells;
    const DrawTriangle *t = &c->as.triangle;
    const DrawCurve *v = &c->as.curve;
    switch (c->kind) {
    case DRAW_BOX:
        snprintf(out, capacity, "#%08X #%08X #%08X", c->as.box.fill, c->as.box.fill_right,
                 c->as.box.stroke);
        break;
    case DRAW_CURVE:
        snprintf(out, capacity, "#%08X #%08X", v->colour_from, v->colour_to);
        break;
    case DRAW_TRIANGLE:
        snprintf(out, capacity, "#%08X #%08X #%08X", t->colour_a, t->colour_b, t->colour_c);
        break;
    case DRAW_CELLS:
        snprintf(out, capacity, "#%08X #%08X #%08X #%08X", m->ground, m->masked, m->masked_stroke,
                 m->wrong);
        break;
    case DRAW_TEXT:
        snprintf(out, capacity, "#%08X", c->as.text.colour);
        break;
    }
}

void drawn_print(char out[DRAWN_LINE_MAX], const DrawList *list, const DrawCommand *c) {
    static const char *const names[] = {"box", "curve", "triangle", "cells", "text"};
    float numbers[16];
    int count = numbers_of(c, numbers);
    size_t used = (size_t)snprintf(out, DRAWN_LINE_MAX, "%d %s", c->layer, names[c->kind]);
    for (int i = 0; i < count; i++) /* adding 0 makes -0.0 plain */
        used += (size_t)snprintf(out + used, DRAWN_LINE_MAX - used, " %.1f",
                                 round((double)numbers[i] * 10) / 10 + 0.0);
    out[used++] = ' ';
    print_colours(out + used, DRAWN_LINE_MAX - used, c);
    used += strlen(out + used);
    if (c->kind == DRAW_CELLS)
        snprintf(out + used, DRAWN_LINE_MAX - used, " %dx%d %s", c->as.cells.rows, c->as.cells.cols,
                 PALETTES[c->as.cells.palette].entry.id);
    if (c->kind == DRAW_TEXT)
        snprintf(out + used, DRAWN_LINE_MAX - used, " %d \"%.*s\"", (int)c->as.text.font,
                 (int)c->as.text.text_bytes, text_of(list, c));
}

void drawn_fail_difference(const DrawList *before, const DrawList *after, const char *what) {
    char a[DRAWN_LINE_MAX] = "", b[DRAWN_LINE_MAX] = "";
    for (size_t i = 0; strcmp(a, b) == 0; i++) {
        if (i >= before->command_count && i >= after->command_count)
            break;
        a[0] = b[0] = '\0';
        if (i < before->command_count)
            drawn_print(a, before, &before->commands[i]);
        if (i < after->command_count)
            drawn_print(b, after, &after->commands[i]);
    }
    fail_msg("%s\n  %s\nbecomes\n  %s", what, a, b);
}

/* True if both numbers agree; moves past them. Rounding differs with the compiler and the vector
 * width, so a fraction in a text may differ by one and a half of its last digit. Elsewhere it is a
 * place in pixels: marks snap to half pixels, so it may move by one of those. Whole numbers must
 * be equal. */
static bool number_agrees(const char **a, const char **b, bool is_text) {
    char *a_end, *b_end;
    double left = strtod(*a, &a_end), right = strtod(*b, &b_end);
    const char *point = strchr(*a, '.');
    double slack = 0;
    if (point != NULL && point < a_end)
        slack = is_text ? 1.5 * pow(10, -(double)(a_end - point - 1)) : 0.65;
    *a = a_end;
    *b = b_end;
    return fabs(left - right) <= slack;
}

static bool colour_agrees(const char **a, const char **b) {
    unsigned long left = strtoul(*a + 1, NULL, 16), right = strtoul(*b + 1, NULL, 16);
    for (int shift = 0; shift < 32; shift += 8)
        if (labs((long)(left >> shift & 255) - (long)(right >> shift & 255)) > 3)
            return false;
    *a += 9;
    *b += 9;
    return true;
}

/* True for a value such as 3.6 × 10⁻⁷. In a golden picture these are rounding errors, whose digits
 * follow the width of the processor's vectors. */
static bool is_rounding(const char *line) {
    return strstr(line, " × 10\"") != NULL;
}

bool drawn_line_agrees(const char *a, const char *b) {
    const char *quote = strchr(a, '"');
    bool rounding = is_rounding(a) && is_rounding(b);
    while (*a != '\0' && *b != '\0') {
        if (rounding && a == quote)
            return true;
        bool is_text = quote != NULL && a > quote;
        bool numbers = isdigit((unsigned char)*a) && isdigit((unsigned char)*b);
        bool colours = *a == '#' && *b == '#' && strlen(a) >= 9 && strlen(b) >= 9;
        if (numbers   ? !number_agrees(&a, &b, is_text)
            : colours ? !colour_agrees(&a, &b)
                      : *a++ != *b++)
            return false;
    }
    return *a == *b;
}

static void compare(FILE *file, const DrawList *list, const char *path) {
    char drawn[DRAWN_LINE_MAX], expected[DRAWN_LINE_MAX];
    for (size_t i = 0; i <= list->command_count; i++) {
        bool more = fgets(expected, sizeof expected, file) != NULL;
        expected[more ? strcspn(expected, "\n") : 0] = '\0';
        drawn[0] = '\0';
        if (i < list->command_count)
            drawn_print(drawn, list, &list->commands[i]);
        if (drawn_line_agrees(drawn, expected))
            continue;
        fclose(file);
        fail_msg("%s:%zu: is\n  %s\nbut was\n  %s\n(`make golden` takes the new one)", path, i + 1,
                 drawn, expected);
    }
}

void drawn_golden(const DrawList *list, const char *name) {
    const char *mode = getenv("HEADLIGHT_GOLDEN");
    bool writing = mode != NULL && strcmp(mode, "write") == 0;
    char path[256], line[DRAWN_LINE_MAX];
    snprintf(path, sizeof path, "tests/golden/%s.txt", name);
    FILE *file = fopen(path, writing ? "w" : "r");
    if (file == NULL)
        fail_msg("%s cannot be opened", path);
    if (!writing)
        compare(file, list, path);
    for (size_t i = 0; writing && i < list->command_count; i++) {
        drawn_print(line, list, &list->commands[i]);
        fprintf(file, "%s\n", line);
    }
    assert_int_equal(fclose(file), 0);
}
