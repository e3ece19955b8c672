/* The text on the cards of the Steps view if there is little room. */
#include "support/script.h"
#include "support/test.h"

TEST(a_long_equation_is_broken_and_not_cut) {
    static const struct {
        const char *state, *there, *gone;
    } cases[] = {{"view=steps&steps-step=3&init=normal&temperature=0.0125&pin=2,6", "/ 0.0125",
                  "16 products"},
                 {"view=steps&steps-step=3", "16 products", "/ 4"}};
    for (int i = 0; i < 2; i++) {
        LOCAL(script_end) Script s;
        script_begin_typical(&s, cases[i].state, 1728, 1080);
        assert_non_null(drawn_text(&s.list, cases[i].there, 0));
        assert_null(drawn_text(&s.list, cases[i].gone, 0));
    }
}
