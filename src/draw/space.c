#include "draw/space.h"

#include <math.h>

#define CELL_LEAST 48   /* px: about what a label takes */
#define CELLS_MAX  4096 /* of the grid: in a large picture its cells are larger */
#define LINKS_EACH 6    /* cells that an item reaches into, on average and at most */

size_t space_bytes(int most) {
    size_t count = (size_t)most;
    return arena_padded(sizeof(SpaceItem) * count) +
           arena_padded(sizeof(SpaceLink) * count * LINKS_EACH) +
           arena_padded(sizeof(int) * (CELLS_MAX + 1));
}

Space space_begin(Rect area, int most, Arena *scratch) {
    Space s = {.area = area, .item_capacity = most, .link_capacity = most * LINKS_EACH};
    for (s.cell = CELL_LEAST;; s.cell *= 2) {
        s.columns = (int)fmaxf(ceilf(area.w / (float)s.cell), 1);
        s.rows = (int)fmaxf(ceilf(area.h / (float)s.cell), 1);
        if (s.columns <= CELLS_MAX / s.rows)
            break;
    }
    s.items = arena_push(scratch, sizeof *s.items * (size_t)most);
    s.links = arena_push(scratch, sizeof *s.links * (size_t)most * LINKS_EACH);
    s.first = arena_push(scratch, sizeof *s.first * (CELLS_MAX + 1));
    for (int i = 0; i <= CELLS_MAX; i++)
        s.first[i] = -1;
    return s;
}

SpaceBox space_box(Rect r) {
    return (SpaceBox){rect_centre(r), {1, 0}, r.w / 2, r.h / 2};
}

Rect space_around(const SpaceBox *b) {
    float w = fabsf(b->along.x) * b->half_w + fabsf(b->along.y) * b->half_h;
    float h = fabsf(b->along.y) * b->half_w + fabsf(b->along.x) * b->half_h;
    return (Rect){b->middle.x - w, b->middle.y - h, 2 * w, 2 * h};
}

bool space_is_inside(const SpaceBox *box, Rect r) {
    Rect a = space_around(box);
    return a.x >= r.x && a.y >= r.y && rect_right(a) <= rect_right(r) &&
           rect_bottom(a) <= rect_bottom(r);
}

typedef struct Cells {
    int left, top, right, bottom; /* inclusive; none where left > right */
} Cells;

static int clamped(float at, int count) {
    return (int)fminf(fmaxf(at, 0), (float)(count - 1));
}

/* What stands out of the area is in the cells at its edge. */
static Cells cells_of(const Space *s, Rect r) {
    float cell = (float)s->cell, x = r.x - s->area.x, y = r.y - s->area.y;
    if (!(x < s->area.w && x + r.w > 0 && y < s->area.h && y + r.h > 0)) /* nor where it is NaN */
        return (Cells){0, 0, -1, -1};
    return (Cells){clamped(x / cell, s->columns), clamped(y / cell, s->rows),
                   clamped((x + r.w) / cell, s->columns), clamped((y + r.h) / cell, s->rows)};
}

static void link_into(Space *s, int item, int cell) {
    s->links[s->link_count] = (SpaceLink){item, s->first[cell]};
    s->first[cell] = s->link_count++;
}

/* What reaches into many cells, or finds no link left for them, is in a chain that every question
 * looks at. The last link is never taken for less, so that there is one for each such item. */
static SpaceItem *enter(Space *s, SpaceItem item) {
    Cells c = cells_of(s, space_around(&item.box));
    if (c.left > c.right || s->item_count == s->item_capacity)
        return NULL;
    int at = s->item_count++, cells = (c.right - c.left + 1) * (c.bottom - c.top + 1);
    s->items[at] = item;
    int left_over = s->link_capacity - s->link_count - (s->item_capacity - at);
    if (cells > 4 * LINKS_EACH || cells > left_over) {
        link_into(s, at, CELLS_MAX);
        return &s->items[at];
    }
    for (int y = c.top; y <= c.bottom; y++)
        for (int x = c.left; x <= c.right; x++)
            link_into(s, at, y * s->columns + x);
    return &s->items[at];
}

SpaceItem *space_take(Space *s, const SpaceBox *box, unsigned kind, int owner) {
    return enter(s, (SpaceItem){.box = *box, .kind = kind, .owner = owner});
}

SpaceItem *space_take_disc(Space *s, Vec2 middle, float radius, unsigned kind, int owner) {
    SpaceBox box = {middle, {1, 0}, radius, radius};
    return enter(s, (SpaceItem){.box = box, .radius = radius, .kind = kind, .owner = owner});
}

/* A vector by a box's own axes. */
static Vec2 own(const SpaceBox *b, Vec2 v) {
    return (Vec2){v.x * b->along.x + v.y * b->along.y, v.y * b->along.x - v.x * b->along.y};
}

/* Whether a line along a side of a parts the two. */
static bool is_parted(const SpaceBox *a, const SpaceBox *b) {
    Vec2 away = own(a, (Vec2){b->middle.x - a->middle.x, b->middle.y - a->middle.y});
    Vec2 turn = own(a, b->along);
    float x = fabsf(turn.x) * b->half_w + fabsf(turn.y) * b->half_h;
    float y = fabsf(turn.y) * b->half_w + fabsf(turn.x) * b->half_h;
    return fabsf(away.x) >= a->half_w + x || fabsf(away.y) >= a->half_h + y;
}

static bool is_on_disc(const SpaceBox *b, Vec2 middle, float radius) {
    Vec2 away = own(b, (Vec2){middle.x - b->middle.x, middle.y - b->middle.y});
    float x = fmaxf(fabsf(away.x) - b->half_w, 0), y = fmaxf(fabsf(away.y) - b->half_h, 0);
    return x * x + y * y < radius * radius;
}

static bool is_on(const SpaceBox *box, const SpaceItem *item) {
    if (item->radius > 0)
        return is_on_disc(box, item->box.middle, item->radius);
    return !is_parted(box, &item->box) && !is_parted(&item->box, box);
}

static SpaceItem *hit_in(const Space *s, int cell, const SpaceBox *box, unsigned kinds, int but) {
    for (int link = s->first[cell]; link >= 0; link = s->links[link].next) {
        SpaceItem *item = &s->items[s->links[link].item];
        if ((item->kind & kinds) != 0 && !item->is_gone && item->owner != but && is_on(box, item))
            return item;
    }
    return NULL;
}

SpaceItem *space_hit(const Space *s, const SpaceBox *box, unsigned kinds, int but_owner) {
    Cells c = cells_of(s, space_around(box));
    SpaceItem *hit = c.left <= c.right ? hit_in(s, CELLS_MAX, box, kinds, but_owner) : NULL;
    for (int y = c.top; y <= c.bottom && hit == NULL; y++)
        for (int x = c.left; x <= c.right && hit == NULL; x++)
            hit = hit_in(s, y * s->columns + x, box, kinds, but_owner);
    return hit;
}
