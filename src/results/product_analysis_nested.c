#include "results/gradient.h"
#include "results/product_analysis_parts.h"

bool product_analysis_nested(const ProductJob *making) {
    const ProductRequest *request = making->request;
    AttnShape shape = *making->shape;
    shape.form = FORM_NESTED;
    const NestedInputs inputs = {.shape = &shape,
                                 .plan = &making->layer->plan,
                                 .x = &making->run->X,
                                 .mask = &making->run->mask,
                                 .kind = request->choice.kind,
                                 .head = request->choice.head};
    size_t bytes = nested_reading_bytes(&shape, request->choice.kind);
    size_t scratch = nested_reading_scratch_bytes(&shape);
    /* Scratch memory, freed at once because it is large and this page is rarely open. */
    Arena room = {0};
    Arena *arena = product_analysis_room(making, PART_NESTED, bytes, 0);
    if (arena == NULL || scratch > RESULTS_BYTES_MAX || !arena_reserve(&room, scratch, making->err))
        /* True: it is too large to show, and the page says so. */
        return arena != NULL && scratch > RESULTS_BYTES_MAX;
    bool made = nested_reading_push(&making->analysis->nested, arena, &inputs, &room, making->err);
    arena_release(&room);
    return made;
}
