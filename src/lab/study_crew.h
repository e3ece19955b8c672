/* study_crew.h: a study that several hands compute beside the frames, each as a job of a runner of
 * its own (base/job.h). Whoever owns the crew asks now and then what has come in; results do not
 * depend on how many hands there are, nor on who of them is first. What the plan borrows is copied,
 * so that it may change meanwhile.
 * Every function here belongs to the owner's thread. */
#ifndef HEADLIGHT_LAB_STUDY_CREW_H
#define HEADLIGHT_LAB_STUDY_CREW_H

#include <stdatomic.h>

#include "base/job.h"
#include "lab/study.h"

typedef struct StudyCrew StudyCrew;

typedef struct StudyHand {
    StudyCrew *crew;
    const JobRunner *runner;
    StudyBench bench; /* params NULL: none yet */
    bool is_working;  /* its job has not been seen to end */
    bool failed;      /* err says why; both are the job's while it works */
    Err err;
} StudyHand;

/* All zero is a crew without a study. It must stay where it is while hands work. */
struct StudyCrew {
    Study study; /* moments and `in` are the owner's; values of units that are in may be read */
    Arena kept;  /* what the plan borrows */
    atomic_uchar *handed; /* by unit: its values are there */
    atomic_llong next;    /* the unit that nobody has looked at yet */
    JobWatch watch;       /* for what it stops */
    bool is_begun, failed;
    Err err;
    StudyHand hands[JOB_HANDS_MAX];
    int hand_count;
    void (*give_way)(void *context); /* see JobHands */
    void *giving_way;
};

/* Begin a study in place of the one before; no hand may be working. With no hands all of it is
 * computed here and now. False where that, or a start, failed: err is also the crew's. */
bool study_crew_begin(StudyCrew *crew, const StudyPlan *plan, JobHands hands, Err *err);

/* Take in what has been handed in, and see which hands have ended. */
void study_crew_update(StudyCrew *crew);

/* Tell the hands to end, which they do within tenths of a second: what they had not handed in is
 * lost. They go on where study_crew_go_on says so, once none is working any more. */
void study_crew_stop(StudyCrew *crew);
void study_crew_go_on(StudyCrew *crew);

/* Leave the study at the first seeds, which must be in; no hand may be working. */
void study_crew_cut(StudyCrew *crew, int seeds);

bool study_crew_is_working(const StudyCrew *crew);

/* Whether all units are in, or one failed. */
bool study_crew_is_over(const StudyCrew *crew);

/* Stop, and wait if not for long. False where a hand works on: then the crew must stay for good. */
bool study_crew_end(StudyCrew *crew);

/* No hand may be working. */
void study_crew_release(StudyCrew *crew);

#endif
