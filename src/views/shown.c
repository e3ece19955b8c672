#include "views/shown.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "model/rollout.h"
#include "session/run_stack.h"
#include "views/kept.h"
#include "views/shown_cache.h"

static const Entry SHOW_ROWS[] = {
    [SHOW_WEIGHTS] = {"weights", "Weights A", "softmax(S)", "What each query gives each key."},
    [SHOW_SCORES] = {"scores", "Scores S", "QKᵀ/√d_k", "Scores of all pairs, before the mask."},
    [SHOW_MASKED] = {"masked", "Masked scores", "S + M", "Scores, with closed pairs left out."},
    [SHOW_GRADIENT_A] = {"grad-a", "Gradient of A", "∂L/∂A",
                         "How L = Σ G∘Y changes with each weight; G is drawn from the seed."},
    [SHOW_GRADIENT_S] = {"grad-s", "Gradient of S", "∂L/∂S",
                         "How L = Σ G∘Y changes with each score; G is drawn from the seed."},
};
static const Entry MINUS_ROWS[] = {
    [MINUS_NONE] = {"none", "nothing", "", "The values themselves."},
    [MINUS_HEAD] = {"head", "head", "A − A_h", "Each head's values less those of one head."},
    [MINUS_FORM] = {"form", "other form", "A − A'",
                    "Values less those of the form that this one is checked with."},
    [MINUS_KEPT] = {"kept", "kept state", "A − A_\"kept\"",
                    "Values less those of the state that was kept to compare with: key K."},
};
static_assert(ARRAY_COUNT(SHOW_ROWS) == SHOW_COUNT, "one row for each quantity");
static_assert(ARRAY_COUNT(MINUS_ROWS) == MINUS_COUNT, "one row for each that is taken off");
const Registry SHOWS = {"shows", "show", SHOW_ROWS, sizeof SHOW_ROWS[0], SHOW_COUNT};
const Registry MINUSES = {"differences", "difference", MINUS_ROWS, sizeof MINUS_ROWS[0],
                          MINUS_COUNT};

void shown_name(char *out, size_t capacity, const ViewContext *c) {
    const char *name = SHOW_ROWS[c->settings->show].label;
    OptionChoice minus = c->settings->minus;
    if (minus.row == MINUS_NONE)
        snprintf(out, capacity, "%s", name);
    else if (minus.row == MINUS_HEAD)
        snprintf(out, capacity, "%s − head %d", name, minus.number);
    else
        snprintf(out, capacity, "%s − %s", name, MINUS_ROWS[minus.row].label);
}

/* Weights alone are never below 0. */
static bool shown_is_signed(const Settings *s) {
    return s->show != SHOW_WEIGHTS || s->minus.row != MINUS_NONE;
}

static const AttnShape *shape_of(const ViewContext *c, int layer) {
    return &c->run->layers[layer].shape[c->run->form];
}

/* The layers that stand on a wall's own. */
static RunStack *stack_of(const ViewContext *c, int layer) {
    return layer == 0 ? &c->memory->graph.stack : &c->memory->heads.beside;
}

/* The same in one of the two forms that a layer has a trace of. */
static Mat head_in_form(const RunLayer *layer, int form, const RunGradient *gradient, int head,
                        int show) {
    const AttnTrace *trace = &layer->trace[form];
    const AttnBack *back = &gradient->back;
    const Mat *of[SHOW_COUNT] = {NULL, &trace->S, &trace->S, &back->A, &back->S};
    if (show == SHOW_WEIGHTS)
        return attn_weights(trace, &layer->shape[form], head);
    return attn_head_scores(of[show], &layer->shape[form], head);
}

Mat shown_head(const Run *run, int layer, int head, int show) {
    const RunLayer *l = &run->layers[layer];
    return head_in_form(l, (int)run->form, &l->gradient, head, show);
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static bool can_take_form(const ViewContext *c, Err *err) {
    const RunLayer *layers = c->run->layers;
    bool is_checked = layers[0].checked != RUN_UNCHECKED &&
                      (c->run->layer_count == 1 || layers[1].checked != RUN_UNCHECKED);
    const char *why = c->run->form == FORM_FREE ? "W_QK is drawn whole here: no other form has the "
                                                  "same weights."
                      : layers[0].shape[c->run->form].rope
                          ? "With rotary positions separate and merged are computed alike, pair by "
                            "pair: there is no difference to show."
                          : "The other form would take too much memory beside this one; use fewer "
                            "tokens or heads.";
    return is_checked || err_fail(err, "", "%s", why);
}

static bool can_take_kept(const ViewContext *c, Err *err) {
    const KeptState *kept = c->memory->heads.kept;
    int H = c->session->options.heads;
    if (kept == NULL || kept->T == 0)
        return err_fail(err, "", "No state is kept yet. Press K to keep this one.");
    if (kept->T != c->run->T || kept->H != H || kept->layers != c->run->layer_count)
        return err_fail(err, "", "The kept state has %d token%s and %d head%s%s. K keeps this one.",
                        kept->T, plural(kept->T), kept->H, plural(kept->H),
                        kept->layers > 1 ? ", of two schemes" : "");
    return kept->of[c->settings->show][0].rows > 0 ||
           err_fail(err, "",
                    "The gradients of the kept state would have taken too long to find when it was "
                    "kept. Keep it with K while a gradient is shown.");
}

/* Whether there is what is to be shown. */
static bool can_show(const ViewContext *c, Err *err) {
    int H = c->session->options.heads;
    bool rolls = c->settings->summary >= SUMMARY_ROLLOUT && c->session->options.depth > 1;
    for (int layer = 0; rolls && layer < c->run->layer_count; layer++)
        if (!run_stack_update(stack_of(c, layer), c->run, c->session, layer, err))
            return false;
    OptionChoice minus = c->settings->minus;
    if (minus.row == MINUS_HEAD)
        return minus.number <= H || err_fail(err, "", "There %s %d head%s, and so no head %d.",
                                             H == 1 ? "is" : "are", H, plural(H), minus.number);
    return minus.row == MINUS_FORM   ? can_take_form(c, err)
           : minus.row == MINUS_KEPT ? can_take_kept(c, err)
                                     : true;
}

/* A head's values before order and mask: plain, less minus where that has rows. */
static void head_source(const ViewContext *c, int layer, int head, Mat *plain, Mat *minus) {
    const RunLayer *l = &c->run->layers[layer];
    const AttnShape *shape = shape_of(c, layer);
    int show = c->settings->show;
    *minus = (Mat){0};
    *plain = shown_head(c->run, layer, head, show);
    switch ((Minus)c->settings->minus.row) {
    case MINUS_HEAD:
        *minus = shown_head(c->run, layer, c->settings->minus.number - 1, show);
        break;
    case MINUS_FORM:
        *minus = head_in_form(l, l->checked, &l->checked_gradient, head, show);
        break;
    case MINUS_KEPT:
        *minus = mat_rows(&c->memory->heads.kept->of[show][layer], head * shape->T, shape->T);
        break;
    case MINUS_NONE:
    case MINUS_COUNT:
        break;
    }
}

/* Scores stand before the mask, and the gradient of A is there at closed pairs too. */
static bool hides_closed(const ViewContext *c) {
    int show = c->settings->show;
    bool closes = c->session->options.mask.row != MASK_NONE || c->run->edges_edited > 0;
    return closes && show != SHOW_SCORES && show != SHOW_GRADIENT_A;
}

/* to = plain less minus, by rows and columns in order, closed pairs marked. */
static void arrange(const ViewContext *c, const Shown *s, Mat *to, const Mat *plain,
                    const Mat *minus, bool hides) {
    for (int i = 0; i < to->rows; i++) {
        int query = s->query_at[i];
        const uint8_t *open = mask_row(&c->run->mask, query);
        const float *a = mat_row(plain, query);
        const float *b = minus->rows > 0 ? mat_row(minus, query) : NULL;
        float *out = mat_row(to, i);
        for (int j = 0; j < to->cols; j++) {
            int key = s->key_at[j];
            float value = b != NULL ? a[key] - b[key] : a[key];
            out[j] = hides && !open[key] ? DRAW_CELL_MASKED : value;
        }
    }
}

static void make_head(const ViewContext *c, ShownCache *cache, int layer, ShownTile *tile) {
    Mat plain, minus;
    int T = c->run->T;
    head_source(c, layer, tile->id, &plain, &minus);
    tile->values = plain;
    if (!cache->is_copied)
        return;
    tile->values = mat_push(&cache->values, T, T);
    arrange(c, &cache->shown, &tile->values, &plain, &minus, hides_closed(c));
}

/* Over the layers of the stack, where the session is deeper than one; its lowest is the Run's own.
 * Returns how many there were. */
static int roll_out(const ViewContext *c, int layer, Mat *rolled, Arena *arena) {
    const RunStack *stack = stack_of(c, layer);
    const AttnShape *shape = shape_of(c, layer);
    int T = c->run->T, layers = c->session->options.depth > 1 ? stack->layers : 1;
    const AttnTrace own = run_whole_trace(c->run, layer);
    Mat mean = mat_push(arena, T, T), below = mat_push(arena, T, T);
    Mat scratch = mat_push(arena, T, T);
    for (int i = 0; i < layers; i++) {
        heads_mean(&mean, i == 0 ? &own.A : &stack->bench.trace[i].A, shape);
        rollout_step(rolled, &scratch, &mean, i == 0 ? NULL : &below);
        mat_copy(&below, rolled);
    }
    return layers;
}

/* The mean over what is shown of the heads, without the marks. */
static void mean_shown(const ViewContext *c, int layer, Mat *mean) {
    int T = c->run->T, H = shape_of(c, layer)->H;
    for (int i = 0; i < T; i++)
        memset(mat_row(mean, i), 0, (size_t)T * sizeof(float));
    for (int head = 0; head < H; head++) {
        Mat plain, minus;
        head_source(c, layer, head, &plain, &minus);
        for (int i = 0; i < T; i++)
            for (int j = 0; j < T; j++) {
                float value = mat_row(&plain, i)[j];
                value -= minus.rows > 0 ? mat_row(&minus, i)[j] : 0;
                mat_row(mean, i)[j] += value / (float)H;
            }
    }
}

static void make_summary(const ViewContext *c, ShownCache *cache, int layer, ShownTile *tile) {
    int T = c->run->T;
    Arena *arena = &cache->values;
    tile->values = mat_push(arena, T, T);
    Mat whole = mat_push(arena, T, T), none = {0};
    bool rolls = tile->id == TILE_ROLLOUT;
    if (rolls)
        cache->shown.rolled[layer] = roll_out(c, layer, &whole, arena);
    else
        mean_shown(c, layer, &whole);
    arrange(c, &cache->shown, &tile->values, &whole, &none, !rolls && hides_closed(c));
}

static void add_tile(ShownLayer *layer, int id) {
    layer->tile[layer->count++] = (ShownTile){.id = id};
}

/* Which matrices there are. Rollout is of weights alone. */
static void list_tiles(const ViewContext *c, ShownLayer *layer) {
    const Settings *s = c->settings;
    layer->count = 0;
    for (int head = 0; head < c->session->options.heads; head++)
        add_tile(layer, head);
    if (s->summary == SUMMARY_MEAN || s->summary == SUMMARY_BOTH)
        add_tile(layer, TILE_MEAN);
    if (!shown_is_signed(s) && s->summary >= SUMMARY_ROLLOUT)
        add_tile(layer, TILE_ROLLOUT);
    if (s->mask_shown)
        add_tile(layer, TILE_MASK);
}

/* Larger weights first; of equal ones the earlier token. */
static void sort_by(int *at, const double *weight, int T) {
    for (int i = 0; i < T; i++)
        at[i] = i;
    /* A stable merge, bottom up: places in the second half of at. */
    int *from = at, *to = at + T;
    for (int run = 1; run < T; run *= 2) {
        for (int start = 0; start < T; start += 2 * run) {
            int a = start, a_end = start + run < T ? start + run : T;
            int b = a_end, b_end = a_end + run < T ? a_end + run : T;
            for (int k = start; k < b_end; k++) {
                bool take_a = a < a_end && (b >= b_end || !(weight[from[b]] > weight[from[a]]));
                to[k] = take_a ? from[a++] : from[b++];
            }
        }
        int *swap = from;
        from = to;
        to = swap;
    }
    if (from != at)
        memcpy(at, from, (size_t)T * sizeof *at);
}

static void weigh(const ViewContext *c, double *queries, double *keys) {
    Mat A = run_weights(c->run, 0, c->session->options.head - 1);
    int T = c->run->T;
    Spot pin = view_pin(c);
    for (int i = 0; i < T; i++)
        queries[i] = keys[i] = 0;
    for (int i = 0; i < T && c->settings->order == ORDER_WEIGHT; i++)
        for (int j = 0; j < T; j++) {
            keys[j] += (double)mat_row(&A, i)[j];
            queries[j] = keys[j];
        }
    for (int i = 0; i < T && c->settings->order == ORDER_PINNED && spot_is_cell(pin); i++) {
        keys[i] = (double)mat_row(&A, pin.query)[i];
        queries[i] = (double)mat_row(&A, i)[pin.key];
    }
}

static bool make_order(const ViewContext *c, ShownCache *cache, Err *err) {
    size_t T = (size_t)c->run->T;
    size_t ints = arena_padded(2 * T * sizeof(int)), doubles = arena_padded(T * sizeof(double));
    if (!arena_reserve(&cache->order, 4 * ints + 2 * doubles, err))
        return false;
    int *at[2], *place[2];
    double *weight[2];
    for (int side = 0; side < 2; side++) {
        at[side] = arena_push(&cache->order, 2 * T * sizeof(int));
        place[side] = arena_push(&cache->order, 2 * T * sizeof(int));
        weight[side] = arena_push(&cache->order, T * sizeof(double));
    }
    weigh(c, weight[0], weight[1]);
    for (int side = 0; side < 2; side++) {
        sort_by(at[side], weight[side], c->run->T);
        for (int i = 0; i < c->run->T; i++)
            place[side][at[side][i]] = i;
    }
    cache->shown.query_at = at[0];
    cache->shown.key_at = at[1];
    cache->shown.query_place = place[0];
    cache->shown.key_place = place[1];
    return true;
}

/* Copies are made where the values on screen are not those of the Run. */
static bool reserve_values(const ViewContext *c, ShownCache *cache, Err *err) {
    const Shown *s = &cache->shown;
    size_t copies = 0;
    cache->is_copied = c->settings->minus.row != MINUS_NONE || hides_closed(c) ||
                       c->settings->order != ORDER_POSITION;
    for (int layer = 0; layer < s->layers; layer++)
        for (int i = 0; i < s->layer[layer].count; i++) {
            int id = s->layer[layer].tile[i].id;
            copies += id == TILE_MASK      ? 0
                      : id == TILE_ROLLOUT ? 5
                      : id == TILE_MEAN    ? 2
                      : cache->is_copied   ? 1
                                           : 0;
        }
    size_t each = mat_bytes(c->run->T, c->run->T) + ARENA_ALIGN;
    return arena_reserve(&cache->values, copies * each, err);
}

static bool make(const ViewContext *c, ShownCache *cache, Err *err) {
    Shown *s = &cache->shown;
    s->layers = c->run->layer_count;
    for (int layer = 0; layer < s->layers; layer++)
        list_tiles(c, &s->layer[layer]);
    if (!make_order(c, cache, err) || !can_show(c, err) || !reserve_values(c, cache, err))
        return false;
    for (int layer = 0; layer < s->layers; layer++)
        for (int i = 0; i < s->layer[layer].count; i++) {
            ShownTile *tile = &s->layer[layer].tile[i];
            tile->is_signed = shown_is_signed(c->settings);
            if (tile->id >= 0)
                make_head(c, cache, layer, tile);
            else if (tile->id != TILE_MASK)
                make_summary(c, cache, layer, tile);
        }
    return shown_scales(c, cache, err) && shown_facts(c, cache, err);
}

static ShownKey key_of(const ViewContext *c) {
    ShownKey key;
    const Settings *s = c->settings;
    memset(&key, 0, sizeof key);
    key.revision = c->run->revision;
    key.kept = c->memory->heads.kept != NULL ? c->memory->heads.kept->number : 0;
    key.show = s->show;
    key.minus = s->minus;
    key.own_scale = s->own_scale;
    key.order = s->order;
    key.summary = s->summary;
    key.mask_shown = s->mask_shown;
    key.depth = c->session->options.depth;
    key.head = c->session->options.head;
    if (s->order == ORDER_PINNED)
        key.pin = c->session->options.pin;
    key.clamp = s->clamp;
    return key;
}

const Shown *shown_update(const ViewContext *c) {
    static const Shown no_memory = {.why = "There is too little memory; close other programs."};
    Err err = {0};
    ShownCache **at = &c->memory->heads.shown, *cache = *at;
    if (cache == NULL)
        cache = *at = calloc(1, sizeof *cache);
    if (cache == NULL)
        return &no_memory;
    ShownKey key = key_of(c);
    if (cache->shown.serial > 0 && memcmp(&key, &cache->key, sizeof key) == 0)
        return &cache->shown;
    bool made = make(c, cache, &err);
    if (made)
        cache->shown.why[0] = '\0';
    else
        snprintf(cache->shown.why, sizeof cache->shown.why, "%s", err.why);
    cache->key = key;
    cache->shown.serial++;
    return &cache->shown;
}

const Shown *shown_known(const ViewContext *c) {
    const ShownCache *cache = c->memory->heads.shown;
    bool known =
        cache != NULL && cache->shown.why[0] == '\0' && cache->key.revision == c->run->revision;
    return known ? &cache->shown : NULL;
}

void shown_release(ShownCache *cache) {
    if (cache == NULL)
        return;
    arena_release(&cache->values);
    arena_release(&cache->order);
    arena_release(&cache->counters);
    arena_release(&cache->facts);
    for (int layer = 0; layer < RUN_LAYERS_MAX; layer++) {
        arena_release(&cache->parts[layer]);
        arena_release(&cache->pooled[layer]);
    }
    free(cache);
}
