/* soft_crew.h: threads that draw strips of one picture beside the one that asks for it, by SDL.
 * All zero is a crew that has none yet. */
#ifndef HEADLIGHT_GFX_SOFT_CREW_H
#define HEADLIGHT_GFX_SOFT_CREW_H

#include <SDL.h>
#include <stdatomic.h>
#include <stdbool.h>

#define SOFT_CREW_MAX 7 /* beside the caller's own */

typedef struct SoftCrew {
    SDL_Thread *threads[SOFT_CREW_MAX];
    int count;
    bool is_begun; /* there may be fewer threads than were asked for */
    SDL_sem *begin, *left;
    bool ends;
    atomic_int inside; /* threads that draw beside the caller; below 0 none may begin */
    void (*draw)(const void *context, int strip); /* of the work in hand, as is what follows */
    const void *context;
    int strips;
    atomic_int next;
} SoftCrew;

/* Call draw once for each strip 0..strips-1, in any order and several at a time, in as many threads
 * as there are processors, the caller's among them; all are done on return. What the caller has
 * done by the time that a thread wakes is not waited for: where the processors have other work, or
 * no thread is to be had, the caller does it all. */
void soft_crew_draw(SoftCrew *crew, void (*draw)(const void *context, int strip),
                    const void *context, int strips);

void soft_crew_release(SoftCrew *crew);

#endif
