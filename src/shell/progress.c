#include "shell/progress.h"

#include <SDL.h>
#include <stdio.h>
#include <unistd.h>

static SDL_Thread *thread;
static SDL_sem *ended;

static int tell(void *name) {
    int seconds = 0;
    while (SDL_SemWaitTimeout(ended, 1000) == SDL_MUTEX_TIMEDOUT) {
        fprintf(stderr, "\r%s: %d s\033[K", (const char *)name, ++seconds);
        fflush(stderr);
    }
    if (seconds > 0)
        fputs("\r\033[K", stderr);
    return 0;
}

void progress_begin(const char *name) {
    if (isatty(STDERR_FILENO) != 1)
        return;
    ended = SDL_CreateSemaphore(0);
    thread = ended != NULL ? SDL_CreateThread(tell, "headlight progress", (void *)(uintptr_t)name)
                           : NULL;
}

void progress_end(void) {
    if (thread != NULL) {
        SDL_SemPost(ended);
        SDL_WaitThread(thread, NULL);
    }
    if (ended != NULL)
        SDL_DestroySemaphore(ended);
    thread = NULL;
    ended = NULL;
}
