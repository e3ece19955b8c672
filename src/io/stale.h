/* stale.h: removes incomplete files that a killed program left behind. */
#ifndef HEADLIGHT_IO_STALE_H
#define HEADLIGHT_IO_STALE_H

/* Write the temporary name that file.c gives a file before it is complete: with process and number.
 * */
#define STALE_NAME ".headlight-%ld-%d.part"

/* Remove such files in the folder of a path. A file that a running process writes is left alone:
 * the number of a process on this machine tells, or the lock of one on a machine that shares the
 * folder. */
void stale_remove(const char *path);

/* Hold that lock until the file is closed. */
void stale_lock(int fd);

#endif
