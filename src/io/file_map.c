/* Maps files into memory; declared in file.h. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/file.h"

#define FILE_MAPS_MAX 256 /* limit of maps in use at once */

#ifdef __EMSCRIPTEN__
/* A web page has its files in memory already, so a map would only copy them. */
bool file_map(FileMap *map, const FileIn *in, uint64_t at, size_t size) {
    (void)map, (void)in, (void)at, (void)size;
    return false;
}

bool file_map_is_whole(const FileMap *map) {
    (void)map;
    return true;
}

bool file_unmap(FileMap *map) {
    return map->pages == NULL;
}
#else
/* The maps in use. A signal handler may read them while threads change them. */
static struct {
    atomic_bool is_taken, is_lost;
    atomic_size_t size;
    _Atomic(char *) pages; /* NULL: the other members are invalid */
} maps[FILE_MAPS_MAX];
static struct sigaction before_map;

/* If a thread reads a page that the file no longer has, the system sends it SIGBUS. Replace the map
 * by zeros, so that the thread continues and file_unmap reports the loss. */
static void lose_map(int signal_number, siginfo_t *info, void *context) {
    (void)context;
    for (int i = 0; i < FILE_MAPS_MAX; i++) {
        char *pages = atomic_load(&maps[i].pages);
        size_t size = atomic_load(&maps[i].size);
        if (pages == NULL || (uintptr_t)info->si_addr - (uintptr_t)pages >= size ||
            pages != atomic_load(&maps[i].pages))
            continue;
        if (mmap(pages, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            MAP_FAILED)
            break;
        atomic_store(&maps[i].is_lost, true);
        return;
    }
    /* This is not one of our maps, so let the repeated read end the program. */
    sigaction(signal_number, &before_map, NULL);
}

static void expect_loss(void) {
    struct sigaction ours = {.sa_sigaction = lose_map, .sa_flags = SA_SIGINFO};
    sigaction(SIGBUS, &ours, &before_map);
}

bool file_map(FileMap *map, const FileIn *in, uint64_t at, size_t size) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    size_t skipped = at % (size_t)sysconf(_SC_PAGESIZE);
    int slot = 0;
    pthread_once(&once, expect_loss);
    *map = (FileMap){0};
    while (slot < FILE_MAPS_MAX && atomic_exchange(&maps[slot].is_taken, true))
        slot++;
    if (slot == FILE_MAPS_MAX)
        return false;
    char *pages = mmap(NULL, skipped + size, PROT_READ, MAP_SHARED, in->fd, (off_t)(at - skipped));
    if (pages == MAP_FAILED) {
        atomic_store(&maps[slot].is_taken, false);
        return false;
    }
    *map = (FileMap){pages + skipped, pages, skipped + size, slot};
    atomic_store(&maps[slot].is_lost, false);
    atomic_store(&maps[slot].size, map->size);
    atomic_store(&maps[slot].pages, pages);
    return true;
}

bool file_map_is_whole(const FileMap *map) {
    return !atomic_load(&maps[map->slot].is_lost);
}

bool file_unmap(FileMap *map) {
    if (map->pages == NULL)
        return true;
    bool is_whole = file_map_is_whole(map);
    atomic_store(&maps[map->slot].pages, NULL);
    munmap(map->pages, map->size);
    atomic_store(&maps[map->slot].is_taken, false);
    *map = (FileMap){0};
    return is_whole;
}
#endif
