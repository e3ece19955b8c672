#include <jansson.h>
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
    if (parent == NULL)
        return value;
    *(parent->last != NULL ? &parent->last->next : &parent->first) = value;
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
