/* The step on screen, and playing. While the view plays, the step is a function of time, and the
 * setting follows it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"
#include "views/train/train.h"

static const Entry PACES[] = {
    [PACE_1] = {"1", "1×", "", "Ten steps a second."},
    [PACE_8] = {"8", "8×", "", "Eighty steps a second."},
    [PACE_MOST] = {"max", "Max", "",
                   "Six hundred steps a second, or as fast as they are computed."},
};
const Registry TRAIN_PACES = REGISTRY("speeds", "speed", PACES);

static const Entry SEEDS[] = {
    {"1", "1", "", "Train each initial layer once, with the session's seed."},
    {"10", "10", "",
     "Train each initial layer with ten seeds: the line is the median, the band contains 8 of the "
     "10."},
};
const Registry TRAIN_SEEDS = REGISTRY("seeds", "seeds", SEEDS);

#define FRAME_S (1.0 / 60)
#define FAR     10 /* number of steps by which a key moves with Shift */

static int within(const ViewContext *c, int step) {
    int last = c->settings->train.steps;
    return step < 0 ? 0 : step > last ? last : step;
}

static void set_off(const ViewContext *c, bool on, int from) {
    TrainPlay *play = &c->memory->train->play;
    play->is_on = on;
    play->from = play->asked = from;
    play->since_s = c->ui->time_s;
    play->seen_frame = c->ui->frame;
    c->ui->again = true;
}

/* Playing ends when the view is hidden. If the user sets the step, playing continues from that
 * step. */
int train_wanted(const ViewContext *c) {
    static const double paces[] = {[PACE_1] = 10, [PACE_8] = 80, [PACE_MOST] = 600};
    double steps_per_s = paces[c->settings->train.pace];
    TrainPlay *play = &c->memory->train->play;
    int chosen = within(c, c->settings->train.step);
    play->is_on = play->is_on && play->seen_frame + 1 >= c->ui->frame;
    play->seen_frame = c->ui->frame;
    if (play->is_on && chosen != play->asked)
        set_off(c, true, chosen);
    if (!play->is_on)
        return chosen;
    double steps = (c->ui->time_s - play->since_s) * steps_per_s;
    ui_wake(c->ui, c->ui->time_s + fmax(FRAME_S, 1 / steps_per_s));
    return within(c, play->from + (int)fmin(floor(steps + 1e-6), RACE_STEPS_MAX));
}

void train_go(const ViewContext *c, int step, uint64_t serial) {
    TrainPlay *play = &c->memory->train->play;
    if (play->is_on)
        set_off(c, true, within(c, step));
    view_set_number(c, "train-step", within(c, step), serial);
}

bool train_press(const ViewContext *c, TransportButton button) {
    const TrainMemory *m = c->memory->train;
    int steps = c->settings->train.steps, at = c->settings->train.step;
    /* begin with the step that earlier edits in this frame set */
    for (int i = 0; i < c->edits->count; i++)
        if (c->edits->at[i].row != NULL &&
            strcmp(c->edits->at[i].row->entry.id, TRAIN_POSITION.key) == 0)
            at = atoi(c->edits->at[i].value);
    at = within(c, at);
    const int to[] = {[TRANSPORT_FIRST] = 0,           [TRANSPORT_BACK] = at - 1,
                      [TRANSPORT_FORWARD] = at + 1,    [TRANSPORT_LAST] = steps,
                      [TRANSPORT_FAR_BACK] = at - FAR, [TRANSPORT_FAR_FORWARD] = at + FAR};
    if (button == TRANSPORT_PLAY) {
        int from = within(c, c->settings->train.step);
        if (!m->play.is_on && from == steps) {
            from = 0;
            view_set_number(c, "train-step", 0, 0);
        }
        set_off(c, !m->play.is_on, from);
    } else if (button != TRANSPORT_NONE)
        train_go(c, to[button], 0);
    return true;
}

/* True if an edit restarts the race. The scheme under Init does not affect the columns; a larger
 * number of steps continues the same race. */
static bool restarts(const Session *before, const Settings *was, const Session *after,
                     const Settings *is) {
    bool given_before, given_after;
    RaceRequest from = train_request(before, was, &given_before);
    RaceRequest to = train_request(after, is, &given_after);
    Session same = *after; /* borrows from *after */
    same.options.init = before->options.init;
    from.rules.steps = to.rules.steps;
    AttnShape shape = options_shape(&before->options, 1, (AttnForm)before->options.form.row);
    Err err;
    if (!race_can_train(&shape, &err)) /* before the edit there was no race */
        return false;
    return given_before != given_after || !race_request_equal(&from, &to) ||
           !results_same(before, &same);
}

const ViewPosition TRAIN_POSITION = {"train-step", restarts};
