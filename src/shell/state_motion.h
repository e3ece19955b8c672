/* state_motion.h: the motion from one state to another. Numbers change gradually; everything else
 * changes at the start, with the motions of the window. Pure. */
#ifndef HEADLIGHT_SHELL_STATE_MOTION_H
#define HEADLIGHT_SHELL_STATE_MOTION_H

#include "document/session.h"
#include "views/settings.h"

/* A motion. Its sessions are owned. */
typedef struct StateMotion {
    Session from, to;
    Settings shown_from, shown_to;
    double begin_s, over_s;
    bool has_numbers; /* true if some numbers change gradually */
    bool is_over;
} StateMotion;

/* Prepare the motion to the state string `to`, which is applied on top of the session and the
 * settings. On failure there is nothing to release. */
bool state_motion_begin(StateMotion *motion, const Session *session, const Settings *settings,
                        const char *to, Err *err);

/* Return the duration in seconds of each motion of the window: the whole time or, if numbers change
 * gradually, 0, because numbers then change in every frame. */
float state_motion_each_s(const StateMotion *motion);

/* True if the state at time_s differs from that of the previous frame. */
bool state_motion_is_due(const StateMotion *motion, double time_s);

/* Fill session, to be released by the caller, and settings with the state at time_s. */
void state_motion_at(Session *session, Settings *settings, StateMotion *motion, double time_s);

void state_motion_release(StateMotion *motion);

#endif
