/* The held-out loss and the score of a start over its seeds. */
#include <math.h>
#include <stdlib.h>

#include "views/train/train.h"

static float value_of(const Race *race, TrainCurve curve, int column, int step) {
    int overflow = race_overflow(race, column);
    bool is_over = overflow >= 0 && overflow <= step;
    if (curve == TRAIN_HELD_OUT && is_over)
        return INFINITY;
    if (is_over && overflow == 0)
        return NAN;
    const RaceRecord *record =
        race_record(race, column, race_measured(race, is_over ? overflow - 1 : step));
    return curve == TRAIN_HELD_OUT ? record->held_out : record->score;
}

/* Order numbers; NaN comes first. */
static int by_value(const void *a, const void *b) {
    float x = *(const float *)a, y = *(const float *)b;
    return isnan(x) || isnan(y) ? isnan(y) - isnan(x) : (x > y) - (x < y);
}

float train_ranked(const TrainScene *s, TrainCurve curve, int start, int step, int rank) {
    float values[RACE_SEEDS] = {0};
    int seeds = s->race->plan.rules.seeds;
    for (int i = 0; i < seeds; i++)
        values[i] = value_of(s->race, curve, start + i * s->columns, step);
    qsort(values, (size_t)seeds, sizeof *values, by_value);
    return values[rank];
}

float train_median(const TrainScene *s, TrainCurve curve, int start, int step) {
    int seeds = s->race->plan.rules.seeds;
    float below = train_ranked(s, curve, start, step, (seeds - 1) / 2);
    float above = train_ranked(s, curve, start, step, seeds / 2);
    return isinf(above) ? above : (below + above) / 2;
}
