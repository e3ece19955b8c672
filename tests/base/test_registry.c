#include <string.h>

#include "base/registry.h"
#include "base/utf8.h"
#include "support/test.h"

typedef struct Fruit {
    Entry entry;
    double weight_kg;
} Fruit;

static const Fruit FRUITS[] = {
    {{"apple", "Apple", "", "A pome."}, 0.2},
    {{"app", "App", "", "Not a fruit."}, 0},
    {{"pear", "Pear", "p = a + r", "Another pome."}, 0.25},
};
static const Registry REGISTRY = {"fruits", "fruit", FRUITS, sizeof(Fruit), 3};

TEST(rows_are_found_by_whole_ids) {
    assert_int_equal(registry_find(&REGISTRY, "apple", 5), 0);
    assert_int_equal(registry_find(&REGISTRY, "app", 3), 1);
    assert_int_equal(registry_find(&REGISTRY, "apple pie", 5), 0); /* only the given bytes */
    assert_int_equal(registry_find(&REGISTRY, "pear", 4), 2);
    assert_string_equal(registry_entry(&REGISTRY, 2)->formula, "p = a + r");
}

TEST(what_is_not_listed_is_not_found) {
    assert_int_equal(registry_find(&REGISTRY, "", 0), -1);
    assert_int_equal(registry_find(&REGISTRY, "appl", 4), -1);
    assert_int_equal(registry_find(&REGISTRY, "Apple", 5), -1);
    assert_int_equal(registry_find(&REGISTRY, "app\0", 4), -1);
    assert_int_equal(registry_find(&REGISTRY, "apple ", 6), -1);
    Registry empty = {"nothings", "nothing", NULL, 1, 0};
    assert_int_equal(registry_find(&empty, "apple", 5), -1);
}

TEST(ids_are_listed) {
    char out[64];
    registry_ids(&REGISTRY, out, sizeof out);
    assert_string_equal(out, "apple, app, pear");
    registry_ids(&REGISTRY, out, sizeof "apple, app, pear");
    assert_string_equal(out, "apple, app, pear");
    Registry empty = {"nothings", "nothing", NULL, 1, 0};
    registry_ids(&empty, out, sizeof out);
    assert_string_equal(out, "");
}

TEST(a_list_too_long_is_cut_at_an_id) {
    char out[64];
    registry_ids(&REGISTRY, out, sizeof "apple, app, …");
    assert_string_equal(out, "apple, app, …");
    for (size_t capacity = 1; capacity < sizeof "apple, app, pear"; capacity++) {
        memset(out, 'z', sizeof out);
        registry_ids(&REGISTRY, out, capacity);
        size_t size = strlen(out);
        assert_true(size < capacity);
        assert_int_equal(utf8_first_invalid(out, size), size);
        assert_int_equal(out[capacity], 'z');
        assert_true(strstr(out, "pear") == NULL);
    }
}
