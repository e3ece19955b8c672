/* version.h: the version that `headlight --version` prints and files carry. */
#ifndef HEADLIGHT_BASE_VERSION_H
#define HEADLIGHT_BASE_VERSION_H

#define HEADLIGHT_VERSION "0.1.0"

#endif
