#include <math.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/utf8.h"
#include "document/state.h"
#include "lab/study.h"
#include "lab/study_text.h"
#include "lab/theory_on_input.h"
#include "results/study_plan.h"
#include "shell/output.h"
#include "shell/pass.h"
#include "shell/pool.h"
#include "shell/timing.h"

#define SEEDS 100 /* default of --seeds */

enum { FORMAT_JSON, FORMAT_CSV };
static const OutputFormat FORMATS[] = {
    {{"json", "json", "", "Every scheme with its statistics, layer by layer."}, true},
    {{"csv", "csv", "", "One row for each scheme, layer and statistic."}, true},
};
static const Registry FORMAT_REGISTRY = REGISTRY("formats", "format", FORMATS);

#define LOOK_MS 50 /* ms between two checks of the study's progress */

static bool stopped(const Study *study, Err *err) {
    return err_fail(err, "compare", "stopped after %lld of %lld samples; nothing was written",
                    study->in, study->units);
}

static bool run_study(Study *study, int threads, Err *err) {
    Pool pool = {0};
    JobPool jobs = pool_jobs(&pool, threads);
    double start_s = timing_now_s();
    output_poll(true);
    job_start(&jobs, &study->job);
    while (!job_wait(&jobs, &study->job, LOOK_MS)) {
        double left = (double)(study->units - study->in) / fmax(1, (double)study->in);
        study_update(study);
        progress_say(PRINT("%s of %s draws, %.0f s left", GROUPED(study->in), GROUPED(study->units),
                           ceil(left * (timing_now_s() - start_s))));
        if (output_stopped())
            job_stop(&study->job);
    }
    study_update(study);
    output_poll(false);
    progress_end();
    while (!pool_end(&pool))
        ;
    if (atomic_load(&study->failed))
        *err = study->err;
    return !atomic_load(&study->failed) && (study_is_over(study) || stopped(study, err));
}

static StudyPlan plan_of(const Call *call, const Results *run) {
    int schemes[STUDY_SCHEMES_MAX], count = call->scheme_count;
    for (int i = 0; i < SCHEME_REGISTRY.count; i++)
        schemes[i] = count > 0 ? call->schemes[i] : i;
    StudyPlan plan =
        study_plan(run, &call->session, schemes, count > 0 ? count : SCHEME_REGISTRY.count,
                   call->seeds > 0 ? call->seeds : SEEDS, STUDY_FILES);
    study_plan_sample_all(&plan, &call->session);
    return plan;
}

static bool expect_on_x(double **out, const Study *study, Err *err) {
    const StudyPlan *plan = &study->plan;
    size_t each = (size_t)plan->layers * STUDY_STAT_COUNT;
    StudyBench bench = {0};
    bool made = true;
    *out = heap_get((size_t)plan->scheme_count * each * sizeof **out);
    if (*out == NULL)
        return err_fail(err, "memory", "too little for the expectations; close other programs");
    output_poll(true);
    for (int s = 0; s < plan->scheme_count && made; s++)
        made = output_stopped() ? stopped(study, err)
                                : theory_on_study(*out + (size_t)s * each, &bench, plan, s, err);
    output_poll(false);
    study_bench_release(&bench);
    return made;
}

/* Write the results. A number that does not exist or is not finite is null in JSON, empty in
 * CSV. */
static bool write_study(FileOut *out, bool is_csv, const Study *study, const double *expected_x,
                        const Session *session, Err *err) {
    TextOut text = {0};
    StudyTable table = study_table(study, study_text_in_files());
    table.expected_x = expected_x;
    char *state = state_make(session, NULL);
    text.failed = state == NULL;
    if (is_csv)
        study_text_csv(&text, &table);
    else if (state != NULL)
        study_text_json(&text, &table, state);
    free(state);
    return print_append(out, &text, err) && output_commit(out, err);
}

/* Open the file before the computation, so that a file that cannot be written fails at once. */
static bool compare_run(const Call *call, bool is_csv, const Results *run, Err *err) {
    StudyPlan plan = plan_of(call, run);
    Study *study = study_create(&plan, err);
    FileOut out;
    if (study == NULL)
        return false;
    bool opened = output_begin(&out, call, err);
    bool done = opened && run_study(study, call->threads, err);
    double *expected_x = NULL;
    done = done && expect_on_x(&expected_x, study, err);
    if (opened && !done)
        file_abandon(&out);
    done = done && write_study(&out, is_csv, study, expected_x, &call->session, err);
    free(expected_x);
    study->job.free(&study->job);
    return done;
}

bool verb_compare(const Call *call, Err *err) {
    int format;
    Pass pass;
    if (!output_format(&format, &FORMAT_REGISTRY, call, err) ||
        !pass_begin(&pass, &call->session, err))
        return false;
    bool done = compare_run(call, format == FORMAT_CSV, &pass.run, err);
    pass_end(&pass);
    return done;
}
