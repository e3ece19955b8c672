/* opened.h: sessions from state strings. A test fails if a string is refused. */
#ifndef HEADLIGHT_TESTS_SUPPORT_OPENED_H
#define HEADLIGHT_TESTS_SUPPORT_OPENED_H

#include "results/results.h"
#include "views/settings.h"

/* Return the default session with the values of a state string; the caller releases it. */
Session session_opened(const char *state);

/* Likewise for a string that may also have settings. load may be NULL. */
Session picture_opened(Settings *settings, const char *state, WeightsLoad load);

/* Declare a pass that has computed nothing, and is released with its block. */
#define RESULTS(name)                                                                              \
    LOCAL(results_release) Results name;                                                           \
    assert_true(results_init(&(name), &(Err){ERR_NONE}))

/* Check the state string of a session alone. */
void check_session(const Session *session, const char *expected);

#endif
