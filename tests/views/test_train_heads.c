/* The heads of the Train view under the pointer. */
#include <string.h>

#include "support/script.h"
#include "support/test.h"

#define HEADS   4
#define MOMENTS 5
#define MAPS    (HEADS + MOMENTS) /* of a column, at the last step */
#define COLUMNS 2

#define TRAIN "view=train&train-steps=40&train-step=40&compare-schemes=xavier_uniform,he_uniform"

/* A clicked head becomes the chosen one in every column, and is drawn large. */
TEST_IN(a_head_is_chosen, script_begin, TRAIN, 1920, 1080) {
    assert_int_equal(drawn_cells_count(&s->list), COLUMNS * MAPS + 1);
    script_click(s, drawn_cell(drawn_cells(&s->list, MAPS + 2), 8, 1)); /* of the second */
    assert_non_null(strstr(script_state(s), "head=3"));
    assert_int_equal(app_settings(s->app)->train.step, 40);
    script_move(s, (Vec2){4, 4});
    assert_int_equal(app_settings(s->app)->train.start, 2); /* and is the large one */
    assert_non_null(drawn_text(&s->list, "He uniform, head 3", 0));
}

/* A cell that is hovered is named in all columns, each with its value at the step of that map. */
TEST(a_cell_is_named_at_one_step) {
    static const int steps[MOMENTS] = {0, 10, 20, 30, 40};
    SCRIPT(s, script_begin, TRAIN, 1920, 1080);
    for (int column = 0; column < COLUMNS; column++)
        for (int map = 0; map < MAPS; map++) {
            bool is_head = map < HEADS;
            script_move(&s, drawn_cell(drawn_cells(&s.list, column * MAPS + map), 8, 1));
            assert_non_null(drawn_text(&s.list, "it → animal", COLUMNS - 1));
            assert_non_null(drawn_text(
                &s.list,
                PRINT("Head %d at %d:", is_head ? map + 1 : 1, is_head ? 40 : steps[map - HEADS]),
                COLUMNS - 1));
        }
}
