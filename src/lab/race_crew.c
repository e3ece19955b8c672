#include "lab/race_crew.h"

#include <assert.h>
#include <string.h>

/* True if the column has not done the step and can get there. */
static bool is_left(const Race *race, int column, int goal) {
    return !race_is_over(race, column) && race_done(race, column) <= goal;
}

/* The column that is least far of those nobody has, now taken, or -1. */
static int take_column(RaceCrew *crew) {
    const Race *race = &crew->race;
    for (;;) {
        int best = -1;
        bool no = false;
        for (int i = 0; i < race_columns(race); i++)
            if (!atomic_load(&crew->taken[i]) && is_left(race, i, crew->goal) &&
                (best < 0 || race_done(race, i) < race_done(race, best)))
                best = i;
        if (best < 0 || atomic_compare_exchange_strong(&crew->taken[best], &no, true))
            return best;
    }
}

/* So many steps at a time take about a millisecond. */
static int steps_together(const Race *race) {
    double steps = JOB_STEPS_PER_MS / race_steps(race);
    return steps < 1 ? 1 : steps > race->plan.rules.steps ? race->plan.rules.steps : (int)steps;
}

/* The job. */
static void work(void *data) {
    RaceHand *hand = data;
    RaceCrew *crew = hand->crew;
    int steps = steps_together(&crew->race), column;
    bool goes_on = true;
    while (goes_on && (column = take_column(crew)) >= 0) {
        if (crew->give_way != NULL)
            crew->give_way(crew->giving_way);
        int left = crew->goal + 1 - race_done(&crew->race, column);
        goes_on = job_step(&crew->watch, 0) &&
                  race_advance(&crew->race, &hand->bench, column, steps < left ? steps : left,
                               &crew->watch, &hand->err);
        atomic_store(&crew->taken[column], false);
        hand->failed = !goes_on && !atomic_load(&crew->watch.stop);
    }
    if (hand->failed)
        atomic_store(&crew->watch.stop, true);
}

static void fail(RaceCrew *crew, const Err *err) {
    if (!crew->failed)
        crew->err = *err;
    crew->failed = true;
}

static bool make_bench(RaceHand *hand, Err *err) {
    hand->has_bench = hand->has_bench || race_bench_init(&hand->bench, &hand->crew->race, err);
    return hand->has_bench;
}

static bool start_hand(RaceHand *hand, void (*job)(void *data), Err *err) {
    if (!make_bench(hand, err))
        return false;
    hand->is_working = hand->runner->start(hand->runner->context, job, hand);
    return hand->is_working ||
           err_fail(err, "threads", "none could be started; close other programs");
}

static int columns_left(const Race *race, int goal) {
    int left = 0;
    for (int i = 0; i < race_columns(race); i++)
        left += is_left(race, i, goal);
    return left;
}

void race_crew_go_on(RaceCrew *crew, int goal) {
    Err err = {0};
    int left = columns_left(&crew->race, goal), started = 0;
    if (crew->failed || left == 0 || race_crew_is_working(crew))
        return;
    crew->goal = goal;
    crew->has_looked = false;
    job_watch_begin(&crew->watch);
    for (int i = 0; i < crew->hand_count && i < left && start_hand(&crew->hands[i], work, &err);
         i++)
        started++;
    if (started == 0) /* fewer than there could be are enough */
        fail(crew, &err);
}

/* Without anybody to share it out to. */
static void compute_all(RaceCrew *crew) {
    RaceHand *hand = &crew->hands[0];
    if (!make_bench(hand, &hand->err)) {
        fail(crew, &hand->err);
        return;
    }
    job_watch_begin(&crew->watch);
    crew->goal = crew->race.plan.rules.steps;
    work(hand);
    race_crew_update(crew);
}

void race_crew_reach(RaceCrew *crew, int step, int most) {
    RaceHand *hand = &crew->hands[0];
    assert(!race_crew_is_working(crew));
    if (crew->failed || !make_bench(hand, &hand->err)) {
        fail(crew, &hand->err);
        return;
    }
    for (int i = 0; i < race_columns(&crew->race) && !crew->failed; i++) {
        int missing = step + 1 - race_done(&crew->race, i);
        int steps = missing < most ? missing : most;
        if (!race_advance(&crew->race, &hand->bench, i, steps, NULL, &hand->err))
            fail(crew, &hand->err);
    }
    race_crew_update(crew);
}

/* The job. */
static void look(void *data) {
    RaceHand *hand = data;
    RaceCrew *crew = hand->crew;
    crew->has_looked = race_look(&hand->bench, &crew->race, crew->look_column, crew->look_step,
                                 &crew->watch, &hand->err);
    hand->failed = !crew->has_looked && !atomic_load(&crew->watch.stop);
}

void race_crew_look(RaceCrew *crew, int column, int step, bool at_once) {
    RaceHand *hand = &crew->hands[0];
    Err err = {0};
    assert(!race_crew_is_working(crew));
    crew->look_column = column;
    crew->look_step = step;
    crew->has_looked = false;
    job_watch_begin(&crew->watch);
    if (crew->hand_count > 0 && !at_once) {
        if (!start_hand(hand, look, &err))
            fail(crew, &err);
    } else if (!make_bench(hand, &err))
        fail(crew, &err);
    else
        look(hand);
    race_crew_update(crew);
}

void race_crew_forget(RaceCrew *crew) {
    assert(!race_crew_is_working(crew));
    crew->has_looked = false;
    race_crew_update(crew);
}

bool race_crew_prepare(RaceCrew *crew, const RacePlan *plan, JobHands hands, Err *err) {
    race_crew_release(crew);
    crew->is_begun = true;
    crew->hand_count = hands.count < COMPARISON_MAX ? hands.count : COMPARISON_MAX;
    crew->give_way = hands.give_way;
    crew->giving_way = hands.context;
    for (int i = 0; i < crew->hand_count || i == 0; i++)
        crew->hands[i] = (RaceHand){.crew = crew, .runner = hands.count > 0 ? hands.at + i : NULL};
    if (!race_init(&crew->race, plan, err))
        fail(crew, err);
    return !crew->failed;
}

bool race_crew_begin(RaceCrew *crew, const RacePlan *plan, JobHands hands, Err *err) {
    if (!race_crew_prepare(crew, plan, hands, err))
        return false;
    if (hands.count > 0)
        race_crew_go_on(crew, plan->rules.steps);
    else
        compute_all(crew);
    if (crew->failed)
        *err = crew->err;
    return !crew->failed;
}

static void release_benches(RaceCrew *crew) {
    for (int i = 0; i < COMPARISON_MAX; i++) {
        race_bench_release(&crew->hands[i].bench);
        crew->hands[i].has_bench = false;
    }
}

void race_crew_update(RaceCrew *crew) {
    for (int i = 0; i < COMPARISON_MAX; i++) {
        RaceHand *hand = &crew->hands[i];
        if (hand->is_working && hand->runner->is_done(hand->runner->context))
            hand->is_working = false;
        if (!hand->is_working && hand->failed)
            fail(crew, &hand->err);
    }
    if (race_crew_is_over(crew) && !race_crew_is_working(crew) && !crew->has_looked)
        release_benches(crew);
}

void race_crew_stop(RaceCrew *crew) {
    atomic_store(&crew->watch.stop, true);
}

bool race_crew_is_working(const RaceCrew *crew) {
    for (int i = 0; i < crew->hand_count; i++)
        if (crew->hands[i].is_working)
            return true;
    return false;
}

bool race_crew_is_over(const RaceCrew *crew) {
    return crew->failed || columns_left(&crew->race, crew->race.plan.rules.steps) == 0;
}

bool race_crew_end(RaceCrew *crew) {
    bool ended = true;
    race_crew_stop(crew);
    for (int i = 0; i < crew->hand_count; i++) {
        RaceHand *hand = &crew->hands[i];
        if (hand->is_working)
            hand->is_working = !hand->runner->wait(hand->runner->context, JOB_PATIENCE_MS);
        ended = ended && !hand->is_working;
    }
    return ended;
}

void race_crew_release(RaceCrew *crew) {
    assert(!race_crew_is_working(crew));
    release_benches(crew);
    race_release(&crew->race);
    memset(crew, 0, sizeof *crew);
}
