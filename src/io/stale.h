/* stale.h: removes incomplete files that a killed program left behind. */
#ifndef HEADLIGHT_IO_STALE_H
#define HEADLIGHT_IO_STALE_H

/* Write the name of an incomplete file, which file.c replaces when it is complete. It contains the
 * process and a number.
 * */
#define STALE_NAME ".headlight-%ld-%d.part"

/* Remove such files in the folder of a path, except those that a running process writes. Its
 * process number shows that it runs here; its lock shows that it runs on another machine that
 * shares the folder. */
void stale_remove(const char *path);

/* Lock a file until it is closed. */
void stale_lock(int fd);

#endif
