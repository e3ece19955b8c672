/* The menu of the right button over a part: copy, save, pin, follow, explain, edit, zero. */
#include <string.h>

#include "app/app_state.h"
#include "app/sheets.h"
#include "base/number.h"
#include "base/text_out.h"
#include "base/util.h"
#include "draw/part.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"
#include "ui/input.h"
#include "views/parts.h"
#include "views/view.h"

static void press_right_at(Script *s, Vec2 at) {
    s->pointer = at;
    s->inside = true;
    script_frame(s);
    script_events(s, &(InputEvent){.kind = INPUT_BUTTON_DOWN, .button = POINTER_RIGHT, .clicks = 1},
                  1);
    script_events(s, &(InputEvent){.kind = INPUT_BUTTON_UP, .button = POINTER_RIGHT}, 1);
}

static void press_right(Script *s, const char *part) {
    const DrawPart *at = part_find(&s->list, part, strlen(part));
    assert_non_null(at);
    press_right_at(s, rect_centre(at->rect));
}

static void check_copied(const Script *s, const char *expected) {
    assert_int_equal(app_effects(s->app)->clipboard_bytes, strlen(expected));
    assert_memory_equal(app_effects(s->app)->clipboard, expected, strlen(expected));
}

/* Return the weight of query 7 and key 5, with all its digits. */
static const char *weight_7_5(const Script *s) {
    static char weight[32];
    Mat A = results_weights(&s->app->run, 0, 0);
    number_format_exact(weight, sizeof weight, mat_row(&A, 6)[4]);
    return weight;
}

/* Also in a window that cannot cut parts out, such as that of a page. */
TEST_IN(a_weight_is_copied_pinned_and_followed, script_begin, "", 1440, 900) {
    Vec2 cell = drawn_cell(drawn_cells(&s->list, 0), 6, 4);
    press_right_at(s, cell);
    script_click_text(s, "Copy this number", 0);
    check_copied(s, weight_7_5(s));
    press_right_at(s, cell);
    script_play(s, "<Pin this pair> ~pin=7,5");
    press_right_at(s, drawn_cell(drawn_cells(&s->list, 0), 8, 1));
    script_play(s, "<Follow in Steps> ~view=steps ~pin=9,2");
}

/* A number of any matrix, or one that is written, is copied. */
TEST(every_number_is_copied) {
    static const struct {
        const char *state, *part;
    } places[] = {{"view=steps", "steps.matrix.1"},
                  {"view=steps&pin=7,5", "steps.matrix.9"},
                  {"view=compare", "compare.column.1.head.2"},
                  {"view=train&train-step=0", "train.head"}};
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        double value;
        SCRIPT(s, script_begin, places[i].state, 1920, 1080);
        press_right(&s, places[i].part);
        script_click_text(&s, "Copy this number", 0);
        const AppEffects *effects = app_effects(s.app);
        assert_true(number_parse_real(&value, effects->clipboard, effects->clipboard_bytes));
    }
}

TEST_IN(a_written_number_is_copied, script_begin, "", 1440, 900) {
    press_right_at(s, drawn_middle(&s->list, drawn_text(&s->list, "16,384", 0)));
    script_click_text(s, "Copy this number", 0);
    check_copied(s, "16384");
}

/* The menu of the pinned cell opens without a pointer, in every view. */
TEST(a_key_opens_the_menu) {
    static const struct {
        const char *state, *row;
    } views[] = {{"view=heads&pin=7,5", "Zero this column"},
                 {"view=heads&wall=all&head=3&pin=7,5", "Zero this head"},
                 {"view=graph&pin=7,5", "Follow in Steps"},
                 {"view=wqk&pin=7,5", "Explain"},
                 {"view=compare&pin=7,5", "Copy as LaTeX"},
                 {"view=steps&pin=7,5", "Edit this number…"},
                 {"view=train&train-step=0&pin=7,5", "Copy as NumPy"}};
    for (size_t i = 0; i < ARRAY_COUNT(views); i++) {
        SCRIPT(s, script_begin, views[i].state, 1920, 1080);
        script_keys(&s, "Shift+F10");
        if (!script_says(&s, views[i].row))
            fail_msg("%s: no %s", views[i].state, views[i].row);
        script_play(&s, PRINT("Escape -{%s}", views[i].row));
    }
}

TEST_IN(the_menu_of_a_key_copies_the_weight, script_begin, "wall=one&pin=7,5", 1440, 900) {
    script_keys(s, "Shift+F10 'copy this' Enter");
    check_copied(s, weight_7_5(s));
}

TEST_IN(a_row_and_a_column_are_zeroed_by_the_right_button, script_begin,
        "text=a%20cat%20sat&view=heads&wall=one", 1440, 900) {
    press_right_at(s, drawn_cell(drawn_cells(&s->list, 0), 1, 2));
    script_play(s, "<Zero this row> ~set=S1(2,1)=0;S1(2,2)=0;S1(2,3)=0");
    press_right_at(s, drawn_cell(drawn_cells(&s->list, 0), 0, 2));
    script_play(s, "<Zero this column> ~S1(1,3)=0 ~S1(3,3)=0 Ctrl+Z -~S1(3,3)=0");
}

static void begin_parts(Script *s, bool cuts_parts) {
    AppResources resources = {.files = disk_files(), .cuts_parts = cuts_parts};
    script_begin_given(s, "view=wqk", &resources);
}

/* The row of the menu names the format and the part. */
TEST_IN(a_part_leaves_by_the_right_button, begin_parts, true) {
    static const struct {
        const char *row;
        int result;
    } copies[] = {
        {"Copy picture", RESULT_PNG}, {"Copy SVG", RESULT_SVG}, {"Copy numbers (CSV)", RESULT_CSV}};
    for (size_t i = 0; i < ARRAY_COUNT(copies); i++) {
        press_right(s, "wqk.sigma");
        script_play(s, PRINT("-{Edit this number…} <%s> -{%s}", copies[i].row, copies[i].row));
        assert_non_null(app_effects(s->app)->part);
        assert_string_equal(app_effects(s->app)->part, "wqk.sigma");
        assert_int_equal(app_effects(s->app)->result, copies[i].result);
        assert_null(app_effects(s->app)->picture);
        app_picture_saved(s->app, NULL);
        script_frame(s);
        assert_null(app_effects(s->app)->part);
        assert_true(script_says(s, "Copied wqk.sigma"));
    }
    press_right(s, "wqk.sigma");
    script_play(s, "<Save numbers as…> Enter");
    if (app_effects(s->app)->picture == NULL)
        script_frame(s);
    assert_string_equal(app_effects(s->app)->picture, "/home/wqk.sigma.csv");
    assert_string_equal(app_effects(s->app)->part, "wqk.sigma");
    press_right(s, "wqk.sigma");
    script_play(s, "Escape -{Copy SVG}");
}

/* Every number of W_Q, in the syntax of each row of the menu. */
TEST_IN(a_matrix_is_copied_as_code, script_begin, "view=wqk&d-model=24&heads=2", 1440, 900) {
    static const struct {
        const char *row, *begin, *row_end, *end, *format, *between;
    } codes[] = {
        {"Copy as NumPy", "np.array([\n    [", "],\n    [", "],\n])\n", "%.9g", ", "},
        {"Copy as PyTorch", "torch.tensor([\n    [", "],\n    [", "],\n])\n", "%.9g", ", "},
        {"Copy as LaTeX", "\\setcounter{MaxMatrixCols}{12}\n\\begin{pmatrix}\n", " \\\\\n",
         " \\\\\n\\end{pmatrix}\n", "%.3f", " & "}};
    for (size_t i = 0; i < ARRAY_COUNT(codes); i++) {
        LOCAL(text_out_release) TextOut expected = {0};
        Mat W_Q = attn_head_query(&s->app->run.layers[0].params.p[ATTN_W_Q],
                                  &s->app->run.layers[0].shape[FORM_SEPARATE], 0);
        text_out(&expected, "%s", codes[i].begin);
        for (int k = 0; k < W_Q.rows * W_Q.cols; k++) {
            const char *apart = k % W_Q.cols > 0 ? codes[i].between : codes[i].row_end;
            text_out(&expected, "%s", k > 0 ? apart : "");
            text_out(&expected, codes[i].format, (double)mat_row(&W_Q, k / W_Q.cols)[k % W_Q.cols]);
        }
        text_out(&expected, "%s", codes[i].end);
        press_right(s, "wqk.left");
        script_click_text(s, codes[i].row, 0);
        assert_int_equal(app_effects(s->app)->clipboard_bytes, expected.used);
        assert_memory_equal(app_effects(s->app)->clipboard, expected.at, expected.used);
    }
}

/* Every part that names a word of the glossary names one that exists; Explain shows it. */
TEST_IN(a_part_is_explained, script_begin, "view=wqk", 1440, 900) {
    for (int i = 0; i < PART_REGISTRY.count; i++)
        if (PARTS[i].term != NULL &&
            registry_find(&GLOSSARY_REGISTRY, PARTS[i].term, strlen(PARTS[i].term)) < 0)
            fail_msg("%s: no word %s", PARTS[i].entry.id, PARTS[i].term);
    press_right(s, "wqk.sigma");
    script_play(s, "<Explain> {Glossary}");
}

/* A number has a row more; without a shell that cuts parts, it is the only one. */
TEST(a_number_is_edited_by_the_right_button) {
    for (int cuts = 0; cuts < 2; cuts++) {
        SCRIPT(s, begin_parts, cuts != 0);
        press_right(&s, "wqk.left");
        assert_true((drawn_text(&s.list, "Copy SVG", 0) != NULL) == (cuts != 0));
        script_click_text(&s, "Edit this number…", 0);
        assert_true(s.app->memory.editor.is_open);
    }
}

/* A head's matrix has a row that ablates it, and then one that undoes this. */
TEST_IN(a_head_is_zeroed_by_the_right_button, script_begin, "heads=4", 1280, 800) {
    const HandNumber gain = {.name = HAND_GAIN, .head = 1};
    press_right(s, "heads.matrix.2");
    script_play(s, "-{Restore this head} <Zero this head>");
    const HandNumber *set = hand_set_find(s->app->session.hand, &gain);
    assert_non_null(set);
    assert_true(set->value == 0);
    Mat Z = attn_head_value(&results_trace(&s->app->run, 0)->Z,
                            &s->app->run.layers[0].shape[s->app->run.form], 1);
    for (int i = 0; i < Z.rows; i++)
        for (int j = 0; j < Z.cols; j++)
            assert_true(mat_row(&Z, i)[j] == 0);
    press_right(s, "heads.matrix.2");
    script_play(s, "-{Zero this head} <Restore this head>");
    assert_null(s->app->session.hand);
}

/* The head gives every token the same row, and then its own again. */
TEST_IN(a_head_is_averaged_by_a_command_and_the_right_button, script_begin, "heads=4&head=2", 1280,
        800) {
    script_play(s, "Ctrl+K 'average the head' Enter Ctrl+K 'average the head' Enter");
    assert_null(s->app->session.hand);
    press_right(s, "heads.matrix.2");
    script_play(s, "<Average this head> =head=2&set=mean2(1,1)=1");
    Mat Z = attn_head_value(&results_trace(&s->app->run, 0)->Z,
                            &s->app->run.layers[0].shape[s->app->run.form], 1);
    for (int i = 1; i < Z.rows; i++)
        for (int j = 0; j < Z.cols; j++)
            assert_true(fabsf(mat_row(&Z, i)[j] - mat_row(&Z, 0)[j]) < 1e-6f);
    press_right(s, "heads.matrix.2");
    script_play(s, "-{Average this head} <Restore this head>");
    assert_null(s->app->session.hand);
}
