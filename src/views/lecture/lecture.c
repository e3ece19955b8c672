#include "views/lecture/lecture.h"

#include <math.h>
#include <string.h>

#include "draw/part.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "views/lecture/lecture_parts.h"

#define MARGIN_X     28
#define LABEL_MOST   190
#define LABEL_SHARE  0.2f /* most of the matrix's width, or height, that labels may take */
#define LABEL_GAP    24   /* px between a label with its background and the matrix */
#define CELL_MOST    120
#define CELL_GAPPED  12 /* px: cells of this size have gaps between them */
#define SLANT_RISE   0.8660254f
#define SLANT_LEAN   0.5f
#define LEADING      4   /* px between two labels */
#define SCALE_H      74  /* height of the colour scale with its numbers and the space above it */
#define SCALE_LEAST  330 /* px of height; a lower view has no colour scale */
#define LIST_LEAST   250
#define LIST_MOST    500
#define LIST_WANTED  400 /* px that the list gets if the matrix leaves them */
#define BETWEEN      28
#define MEASURED     512 /* most tokens whose labels are measured to find the widest */
#define MATRIX_LEAST 120

int lecture_tile(const ViewContext *c, const Heatmap *shown) {
    int head = c->session->options.head - 1;
    for (int i = 0; i < shown->layer[0].count; i++)
        if (shown->layer[0].tile[i].id == head)
            return i;
    return 0;
}

AttnCell lecture_cell_at(const ViewContext *c) {
    const LectureMemory *memory = &c->memory->lecture;
    int T = c->run->T;
    if (memory->held_query > 0 && memory->held_query <= T && memory->held_key <= T)
        return (AttnCell){0, c->session->options.head - 1, memory->held_query - 1,
                          memory->held_key - 1};
    return T == 1 ? (AttnCell){0, c->session->options.head - 1, 0, 0} : view_rest(c);
}

Rect lecture_cell(const Lecture *l, AttnCell cell) {
    const LectureLayout *at = &l->layout;
    return (Rect){at->matrix.x + at->cell * (float)l->shown->key_place[cell.key],
                  at->matrix.y + at->cell * (float)l->shown->query_place[cell.query], at->cell,
                  at->cell};
}

float lecture_value(const Lecture *l, AttnCell cell) {
    return heatmap_value(l->shown, 0, l->index, cell.query, cell.key);
}

static float widest_label(const ViewContext *c) {
    float widest = 0;
    for (int i = 0; i < c->run->T && i < MEASURED; i++) {
        size_t bytes;
        const char *text = view_token(c, i, &bytes);
        widest = fmaxf(widest, label_width(c->ui, FONT_SANS_BOLD, LECTURE_LABEL, text, bytes));
    }
    return widest;
}

/* Set the cell to whole device pixels; if not even one fits, cells share a pixel. */
static void set_cell(LectureLayout *l, const ViewContext *c, float room) {
    float scale = c->ui->list->scale, cell = fminf(room / (float)l->tokens, CELL_MOST);
    float px = floorf(cell * scale + 0.001f);
    l->cell = px < 1 ? fmaxf(cell, 1e-3f) : px / scale;
    float shown_px = l->cell * scale;
    l->pool = shown_px >= 0.999f ? 1 : (int)ceilf(1 / shown_px - 1e-3f);
    l->pool = l->pool > l->tokens ? l->tokens : l->pool;
    l->gap = l->cell >= CELL_GAPPED ? 1 / scale : 0;
    l->row_step = (int)ceilf((LECTURE_LABEL + LEADING) / l->cell);
    l->column_step = (int)ceilf((LECTURE_LABEL + LEADING) / SLANT_RISE / l->cell);
}

/* Centre matrix and list side by side in the available area. */
static void place(LectureLayout *l, const ViewContext *c, float rise) {
    float side = l->cell * (float)l->tokens, scale = c->ui->list->scale;
    float left_w = l->label_w + side, between = BETWEEN + l->lean;
    float rest = l->area.w - left_w - between;
    bool has_list = rest >= LIST_LEAST - 1;
    float list_w = has_list ? fminf(rest, LIST_MOST) : 0;
    float spare = fmaxf(rest - list_w, 0) * (has_list ? 1 / 3.0f : 0.5f);
    float height = rise + side + l->scale.h;
    float y = l->area.y + rise + fmaxf(l->area.h - height, 0) / 2;
    float x = l->area.x + spare + l->label_w;
    l->matrix = (Rect){floorf(x * scale) / scale, floorf(y * scale) / scale, side, side};
    l->scale.x = l->matrix.x;
    l->scale.w = side;
    l->scale.y = rect_bottom(l->matrix) + 18;
    float list_x = rect_right(l->matrix) + between + (has_list ? spare : 0);
    l->list = (Rect){list_x, l->area.y + 8, list_w, l->area.h - 16};
}

static LectureLayout lecture_layout(const ViewContext *c, Rect area) {
    LectureLayout l = {.area = rect_inset(area, MARGIN_X, 4), .tokens = c->run->T};
    float widest = widest_label(c);
    float most = fminf(LABEL_MOST, LABEL_SHARE * l.area.w);
    float most_up = fminf(LABEL_MOST, LABEL_SHARE * 1.25f * l.area.h / SLANT_RISE);
    float symbol = formula_width(c->ui, LECTURE_CONTROL, lecture_symbol(c));
    l.label_most = fminf(most, most_up);
    float label = fminf(widest, l.label_most);
    l.label_w = fmaxf(label, symbol) + LABEL_GAP;
    float rise = label * SLANT_RISE + LECTURE_LABEL;
    l.lean = label * SLANT_LEAN;
    l.scale.h = l.area.h >= SCALE_LEAST ? SCALE_H : 0;
    float height = l.area.h - rise - l.scale.h;
    float width = l.area.w - l.label_w - l.lean - BETWEEN;
    float request = fminf(fmaxf(width * 0.45f, LIST_LEAST), LIST_WANTED);
    if (width - request >= MATRIX_LEAST)
        width -= request;
    set_cell(&l, c, fmaxf(fminf(width, height), 1));
    place(&l, c, rise);
    return l;
}

/* Draw the reason why nothing can be shown. */
static void say_why(const ViewContext *c, Rect area, const char *why) {
    LabelStyle style = {FONT_SANS, LECTURE_CONTROL, c->ui->theme->text_1, LABEL_LEFT};
    area = rect_inset(area, MARGIN_X, 24);
    area.w = fminf(area.w, 720);
    label_wrap(c->ui, area, &style, why);
    ui_fail(c->ui, "Heads", why);
}

/* True if the pointer rests: keys moved the focus, and the pointer has not moved since then. */
static bool is_resting(const ViewContext *c, AttnCell at) {
    LectureMemory *memory = &c->memory->lecture;
    bool changed = memory->seen_head != at.head || memory->seen_query != at.query ||
                   memory->seen_key != at.key;
    memory->is_resting = (memory->is_resting || changed) && !c->ui->pointer_moved;
    memory->seen_head = at.head;
    memory->seen_query = at.query;
    memory->seen_key = at.key;
    return memory->is_resting;
}

static AttnCell lit_cell(const ViewContext *c) {
    AttnCell lit = c->hover->lit;
    bool inside = attn_cell_is_set(lit) && lit.query < c->run->T && lit.key < c->run->T;
    return inside ? lit : ATTN_CELL_NONE;
}

void lecture_frame(const ViewContext *c, Rect area) {
    const Heatmap *shown = heatmap_update(c);
    if (shown->why[0] != '\0') {
        say_why(c, area, shown->why);
        return;
    }
    Settings made = *c->settings;
    ViewContext context = *c; /* the data may still be of earlier settings */
    context.settings = &made;
    heatmap_settings(&made, c, shown);
    Lecture l = {.context = &context, .shown = shown, .index = lecture_tile(c, shown)};
    l.layout = lecture_layout(&context, area);
    l.at = lecture_cell_at(&context);
    l.is_held = c->memory->lecture.held_query > 0;
    l.lit = l.is_held || is_resting(c, l.at) ? ATTN_CELL_NONE : lit_cell(c);
    lecture_matrix(&l);
    lecture_labels(&l);
    bool in_order = made.order == ORDER_POSITION;
    int T = in_order ? c->run->T : 0;
    Rect m = l.layout.matrix, whole = l.layout.area;
    whole.x = m.x - l.layout.label_w;
    whole.w = rect_right(m) - whole.x + l.layout.lean;
    draw_part(c->ui->list, &(DrawPart){.rect = whole, .cells = m, .rows = T, .cols = T},
              "heads.matrix.%d", c->session->options.head);
    if (l.layout.list.w <= 0)
        return;
    draw_part(c->ui->list, PART_RECT(l.layout.list), "heads.row");
    lecture_row(&l);
}
