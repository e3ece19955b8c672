/* opened.h: sessions from state strings. A test fails if a string is refused. */
#ifndef HEADLIGHT_TESTS_SUPPORT_OPENED_H
#define HEADLIGHT_TESTS_SUPPORT_OPENED_H

#include "views/settings.h"

/* Return the default session with the values of a state string; the caller releases it. */
Session session_opened(const char *state);

/* Likewise for a string that may also have settings. load may be NULL. */
Session picture_opened(Settings *settings, const char *state, WeightsLoad load);

/* Check the state string of a session alone. */
void check_session(const Session *session, const char *expected);

/* Fail with the error unless it is done. */
void must_hold(bool done, const Err *err);

#endif
