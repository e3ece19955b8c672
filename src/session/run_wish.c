#include "session/run_wish.h"

#include "session/run_gradient.h"
#include "session/run_layer.h"

static bool same_merge(const MergeWish *a, const MergeWish *b) {
    return a->layer == b->layer && a->choice.kind == b->choice.kind &&
           a->choice.head == b->choice.head && a->choice.offset == b->choice.offset &&
           a->rank == b->rank && a->gauge.is_rotation == b->gauge.is_rotation &&
           a->gauge.turn == b->gauge.turn && a->gauge.seed == b->gauge.seed && a->rate == b->rate &&
           a->step == b->step && a->nested == b->nested && a->parts == b->parts &&
           a->cut == b->cut && a->free == b->free && a->all == b->all && a->follows == b->follows;
}

bool run_wish_same(const RunWish *a, const RunWish *b) {
    return a->gradient == b->gradient && a->checked_gradient == b->checked_gradient &&
           a->check == b->check && a->follows == b->follows && a->has_merge == b->has_merge &&
           (!a->has_merge || same_merge(&a->merge, &b->merge)) &&
           lineup_wish_same(&a->lineup, &b->lineup);
}

RunWish run_wish_first(const RunWish *wish) {
    RunWish first = *wish;
    first.follows = first.merge.follows = false;
    return first;
}

/* Columns of other schemes can be drawn in place of those; another case or bug cannot. */
static bool has_lineup(const Run *run, const LineupWish *wish) {
    return wish->kind == LINEUP_NONE ||
           (run_lineup_is_current(run) && run->lineup->wish.kind == wish->kind &&
            run->lineup->wish.bug == wish->bug);
}

bool run_wish_is_drawable(const Run *run, const RunWish *wish) {
    for (int i = 0; i < run->layer_count; i++) {
        const RunLayer *layer = &run->layers[i];
        bool checks = layer->checked != RUN_UNCHECKED;
        if (checks && wish->check && !layer->has_trace[layer->checked])
            return false;
        if ((wish->gradient && layer->gradient.G.rows == 0) ||
            (checks && wish->checked_gradient && layer->checked_gradient.G.rows == 0))
            return false;
    }
    return (!wish->has_merge || run_merge_is_current(run)) && has_lineup(run, &wish->lineup);
}

static bool wishes_gradient(const RunWish *wish, GradientOf of) {
    return of == GRADIENT_USED ? wish->gradient : wish->checked_gradient;
}

bool run_wish_meet(Run *run, const RunWish *wish, JobWatch *watch, Err *err) {
    bool checks = wish->check || wish->checked_gradient || wish->follows;
    for (int i = 0; checks && i < run->layer_count; i++)
        if (!run_check(run, i, watch, err))
            return false;
    for (GradientOf of = 0; of < GRADIENT_COUNT; of++)
        for (int i = 0; i < run->layer_count && wishes_gradient(wish, of); i++)
            if (!run_gradient_make(run, i, of, watch, err))
                return false;
    return (!wish->has_merge || run_merge(run, &wish->merge, watch, err)) &&
           (wish->lineup.kind == LINEUP_NONE || run_lineup(run, &wish->lineup, watch, err));
}
