/* state_motion.h: the way from one state to another. Numbers pass from one value to the other;
 * everything else changes at the start, with the motions of the window. Pure. */
#ifndef HEADLIGHT_SHELL_STATE_MOTION_H
#define HEADLIGHT_SHELL_STATE_MOTION_H

#include "document/session.h"
#include "views/settings.h"

/* Sessions are owned. */
typedef struct StateMotion {
    Session from, to;
    Settings shown_from, shown_to;
    double begin_s, over_s;
    bool has_numbers; /* that pass from one value to another */
    bool is_over;
} StateMotion;

/* Make the way to the state string `to`, laid over the session and the settings. On failure there
 * is nothing to release. */
bool state_motion_begin(StateMotion *motion, const Session *session, const Settings *settings,
                        const char *to, Err *err);

/* Return how long each motion of the window takes: all of the way, but none if numbers pass, which
 * change in every frame. */
float state_motion_each_s(const StateMotion *motion);

/* True if the state at time_s is not that of the frame before. */
bool state_motion_is_due(const StateMotion *motion, double time_s);

/* Fill session, to be released by the caller, and settings with the state at time_s. */
void state_motion_at(Session *session, Settings *settings, StateMotion *motion, double time_s);

void state_motion_release(StateMotion *motion);

#endif
