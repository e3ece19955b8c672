/* json_read.h: JSON from files that anyone may have made, read by jansson within limits.
 * jansson's tree takes up to 250 bytes for each value, so their number is limited first. */
#ifndef HEADLIGHT_IO_JSON_READ_H
#define HEADLIGHT_IO_JSON_READ_H

#include <jansson.h>

#define JSON_VALUES_MAX ((size_t)1 << 18)

/* Return the object or list in text[0..size), which the caller releases with json_decref. Return
 * NULL and fill error for anything else, and for a name that an object has twice. */
json_t *json_read(const char *text, size_t size, json_error_t *error);

#endif
