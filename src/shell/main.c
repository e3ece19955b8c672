#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "shell/cli.h"

#define KEPT_BYTES  (8 << 20) /* limit of free bytes that malloc does not return to the system */
#define SMALL_BYTES (6 << 20) /* blocks below this size come from the memory that malloc keeps */

int main(int argc, char **argv) {
    /* Let malloc keep free memory. A frame allocates and frees some megabytes, including the
     * graphics driver's. By default malloc would return them to the system and get them back page
     * by page, which takes a quarter of a frame's time. */
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_MMAP_THRESHOLD, SMALL_BYTES);
#endif
    /* Open standard streams that are closed, because otherwise the next opened file would get their
     * number. For standard output open a read-only file, so that printing stays an error. */
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", modes[fd]);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return cli_main(argc, argv);
}
