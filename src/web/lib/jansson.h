/* jansson.h: the functions of jansson that the core calls. The browser's JSON.parse reads the text.
 * See <jansson.h> for the contracts. If an object has a name twice, the last value counts. */
#ifndef HEADLIGHT_WEB_JANSSON_H
#define HEADLIGHT_WEB_JANSSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum json_type {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_INTEGER,
    JSON_REAL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL
} json_type;

/* A value. `next` points to the value after it in its object or list. */
typedef struct json_t {
    json_type type;
    double number;
    char *key, *string; /* owned; NULL for none */
    size_t length;      /* bytes of string */
    size_t count;       /* number of values in an object or list */
    struct json_t *first, *last, *next;
} json_t;

typedef int64_t json_int_t;
typedef struct json_error_t {
    char text[160];
} json_error_t;
enum { json_error_unknown, json_error_out_of_memory };
enum { JSON_REJECT_DUPLICATES = 1 };

json_t *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error);
void json_decref(json_t *value);
json_t *json_object_get(const json_t *object, const char *key);
json_t *json_array_get(const json_t *array, size_t index);

static inline int json_error_code(const json_error_t *error) {
    return error->text[0] != '\0' ? json_error_unknown : json_error_out_of_memory;
}

static inline bool json_is(const json_t *value, json_type type) {
    return value != NULL && value->type == type;
}

#define json_is_object(value)  json_is(value, JSON_OBJECT)
#define json_is_array(value)   json_is(value, JSON_ARRAY)
#define json_is_string(value)  json_is(value, JSON_STRING)
#define json_is_integer(value) json_is(value, JSON_INTEGER)
#define json_is_number(value)  (json_is_integer(value) || json_is(value, JSON_REAL))
#define json_is_true(value)    json_is(value, JSON_TRUE)
#define json_is_false(value)   json_is(value, JSON_FALSE)
#define json_is_boolean(value) (json_is_true(value) || json_is_false(value))
#define json_is_null(value)    json_is(value, JSON_NULL)

#define json_string_value(value)  (json_is_string(value) ? (value)->string : NULL)
#define json_string_length(value) (json_is_string(value) ? (value)->length : 0)
#define json_integer_value(value) (json_is_integer(value) ? (json_int_t)(value)->number : 0)
#define json_number_value(value)  (json_is_number(value) ? (value)->number : 0)
#define json_array_size(value)    (json_is_array(value) ? (value)->count : 0)
#define json_object_size(value)   (json_is_object(value) ? (value)->count : 0)

#define json_object_foreach(object, name, item)                                                    \
    for (item = json_is_object(object) ? (object)->first : NULL;                                   \
         item != NULL && (name = item->key) != NULL; item = item->next)

#endif
