/* picture_state.h: the state string inside a picture file that this program wrote: how it is
 * marked, and finding it again in bytes from anywhere. Pure. */
#ifndef HEADLIGHT_BASE_PICTURE_STATE_H
#define HEADLIGHT_BASE_PICTURE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* PNG: the keyword of international text. SVG: the namespace of a state element in the metadata.
 * PDF: the document's keywords. */
#define PICTURE_STATE_KEYWORD "headlight-state"
#define PICTURE_STATE_SPACE   "urn:headlight:state"

#define PICTURE_STATE_MAX ((size_t)4 << 20) /* bytes of a state string */

/* Find the state string of a PNG, SVG or PDF file. On success *state is to be freed by the caller
 * and ends with NUL. Fails if there is none, if the file is cut off before its end, and if memory
 * runs out; err's what is to be filled by the caller. */
bool picture_state_find(char **state, const char *bytes, size_t size, Err *err);

#endif
