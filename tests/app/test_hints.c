/* The first three things to try leave once they are done, and stay away. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "app/app_state.h"
#include "app/commands.h"
#include "support/disk.h"
#include "support/script.h"

#define HOVER "Hover a cell"
#define MERGE "Press F"

static Disk disk;

static void start(Script *s) {
    AppFiles files = disk_files(&disk);
    script_begin_with(s, "", &files);
}

static bool shows(const Script *s, const char *words) {
    bool is_whole = strcmp(words, HOVER) == 0; /* the inspector has a longer one */
    return (is_whole ? drawn_text(&s->list, words, 0) : drawn_beginning(&s->list, words)) != NULL;
}

static void wait_a_while(Script *s) {
    s->time_s += 5;
    script_frame(s);
}

static void each_hint_leaves_once_it_is_done(void **state) {
    (void)state;
    Script s;
    disk_release(&disk);
    start(&s);
    assert_true(shows(&s, HOVER) && shows(&s, "Click a word") && shows(&s, MERGE));
    script_move(&s, drawn_cell(drawn_cells(&s.list, 0), 3, 3));
    wait_a_while(&s);
    assert_false(shows(&s, HOVER));
    script_key(&s, 'f', 0);
    wait_a_while(&s);
    assert_false(shows(&s, MERGE));
    script_end(&s);
    start(&s); /* after a restart */
    assert_true(!shows(&s, HOVER) && !shows(&s, MERGE) && shows(&s, "Click a word"));
    script_key(&s, 'l', KEY_MOD_COMMAND);
    script_type(&s, "so ");
    wait_a_while(&s);
    assert_false(shows(&s, "Try this"));
    script_end(&s);
    start(&s);
    assert_false(shows(&s, "Try this"));
    command_run(s.app, "hints");
    script_frame(&s);
    assert_true(shows(&s, "Try this"));
    script_end(&s);
    disk_release(&disk);
}

static void hide_removes_all(void **state) {
    (void)state;
    Script s;
    disk_release(&disk);
    start(&s);
    script_click_text(&s, "Hide", 0);
    assert_false(shows(&s, "Try this"));
    script_end(&s);
    disk_release(&disk);
}

static void a_picture_without_files_has_none(void **state) {
    (void)state;
    Script s;
    script_begin(&s, "", 1728, 1080);
    assert_false(shows(&s, "Try this"));
    script_end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_hint_leaves_once_it_is_done),
        cmocka_unit_test(hide_removes_all),
        cmocka_unit_test(a_picture_without_files_has_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
