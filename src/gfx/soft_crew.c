#include "gfx/soft_crew.h"

static void draw_strips(SoftCrew *crew) {
    for (;;) {
        int strip = atomic_fetch_add(&crew->next, 1);
        if (strip >= crew->strips)
            return;
        crew->draw(crew->context, strip);
    }
}

static int work(void *context) {
    SoftCrew *crew = context;
    for (;;) {
        SDL_SemWait(crew->begin);
        if (crew->ends)
            return 0;
        draw_strips(crew);
        SDL_SemPost(crew->ended);
    }
}

static void begin(SoftCrew *crew) {
    int wanted = SDL_min(SDL_GetCPUCount() - 1, SOFT_CREW_MAX);
    crew->is_begun = true;
    if (wanted <= 0)
        return;
    crew->begin = SDL_CreateSemaphore(0);
    crew->ended = SDL_CreateSemaphore(0);
    bool may = crew->begin != NULL && crew->ended != NULL;
    while (may && crew->count < wanted) {
        crew->threads[crew->count] = SDL_CreateThread(work, "headlight draw", crew);
        may = crew->threads[crew->count] != NULL;
        crew->count += may;
    }
}

void soft_crew_draw(SoftCrew *crew, void (*draw)(const void *context, int strip),
                    const void *context, int strips) {
    if (!crew->is_begun)
        begin(crew);
    crew->draw = draw;
    crew->context = context;
    crew->strips = strips;
    atomic_store(&crew->next, 0);
    for (int i = 0; i < crew->count; i++)
        SDL_SemPost(crew->begin);
    draw_strips(crew);
    for (int i = 0; i < crew->count; i++)
        SDL_SemWait(crew->ended);
}

void soft_crew_release(SoftCrew *crew) {
    crew->ends = true;
    for (int i = 0; i < crew->count; i++)
        SDL_SemPost(crew->begin);
    for (int i = 0; i < crew->count; i++)
        SDL_WaitThread(crew->threads[i], NULL);
    if (crew->begin != NULL)
        SDL_DestroySemaphore(crew->begin);
    if (crew->ended != NULL)
        SDL_DestroySemaphore(crew->ended);
    *crew = (SoftCrew){0};
}
