
#include "model/init/scheme.h"
#include "support/script.h"
#include "support/test.h"

/* Return the last text command with these words: an open list is drawn last. */
static const DrawCommand *last_text(const DrawList *list, const char *words) {
    const DrawCommand *last = NULL, *next;
    for (int nth = 0; (next = drawn_text(list, words, nth)) != NULL; nth++)
        last = next;
    return last;
}

/* In a window of this size the arrows bring every scheme into sight, where it can be clicked, and
 * the help of the lit one stays inside the window. */
static void assert_list_fits(float width, float height) {
    LOCAL(script_end) Script s;
    script_begin(&s, "init=xavier_normal", width, height);
    if (drawn_text(&s.list, "Xavier normal", 0) == NULL)
        script_click_text(&s, "State", 0); /* the state row is behind it */
    script_click_text(&s, "Xavier normal", 0);
    script_keys(&s, "Home");
    for (int i = 0; i < SCHEME_REGISTRY.count; i++) {
        const char *label = registry_entry(&SCHEME_REGISTRY, i)->label;
        const DrawCommand *row = last_text(&s.list, label);
        if (row == NULL)
            fail_msg("%s is not in the list", label);
        Vec2 middle = drawn_middle(&s.list, row);
        if (!rect_contains(rect_inset(row->clip, 0, 14), middle) || middle.y > s.list.height - 100)
            fail_msg("%s lies at %g of %g", label, (double)middle.y, (double)s.list.height);
        script_keys(&s, "Down");
    }
    script_type(&s, "mim"); /* and by a part of its name */
    script_click(&s, drawn_middle(&s.list, last_text(&s.list, "Mimetic")));
    script_check(&s, "init=mimetic");
}

TEST(every_scheme_is_in_reach) {
    static const float sizes[][2] = {{1920, 1080}, {1440, 900}, {1280, 720}, {1280, 600}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        assert_list_fits(sizes[i][0], sizes[i][1]);
}
