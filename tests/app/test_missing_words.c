/* Without word vectors: the line that says so, and choosing a file. */
#include <string.h>

#include "app/app_state.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"

#define FOUND_NONE "No word vectors found. Using random ones."

/* A reader with vectors for "one" and "two", which knows the files "good" and "shy". */
typedef struct Reader {
    WordVectors vectors;
    uint32_t at[3], slots[4];
} Reader;

static Reader reader;

static const uint16_t HALVES[] = {0x3C00, 0, 0, 0x3C00};

static void reader_begin(void) {
    static const char *const words[] = {"one", "two"};
    reader = (Reader){.at = {0, 4, 8}};
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t at = (uint32_t)rng_hash(words[i], 3) & 3;
        while (reader.slots[at] != 0)
            at = (at + 1) & 3;
        reader.slots[at] = i + 1;
    }
    reader.vectors = (WordVectors){HALVES, 2, 2, "one\ntwo\n", reader.at, reader.slots, 4};
}

static bool take(void *context, const WordVectors **out, bool *is_kept, const char *path,
                 Err *err) {
    bool good = strstr(path, "good") != NULL, shy = strstr(path, "shy") != NULL;
    *out = good || shy ? &reader.vectors : NULL;
    *is_kept = good;
    if (shy)
        err_fail(err, path, "no space is left on that disk");
    return good || shy || err_fail(err, path, "“vectors” is missing");
}

static void begin_sized(Script *s, const char *state, Vec2 size_px) {
    reader_begin();
    AppFiles files = disk_files();
    AppWords words = {.why_none = "/a_b/words: not there", .take = take};
    script_begin_wordless(s, state, size_px, &files, &words);
}

static void begin(Script *s, const char *state) {
    begin_sized(s, state, (Vec2){1728, 1080});
}

TEST(the_line_stands_under_the_field_where_vectors_are_asked_for) {
    static const struct {
        const char *state;
        bool said;
    } cases[] = {{"text=one%20two", true},
                 {"text=one%20two&embedding=random", false},
                 {"text=one%20two&embedding=onehot", false},
                 {"text=", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCRIPT(s, begin, cases[i].state);
        const DrawCommand *line = drawn_text(&s.list, FOUND_NONE, 0);
        assert_int_equal(line != NULL, cases[i].said);
        assert_int_equal(script_says(&s, "Choose file"), cases[i].said);
        if (line != NULL) { /* it has its own row and covers nothing */
            Rect row = s.app->layout.line;
            assert_true(rect_contains(row, drawn_middle(&s.list, line)));
            assert_true(row.y >= rect_bottom(s.app->layout.text_row));
            assert_true(rect_bottom(row) <= s.app->layout.state_row.y);
        }
    }
}

TEST_IN(who_points_at_the_line_is_told_why, begin, "text=one%20two") {
    script_move(s, drawn_middle(&s->list, drawn_text(&s->list, FOUND_NONE, 0)));
    s->time_s = 1;
    script_play(s, "| {/a_b/words: not there}"); /* the path as it is, and no formula */
}

TEST_IN(it_shortens_itself_in_a_narrow_window, begin_sized, "text=one%20two&ui-scale=3",
        (Vec2){1024, 768}) {
    assert_true(!script_says(s, FOUND_NONE) && script_says(s, "Choose file"));
}

/* Type a path into the sheet and accept it. */
static void choose(Script *s, const char *path) {
    script_play(s, PRINT("Ctrl+A '%s' Enter |", path));
}

TEST(a_file_is_chosen_by_hand) {
    LOCAL(script_end) Script s;
    disk_put("/home/good.safetensors", "");
    disk_put("/home/notes.txt", "");
    begin(&s, "text=one%20two%20three");
    assert_int_equal(s.app->run.missing, 3);
    script_play(&s, "<Choose file> | {Choose word vectors} {good.safetensors} -{notes.txt}");
    choose(&s, "/home/bad.safetensors"); /* the sheet stays and shows the error */
    assert_true(script_says(&s, "/home/bad.safetensors: “vectors” is missing"));
    assert_true(script_says(&s, "Choose word vectors") && s.app->run.missing == 3);
    choose(&s, "~/good.safetensors");
    assert_false(script_says(&s, "Choose word vectors") || script_says(&s, FOUND_NONE));
    assert_true(script_says(&s, "good.safetensors: 2 word vectors of 2 numbers"));
    assert_true(s.app->run.valid && s.app->run.missing == 1);
    assert_int_equal(s.app->run.notes[0].source, EMBED_OWN);
}

TEST_IN(a_file_is_chosen_by_keys, begin, "text=one%20two") {
    UiId button = ui_id("choose words", 0);
    for (int i = 0; i < 16 && s->app->ui.focus != button; i++)
        script_keys(s, "Tab");
    assert_true(s->app->ui.focus == button);
    script_play(s, "Enter |");
    choose(s, "/home/good.safetensors");
    assert_int_equal(s->app->run.missing, 0);
}

TEST_IN(a_file_that_is_dropped_is_taken, begin, "text=one%20two") {
    script_drop(s, "/home/bad.safetensors");
    script_play(s, PRINT("{%s} drop:/home/good.safetensors | -{%s}", FOUND_NONE, FOUND_NONE));
    assert_int_equal(s->app->run.missing, 0);
    script_drop(s, "/home/good.safetensors"); /* now it is no file of weights, and nothing else */
    assert_true(script_says_first(s, "good.safetensors: cannot be read"));
}

TEST_IN(what_the_next_window_will_not_find_is_said, begin, "text=one%20two") {
    script_play(s, "drop:/home/shy.safetensors |");
    assert_int_equal(s->app->run.missing, 0);
    assert_true(script_shows(s, "shy.safetensors: 2 word vectors of 2 numbers. Later windows "));
    assert_string_equal(s->app->messages[s->app->message_count - 1].text,
                        "shy.safetensors: 2 word vectors of 2 numbers. Later windows will not have "
                        "them: no space is left on that disk");
}

/* In every view, including results of background jobs. */
TEST(every_view_is_made_anew_with_the_vectors) {
    for (int view = 0; view < VIEW_REGISTRY.count; view++) {
        SCRIPT(s, begin,
               PRINT("text=one%%20two&view=%s", registry_entry(&VIEW_REGISTRY, view)->id));
        script_play(&s, "drop:/home/good.safetensors |");
        assert_true(s.app->run.valid && s.app->run.missing == 0);
    }
}
