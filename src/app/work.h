/* work.h: updates the Results to the session, by jobs of the pool. A frame waits for them for
 * WORK_WAIT_MS and then draws the last finished Results: those of an earlier session, complete and
 * consistent, veiled after WORK_SAID_S. A job computes Results of its own, which share with those
 * on screen what is not stale. Without threads everything is computed in the frame. */
#ifndef HEADLIGHT_APP_WORK_H
#define HEADLIGHT_APP_WORK_H

#include "base/job.h"
#include "results/request.h"
#include "views/view.h"

typedef struct App App;

#define WORK_WAIT_MS 12  /* of a frame */
#define WORK_SAID_S  0.1 /* a picture that has been stale for longer is veiled */

/* What the shown Results was last asked for. */
typedef struct WorkAnswer {
    bool is_there, is_met;
    ResultsRequest request;
    uint64_t revision; /* of the Results */
    Err err;           /* why it could not be made, where is_met is false */
} WorkAnswer;

/* An abandoned job never becomes part of the view: it may not enter the stage after. */
typedef enum WorkStage { WORK_RESULTS, WORK_VIEW, WORK_ABANDONED } WorkStage;

/* A job of the App. */
typedef struct WorkJob {
    Job job;
    Results next; /* the parts of the Results on screen, and others for those that are stale */
    ResultsRequest request;
    bool is_met; /* else err says why not */
    Err err;
    atomic_int stage;
    const ViewMaking *making;   /* what it computes for the view, or NULL */
    const ViewContext *context; /* borrowed, for that */
    bool is_made;               /* and not stopped */
} WorkJob;

#define WORK_ABANDONED_MAX 2 /* jobs that still work; with more the memory could run out */

typedef struct AppWork {
    WorkJob *now; /* NULL for none */
    WorkJob *abandoned[WORK_ABANDONED_MAX];
    Session session; /* what the newest job is for; its text is NULL if there was none */
    ResultsRequest request;
    Settings settings;
    ViewContext context; /* of the session and the settings */
    bool waits;          /* the view draws its earlier data */
    WorkAnswer answer;
    bool follows;       /* the picture does without the job */
    bool is_stopped;    /* a person stopped it */
    bool is_behind;     /* the picture is that of an earlier session, or there is none yet */
    bool is_stale;      /* so it is, or it is of less than the view asks for */
    uint64_t revisions; /* the last that a Results was given, be it shown or not */
    double since_s;     /* when it became so */
    double started_s;   /* the frame in which the job began */
    double frame_s;     /* the frame that waited last, */
    double left_ms;     /* and how long it can still wait */
    double began_s;     /* the job, by the resources' clock */
    Session shown;      /* borrowed: see app_shown_session */
    Results before;     /* see work_before */
    uint64_t before_at; /* position in the history of the change that they were before */
} AppWork;

/* Before a pass: bring app->run and what the view asks of it up to date, or see to it that a job
 * does. */
void work_update(App *app);

/* Stop the job for a person, who can continue it. */
void work_stop(App *app);

/* Whether the view can be drawn: there is a Results with what it asks for, be that stale. Else err
 * says why not, and where that is only on its way err.why is WORK_BUSY. */
#define WORK_BUSY "Computing…"
bool work_is_drawable(App *app, Err *err);

/* What the picture is of: the session, or while it is stale the one that app->run was made from,
 * in which alone what nothing is computed from, the chosen head and the pin, is today's. */
const Session *app_shown_session(App *app);

/* Return the Results before the last edit, which is an undo step that changed them; or NULL: at the
 * start, after a whole state was taken, and if they take much memory. */
const Results *work_before(const App *app);

/* A whole state was taken: its picture does not depend on what was before. */
void work_forget_before(App *app);

/* Whether it has been stale for long enough to be said. */
bool work_is_said(const App *app);

/* Show that something is computed: a moving line under the state row, and a veil over what is out
 * of date. */
void work_draw(App *app);

/* In the status row, once it takes long: that something is computed, later its progress and a
 * button that stops it; or that it was stopped, and a button to go on. Takes its width off *rest.
 */
void work_status_draw(App *app, Rect *rest);

/* Stop the job for good and release everything. False if the job is still running: then nothing of
 * the App may be released, because the job uses it. */
bool work_end(App *app);

#endif
