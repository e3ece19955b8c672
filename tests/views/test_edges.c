/* Edges are those that sorting whole rows gives, for any filter and any values. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/util.h"
#include "model/attention/mask.h"
#include "support/test.h"
#include "views/shared/edges.h"

#define MANY 300

static Edge wanted[MANY * MANY], row[MANY];
static Arena arena;

/* Values of both signs: many different ones, of any size, few different ones, or nearly equal. */
static float any_value(double chance, int kind) {
    float sign = (int)(chance * 1e4) % 2 != 0 ? -1.0f : 1.0f;
    return sign * (kind == 0   ? (float)chance
                   : kind == 1 ? expf(60 * (float)chance - 60)
                   : kind == 2 ? floorf(4 * (float)chance)
                   : kind == 3 ? 1 + 1e-6f * (float)chance
                               : 1e-42f * (float)chance);
}

/* Return a matrix of a kind of values with 0 at the keys that the mask closes. */
static Mat values_of(int T, int kind, MaskKind mask_kind) {
    must(arena_reserve(&arena, mat_bytes(T, T) + mask_bytes(T) + 2 * edges_bytes(T, MANY * MANY),
                       &told));
    Mat values = mat_push(&arena, T, T);
    Mask mask = mask_push(&arena, T, mask_kind, 3);
    Rng rng = rng_stream(21, (uint64_t)kind);
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            mat_row(&values, i)[j] = mask_row(&mask, i)[j]
                                         ? any_value(rng_uniform(rng, (uint64_t)(i * T + j)), kind)
                                         : 0;
    return values;
}

/* The heaviest first; of equal weights the earlier one. */
static int heavier(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    float x = fabsf(a->weight), y = fabsf(b->weight);
    return x != y                       ? (x < y ? 1 : -1)
           : a->at.query != b->at.query ? a->at.query - b->at.query
                                        : a->at.key - b->at.key;
}

/* Sort the row of a query, and append the edges that the filter keeps. Return their number. */
static int keep_row(Edge *out, const Mat *values, int query, const EdgeFilter *filter, int *all) {
    int count = 0, kept = 0;
    double whole = 0, sum = 0;
    for (int j = 0; j < values->cols; j++) {
        float value = mat_row(values, query)[j];
        bool is_edge = isfinite(value) && value != 0;
        whole += is_edge ? fabs((double)value) : 0;
        *all += is_edge;
        if (is_edge && !(filter->hide_self && j == query) && !(filter->hide_first && j == 0))
            row[count++] = (Edge){{2, 1, query, j}, value, value};
    }
    qsort(row, (size_t)count, sizeof *row, heavier);
    for (int j = 0; j < count; j++) {
        float size = fabsf(row[j].weight);
        bool keeps = filter->kind == EDGES_TOP ? j < filter->top
                     : filter->kind == EDGES_ABOVE
                         ? size >= filter->above
                         : sum < (double)filter->mass * whole * (1 - 1e-6);
        sum += (double)size;
        if (keeps)
            out[kept++] = row[j];
    }
    return kept;
}

static void check(const Mat *values, const EdgeFilter *filter) {
    Arena scratch = arena;
    int count = 0, all = 0;
    double weight = 0, shown = 0;
    for (int i = 0; i < values->rows; i++)
        count += keep_row(wanted + count, values, i, filter, &all);
    qsort(wanted, (size_t)count, sizeof *wanted, heavier);
    EdgeList edges = edges_select(&scratch, values, 2, 1, filter);
    int drawn = count < filter->drawn_max ? count : filter->drawn_max;
    assert_int_equal(edges.count, drawn);
    assert_int_equal(edges.left_out, count - drawn);
    assert_int_equal(edges.all, all);
    for (int i = 0; i < drawn; i++) {
        assert_memory_equal(&edges.at[drawn - 1 - i], &wanted[i], sizeof(Edge));
        shown += fabs((double)wanted[i].weight);
    }
    for (int i = 0; i < values->rows; i++)
        for (int j = 0; j < values->cols; j++)
            weight += isfinite(mat_row(values, i)[j]) ? fabs((double)mat_row(values, i)[j]) : 0;
    assert_true(fabs(edges.share - (weight > 0 ? shown / weight : 0)) < 1e-6);
}

TEST(every_filter_keeps_the_heaviest) {
    static const EdgeFilter filters[] = {
        {.kind = EDGES_TOP, .top = 1},        {.kind = EDGES_TOP, .top = 3},
        {.kind = EDGES_TOP, .top = 16},       {.kind = EDGES_ABOVE, .above = 0},
        {.kind = EDGES_ABOVE, .above = 0.3f}, {.kind = EDGES_MASS, .mass = 0},
        {.kind = EDGES_MASS, .mass = 0.24f},  {.kind = EDGES_MASS, .mass = 0.6f},
        {.kind = EDGES_MASS, .mass = 0.96f},  {.kind = EDGES_MASS, .mass = 1}};
    static const int sides[] = {1, 3, 40, MANY}, most[] = {0, 1, 7, 100, MANY * MANY};
    for (int kind = 0; kind < 5; kind++)
        for (int n = 0; n < MASK_KIND_COUNT * (int)ARRAY_COUNT(sides); n++) {
            Mat values =
                values_of(sides[n / MASK_KIND_COUNT], kind, (MaskKind)(n % MASK_KIND_COUNT));
            for (size_t f = 0; f < ARRAY_COUNT(filters); f++) {
                EdgeFilter filter = filters[f];
                int round = kind + n + (int)f;
                filter.hide_self = round % 2 == 1;
                filter.hide_first = round % 3 == 1;
                filter.drawn_max = most[round % (int)ARRAY_COUNT(most)];
                check(&values, &filter);
            }
            arena_release(&arena);
        }
}

TEST(what_is_no_weight_is_no_edge) {
    Mat values = values_of(3, 0, MASK_NONE);
    const float numbers[9] = {NAN, INFINITY, -INFINITY, 0, 0, 0.5f, 0, 0, 0};
    for (int i = 0; i < 9; i++)
        mat_row(&values, i / 3)[i % 3] = numbers[i];
    check(&values, &(EdgeFilter){.kind = EDGES_TOP, .top = 3, .drawn_max = 9});
    mat_row(&values, 1)[2] = 0;
    check(&values, &(EdgeFilter){.kind = EDGES_TOP, .top = 3, .drawn_max = 9});
    arena_release(&arena);
}

TEST(heads_draws_no_more_than_it_can) {
    const int T = 512, top = 8;
    Mat values = values_of(T, 0, MASK_NONE);
    EdgeList edges = edges_top(&arena, &values, 0, 0, top);
    assert_int_equal(edges.count, EDGES_DRAWN_MAX);
    assert_int_equal(edges.left_out, T * top - EDGES_DRAWN_MAX);
    arena_release(&arena);
}
