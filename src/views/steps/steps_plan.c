#include <assert.h>
#include <math.h>
#include <string.h>

#include "math/pool.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "views/steps/steps_view.h"

/* Px: largest height of a token's row, and largest width of a feature (a column of X, Q, K, V, Z or
 * Y). */
#define TOKEN           18.0f
#define FEATURE         4.0f
#define GAP             48 /* px between two columns of matrices */
#define WITHIN          22 /* px between Q, K and V */
#define WITHIN_TIGHT    14
#define LABEL_SIZE      15
#define LABEL_MOST      100
#define LABEL_AWAY      10
#define NAME_H          32
#define OVER_H          27 /* px: height of a beam above the names */
#define UNDER_H         60 /* px for the beam below the matrices */
#define UNDER_TIGHT     34
#define CARD_LEAST      236
#define CARD_USUAL      330
#define CARD_MOST       420
#define GRID_LEAST      148
#define GRID_MOST       230
#define ONE_LEAST       128
#define CARD_GAP        24
#define WIDE_HEADS      60 /* px by which Q, K and V of one head may be wider than their card */
#define CELLS_LEAST     40 /* px: minimum height of the matrices */
#define BAR_GAP         16 /* px above the bar with the buttons that play the steps */
#define HALL_MARGIN     22
#define TIGHT_W         1000 /* px: a view narrower than this or lower than TIGHT_H has smaller gaps */
#define TIGHT_H         620
#define BOX_PAD         10 /* px between learned matrices and the edge of their background */
#define BOX_NAME        26
#define BOX_CELLS       128 /* px: largest height of a learned matrix */
#define BOX_CELLS_LEAST 36
#define SHARES          128 /* the sizes tried are multiples of 1/SHARES of the usual sizes */
/* Px: minimum height for the matrices below; if there is less, learned matrices are hidden. */
#define BESIDE_BOX 96

/* Minimum width of each of the six cards, if they are in one row. */
static const float CARD_W[STEPS_COUNT] = {208, 176, 196, 196, 220, 220};

static const StepsPart FIRST[STEPS_COUNT] = {STEPS_X, STEPS_Q, STEPS_S, STEPS_A, STEPS_Z, STEPS_Y};

const StepsPartRow STEPS_PART[STEPS_ALL] = {
    [STEPS_X] = {"X", 1, .hand = HAND_X},
    [STEPS_Q] = {"Q", 2, .hand = -1},
    [STEPS_K] = {"K", 2, .of_keys = true, .hand = -1},
    [STEPS_V] = {"V", 2, .of_keys = true, .hand = -1},
    [STEPS_S] = {"S", 3, .by_token = true, .hand = HAND_S},
    [STEPS_A] = {"A", 4, .by_token = true, .hand = HAND_S},
    [STEPS_Z] = {"concat Z", 5, .hand = -1},
    [STEPS_Y] = {"Y", 6, .hand = -1},
    [STEPS_W_Q] = {"W_Q", 2, .hand = ATTN_W_Q, .made = STEPS_Q},
    [STEPS_W_K] = {"W_K", 2, .hand = ATTN_W_K, .made = STEPS_K},
    [STEPS_W_V] = {"W_V", 2, .hand = ATTN_W_V, .made = STEPS_V},
    [STEPS_W_O] = {"W_O", 6, .hand = ATTN_W_O, .made = STEPS_Y},
};
static_assert(STEPS_ALL <= STEPS_PARTS_MAX, "the memory has room for all matrices");

const char *steps_name(const CellStory *n, StepsPart part) {
    bool factors = attn_has_factors(n->shape);
    return part == STEPS_W_Q && !factors ? "W_{QK}"
           : part == STEPS_Q && !factors ? "X W_{QK}"
                                         : STEPS_PART[part].name;
}

Mat steps_matrix(const Steps *s, StepsPart part) {
    const Results *run = s->c->run;
    const AttnShape *shape = s->n.shape;
    const AttnTrace *t = s->n.trace;
    const Mat *params = run->layers[0].params.p;
    int head = s->n.at.head, E = attn_input_width(shape);
    bool factors = attn_has_factors(shape);
    switch (part) {
    case STEPS_X:
        return run->X;
    case STEPS_Q:
        return factors ? attn_head_query(&t->Q, shape, head) : mat_cols(&t->XW, head * E, E);
    case STEPS_K:
        return attn_head_query(&t->K, shape, head);
    case STEPS_V:
        return attn_head_value(&t->V, shape, head);
    case STEPS_S:
        return results_scores(run, 0, head);
    case STEPS_A:
        return view_weights(s->c, 0, head);
    case STEPS_Z:
        return t->Z;
    case STEPS_W_Q:
        return factors ? attn_head_query(&params[ATTN_W_Q], shape, head)
                       : attn_head_product(&t->W_QK, shape, head);
    case STEPS_W_K:
        return attn_head_query(&params[ATTN_W_K], shape, head);
    case STEPS_W_V:
        return attn_head_value(&params[ATTN_W_V], shape, head);
    case STEPS_W_O:
        return params[ATTN_W_O];
    default:
        return t->Y;
    }
}

int steps_rows(const CellStory *n, StepsPart part) {
    bool is_product = part == STEPS_W_Q && !attn_has_factors(n->shape);
    return !steps_is_learned(part) ? n->shape->T
           : part == STEPS_W_O     ? n->shape->H * n->shape->V
           : is_product            ? attn_input_width(n->shape)
                                   : n->shape->D;
}

int steps_cols(const CellStory *n, StepsPart part) {
    StepsPart made = steps_is_learned(part) ? STEPS_PART[part].made : part;
    return STEPS_PART[made].by_token            ? n->shape->T
           : made == STEPS_Q || made == STEPS_K ? n->query_count
           : made == STEPS_V                    ? n->shape->V
           : made == STEPS_Z                    ? n->shape->H * n->shape->V
                                                : n->shape->D;
}

/* How a matrix is pooled to rows × cols cells: each cell shows a block of down × across entries. */
typedef struct Pooling {
    int rows, cols, down, across;
} Pooling;

static Pooling pooling_of(const Steps *s, StepsPart part) {
    int down = steps_is_learned(part) ? s->plan.weight_pool : s->plan.token_pool;
    int across = STEPS_PART[part].by_token ? s->plan.token_pool : s->plan.feature_pool;
    return (Pooling){(steps_rows(&s->n, part) + down - 1) / down,
                     (steps_cols(&s->n, part) + across - 1) / across, down, across};
}

static bool pool_parts(const Steps *s, StepsMemory *m) {
    size_t bytes = 0;
    Err err;
    for (StepsPart p = 0; p < STEPS_ALL; p++)
        if (s->plan.part[p].w > 0) {
            Pooling to = pooling_of(s, p);
            bytes += mat_bytes(to.rows, to.cols) + ARENA_ALIGN;
        }
    if (!arena_reserve(&m->pooled, bytes, &err)) {
        ui_fail(s->c->ui, err.what, err.why);
        return false;
    }
    for (StepsPart p = 0; p < STEPS_ALL; p++) {
        if (s->plan.part[p].w <= 0)
            continue;
        Mat from = steps_matrix(s, p);
        Pooling to = pooling_of(s, p);
        m->most[p] = mat_largest(&from);
        m->shown[p] = (Mat){0};
        if (to.down == 1 && to.across == 1)
            continue;
        m->shown[p] = mat_push(&m->pooled, to.rows, to.cols);
        pool_blocks(&m->shown[p], &from, to.down, to.across);
    }
    return true;
}

bool steps_prepare(const Steps *s) {
    const ViewContext *c = s->c;
    StepsMemory *m = &c->memory->steps;
    const StepsPlan *plan = &s->plan;
    StepsKey key;
    memset(&key, 0, sizeof key);
    key.revision = c->run->revision;
    key.before = c->before != NULL ? c->before->revision : 0;
    key.head = s->n.at.head;
    key.token_pool = plan->token_pool;
    key.feature_pool = plan->feature_pool;
    key.weight_pool = plan->weight_pool;
    if (memcmp(&key, &m->key, sizeof key) == 0)
        return true;
    m->key.revision = 0;
    if (!pool_parts(s, m))
        return false;
    if (plan->weight_pool > 0 && c->before != NULL)
        m->change = results_change(c->before, c->run, s->n.at.head);
    m->key = key;
    return true;
}

void steps_release(StepsMemory *memory) {
    arena_release(&memory->pooled);
}

typedef struct Fit {
    const ViewContext *c;
    const CellStory *n;
    StepsPlan *plan; /* the plan, which gets the size of a token and of a feature */
    float names[STEPS_PARTS];
    float gap, within, cells_h; /* cells_h: the height available for the matrices */
    bool has_cards;             /* true if there are cards below the matrices */
} Fit;

static bool is_there(const CellStory *n, StepsPart part) {
    return part != STEPS_K || attn_has_factors(n->shape);
}

/* Return the side in whole device pixels. If it is smaller than a pixel, set *pool to the number of
 * entries that share one, otherwise to 1. */
static float settle(float scale, float side, int *pool) {
    float px = side * scale;
    *pool = px >= 1 ? 1 : (int)ceilf(1 / fmaxf(px, 1e-4f));
    return px >= 1 ? floorf(px + 0.01f) / scale : 1 / scale / (float)*pool;
}

static float part_width(const Fit *f, StepsPart part) {
    bool tokens = STEPS_PART[part].by_token;
    int pool = tokens ? f->plan->token_pool : f->plan->feature_pool;
    int cells = (steps_cols(f->n, part) + pool - 1) / pool;
    return (float)(cells * pool) * (tokens ? f->plan->token : f->plan->feature);
}

/* Return the width of a column: that of its matrices and their names; if cards are in one row, at
 * least that of its card. */
static float column_width(const Fit *f, int column) {
    float width = column == 0 ? f->plan->labels_w : 0;
    for (StepsPart p = FIRST[column]; p < STEPS_PARTS && STEPS_PART[p].step == column + 1; p++)
        if (is_there(f->n, p))
            width += (p == FIRST[column] ? 0 : f->within) + fmaxf(part_width(f, p), f->names[p]);
    return f->has_cards ? fmaxf(width, CARD_W[column]) : width;
}

static float row_width(const Fit *f) {
    float width = 5 * f->gap;
    for (int i = 0; i < STEPS_COUNT; i++)
        width += column_width(f, i);
    return width;
}

/* Find the largest share of the usual sizes with which the row fits. Each feature gets at least one
 * pixel, unless that takes more than half of the room. Then enlarge sides by single pixels while
 * the row still fits, because rounding each side to whole pixels leaves some room. */
static void fit(Fit *f, float room) {
    StepsPlan *plan = f->plan;
    float scale = f->c->ui->list->scale, px = 1 / scale, columns = 0;
    float token_most = fminf(TOKEN, f->cells_h / (float)f->n->shape->T);
    for (StepsPart p = 0; p < STEPS_PARTS; p++)
        if (is_there(f->n, p) && !STEPS_PART[p].by_token)
            columns += (float)steps_cols(f->n, p);
    for (int i = SHARES; i >= 0; i--) {
        float share = (float)i / SHARES;
        float feature = fmaxf(FEATURE * share, fminf(px, room / 2 / columns));
        plan->feature = settle(scale, feature, &plan->feature_pool);
        plan->token = settle(scale, fminf(TOKEN * share, token_most), &plan->token_pool);
        if (row_width(f) <= room)
            break;
    }
    float *const sides[] = {&plan->feature, &plan->token};
    const int pools[] = {plan->feature_pool, plan->token_pool};
    const float most[] = {FEATURE, token_most};
    for (bool again = true; again;) {
        again = false;
        for (int i = 0; i < 2; i++) {
            float was = *sides[i];
            *sides[i] += px;
            if (pools[i] == 1 && *sides[i] <= most[i] && row_width(f) <= room)
                again = true;
            else
                *sides[i] = was;
        }
    }
}

static float labels_width(const ViewContext *c) {
    return view_names_width(c, FONT_SANS_BOLD, LABEL_SIZE, LABEL_MOST) + LABEL_AWAY + 12;
}

static void place_parts(const Fit *f, Rect area, float y) {
    StepsPlan *plan = f->plan;
    float scale = f->c->ui->list->scale, spare = fmaxf(area.w - row_width(f), 0);
    float gap = f->gap + fminf(spare / 5, f->has_cards ? 16 : 40);
    spare -= (gap - f->gap) * 5;
    float x = area.x + (f->has_cards ? 0 : spare / 2);
    float more = f->has_cards ? spare / STEPS_COUNT : 0;
    int pool = plan->token_pool;
    float height = (float)((f->n->shape->T + pool - 1) / pool * pool) * plan->token;
    for (int i = 0; i < STEPS_COUNT; i++) {
        float width = column_width(f, i) + more, at = x + (i == 0 ? f->plan->labels_w : 0);
        for (StepsPart p = FIRST[i]; p < STEPS_PARTS && STEPS_PART[p].step == i + 1; p++) {
            if (!is_there(f->n, p))
                continue;
            plan->part[p] = (Rect){roundf(at * scale) / scale, y, part_width(f, p), height};
            at += fmaxf(part_width(f, p), f->names[p]) + f->within;
        }
        if (f->has_cards)
            plan->card[i] = (Rect){x, 0, width, 0};
        x += width + gap;
    }
}

/* Choose the height of one row of the learned matrices. Return the height of their background,
 * which is taken from the cards and the other matrices; 0 if there is too little room. */
static float learned_height(const Fit *f, float height) {
    StepsPlan *plan = f->plan;
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

static void place_learned(const Fit *f, Rect area, float top, float height) {
    StepsPlan *plan = f->plan;
    float scale = f->c->ui->list->scale, y = top + BOX_PAD + BOX_NAME;
    for (StepsPart p = STEPS_W_Q; p < STEPS_ALL; p++) {
        Rect below = plan->part[STEPS_PART[p].made];
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
    float w = (area.w - 2 * CARD_GAP) / 3, h = fminf((height - CARD_GAP) / 2, GRID_MOST);
    for (int i = 0; i < STEPS_COUNT; i++) {
        Rect *card = &plan->card[i];
        if (plan->mode == STEPS_ROW)
            *card = (Rect){card->x, top, card->w, fminf(height, CARD_MOST)};
        else if (plan->mode == STEPS_GRID)
            *card = (Rect){area.x + (float)(i % 3) * (w + CARD_GAP),
                           top + (float)(i / 3) * (h + CARD_GAP), w, h};
        else
            *card = (Rect){area.x, top, area.w, height};
    }
}

StepsPlan steps_plan(const ViewContext *c, const CellStory *n, Rect area) {
    static const float usual[] = {CARD_USUAL, 2 * 190 + CARD_GAP, 220};
    static const float least[] = {CARD_LEAST, 2 * GRID_LEAST + CARD_GAP, ONE_LEAST};
    StepsPlan plan = {.names_h = NAME_H};
    Fit f = {.c = c, .n = n, .plan = &plan};
    float scale = c->ui->list->scale;
    if (c->is_hall)
        area = rect_inset(area, HALL_MARGIN, HALL_MARGIN);
    plan.transport = rect_cut_bottom(&area, c->is_hall ? 0 : fminf(TRANSPORT_HEIGHT, area.h));
    rect_cut_bottom(&area, c->is_hall ? 0 : BAR_GAP);
    bool tight = area.w < TIGHT_W || area.h < TIGHT_H, skips = n->shape->block != BLOCK_ATTENTION;
    float over = (skips ? 2 : 1) * OVER_H + NAME_H, under = tight ? UNDER_TIGHT : UNDER_H;
    float height = area.h - over - under;
    plan.mode = mode_of(area.w, height);
    float box = learned_height(&f, height);
    float cards = fmaxf(fminf(usual[plan.mode], (height - box) * 0.6f), least[plan.mode]);
    f.cells_h = height - cards - box;
    if (f.cells_h < CELLS_LEAST) { /* no room for matrices: show only cards */
        place_cards(&plan, area, area.y, rect_bottom(area));
        return plan;
    }
    /* only the names, because sizes and scales next to them are shown only if there is room */
    for (StepsPart p = 0; p < STEPS_PARTS; p++)
        f.names[p] = formula_width(c->ui, 26, steps_name(n, p)) + 4;
    f.has_cards = plan.mode == STEPS_ROW;
    f.gap = plan.mode == STEPS_ROW && area.w > 1500 ? GAP : STEPS_GAP_MIN;
    f.within = tight ? WITHIN_TIGHT : WITHIN;
    plan.labels_w = area.w > 460 ? labels_width(c) : 0;
    fit(&f, area.w);
    float cells = plan.token * (float)n->shape->T;
    float spare = fmaxf(height - cells - box - CARD_MOST, 0);
    float y = area.y + over + box + (plan.mode == STEPS_ROW ? spare / 2 : 0);
    y = roundf(y * scale) / scale;
    place_parts(&f, area, y);
    if (box > 0)
        place_learned(&f, area, y - over - box, box);
    plan.over_y[0] = y - NAME_H - OVER_H / 2.0f;
    plan.over_y[1] = plan.over_y[0] - OVER_H;
    plan.under_y = y + cells + (tight ? 22 : 28);
    place_cards(&plan, area, y + cells + under, rect_bottom(area));
    return plan;
}
