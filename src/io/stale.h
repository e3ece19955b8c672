/* stale.h: files half written that a program left behind when it was killed. */
#ifndef HEADLIGHT_IO_STALE_H
#define HEADLIGHT_IO_STALE_H

/* What file.c calls a file until it takes its place: by process and number. */
#define STALE_NAME ".headlight-%ld-%d.part"

/* Remove those in the folder of a path. What a running process writes is left alone: one of this
 * machine by its number, one of another that shares the folder by the lock that it holds. */
void stale_remove(const char *path);

/* Hold that lock until the file is closed. */
void stale_lock(int fd);

#endif
