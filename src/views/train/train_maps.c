/* The matrices on screen in the Train view. Those of many tokens are pooled once, when they become
 * visible. */
#include "math/pool.h"
#include "views/train/train_heads.h"

/* Most tokens with a cell each; for longer texts a cell is a block of entries. */
#define SIDE_MOST 128

/* A matrix on screen: the address of its values, and their pooled copy. */
struct TrainMap {
    const float *of;
    Mat shown;
};

/* Return the number of tokens that share a cell. */
static int block_of(const TrainScene *s) {
    return (s->race->shape.T + SIDE_MOST - 1) / SIDE_MOST;
}

/* Reserve memory for all matrices of the race. Return false if memory runs out. */
static bool make_room(TrainMaps *maps, const TrainScene *s) {
    int cells = (s->race->shape.T + block_of(s) - 1) / block_of(s);
    int slots = TRAIN_SLOTS(s->race->shape.H), count = s->columns * slots;
    if (maps->race == s->of->key.hash)
        return maps->at != NULL;
    Err err;
    uint64_t bytes = arena_padded((size_t)count * sizeof *maps->at);
    maps->race = s->of->key.hash;
    maps->at = NULL;
    if (!arena_reserve(&maps->arena, bytes + (size_t)count * mat_bytes(cells, cells), &err)) {
        ui_fail(s->c->ui, err.what, err.why);
        return false;
    }
    maps->at = arena_push(&maps->arena, (size_t)count * sizeof *maps->at);
    for (int i = 0; i < count; i++)
        maps->at[i] = (TrainMap){NULL, mat_push(&maps->arena, cells, cells)};
    return true;
}

Mat train_map(const TrainScene *s, int column, int slot, int head, int step) {
    Mat a = race_weights(s->race, column, step, head);
    TrainMaps *maps = &s->c->memory->train->maps;
    if (block_of(s) == 1 || !make_room(maps, s))
        return a;
    TrainMap *map = &maps->at[column * TRAIN_SLOTS(s->race->shape.H) + slot];
    if (map->of != a.at) {
        pool_extremes(&map->shown, &a, block_of(s));
        map->of = a.at;
    }
    return map->shown;
}
