#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "support/test.h"
#include "views/shared/edges.h"

#define MANY 300

/* A matrix of weights with its mask and room for its edges. */
typedef struct Fixture {
    Arena arena;
    Mat weights;
    Mask mask;
} Fixture;

static void fixture_open(Fixture *f, int T, MaskKind mask) {
    Err err;
    *f = (Fixture){0};
    assert_true(arena_reserve(
        &f->arena, mat_bytes(T, T) + mask_bytes(T) + 64 * (edges_bytes(T) + ARENA_ALIGN), &err));
    f->weights = mat_push(&f->arena, T, T);
    f->mask = mask_push(&f->arena, T, mask, 0);
}

static void fill_random(Fixture *f, uint64_t seed) {
    Rng rng = rng_stream(seed, 0);
    for (int i = 0; i < f->weights.rows; i++)
        for (int j = 0; j < f->weights.cols; j++)
            mat_row(&f->weights, i)[j] =
                (float)rng_uniform(rng, (uint64_t)i * (uint64_t)f->weights.cols + (uint64_t)j);
}

static EdgeList top(Fixture *f, int most) {
    return edges_top(&f->arena, &f->weights, &f->mask, most);
}

/* Return the number of open keys of the query with a larger weight, or with the same weight and a
 * lower index. */
static int rank_of(const Fixture *f, int query, int key) {
    const float *row = mat_row(&f->weights, query);
    int rank = 0;
    for (int j = 0; j < f->weights.cols; j++)
        rank += mask_row(&f->mask, query)[j] != 0 &&
                (row[j] > row[key] || (row[j] == row[key] && j < key));
    return rank;
}

static void check_top(Fixture *f, int most) {
    EdgeList edges = top(f, most);
    int T = f->weights.rows, per_row[64] = {0};
    most = most < EDGES_PER_TOKEN_MAX ? most : EDGES_PER_TOKEN_MAX;
    double share = 0, all = 0;
    for (int e = 0; e < edges.count; e++) {
        Edge edge = edges.at[e];
        assert_true(edge.weight == mat_row(&f->weights, edge.query)[edge.key]);
        assert_int_equal(mask_row(&f->mask, edge.query)[edge.key], 1);
        assert_true(rank_of(f, edge.query, edge.key) < most);
        assert_true(e == 0 || edges.at[e - 1].weight <= edge.weight);
        per_row[edge.query]++;
        share += (double)edge.weight;
    }
    for (int i = 0; i < T; i++) {
        int open = mask_open_keys(&f->mask, i);
        assert_int_equal(per_row[i], open < most ? open : most);
        for (int j = 0; j < T; j++)
            all += mask_row(&f->mask, i)[j] ? (double)mat_row(&f->weights, i)[j] : 0;
    }
    assert_int_equal(edges.left_out, 0);
    assert_true(fabs(edges.share - share / all) < 1e-6);
}

TEST(each_query_keeps_its_heaviest_open_keys) {
    for (int mask = 0; mask < MASK_KIND_COUNT; mask++) {
        Fixture f;
        fixture_open(&f, 40, (MaskKind)mask);
        fill_random(&f, 7);
        for (int most = 1; most <= EDGES_PER_TOKEN_MAX + 3; most++)
            check_top(&f, most);
        arena_release(&f.arena);
    }
}

TEST(of_equal_weights_the_earlier_key_comes_first) {
    Fixture f;
    fixture_open(&f, 8, MASK_NONE);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            mat_row(&f.weights, i)[j] = 0.125f;
    check_top(&f, 3);
    EdgeList edges = top(&f, 3);
    assert_int_equal(edges.at[edges.count - 1].query, 0);
    assert_int_equal(edges.at[edges.count - 1].key, 0);
    arena_release(&f.arena);
}

TEST(what_is_no_weight_is_no_edge) {
    Fixture f;
    fixture_open(&f, 3, MASK_NONE);
    const float values[9] = {NAN, INFINITY, -INFINITY, 0, 0, 0.5f, 0, 0, 0};
    for (int i = 0; i < 9; i++)
        mat_row(&f.weights, i / 3)[i % 3] = values[i];
    EdgeList edges = top(&f, 3);
    assert_int_equal(edges.count, 1);
    assert_int_equal(edges.at[0].query, 1);
    assert_int_equal(edges.at[0].key, 2);
    assert_true(edges.share == 1);
    mat_row(&f.weights, 1)[2] = 0;
    edges = top(&f, 3);
    assert_int_equal(edges.count, 0);
    assert_true(edges.share == 0);
    arena_release(&f.arena);
}

TEST(too_many_edges_keep_the_strongest) {
    const int T = 512;
    Fixture f;
    fixture_open(&f, T, MASK_NONE);
    fill_random(&f, 3);
    EdgeList edges = top(&f, 8);
    assert_int_equal(edges.count, EDGES_DRAWN_MAX);
    assert_int_equal(edges.left_out, T * 8 - EDGES_DRAWN_MAX);
    float weakest = edges.at[0].weight;
    int stronger = 0;
    for (int i = 0; i < T; i++)
        for (int j = 0; j < T; j++)
            stronger += mat_row(&f.weights, i)[j] > weakest && rank_of(&f, i, j) < 8;
    assert_in_range(stronger, EDGES_DRAWN_MAX - 1, EDGES_DRAWN_MAX);
    arena_release(&f.arena);
}

/* Signed values with a mean of 0. */
static void fill_scores(Fixture *f) {
    fill_random(f, 11);
    for (int i = 0; i < f->weights.rows; i++)
        for (int j = 0; j < f->weights.cols; j++)
            mat_row(&f->weights, i)[j] -= 0.5f;
}

static bool is_among(const EdgeList *edges, int query, int key) {
    for (int e = 0; e < edges->count; e++)
        if (edges->at[e].query == query && edges->at[e].key == key)
            return true;
    return false;
}

TEST(above_keeps_exactly_the_heavy_ones_of_either_sign) {
    Fixture f;
    fixture_open(&f, 20, MASK_CAUSAL);
    fill_scores(&f);
    for (int share = 0; share < 2; share++) {
        EdgeFilter filter = {
            .kind = EDGES_ABOVE, .above = 0.3f, .above_is_share = share != 0, .drawn_max = 400};
        EdgeList edges = edges_select(&f.arena, &f.weights, &f.mask, &filter);
        float most = fabsf(edges.at[edges.count - 1].weight);
        assert_int_equal(edges.all, 20 * 21 / 2);
        for (int i = 0; i < 20; i++)
            for (int j = 0; j < 20; j++)
                assert_int_equal(is_among(&edges, i, j),
                                 j <= i && fabsf(mat_row(&f.weights, i)[j]) >=
                                               0.3f * (share != 0 ? most : 1));
    }
    arena_release(&f.arena);
}

TEST(mass_keeps_the_fewest_that_have_it) {
    Fixture f;
    fixture_open(&f, 20, MASK_NONE);
    fill_random(&f, 5);
    EdgeFilter filter = {.kind = EDGES_MASS, .mass = 0.6f, .drawn_max = 400};
    EdgeList edges = edges_select(&f.arena, &f.weights, &f.mask, &filter);
    for (int i = 0; i < 20; i++) {
        double all = 0, kept = 0, lightest = 2;
        for (int j = 0; j < 20; j++)
            all += (double)mat_row(&f.weights, i)[j];
        for (int e = 0; e < edges.count; e++)
            if (edges.at[e].query == i) {
                kept += (double)edges.at[e].weight;
                lightest = fmin(lightest, (double)edges.at[e].weight);
            }
        assert_true(kept >= 0.6 * all * (1 - 1e-5));
        assert_true(kept - lightest < 0.6 * all);
    }
    assert_true(edges.share >= 0.6 - 1e-5);
    arena_release(&f.arena);
}

static int heavier(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    float x = fabsf(a->weight), y = fabsf(b->weight);
    return x != y ? (x < y ? 1 : -1) : a->key - b->key;
}

/* The same by sorting the whole row. */
static int fewest(Edge *row, const Fixture *f, int query, double mass) {
    int T = f->weights.cols, kept = 0;
    double all = 0, sum = 0;
    for (int j = 0; j < T; j++) {
        row[j] = (Edge){query, j, mat_row(&f->weights, query)[j]};
        all += (double)fabsf(row[j].weight);
    }
    qsort(row, (size_t)T, sizeof *row, heavier);
    while (kept < T && row[kept].weight != 0 && sum < mass * all * (1 - 1e-6))
        sum += (double)fabsf(row[kept++].weight);
    return kept;
}

/* Many different values, few different ones, or all equal, so that every bin is used. */
static float any_value(double chance, int kind) {
    float sign = (int)(chance * 1e4) % 2 != 0 ? -1.0f : 1.0f;
    return sign * (kind == 0   ? (float)chance
                   : kind == 1 ? expf(60 * (float)chance - 60)
                   : kind == 2 ? floorf(4 * (float)chance)
                   : kind == 3 ? 1 + 1e-6f * (float)chance
                               : 1e-42f * (float)chance);
}

static void check_mass(Fixture *f, float mass) {
    static bool is_chosen[MANY][MANY];
    Arena before = f->arena;
    Edge row[MANY];
    EdgeFilter filter = {.kind = EDGES_MASS, .mass = mass, .drawn_max = MANY * MANY};
    EdgeList edges = edges_select(&f->arena, &f->weights, &f->mask, &filter);
    memset(is_chosen, 0, sizeof is_chosen);
    for (int e = 0; e < edges.count; e++)
        is_chosen[edges.at[e].query][edges.at[e].key] = true;
    int count = 0;
    for (int i = 0; i < MANY; i++) {
        int kept = fewest(row, f, i, (double)mass);
        for (int j = 0; j < kept; j++)
            assert_true(is_chosen[i][row[j].key]);
        count += kept;
    }
    assert_int_equal(edges.count, count);
    f->arena = before;
}

TEST(mass_of_any_values_is_that_of_sorted_rows) {
    for (int kind = 0; kind < 5; kind++) {
        Fixture f;
        fixture_open(&f, MANY, MASK_NONE);
        Rng rng = rng_stream(21, (uint64_t)kind);
        for (int i = 0; i < MANY * MANY; i++)
            mat_row(&f.weights, i / MANY)[i % MANY] =
                any_value(rng_uniform(rng, (uint64_t)i), kind);
        for (float mass = 0; mass < 1.1f; mass += 0.24f)
            check_mass(&f, mass);
        arena_release(&f.arena);
    }
}

TEST(what_is_hidden_is_missed_in_the_share) {
    Fixture f;
    fixture_open(&f, 3, MASK_NONE);
    for (int i = 0; i < 9; i++)
        mat_row(&f.weights, i / 3)[i % 3] = 1.0f / 3;
    EdgeFilter filter = {.kind = EDGES_TOP, .top = 3, .hide_self = true, .drawn_max = 9};
    EdgeList edges = edges_select(&f.arena, &f.weights, &f.mask, &filter);
    assert_int_equal(edges.count, 6);
    assert_true(fabs(edges.share - 2.0 / 3) < 1e-6);
    filter.hide_first = true;
    edges = edges_select(&f.arena, &f.weights, &f.mask, &filter);
    assert_int_equal(edges.count, 4);
    assert_int_equal(edges.all, 9);
    assert_false(is_among(&edges, 1, 0) || is_among(&edges, 1, 1));
    arena_release(&f.arena);
}

TEST(of_more_than_are_drawn_the_heaviest_are) {
    Fixture f;
    fixture_open(&f, 30, MASK_NONE);
    fill_scores(&f);
    EdgeFilter filter = {.kind = EDGES_ABOVE, .drawn_max = 900};
    EdgeList all = edges_select(&f.arena, &f.weights, &f.mask, &filter);
    for (int most = 0; most < 40; most++) {
        filter.drawn_max = most;
        EdgeList some = edges_select(&f.arena, &f.weights, &f.mask, &filter);
        assert_int_equal(some.count, most);
        assert_int_equal(some.left_out, all.count - most);
        assert_memory_equal(some.at, all.at + all.count - most, (size_t)most * sizeof(Edge));
    }
    arena_release(&f.arena);
}

TEST(one_token_has_its_loop) {
    Fixture f;
    fixture_open(&f, 1, MASK_CAUSAL);
    mat_row(&f.weights, 0)[0] = 1;
    EdgeList edges = top(&f, 3);
    assert_int_equal(edges.count, 1);
    assert_int_equal(edges.at[0].query, edges.at[0].key);
    arena_release(&f.arena);
}
