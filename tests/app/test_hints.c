/* The first three things to try disappear when they are done, and do not return. */
#include <math.h>
#include <string.h>

#include "app/app_state.h"
#include "app/commands.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"

#define HOVER "Hover a cell"
#define MERGE "Press F"

static bool shows(const Script *s, const char *words) {
    bool is_whole = strcmp(words, HOVER) == 0; /* the inspector has a longer one */
    return (is_whole ? drawn_text(&s->list, words, 0) : drawn_beginning(&s->list, words)) != NULL;
}

static void wait_a_while(Script *s) {
    script_wait(s, 5);
}

TEST_IN(each_hint_leaves_once_it_is_done, script_open_disk, "") {
    assert_true(shows(s, HOVER) && shows(s, "Click a word and") && shows(s, MERGE));
    script_move(s, drawn_cell(drawn_cells(&s->list, 0), 3, 3));
    wait_a_while(s);
    assert_false(shows(s, HOVER));
    script_keys(s, "F");
    wait_a_while(s);
    assert_false(shows(s, MERGE));
    script_close(s);
    script_open_disk(s, ""); /* after a restart */
    assert_true(!shows(s, HOVER) && !shows(s, MERGE) && shows(s, "Click a word and"));
    script_keys(s, "Ctrl+L 'so '");
    wait_a_while(s);
    assert_false(shows(s, "Try this"));
    script_close(s);
    script_open_disk(s, "");
    assert_false(shows(s, "Try this"));
    command_run(s->app, "hints");
    script_frame(s);
    assert_true(shows(s, "Try this"));
}

TEST_IN(hide_removes_all, script_open_disk, "") {
    script_click_text(s, "Hide", 0);
    assert_false(shows(s, "Try this"));
}

TEST_IN(a_picture_without_files_has_none, script_open, "") {
    assert_false(shows(s, "Try this"));
}

/* A fresh window is quieter than the default state; Ctrl N returns there. */
TEST_IN(a_fresh_window_shows_one_head, script_open_disk, "") {
    script_play(s, "#1 -{entropy *} =focus=nothing&wall=one");
    assert_int_equal(history_position(&s->app->history), 0); /* nothing to undo */
    script_play(s, "<All> #4");
    float y = drawn_text(&s->list, "All", 0)->as.text.at.y;
    int nth = 0;
    while (fabsf(drawn_text(&s->list, "2", nth)->as.text.at.y - y) > 1)
        nth++;
    script_click_text(s, "2", nth);
    script_play(s, "#1 ~head=2 <All> Ctrl+N =focus=nothing&wall=one");
    script_end(s);
    script_open(s, ""); /* one that remembers nothing shows the default state */
    script_play(s, "#4 =");
}
