#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Parse the text (in browser.js), and append each value to *root by json_append, a parent before
 * its children. Return false if memory runs out; error is set if the text is not JSON. */
bool browser_parse(json_t **root, const char *text, size_t size, char *error, size_t error_size);

/* Append a value. Called by browser.js. key and string are from malloc and become ours. Return NULL
 * if memory runs out. */
json_t *json_append(json_t *parent, int type, char *key, char *string, size_t length,
                    double integer);

json_t *json_append(json_t *parent, int type, char *key, char *string, size_t length,
                    double integer) {
    json_t *value = calloc(1, sizeof *value);
    if (value == NULL) {
        free(key);
        free(string);
        return NULL;
    }
    *value = (json_t){.type = (json_type)type,
                      .integer = (int64_t)integer,
                      .key = key,
                      .string = string,
                      .length = length};
    if (parent == NULL)
        return value;
    if (parent->last != NULL)
        parent->last->next = value;
    else
        parent->first = value;
    parent->last = value;
    parent->count++;
    return value;
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
    for (json_t *item = value->first, *next; item != NULL; item = next) {
        next = item->next;
        json_decref(item);
    }
    free(value->key);
    free(value->string);
    free(value);
}

const json_t *json_object_get(const json_t *object, const char *key) {
    const json_t *item = json_is_object(object) ? object->first : NULL;
    while (item != NULL && strcmp(item->key, key) != 0)
        item = item->next;
    return item;
}

const json_t *json_array_get(const json_t *array, size_t index) {
    const json_t *item = json_is_array(array) ? array->first : NULL;
    while (item != NULL && index-- > 0)
        item = item->next;
    return item;
}

int json_dump_callback(const json_t *value, json_dump_callback_t put, void *context, size_t flags) {
    (void)value, (void)put, (void)context, (void)flags;
    return -1;
}
