/* The results of the Train view as text: numbers by step as CSV and JSON, and initial weights as
 * PyTorch. */
#include "base/utf8.h"
#include "lab/pytorch.h"
#include "views/shared/matrix_results.h"
#include "views/train/train.h"

static const char *column_id(const TrainRace *of, int column) {
    int scheme = column % of->race->plan.scheme_count;
    return of->key.is_given ? "given" : SCHEMES[of->key.request.schemes.rows[scheme]].entry.id;
}

static void csv(TextOut *out, const TrainRace *of) {
    const Race *race = of->race;
    text_out(out, "scheme,seed,");
    race_text_header(out, race);
    text_out(out, "\n");
    for (int i = 0; i < race_columns(race); i++) {
        const char *prefix =
            PRINT("%s,%llu,", column_id(of, i), (unsigned long long)race_seed(race, i));
        race_text_csv(out, race, i, prefix);
    }
}

static void json(TextOut *out, const ViewContext *c, const TrainRace *of) {
    const Race *race = of->race;
    const RaceRules *rules = &race->plan.rules;
    results_json(out, c);
    text_out(out, ",\n\"task\": \"%s\", \"optimiser\": \"%s\", \"data\": \"%s\",",
             TASKS[rules->task].entry.id, OPTIMISERS[rules->optimiser].entry.id,
             registry_entry(&RACE_DATA, (int)rules->data)->id);
    text_out(out, " \"batch\": %d, \"rate\": %s,\n\"starts\": [", rules->batch, JSON(rules->rate));
    for (int i = 0; i < race_columns(race); i++) {
        text_out(out, "%s\n {\"id\": \"%s\", \"seed\": %llu, \"steps\": ", i > 0 ? "," : "",
                 column_id(of, i), (unsigned long long)race_seed(race, i));
        race_text_json(out, race, i);
        text_out(out, "}");
    }
    text_out(out, "]}\n");
}

static void pytorch(TextOut *out, const TrainRace *of) {
    const RacePlan *plan = &of->race->plan;
    for (int i = 0; i < plan->scheme_count; i++) {
        text_out(out, i > 0 ? "\n" : "");
        pytorch_lines(out, SCHEMES[of->key.request.schemes.rows[i]].entry.label, &plan->schemes[i],
                      &plan->shape);
    }
}

bool train_results(const ViewContext *c, ViewResult result, TextOut *out) {
    const TrainMemory *m = c->memory->train;
    const TrainRace *of = train_shown(m);
    if (m->failed || of->race == NULL)
        return false;
    if (result == RESULT_PYTORCH)
        pytorch(out, of);
    else if (result == RESULT_CSV)
        csv(out, of);
    else
        json(out, c, of);
    return !out->failed;
}
