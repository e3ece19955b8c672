#include "views/lecture/lecture.h"

#include <math.h>

#include "draw/part.h"
#include "ui/formula.h"
#include "ui/text.h"
#include "views/lecture/lecture_parts.h"

#define MARGIN_X     28
#define LABEL_MOST   190
#define LABEL_SHARE  0.2f /* largest share of the matrix's width, or height, for labels */
#define LABEL_GAP    24   /* px between a label with its background and the matrix */
#define CELL_MOST    120
#define CELL_GAPPED  12 /* px: a cell at least this large has a gap */
#define SLANT_RISE   0.8660254f
#define SLANT_LEAN   0.5f
#define LEADING      4   /* px between two labels */
#define SCALE_H      74  /* height of the colour scale with its numbers and the space above it */
#define SCALE_LEAST  330 /* px: a view lower than this has no colour scale */
#define LIST_LEAST   250
#define LIST_MOST    500
#define LIST_WANTED  400 /* px: most width that is kept for the list before the matrix is sized */
#define BETWEEN      28
#define MATRIX_LEAST 120

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
    l->row_step = (int)ceilf((LECTURE_LABEL + LEADING) / l->cell);
    l->column_step = (int)ceilf((LECTURE_LABEL + LEADING) / SLANT_RISE / l->cell);
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

/* True if the pointer rests: the keyboard has moved the focus, and the pointer has not moved
 * since. */
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
    lecture_matrix(&l);
    lecture_labels(&l);
    int rows = l.made.order == ORDER_POSITION ? T : 0;
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
