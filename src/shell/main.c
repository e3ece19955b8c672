#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "shell/cli.h"

#define KEPT_BYTES  (8 << 20)
#define SMALL_BYTES (6 << 20) /* what is kept at all */

/* A stream that was closed must not be taken by the next file that is opened. A closed standard
 * output is replaced by one that cannot be written, so that printing to it is still an error. */
static void fill_standard_streams(void) {
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", modes[fd]);
}

/* A frame allocates and frees some megabytes, the graphics driver's among them. By default malloc
 * returns them to the system each time and asks for them page by page: a quarter of a frame's time.
 */
static void keep_memory(void) {
#if defined(__GLIBC__)
    mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
    mallopt(M_MMAP_THRESHOLD, SMALL_BYTES);
#endif
}

int main(int argc, char **argv) {
    keep_memory();
    fill_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return cli_main(argc, argv);
}
