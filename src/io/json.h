/* json.h: JSON as jansson reads and writes it, but within limits of memory. */
#ifndef HEADLIGHT_IO_JSON_H
#define HEADLIGHT_IO_JSON_H

#include <jansson.h>

#include "base/text_out.h"

/* jansson's tree takes up to 250 bytes for each value, so their number is limited first. */
#define JSON_VALUES_MAX ((size_t)1 << 18)

/* Return the object or list in text[0..size), which the caller releases with json_decref. Return
 * NULL and fill error for anything else, and for a name that an object has twice. */
json_t *json_read(const char *text, size_t size, json_error_t *error);

/* Append value, NULL for a tree that there was no memory for, as json_dumps formats it. json_dumps
 * itself leaves out what it has no memory for; here out is failed then. */
void json_put(TextOut *out, const json_t *value, size_t flags);

#endif
