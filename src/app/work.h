/* work.h: updates the Results to the session with jobs in the pool. A frame waits for a job for
 * WORK_WAIT_MS and then draws the last finished Results. These are complete and consistent, but may
 * belong to an earlier session; after WORK_SAID_S they are veiled. A job computes its own Results,
 * which share all parts that are not stale with those on screen. Without threads everything is
 * computed in the frame. */
#ifndef HEADLIGHT_APP_WORK_H
#define HEADLIGHT_APP_WORK_H

#include "base/job.h"
#include "results/request.h"
#include "views/view.h"

typedef struct App App;

/* Milliseconds that a frame may wait; it also has to draw within 16.7 ms. */
#define WORK_WAIT_MS 4
#define WORK_SAID_S  0.1 /* seconds for which a picture may be stale before it is veiled */

/* The last request for the Results on screen, and its outcome. */
typedef struct WorkOutcome {
    bool is_there, is_met;
    ResultsRequest request;
    uint64_t revision;
    /* If is_met is false: why the request failed. Otherwise, if kind is not ERR_NONE: why data that
     * the picture doesn't need is missing. */
    Err err;
} WorkOutcome;

/* The stage of a job. An abandoned job must not enter the next stage, because it may no longer use
 * the view's memory. */
typedef enum WorkStage { WORK_RESULTS, WORK_VIEW, WORK_ABANDONED } WorkStage;

typedef struct WorkJob {
    Job job;
    Results next; /* starts as the parts of the Results on screen; stale parts are replaced */
    ResultsRequest request;
    bool is_met; /* true if next meets request; otherwise err says why not */
    Err err;
    atomic_int stage;
    const ViewMaking *making;   /* the computation for the view, or NULL */
    const ViewContext *context; /* borrowed; for making */
    bool is_made;               /* true if making finished and was not stopped */
    double (*now_s)(void);      /* a clock; NULL for none */
    double took_s;              /* duration; 0 without a clock */
} WorkJob;

/* Limit of abandoned jobs that still run; more could use up the memory. */
#define WORK_ABANDONED_MAX 2

typedef struct AppWork {
    WorkJob *now; /* the running job; NULL for none */
    WorkJob *abandoned[WORK_ABANDONED_MAX];
    Session session; /* the session of the newest job; its text is NULL if there was no job */
    ResultsRequest request;
    Settings settings;
    ViewContext context; /* a ViewContext with the session and the settings of the newest job */
    bool waits;          /* true while the view draws its previous data */
    WorkOutcome outcome;
    bool follows;       /* true if the picture can be drawn without the job */
    bool is_stopped;    /* true if the user stopped the job */
    bool is_behind;     /* true if the picture is of an earlier session, or if there is none yet */
    bool is_stale;      /* true if is_behind, or if the view's request is not met yet */
    uint64_t revisions; /* the last revision given to Results, even if they were not shown */
    double since_s;     /* when the picture became stale */
    double started_s;   /* time of the frame in which the job began */
    double frame_s;     /* time of the last call of work_update */
    double left_ms;     /* milliseconds that this frame may still wait */
    /* True if the last job took longer than WORK_WAIT_MS: [0] a job for what the picture
     * needs, [1] a job for extras, which starts after it. */
    bool is_long[2];
    Session shown; /* borrowed: see app_shown_session */
    /* The Results before the last edit (an undo step that changed them). Not valid at the start,
     * after a whole state was replaced, and if these Results take too much memory. */
    Results before;
    uint64_t before_at; /* position in the history of the change after `before` */
} AppWork;

/* Before a pass: update app->run and the view's data, or start a job that does. */
void work_update(App *app);

/* Stop the job because the user wants it; the button of work_status_draw starts it again. */
void work_stop(App *app);

/* True if the view can be drawn: there are Results that meet its request, even if stale. Otherwise
 * err says why not; err.why is WORK_BUSY while a job computes them. */
#define WORK_BUSY "Computing…"
bool work_is_drawable(App *app, Err *err);

/* Return why data that the picture does not need could not be computed; NULL if it could. */
const Err *work_failure(const App *app);

/* Return the session that the picture shows: the current one or, while the Results are stale, the
 * one they were computed from. Its chosen head and pin are always the current ones, because nothing
 * is computed from them. */
const Session *app_shown_session(App *app);

/* Forget the Results before the last edit, because a whole state was replaced. */
void work_forget_before(App *app);

/* True if the picture has been stale for long enough to veil it. */
bool work_is_said(const App *app);

/* Show that something is being computed: a moving line under the state row, and a veil over the
 * stale picture. */
void work_draw(App *app);

/* While work_is_said, show in the status row that a job runs. After a while, show instead a
 * button that stops it. If the user stopped the job, say so and show a button to start it again.
 * The width used is cut off *rest. */
void work_status_draw(App *app, Rect *rest);

/* Stop the job for ever and release everything. Return false if it still runs: then no memory of
 * the App may be released, because the job uses it. */
bool work_end(App *app);

#endif
