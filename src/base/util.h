/* util.h: macros for the whole program. */
#ifndef HEADLIGHT_BASE_UTIL_H
#define HEADLIGHT_BASE_UTIL_H

#define ARRAY_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#endif
