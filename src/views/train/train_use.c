#include "views/train/train.h"

#include <ctype.h>
#include <stdio.h>

#include "base/utf8.h"
#include "ui/button.h"
#include "ui/tooltip.h"

#define BUTTON_H 24

static void ask(const TrainScene *s, int column) {
    TrainMemory *m = s->c->memory->train;
    m->use = (TrainUse){.hash = s->of->key.hash,
                        .column = column,
                        .step = train_last(s->race, column, s->step),
                        .is_asked = true};
    s->c->ui->again = true;
}

static void explain(const TrainScene *s, UiId id, Rect place, int column) {
    tooltip(s->c->ui, id, place, "Use this layer",
            PRINT("Uses the weights of step %d in every view. Ctrl Z restores the old weights.",
                  train_last(s->race, column, s->step)));
}

void train_use_mark(const TrainScene *s, Rect place, int column) {
    Ui *ui = s->c->ui;
    UiId id = ui_id("use trained", column);
    Rect ground = {place.x - 6, place.y + (place.h - BUTTON_H) / 2, BUTTON_H, BUTTON_H};
    UiState state = button_ground(ui, id, ground, 8, ui->theme->canvas);
    mark_draw(ui, column_mark(column), (Vec2){place.x + 7, place.y + place.h / 2}, 13,
              column_colour(s->c, column));
    explain(s, id, ground, column);
    if (state.clicked)
        ask(s, column);
}

void train_use_draw(const TrainScene *s, Rect line, int column) {
    UiId id = ui_id("use trained in words", column);
    Rect button = {line.x, line.y + (line.h - BUTTON_H) / 2, line.w, BUTTON_H};
    if (button_text(s->c->ui, id, button, "Use"))
        ask(s, column);
    explain(s, id, button, column);
}

static void write_note(ViewTrained *out, const TrainRace *of, const TrainUse *use) {
    const RaceRequest *request = &of->key.request;
    char task[32];
    snprintf(task, sizeof task, "%s", TASKS[request->rules.task].entry.label);
    task[0] = (char)tolower((unsigned char)task[0]);
    snprintf(out->note, sizeof out->note, "%s, step %d: %s, seed %llu, %s at %s", task, use->step,
             of->key.is_given ? "given weights"
                              : SCHEMES[request->schemes.rows[use->column]].entry.label,
             (unsigned long long)of->race->plan.schemes[use->column].seed,
             OPTIMISERS[request->rules.optimiser].entry.label, EXACT(request->rules.rate));
    for (char *at = task; *at != '\0'; at++)
        *at = (char)(*at == ' ' ? '-' : *at);
    snprintf(out->name, sizeof out->name, "%s-%d", task, use->step);
}

static void give(const ViewContext *c, const TrainRace *of, const TrainUse *use) {
    ViewTrained *out = c->trained;
    const RaceLook *look = use->look;
    if (look != NULL && look->has_looked)
        out->weights =
            race_trained_weights("", c->run, of->race, &look->bench.look.params, &out->err);
    else if (look != NULL)
        out->err = look->err;
    write_note(out, of, use);
    out->is_there = true;
}

void train_use_go_on(const ViewContext *c) {
    TrainMemory *m = c->memory->train;
    TrainUse *use = &m->use;
    const TrainRace *of = &m->races[m->newest];
    if (!use->is_asked)
        return;
    bool is_other = m->failed || of->key.hash != use->hash;
    if (!is_other && use->look == NULL) {
        use->look = race_look_create(of->race, use->column, use->step, &c->trained->err);
        if (use->look != NULL)
            view_job_start(c, &use->look->job);
    }
    if (!is_other && use->look != NULL && view_job_is_working(c, &use->look->job))
        return;
    if (!is_other)
        give(c, of, use);
    if (use->look != NULL)
        job_drop(c->pool, &use->look->job);
    *use = (TrainUse){.is_asked = false};
}
