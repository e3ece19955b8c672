#include "app/hand_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "text/tokenizer.h"

/* The tokens of a text, and the new position of each. */
typedef struct Split {
    const Text *text;
    Token tokens[TOKENS_MAX];
    int count;
} Split;

static bool split(Split *out, const App *app, const Session *session, Err *err) {
    TokenList list = {.at = out->tokens, .capacity = TOKENS_MAX};
    out->text = session->text;
    if (!session_split(&list, session, &app->resources.run.text, err))
        return false;
    out->count = list.total < TOKENS_MAX ? list.total : TOKENS_MAX;
    return true;
}

static bool same_token(const Split *a, int i, const Split *b, int k) {
    const Token *left = &a->tokens[i], *right = &b->tokens[k];
    return left->bytes == right->bytes &&
           memcmp(a->text->bytes + left->at, b->text->bytes + right->at, left->bytes) == 0;
}

/* Set places[i] to the new position of old token i, or to -1. */
static void find_places(int places[TOKENS_MAX], const Split *old, const Split *now) {
    int least = old->count < now->count ? old->count : now->count, head = 0, tail = 0;
    while (head < least && same_token(old, head, now, head))
        head++;
    while (tail < least - head &&
           same_token(old, old->count - 1 - tail, now, now->count - 1 - tail))
        tail++;
    for (int i = 0; i < old->count; i++)
        places[i] = i < head ? i : i >= old->count - tail ? i + now->count - old->count : -1;
}

bool hand_follow_text(App *app, const Session *before, Err *err) {
    if (app->session.hand == NULL)
        return true;
    struct {
        Split old, now;
        int places[TOKENS_MAX];
    } *room = heap_get(sizeof *room);
    if (room == NULL)
        return err_fail(err, "memory", "too little to move the numbers set by hand");
    bool moved = split(&room->old, app, before, err) && split(&room->now, app, &app->session, err);
    if (moved) {
        find_places(room->places, &room->old, &room->now);
        moved = session_move_numbers(&app->session, room->places, room->old.count, err);
    }
    free(room);
    return moved;
}
