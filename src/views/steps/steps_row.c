#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/number.h"
#include "base/util.h"
#include "draw/part.h"
#include "ui/formula.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "ui/tween.h"
#include "views/shared/number_editor.h"
#include "views/steps/steps_view.h"

#define VEIL          0.52f /* opacity of the veil over everything outside the path */
#define NAME_SIZE     26
#define SMALL         15
#define NAME_AWAY     10
#define GAP_FROM      12 /* px: a cell at least this large has a gap */
#define RING          2.0f
#define RING_LEAST    5 /* px: least side of the area inside a ring */
#define PILL_AWAY_Y   30
#define BEAM_AWAY     10
#define EDITOR_GAP    8  /* px between the editor of a number and its row */
#define BOX_RADIUS    14 /* px: corner radius of the backgrounds of learned matrices */
#define BOX_PAD       12
#define BOX_WORDS_MIN 110 /* px: a narrower background shows only names, without their meaning */
#define BOX_NAME_SIZE 20
#define BOX_NAME_AWAY 8 /* px from a learned matrix up to its name's baseline */
#define BOX_LINE_H    24

#define LEARNED_HELP                                                                               \
    "Training sets these numbers. A text does not change them: the tokens of every text pass "     \
    "through the same matrices."
#define COMPUTED_HELP                                                                              \
    "Each text has scores and attention weights of its own. They are computed from X and the "     \
    "learned matrices."

Rect steps_cells_rect(const Steps *s, StepsPart part, float row, float rows, float col,
                      float cols) {
    const StepsPlan *plan = &s->plan;
    Rect m = plan->part[part];
    float w = STEPS_PART[part].by_token ? plan->token : plan->feature;
    float h = steps_is_learned(part) ? plan->weight : plan->token;
    return (Rect){m.x + col * w, m.y + row * h, cols * w, rows * h};
}

static void ring(const ViewContext *c, Rect rect, Colour colour, float border) {
    float dx = fmaxf(RING_LEAST - rect.w, 0) / 2, dy = fmaxf(RING_LEAST - rect.h, 0) / 2;
    Rect at = {rect.x - dx - 1.5f, rect.y - dy - 1.5f, rect.w + 2 * dx + 3, rect.h + 2 * dy + 3};
    draw_ring(c->ui->list, rect_inset(at, -1.5f, -1.5f), 4.5f, border + 3, c->ui->theme->casing);
    draw_ring(c->ui->list, at, 3, border, colour);
}

void steps_light(const Steps *s, StepsPart part, int row, int rows, int col, int cols) {
    Rect rect = steps_cells_rect(s, part, (float)row, (float)rows, (float)col, (float)cols);
    if (s->plan.part[part].w > 0)
        ring(s->c, rect, s->c->ui->theme->beam, RING);
}

/* Draw a title and its meaning. If it is known, add how many of its numbers the last edit
 * changed. */
static void box_words(const Steps *s, Rect place, const char *title, const char *meaning,
                      const char *help, long long changed, long long all, const char *what) {
    Ui *ui = s->c->ui;
    UiId id = ui_id(meaning, (int)place.x);
    if (place.w < BOX_WORDS_MIN)
        return;
    tooltip_on(ui, id, place, ui_over(ui, place), &(Tooltip){.title = title, .text = help});
    place.h = fminf(place.h, BOX_LINE_H * (s->c->before != NULL ? 3 : 2));
    text_in(ui, rect_cut_top(&place, BOX_LINE_H), TEXT_STRONG, "%s", title);
    text_in(ui, rect_cut_top(&place, BOX_LINE_H), TEXT_CAPTION, "%s", meaning);
    if (s->c->before != NULL)
        text_in(ui, place, TEXT_NOTE | TEXT_BRIGHT, "%s of %s %s changed\n%s of %s changed",
                GROUPED(changed), GROUPED(all), what, GROUPED(changed), GROUPED(all));
}

/* Draw the backgrounds and names of the learned matrices, and write how many learned numbers and
 * attention weights the last edit changed. */
static void learned(const Steps *s) {
    Ui *ui = s->c->ui;
    const StepsPlan *plan = &s->plan;
    const ResultsChange *change = &s->c->memory->steps.change;
    for (int i = 0; i < 2; i++) {
        Rect ground = plan->learned[i], place = rect_inset(ground, BOX_PAD, BOX_PAD - 2);
        if (ground.w <= 0)
            return;
        draw_fill(ui->list, ground, BOX_RADIUS, ui->theme->raised);
        draw_part(ui->list, PART_RECT(ground), "steps.learned.%d", i + 1);
        place.w = plan->part[i == 0 ? STEPS_W_Q : STEPS_W_O].x - BOX_PAD - place.x;
        box_words(s, place, "Learned", "the same for every text", LEARNED_HELP, change->learned,
                  change->learned_all, "learned numbers");
    }
    box_words(s, rect_inset(plan->computed, 0, BOX_PAD - 2), "Computed", "from this text",
              COMPUTED_HELP, change->weights, change->weights_all, "attention weights");
    for (StepsPart p = STEPS_W_Q; p < STEPS_ALL; p++)
        if (plan->part[p].w > 0)
            formula_draw(ui, (Vec2){plan->part[p].x, plan->part[p].y - BOX_NAME_AWAY},
                         BOX_NAME_SIZE, ui->theme->text_1, steps_name(&s->n, p));
}

static void cells(const Steps *s, StepsPart part) {
    const ViewContext *c = s->c;
    const StepsMemory *memory = &c->memory->steps;
    Rect rect = s->plan.part[part];
    Mat m = memory->shown[part].rows > 0 ? memory->shown[part] : steps_matrix(s, part);
    float most = memory->most[part] > 0 ? memory->most[part] : 1;
    DrawCells drawn = part == STEPS_A ? view_cells_of(c, rect, &m, view_scale_top(c), false)
                                      : view_cells_of(c, rect, &m, most, true);
    drawn.gap = rect.w / (float)m.cols >= GAP_FROM ? 1 / c->ui->list->scale : 0;
    view_cells(c, ui_id("steps cells", (int)part), &drawn);
    m = steps_matrix(s, part); /* without the fade after an edit */
    const StepsPartRow *row = &STEPS_PART[part];
    draw_part(c->ui->list,
              &(DrawPart){.rect = rect,
                          .cells = rect,
                          .rows = m.rows,
                          .cols = m.cols,
                          .numbers = {row->name, m.at, m.rows, m.cols, m.stride,
                                      !steps_is_learned(part), row->by_token, NULL, NULL}},
              "steps.matrix.%d", (int)part + 1);
}

static void veil_rect(const Steps *s, Rect rect) {
    draw_fill(s->c->ui->list, rect, 0, colour_fade(s->c->ui->theme->canvas, VEIL));
}

/* Veil the parts of *m above `open` and at its sides. Leave in *m what is below `open`. */
static void veil(const Steps *s, Rect *m, Rect open) {
    open = rect_intersect(open, *m);
    veil_rect(s, rect_cut_top(m, open.y - m->y));
    Rect beside = rect_cut_top(m, open.h);
    veil_rect(s, rect_cut_left(&beside, open.x - m->x));
    rect_cut_left(&beside, open.w);
    veil_rect(s, beside);
}

/* Return the part of a matrix that is on the path. That is all of K and V, because the query meets
 * every key and reads every value; all of the matrices that make Q, K and V; one column of W_O; one
 * number of Y; in other matrices, the query's row. */
static Rect open_part(const Steps *s, StepsPart part) {
    if (STEPS_PART[part].of_keys || (steps_is_learned(part) && part != STEPS_W_O))
        return s->plan.part[part];
    if (part == STEPS_Y)
        return steps_cells_rect(s, part, s->row, 1, s->output, 1);
    if (part == STEPS_W_O) /* one column of W_O makes the number of Y */
        return steps_cells_rect(s, part, 0, (float)steps_rows(&s->n, part), s->output, 1);
    return steps_cells_rect(s, part, s->row, 1, 0, (float)steps_cols(&s->n, part));
}

/* True if two rows of the matrix are on the path: in a form without factors, the key's row of X
 * meets the query's row of X·W_QK. */
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
    const CellStory *n = &s->n;
    Colour colour = c->ui->theme->ring;
    float V = (float)n->shape->V;
    ring(c,
         part == STEPS_K ? steps_cells_rect(s, part, s->key, 1, 0, (float)n->shape->K)
                         : open_part(s, part),
         colour, RING);
    if (has_second_row(s, part))
        ring(c, steps_cells_rect(s, part, s->key, 1, 0, (float)n->shape->D), colour, 1.6f);
    if (STEPS_PART[part].by_token)
        ring(c, steps_cells_rect(s, part, s->row, 1, s->key, 1), colour, RING);
    if (part == STEPS_Z && n->shape->H > 1) {
        float head = ui_tween(c->ui, ui_id("steps head", 0), (float)n->at.head, MOTION_PIN);
        ring(c, steps_cells_rect(s, part, s->row, 1, head * V, V), view_head_colour(c, n->at.head),
             RING + 0.6f);
    }
}

/* Draw a matrix's name, with its size and the end of its scale if there is room. The name is where
 * no beam crosses it: before or after the beam that enters the matrix. */
static void name(const Steps *s, StepsPart part) {
    Ui *ui = s->c->ui;
    Rect m = s->plan.part[part];
    float beam = steps_beam_into(s, part), end = rect_right(s->plan.transport);
    const char *whole = steps_name(&s->n, part), *brief = part == STEPS_Z ? "Z" : whole;
    char size[48], scale[40] = "";
    snprintf(size, sizeof size, "%d×%d", s->c->run->T, steps_cols(&s->n, part));
    if (part != STEPS_A)
        snprintf(scale, sizeof scale, "±%s", FIXED((double)s->c->memory->steps.most[part], 1));
    const char *const tries[][3] = {{whole, size, scale},
                                    {whole, "", scale},
                                    {brief, "", scale},
                                    {whole, "", ""},
                                    {brief, "", ""}};
    for (StepsPart p = STEPS_PARTS - 1; p > part; p--)
        end = s->plan.part[p].w > 0 ? s->plan.part[p].x - NAME_AWAY : end;
    end = part == STEPS_V ? steps_beam_from(s) - 4 : end;
    for (size_t i = 0; i < ARRAY_COUNT(tries); i++) {
        float width = formula_width(ui, NAME_SIZE, tries[i][0]);
        Vec2 at = {m.x, m.y - 12};
        for (int k = 1; k < 3; k++)
            if (tries[i][k][0] != '\0')
                width += NAME_AWAY + text_width(ui, TEXT_COUNT, "%s", tries[i][k]);
        if (beam > at.x - BEAM_AWAY && beam < at.x + width + BEAM_AWAY)
            at.x = beam + BEAM_AWAY;
        if (at.x + width > end)
            continue;
        at.x += formula_draw(ui, at, NAME_SIZE, ui->theme->text_1, tries[i][0]) + NAME_AWAY;
        for (int k = 1; k < 3; k++)
            if (tries[i][k][0] != '\0')
                at.x += text_at(ui, at, TEXT_COUNT, "%s", tries[i][k]) + NAME_AWAY;
        return;
    }
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
    TokenLabel name = c->run->labels[token];
    float width = fminf(label_width(c->ui, style.font, SMALL, name.bytes, name.size), place.w - 12);
    if (is_query)
        draw_fill(c->ui->list, (Rect){rect_right(place) - width - 10, place.y, width + 12, 20}, 5,
                  theme->fill);
    place.w -= 4;
    place = (Rect){rect_right(place) - width - 1, place.y, width + 1, place.h};
    label_draw_bytes(c->ui, place, &style, name.bytes, name.size);
}

/* Return the index of the token or feature under the pointer. */
static int along(float from, float each, int count, float at) {
    int i = (int)floorf((at - from) / each);
    return i < 0 ? 0 : i >= count ? count - 1 : i;
}

/* Follow the row and column that the user clicked, and go to the matrix's step. */
static void follow(const Steps *s, StepsPart part, int row, int col) {
    const ViewContext *c = s->c;
    const StepsPartRow *of = &STEPS_PART[part];
    int query = of->of_keys ? s->n.at.query : row;
    int key = of->of_keys ? row : of->by_token ? col : s->n.at.key;
    if (query != s->n.at.query || key != s->n.at.key)
        edit_push_state(c->edits, "pin", "%d,%d", query + 1, key + 1);
    if (part == STEPS_Z && col / s->n.shape->V != s->n.at.head)
        edit_push_state(c->edits, "head", "%d", col / s->n.shape->V + 1);
    if (part == STEPS_Y && col != s->n.column)
        view_set_number(c, "steps-output", col + 1, 0);
    steps_go(c, of->step);
}

/* Let a click on a token's name follow this token. */
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

/* Draw the row labels. If rows are too low for all labels, draw every n-th, and always those of the
 * query and the key. */
static void row_labels(const Steps *s) {
    int every = (int)ceilf(17 / s->plan.token), query = s->n.at.query, key = s->n.at.key;
    if (s->plan.labels_w <= 0)
        return;
    label_pointer(s);
    for (int i = 0; i < s->c->run->T; i++) {
        bool near = i != query && abs(i - query) < every;
        bool near_key = i != key && abs(i - key) < every;
        if (i == query || (i == key && !near) || (i % every == 0 && !near && !near_key))
            row_label(s, i);
    }
}

/* Return the kind of number that editing a part changes, or -1. */
static int hand_of(const Steps *s, StepsPart part) {
    return part == STEPS_W_Q && !attn_has_factors(s->n.shape) ? ATTN_W_QK : STEPS_PART[part].hand;
}

/* The entry under the pointer; part is STEPS_ALL for none. */
typedef struct Over {
    StepsPart part;
    int row, col;
} Over;

static void pointer(const Steps *s, StepsPart part, Over *over) {
    Ui *ui = s->c->ui;
    Rect m = s->plan.part[part], cell = steps_cells_rect(s, part, 0, 1, 0, 1);
    UiState state = ui_control(ui, ui_id("steps matrix", (int)part), m, UI_NO_FOCUS);
    if (!state.hovered)
        return;
    int row = along(m.y, cell.h, steps_rows(&s->n, part), ui->pointer.y);
    int col = along(m.x, cell.w, steps_cols(&s->n, part), ui->pointer.x);
    *over = (Over){part, row, col};
    HandNumber place = {.name = hand_of(s, part), .row = row, .col = col};
    cell = steps_cells_rect(s, part, (float)row, 1, (float)col, 1);
    if (place.name >= 0) {
        place.head = hand_name_has_heads(place.name) ? s->n.at.head : 0;
        /* Place the editor above the row, if it fits there, so that it covers no card. */
        bool fits_above = cell.y > NUMBER_EDITOR_H + EDITOR_GAP;
        float bottom = fits_above ? s->c->ui->list->height : rect_bottom(cell);
        if (number_editor_offer(s->c, state, place, cell,
                                (Rect){m.x, cell.y, m.w, bottom - cell.y}))
            return;
    }
    if (steps_is_learned(part)) {
        if (state.clicked)
            steps_go(s->c, STEPS_PART[part].step);
        return;
    }
    if (state.clicked)
        follow(s, part, row, col);
    AttnCell at = s->n.at;
    *(STEPS_PART[part].of_keys ? &at.key : &at.query) = row;
    at.key = STEPS_PART[part].by_token ? col : at.key;
    view_light_row(s->c, at);
}

void steps_row(const Steps *s) {
    const ViewContext *c = s->c;
    Over over = {.part = STEPS_ALL};
    learned(s);
    for (StepsPart p = 0; p < STEPS_ALL; p++) {
        Rect m = s->plan.part[p], cell = steps_cells_rect(s, p, 0, 1, 0, 1);
        if (m.w <= 0)
            continue;
        if (!steps_is_learned(p))
            name(s, p);
        cells(s, p);
        veils(s, p);
        if (hand_of(s, p) >= 0)
            number_marks_draw(c, &(NumberMarks){.name = hand_of(s, p),
                                                .head = s->n.at.head,
                                                .rect = m,
                                                .cell = {cell.w, cell.h}});
        pointer(s, p, &over);
    }
    row_labels(s);
    for (StepsPart p = 0; p < STEPS_PARTS; p++)
        if (s->plan.part[p].w > 0)
            marks(s, p);
    if (over.part == STEPS_ALL)
        return;
    steps_light(s, over.part, over.row, 1, over.col, 1);
    /* the exact number, above the cell under the pointer */
    Mat m = steps_matrix(s, over.part);
    float value = mat_row(&m, over.row)[over.col];
    Rect cell = steps_cells_rect(s, over.part, (float)over.row, 1, (float)over.col, 1);
    Vec2 at = {cell.x + cell.w / 2, cell.y - PILL_AWAY_Y};
    if (isfinite(value))
        view_value_pill(c, at, c->ui->list->clip, value, true);
}
