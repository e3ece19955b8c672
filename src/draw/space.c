#include "draw/space.h"

#include <math.h>

#define CELL_LEAST 48   /* px: smallest side of a grid cell, about the size of a label */
#define CELLS_MAX  4096 /* maximum number of grid cells; a larger picture has larger cells */
#define LINKS_EACH 6    /* grid cells that an item may cover on average */

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
    /* columns left to right and rows top to bottom, both ends included; none if left > right */
    int left, top, right, bottom;
} Cells;

static int clamped(float at, int count) {
    return (int)fminf(fmaxf(at, 0), (float)(count - 1));
}

/* A rectangle that extends beyond the area covers the cells at the edge, too. */
static Cells cells_of(const Space *s, Rect r) {
    float cell = (float)s->cell, x = r.x - s->area.x, y = r.y - s->area.y;
    if (!(x < s->area.w && x + r.w > 0 && y < s->area.h && y + r.h > 0)) /* also true for NaN */
        return (Cells){0, 0, -1, -1};
    return (Cells){clamped(x / cell, s->columns), clamped(y / cell, s->rows),
                   clamped((x + r.w) / cell, s->columns), clamped((y + r.h) / cell, s->rows)};
}

static void append_link(Space *s, int item, int cell) {
    s->links[s->link_count] = (SpaceLink){item, s->first[cell]};
    s->first[cell] = s->link_count++;
}

/* Add an item to each grid cell that it covers. An item that covers too many cells goes into a
 * separate chain, which every query checks; each item has one link reserved for that chain. */
static SpaceItem *add_item(Space *s, SpaceItem item) {
    Cells c = cells_of(s, space_around(&item.box));
    if (c.left > c.right || s->item_count == s->item_capacity)
        return NULL;
    int at = s->item_count++, cells = (c.right - c.left + 1) * (c.bottom - c.top + 1);
    s->items[at] = item;
    int left_over = s->link_capacity - s->link_count - (s->item_capacity - at);
    if (cells > 4 * LINKS_EACH || cells > left_over) {
        append_link(s, at, CELLS_MAX);
        return &s->items[at];
    }
    for (int y = c.top; y <= c.bottom; y++)
        for (int x = c.left; x <= c.right; x++)
            append_link(s, at, y * s->columns + x);
    return &s->items[at];
}

SpaceItem *space_take(Space *s, const SpaceBox *box, unsigned kind, int owner) {
    return add_item(s, (SpaceItem){.box = *box, .kind = kind, .owner = owner});
}

SpaceItem *space_take_disc(Space *s, Vec2 middle, float radius, unsigned kind, int owner) {
    SpaceBox box = {middle, {1, 0}, radius, radius};
    return add_item(s, (SpaceItem){.box = box, .radius = radius, .kind = kind, .owner = owner});
}

static Vec2 in_axes(const SpaceBox *b, Vec2 v) {
    return (Vec2){v.x * b->along.x + v.y * b->along.y, v.y * b->along.x - v.x * b->along.y};
}

/* True if a side of box a separates the two boxes. */
static bool are_separated(const SpaceBox *a, const SpaceBox *b) {
    Vec2 away = in_axes(a, vec2_minus(b->middle, a->middle));
    Vec2 axis = in_axes(a, b->along);
    float x = fabsf(axis.x) * b->half_w + fabsf(axis.y) * b->half_h;
    float y = fabsf(axis.y) * b->half_w + fabsf(axis.x) * b->half_h;
    return fabsf(away.x) >= a->half_w + x || fabsf(away.y) >= a->half_h + y;
}

static bool overlaps(const SpaceBox *b, const SpaceItem *item) {
    if (!(item->radius > 0))
        return !are_separated(b, &item->box) && !are_separated(&item->box, b);
    Vec2 away = in_axes(b, vec2_minus(item->box.middle, b->middle));
    float x = fmaxf(fabsf(away.x) - b->half_w, 0), y = fmaxf(fabsf(away.y) - b->half_h, 0);
    return x * x + y * y < item->radius * item->radius;
}

static SpaceItem *find_in_cell(const Space *s, int cell, const SpaceBox *box, unsigned kinds,
                               int but_owner) {
    for (int link = s->first[cell]; link >= 0; link = s->links[link].next) {
        SpaceItem *item = &s->items[s->links[link].item];
        if ((item->kind & kinds) != 0 && !item->is_gone && item->owner != but_owner &&
            overlaps(box, item))
            return item;
    }
    return NULL;
}

SpaceItem *space_hit(const Space *s, const SpaceBox *box, unsigned kinds, int but_owner) {
    Cells c = cells_of(s, space_around(box));
    SpaceItem *hit = c.left <= c.right ? find_in_cell(s, CELLS_MAX, box, kinds, but_owner) : NULL;
    for (int y = c.top; y <= c.bottom && hit == NULL; y++)
        for (int x = c.left; x <= c.right && hit == NULL; x++)
            hit = find_in_cell(s, y * s->columns + x, box, kinds, but_owner);
    return hit;
}
