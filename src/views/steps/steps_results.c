/* Writes the numbers of all six steps as CSV and JSON. */
#include "base/util.h"
#include "views/shared/matrix_results.h"
#include "views/steps/steps_view.h"

/* Numbers with one name: values in float32, or sums in double. */
typedef struct Series {
    int step;
    const char *name;
    const float *values;
    const double *sums;
    int count; /* number of values; 0 if the layer has no such numbers */
} Series;

static double value_of(const Series *s, int i) {
    return s->values != NULL ? (double)s->values[i] : s->sums[i];
}

static void write_csv(TextOut *out, const Series *series, size_t count) {
    text_out(out, "step,name,index,value\n");
    for (size_t k = 0; k < count; k++)
        for (int i = 0; i < series[k].count; i++) {
            text_out(out, "%d,%s,%d,", series[k].step, series[k].name, i + 1);
            text_out_number(out, value_of(&series[k], i), "");
            text_out(out, "\n");
        }
}

static void write_json(TextOut *out, const ViewContext *c, const CellStory *n, const Series *series,
                       size_t count) {
    results_json(out, c);
    text_out(out, ",\n\"head\": %d, \"query\": %d, \"key\": %d, \"output\": %d,\n\"steps\": [",
             n->at.head + 1, n->at.query + 1, n->at.key + 1, n->column + 1);
    const char *between = "";
    for (size_t k = 0; k < count; k++) {
        if (series[k].count == 0)
            continue;
        text_out(out, "%s\n {\"step\": %d, \"name\": ", between, series[k].step);
        between = ",";
        text_out_quoted(out, series[k].name);
        text_out(out, ", \"values\": [");
        for (int i = 0; i < series[k].count; i++) {
            text_out(out, "%s", i > 0 ? ", " : "");
            text_out_number(out, value_of(&series[k], i), "null");
        }
        text_out(out, "]}");
    }
    text_out(out, "]}\n");
}

bool steps_results(const ViewContext *c, ViewResult result, TextOut *out) {
    Arena arena = {0};
    Err err;
    if (!c->run->valid || c->run->T == 0 ||
        !arena_reserve(&arena, cell_story_bytes(&c->run->layers[0].shape[c->run->form]), &err))
        return false;
    const CellStory story = steps_story(c, &arena), *n = &story;
    const AttnShape *shape = n->shape;
    bool factors = attn_has_factors(shape), skips = shape->block != BLOCK_ATTENTION;
    bool pre = shape->block == BLOCK_PRE_NORM, post = shape->block == BLOCK_POST_NORM;
    int D = shape->D, parts = n->word != NULL ? D : 0;
    const Series all[] = {
        {1, "word", n->word, NULL, parts},
        {1, "position", n->position, NULL, parts},
        {1, "x", n->x, NULL, D},
        {1, "norm", NULL, &n->length, 1},
        {2, "LN.mean", NULL, &n->input_norm.mean, pre},
        {2, "LN.deviation", NULL, &n->input_norm.std, pre},
        {2, "LN(x)", n->input, NULL, pre ? D : 0},
        {2, factors ? "q" : "x W_QK", n->query, NULL, n->query_count},
        {2, factors ? "k" : "x of the key", n->key, NULL, n->query_count},
        {2, "v", n->value, NULL, shape->V},
        {3, "product", n->terms, NULL, n->term_count},
        {3, "sum", NULL, &n->dot, 1},
        {3, "score", &n->score, NULL, 1},
        {4, "weight", n->weights, NULL, shape->T},
        {5, "z", n->read, NULL, shape->V},
        {6, "head", NULL, n->head_parts, shape->H},
        {6, "b_O", NULL, &n->bias, shape->bias != BIAS_NONE},
        {6, "x", NULL, &n->residual, skips},
        {6, "sum", NULL, &n->sum, 1},
        {6, "LN.mean", NULL, &n->output_norm.mean, post},
        {6, "LN.deviation", NULL, &n->output_norm.std, post},
        {6, "y", &n->output, NULL, 1},
    };
    if (result == RESULT_CSV)
        write_csv(out, all, ARRAY_COUNT(all));
    else
        write_json(out, c, n, all, ARRAY_COUNT(all));
    arena_release(&arena);
    return !out->failed;
}
