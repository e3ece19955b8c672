#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "shell/cli.h"

/* A stream that was closed must not be taken by the next file that is opened. A closed standard
 * output is replaced by one that cannot be written, so that printing to it is still an error. */
static void fill_standard_streams(void) {
    static const int modes[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0)
            open("/dev/null", modes[fd]);
}

int main(int argc, char **argv) {
    fill_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    return cli_main(argc, argv);
}
