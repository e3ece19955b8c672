/* soft_crew.h: SDL's threads that draw the parts of one picture together with the calling thread.
 * All zero is a crew that has no threads yet. */
#ifndef HEADLIGHT_GFX_SOFT_CREW_H
#define HEADLIGHT_GFX_SOFT_CREW_H

#include <SDL.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SOFT_CREW_MAX 7 /* and the calling thread */

typedef struct SoftCrew {
    SDL_Thread *threads[SOFT_CREW_MAX];
    int count;
    bool is_begun; /* there may be fewer threads than processors */
    SDL_sem *begin, *left;
    bool ends;
    atomic_int inside; /* threads that draw, without the caller; below 0 none may begin */
    /* The current work. */
    void (*draw)(const void *context, int part);
    const void *context;
    int parts;
    atomic_int next;
} SoftCrew;

/* Call draw once for each part 0 to parts - 1, in any order, in one thread for each processor. All
 * parts are done on return. The caller doesn't wait for a thread that wakes late, and does all
 * parts itself if there are no threads. */
void soft_crew_draw(SoftCrew *crew, void (*draw)(const void *context, int part),
                    const void *context, int parts);

void soft_crew_release(SoftCrew *crew);

#endif
