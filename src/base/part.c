#include "base/part.h"

#include <stdlib.h>

#include "base/heap.h"

Part *part_share(Part *part) {
    if (part != NULL)
        atomic_fetch_add(&part->owners, 1);
    return part;
}

void part_release(Part **part) {
    Part *gone = *part;
    *part = NULL;
    if (gone == NULL || atomic_fetch_sub(&gone->owners, 1) > 1)
        return;
    arena_release(&gone->arena);
    free(gone);
}

Arena *part_own(Part **part, Err *err) {
    if (*part != NULL && atomic_load(&(*part)->owners) == 1)
        return &(*part)->arena;
    part_release(part);
    *part = heap_get_zero(1, sizeof **part);
    if (*part == NULL) {
        err_fail(err, "memory", "too little; close other programs");
        return NULL;
    }
    atomic_init(&(*part)->owners, 1);
    return &(*part)->arena;
}

Arena *part_reserve(Part **part, uint64_t bytes, Err *err) {
    Arena *arena = part_own(part, err);
    return arena != NULL && arena_reserve(arena, bytes, err) ? arena : NULL;
}
