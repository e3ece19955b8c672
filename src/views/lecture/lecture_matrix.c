#include <math.h>
#include <string.h>

#include "ui/text.h"
#include "ui/tween.h"
#include "views/lecture/lecture_parts.h"

#define VEIL    0.6f
#define LIGHT_R 46 /* px: least radius of the spotlight */
/* Radius of the spotlight around a larger cell, in sides of the cell: through its corners. */
#define LIGHT_CELLS  0.7072f
#define LIGHT_CLEAR  10 /* px by which the spotlight extends beyond these corners */
#define LIGHT_RING   4.5f
#define LIGHT_CASING 9
#define LINE_LEAST   3 /* px: least width of the pinned row and column that is not veiled */
#define CELL_RING    3
#define LIT_RING     1.6f
#define RING_LEAST   10 /* px: least size of a ring around a small cell */
#define PILL_PAD     16
#define PILL_H       50
#define PILL_SLACK   6 /* px by which the pill may extend beyond the matrix */
/* Distance from the circle's centre to the corner of the value, in radii of the circle. */
#define PILL_AWAY 0.77f
#define DRAG_FROM 6 /* px that the pointer moves before a press becomes a drag */

static Rect place_of(const Lecture *l, AttnCell cell) {
    const LectureLayout *p = &l->layout;
    return (Rect){p->matrix.x + p->cell * (float)l->shown->key_place[cell.key],
                  p->matrix.y + p->cell * (float)l->shown->query_place[cell.query], p->cell,
                  p->cell};
}

/* While the pointer is pressed, move the spotlight to the pair nearest to it. A press without a
 * drag is a click. */
static void pointer(const Lecture *l) {
    const ViewContext *c = l->c;
    const LectureLayout *p = &l->layout;
    LectureMemory *memory = &c->memory->lecture;
    Vec2 from = c->ui->press_at, at = c->ui->pointer;
    UiId id = ui_id("lecture matrix", 0);
    UiState state = ui_control(c->ui, id, p->matrix, UI_NO_FOCUS | UI_NO_HAND);
    float last = (float)(p->tokens - 1);
    int row = (int)fminf(fmaxf((at.y - p->matrix.y) / p->cell, 0), last);
    int column = (int)fminf(fmaxf((at.x - p->matrix.x) / p->cell, 0), last);
    AttnCell cell = {0, c->session->options.head - 1, l->shown->query_at[row],
                     l->shown->key_at[column]};
    int held_query = state.held ? cell.query + 1 : 0, held_key = state.held ? cell.key + 1 : 0;
    c->ui->again |= memory->held_query != held_query || memory->held_key != held_key;
    memory->held_query = held_query;
    memory->held_key = held_key;
    if (state.hovered || state.held)
        view_light(c, cell);
    bool is_still = fmaxf(fabsf(at.x - from.x), fabsf(at.y - from.y)) < DRAG_FROM;
    if (state.pressed)
        c->ui->press_clicks = state.clicks;
    /* The second click of a double click must not unpin the cell. */
    if (state.clicked && is_still && c->ui->press_clicks < 2)
        view_toggle_pin(c, cell);
}

static void cells(const Lecture *l) {
    const ViewContext *c = l->c;
    const LectureLayout *p = &l->layout;
    int seen = (p->tokens + p->pool - 1) / p->pool;
    HeatmapWindow window = {p->pool, 0, 0, seen, seen};
    if (!heatmap_begin(c, 0, &window))
        return;
    HeatmapPart part = heatmap_part(c, 0, l->index, &window);
    float side = p->cell * (float)(p->pool * seen);
    DrawCells drawn = view_cells_of(c, (Rect){p->matrix.x, p->matrix.y, side, side}, &part.values,
                                    part.hi, l->tile->is_signed);
    drawn.gap = p->gap;
    Rect clip = draw_clip(c->ui->list, p->matrix);
    view_cells(c, ui_id("lecture cells", c->settings->show * MINUS_COUNT + c->settings->minus.row),
               &drawn);
    draw_clip_restore(c->ui->list, clip);
    if (p->scale.h <= 0)
        return;
    Rect name = {p->matrix.x - p->label_w, p->scale.y - 10, p->label_w - 14, 36};
    text_in(c->ui, name, TEXT_FORMULA | TEXT_PX((int)LECTURE_CONTROL) | TEXT_RIGHT, "%s",
            lecture_symbol(l));
    heatmap_scale(c, p->scale, l->tile, NAN, LECTURE_LABEL);
}

/* The spotlight: its cell, with a row and a column, and its circle. */
typedef struct Light {
    Rect cell;
    Vec2 middle;
    float radius;
} Light;

/* Return the light. It moves gradually from pin to pin, but follows a pressed pointer without
 * delay. */
static Light light_of(const Lecture *l) {
    Ui *ui = l->ui;
    const LectureLayout *p = &l->layout;
    Motion motion = l->is_held ? MOTION_NONE : MOTION_PIN;
    Light light = {.cell = place_of(l, l->at),
                   .radius = fmaxf(LIGHT_R, p->cell * LIGHT_CELLS + LIGHT_CLEAR)};
    Vec2 middle = rect_centre(light.cell);
    if (l->is_held) {
        middle.x = fminf(fmaxf(ui->pointer.x, p->matrix.x), rect_right(p->matrix));
        middle.y = fminf(fmaxf(ui->pointer.y, p->matrix.y), rect_bottom(p->matrix));
    }
    light.cell = ui_tween_rect(ui, ui_id("lecture light", 0), light.cell, motion);
    Rect at =
        ui_tween_rect(ui, ui_id("lecture light", 1), (Rect){middle.x, middle.y, 0, 0}, motion);
    light.middle = (Vec2){at.x, at.y};
    return light;
}

/* Veil one of the four parts of the matrix outside the lit row and column, except for the circle:
 * draw a ring around the circle that is wide enough to cover the part, clipped to the part. */
static void veil_part(const Lecture *l, const Light *light, Rect part) {
    Ui *ui = l->ui;
    float width = 2 * l->layout.matrix.w + light->radius, all = light->radius + width;
    Rect clip = draw_clip(ui->list, part);
    Rect ring = {light->middle.x - all, light->middle.y - all, 2 * all, 2 * all};
    if (part.w > 0 && part.h > 0)
        draw_ring(ui->list, ring, all, width, colour_fade(ui->theme->canvas, VEIL));
    draw_clip_restore(ui->list, clip);
}

/* Veil the matrix except for the row, column and circle of the light. A row or column that is thin,
 * because there are many tokens, still stays visible. */
static void veil(const Lecture *l, const Light *light) {
    Rect m = l->layout.matrix;
    float more = fmaxf(LINE_LEAST - light->cell.w, 0) / 2;
    Rect cell = rect_intersect(rect_inset(light->cell, -more, -more), m);
    const DrawList *list = l->ui->list;
    float x = draw_snap(list, cell.x), y = draw_snap(list, cell.y);
    float right = draw_snap(list, rect_right(cell)), bottom = draw_snap(list, rect_bottom(cell));
    float end_x = rect_right(m), end_y = rect_bottom(m);
    veil_part(l, light, (Rect){m.x, m.y, x - m.x, y - m.y});
    veil_part(l, light, (Rect){right, m.y, end_x - right, y - m.y});
    veil_part(l, light, (Rect){m.x, bottom, x - m.x, end_y - bottom});
    veil_part(l, light, (Rect){right, bottom, end_x - right, end_y - bottom});
}

static void circle(const Lecture *l, const Light *light) {
    Ui *ui = l->ui;
    float outer = light->radius + LIGHT_CASING / 2.0f, ring = light->radius + LIGHT_RING / 2;
    Vec2 at = light->middle;
    Rect clip = draw_clip(ui->list, l->layout.matrix);
    draw_ring(ui->list, (Rect){at.x - outer, at.y - outer, 2 * outer, 2 * outer}, outer,
              LIGHT_CASING, ui->theme->casing);
    draw_ring(ui->list, (Rect){at.x - ring, at.y - ring, 2 * ring, 2 * ring}, ring, LIGHT_RING,
              ui->theme->ring);
    draw_clip_restore(ui->list, clip);
}

/* Draw a ring around a cell. It is cut off 3 px outside of the matrix. */
static void cell_ring(const Lecture *l, Rect cell, float border) {
    Ui *ui = l->ui;
    Vec2 at = rect_centre(cell);
    float side = fmaxf(cell.w, RING_LEAST) + border, casing = side + 3;
    Rect clip = draw_clip(ui->list, rect_inset(l->layout.matrix, -3, -3));
    draw_ring(ui->list, (Rect){at.x - casing / 2, at.y - casing / 2, casing, casing}, 5, border + 3,
              ui->theme->casing);
    draw_ring(ui->list, (Rect){at.x - side / 2, at.y - side / 2, side, side}, 4, border,
              ui->theme->ring);
    draw_clip_restore(ui->list, clip);
}

/* Return the place for the value: at the upper right, upper left, lower right or lower left of the
 * circle, the first with room. It may also use the space at the right of the matrix, up to the
 * list. */
static Rect pill_place(const Lecture *l, Vec2 at, float away, float width) {
    const LectureLayout *p = &l->layout;
    Rect bounds = rect_inset(p->matrix, -PILL_SLACK, -PILL_SLACK), pill = {0, 0, width, PILL_H};
    bounds.w = (p->list.w > 0 ? p->list.x : rect_right(p->area)) - bounds.x;
    for (int i = 0; i < 4; i++) {
        bool is_left = i % 2 == 1, is_below = i / 2 == 1;
        pill.x = is_left ? at.x - away - width : at.x + away;
        pill.y = is_below ? at.y + away : at.y - away - PILL_H;
        Rect inside = rect_intersect(pill, bounds);
        if (inside.w >= width - 0.5f && inside.h >= PILL_H - 0.5f)
            return pill;
    }
    return rect_within((Rect){at.x + away, at.y - away - PILL_H, width, PILL_H}, bounds);
}

/* Draw the value next to the circle. */
static void value_pill(const Lecture *l, AttnCell cell, Vec2 at, float radius) {
    Ui *ui = l->ui;
    char text[32];
    float value = lecture_value(l, cell);
    bool is_closed = value == DRAW_CELL_MASKED;
    if (is_closed)
        strcpy(text, "closed");
    else
        lecture_number(text, l, value, false);
    LabelStyle style = {is_closed ? FONT_SANS : FONT_MONO, LECTURE_VALUE, ui->theme->casing,
                        LABEL_CENTRE};
    float width = label_width(ui, style.font, style.size, text, strlen(text)) + 2 * PILL_PAD;
    Rect pill = pill_place(l, at, radius * PILL_AWAY, width);
    draw_fill(ui->list, rect_inset(pill, -2, -2), 10, ui->theme->casing);
    draw_fill(ui->list, pill, 8, ui->theme->ring);
    label_draw(ui, pill, &style, text);
}

void lecture_matrix(const Lecture *l) {
    pointer(l);
    cells(l);
    bool has_light = attn_cell_is_set(l->at);
    bool is_other = l->lit.query != l->at.query || l->lit.key != l->at.key;
    if (has_light) {
        Light light = light_of(l);
        veil(l, &light);
        circle(l, &light);
        cell_ring(l, light.cell, CELL_RING);
        value_pill(l, l->at, light.middle, light.radius);
    }
    if (attn_cell_is_set(l->lit) && is_other) {
        Rect cell = place_of(l, l->lit);
        cell_ring(l, cell, LIT_RING);
        value_pill(l, l->lit, rect_centre(cell), fmaxf(cell.w, RING_LEAST));
    }
}
