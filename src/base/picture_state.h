/* picture_state.h: finds the state string in a picture file that this program wrote. Pure. */
#ifndef HEADLIGHT_BASE_PICTURE_STATE_H
#define HEADLIGHT_BASE_PICTURE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Where the state is. PNG: keyword of a chunk iTXt. SVG: namespace of an element in the metadata.
 * PDF: the document's keywords. */
#define PICTURE_STATE_KEYWORD "headlight-state"
#define PICTURE_STATE_SPACE   "urn:headlight:state"

#define PICTURE_STATE_MAX ((size_t)4 << 20) /* maximum bytes of a state string */

/* Find the state string in a PNG, SVG or PDF file. The caller frees *state, which ends with NUL.
 * Fails if the file has no state or is cut off, or if memory runs out. Sets only err->why; the
 * caller sets err->what. */
bool picture_state_find(char **state, const char *bytes, size_t size, Err *err);

#endif
