/* What the Train view leaves as text: losses and norms of gradients by step, as CSV and JSON, and
 * its starts as PyTorch. */
#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"
#include "lab/pytorch.h"
#include "model/params.h"
#include "session/state.h"
#include "ui/dropdown.h"
#include "views/compare.h"
#include "views/train.h"

static const char *column_id(const TrainRace *of, int column) {
    return of->key.is_given ? "given" : SCHEMES[of->key.wish.schemes.rows[column]].entry.id;
}

/* Steps of a column that are known. */
static int steps_of(const Race *race, int column) {
    return race_done(race, column);
}

static void csv(TextOut *out, const TrainRace *of) {
    const Race *race = &of->crew.race;
    text_out(out, "scheme,step,loss");
    for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
        if (train_shows(race, p))
            text_out(out, ",norm.grad.%s", PARAMS[p].entry.id);
    text_out(out, "\n");
    for (int i = 0; i < race->plan.scheme_count; i++)
        for (int step = 0; step < steps_of(race, i); step++) {
            const RaceRecord *record = race_record(race, i, step);
            text_out(out, "%s,%d,", column_id(of, i), step);
            text_out_number(out, (double)record->loss, "");
            for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
                if (train_shows(race, p)) {
                    text_out(out, ",");
                    text_out_number(out, (double)record->norm[p], "");
                }
            text_out(out, "\n");
        }
}

static void list_json(TextOut *out, const Race *race, int column, const char *key, int param) {
    text_out(out, ",\n  \"%s\": [", key);
    for (int step = 0; step < steps_of(race, column); step++) {
        const RaceRecord *record = race_record(race, column, step);
        text_out(out, "%s", step > 0 ? ", " : "");
        text_out_number(out, (double)(param < 0 ? record->loss : record->norm[param]), "null");
    }
    text_out(out, "]");
}

static void json(TextOut *out, const TrainRace *of, const char *state) {
    const Race *race = &of->crew.race;
    const RaceWish *wish = &of->key.wish;
    text_out(out, "{\"state\": ");
    text_out_quoted(out, state);
    text_out(out,
             ",\n\"task\": \"%s\", \"optimiser\": \"%s\", \"rate\": ", TASKS[wish->task].entry.id,
             OPTIMISERS[wish->optimiser].entry.id);
    text_out_number(out, (double)wish->rate, "null");
    text_out(out, ",\n\"schemes\": [");
    for (int i = 0; i < race->plan.scheme_count; i++) {
        text_out(out, "%s\n {\"id\": \"%s\"", i > 0 ? "," : "", column_id(of, i));
        list_json(out, race, i, "loss", -1);
        for (AttnParam p = 0; p < ATTN_PARAM_COUNT; p++)
            if (train_shows(race, p)) {
                char key[48];
                snprintf(key, sizeof key, "norm.grad.%s", PARAMS[p].entry.id);
                list_json(out, race, i, key, (int)p);
            }
        text_out(out, "}");
    }
    text_out(out, "]}\n");
}

static void pytorch(TextOut *out, const TrainRace *of) {
    const RacePlan *plan = &of->crew.race.plan;
    for (int i = 0; i < plan->scheme_count; i++) {
        char lines[PYTORCH_MAX];
        pytorch_lines(lines, &plan->schemes[i], &plan->shape);
        text_out(out, "%s# %s\n%s", i > 0 ? "\n" : "",
                 registry_entry(&SCHEME_REGISTRY, of->key.wish.schemes.rows[i])->label, lines);
    }
}

bool train_results(const ViewContext *c, ViewResult result, TextOut *out) {
    const TrainMemory *m = c->memory->train;
    const TrainRace *of = m != NULL ? train_shown(m) : NULL;
    if (of == NULL || m->failed || of->crew.race.plan.scheme_count == 0)
        return false;
    if (result == RESULT_PYTORCH)
        pytorch(out, of);
    else if (result == RESULT_CSV)
        csv(out, of);
    else {
        char *state = state_make(c->session);
        if (state != NULL)
            json(out, of, state);
        out->failed = out->failed || state == NULL;
        free(state);
    }
    return !out->failed;
}

static const Entry LEAVING[] = {
    {"copy-csv", "Copy numbers as CSV", "",
     "A row for each step of each start: its loss, and the norms of its gradients."},
    {"copy-json", "Copy numbers as JSON", "", "The same with the state."},
    {"copy-pytorch", "Copy as PyTorch", "", "The lines that draw each start."},
    {"save-csv", "Save numbers as CSV…", "", "Into a file that you name."},
    {"save-json", "Save numbers as JSON…", "", "Into a file that you name."},
    {"save-pytorch", "Save as PyTorch…", "", "Into a file that you name."},
    {"save-png", "Save picture as PNG…", "", "The window as it is seen."},
    {"save-svg", "Save picture as SVG…", "", "The window in lines and text, for print."},
};
static const Registry LEAVINGS = {"results", "result", LEAVING, sizeof LEAVING[0],
                                  ARRAY_COUNT(LEAVING)};
static const DropdownChoices RESULTS = {.registry = &LEAVINGS, .label = "Results"};

float train_leaving_width(const ViewContext *c) {
    return dropdown_width(c->ui, &RESULTS, 0);
}

static void copy(const ViewContext *c, ViewResult result) {
    TextOut *out = &c->memory->train->copy;
    text_out_reset(out);
    if (!train_results(c, result, out))
        return;
    c->ui->copied = out->at;
    c->ui->copied_bytes = out->used;
}

void train_leaving_draw(const ViewContext *c, Rect place) {
    int picked = dropdown(c->ui, ui_id("train results", 0), place, &RESULTS, -1);
    int saves = RESULT_PYTORCH - RESULT_CSV + 1;
    if (picked >= saves)
        *c->save = (ViewResult)(RESULT_CSV + picked - saves);
    else if (picked >= 0)
        copy(c, (ViewResult)(RESULT_CSV + picked));
}
