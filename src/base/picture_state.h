/* picture_state.h: the state string inside a picture file that this program wrote: its markers, and
 * how to find it in any bytes. Pure. */
#ifndef HEADLIGHT_BASE_PICTURE_STATE_H
#define HEADLIGHT_BASE_PICTURE_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Markers of the state. PNG: the keyword of a chunk iTXt. SVG: the namespace of a state element in
 * the metadata. PDF: the document's keywords. */
#define PICTURE_STATE_KEYWORD "headlight-state"
#define PICTURE_STATE_SPACE   "urn:headlight:state"

#define PICTURE_STATE_MAX ((size_t)4 << 20) /* most bytes of a state string */

/* Find the state string in a PNG, SVG or PDF file. On success *state ends with NUL and the caller
 * must free it. Fails if the file has no state or is cut off, or if memory runs out. Sets only
 * err->why; the caller sets err->what. */
bool picture_state_find(char **state, const char *bytes, size_t size, Err *err);

#endif
