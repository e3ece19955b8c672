/* The force layout on screen: makes room for names and keeps dragged nodes in place. */
#include <math.h>

#include "base/rng.h"
#include "ui/label.h"
#include "views/graph/graph_parts.h"

#define NAMED_MOST  64    /* most tokens with which names keep their distance from each other */
#define NAMED_SHARE 0.5f  /* largest share of the area that nodes with names may take */
#define CLEAR       5.0f  /* px kept free around a node, and at the ends of its name */
#define CLOSE       1.0f  /* px kept free around a node if there are too many nodes for CLEAR */
#define EDGE        28.0f /* px at the edges of the area for loops */
#define SIDES       36.0f /* px at the left and right that only names may use */
/* Most tokens with which all nodes move after a drag; with more, only those near a dragged node
 * make room. */
#define SETTLE_MOST 256

uint64_t scene_forced_bytes(int T) {
    size_t count = (size_t)T;
    return arena_padded(sizeof(ForceLink) * GRAPH_EDGES_MAX) + 2 * force_scratch_bytes(T) +
           2 * arena_padded(sizeof(Vec2) * count) + arena_padded(sizeof(bool) * count) +
           arena_padded(sizeof(ForceBox) * count);
}

/* Return the distance from the centre to the outermost nodes. */
static Vec2 reach(const Scene *s) {
    return (Vec2){fmaxf(s->area.w / 2 - s->radius_most - SIDES, 20),
                  fmaxf(s->area.h / 2 - s->radius_most - CLEAR, 20)};
}

static Rect bounds_of(const Scene *s) {
    float w = fmaxf(s->area.w - 2 * EDGE, 1), h = fmaxf(s->area.h - 2 * EDGE, 1);
    return (Rect){-w / 2, -h / 2, w, h};
}

/* Return the boxes of all nodes with their names; without names, if these would take too much
 * room. */
static ForceBox *boxes_of(const ViewContext *c, const Scene *s) {
    ForceBox *boxes = arena_push(c->scratch, sizeof *boxes * (size_t)s->T);
    bool named = s->T <= NAMED_MOST && !s->numbered;
    float taken = 0, below = SCENE_NAME_GAP + 0.8f * s->name_size * SCENE_NAME_LINE;
    for (int i = 0; named && i < s->T; i++) {
        TokenLabel name = c->run->labels[i];
        float w = label_width(c->ui, FONT_SANS, s->name_size, name.bytes, name.size);
        float r = s->radius[i], half = fmaxf(fminf(w, SCENE_NAME_MOST) / 2, r) + CLEAR;
        boxes[i] = (ForceBox){{half, (2 * r + CLEAR + below) / 2}, (below - CLEAR) / 2};
        taken += 4 * half * boxes[i].half.y;
    }
    for (int i = 0; (!named || taken > NAMED_SHARE * s->area.w * s->area.h) && i < s->T; i++)
        boxes[i] = (ForceBox){{s->radius[i] + CLEAR, s->radius[i] + CLEAR}, 0};
    return boxes;
}

static void part(const ViewContext *c, const Scene *s) {
    GraphMemory *m = c->memory->graph;
    const GraphData *d = s->data;
    float sizes[] = {s->area.w, s->area.h, s->radius_most, s->name_size};
    uint64_t keys[] = {rng_hash(&d->key, sizeof d->key), rng_hash(sizes, sizeof sizes)};
    uint64_t key = rng_hash(keys, sizeof keys) | 1;
    if (m->parted_key == key)
        return;
    Arena before = *c->scratch;
    Vec2 most = reach(s);
    for (int i = 0; i < s->T; i++)
        m->parted[i] = (Vec2){d->forced[i].x * most.x, d->forced[i].y * most.y};
    force_part(m->parted, boxes_of(c, s), NULL, s->T, bounds_of(s));
    *c->scratch = before;
    m->parted_key = key;
}

/* Move the other nodes to make room for the dragged ones. If there are many nodes, move only those
 * that are in the way. */
static void settle(const ViewContext *c, const Scene *s) {
    GraphMemory *m = c->memory->graph;
    Vec2 most = reach(s), *at = arena_push(c->scratch, sizeof *at * (size_t)s->T);
    Vec2 *rest = arena_push(c->scratch, sizeof *rest * (size_t)s->T);
    bool *is_fixed = arena_push(c->scratch, sizeof *is_fixed * (size_t)s->T);
    ForceLink *links = arena_push(c->scratch, sizeof *links * GRAPH_EDGES_MAX);
    for (int i = 0; i < s->T; i++) {
        Vec2 p = m->parted[i], by = m->dragged[i];
        is_fixed[i] = by.x != 0 || by.y != 0;
        rest[i] = (Vec2){p.x / most.x, p.y / most.y};
        at[i] = (Vec2){(p.x + by.x) / most.x, (p.y + by.y) / most.y};
    }
    bool settles = s->T <= SETTLE_MOST;
    if (settles)
        force_settle(at, rest, is_fixed, s->T, links, graph_links(links, s->data), c->scratch);
    for (int i = 0; i < s->T; i++)
        at[i] = (Vec2){at[i].x * most.x, at[i].y * most.y};
    ForceBox *boxes = boxes_of(c, s);
    for (int i = 0; i < s->T && !settles; i++)
        if (!is_fixed[i]) /* free nodes need little room, so that only the fixed ones push others */
            boxes[i].half = (Vec2){s->radius[i] + CLOSE, s->radius[i] + CLOSE};
    if (settles)
        force_part(at, boxes, is_fixed, s->T, bounds_of(s));
    else
        force_make_room(at, boxes, is_fixed, s->T, bounds_of(s), c->scratch);
    for (int i = 0; i < s->T; i++)
        m->pinned[i] = is_fixed[i] ? m->parted[i] : at[i];
}

const Vec2 *scene_forced(const ViewContext *c, const Scene *s) {
    GraphMemory *m = c->memory->graph;
    bool any = false;
    part(c, s);
    for (int i = 0; i < s->T; i++)
        any |= m->dragged[i].x != 0 || m->dragged[i].y != 0;
    if (!any)
        return m->parted;
    uint64_t keys[] = {m->parted_key, rng_hash(m->dragged, sizeof *m->dragged * (size_t)s->T)};
    uint64_t key = rng_hash(keys, sizeof keys) | 1;
    if (m->pinned_key != key) {
        Arena before = *c->scratch;
        settle(c, s);
        *c->scratch = before;
        m->pinned_key = key;
    }
    return m->pinned;
}
