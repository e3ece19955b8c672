#include "document/history.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

static HistoryState *entry_at(const History *history, int i) {
    return &history->states[(history->first + i) % HISTORY_MAX];
}

static Session *state_at(const History *history, int i) {
    return &entry_at(history, i)->session;
}

static unsigned char *shown_at(const History *history, int i) {
    return history->shown + (size_t)((history->first + i) % HISTORY_MAX) * 2 * history->shown_bytes;
}

static bool is_state(History *history, int i, const Session *session, const void *shown) {
    return session_equal(state_at(history, i), session) &&
           (history->shown_bytes == 0 ||
            option_values_equal(history->shown_table, shown_at(history, i), shown));
}

static void replace(Session *to, const Session *with) {
    Session shared = session_share(with);
    if (to->text != NULL)
        session_release(to);
    *to = shared;
}

static void put(History *history, int i, const Session *session, const void *shown) {
    if (history->shown_bytes > 0)
        memcpy(shown_at(history, i), shown, history->shown_bytes);
    replace(state_at(history, i), session);
}

static void end_detour(HistoryState *state) {
    session_release(&state->detour.own);
    session_release(&state->detour.set);
    state->detour.is_guest = false;
}

static void release_state(History *history, int i) {
    end_detour(entry_at(history, i));
    session_release(state_at(history, i));
}

bool history_start(History *history, const Session *session, const void *shown, size_t shown_bytes,
                   const OptionTable *shown_table, Err *err) {
    history_release(history);
    history->shown_bytes = shown_bytes;
    history->shown_table = shown_table;
    history->states = heap_get(HISTORY_MAX * sizeof *history->states);
    history->shown = heap_get(HISTORY_MAX * 2 * shown_bytes + 1); /* shown_bytes may be 0 */
    if (history->states == NULL || history->shown == NULL)
        return err_fail(err, "memory", "too little for undo; close other programs");
    *entry_at(history, 0) = (HistoryState){0};
    put(history, 0, session, shown);
    history->count = 1;
    return true;
}

void history_release(History *history) {
    for (int i = 0; i < history->count; i++)
        release_state(history, i);
    free(history->states);
    free(history->shown);
    *history = (History){0};
}

static void remove_oldest(History *history) {
    release_state(history, 0);
    history->first = (history->first + 1) % HISTORY_MAX;
    history->forgotten++;
    history->count--;
}

static uint64_t older_weights(const History *history) {
    uint64_t bytes = 0;
    for (int i = 0; i + 1 < history->count; i++) {
        const Weights *weights = state_at(history, i)->weights;
        if (weights != state_at(history, i + 1)->weights)
            bytes += weights_bytes(weights);
    }
    return bytes;
}

const HistoryDetour *history_detour(const History *history) {
    return &entry_at(history, history->at)->detour;
}

void history_set_detour(History *history, const HistoryDetour *detour) {
    HistoryState *state = entry_at(history, history->at);
    if (detour->own.text == NULL) {
        end_detour(state);
        return;
    }
    void *shown = shown_at(history, history->at) + history->shown_bytes;
    memmove(shown, detour->shown, history->shown_bytes);
    replace(&state->detour.own, &detour->own);
    replace(&state->detour.set, &detour->set);
    state->detour.is_guest = detour->is_guest;
    state->detour.shown = shown;
}

void history_end_detours(History *history) {
    for (int i = 0; i < history->count; i++)
        end_detour(entry_at(history, i));
}

void history_record(History *history, const Session *session, const void *shown, uint64_t tag) {
    if (is_state(history, history->at, session, shown))
        return;
    while (history->count > history->at + 1)
        release_state(history, --history->count);
    bool same_step = tag != 0 && tag == history->tag && history->at > 0;
    if (same_step && is_state(history, history->at - 1, session, shown)) {
        release_state(history, --history->count);
        history->at--;
        history->tag = 0;
        return;
    }
    history->tag = tag;
    if (!same_step) {
        if (history->count == HISTORY_MAX)
            remove_oldest(history);
        history->at = history->count++;
        *entry_at(history, history->at) = (HistoryState){0};
        history_set_detour(history, &entry_at(history, history->at - 1)->detour);
    }
    put(history, history->at, session, shown);
    while (history->count > 2 && older_weights(history) > HISTORY_WEIGHTS_MAX) {
        remove_oldest(history);
        history->at--;
    }
}

static bool move_to(History *history, Session *session, void *shown, int at) {
    if (at < 0 || at >= history->count)
        return false;
    history->at = at;
    history->tag = 0;
    replace(session, state_at(history, at));
    if (history->shown_bytes > 0)
        memcpy(shown, shown_at(history, at), history->shown_bytes);
    return true;
}

const Session *history_now(const History *history, const void **shown) {
    *shown = shown_at(history, history->at);
    return state_at(history, history->at);
}

uint64_t history_position(const History *history) {
    return history->forgotten + (uint64_t)history->at;
}

bool history_undo(History *history, Session *session, void *shown) {
    return move_to(history, session, shown, history->at - 1);
}

bool history_redo(History *history, Session *session, void *shown) {
    return move_to(history, session, shown, history->at + 1);
}
