#include "gfx/damage.h"

#include <stdlib.h>
#include <string.h>

#define LOOK_AHEAD 512 /* commands: what moved further is drawn again */
#define KEY_BITS   (1 << 16)

void damage_marks_release(DamageMarks *marks) {
    free(marks->at);
    *marks = (DamageMarks){0};
}

/* By words of eight bytes; what is left over goes in with its size. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *at = bytes;
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t), at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    uint64_t rest = size;
    memcpy((unsigned char *)&rest + 1, at, size < 7 ? size : 7);
    hash = (hash ^ rest) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t hash_triangle(uint64_t hash, const DrawList *list, size_t index) {
    bool is_triangle = index < list->command_count && list->commands[index].kind == DRAW_TRIANGLE;
    return is_triangle ? hash_bytes(hash, &list->commands[index].as.triangle, sizeof(DrawTriangle))
                       : hash_bytes(hash, "", 0);
}

/* Where its data lies is no part of what is seen; how a triangle meets its neighbours is. */
static uint64_t key_of(const DrawList *list, size_t index) {
    DrawCommand seen;
    memcpy(&seen, &list->commands[index], sizeof seen);
    uint64_t hash = 1;
    if (seen.kind == DRAW_CELLS)
        seen.as.cells.values = seen.as.cells.before = NULL;
    if (seen.kind == DRAW_TEXT) {
        hash = hash_bytes(hash, list->text + seen.as.text.text_at, seen.as.text.text_bytes);
        seen.as.text.text_at = 0;
    }
    if (seen.kind == DRAW_TRIANGLE)
        hash =
            hash_triangle(index > 0 ? hash_triangle(hash, list, index - 1) : hash, list, index + 1);
    return hash_bytes(hash, &seen, sizeof seen);
}

bool damage_marks_fill(DamageMarks *marks, const DrawList *list) {
    if (list->command_count > marks->capacity) {
        size_t capacity = list->command_count * 2;
        DamageMark *grown = realloc(marks->at, capacity * sizeof *grown);
        if (grown == NULL)
            return false;
        marks->at = grown;
        marks->capacity = capacity;
    }
    marks->count = list->command_count;
    for (size_t i = 0; i < marks->count; i++)
        marks->at[i] = (DamageMark){.key = key_of(list, i), .is_new = true};
    return true;
}

/* A bit for each key, by its hash: where it is not set, there is no such key. Where everything
 * moves, that spares looking for each command among hundreds. */
typedef struct KeySet {
    uint64_t bits[KEY_BITS / 64];
} KeySet;

static void keys_fill(KeySet *set, const DamageMarks *marks) {
    memset(set, 0, sizeof *set);
    for (size_t i = 0; i < marks->count; i++)
        set->bits[marks->at[i].key % KEY_BITS / 64] |= 1ull << marks->at[i].key % 64;
}

static bool keys_may_have(const KeySet *set, uint64_t key) {
    return (set->bits[key % KEY_BITS / 64] >> key % 64 & 1) != 0;
}

/* What both end with is the same, however much is another before it; returns how much that is. */
static size_t share_ends(DamageMarks *marks, const DamageMarks *before) {
    size_t least = marks->count < before->count ? marks->count : before->count, count = 0;
    for (; count < least; count++) {
        DamageMark *mark = &marks->at[marks->count - 1 - count];
        const DamageMark *old = &before->at[before->count - 1 - count];
        if (mark->key != old->key)
            break;
        mark->bounds = old->bounds;
        mark->is_new = false;
    }
    return count;
}

void damage_compare(Damage *damage, DamageMarks *marks, const DamageMarks *before) {
    KeySet keys;
    size_t next = 0, ends = share_ends(marks, before), before_count = before->count - ends;
    keys_fill(&keys, before);
    for (size_t i = 0; i + ends < marks->count; i++) {
        if (!keys_may_have(&keys, marks->at[i].key))
            continue;
        size_t end = next + LOOK_AHEAD < before_count ? next + LOOK_AHEAD : before_count;
        size_t found = next;
        while (found < end && before->at[found].key != marks->at[i].key)
            found++;
        if (found == end)
            continue;
        marks->at[i].bounds = before->at[found].bounds;
        marks->at[i].is_new = false;
        for (; next < found; next++)
            damage_add(damage, &before->at[next].bounds);
        next = found + 1;
    }
    for (; next < before_count; next++)
        damage_add(damage, &before->at[next].bounds);
}

static bool is_empty(const PixelRect *r) {
    return r->right <= r->left || r->bottom <= r->top;
}

static bool touches(const PixelRect *a, const PixelRect *b) {
    return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static PixelRect around(const PixelRect *a, const PixelRect *b) {
    return (PixelRect){a->left < b->left ? a->left : b->left, a->top < b->top ? a->top : b->top,
                       a->right > b->right ? a->right : b->right,
                       a->bottom > b->bottom ? a->bottom : b->bottom};
}

static double area(const PixelRect *r) {
    return (double)(r->right - r->left) * (r->bottom - r->top);
}

/* What the rectangle around two holds beyond them. */
static double waste(const PixelRect *a, const PixelRect *b) {
    PixelRect both = around(a, b);
    return area(&both) - area(a) - area(b);
}

/* Rectangles never overlap: what touches becomes one, and where there is no room for another, so
 * does what wastes least. */
void damage_add(Damage *damage, const PixelRect *rect) {
    PixelRect added = *rect;
    if (is_empty(rect))
        return;
    for (int i = 0; i < damage->count;) {
        if (touches(&damage->rects[i], &added)) {
            added = around(&damage->rects[i], &added);
            damage->rects[i] = damage->rects[--damage->count];
            i = 0;
        } else {
            i++;
        }
    }
    if (damage->count < DAMAGE_RECTS) {
        damage->rects[damage->count++] = added;
        return;
    }
    int best = 0;
    for (int i = 1; i < damage->count; i++)
        if (waste(&damage->rects[i], &added) < waste(&damage->rects[best], &added))
            best = i;
    added = around(&damage->rects[best], &added);
    damage->rects[best] = damage->rects[--damage->count];
    damage_add(damage, &added);
}

bool damage_touches(const Damage *damage, const PixelRect *rect) {
    for (int i = 0; i < damage->count; i++)
        if (touches(&damage->rects[i], rect))
            return true;
    return false;
}

double damage_area(const Damage *damage) {
    double sum = 0;
    for (int i = 0; i < damage->count; i++)
        sum += area(&damage->rects[i]);
    return sum;
}
