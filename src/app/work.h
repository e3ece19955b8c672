/* work.h: brings the Results up to date with the session, by jobs of the pool. A frame waits for
 * them for WORK_WAIT_MS and then draws the last finished Results, which are complete and consistent
 * but may be of an earlier session; after WORK_SAID_S they are veiled. A job computes Results of
 * its own, which share all parts that are not stale with those on screen. Without threads
 * everything is computed in the frame. */
#ifndef HEADLIGHT_APP_WORK_H
#define HEADLIGHT_APP_WORK_H

#include "base/job.h"
#include "results/request.h"
#include "views/view.h"

typedef struct App App;

#define WORK_WAIT_MS 8   /* most time in a frame, which also has to be drawn within 16.7 ms */
#define WORK_SAID_S  0.1 /* a picture that has been stale for longer is veiled */

/* The last request for the Results on screen, and its outcome. */
typedef struct WorkOutcome {
    bool is_there, is_met;
    ResultsRequest request;
    uint64_t revision; /* revision of the Results */
    Err err;           /* why it failed, if is_met is false */
} WorkOutcome;

/* What a job computes now. An abandoned job must not enter the next stage, because the view's
 * memory is no longer its own. */
typedef enum WorkStage { WORK_RESULTS, WORK_VIEW, WORK_ABANDONED } WorkStage;

/* A job of the App. */
typedef struct WorkJob {
    Job job;
    Results next; /* starts with the parts of the Results on screen; stale ones are replaced */
    ResultsRequest request;
    bool is_met; /* otherwise err says why not */
    Err err;
    atomic_int stage;
    const ViewMaking *making;   /* what it computes for the view, or NULL */
    const ViewContext *context; /* borrowed; for making */
    bool is_made;               /* true if making finished and was not stopped */
    double (*now_s)(void);      /* a clock; NULL for none */
    double took_s;              /* 0 without a clock */
} WorkJob;

#define WORK_ABANDONED_MAX                                                                         \
    2 /* most abandoned jobs that still run; more could use up the memory                          \
       */

typedef struct AppWork {
    WorkJob *now; /* the running job; NULL for none */
    WorkJob *abandoned[WORK_ABANDONED_MAX];
    Session session; /* the session of the newest job; its text is NULL if there was none */
    ResultsRequest request;
    Settings settings;
    ViewContext context; /* context with that session and its settings */
    bool waits;          /* the view draws its previous data */
    WorkOutcome outcome;
    bool follows;       /* the picture can be drawn without the job */
    bool is_stopped;    /* the user stopped it */
    bool is_behind;     /* the picture is of an earlier session, or there is none yet */
    bool is_stale;      /* is_behind, or the view's request is not met yet */
    uint64_t revisions; /* the last revision given to Results, even if they were not shown */
    double since_s;     /* when the picture became stale */
    double started_s;   /* time of the frame in which the job began */
    double frame_s;     /* time of the last frame that waited, */
    double left_ms;     /* milliseconds that it can still wait */
    bool is_long[2];    /* the last job for the picture, and the last that follows it, took longer
                           than WORK_WAIT_MS */
    Session shown;      /* borrowed: see app_shown_session */
    Results before;     /* see work_before */
    uint64_t before_at; /* position in the history of the change that `before` precedes */
} AppWork;

/* Before a pass: bring app->run and the view's request up to date, or start a job that does. */
void work_update(App *app);

/* Stop the job for the user, who can continue it. */
void work_stop(App *app);

/* True if the view can be drawn: there are Results that meet its request, even if stale. Otherwise
 * err says why not; err.why is WORK_BUSY while a job computes them. */
#define WORK_BUSY "Computing…"
bool work_is_drawable(App *app, Err *err);

/* Return the session that the picture shows: the current one or, while the Results are stale, the
 * one they were computed from. Its chosen head and pin are always the current ones, because nothing
 * is computed from them. */
const Session *app_shown_session(App *app);

/* Return the Results before the last edit (an undo step that changed them). Return NULL at the
 * start, after a whole state was replaced, and if they take too much memory. */
const Results *work_before(const App *app);

/* Forget them, because a whole state was replaced. */
void work_forget_before(App *app);

/* True if the picture has been stale long enough to say so. */
bool work_is_said(const App *app);

/* Show that something is being computed: a moving line under the state row, and a veil over what is
 * stale. */
void work_draw(App *app);

/* Show in the status row, after a while, that a job runs, later its progress and a Stop button; or
 * that it was stopped, and a Continue button. Takes its width off *rest. */
void work_status_draw(App *app, Rect *rest);

/* Stop the job for good and release everything. Return false if it still runs: then nothing of the
 * App may be released, because the job uses it. */
bool work_end(App *app);

#endif
