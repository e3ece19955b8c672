#include "views/lecture/lecture_parts.h"

#include <math.h>
#include <string.h>

#include "draw/part.h"
#include "ui/formula.h"
#include "ui/text.h"
#include "ui/tween.h"
#include "views/shared/side_labels.h"

#define MARGIN_X     28
#define LABEL_MOST   190
#define LABEL_SHARE  0.2f /* largest share of the view's width for a label */
#define LABEL_GAP    24   /* px between a label with its background and the matrix */
#define CELL_MOST    120
#define CELL_GAPPED  12         /* px: a cell at least this large has a gap */
#define LABEL_AWAY   14         /* px between a row label and the matrix */
#define LABEL_FOOT   14         /* px between a column label and the matrix */
#define LABEL_PILL   32         /* px: height of the background of a lit (focused) label */
#define LABEL_ANGLE  1.0471976f /* 60° */
#define SLANT_RISE   0.8660254f
#define SLANT_LEAN   0.5f
#define SCALE_H      74 /* px: height of the colour scale with its numbers and the space above it */
#define SCALE_LEAST  330 /* px: a view lower than this has no colour scale */
#define LIST_LEAST   250
#define LIST_MOST    500
#define LIST_WANTED  400 /* px: largest width reserved for the list before the matrix is sized */
#define BETWEEN      28
#define MATRIX_LEAST 120
#define VEIL         0.6f
#define LIGHT_R      46 /* px: minimum radius of the spotlight */
/* Radius of the circle through the corners of a cell, in sides of the cell. The spotlight is
 * larger. */
#define LIGHT_CELLS  0.7072f
#define LIGHT_CLEAR  10 /* px by which the spotlight extends beyond the corners */
#define LIGHT_RING   4.5f
#define LIGHT_CASING 9
#define LINE_LEAST   3 /* px: minimum width of the row and the column that are not veiled */
#define CELL_RING    3
#define LIT_RING     1.6f
#define RING_LEAST   10 /* px: minimum size of a ring around a small cell */
#define PILL_PAD     16
#define PILL_H       50
#define PILL_SLACK   6 /* px by which the pill may extend beyond the matrix */
/* Distance from the circle's centre to the corner of the value, in radii of the circle. */
#define PILL_AWAY 0.77f
#define DRAG_FROM 6 /* px that the pointer moves before a press becomes a drag */

bool lecture_begin(Lecture *l, const ViewContext *c) {
    const LectureMemory *memory = &c->memory->lecture;
    int head = c->session->options.head - 1, T = c->run->T;
    l->shown = heatmap_update(c);
    if (l->shown->why[0] != '\0')
        return false;
    l->made = *c->settings; /* draw with the settings with which the data were computed */
    heatmap_settings(&l->made, c, l->shown);
    l->view = *c;
    l->view.settings = &l->made;
    l->c = &l->view;
    l->ui = c->ui;
    l->index = 0;
    for (int i = 0; i < l->shown->layer[0].count; i++)
        if (l->shown->layer[0].tile[i].id == head)
            l->index = i;
    l->tile = &l->shown->layer[0].tile[l->index];
    l->is_held = memory->held_query > 0;
    if (l->is_held && memory->held_query <= T && memory->held_key <= T)
        l->at = (AttnCell){0, head, memory->held_query - 1, memory->held_key - 1};
    else
        l->at = T == 1 ? (AttnCell){0, head, 0, 0} : view_rest(l->c);
    return true;
}

float lecture_value(const Lecture *l, AttnCell cell) {
    return heatmap_value(l->shown, 0, l->index, cell.query, cell.key);
}

/* Set the side of a cell, rounded down to whole device pixels. If it is smaller than a pixel,
 * several cells share one. */
static void set_cell(LectureLayout *l, float scale, float room) {
    float cell = fminf(room / (float)l->tokens, CELL_MOST), px = floorf(cell * scale + 0.001f);
    l->cell = px < 1 ? fmaxf(cell, 1e-3f) : px / scale;
    float shown_px = l->cell * scale;
    l->pool = shown_px >= 0.999f ? 1 : (int)ceilf(1 / shown_px - 1e-3f);
    l->pool = l->pool > l->tokens ? l->tokens : l->pool;
    l->gap = l->cell >= CELL_GAPPED ? 1 / scale : 0;
}

static LectureLayout layout_of(const Lecture *lecture, Rect area) {
    Ui *ui = lecture->ui;
    LectureLayout l = {.area = rect_inset(area, MARGIN_X, 4), .tokens = lecture->c->run->T};
    float scale = ui->list->scale, most = fminf(LABEL_MOST, LABEL_SHARE * l.area.w);
    float most_up = fminf(LABEL_MOST, LABEL_SHARE * 1.25f * l.area.h / SLANT_RISE);
    l.label_most = fminf(most, most_up);
    float label = view_names_width(lecture->c, FONT_SANS_BOLD, LECTURE_LABEL, l.label_most);
    float symbol = formula_width(ui, LECTURE_CONTROL, lecture_symbol(lecture));
    l.label_w = fmaxf(label, symbol) + LABEL_GAP;
    float rise = label * SLANT_RISE + LECTURE_LABEL;
    l.lean = label * SLANT_LEAN;
    l.scale.h = l.area.h >= SCALE_LEAST ? SCALE_H : 0;
    float width = l.area.w - l.label_w - l.lean - BETWEEN;
    float list_w = fminf(fmaxf(width * 0.45f, LIST_LEAST), LIST_WANTED);
    if (width - list_w >= MATRIX_LEAST)
        width -= list_w;
    set_cell(&l, scale, fmaxf(fminf(width, l.area.h - rise - l.scale.h), 1));
    /* centre the matrix and the list together */
    float side = l.cell * (float)l.tokens, between = BETWEEN + l.lean;
    float rest = l.area.w - l.label_w - side - between;
    bool has_list = rest >= LIST_LEAST - 1;
    list_w = has_list ? fminf(rest, LIST_MOST) : 0;
    float spare = fmaxf(rest - list_w, 0) * (has_list ? 1 / 3.0f : 0.5f);
    float y = l.area.y + rise + fmaxf(l.area.h - rise - side - l.scale.h, 0) / 2;
    float x = l.area.x + spare + l.label_w;
    l.matrix = (Rect){floorf(x * scale) / scale, floorf(y * scale) / scale, side, side};
    l.scale = (Rect){l.matrix.x, rect_bottom(l.matrix) + 18, side, l.scale.h};
    float list_x = rect_right(l.matrix) + between + (has_list ? spare : 0);
    l.list = (Rect){list_x, l.area.y + 8, list_w, l.area.h - 16};
    return l;
}

/* Draw the names of the tokens. A click on a name pins its token. */
static void labels(const Lecture *l) {
    const LectureLayout *p = &l->layout;
    Rect m = p->matrix;
    bool has_light = attn_cell_is_set(l->at);
    SideLabels side = {.context = l->c,
                       .names = l->c->run->labels,
                       .at = l->shown->query_at,
                       .count = p->tokens,
                       .matrix = m,
                       .cell = p->cell,
                       .size = LECTURE_LABEL,
                       .most = p->label_most,
                       .gap = LABEL_AWAY,
                       .pill = LABEL_PILL,
                       .lit = has_light ? l->shown->query_place[l->at.query] : -1,
                       .bold = -1};
    Rect strip = {m.x - p->label_w, m.y, p->label_w - 6, m.h};
    for (int keys = 0; keys < 2; keys++) {
        UiState state;
        side_labels_draw(&side);
        int token = side_labels_pointer(&side, ui_id("lecture names", keys), strip, &state);
        if (token >= 0 && state.clicked)
            view_pin_token(l->c, token, keys == 1);
        side.at = l->shown->key_at;
        side.lit = has_light ? l->shown->key_place[l->at.key] : -1;
        side.gap = LABEL_FOOT;
        side.angle_rad = LABEL_ANGLE;
        float rise = p->label_most * SLANT_RISE + LABEL_FOOT;
        strip = (Rect){m.x, m.y - rise, m.w + rise * SLANT_LEAN / SLANT_RISE, rise - 6};
    }
}

/* True if the pointer rests: the focused cell has changed, and the pointer has not moved since. */
static bool is_resting(const ViewContext *c, AttnCell at) {
    LectureMemory *memory = &c->memory->lecture;
    bool changed = !attn_cell_equal(memory->seen, at);
    memory->is_resting = (memory->is_resting || changed) && !c->ui->pointer_moved;
    memory->seen = at;
    return memory->is_resting;
}

static Rect place_of(const Lecture *l, AttnCell cell) {
    const LectureLayout *p = &l->layout;
    return (Rect){p->matrix.x + p->cell * (float)l->shown->key_place[cell.key],
                  p->matrix.y + p->cell * (float)l->shown->query_place[cell.query], p->cell,
                  p->cell};
}

/* While the pointer is pressed, move the spotlight to the pair nearest to it. A press without a
 * drag is a click, which pins the pair. */
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
    view_cells(
        c,
        ui_id("lecture cells", c->settings->maps.show * MINUS_COUNT + c->settings->maps.minus.row),
        &drawn);
    draw_clip_restore(c->ui->list, clip);
    if (p->scale.h <= 0)
        return;
    Rect name = {p->matrix.x - p->label_w, p->scale.y - 10, p->label_w - 14, 36};
    text_in(c->ui, name, TEXT_FORMULA | TEXT_PX((int)LECTURE_CONTROL) | TEXT_RIGHT, "%s",
            lecture_symbol(l));
    heatmap_scale(c, p->scale, l->tile, NAN, LECTURE_LABEL);
}

/* The spotlight lights the row and the column of `cell`, and a circle. */
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
    if (part.w > 0 && part.h > 0)
        draw_disc(ui->list, light->middle, all, COLOUR_CLEAR, width,
                  colour_fade(ui->theme->canvas, VEIL));
    draw_clip_restore(ui->list, clip);
}

/* Veil the matrix except for the row, column and circle of the light. A thin row or column is
 * widened to LINE_LEAST, so that it stays visible. */
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
    DrawList *list = l->ui->list;
    const Theme *theme = l->ui->theme;
    Rect clip = draw_clip(list, l->layout.matrix);
    draw_disc(list, light->middle, light->radius + LIGHT_CASING / 2.0f, COLOUR_CLEAR, LIGHT_CASING,
              theme->casing);
    draw_disc(list, light->middle, light->radius + LIGHT_RING / 2, COLOUR_CLEAR, LIGHT_RING,
              theme->ring);
    draw_clip_restore(list, clip);
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

static void matrix(const Lecture *l) {
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

void lecture_frame(const ViewContext *c, Rect area) {
    Lecture l;
    int T = c->run->T;
    if (!lecture_begin(&l, c)) {
        area = rect_inset(area, MARGIN_X, 24);
        area.w = fminf(area.w, 720);
        text_wrap(c->ui, &area,
                  TEXT_BODY | TEXT_PLAIN | TEXT_BRIGHT | TEXT_PX((int)LECTURE_CONTROL),
                  l.shown->why);
        ui_fail(c->ui, "Heads", l.shown->why);
        return;
    }
    l.layout = layout_of(&l, area);
    l.lit = c->hover->lit;
    if (l.is_held || is_resting(c, l.at) || !attn_cell_is_set(l.lit) || l.lit.query >= T ||
        l.lit.key >= T)
        l.lit = ATTN_CELL_NONE;
    matrix(&l);
    labels(&l);
    int rows = l.made.maps.order == ORDER_POSITION ? T : 0;
    Rect m = l.layout.matrix, whole = l.layout.area;
    whole.x = m.x - l.layout.label_w;
    whole.w = rect_right(m) - whole.x + l.layout.lean;
    draw_part(c->ui->list,
              &(DrawPart){.rect = whole,
                          .cells = m,
                          .rows = rows,
                          .cols = rows,
                          .numbers = heatmap_numbers(l.shown, l.tile)},
              "heads.matrix.%d", c->session->options.head);
    if (l.layout.list.w <= 0)
        return;
    draw_part(c->ui->list, PART_RECT(l.layout.list), "heads.row");
    lecture_row(&l);
}
