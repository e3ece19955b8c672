/* work.h: bringing the Run up to date with the session: in the frame where that takes no longer
 * than one, else as a job beside the frames. While a job is at work the picture stays that of the
 * session before, whole and consistent, and the parts of the window say so. */
#ifndef HEADLIGHT_APP_WORK_H
#define HEADLIGHT_APP_WORK_H

#include "base/job.h"
#include "session/run.h"

typedef struct App App;

typedef struct AppWork {
    Run making;      /* what the job works on; its own until it is done. cache NULL: none yet */
    Session session; /* what the job is for; its text is NULL where there was none */
    JobWatch watch;
    double steps;     /* of the job, as estimated */
    bool is_busy;     /* the job is not done */
    bool is_stopped;  /* a person stopped it */
    bool is_stale;    /* the picture is that of an earlier session, or there is none yet */
    double since_s;   /* when it became so */
    double started_s; /* by the resources' clock */
    Session shown;    /* borrowed: see app_shown_session */
} AppWork;

/* Before a pass: bring app->run up to date, or see to it that a job does. */
void work_update(App *app);

/* What the picture is of: the session, or while it is stale the one that app->run was made from,
 * in which alone what nothing is computed from, the chosen head and the pin, is today's. */
const Session *app_shown_session(App *app);

/* Whether it has been stale for long enough to be said. */
bool work_is_said(const App *app);

/* What is said: a line of light under the state row, a veil over what is stale, and after a while
 * how far the job has come, with a button that stops it. */
void work_draw(App *app);

/* Stop the job for good and give everything back. False where it goes on: then nothing of the App
 * may be given back, for it is still in use. */
bool work_end(App *app);

#endif
