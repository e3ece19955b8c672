#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parse the text (in browser.js). Append each value to *root with json_append, a parent before its
 * children. Return false if memory runs out; error is set if the text is not JSON. */
bool browser_parse(json_t **root, const char *text, size_t size, char *error, size_t error_size);

/* Append a value. Called by browser.js. key and string were allocated by malloc; this code frees
 * them. Return NULL if memory runs out. */
json_t *json_append(json_t *parent, int type, char *key, char *string, size_t length,
                    double number);

/* The item that json_array_get found last. It is forgotten when a value is freed. */
typedef struct Found {
    const json_t *array;
    json_t *item;
    size_t index;
} Found;
static Found found;

static void append(json_t *parent, json_t *value) {
    if (parent->last != NULL)
        parent->last->next = value;
    else
        parent->first = value;
    parent->last = value;
    parent->count++;
}

json_t *json_append(json_t *parent, int type, char *key, char *string, size_t length,
                    double number) {
    json_t *value = calloc(1, sizeof *value);
    if (value == NULL) {
        free(key);
        free(string);
        return NULL;
    }
    *value = (json_t){
        .type = (json_type)type, .number = number, .key = key, .string = string, .length = length};
    if (parent != NULL)
        append(parent, value);
    return value;
}

json_t *json_object(void) {
    return json_append(NULL, JSON_OBJECT, NULL, NULL, 0, 0);
}

json_t *json_array(void) {
    return json_append(NULL, JSON_ARRAY, NULL, NULL, 0, 0);
}

json_t *json_integer(json_int_t integer) {
    return json_append(NULL, JSON_INTEGER, NULL, NULL, 0, (double)integer);
}

json_t *json_stringn(const char *bytes, size_t size) {
    char *copy = strndup(bytes, size);
    return copy != NULL ? json_append(NULL, JSON_STRING, NULL, copy, size, 0) : NULL;
}

json_t *json_string(const char *text) {
    return json_stringn(text, strlen(text));
}

int json_array_append_new(json_t *array, json_t *item) {
    if (item == NULL)
        return -1;
    append(array, item);
    return 0;
}

int json_object_set_new(json_t *object, const char *key, json_t *item) {
    if (item == NULL || (item->key = strdup(key)) == NULL) {
        json_decref(item);
        return -1;
    }
    return json_array_append_new(object, item);
}

json_t *json_loadb(const char *text, size_t size, size_t flags, json_error_t *error) {
    json_t *root = NULL;
    (void)flags;
    error->text[0] = '\0';
    if (browser_parse(&root, text, size, error->text, sizeof error->text) &&
        (json_is_object(root) || json_is_array(root)))
        return root;
    json_decref(root);
    return NULL;
}

void json_decref(json_t *value) {
    if (value == NULL)
        return;
    found = (Found){NULL, NULL, 0};
    for (json_t *item = value->first, *next; item != NULL; item = next) {
        next = item->next;
        json_decref(item);
    }
    free(value->key);
    free(value->string);
    free(value);
}

json_t *json_object_get(const json_t *object, const char *key) {
    json_t *item = json_is_object(object) ? object->first : NULL;
    while (item != NULL && strcmp(item->key, key) != 0)
        item = item->next;
    return item;
}

/* Search from the item that the previous call found, because lists are read in order. */
json_t *json_array_get(const json_t *array, size_t index) {
    bool goes_on = json_is_array(array) && found.array == array && found.index <= index;
    if (!goes_on)
        found = (Found){array, json_is_array(array) ? array->first : NULL, 0};
    for (; found.item != NULL && found.index < index; found.index++)
        found.item = found.item->next;
    return found.item;
}

static json_t *pack(const char **format, va_list *given) {
    *format += strspn(*format, " :,");
    char kind = *(*format)++;
    if (kind == 's')
        return json_string(va_arg(*given, const char *));
    if (kind == 'o')
        return va_arg(*given, json_t *);
    if (kind == 'I')
        return json_integer(va_arg(*given, json_int_t));
    json_t *value = kind == '{' ? json_object() : json_array();
    bool complete = value != NULL;
    for (; complete && **format != '}' && **format != ']'; *format += strspn(*format, " ,")) {
        const char *key = kind == '{' ? va_arg(*given, const char *) : NULL;
        *format += key != NULL; /* skip the letter s of the key */
        json_t *item = pack(format, given);
        complete = (key != NULL ? json_object_set_new(value, key, item)
                                : json_array_append_new(value, item)) == 0;
    }
    ++*format;
    if (complete)
        return value;
    json_decref(value);
    return NULL;
}

json_t *json_pack(const char *format, ...) {
    va_list given;
    va_start(given, format);
    json_t *value = pack(&format, &given);
    va_end(given);
    return value;
}

static bool put_string(const char *bytes, size_t size, json_dump_callback_t put, void *context) {
    bool done = put("\"", 1, context) == 0;
    for (size_t i = 0; i < size && done; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        char escaped[8];
        int length = snprintf(escaped, sizeof escaped,
                              byte < ' '                    ? "\\u%04x"
                              : byte == '"' || byte == '\\' ? "\\%c"
                                                            : "%c",
                              byte);
        done = put(escaped, (size_t)length, context) == 0;
    }
    return done && put("\"", 1, context) == 0;
}

int json_dump_callback(const json_t *value, json_dump_callback_t put, void *context, size_t flags) {
    char number[24];
    bool is_object = value->type == JSON_OBJECT, done;
    if (value->type == JSON_STRING)
        return put_string(value->string, value->length, put, context) ? 0 : -1;
    if (value->type == JSON_INTEGER)
        return put(number,
                   (size_t)snprintf(number, sizeof number, "%lld", (long long)value->number),
                   context);
    done = put(is_object ? "{" : "[", 1, context) == 0;
    for (const json_t *item = value->first; item != NULL && done; item = item->next) {
        done = item == value->first || put(",", 1, context) == 0;
        if (is_object)
            done = done && put_string(item->key, strlen(item->key), put, context) &&
                   put(":", 1, context) == 0;
        done = done && json_dump_callback(item, put, context, flags) == 0;
    }
    return done && put(is_object ? "}" : "]", 1, context) == 0 ? 0 : -1;
}
