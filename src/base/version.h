/* version.h: the version that `headlight --version` prints and that saved files contain; computed
 * by .packaging/version. */
#ifndef HEADLIGHT_BASE_VERSION_H
#define HEADLIGHT_BASE_VERSION_H

#include "gen/version.h"

#endif
