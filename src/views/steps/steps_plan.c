#include <math.h>
#include <string.h>

#include "ui/formula.h"
#include "ui/label.h"
#include "views/steps/steps_view.h"

#define TOKEN           18.0f /* height of a token's row and width of a feature, if there is room */
#define FEATURE         4.0f
#define GAP             48 /* px between the columns of the row */
#define WITHIN          22 /* px between Q, K and V */
#define WITHIN_TIGHT    14
#define LABEL_SIZE      15
#define LABEL_MOST      100
#define LABEL_AWAY      10
#define LABELS_MEASURED 64
#define NAME_H          32
#define OVER_H          27 /* height of a beam above the names */
#define UNDER_H         60 /* px for the beam below the matrices */
#define UNDER_TIGHT     34
#define CARD_LEAST      236
#define CARD_USUAL      330
#define CARD_MOST       420
#define GRID_LEAST      148
#define GRID_MOST       230
#define ONE_LEAST       128
#define CARD_GAP        24
#define WIDE_HEADS      60 /* px by which Q, K and V of one head may exceed their card's width */
#define CELLS_LEAST     40 /* least px of height for matrices */
#define BAR_GAP         16 /* px above the transport */
#define HALL_MARGIN     22
#define TIGHT_W         1000 /* narrower or lower views have smaller gaps between their parts */
#define TIGHT_H         620
#define BOX_PAD         10 /* px between learned matrices and the edge of their background */
#define BOX_NAME        26
#define BOX_CELLS       128 /* height in px of a learned matrix, if there is room */
#define BOX_CELLS_LEAST 36
#define BESIDE_BOX      96 /* least px for cells below; if less, learned matrices are hidden */

/* Least width of each of six cards in a row. */
static const float CARD_W[STEPS_COUNT] = {208, 176, 196, 196, 220, 220};

/* The first matrix of each column. */
static const StepsPart FIRST[STEPS_COUNT] = {STEPS_X, STEPS_Q, STEPS_S, STEPS_A, STEPS_Z, STEPS_Y};

typedef struct Fit {
    const ViewContext *c;
    const StepsNumbers *n;
    float names[STEPS_PARTS];
    float gap, within, labels, cells_h; /* cells_h: the height available for the matrices */
    bool has_cards;                     /* true if cards are under the matrices */
    float token, feature;
    int token_pool, feature_pool;
} Fit;

static bool is_there(const StepsNumbers *n, StepsPart part) {
    return part != STEPS_K || attn_has_factors(n->shape);
}

static int part_column(StepsPart part) {
    return steps_step_of(part) - 1;
}

/* Return a side in whole device pixels; if it is below one, several entries share a pixel. */
static float settle(float scale, float side, int *pool) {
    float px = side * scale;
    *pool = px >= 1 ? 1 : (int)ceilf(1 / fmaxf(px, 1e-4f));
    return px >= 1 ? floorf(px + 0.01f) / scale : 1 / scale / (float)*pool;
}

/* Set sizes to a share of the usual ones. Features get at least one pixel each, unless that takes
 * more than half the room. */
static void size_at(Fit *f, float share, float room) {
    float scale = f->c->ui->list->scale, columns = 0;
    for (StepsPart p = 0; p < STEPS_PARTS; p++)
        if (is_there(f->n, p) && !steps_is_by_token(p))
            columns += (float)steps_cols(f->n, p);
    float feature = fmaxf(FEATURE * share, fminf(1 / scale, room / 2 / columns));
    float token = fminf(TOKEN * share, f->cells_h / (float)f->n->shape->T);
    f->feature = settle(scale, feature, &f->feature_pool);
    f->token = settle(scale, token, &f->token_pool);
}

static float part_width(const Fit *f, StepsPart part) {
    bool tokens = steps_is_by_token(part);
    int pool = tokens ? f->token_pool : f->feature_pool;
    int cells = (steps_cols(f->n, part) + pool - 1) / pool;
    return (float)(cells * pool) * (tokens ? f->token : f->feature);
}

/* Return a column's width: that of its matrices and names, and of its card if cards are in a
 * row. */
static float column_width(const Fit *f, int column) {
    float width = column == 0 ? f->labels : 0;
    bool first = true;
    for (StepsPart p = 0; p < STEPS_PARTS; p++) {
        if (part_column(p) != column || !is_there(f->n, p))
            continue;
        width += (first ? 0 : f->within) + fmaxf(part_width(f, p), f->names[p]);
        first = false;
    }
    return f->has_cards ? fmaxf(width, CARD_W[column]) : width;
}

static float row_width(const Fit *f) {
    float width = 5 * f->gap;
    for (int i = 0; i < STEPS_COUNT; i++)
        width += column_width(f, i);
    return width;
}

/* Find the largest share at which the row fits. */
static void fit(Fit *f, float room) {
    float lo = 0, hi = 1;
    size_at(f, 1, room);
    for (int i = 0; i < 24 && (i > 0 || row_width(f) > room); i++) {
        float middle = (lo + hi) / 2;
        size_at(f, middle, room);
        if (row_width(f) <= room)
            lo = middle;
        else
            hi = middle;
        if (i == 23)
            size_at(f, lo, room);
    }
}

/* Enlarge sides by single pixels while the row still fits. Rounding each side to whole pixels
 * leaves some room. */
static void widen(Fit *f, float room) {
    float px = 1 / f->c->ui->list->scale, tall = f->cells_h / (float)f->n->shape->T;
    for (bool again = true; again;) {
        Fit more = *f;
        again = false;
        more.feature += px;
        if (f->feature_pool == 1 && more.feature <= FEATURE && row_width(&more) <= room) {
            *f = more;
            again = true;
        }
        more = *f;
        more.token += px;
        if (f->token_pool == 1 && more.token <= fminf(TOKEN, tall) && row_width(&more) <= room) {
            *f = more;
            again = true;
        }
    }
}

/* Return the width of token labels. In a long text only some are measured; no label is wider than
 * LABEL_MOST. */
static float labels_width(const ViewContext *c) {
    int step = c->run->T / LABELS_MEASURED + 1;
    float most = 0;
    for (int i = 0; i < c->run->T && most < LABEL_MOST; i += step) {
        size_t bytes;
        const char *name = view_token(c, i, &bytes);
        most = fmaxf(most, label_width(c->ui, FONT_SANS_BOLD, LABEL_SIZE, name, bytes));
    }
    return fminf(most, LABEL_MOST) + LABEL_AWAY + 12;
}

/* Place the matrices from left to right and distribute spare room over the columns. */
static void place_parts(StepsPlan *plan, const Fit *f, Rect area, float y, float room) {
    float scale = f->c->ui->list->scale, spare = fmaxf(room - row_width(f), 0);
    float gap = f->gap + fminf(spare / 5, f->has_cards ? 16 : 40);
    spare -= (gap - f->gap) * 5;
    float x = area.x, more = f->has_cards ? spare / STEPS_COUNT : 0;
    if (!f->has_cards)
        x += spare / 2;
    for (int i = 0; i < STEPS_COUNT; i++) {
        float width = column_width(f, i) + more, at = x + (i == 0 ? f->labels : 0);
        for (StepsPart p = FIRST[i]; p < STEPS_PARTS && part_column(p) == i; p++) {
            if (!is_there(f->n, p))
                continue;
            int pool = f->token_pool, T = f->n->shape->T;
            float rows = (float)((T + pool - 1) / pool * pool);
            plan->part[p] =
                (Rect){roundf(at * scale) / scale, y, part_width(f, p), rows * f->token};
            at += fmaxf(part_width(f, p), f->names[p]) + f->within;
        }
        if (f->has_cards)
            plan->card[i] = (Rect){x, 0, width, 0};
        x += width + gap;
    }
}

/* Choose the height of a row of the learned matrices. Return the height of their background, which
 * is taken from cards and cells; 0 if there is too little room. */
static float learned_height(StepsPlan *plan, const Fit *f, float height) {
    static const float least[] = {CARD_LEAST, 2 * GRID_LEAST + CARD_GAP, INFINITY};
    float scale = f->c->ui->list->scale, most = 0;
    float room = height - least[plan->mode] - BESIDE_BOX - 2 * BOX_PAD - BOX_NAME;
    if (room < BOX_CELLS_LEAST)
        return 0;
    for (StepsPart p = STEPS_W_Q; p < STEPS_ALL; p++)
        most = fmaxf(most, (float)steps_rows(f->n, p));
    room = fminf(fmaxf(room / 2, fminf(room, most / scale + 1)), BOX_CELLS);
    plan->weight = settle(scale, room / most, &plan->weight_pool);
    float cells = ceilf(most / (float)plan->weight_pool) * (float)plan->weight_pool;
    return cells * plan->weight + 2 * BOX_PAD + BOX_NAME;
}

/* Place the learned matrices above those they make. */
static void place_learned(StepsPlan *plan, const Fit *f, Rect area, float top, float height) {
    float scale = f->c->ui->list->scale, y = top + BOX_PAD + BOX_NAME;
    for (StepsPart p = STEPS_W_Q; p < STEPS_ALL; p++) {
        Rect below = plan->part[steps_made_by(p)];
        int pool = plan->weight_pool, cells = (steps_rows(f->n, p) + pool - 1) / pool;
        plan->part[p] = (Rect){below.x, roundf(y * scale) / scale, below.w,
                               (float)(cells * pool) * plan->weight};
    }
    float left = rect_right(plan->part[STEPS_V]) + BOX_PAD;
    float right = plan->part[STEPS_Z].x - BOX_PAD;
    plan->learned[0] = (Rect){area.x - BOX_PAD, top, left - area.x + BOX_PAD, height};
    plan->learned[1] = (Rect){right, top, rect_right(area) + BOX_PAD - right, height};
    left = plan->part[STEPS_S].x;
    plan->computed = (Rect){left, top, right - left - BOX_PAD, height};
}

static float over_height(const StepsNumbers *n) {
    bool skips = n->shape->block != BLOCK_ATTENTION;
    return skips ? 2 * OVER_H : OVER_H;
}

static StepsMode mode_of(float width, float height) {
    float cards = 5 * STEPS_GAP_MIN + WIDE_HEADS;
    for (int i = 0; i < STEPS_COUNT; i++)
        cards += CARD_W[i];
    if (width >= cards && height >= CARD_LEAST + CELLS_LEAST + 60)
        return STEPS_ROW;
    return width >= 760 && height >= 2 * GRID_LEAST + CARD_GAP + CELLS_LEAST ? STEPS_GRID
                                                                             : STEPS_ONE;
}

static void place_cards(StepsPlan *plan, Rect area, float top, float bottom) {
    float height = fmaxf(bottom - top, 0);
    if (plan->mode == STEPS_ROW) {
        for (int i = 0; i < STEPS_COUNT; i++) {
            plan->card[i].y = top;
            plan->card[i].h = fminf(height, CARD_MOST);
        }
    } else if (plan->mode == STEPS_GRID) {
        float w = (area.w - 2 * CARD_GAP) / 3, h = fminf((height - CARD_GAP) / 2, GRID_MOST);
        for (int i = 0; i < STEPS_COUNT; i++)
            plan->card[i] = (Rect){area.x + (float)(i % 3) * (w + CARD_GAP),
                                   top + (float)(i / 3) * (h + CARD_GAP), w, h};
    } else
        for (int i = 0; i < STEPS_COUNT; i++)
            plan->card[i] = (Rect){area.x, top, area.w, height};
}

static float cards_height(StepsMode mode, float height) {
    static const float usual[] = {CARD_USUAL, 2 * 190 + CARD_GAP, 220};
    static const float least[] = {CARD_LEAST, 2 * GRID_LEAST + CARD_GAP, ONE_LEAST};
    return fmaxf(fminf(usual[mode], height * 0.6f), least[mode]);
}

StepsPlan steps_plan(const ViewContext *c, const StepsNumbers *n, Rect area) {
    StepsPlan plan = {.names_h = NAME_H};
    Fit f = {.c = c, .n = n};
    if (c->is_hall)
        area = rect_inset(area, HALL_MARGIN, HALL_MARGIN);
    plan.transport = rect_cut_bottom(&area, c->is_hall ? 0 : fminf(TRANSPORT_HEIGHT, area.h));
    rect_cut_bottom(&area, c->is_hall ? 0 : BAR_GAP);
    bool tight = area.w < TIGHT_W || area.h < TIGHT_H;
    float over = over_height(n) + NAME_H, under = tight ? UNDER_TIGHT : UNDER_H;
    plan.mode = mode_of(area.w, area.h - over - under);
    float box = learned_height(&plan, &f, area.h - over - under);
    float cards = cards_height(plan.mode, area.h - over - under - box);
    float cells = area.h - over - under - cards - box;
    if (cells < CELLS_LEAST) { /* no room for matrices: show only the card */
        place_cards(&plan, area, area.y, rect_bottom(area));
        return plan;
    }
    /* Measure only the matrices' names, because shape and scale are only shown if there is room. */
    for (StepsPart p = 0; p < STEPS_PARTS; p++)
        f.names[p] = formula_width(f.c->ui, 26, steps_name(f.n, p)) + 4;
    f.has_cards = plan.mode == STEPS_ROW;
    f.gap = plan.mode == STEPS_ROW && area.w > 1500 ? GAP : STEPS_GAP_MIN;
    f.within = tight ? WITHIN_TIGHT : WITHIN;
    f.labels = plan.labels_w = area.w > 460 ? labels_width(c) : 0;
    f.cells_h = cells;
    fit(&f, area.w);
    widen(&f, area.w);
    plan.token = f.token, plan.feature = f.feature;
    plan.token_pool = f.token_pool, plan.feature_pool = f.feature_pool;
    float height = f.token * (float)n->shape->T;
    float spare = fmaxf(area.h - over - under - height - box - CARD_MOST, 0);
    float y = roundf((area.y + over + box + (plan.mode == STEPS_ROW ? spare / 2 : 0)) *
                     c->ui->list->scale) /
              c->ui->list->scale;
    place_parts(&plan, &f, area, y, area.w);
    if (box > 0)
        place_learned(&plan, &f, area, y - over - box, box);
    plan.over_y[0] = y - NAME_H - OVER_H / 2.0f;
    plan.over_y[1] = plan.over_y[0] - OVER_H;
    plan.under_y = y + height + (tight ? 22 : 28);
    place_cards(&plan, area, y + height + under, rect_bottom(area));
    return plan;
}
