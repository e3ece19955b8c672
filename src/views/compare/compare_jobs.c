/* The jobs of Compare: its studies, the map, and the widths of a head. Each continues while the
 * part on screen asks for it. */
#include "views/compare/compare.h"

#define BEFORE_S 0.15 /* seconds for which the previous results stay on screen */
#define JOBS     (COMPARE_STUDY_COUNT + 2)

static CompareJob *job_at(CompareMemory *m, int i) {
    return i < COMPARE_STUDY_COUNT    ? &m->studies[i].job
           : i == COMPARE_STUDY_COUNT ? &m->grid.job
                                      : &m->scale;
}

bool compare_memory_is_computing(CompareMemory *memory, const JobPool *pool) {
    for (int i = 0; memory != NULL && i < JOBS; i++)
        if (job_is_working(pool, job_at(memory, i)->now))
            return true;
    return false;
}

void compare_memory_stop(CompareMemory *memory) {
    for (int i = 0; memory != NULL && i < JOBS; i++)
        job_stop(job_at(memory, i)->now);
}

void compare_jobs_stop_others(const ViewContext *c) {
    for (int i = 0; i < JOBS; i++) {
        CompareJob *job = job_at(c->memory->compare, i);
        if (job->asked_frame != c->ui->frame && job_is_working(c->pool, job->now))
            job_stop(job->now);
    }
}

void compare_jobs_release(CompareMemory *memory, const JobPool *pool) {
    for (int i = 0; i < JOBS; i++) {
        job_drop(pool, job_at(memory, i)->now);
        job_drop(pool, job_at(memory, i)->before);
    }
}

void compare_job_replace(const ViewContext *c, CompareJob *job, Job *next, bool keeps) {
    job_drop(c->pool, keeps ? job->before : job->now);
    if (keeps)
        job->before = job->now;
    job->now = next;
    job->begun_s = c->ui->time_s;
    job->failed = next == NULL;
}

void compare_job_run(const ViewContext *c, CompareJob *job, bool is_over) {
    job->asked_frame = c->ui->frame;
    if (job->failed || is_over)
        return;
    if (!view_job_is_working(c, job->now)) {
        view_memory_stop_others(c->memory, c->memory->compare);
        view_job_start(c, job->now);
        view_job_is_working(c, job->now);
    }
}

bool compare_job_is_early(const ViewContext *c, const CompareJob *job) {
    return c->ui->time_s < job->begun_s + BEFORE_S;
}

bool compare_job_fail_draw(const ViewContext *c, Rect area, const CompareJob *job) {
    LabelStyle style = {FONT_SANS, 20, c->ui->theme->text_2, LABEL_LEFT};
    if (!job->failed)
        return false;
    label_wrap(c->ui, area, &style, job->err.why);
    ui_fail(c->ui, job->err.what, job->err.why);
    return true;
}
