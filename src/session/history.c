#include "session/history.h"

static Session *state_at(History *history, int i) {
    return &history->states[(history->first + i) % HISTORY_MAX];
}

static void replace(Session *to, const Session *with) {
    Session shared = session_share(with);
    if (to->text != NULL)
        session_release(to);
    *to = shared;
}

void history_start(History *history, const Session *session) {
    history_release(history);
    replace(&history->states[0], session);
    history->count = 1;
}

void history_release(History *history) {
    for (int i = 0; i < history->count; i++)
        session_release(state_at(history, i));
    history->first = history->count = history->at = 0;
    history->tag = history->forgotten = 0;
}

void history_record(History *history, const Session *session, uint64_t tag) {
    if (session_equal(state_at(history, history->at), session))
        return;
    while (history->count > history->at + 1)
        session_release(state_at(history, --history->count));
    bool same_step = tag != 0 && tag == history->tag && history->at > 0;
    if (same_step && session_equal(state_at(history, history->at - 1), session)) {
        session_release(state_at(history, --history->count));
        history->at--;
        history->tag = 0;
        return;
    }
    history->tag = tag;
    if (!same_step) {
        if (history->count == HISTORY_MAX) {
            session_release(state_at(history, 0));
            history->first = (history->first + 1) % HISTORY_MAX;
            history->forgotten++;
            history->count--;
        }
        history->at = history->count++;
        *state_at(history, history->at) = (Session){0};
    }
    replace(state_at(history, history->at), session);
}

static bool move_to(History *history, Session *session, int at) {
    if (at < 0 || at >= history->count)
        return false;
    history->at = at;
    history->tag = 0;
    replace(session, state_at(history, at));
    return true;
}

uint64_t history_position(const History *history) {
    return history->forgotten + (uint64_t)history->at;
}

bool history_undo(History *history, Session *session) {
    return move_to(history, session, history->at - 1);
}

bool history_redo(History *history, Session *session) {
    return move_to(history, session, history->at + 1);
}
