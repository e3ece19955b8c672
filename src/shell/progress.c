#include "shell/progress.h"

#include <SDL.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#define PATIENCE_MS 300

static SDL_Thread *thread;
static SDL_sem *ended;
static Uint32 begun_ms;
static bool has_line;

static int tell(void *name) {
    int seconds = 0;
    while (SDL_SemWaitTimeout(ended, 1000) == SDL_MUTEX_TIMEDOUT) {
        fprintf(stderr, "\r%s: %d s\033[K", (const char *)name, ++seconds);
        fflush(stderr);
        has_line = true;
    }
    return 0;
}

void progress_begin(const char *name) {
    begun_ms = SDL_GetTicks();
    if (isatty(STDERR_FILENO) == 1)
        ended = SDL_CreateSemaphore(0);
    if (ended != NULL)
        thread = SDL_CreateThread(tell, "headlight progress", (void *)(uintptr_t)name);
}

static void stop_thread(void) {
    if (thread != NULL) {
        SDL_SemPost(ended);
        SDL_WaitThread(thread, NULL);
    }
    if (ended != NULL)
        SDL_DestroySemaphore(ended);
    thread = NULL;
    ended = NULL;
}

void progress_say(const char *words) {
    stop_thread();
    if (isatty(STDERR_FILENO) != 1 || SDL_GetTicks() - begun_ms < PATIENCE_MS)
        return;
    fprintf(stderr, "\r%s\033[K", words);
    has_line = true;
}

void progress_end(void) {
    stop_thread();
    if (has_line)
        fputs("\r\033[K", stderr);
    has_line = false;
}
