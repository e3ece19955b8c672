#include "support/opened.h"

#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static Session opened(const char *state, const StateExtra *extra) {
    Session session;
    must(session_init(&session, &told));
    if (!state_read(&session, extra, state, strlen(state), &told))
        fail_msg("%s: %s: %s", state, told.what, told.why);
    return session;
}

Session session_opened(const char *state) {
    return opened(state, NULL);
}

Session picture_opened(Settings *settings, const char *state, WeightsLoad load) {
    StateExtra extra = settings_extra(settings, load);
    option_set_standard(settings, &PICTURE_OPTIONS);
    return opened(state, &extra);
}

void check_session(const Session *session, const char *expected) {
    LOCAL(free_at) char *state = state_make(session, NULL);
    assert_non_null(state);
    assert_string_equal(state, expected);
}
