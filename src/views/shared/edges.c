#include "views/shared/edges.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/util.h"

#define NEAR_PX 5.0f /* px: the pointer is on an arrow if it is at most this far away */

static const Entry FILTER_ROWS[] = {
    [EDGES_TOP] = {"top", "Top k", "the k largest of each row",
                   "A fixed number of edges for each query: those to the keys that it reads most."},
    [EDGES_ABOVE] = {"above", "Above", "a ≥ x", "Every edge with at least a given weight."},
    [EDGES_MASS] =
        {"mass", "Mass", "Σ a ≥ p, the fewest",
         "For each query, the fewest edges that together carry a given share of its row."},
};
static_assert(ARRAY_COUNT(FILTER_ROWS) == EDGE_FILTER_COUNT, "one row for each filter");
const Registry EDGE_FILTERS = REGISTRY("filters", "filter", FILTER_ROWS);

/* edges_select never keeps more than 2·drawn_max edges and those of one more row. */
uint64_t edges_bytes(int T, int drawn_max) {
    uint64_t all = (uint64_t)T * (uint64_t)T, most = 2 * (uint64_t)drawn_max + (uint64_t)T;
    return arena_padded((all < most ? all : most) * sizeof(Edge));
}

static int by_weight(const void *left, const void *right) {
    const Edge *a = left, *b = right;
    float weight_a = fabsf(a->weight), weight_b = fabsf(b->weight);
    if (weight_a != weight_b)
        return weight_a < weight_b ? -1 : 1;
    int row = (a->at.query < b->at.query) - (a->at.query > b->at.query);
    return row != 0 ? row : (a->at.key < b->at.key) - (a->at.key > b->at.key);
}

static void swap(Edge *a, Edge *b) {
    Edge moved = *a;
    *a = *b;
    *b = moved;
}

/* Move the heaviest edges to the front, in any order, and return their number: the fewest whose sum
 * reaches `weight`, but at most `most`. The method is quickselect: choose a pivot and move heavier
 * edges before it. If these are enough, search among them; otherwise keep them all and search among
 * the others. */
static int keep_heaviest(Edge *at, int count, int most, double weight) {
    int kept = 0;
    while (kept < count && kept < most && weight > 0) {
        Edge *pivot = &at[kept];
        int heavier = 0;
        double sum = 0;
        swap(pivot, &at[kept + (count - kept) / 2]);
        for (int i = kept + 1; i < count; i++)
            if (by_weight(&at[i], pivot) > 0) {
                sum += (double)fabsf(at[i].weight);
                swap(&at[i], &pivot[++heavier]);
            }
        if (sum >= weight || kept + heavier >= most) {
            swap(pivot, &pivot[heavier]);
            count = kept + heavier;
        } else {
            weight -= sum + (double)fabsf(pivot->weight);
            kept += heavier + 1;
        }
    }
    return kept;
}

/* Keep those edges of a row that a filter chooses, and return their number. whole is the sum of the
 * whole row, including hidden edges. */
static int filter_row(Edge *row, int count, const EdgeFilter *filter, double whole) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool is_hidden = (filter->hide_self && row[i].at.key == row[i].at.query) ||
                         (filter->hide_first && row[i].at.key == 0);
        bool is_light = filter->kind == EDGES_ABOVE && fabsf(row[i].weight) < filter->above;
        if (!is_hidden && !is_light)
            row[kept++] = row[i];
    }
    if (filter->kind == EDGES_TOP)
        return keep_heaviest(row, kept, filter->top, INFINITY);
    if (filter->kind == EDGES_MASS)
        return keep_heaviest(row, kept, kept, (double)filter->mass * whole * (1 - 1e-6));
    return kept;
}

EdgeList edges_select(Arena *scratch, const Mat *values, int layer, int head,
                      const EdgeFilter *filter) {
    int most = filter->drawn_max;
    EdgeList list = {.at = arena_push(scratch, (size_t)edges_bytes(values->rows, most))};
    double all = 0, shown = 0;
    for (int i = 0; i < values->rows; i++) {
        const float *value = mat_row(values, i);
        Edge *row = &list.at[list.count];
        int count = 0;
        double whole = 0;
        for (int j = 0; j < values->cols; j++) {
            float size = fabsf(value[j]);
            if (!(size > 0 && size <= FLT_MAX))
                continue;
            whole += (double)size;
            row[count++] = (Edge){{layer, head, i, j}, value[j], value[j]};
        }
        all += whole;
        list.all += count;
        list.count += filter_row(row, count, filter, whole);
        bool is_last = i == values->rows - 1;
        if (list.count > (is_last ? most : 2 * most)) {
            list.left_out += list.count - most;
            list.count = keep_heaviest(list.at, list.count, most, INFINITY);
        }
    }
    qsort(list.at, (size_t)list.count, sizeof *list.at, by_weight);
    for (int i = 0; i < list.count; i++)
        shown += fabs((double)list.at[i].weight);
    list.share = all > 0 ? shown / all : 0;
    return list;
}

EdgeList edges_top(Arena *scratch, const Mat *weights, int layer, int head, int most) {
    EdgeFilter filter = {.kind = EDGES_TOP,
                         .top = most < EDGES_PER_TOKEN_MAX ? most : EDGES_PER_TOKEN_MAX,
                         .drawn_max = EDGES_DRAWN_MAX};
    return edges_select(scratch, weights, layer, head, &filter);
}
void arrow_draw(const ViewContext *c, const Arrow *arrow, Colour colour) {
    DrawCurve curve = arrow->arc.curve;
    DrawTriangle head = arrow->arc.head;
    if (arrow->edge.weight < 0)
        curve.dash_on = 5, curve.dash_off = 4;
    curve.colour_from = curve.colour_to = colour;
    head.colour_a = head.colour_b = head.colour_c = colour;
    draw_curve(c->ui->list, &curve);
    draw_triangle(c->ui->list, &head);
}

void arrows_draw(const ViewContext *c, const Arrow *arrows, int count, const ArrowsStyle *style) {
    /* Order of drawing: lit arrows last, so that they are on top. */
    enum { OTHERS, TO_TOKEN, FROM_TOKEN, PASSES };
    for (int pass = 0; pass < PASSES; pass++)
        for (int i = 0; i < count; i++) {
            const Edge *edge = &arrows[i].edge;
            Colour colour = arrows[i].arc.curve.colour_from;
            int turn = edge->at.query == style->token ? FROM_TOKEN
                       : edge->at.key == style->token ? TO_TOKEN
                                                      : OTHERS;
            if (turn != pass || attn_cell_equal(edge->at, style->apart))
                continue;
            if (turn == FROM_TOKEN && style->reads != 0)
                colour = style->reads;
            float share = style->largest > 0 ? fminf(fabsf(edge->weight) / style->largest, 1) : 0;
            if (turn == OTHERS)
                colour = colour_fade(
                    arc_faint(colour, c->ui->theme->canvas, share, style->token >= 0), style->fade);
            arrow_draw(c, &arrows[i], colour);
        }
}

int arrow_at_pointer(const ViewContext *c, const Arrow *arrows, int count) {
    int nearest = -1;
    float best = NEAR_PX;
    for (int i = 0; i < count; i++) {
        const DrawCurve *curve = &arrows[i].arc.curve;
        float half = curve->width_from / 2;
        float away = curve_distance(curve, c->ui->pointer, best + half) - half;
        if (away < best) {
            best = away;
            nearest = i;
        }
    }
    return nearest;
}
