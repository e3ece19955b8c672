#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "export/svg_parts.h"

#define REACH 16 /* px: names and marks may lie this far outside a part */

bool svg_holds(Rect outer, Rect inner, float reach) {
    return inner.x >= outer.x - reach && inner.y >= outer.y - reach &&
           rect_right(inner) <= rect_right(outer) + reach &&
           rect_bottom(inner) <= rect_bottom(outer) + reach;
}

/* True if part a must be nested in part b. If both have the same place, the later part is
 * inside. */
static bool is_inside(const DrawList *list, int a, int b) {
    Rect inner = list->parts[a].rect, outer = list->parts[b].rect;
    float inner_area = inner.w * inner.h, outer_area = outer.w * outer.h;
    return svg_holds(outer, inner, 0) &&
           (inner_area < outer_area || (inner_area == outer_area && a > b));
}

/* Return the smallest part that contains bounds. Consider only parts that contain part `of`; if
 * `of` is -1, consider all. */
static int smallest(const DrawList *list, Rect bounds, float reach, int of) {
    int best = -1;
    for (int i = 0; i < (int)list->part_count; i++) {
        bool fits = of < 0 ? svg_holds(list->parts[i].rect, bounds, reach) : is_inside(list, of, i);
        if (fits && i != of &&
            (best < 0 || is_inside(list, i, best) ||
             list->parts[i].rect.w * list->parts[i].rect.h <
                 list->parts[best].rect.w * list->parts[best].rect.h))
            best = i;
    }
    return best;
}

bool svg_groups_begin(SvgGroups *groups, const DrawList *list) {
    size_t count = list->part_count;
    *groups = (SvgGroups){.list = list, .current = -1};
    if (count == 0)
        return true;
    groups->parents = heap_get(count * sizeof *groups->parents);
    groups->is_open = heap_get_zero(count, sizeof *groups->is_open);
    if (groups->parents == NULL || groups->is_open == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        groups->parents[i] = smallest(list, list->parts[i].rect, 0, (int)i);
    return true;
}

void svg_groups_release(SvgGroups *groups) {
    free(groups->parents);
    free(groups->is_open);
    *groups = (SvgGroups){0};
}

int svg_groups_find(const SvgGroups *groups, Rect bounds) {
    return groups->parents != NULL ? smallest(groups->list, bounds, REACH, -1) : -1;
}

static void open(SvgGroups *groups, TextOut *out, int part) {
    const char *id = groups->list->parts[part].id;
    if (groups->parents[part] != groups->current)
        open(groups, out, groups->parents[part]);
    bool is_first = !groups->is_open[part] &&
                    part_find(groups->list, id, strlen(id)) == &groups->list->parts[part];
    text_out(out, is_first ? "<g id=\"" : "<g class=\"part");
    svg_put_words(out, id, is_first ? strlen(id) : 0);
    text_out(out, "\">\n");
    groups->is_open[part] = true;
    groups->current = part;
}

void svg_groups_go(SvgGroups *groups, TextOut *out, int part) {
    for (; groups->current >= 0; groups->current = groups->parents[groups->current]) {
        int outer = part;
        while (outer >= 0 && outer != groups->current)
            outer = groups->parents[outer];
        if (outer == groups->current)
            break;
        text_out(out, "</g>\n");
    }
    if (part != groups->current)
        open(groups, out, part);
}

void svg_groups_end(SvgGroups *groups, TextOut *out) {
    const DrawList *list = groups->list;
    if (groups->parents == NULL)
        return;
    for (int i = 0; i < (int)list->part_count; i++) {
        Rect r = list->parts[i].rect;
        if (groups->is_open[i])
            continue;
        svg_groups_go(groups, out, i);
        text_out(out, "<rect fill=\"none\"");
        svg_put_place(out, (Rect){r.x * list->scale, r.y * list->scale, r.w * list->scale,
                                  r.h * list->scale});
        text_out(out, "/>\n");
    }
    svg_groups_go(groups, out, -1);
}
