#include "gfx/soft_crew.h"

#define CLOSED (-(1 << 16)) /* added to those inside */

static void draw_parts(SoftCrew *crew) {
    for (;;) {
        int part = atomic_fetch_add(&crew->next, 1);
        if (part >= crew->parts)
            return;
        crew->draw(crew->context, part);
    }
}

/* False if there is no work, or it is over already. */
static bool enter(SoftCrew *crew) {
    int inside = atomic_load(&crew->inside);
    while (inside >= 0 && !atomic_compare_exchange_weak(&crew->inside, &inside, inside + 1))
        ;
    return inside >= 0;
}

/* The last thread tells the caller, if it waits. */
static void leave(SoftCrew *crew) {
    if (atomic_fetch_sub(&crew->inside, 1) == CLOSED + 1)
        SDL_SemPost(crew->left);
}

static void let_in(SoftCrew *crew) {
    atomic_store(&crew->inside, 0);
    for (int i = 0; i < crew->count; i++)
        SDL_SemPost(crew->begin);
}

/* Let no thread enter any more, and wait for those inside. */
static void shut_out(SoftCrew *crew) {
    if (atomic_fetch_add(&crew->inside, CLOSED) > 0)
        SDL_SemWait(crew->left);
}

/* The body of a thread. It may wake long after the work that it was woken for. Then it finds no
 * work or the current one. */
static int work(void *context) {
    SoftCrew *crew = context;
    for (;;) {
        SDL_SemWait(crew->begin);
        if (crew->ends)
            return 0;
        if (!enter(crew))
            continue;
        draw_parts(crew);
        leave(crew);
    }
}

static void begin(SoftCrew *crew) {
    int wanted = SDL_min(SDL_GetCPUCount() - 1, SOFT_CREW_MAX);
    crew->is_begun = true;
    atomic_store(&crew->inside, CLOSED);
    if (wanted <= 0)
        return;
    crew->begin = SDL_CreateSemaphore(0);
    crew->left = SDL_CreateSemaphore(0);
    bool may = crew->begin != NULL && crew->left != NULL;
    while (may && crew->count < wanted) {
        crew->threads[crew->count] = SDL_CreateThread(work, "headlight draw", crew);
        may = crew->threads[crew->count] != NULL;
        crew->count += may;
    }
}

void soft_crew_draw(SoftCrew *crew, void (*draw)(const void *context, int part),
                    const void *context, int parts) {
    if (!crew->is_begun)
        begin(crew);
    crew->draw = draw;
    crew->context = context;
    crew->parts = parts;
    atomic_store(&crew->next, 0);
    let_in(crew);
    draw_parts(crew);
    shut_out(crew);
}

void soft_crew_release(SoftCrew *crew) {
    crew->ends = true;
    for (int i = 0; i < crew->count; i++)
        SDL_SemPost(crew->begin);
    for (int i = 0; i < crew->count; i++)
        SDL_WaitThread(crew->threads[i], NULL);
    if (crew->begin != NULL)
        SDL_DestroySemaphore(crew->begin);
    if (crew->left != NULL)
        SDL_DestroySemaphore(crew->left);
    *crew = (SoftCrew){0};
}
