/* json.h: reads JSON with jansson, with a limit on memory. */
#ifndef HEADLIGHT_IO_JSON_H
#define HEADLIGHT_IO_JSON_H

#include <jansson.h>

/* Limit of values in a text: jansson's tree takes up to 250 bytes for each value, so the values are
 * counted first. */
#define JSON_VALUES_MAX ((size_t)1 << 18)

/* Return the object or list in text[0..size), to be released with json_decref. Return NULL and set
 * error if it is anything else, or if an object has a name twice. */
json_t *json_read(const char *text, size_t size, json_error_t *error);

/* Do what json_read does, but with another limit on the number of values. */
json_t *json_read_most(const char *text, size_t size, size_t most, json_error_t *error);

#endif
