/* Lecture mode: everything fits in large letters at every size and for every text, the user's
 * captions are kept, and the state string does not change. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "app/commands.h"
#include "base/utf8.h"
#include "base/util.h"
#include "draw/part.h"
#include "draw/theme.h"
#include "support/advance.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"
#include "support/words.h"

#define LEAST_PX 24
#define SENTENCE "“it” gives "

static const float SIZES[][2] = {{640, 480},  {1024, 768},  {1280, 720}, {1440, 900},
                                 {1366, 700}, {1920, 1080}, {3840, 2160}};
static const float UI_SCALES[] = {0.75f, 1, 1.5f, 3};

static void open_lecture(Script *s, const char *state, float width, float height) {
    script_begin_typical(s, state, width, height);
    script_keys(s, "L");
    assert_true(s->app->lecture.is_on);
}

static const char LONG_WORDS[] =
    "text=Donaudampfschifffahrtsgesellschaftskapit%C3%A4n%20antidisestablishmentarianism%20"
    "floccinaucinihilipilification&pin=2,1";

static const char *const STATES[] = {
    "",
    "pin=9,2",
    "pin=1,1&heads=1",
    "pin=12,12&heads=8",
    "pin=1,12&heads=64",
    "pin=12,1&show=scores",
    "pin=9,2&show=grad-a",
    "pin=9,2&show=grad-s&minus=head:2",
    "pin=9,2&minus=head:2",
    "pin=2,7&minus=form",
    "mask=causal&pin=3,7",
    "mask=window:1&pin=6,6&show=masked",
    "close=1..12-1..12&pin=4,4",
    "init=zeros",
    "init=normal&temperature=1e-20&pin=2,2",
    "focus=nothing",
    "text=",
    "text=alone",
    "text=a%20a&pin=2,1",
    "text=%F0%9F%91%A9%20%F0%9F%90%88%20%E6%88%91&pin=1,2",
    "text=%D8%A7%D9%84%D8%A7%D9%86%D8%AA%D8%A8%D8%A7%D9%87%20%D9%87%D9%88&pin=1,2",
    LONG_WORDS,
    "order=weight&warp=log&pin=9,2",
    "beside=normal&range=each&pin=9,2"};

static long looked_at;
TEST_EACH(NULL, sight_check)

static void check_words(Sight *sight) {
    const Script *s = sight->script;
    Rect all = {0, 0, s->list.width, s->list.height};
    int count;
    const Word *words = words_of(&s->list, &s->measure, &count);
    looked_at += count;
    for (int i = 0; i < count; i++) {
        const Word *w = &words[i];
        Rect seen = rect_inset(rect_intersect(w->clip, all), -WORDS_SLACK, -WORDS_SLACK);
        if (s->list.commands[w->at].as.text.size * s->list.scale < LEAST_PX - 0.01f)
            sight_fault(sight, "is small", w, NULL);
        if (!rect_equal(rect_union(seen, w->around), seen))
            sight_fault(sight, "leaves its place", w, NULL);
    }
    words_check(&s->list, words, count, sight_fault, sight);
}

/* A hall shows the matrix alone, so nothing of the row may stand in its part. */
static void check_parts(Sight *sight) {
    const DrawList *list = &sight->script->list;
    const DrawPart *row = part_find(list, "heads.row", strlen("heads.row"));
    for (size_t i = 0; row != NULL && i < list->part_count; i++)
        if (strncmp(list->parts[i].id, "heads.matrix.", 13) == 0 &&
            rect_intersect(list->parts[i].rect, row->rect).w > 0)
            sight_fault(sight, "reaches over the row",
                        &(Word){.text = list->parts[i].id, .bytes = 13}, NULL);
}

static void check_state(const char *state) {
    static Advance advance;
    SCRIPT(s, open_lecture, state, SIZES[1][0], SIZES[1][1]);
    s.time_s = 10; /* the key that opened it has faded */
    s.measure = advance_measure(&advance);
    for (size_t i = 0; i < ARRAY_COUNT(SIZES); i++)
        for (size_t k = 0; k < ARRAY_COUNT(UI_SCALES); k++) {
            s.app->settings.ui_scale = UI_SCALES[k];
            advance.cut_count = 0;
            script_size(&s, SIZES[i][0], SIZES[i][1]);
            Sight sight = {&s, state};
            check_words(&sight);
            sight_check_cuts(&sight, &advance);
            check_parts(&sight);
        }
}

TEST(all_words_are_large_and_have_room) {
    for (size_t i = 0; i < ARRAY_COUNT(STATES); i++)
        check_state(STATES[i]);
    check_state(script_with_words("pin=30,4&text=", 40, 40));
    check_state(script_with_words("pin=499,250&heads=2&d-model=16&text=", 500, 500));
    assert_true(looked_at > 10000);
}

/* Wherever a pressed pointer moves the light. */
TEST(whatever_is_held_has_room) {
    for (size_t i = 0; i < ARRAY_COUNT(SIZES); i++) {
        SCRIPT(s, open_lecture, "mask=causal", SIZES[i][0], SIZES[i][1]);
        const DrawCells *cells = drawn_cells(&s.list, 0);
        Rect m = cells->rect;
        s.time_s = 10;
        script_press(&s, (Vec2){m.x + 1, m.y + 1}, 0, 1);
        for (int at = 0; at < 144; at++) {
            script_move(&s, (Vec2){m.x + m.w * ((float)(at % 12) + 0.5f) / 12,
                                   m.y + m.h * ((float)(at / 12) + 0.5f) / 12});
            check_words(&(Sight){&s, "held"});
        }
    }
}

/* Every key and its description fit their place. */
TEST(every_key_has_room_with_its_word) {
    static Advance advance;
    LOCAL(script_end) Script s;
    KeyMap map;
    keymap_standard(&map);
    open_lecture(&s, "", 1024, 768);
    s.measure = advance_measure(&advance);
    for (int i = 0; i < map.count; i++) {
        char name[KEY_NAME_MAX];
        const char *word = s.app->lecture.word, *id = COMMANDS[map.at[i].command].entry.id;
        bool is_idle = strstr("play first last larger smaller normal-size theme", id) != NULL;
        key_name(name, map.at[i].key, map.at[i].mods);
        if (is_idle || map.at[i].is_synonym) { /* does nothing here; is shown as the other key */
            lecture_pressed(s.app, &map.at[i]);
            assert_string_not_equal(s.app->lecture.key, name);
            continue;
        }
        lecture_pressed(s.app, &map.at[i]);
        s.time_s += 0.1;
        advance.cut_count = 0;
        script_frame(&s);
        if (drawn_text(&s.list, name, 0) == NULL || drawn_text(&s.list, word, 0) == NULL)
            fail_msg("%s “%s” has no room", name, word);
        check_words(&(Sight){&s, name});
    }
    script_play(&s, "@2 {leave}");
}

/* It changes neither the state string nor undo. */
TEST_IN(a_lecture_leaves_no_trace, script_begin, "pin=9,2&view=graph&theme=light", 1440, 900) {
    LOCAL(free_at) char *before = strdup(script_state(s));
    uint64_t hash = draw_hash(&s->list);
    script_keys(s, "L");
    assert_int_equal(s->list.ground, THEMES[THEME_PROJECTOR].canvas);
    assert_true(draw_hash(&s->list) != hash);
    script_play(s, PRINT("=%s Escape", before));
    assert_false(s->app->lecture.is_on);
    script_check(s, before); /* the pin stays */
    assert_int_equal(draw_hash(&s->list), hash);
    script_gives(s, "Ctrl+Z", before);
}

TEST(every_way_out_leads_out) {
    static const struct {
        const char *view, *keys, *after;
    } ways[] = {{"view=graph", "L", "view=graph"},      {"view=graph", "Escape", "view=graph"},
                {"view=graph", "4", "view=compare"},    {"view=compare", "4", "view=compare"},
                {"view=graph", "Ctrl+L", "view=graph"}, {"view=graph", NULL, "view=graph"}};
    for (size_t i = 0; i < ARRAY_COUNT(ways); i++) {
        SCRIPT(s, open_lecture, ways[i].view, 1440, 900);
        script_wait(&s, 5);
        if (ways[i].keys != NULL)
            script_keys(&s, ways[i].keys);
        else
            script_click_text(&s, "leave", 0);
        assert_false(s.app->lecture.is_on);
        assert_int_equal(app_effects(s.app)->text_input, i == 4);
        script_check(&s, ways[i].after);
    }
}

/* From the list of all commands, and from the menu of themes. */
TEST_IN(it_is_found_without_its_key, script_begin_typical, "", 1728, 1080) {
    script_keys(s, "Ctrl+K 'lecture' Enter");
    assert_true(s->app->lecture.is_on);
    script_keys(s, "Escape");
    script_click(s, (Vec2){1728 - 16 - 66, 32}); /* the menu of themes */
    script_click_text(s, "Lecture", 0);
    assert_true(s->app->lecture.is_on);
    script_play(s, "Escape 3"); /* from any view */
    script_click(s, (Vec2){1728 - 16 - 110, 32});
    assert_true(s->app->lecture.is_on);
    script_check(s, "view=wqk");
}

TEST_IN(a_key_without_effect_is_not_shown, open_lecture, "pin=9,2", 1024, 768) {
    char before[KEY_NAME_MAX];
    snprintf(before, sizeof before, "%s", s->app->lecture.key);
    script_play(s, "Ctrl+= Ctrl+- Space Home End |");
    assert_string_equal(s->app->lecture.key, before);
    assert_float_equal(s->app->settings.ui_scale, 1, 0);
    script_keys(s, "]");
    assert_string_equal(s->app->lecture.word, "head 2");
}

/* The value in the sentence and in the row is the layer's own. */
TEST_IN(what_is_said_is_so, open_lecture, "pin=9,2", 1024, 768) {
    char percent[32], sentence[128], share[32];
    Mat A = results_weights(&s->app->run, 0, 0);
    float value = mat_row(&A, 8)[1];
    snprintf(percent, sizeof percent, "%.0f %%", (double)value * 100);
    snprintf(sentence, sizeof sentence, "“it” gives %s of its attention to “animal”.", percent);
    assert_true(script_says(s, sentence));
    for (int j = 0; j < 12; j++) {
        float other = mat_row(&A, 8)[j];
        snprintf(share, sizeof share, "%.2f", (double)other);
        if (other >= 0.01f && other < 0.995f)
            assert_non_null(drawn_text(&s->list, share + 1, 0));
    }
}

static void check_says(const char *state, const char *sentence) {
    SCRIPT(s, open_lecture, state, 1920, 1080);
    if (drawn_text(&s.list, sentence, 0) == NULL) {
        LectureSubject about;
        char text[LECTURE_WORDS_MAX];
        lecture_sentence(text, &about, app_context(s.app), 1000);
        fail_msg("%s: “%s”", state, text);
    }
}

TEST(sentences_say_what_is_pinned) {
    check_says("text=alone", "“alone” can only read itself.");
    check_says("mask=causal&pin=1,1", "“the” (1) can only read itself.");
    check_says("mask=causal&pin=2,9", "“animal” may not read “it”, which comes later.");
    check_says("close=9-2&pin=9,2", "“it” may not read “animal”: that edge is closed.");
    check_says("close=9-1..12&pin=9,2", "“it” has no open key: it reads nothing.");
    check_says("init=zeros&pin=9,2", "“it” gives 8 % of its attention to “animal”.");
    check_says("init=zeros", "Head 1 reads every open key equally.");
    check_says("init=zeros&pin=9,9&show=scores",
               "The score of “it” for itself is 0, before softmax.");
    check_says("init=zeros&pin=9,2&minus=head:2",
               "For “it” and “animal” the number is the same in head 2.");
    check_says("init=normal&temperature=1e-30&pin=9,2",
               "“it” gives none of its attention to “animal”.");
}

/* If a row has too little room, the open keys left out are counted; otherwise the closed ones. */
TEST(keys_without_room_are_counted) {
    check_says(script_with_words("mask=causal&pin=2,1&text=", 100, 100), "84 more, closed");
    check_says(script_with_words("init=zeros&mask=causal&pin=60,1&text=", 100, 100),
               "44 more, together .73");
}

static Vec2 caption_at(const Script *s) {
    Rect bar = s->app->layout.status;
    return (Vec2){bar.x + 60, bar.y + bar.h / 2};
}

/* Click the caption and type text in its place. */
static void write_caption(Script *s, const char *text) {
    script_click(s, caption_at(s));
    script_play(s, PRINT("!typing Ctrl+A '%s'", text));
}

TEST_IN(a_caption_is_kept_for_its_pin, open_lecture, "pin=9,2", 1024, 768) {
    assert_true(script_says_first(s, SENTENCE));
    write_caption(s, "Who is it?");
    script_play(s, "Enter -!typing {Who is it?} Down -{Who is it?} Up {Who is it?} Escape "
                   "L " /* over the end of the lecture, too */
                   "{Who is it?}");
    write_caption(s, " ");
    script_play(s, "Backspace Enter"); /* an empty one gives way to the sentence */
    script_play(s, PRINT("{%s*} =pin=9,2", SENTENCE));
}

/* The settings' file keeps captions for the next window. */
TEST(a_caption_outlives_the_window) {
    Script s;
    AppFiles files = disk_files();
    for (int window = 0; window < 2; window++) {
        script_begin_with(&s, "pin=9,2", &files);
        script_keys(&s, "L");
        if (window == 0)
            write_caption(&s, "Who | is = it?");
        else
            assert_true(script_says(&s, "Who | is = it?"));
        script_wait(&s, 3);
        (window == 0 ? script_close : script_end)(&s);
    }
}

/* The text grows with the window, not with the user's own scale, which would cost the matrix its
 * room. */
TEST_IN(a_lecture_fills_the_window_at_every_scale, open_lecture, "pin=9,2", 1024, 768) {
    Rect before = drawn_cells(&s->list, 0)->rect;
    s->app->settings.ui_scale = 1.5f;
    script_frame(s);
    assert_memory_equal(&before, &drawn_cells(&s->list, 0)->rect, sizeof before);
}

/* A caption that quotes a number ends when the number changes. */
TEST_IN(a_caption_with_a_stale_number_is_not_shown, open_lecture, "pin=9,2", 1024, 768) {
    script_click(s, caption_at(s));
    const char *mine = PRINT("Why %s?", s->app->lecture.about.value);
    script_play(s, PRINT("Ctrl+A '%s' Enter {%s} R -{%s} Shift+R {%s}", mine, mine, mine, mine));
}

TEST_IN(a_caption_has_its_own_undo, open_lecture, "", 1024, 768) {
    script_keys(s, "Enter"); /* pins the focused cell */
    LOCAL(free_at) char *pinned = strdup(script_state(s));
    assert_true(strncmp(pinned, "pin=", 4) == 0);
    write_caption(s, "one");
    script_keys(s, "' two' Ctrl+Z");
    assert_string_not_equal(s->app->lecture.text, "one two");
    script_play(s, PRINT("=%s Ctrl+Shift+Z", pinned));
    assert_string_equal(s->app->lecture.text, "one two");
    for (int i = 0; i < 40; i++)
        script_keys(s, "Ctrl+Z");
    script_play(s, PRINT("=%s Escape", pinned));
    assert_true(s->app->lecture.is_on);
    script_play(s, "{“*} Ctrl+Z ="); /* now it is the pin's */
}

/* Around the heads, the caption and the exit: the focus is always somewhere. */
TEST_IN(tab_goes_through_the_caption, open_lecture, "pin=9,2", 1024, 768) {
    s->time_s += 10; /* no key is shown any more: the exit is */
    const Ui *ui = &s->app->ui;
    for (unsigned mods = 0; mods <= KEY_MOD_SHIFT; mods += KEY_MOD_SHIFT) {
        script_key(s, KEY_TAB, mods);
        UiId first = ui->focus;
        int stops = 0, captions = 0;
        do {
            assert_true(ui->focus != 0);
            captions += s->app->lecture.is_editing;
            stops++;
            script_key(s, KEY_TAB, mods);
        } while (ui->focus != first && stops < 20);
        assert_int_equal(stops, 4 + 1 + 1);
        assert_int_equal(captions, 1);
    }
}

/* A pressed pointer moves the light and the pin stays; a click pins. */
TEST_IN(the_held_pointer_leads_the_light, open_lecture, "pin=9,2", 1024, 768) {
    const DrawCells *cells = drawn_cells(&s->list, 0);
    Vec2 from = drawn_cell(cells, 2, 3), to = drawn_cell(cells, 5, 7);
    script_press(s, from, 0, 1);
    script_move(s, to);
    assert_int_equal(s->app->memory.lecture.held_query, 6);
    assert_int_equal(s->app->memory.lecture.held_key, 8);
    assert_true(script_says_first(s, "“the” (6) gives "));
    script_release(s, to, 0);
    assert_int_equal(s->app->memory.lecture.held_query, 0);
    script_check(s, "pin=9,2");
    script_click(s, from);
    script_check(s, "pin=3,4");
}

/* Without a focused cell, each token has the largest weight of its row. */
TEST_IN(without_a_pin_each_token_has_what_it_reads_most, open_lecture, "focus=nothing", 1366, 768) {
    Mat A = results_weights(&s->app->run, 0, 0);
    for (int i = 0; i < A.rows; i++) {
        float most = 0;
        for (int j = 0; j < A.cols; j++)
            most = fmaxf(most, mat_row(&A, i)[j]);
        assert_non_null(drawn_text(&s->list, PRINT("%.2f", (double)most) + 1, 0));
    }
    script_click_text(s, "it", 2); /* the name in the list, after those of the matrix */
    assert_true(script_state_has(s, "pin=9,"));
}
