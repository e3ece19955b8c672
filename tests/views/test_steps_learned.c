/* The learned matrices in Steps, and what an edit changed of them and of the weights. */
#include <string.h>

#include "support/script.h"
#include "support/test.h"

#define SMALL "view=steps&text=the%20cat%20sat%20on%20the%20mat&d-model=16&heads=2"

TEST(what_an_edit_changed_is_counted) {
    LOCAL(script_end) Script s;
    script_begin(&s, SMALL, 1920, 1080);
    assert_non_null(drawn_text(&s.list, "the same for every text", 1));
    assert_non_null(drawn_text(&s.list, "from this text", 0));
    assert_null(drawn_beginning(&s.list, "0 of 1,024 "));
    script_keys(&s, "Ctrl+L End ' now' Escape");
    assert_non_null(drawn_beginning(&s.list, "0 of 1,024 "));
    assert_non_null(drawn_beginning(&s.list, "49 of 49 "));
    script_key(&s, ']', 0); /* another head is no change */
    assert_non_null(drawn_beginning(&s.list, "0 of 1,024 "));
    script_key(&s, 'r', 0);
    assert_non_null(drawn_beginning(&s.list, "1,024 of 1,024 "));
    script_paste(&s, "view=steps", 10); /* nothing is known of a whole new state */
    assert_null(drawn_beginning(&s.list, "12,288 of "));
    assert_null(drawn_beginning(&s.list, "16,384 of "));
}

TEST(a_learned_number_is_edited_where_it_is_drawn) {
    LOCAL(script_end) Script s;
    script_begin(&s, SMALL, 1920, 1080);
    assert_int_equal(drawn_cells_count(&s.list), 12);
    script_double_click(&s, drawn_cell(drawn_cells(&s.list, 8), 0, 2)); /* W_Q */
    script_keys(&s, "'3' Enter");
    assert_non_null(strstr(script_state(&s), "set=W_Q1(1,3)=3"));
    assert_non_null(drawn_beginning(&s.list, "1 of 1,024 "));
}
