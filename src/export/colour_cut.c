#include "export/colour_cut.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

/* A box of colours: a range in the list of colours. */
typedef struct CutBox {
    size_t from, count;
    int axis;     /* the axis to cut along, as the bit shift of its colour channel */
    double mean;  /* mean of that channel */
    double error; /* sum of squared distances from the mean; a box with 0 is never cut */
} CutBox;

static size_t slot_of(const ColourCut *cut, uint32_t colour) {
    size_t at = (colour * 0x9E3779B1u >> 8) % cut->capacity;
    while (cut->slots[at].count > 0 && cut->slots[at].colour != colour)
        at = (at + 1) % cut->capacity;
    return at;
}

static bool grow(ColourCut *cut) {
    ColourCut larger = {.capacity = cut->capacity > 0 ? 2 * cut->capacity : 4096};
    larger.slots = heap_get_zero(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < cut->capacity; i++)
        if (cut->slots[i].count > 0)
            larger.slots[slot_of(&larger, cut->slots[i].colour)] = cut->slots[i];
    free(cut->slots);
    cut->slots = larger.slots;
    cut->capacity = larger.capacity;
    return true;
}

void colour_cut_begin(ColourCut *cut) {
    if (cut->slots != NULL)
        memset(cut->slots, 0, cut->capacity * sizeof *cut->slots);
    cut->used = 0;
}

bool colour_cut_add(ColourCut *cut, uint32_t colour) {
    if (2 * cut->used >= cut->capacity && !grow(cut))
        return false;
    CutColour *slot = &cut->slots[slot_of(cut, colour)];
    cut->used += slot->count == 0;
    slot->colour = colour;
    slot->count++;
    return true;
}

static CutBox measured(const ColourCut *cut, size_t from, size_t count) {
    CutBox box = {.from = from, .count = count};
    for (int axis = 0; axis <= 16; axis += 8) {
        double n = 0, sum = 0, squares = 0;
        for (size_t i = from; i < from + count; i++) {
            double value = cut->list[i]->colour >> axis & 255, weight = cut->list[i]->count;
            n += weight;
            sum += weight * value;
            squares += weight * value * value;
        }
        double error = squares - sum * sum / n;
        if (error > box.error)
            box = (CutBox){from, count, axis, sum / n, error};
    }
    return box;
}

/* Move the colours up to the mean to the front of the box, and return their number. */
static size_t divide(ColourCut *cut, const CutBox *box) {
    size_t low = box->from;
    for (size_t i = box->from; i < box->from + box->count; i++) {
        CutColour *colour = cut->list[i];
        if ((colour->colour >> box->axis & 255) > box->mean)
            continue;
        cut->list[i] = cut->list[low];
        cut->list[low++] = colour;
    }
    return low - box->from;
}

/* Return the colour that replaces a box: the colour that most of its pixels have, so that uniform
 * areas keep their colour; otherwise the mean. */
static uint32_t name_box(ColourCut *cut, const CutBox *box, int index) {
    const CutColour *most = cut->list[box->from];
    uint64_t all = 0, sums[3] = {0};
    uint32_t mean = 0;
    for (size_t i = box->from; i < box->from + box->count; i++) {
        CutColour *colour = cut->list[i];
        colour->index = (uint8_t)index;
        most = colour->count > most->count ? colour : most;
        all += colour->count;
        for (int axis = 0; axis < 3; axis++)
            sums[axis] += (uint64_t)colour->count * (colour->colour >> 8 * axis & 255);
    }
    assert(all > 0);
    for (int axis = 0; axis < 3; axis++)
        mean |= (uint32_t)((sums[axis] + all / 2) / all) << 8 * axis;
    return 2 * (uint64_t)most->count > all ? most->colour : mean;
}

static bool make_list(ColourCut *cut) {
    size_t used = 0;
    CutColour **list = heap_resize(cut->list, (cut->used + 1) * sizeof *list);
    if (list == NULL)
        return false;
    cut->list = list;
    for (size_t i = 0; i < cut->capacity; i++)
        if (cut->slots[i].count > 0)
            list[used++] = &cut->slots[i];
    return true;
}

int colour_cut(uint32_t out[COLOUR_CUT_MAX], ColourCut *cut, int most) {
    CutBox boxes[COLOUR_CUT_MAX];
    int count = 1, worst = 0;
    if (cut->used == 0 || !make_list(cut))
        return 0;
    for (boxes[0] = measured(cut, 0, cut->used); count < most; count++) {
        worst = 0;
        for (int i = 1; i < count; i++)
            worst = boxes[i].error > boxes[worst].error ? i : worst;
        if (!(boxes[worst].error > 0) || boxes[worst].count < 2)
            break;
        size_t from = boxes[worst].from, all = boxes[worst].count, low = divide(cut, &boxes[worst]);
        boxes[worst] = measured(cut, from, low);
        boxes[count] = measured(cut, from + low, all - low);
    }
    for (int i = 0; i < count; i++)
        out[i] = name_box(cut, &boxes[i], i);
    return count;
}

int colour_cut_index(const ColourCut *cut, uint32_t colour) {
    return cut->slots[slot_of(cut, colour)].index;
}

void colour_cut_release(ColourCut *cut) {
    free(cut->slots);
    free(cut->list);
    *cut = (ColourCut){0};
}
