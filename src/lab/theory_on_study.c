/* Averages the expectations of theory_of_layer over the first seeds of a study. */
#include <math.h>
#include <string.h>

#include "lab/theory_on_input.h"

#define DRAWS   16 /* number of seeds; more would change at most the third digit */
#define SOFTMAX 64 /* draws of the softmax for each seed */

static bool is_std(StudyStat stat) {
    return strncmp(STUDY_STATS[stat].entry.id, "std.", 4) == 0;
}

/* Add a layer's expectations. Gradients are expected only in the highest layer, where they start
 * from a random G. */
static bool add_layer(double *out, const StudyBench *bench, const StudyPlan *plan, int scheme,
                      int l, const double *expected, int k) {
    TheoryOnInput given;
    const StudyLayer layer = study_bench_layer(bench, plan, l);
    theory_of_layer(&given, &layer, &plan->schemes[scheme].plan, expected,
                    (DrawRange){k * SOFTMAX, SOFTMAX});
    for (StudyStat s = 0; s < STUDY_STAT_COUNT; s++) {
        bool is_gradient = (STUDY_STATS[s].parts & STUDY_BACKWARD) != 0;
        double value = is_gradient && l < plan->layers - 1 ? NAN : given.value[s];
        out[s] += is_std(s) ? value * value : value;
    }
    return !given.starved;
}

bool theory_on_study(double *out, StudyBench *bench, const StudyPlan *plan, int scheme, Err *err) {
    int draws = plan->seeds < DRAWS ? plan->seeds : DRAWS, stats = STUDY_STAT_COUNT;
    double expected[STUDY_STAT_COUNT];
    /* theory_of_layer needs the expectations for a single layer, not for a layer in a stack. */
    StudyPlan alone = *plan;
    alone.layers = 1;
    study_expect(expected, &alone, scheme, 0);
    memset(out, 0, (size_t)plan->layers * (size_t)stats * sizeof *out);
    for (int k = 0; k < draws; k++) {
        if (!study_forward(bench, plan, (long long)k * plan->scheme_count + scheme, err))
            return false;
        for (int l = 0; l < plan->layers; l++)
            if (!add_layer(out + l * stats, bench, plan, scheme, l, expected, k))
                return err_fail(err, "memory", "too little to compute what is expected on this X");
    }
    for (int i = 0; i < plan->layers * stats; i++) {
        StudyStat s = (StudyStat)(i % stats);
        double mean = out[i] / draws;
        out[i] = STUDY_STATS[s].of_weight ? expected[s] : is_std(s) ? sqrt(mean) : mean;
    }
    return true;
}
