#include "views/shared/heatmap.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "math/pool.h"
#include "model/analysis/rollout.h"
#include "results/study_plan.h"
#include "views/shared/heatmap_cache.h"

static const Entry SHOW_ROWS[] = {
    [SHOW_WEIGHTS] = {"weights", "Weights A", "softmax(S)",
                      "The share of its attention that each query gives each key."},
    [SHOW_SCORES] = {"scores", "Scores S", "QKᵀ/√d_k", "Scores of all pairs, before the mask."},
    [SHOW_MASKED] = {"masked", "Masked scores", "S + M", "Scores, with closed pairs hidden."},
    [SHOW_GRADIENT_A] = {"grad-a", "Gradient of A", "∂L/∂A",
                         "How L = Σ G∘Y changes with each weight; G is random, from the seed."},
    [SHOW_GRADIENT_S] = {"grad-s", "Gradient of S", "∂L/∂S",
                         "How L = Σ G∘Y changes with each score; G is random, from the seed."},
};
static const Entry MINUS_ROWS[] = {
    [MINUS_NONE] = {"none", "nothing", "", "The values themselves."},
    [MINUS_HEAD] = {"head", "head", "A − A_h", "Each head's values minus those of one head."},
    [MINUS_FORM] = {"form", "the other form", "A − A'",
                    "Values minus those of the other form, with which this one is compared."},
};
static_assert(ARRAY_COUNT(SHOW_ROWS) == SHOW_COUNT, "one row for each quantity");
static_assert(ARRAY_COUNT(MINUS_ROWS) == MINUS_COUNT, "one row for each kind of subtraction");
const Registry SHOWS = REGISTRY("shows", "show", SHOW_ROWS);
const Registry MINUSES = REGISTRY("differences", "difference", MINUS_ROWS);

static void name_of(char *out, size_t capacity, const ViewContext *c) {
    const char *name = SHOW_ROWS[c->settings->maps.show].label;
    OptionChoice minus = c->settings->maps.minus;
    if (minus.row == MINUS_NONE)
        snprintf(out, capacity, "%s", name);
    else if (minus.row == MINUS_HEAD)
        snprintf(out, capacity, "%s − head %d", name, minus.number);
    else
        snprintf(out, capacity, "%s − %s", name, MINUS_ROWS[minus.row].label);
}

static bool shown_is_signed(const HeatmapSettings *s) {
    return s->show != SHOW_WEIGHTS || s->minus.row != MINUS_NONE;
}

static const AttnShape *shape_of(const ViewContext *c, int layer) {
    return &c->run->layers[layer].shape[c->run->form];
}

static Mat head_in_form(const LayerResults *layer, int form, const GradientResults *gradient,
                        int head, int show) {
    const AttnTrace *trace = &layer->trace[form];
    const AttnShape *shape = &layer->shape[form];
    if (show == SHOW_WEIGHTS)
        return attn_head_scores(&trace->A, shape, head);
    if (show == SHOW_SCORES || show == SHOW_MASKED)
        return attn_head_scores(&trace->S, shape, head);
    const Mat *of = show == SHOW_GRADIENT_A ? &gradient->back.A : &gradient->back.S;
    return attn_head_scores(of, shape, head);
}

Mat heatmap_head(const Results *run, int layer, int head, int show) {
    const LayerResults *l = &run->layers[layer];
    return head_in_form(l, (int)run->form, &l->gradient, head, show);
}

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static bool can_take_form(const ViewContext *c, Err *err) {
    const LayerResults *layers = c->run->layers;
    bool is_checked = layers[0].checked != FORM_UNCHECKED &&
                      (c->run->layer_count == 1 || layers[1].checked != FORM_UNCHECKED);
    const char *why =
        c->run->form == FORM_FREE ? "W_QK is sampled as one matrix here. No other form has the "
                                    "same weights, so there is nothing to subtract."
        : layers[0].shape[c->run->form].rope
            ? "With rotary positions the forms separate and merged are computed in the same way, "
              "pair by pair: there is no difference to show."
            : "The other form would take too much memory in addition to this one; use fewer tokens "
              "or heads.";
    return is_checked || err_fail(err, "", "%s", why);
}

/* Compute the stack of layers that the rollout needs. Return false, and write the reason, if that
 * fails or if the chosen matrices cannot be shown. */
static bool can_show(const ViewContext *c, HeatmapCache *cache, Err *err) {
    int H = c->session->options.heads;
    bool rolls = c->settings->maps.summary >= SUMMARY_ROLLOUT && c->session->options.depth > 1;
    rolls = rolls && c->run->map.rollout.rows == 0;
    for (int layer = 0; rolls && layer < c->run->layer_count; layer++)
        if (!layer_stack_update(&cache->stack[layer], c->run, c->session, layer, err))
            return false;
    OptionChoice minus = c->settings->maps.minus;
    if (minus.row == MINUS_HEAD)
        return minus.number <= H || err_fail(err, "", "There %s %d head%s, and so no head %d.",
                                             H == 1 ? "is" : "are", H, plural(H), minus.number);
    return minus.row != MINUS_FORM || can_take_form(c, err);
}

/* Get a head's values before ordering and masking. `plain` are the values themselves; `minus` are
 * those to subtract, without rows if nothing is subtracted. */
static void head_source(const ViewContext *c, int layer, int head, Mat *plain, Mat *minus) {
    const LayerResults *l = &c->run->layers[layer];
    int show = c->settings->maps.show;
    *minus = (Mat){0};
    *plain = heatmap_head(c->run, layer, head, show);
    switch ((Minus)c->settings->maps.minus.row) {
    case MINUS_HEAD:
        *minus = heatmap_head(c->run, layer, c->settings->maps.minus.number - 1, show);
        break;
    case MINUS_FORM:
        *minus = head_in_form(l, l->checked, &l->checked_gradient, head, show);
        break;
    case MINUS_NONE:
    case MINUS_COUNT:
        break;
    }
}

/* True if closed pairs are hidden. They are shown for scores, which are computed before the mask,
 * and for the gradient of A, which exists at closed pairs, too. */
static bool hides_closed(const ViewContext *c) {
    int show = c->settings->maps.show;
    bool closes = c->session->options.mask.row != MASK_NONE || c->run->edges_edited > 0;
    return closes && show != SHOW_SCORES && show != SHOW_GRADIENT_A;
}

static void arrange(const ViewContext *c, const Heatmap *s, Mat *to, const Mat *plain,
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

static void make_head(const ViewContext *c, HeatmapCache *cache, int layer, HeatmapTile *tile) {
    Mat plain, minus;
    int T = c->run->T;
    head_source(c, layer, tile->id, &plain, &minus);
    tile->values = plain;
    if (!cache->is_copied)
        return;
    tile->values = mat_push(&cache->values, T, T);
    arrange(c, &cache->shown, &tile->values, &plain, &minus, hides_closed(c));
}

/* Fill rolled with the rollout over the session's layers, from the layer of the Results upwards.
 * For a checkpoint, copy the rollout up to this layer from run->map. Return the number of
 * layers. */
static int roll_out(const ViewContext *c, HeatmapCache *cache, int layer, Mat *rolled) {
    if (c->run->map.rollout.rows > 0) {
        mat_copy(rolled, &c->run->map.rollout);
        return c->session->weights->layer;
    }
    const LayerStack *stack = &cache->stack[layer];
    Arena *arena = &cache->values;
    const AttnShape *shape = shape_of(c, layer);
    int T = c->run->T, layers = c->session->options.depth > 1 ? stack->layers : 1;
    Mat mean = mat_push(arena, T, T), below = mat_push(arena, T, T);
    Mat scratch = mat_push(arena, T, T);
    for (int i = 0; i < layers; i++) {
        heads_mean(&mean, i == 0 ? &results_trace(c->run, layer)->A : &stack->bench.trace[i].A,
                   shape);
        rollout_step(rolled, &scratch, &mean, i == 0 ? NULL : &below);
        mat_copy(&below, rolled);
    }
    return layers;
}

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

static void make_summary(const ViewContext *c, HeatmapCache *cache, int layer, HeatmapTile *tile) {
    int T = c->run->T;
    Arena *arena = &cache->values;
    tile->values = mat_push(arena, T, T);
    Mat whole = mat_push(arena, T, T), none = {0};
    bool rolls = tile->id == TILE_ROLLOUT;
    if (rolls)
        cache->shown.rolled[layer] = roll_out(c, cache, layer, &whole);
    else
        mean_shown(c, layer, &whole);
    arrange(c, &cache->shown, &tile->values, &whole, &none, !rolls && hides_closed(c));
}

static void add_tile(HeatmapLayer *layer, int id) {
    layer->tile[layer->count++] = (HeatmapTile){.id = id};
}

static void list_tiles(const ViewContext *c, HeatmapLayer *layer) {
    const HeatmapSettings *s = &c->settings->maps;
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

/* Reserve memory for copies of the values, which are needed if the values on screen differ from
 * those of the Results. */
static bool reserve_values(const ViewContext *c, HeatmapCache *cache, Err *err) {
    const Heatmap *s = &cache->shown;
    size_t copies = 0;
    cache->is_copied = c->settings->maps.minus.row != MINUS_NONE || hides_closed(c) ||
                       c->settings->maps.order != ORDER_POSITION;
    for (int layer = 0; layer < s->layers; layer++)
        for (int i = 0; i < s->layer[layer].count; i++) {
            int id = s->layer[layer].tile[i].id;
            copies += id == TILE_MASK      ? 0
                      : id == TILE_ROLLOUT ? 5
                      : id == TILE_MEAN    ? 2
                      : cache->is_copied   ? 1
                                           : 0;
        }
    uint64_t each = mat_bytes(c->run->T, c->run->T) + ARENA_ALIGN;
    return arena_reserve(&cache->values, copies * each, err);
}

static bool stop(Err *err) {
    return err_fail(err, "", "The computation was stopped.");
}

static bool make_all(const ViewContext *c, HeatmapCache *cache, const Job *job, Err *err) {
    Heatmap *s = &cache->shown;
    s->layers = c->run->layer_count;
    for (int layer = 0; layer < s->layers; layer++)
        list_tiles(c, &s->layer[layer]);
    heatmap_order(c, cache);
    if (!can_show(c, cache, err) || !reserve_values(c, cache, err))
        return false;
    for (int layer = 0; layer < s->layers; layer++)
        for (int i = 0; i < s->layer[layer].count; i++) {
            s->layer[layer].tile[i].is_signed = shown_is_signed(&c->settings->maps);
            if (s->layer[layer].tile[i].id >= 0)
                make_head(c, cache, layer, &s->layer[layer].tile[i]);
            else if (s->layer[layer].tile[i].id != TILE_MASK)
                make_summary(c, cache, layer, &s->layer[layer].tile[i]);
            if (!job_goes_on(job))
                return stop(err);
        }
    heatmap_scales(c, cache);
    return heatmap_facts(c, cache, job, err);
}

static HeatmapKey key_of(const ViewContext *c) {
    const HeatmapSettings *s = &c->settings->maps;
    int heads = c->session->options.heads * c->run->layer_count;
    HeatmapKey key;
    memset(&key, 0, sizeof key);
    key.revision = c->run->revision;
    key.chosen = *s;
    key.depth = c->session->options.depth;
    if (s->second[0] != '\0' || s->order != ORDER_POSITION || heatmap_ranks_one(c->run->T, heads))
        key.head = c->session->options.head;
    if (s->order == ORDER_PINNED)
        key.pin = c->session->options.pin;
    return key;
}

void heatmap_settings(Settings *settings, const ViewContext *c, const Heatmap *shown) {
    const HeatmapCache *cache = c->memory->heads.shown;
    if (shown != &cache->shown)
        return;
    settings->maps = cache->key.chosen;
}

static bool is_there(const ViewContext *c) {
    const HeatmapCache *cache = c->memory->heads.shown;
    return cache->shown.serial > 0 && cache->key.revision == c->run->revision;
}

static bool is_made(const ViewContext *c) {
    HeatmapKey key = key_of(c);
    return is_there(c) && memcmp(&key, &c->memory->heads.shown->key, sizeof key) == 0;
}

/* Compute the heatmaps. Return false if the job was cancelled. */
static bool make_in(const ViewContext *c, HeatmapCache *cache, const Job *job) {
    Err err = {0};
    Heatmap *s = &cache->shown;
    cache->key = key_of(c);
    name_of(s->name, sizeof s->name, c);
    s->is_plain = !shown_is_signed(&c->settings->maps);
    s->why[0] = '\0';
    if (!make_all(c, cache, job, &err))
        snprintf(s->why, sizeof s->why, "%s", err.why);
    return sentence_pair_make(&cache->pair, c, job) && job_goes_on(job);
}

static void begin_next(const ViewContext *c, bool is_shown) {
    HeatmapCache *next = c->memory->heads.next;
    sentence_pair_begin(&next->pair, c);
    next->facts_revision = 0;
    if (is_shown)
        heatmap_facts_copy(next, c->memory->heads.shown, c);
}

static bool make_next(const ViewContext *c, const Job *job) {
    return make_in(c, c->memory->heads.next, job);
}

static void take_next(const ViewContext *c, bool made) {
    HeadsMemory *m = &c->memory->heads;
    HeatmapCache *next = m->next, *before = m->shown;
    sentence_pair_end(&next->pair);
    if (!made) {
        next->facts_revision = 0;
        return;
    }
    next->shown.serial = before->shown.serial + 1;
    m->shown = next;
    m->next = before;
    arena_release(&before->values);
}

const ViewMaking SHOWN_MAKING = {is_made, is_there, begin_next, make_next, take_next};

const Heatmap *heatmap_update(const ViewContext *c) {
    static const Heatmap late = {.why = "Computing…"}, soon = {.why = " "};
    HeatmapCache *cache = c->memory->heads.shown;
    if (c->waits && !is_there(c))
        return c->is_late ? &late : &soon;
    if (c->waits || is_made(c))
        return &cache->shown;
    sentence_pair_begin(&cache->pair, c);
    make_in(c, cache, NULL);
    sentence_pair_end(&cache->pair);
    cache->shown.serial++;
    return &cache->shown;
}

const SentencePair *heatmap_pair(const ViewContext *c) {
    static const SentencePair none = {.why = "Type a second sentence."},
                              late = {.why = "Computing…"}, soon = {.why = " "};
    const HeatmapCache *cache = c->memory->heads.shown;
    if (cache->key.chosen.second[0] == '\0')
        return &none;
    return is_there(c) ? &cache->pair : c->is_late ? &late : &soon;
}

const Heatmap *heatmap_newest(const ViewContext *c) {
    const HeatmapCache *cache = c->memory->heads.shown;
    return is_there(c) && cache->shown.why[0] == '\0' ? &cache->shown : NULL;
}

/* Copy all tiles of a layer, pooled and mapped by the colour scale's curve. Copy nothing if the
 * copies are up to date, or if neither pooling nor the curve changes a value. */
bool heatmap_begin(const ViewContext *c, int layer, const HeatmapWindow *window) {
    HeatmapCache *cache = c->memory->heads.shown;
    Warp warp = (Warp)c->settings->warp;
    PoolKey key = {cache->shown.serial, window->pool, (int)warp};
    const PoolKey *made = &cache->pool_key[layer];
    const HeatmapLayer *l = &cache->shown.layer[layer];
    int side = (c->run->T + window->pool - 1) / window->pool;
    Err err;
    if ((window->pool == 1 && warp == WARP_LINEAR) ||
        (key.serial == made->serial && key.pool == made->pool && key.warp == made->warp))
        return true;
    if (!arena_reserve(&cache->pooled[layer],
                       (mat_bytes(side, side) + ARENA_ALIGN) * (size_t)l->count, &err)) {
        ui_fail(c->ui, err.what, err.why);
        return false;
    }
    for (int i = 0; i < l->count; i++) {
        Mat *out = &cache->pool[layer][i];
        *out = mat_push(&cache->pooled[layer], side, side);
        if (l->tile[i].id == TILE_MASK)
            continue;
        pool_blocks(out, &l->tile[i].values, window->pool, window->pool);
        for (int k = 0; warp != WARP_LINEAR && k < side * side; k++) {
            float *value = &mat_row(out, k / side)[k % side];
            *value = warp_at(warp, *value, l->tile[i].hi);
        }
    }
    cache->pool_key[layer] = key;
    return true;
}

HeatmapPart heatmap_part(const ViewContext *c, int layer, int index, const HeatmapWindow *w) {
    HeatmapCache *cache = c->memory->heads.shown;
    const HeatmapTile *tile = &cache->shown.layer[layer].tile[index];
    bool is_linear = c->settings->warp == WARP_LINEAR;
    float hi = is_linear ? tile->hi : 1;
    const Mat *from = w->pool == 1 && is_linear ? &tile->values : &cache->pool[layer][index];
    Mat rows = mat_rows(from, w->first_row, w->rows);
    return (HeatmapPart){mat_cols(&rows, w->first_col, w->cols), tile->is_signed ? -hi : 0, hi};
}

void heatmap_scale(const ViewContext *c, Rect rect, const HeatmapTile *tile, float marked,
                   float size) {
    ScaleBar bar = view_scale_of(c, tile->hi, tile->is_signed);
    bar.marked = marked;
    bar.even = tile->is_signed || size > 0 ? 0 : view_even_share(c);
    bar.warp = (Warp)c->settings->warp;
    bar.size = size;
    scale_bar(c->ui, rect, &bar);
}

void heatmap_clear(HeatmapCache *cache) {
    sentence_pair_release(&cache->pair);
    arena_release(&cache->values);
    arena_release(&cache->facts);
    for (int layer = 0; layer < RESULTS_LAYERS_MAX; layer++) {
        layer_stack_release(&cache->stack[layer]);
        arena_release(&cache->pooled[layer]);
    }
}
