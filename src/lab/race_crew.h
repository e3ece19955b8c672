/* race_crew.h: a race that several hands compute beside the frames, each as a job of a runner of
 * its own (base/job.h), the columns about as far as each other. Whoever owns the crew reads of the
 * race what race_done allows at any time. Results do not depend on how many hands there are. Every
 * function here belongs to the owner's thread. */
#ifndef HEADLIGHT_LAB_RACE_CREW_H
#define HEADLIGHT_LAB_RACE_CREW_H

#include "lab/race.h"

typedef struct RaceCrew RaceCrew;

typedef struct RaceHand {
    RaceCrew *crew;
    const JobRunner *runner;
    RaceBench bench;
    bool has_bench;
    bool is_working; /* its job has not been seen to end */
    bool failed;     /* err says why; both are the job's while it works */
    Err err;
} RaceHand;

/* All zero is a crew without a race. It must stay where it is while hands work. */
struct RaceCrew {
    Race race;
    atomic_bool taken[RACE_COLUMNS_MAX]; /* by a hand */
    int goal; /* the step that hands compute up to; set while none is working */
    JobWatch watch;
    bool is_begun, failed;
    Err err;
    RaceHand hands[COMPARISON_MAX];
    int hand_count;
    int look_column, look_step;
    bool has_looked; /* the first hand's bench has that step; the job's while it works */
    void (*give_way)(void *context); /* see JobHands */
    void *giving_way;
};

/* Begin a race in place of the one before; no hand may be working. With no hands all of it is
 * computed here and now. False where that, or a start, failed: err is also the crew's. */
bool race_crew_begin(RaceCrew *crew, const RacePlan *plan, JobHands hands, Err *err);

/* The same without computing anything yet: race_crew_reach and race_crew_go_on do. */
bool race_crew_prepare(RaceCrew *crew, const RacePlan *plan, JobHands hands, Err *err);

/* Compute here and now until every column has done that step, if it gets so far, or the next so
 * many: a picture that is made without hands needs no more than it shows, and of a small layer the
 * first steps are there at once. No hand may be working. What fails is the crew's err. */
void race_crew_reach(RaceCrew *crew, int step, int most);

/* Have race_look done of a step, by the first hand or, at_once or without hands, here and now: once
 * no hand is working what came of it is in the first hand's bench where has_looked says so, and not
 * where it was told to stop before. It stays until race_crew_forget, or until the hands go on. What
 * fails is the crew's err. No hand may be working. */
void race_crew_look(RaceCrew *crew, int column, int step, bool at_once);
void race_crew_forget(RaceCrew *crew);

/* See which hands have ended. */
void race_crew_update(RaceCrew *crew);

/* Tell the hands to end, which they do soon and within a step. Once none is working any more,
 * race_crew_go_on lets them compute every column up to that step. */
void race_crew_stop(RaceCrew *crew);
void race_crew_go_on(RaceCrew *crew, int goal);

bool race_crew_is_working(const RaceCrew *crew);

/* Whether all columns are, or one failed. */
bool race_crew_is_over(const RaceCrew *crew);

/* Stop, and wait if not for long. False where a hand works on: then the crew must stay for good. */
bool race_crew_end(RaceCrew *crew);

/* No hand may be working. */
void race_crew_release(RaceCrew *crew);

#endif
