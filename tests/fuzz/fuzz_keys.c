/* Any bytes as a file of own keys: no two commands share a key, and a key's name reads
 * back as the key. */
#include <stdint.h>
#include <string.h>

#include "app/commands.h"
#include "app/keymap.h"
#include "base/pairs.h"
#include "base/utf8.h"
#include "check.h"

static void check_name(const Binding *binding) {
    char name[KEY_NAME_MAX];
    uint32_t key;
    unsigned mods;
    key_name(name, binding->key, binding->mods);
    check(utf8_first_invalid(name, strlen(name)) == strlen(name));
    for (char *at = name; *at != '\0'; at++) /* as a user writes it */
        *at = *at == ' ' && at[1] != '\0' ? '+' : *at;
    if (key_read(&key, &mods, name, strlen(name)))
        check(key == binding->key && mods == binding->mods);
}

/* The names on screen are whole, however little room they have. */
static void check_names(const KeyMap *map, int command) {
    char few[8], all[KEY_NAME_MAX * 8];
    keymap_names(few, sizeof few, map, command);
    keymap_names(all, sizeof all, map, command);
    check(strncmp(few, all, strlen(few)) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Pairs pairs = {.bytes = (const char *)data, .size = size};
    KeyMap map, own = {.count = 0};
    Pair pair;
    Err err;
    keymap_standard(&map);
    while (pairs_next(&pairs, &pair))
        if (pair.value != NULL &&
            !keymap_set(&map, &own, pair.key, pair.key_bytes, pair.value, pair.value_bytes, &err))
            check(err.what[0] != '\0' &&
                  utf8_first_invalid(err.what, strlen(err.what)) == strlen(err.what));
    check_names(&map, (int)size % COMMAND_REGISTRY.count);
    check(map.count >= 0 && map.count <= KEYMAP_MAX);
    for (int i = 0; i < map.count; i++) {
        check_name(&map.at[i]);
        for (int k = 0; k < i; k++)
            check(map.at[i].key != map.at[k].key || map.at[i].mods != map.at[k].mods);
    }
    return 0;
}
