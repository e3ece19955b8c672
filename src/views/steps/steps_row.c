#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/util.h"
#include "draw/part.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/tween.h"
#include "views/shared/number_editor.h"
#include "views/steps/steps_view.h"

#define VEIL        0.52f /* opacity of the veil over everything that is not on the path */
#define NAME_SIZE   26
#define SMALL       15
#define NAME_AWAY   10
#define GAP_FROM    12 /* px: cells of this size have gaps */
#define RING        2.0f
#define PILL_AWAY_Y 30
#define BEAM_AWAY   10

Rect steps_cells_rect(const Steps *s, StepsPart part, float row, float rows, float col,
                      float cols) {
    const StepsPlan *plan = &s->plan;
    Rect m = plan->part[part];
    float w = steps_is_by_token(part) ? plan->token : plan->feature;
    float h = steps_is_learned(part) ? plan->weight : plan->token;
    return (Rect){m.x + col * w, m.y + row * h, cols * w, rows * h};
}

void steps_ring(const ViewContext *c, Rect rect, Colour colour, float border) {
    float least = 5, dx = fmaxf(least - rect.w, 0) / 2, dy = fmaxf(least - rect.h, 0) / 2;
    Rect ring = {rect.x - dx - 1.5f, rect.y - dy - 1.5f, rect.w + 2 * dx + 3, rect.h + 2 * dy + 3};
    Rect casing = {ring.x - 1.5f, ring.y - 1.5f, ring.w + 3, ring.h + 3};
    draw_ring(c->ui->list, casing, 4.5f, border + 3, c->ui->theme->casing);
    draw_ring(c->ui->list, ring, 3, border, colour);
}

static void cells(const Steps *s, StepsPart part) {
    const ViewContext *c = s->c;
    Rect rect = s->plan.part[part];
    Mat m = steps_values(s, part);
    bool is_weight = part == STEPS_A;
    float most = c->memory->steps.most[part], cell = rect.w / (float)m.cols;
    float hi = is_weight ? view_scale_top(c) : most > 0 ? most : 1;
    DrawCells drawn = view_cells_of(c, rect, &m, hi, !is_weight);
    drawn.gap = cell >= GAP_FROM ? 1 / c->ui->list->scale : 0;
    view_cells(c, ui_id("steps cells", (int)part), &drawn);
    draw_part(c->ui->list, PART_CELLS(rect, m.rows, m.cols), "steps.matrix.%d", (int)part + 1);
}

static void veil_rect(const Steps *s, Rect rect) {
    draw_fill(s->c->ui->list, rect, 0, colour_fade(s->c->ui->theme->canvas, VEIL));
}

/* Veil the parts of m outside open. */
static void veil(const Steps *s, Rect *m, Rect open) {
    open = rect_intersect(open, *m);
    veil_rect(s, rect_cut_top(m, open.y - m->y));
    Rect beside = rect_cut_top(m, open.h);
    veil_rect(s, rect_cut_left(&beside, open.x - m->x));
    rect_cut_left(&beside, open.w);
    veil_rect(s, beside);
}

/* Return the part of a matrix that is on the path: all of K and V, because the query meets every
 * key and reads every value; all of the matrices that make Q, K and V; the query's row of the other
 * matrices; one number of Y. */
static Rect open_part(const Steps *s, StepsPart part) {
    if (part == STEPS_K || part == STEPS_V || (steps_is_learned(part) && part != STEPS_W_O))
        return s->plan.part[part];
    if (part == STEPS_Y)
        return steps_cells_rect(s, part, s->row, 1, s->output, 1);
    if (part == STEPS_W_O) /* a column of W_O makes the number of Y */
        return steps_cells_rect(s, part, 0, (float)steps_rows(&s->n, part), s->output, 1);
    return steps_cells_rect(s, part, s->row, 1, 0, (float)steps_cols(&s->n, part));
}

/* In a form without factors, the key's row of X meets the query's row of X·W_QK. */
static bool has_second_row(const Steps *s, StepsPart part) {
    return part == STEPS_X && !attn_has_factors(s->n.shape) && fabsf(s->row - s->key) >= 1;
}

static void veils(const Steps *s, StepsPart part) {
    Rect m = s->plan.part[part], open = open_part(s, part);
    if (has_second_row(s, part)) {
        Rect other = steps_cells_rect(s, part, s->key, 1, 0, (float)s->n.shape->D);
        veil(s, &m, other.y < open.y ? other : open);
        open = other.y < open.y ? open : other;
    }
    veil(s, &m, open);
    veil_rect(s, m);
}

static void marks(const Steps *s, StepsPart part) {
    const ViewContext *c = s->c;
    const StepsNumbers *n = &s->n;
    Colour ring = c->ui->theme->ring;
    steps_ring(c,
               part == STEPS_K ? steps_cells_rect(s, part, s->key, 1, 0, (float)n->shape->K)
                               : open_part(s, part),
               ring, RING);
    if (has_second_row(s, part))
        steps_ring(c, steps_cells_rect(s, part, s->key, 1, 0, (float)n->shape->D), ring, 1.6f);
    if (steps_is_by_token(part))
        steps_ring(c, steps_cells_rect(s, part, s->row, 1, s->key, 1), ring, RING);
    if (part == STEPS_Z && n->shape->H > 1) {
        float head = ui_tween(c->ui, ui_id("steps head", 0), (float)n->at.head, MOTION_PIN);
        float V = (float)n->shape->V;
        steps_ring(c, steps_cells_rect(s, part, s->row, 1, head * V, V),
                   view_head_colour(c, n->at.head), RING + 0.6f);
    }
}

/* Return the width for names above a matrix: up to the next matrix, or for V up to the beam that
 * leaves it. */
static float name_room(const Steps *s, StepsPart part) {
    const Rect *m = &s->plan.part[part];
    float end = rect_right(s->plan.transport);
    for (StepsPart p = part + 1; p < STEPS_PARTS; p++)
        if (s->plan.part[p].w > 0) {
            end = s->plan.part[p].x - NAME_AWAY;
            break;
        }
    return (part == STEPS_V ? steps_beam_from(s) - 4 : end) - m->x;
}

/* A matrix's heading and the x where it starts. */
typedef struct Heading {
    const char *name, *size, *scale; /* size and scale are "" if left out */
    float width, x;
} Heading;

/* Find a place for a heading that no beam crosses: in front of the beam or behind it. Return false
 * if there is no room. */
static bool find_place(const Steps *s, StepsPart part, Heading *h) {
    Ui *ui = s->c->ui;
    float left = s->plan.part[part].x, end = left + name_room(s, part);
    float beam = steps_beam_into(s, part);
    h->width = formula_width(ui, NAME_SIZE, h->name);
    for (int i = 0; i < 2; i++) {
        const char *text = i == 0 ? h->size : h->scale;
        if (text[0] != '\0')
            h->width += NAME_AWAY + label_width(ui, FONT_MONO, SMALL, text, strlen(text));
    }
    h->x = left;
    if (beam > left - BEAM_AWAY && beam < left + h->width + BEAM_AWAY)
        h->x = beam + BEAM_AWAY;
    return h->x + h->width <= end;
}

static void name(const Steps *s, StepsPart part) {
    const ViewContext *c = s->c;
    char size[48], scale[40] = "", number[32];
    const char *whole = steps_name(&s->n, part);
    snprintf(size, sizeof size, "%d×%d", c->run->T, steps_cols(&s->n, part));
    if (part != STEPS_A) {
        number_format_fixed(number, sizeof number, (double)c->memory->steps.most[part], 1);
        snprintf(scale, sizeof scale, "±%s", number);
    }
    const char *brief = part == STEPS_Z ? "Z" : whole;
    Heading tries[] = {{whole, size, scale, 0, 0},
                       {whole, "", scale, 0, 0},
                       {brief, "", scale, 0, 0},
                       {whole, "", "", 0, 0},
                       {brief, "", "", 0, 0}};
    const Heading *h = NULL;
    for (size_t i = 0; i < ARRAY_COUNT(tries) && h == NULL; i++)
        h = find_place(s, part, &tries[i]) ? &tries[i] : NULL;
    if (h == NULL)
        return;
    Vec2 at = {h->x, s->plan.part[part].y - 12};
    LabelStyle style = {FONT_MONO, SMALL, c->ui->theme->text_2, LABEL_LEFT};
    at.x += formula_draw(c->ui, at, NAME_SIZE, c->ui->theme->text_1, h->name) + NAME_AWAY;
    if (h->size[0] != '\0')
        at.x += label_at(c->ui, at, &style, h->size) + NAME_AWAY;
    if (h->scale[0] != '\0')
        label_at(c->ui, at, &style, h->scale);
}

/* Draw one token's name at the left of X. */
static void row_label(const Steps *s, int token) {
    const ViewContext *c = s->c;
    const Theme *theme = c->ui->theme;
    bool is_query = token == s->n.at.query, is_key = token == s->n.at.key;
    Rect m = s->plan.part[STEPS_X];
    float y = m.y + ((float)token + 0.5f) * s->plan.token;
    Rect place = {m.x - s->plan.labels_w, y - 10, s->plan.labels_w - 10, 20};
    LabelStyle style = {is_query || is_key ? FONT_SANS_BOLD : FONT_SANS, SMALL,
                        is_query ? theme->text_on_fill
                        : is_key ? theme->text_1
                                 : theme->text_2,
                        LABEL_RIGHT};
    size_t bytes;
    const char *text = view_token(c, token, &bytes);
    float width = fminf(label_width(c->ui, style.font, SMALL, text, bytes), place.w - 12);
    if (is_query)
        draw_fill(c->ui->list, (Rect){rect_right(place) - width - 10, place.y, width + 12, 20}, 5,
                  theme->fill);
    place.w -= 4;
    place = (Rect){rect_right(place) - width - 1, place.y, width + 1, place.h};
    label_draw_bytes(c->ui, place, &style, text, bytes);
}

/* Return the token or feature under the pointer. */
static int along(float from, float each, int count, float at) {
    int i = (int)floorf((at - from) / each);
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

/* Follow the row and column that was clicked, and go to its step. */
static void follow(const Steps *s, StepsPart part, int row, int col) {
    const ViewContext *c = s->c;
    int query = s->n.at.query, key = s->n.at.key;
    bool of_keys = part == STEPS_K || part == STEPS_V;
    if (of_keys)
        key = row;
    else
        query = row;
    if (steps_is_by_token(part))
        key = col;
    if (query != s->n.at.query || key != s->n.at.key)
        edit_push_state(c->edits, "pin", "%d,%d", query + 1, key + 1);
    if (part == STEPS_Z && col / s->n.shape->V != s->n.at.head)
        edit_push_state(c->edits, "head", "%d", col / s->n.shape->V + 1);
    if (part == STEPS_Y && col != s->n.at.output) {
        char value[16];
        snprintf(value, sizeof value, "%d", col + 1);
        view_set(c, "steps-output", value, 0);
    }
    steps_go(c, steps_step_of(part));
}

/* Follow a token whose name is clicked. */
static void label_pointer(const Steps *s) {
    Ui *ui = s->c->ui;
    Rect m = s->plan.part[STEPS_X];
    Rect names = {m.x - s->plan.labels_w, m.y, s->plan.labels_w - 4, m.h};
    UiId id = ui_id("steps names", 0);
    UiState state = ui_control(ui, id, names, UI_NO_FOCUS);
    if (!state.hovered)
        return;
    int row = along(m.y, s->plan.token, s->c->run->T, ui->pointer.y);
    LabelStyle style = {FONT_SANS, SMALL, ui->theme->text_2, LABEL_LEFT};
    float y = m.y + (float)row * s->plan.token;
    view_token_tip(s->c, id, (Rect){names.x, y, names.w, s->plan.token}, true, &style,
                   s->plan.labels_w - 22, row);
    view_light_row(s->c, (AttnCell){0, s->n.at.head, row, s->n.at.key});
    if (state.clicked)
        follow(s, STEPS_X, row, 0);
}

/* Draw the row labels. If rows are too low for all, show every n-th, and always those of the query
 * and the key. */
static void row_labels(const Steps *s) {
    if (s->plan.labels_w <= 0)
        return;
    label_pointer(s);
    int every = (int)ceilf(17 / s->plan.token), T = s->c->run->T;
    const StepsPlace *at = &s->n.at;
    for (int i = 0; i < T; i++) {
        bool near = i != at->query && abs(i - at->query) < every;
        bool near_key = i != at->key && abs(i - at->key) < every;
        bool is_own = i == at->query || (i == at->key && !near);
        if (is_own || (i % every == 0 && !near && !near_key))
            row_label(s, i);
    }
}

/* Return the kind of number that an edit of a part changes: for A, its score. Return -1 for
 * none. */
static int edited_in(const Steps *s, StepsPart part) {
    static const int names[STEPS_ALL] = {
        [STEPS_X] = HAND_X,     [STEPS_Q] = -1,         [STEPS_K] = -1,
        [STEPS_V] = -1,         [STEPS_S] = HAND_S,     [STEPS_A] = HAND_S,
        [STEPS_Z] = -1,         [STEPS_Y] = -1,         [STEPS_W_Q] = ATTN_W_Q,
        [STEPS_W_K] = ATTN_W_K, [STEPS_W_V] = ATTN_W_V, [STEPS_W_O] = ATTN_W_O};
    return part == STEPS_W_Q && !attn_has_factors(s->n.shape) ? ATTN_W_QK : names[part];
}

static bool offer_editor(const Steps *s, StepsPart part, UiState state, int row, int col) {
    int name = edited_in(s, part);
    if (name < 0)
        return false;
    Rect m = s->plan.part[part], cell = steps_cells_rect(s, part, (float)row, 1, (float)col, 1);
    HandNumber place = {
        .name = name, .head = hand_name_has_heads(name) ? s->n.at.head : 0, .row = row, .col = col};
    return number_editor_offer(s->c, state, place, cell, (Rect){m.x, cell.y, m.w, cell.h});
}

static void hand_marks(const Steps *s, StepsPart part) {
    Rect cell = steps_cells_rect(s, part, 0, 1, 0, 1);
    int name = edited_in(s, part);
    if (name >= 0)
        number_marks_draw(s->c, &(NumberMarks){.name = name,
                                               .head = s->n.at.head,
                                               .rect = s->plan.part[part],
                                               .cell = {cell.w, cell.h}});
}

static void pointer(const Steps *s, StepsPart part, bool *over, StepsPart *part_over, int *row,
                    int *col) {
    Ui *ui = s->c->ui;
    Rect m = s->plan.part[part];
    UiState state = ui_control(ui, ui_id("steps matrix", (int)part), m, UI_NO_FOCUS);
    if (!state.hovered)
        return;
    Rect cell = steps_cells_rect(s, part, 0, 1, 0, 1);
    *over = true;
    *part_over = part;
    *row = along(m.y, cell.h, steps_rows(&s->n, part), ui->pointer.y);
    *col = along(m.x, cell.w, steps_cols(&s->n, part), ui->pointer.x);
    if (offer_editor(s, part, state, *row, *col))
        return;
    if (steps_is_learned(part)) {
        if (state.clicked)
            steps_go(s->c, steps_step_of(part));
        return;
    }
    if (state.clicked)
        follow(s, part, *row, *col);
    bool of_keys = part == STEPS_K || part == STEPS_V;
    AttnCell at = {0, s->n.at.head, of_keys ? s->n.at.query : *row, of_keys ? *row : s->n.at.key};
    if (steps_is_by_token(part))
        at.key = *col;
    view_light_row(s->c, at);
}

void steps_row(const Steps *s) {
    StepsPart part_over = STEPS_X;
    bool over = false;
    int row = 0, col = 0;
    steps_learned(s);
    for (StepsPart p = 0; p < STEPS_ALL; p++) {
        if (s->plan.part[p].w <= 0)
            continue;
        if (!steps_is_learned(p))
            name(s, p);
        cells(s, p);
        veils(s, p);
        hand_marks(s, p);
        pointer(s, p, &over, &part_over, &row, &col);
    }
    row_labels(s);
    for (StepsPart p = 0; p < STEPS_PARTS; p++)
        if (s->plan.part[p].w > 0)
            marks(s, p);
    if (!over)
        return;
    steps_light(s, part_over, row, 1, col, 1);
    /* Draw the exact number above the cell under the pointer. */
    const ViewContext *c = s->c;
    float value = steps_value(s, part_over, row, col);
    Rect cell = steps_cells_rect(s, part_over, (float)row, 1, (float)col, 1);
    Vec2 at = {cell.x + cell.w / 2, cell.y - PILL_AWAY_Y};
    if (isfinite(value))
        view_value_pill(c, at, c->ui->list->clip, value, true);
}

void steps_light(const Steps *s, StepsPart part, int row, int rows, int col, int cols) {
    if (s->plan.part[part].w <= 0)
        return;
    Rect rect = steps_cells_rect(s, part, (float)row, (float)rows, (float)col, (float)cols);
    steps_ring(s->c, rect, s->c->ui->theme->beam, RING);
}
