#include "shell/state_motion.h"
#include "shell/assets.h"

#include <math.h>
#include <string.h>

#include "document/options.h"
#include "document/state.h"
#include "draw/easing.h"

#define AT_ONCE_S 1e-6f

/* True if this option can change gradually from a to b. Whole numbers of the session cannot,
 * because they are sizes of the layer. */
static bool passes(const OptionRow *row, const OptionTable *table, const void *a, const void *b) {
    bool is_number =
        row->kind == OPTION_REAL || (row->kind == OPTION_INT && table == &PICTURE_OPTIONS);
    char from[OPTION_TEXT_MAX], to[OPTION_TEXT_MAX];
    if (!is_number || option_value_equal(row, a, b))
        return false;
    option_get(from, row, a);
    option_get(to, row, b);
    return row->absent == NULL || (strcmp(from, row->absent) != 0 && strcmp(to, row->absent) != 0);
}

static bool table_passes(const OptionTable *table, const void *a, const void *b) {
    for (int i = 0; i < table->count; i++)
        if (passes(&table->rows[i], table, a, b))
            return true;
    return false;
}

bool state_motion_begin(StateMotion *motion, const Session *session, const Settings *settings,
                        const char *to, Err *err) {
    *motion = (StateMotion){.from = session_share(session),
                            .to = session_share(session),
                            .shown_from = *settings,
                            .shown_to = *settings};
    StateExtra extra = settings_extra(&motion->shown_to, assets_weights);
    if (!state_read(&motion->to, &extra, to, strlen(to), err)) {
        state_motion_release(motion);
        return false;
    }
    motion->has_numbers =
        table_passes(&STATE_OPTIONS, &motion->from.options, &motion->to.options) ||
        table_passes(&PICTURE_OPTIONS, &motion->shown_from, &motion->shown_to);
    return true;
}

float state_motion_each_s(const StateMotion *motion) {
    return motion->has_numbers ? AT_ONCE_S : (float)motion->over_s;
}

bool state_motion_is_due(const StateMotion *motion, double time_s) {
    return time_s >= motion->begin_s && !motion->is_over;
}

/* Set every number of target to a value between those of a (way 0) and b (way 1). On entry target
 * equals b. */
static void pass(void *target, const OptionTable *table, const void *a, const void *b, double way) {
    for (int i = 0; i < table->count; i++) {
        const OptionRow *row = &table->rows[i];
        if (!passes(row, table, a, b))
            continue;
        const char *from = (const char *)a + row->offset, *to = (const char *)b + row->offset;
        if (row->kind == OPTION_REAL) {
            float x, y;
            memcpy(&x, from, sizeof x);
            memcpy(&y, to, sizeof y);
            *(float *)option_at(target, row) = x + (y - x) * (float)way;
        } else {
            int x, y;
            memcpy(&x, from, sizeof x);
            memcpy(&y, to, sizeof y);
            *(int *)option_at(target, row) = x + (int)lround((y - x) * way);
        }
    }
}

void state_motion_at(Session *session, Settings *settings, StateMotion *motion, double time_s) {
    double t = (time_s - motion->begin_s) / motion->over_s;
    double way = t < 1 ? (double)easing_at(EASE_FLIGHT, (float)t) : 1;
    *session = session_share(&motion->to);
    *settings = motion->shown_to;
    motion->is_over = t >= 1 || !motion->has_numbers;
    if (motion->is_over)
        return;
    pass(&session->options, &STATE_OPTIONS, &motion->from.options, &motion->to.options, way);
    pass(settings, &PICTURE_OPTIONS, &motion->shown_from, &motion->shown_to, way);
}

void state_motion_release(StateMotion *motion) {
    session_release(&motion->from);
    session_release(&motion->to);
}
