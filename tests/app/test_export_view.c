/* Export of a view: every part of Compare as CSV, JSON and PyTorch, any view as a picture. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "app/glossary.h"
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

static Disk disk;

static void open_window(Script *s, const char *state) {
    AppFiles files = disk_files(&disk);
    script_begin_with(s, state, &files);
}

static void run_command(Script *s, const char *words) {
    script_key(s, 'k', KEY_MOD_COMMAND);
    script_type(s, words);
    script_key(s, KEY_ENTER, 0);
}

/* Return the number in a row and column of a CSV, both from 0. */
static double number_at(const char *csv, int row, int column) {
    for (; row > 0; row--)
        csv = strchr(csv, '\n') + 1;
    for (; column > 0; column--)
        csv = strchr(csv, ',') + 1;
    return strtod(csv, NULL);
}

static int rows_of(const char *csv) {
    int rows = 0;
    for (; *csv != '\0'; csv++)
        rows += *csv == '\n';
    return rows;
}

TEST(every_part_leaves_as_csv_and_json) {
    static const struct {
        const char *part, *head;
        int rows; /* head line included */
    } parts[] = {{"columns", "scheme,layer,stat,mean,sd,expected,expected_x\n", 1 + 4 * 17},
                 {"depth&compare-depth=3", "scheme,layer,stat,mean,sd,expected,expected_x\n",
                  1 + 4 * 3 * 18},
                 {"map", "sigma_W_Q,sigma_W_K,entropy.A,norm.grad\n", 1 + 33 * 33},
                 {"scale", "scheme,d_k,stat,value,expected\n", 1 + 4 * 8 * 2},
                 {"fused", "scheme,layer,stat,mean,sd,expected,expected_x\n", 1 + 4 * 17},
                 {"bugs", "scheme,layer,stat,mean,sd,expected,expected_x\n", 1 + 2 * 17}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        char text[96];
        Script s;
        snprintf(text, sizeof text, "view=compare&compare=%s", parts[i].part);
        open_window(&s, text);
        run_command(&s, "numbers as CSV");
        script_key(&s, KEY_ENTER, 0);
        assert_non_null(drawn_text(&s.list, "Saved /home/compare.csv", 0));
        const char *csv = disk_text(&disk, "/home/compare.csv");
        assert_memory_equal(csv, parts[i].head, strlen(parts[i].head));
        assert_int_equal(rows_of(csv), parts[i].rows);
        run_command(&s, "numbers as JSON");
        script_key(&s, KEY_ENTER, 0);
        json_error_t error;
        json_t *root = json_loads(disk_text(&disk, "/home/compare.json"), 0, &error);
        if (root == NULL)
            fail_msg("%s: %s", parts[i].part, error.text);
        assert_true(json_is_string(json_object_get(root, "state")));
        assert_true(json_array_size(json_object_get(root, "schemes")) >= 2);
        json_decref(root);
        script_end(&s);
        disk_release(&disk);
    }
}

/* The first exported number is on screen. */
TEST(the_numbers_are_those_that_are_shown) {
    Script s;
    open_window(&s, "view=compare&compare-measures=all");
    run_command(&s, "numbers as CSV");
    script_key(&s, KEY_ENTER, 0);
    char shown[32];
    snprintf(shown, sizeof shown, "%.2f", number_at(disk_text(&disk, "/home/compare.csv"), 5, 3));
    assert_non_null(drawn_text(&s.list, shown, 0)); /* std Q of the first column */
    script_end(&s);
    disk_release(&disk);
}

/* Return the value of the only row that begins with this. */
static double value_of(const char *csv, const char *row) {
    const char *at = strstr(csv, row);
    assert_non_null(at);
    return strtod(at + strlen(row), NULL);
}

/* Steps exports the same numbers as CSV and JSON, from the word on. */
TEST(steps_leave_as_csv_and_json) {
    Script s;
    open_window(&s, "view=steps&pin=3,2&steps-output=5&block=post-norm&bias=all");
    run_command(&s, "numbers as CSV");
    script_key(&s, KEY_ENTER, 0);
    const char *csv = disk_text(&disk, "/home/steps.csv");
    assert_memory_equal(csv, "step,name,index,value\n1,word,1,", 31);
    char shown[32];
    snprintf(shown, sizeof shown, "%.3f", value_of(csv, "\n4,weight,2,"));
    assert_non_null(drawn_text(&s.list, shown, 0));
    double mean = value_of(csv, "\n6,LN.mean,1,"), sum = value_of(csv, "\n6,sum,1,");
    double y = value_of(csv, "\n6,y,1,");
    assert_true(fabs(y - (sum - mean) / value_of(csv, "\n6,LN.deviation,1,")) < 1e-5);
    run_command(&s, "numbers as JSON");
    script_key(&s, KEY_ENTER, 0);
    json_error_t error;
    json_t *root = json_loads(disk_text(&disk, "/home/steps.json"), 0, &error);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "query")), 3);
    assert_int_equal(json_integer_value(json_object_get(root, "output")), 5);
    json_t *steps = json_object_get(root, "steps");
    json_t *last = json_array_get(steps, json_array_size(steps) - 1);
    assert_true(fabs(json_number_value(json_array_get(json_object_get(last, "values"), 0)) - y) <
                1e-7);
    json_decref(root);
    run_command(&s, "schemes as PyTorch");
    assert_non_null(drawn_beginning(&s.list, "Steps has no schemes to save"));
    script_end(&s);
    disk_release(&disk);
}

TEST(schemes_leave_as_three_lines_each) {
    Script s;
    open_window(&s, "view=compare&compare-schemes=mimetic,gpt2");
    run_command(&s, "schemes as PyTorch");
    script_key(&s, KEY_ENTER, 0);
    const char *text = disk_text(&disk, "/home/compare.py");
    assert_memory_equal(text, "# Mimetic\nimport torch", 22);
    assert_int_equal(rows_of(text), 2 * 4 + 1);
    script_end(&s);
    disk_release(&disk);
}

/* The script is that of the layer in use, and says how to export the file that it reads. */
TEST(the_layer_is_copied_as_a_script) {
    Script s;
    open_window(&s, "form=nested&positions=rope&text=king%20queen");
    run_command(&s, "layer as NumPy");
    const AppEffects *effects = app_effects(s.app);
    assert_non_null(effects->clipboard);
    char script[4096] = "";
    assert_true(effects->clipboard_bytes < sizeof script);
    memcpy(script, effects->clipboard, effects->clipboard_bytes);
    assert_non_null(strstr(script, "import numpy as np"));
    assert_non_null(strstr(script, "headlight export -o layer.safetensors --state 'text=king%20"));
    assert_non_null(strstr(script, "pathlib.Path(\"layer.safetensors\")"));
    assert_non_null(strstr(script, "W_Q_full"));
    assert_non_null(strstr(script, "turn(Q)"));
    assert_null(strstr(script, "b_Q"));
    run_command(&s, "layer as PyTorch");
    assert_memory_equal(app_effects(s.app)->clipboard, "# Headlight's layer in PyTorch", 30);
    assert_non_null(drawn_beginning(&s.list, "Script copied"));
    script_end(&s);
    disk_release(&disk);
}

/* The picture is of the first frame without the sheet. */
TEST(a_picture_is_taken_of_the_view_alone) {
    Script s;
    open_window(&s, "view=graph");
    run_command(&s, "picture as SVG");
    assert_non_null(drawn_text(&s.list, "Save the picture as", 0));
    assert_null(app_effects(s.app)->picture);
    script_key(&s, KEY_ENTER, 0);
    if (app_effects(s.app)->picture == NULL)
        script_frame(&s);
    assert_string_equal(app_effects(s.app)->picture, "/home/graph.svg");
    assert_true(app_effects(s.app)->picture_is_svg);
    assert_null(drawn_text(&s.list, "Save the picture as", 0));
    app_picture_saved(s.app, NULL);
    script_frame(&s);
    assert_null(app_effects(s.app)->picture);
    assert_non_null(drawn_text(&s.list, "Saved /home/graph.svg", 0));
    script_end(&s);
    disk_release(&disk);
}

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

/* Also in a window that cannot cut parts out, such as that of a page. */
TEST(a_weight_is_copied_pinned_and_followed) {
    LOCAL(script_end) Script s;
    char weight[32];
    script_begin(&s, "", 1440, 900);
    Mat A = results_weights(&s.app->run, 0, 0);
    number_format_exact(weight, sizeof weight, mat_row(&A, 6)[4]);
    Vec2 cell = drawn_cell(drawn_cells(&s.list, 0), 6, 4);
    press_right_at(&s, cell);
    script_click_text(&s, "Copy this number", 0);
    assert_int_equal(app_effects(s.app)->clipboard_bytes, strlen(weight));
    assert_memory_equal(app_effects(s.app)->clipboard, weight, strlen(weight));
    press_right_at(&s, cell);
    script_click_text(&s, "Pin this pair", 0);
    assert_non_null(strstr(script_state(&s), "pin=7,5"));
    press_right_at(&s, drawn_cell(drawn_cells(&s.list, 0), 8, 1));
    script_click_text(&s, "Follow in Steps", 0);
    assert_non_null(strstr(script_state(&s), "view=steps"));
    assert_non_null(strstr(script_state(&s), "pin=9,2"));
}

/* A number of any matrix, or one that is written, is copied. */
TEST(every_number_is_copied) {
    static const struct {
        const char *state, *part;
    } places[] = {{"view=steps", "steps.matrix.1"},
                  {"view=steps&pin=7,5", "steps.matrix.9"},
                  {"view=compare", "compare.column.1.head.2"},
                  {"view=train&train-step=0", "train.head"}};
    const AppEffects *effects;
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        LOCAL(script_end) Script s;
        double value;
        script_begin(&s, places[i].state, 1920, 1080);
        press_right(&s, places[i].part);
        script_click_text(&s, "Copy this number", 0);
        effects = app_effects(s.app);
        assert_true(number_parse_real(&value, effects->clipboard, effects->clipboard_bytes));
    }
    LOCAL(script_end) Script s;
    script_begin(&s, "", 1440, 900);
    press_right_at(&s, drawn_middle(&s.list, drawn_text(&s.list, "16,384", 0)));
    script_click_text(&s, "Copy this number", 0);
    effects = app_effects(s.app);
    assert_int_equal(effects->clipboard_bytes, 5);
    assert_memory_equal(effects->clipboard, "16384", 5);
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
        LOCAL(script_end) Script s;
        script_begin(&s, views[i].state, 1920, 1080);
        script_key(&s, KEY_F1 + 9, KEY_MOD_SHIFT);
        if (drawn_text(&s.list, views[i].row, 0) == NULL)
            fail_msg("%s: no %s", views[i].state, views[i].row);
        script_key(&s, KEY_ESCAPE, 0);
        assert_null(drawn_text(&s.list, views[i].row, 0));
    }
    LOCAL(script_end) Script s;
    script_begin(&s, "view=heads&wall=one&pin=7,5", 1440, 900);
    script_keys(&s, "Shift+F10 'copy this' Enter");
    char weight[32];
    Mat A = results_weights(&s.app->run, 0, 0);
    number_format_exact(weight, sizeof weight, mat_row(&A, 6)[4]);
    assert_memory_equal(app_effects(s.app)->clipboard, weight, strlen(weight));
}

TEST(a_row_and_a_column_are_zeroed_by_the_right_button) {
    LOCAL(script_end) Script s;
    script_begin(&s, "text=a%20cat%20sat&view=heads&wall=one", 1440, 900);
    press_right_at(&s, drawn_cell(drawn_cells(&s.list, 0), 1, 2));
    script_click_text(&s, "Zero this row", 0);
    assert_non_null(strstr(script_state(&s), "set=S1(2,1)=0;S1(2,2)=0;S1(2,3)=0"));
    press_right_at(&s, drawn_cell(drawn_cells(&s.list, 0), 0, 2));
    script_click_text(&s, "Zero this column", 0);
    assert_non_null(strstr(script_state(&s), "S1(1,3)=0"));
    assert_non_null(strstr(script_state(&s), "S1(3,3)=0"));
    script_key(&s, 'z', KEY_MOD_COMMAND);
    assert_null(strstr(script_state(&s), "S1(3,3)=0"));
}

static void begin_parts(Script *s, bool cuts_parts) {
    AppResources resources = {.files = disk_files(&disk), .cuts_parts = cuts_parts};
    script_begin_given(s, "view=wqk", &resources);
}

/* The row of the menu names the format and the part. */
TEST(a_part_leaves_by_the_right_button) {
    static const struct {
        const char *row;
        int result;
    } copies[] = {
        {"Copy picture", RESULT_PNG}, {"Copy SVG", RESULT_SVG}, {"Copy numbers (CSV)", RESULT_CSV}};
    Script s;
    begin_parts(&s, true);
    for (size_t i = 0; i < ARRAY_COUNT(copies); i++) {
        press_right(&s, "wqk.sigma");
        assert_null(drawn_text(&s.list, "Edit this number…", 0));
        script_click_text(&s, copies[i].row, 0);
        assert_null(drawn_text(&s.list, copies[i].row, 0));
        assert_non_null(app_effects(s.app)->part);
        assert_string_equal(app_effects(s.app)->part, "wqk.sigma");
        assert_int_equal(app_effects(s.app)->part_result, copies[i].result);
        assert_null(app_effects(s.app)->picture);
        app_picture_saved(s.app, NULL);
        script_frame(&s);
        assert_null(app_effects(s.app)->part);
        assert_non_null(drawn_text(&s.list, "Copied wqk.sigma", 0));
    }
    press_right(&s, "wqk.sigma");
    script_click_text(&s, "Save numbers as…", 0);
    script_key(&s, KEY_ENTER, 0);
    if (app_effects(s.app)->picture == NULL)
        script_frame(&s);
    assert_string_equal(app_effects(s.app)->picture, "/home/wqk.sigma.csv");
    assert_string_equal(app_effects(s.app)->part, "wqk.sigma");
    press_right(&s, "wqk.sigma");
    script_key(&s, KEY_ESCAPE, 0);
    assert_null(drawn_text(&s.list, "Copy SVG", 0));
    script_end(&s);
    disk_release(&disk);
}

/* Heads and Graph save the chosen head's weights, W_QK the product; as JSON also what they come
 * from. */
TEST(numbers_of_every_view_are_saved) {
    static const struct {
        const char *state, *csv, *json, *names[4];
    } views[] = {{"head=3&text=a%20cat", "/home/heads.csv", "/home/heads.json", {"A", "S"}},
                 {"view=graph&text=a%20cat", "/home/graph.csv", "/home/graph.json", {"A", "S"}},
                 {"view=wqk", "/home/wqk.csv", "/home/wqk.json", {"W_QK", "sigma", "W_Q", "W_K"}},
                 {"view=wqk&form=free", "/home/wqk.csv", "/home/wqk.json", {"W_QK", "sigma"}}};
    for (size_t i = 0; i < ARRAY_COUNT(views); i++) {
        Script s;
        open_window(&s, views[i].state);
        run_command(&s, "numbers as CSV");
        script_key(&s, KEY_ENTER, 0);
        const char *csv = disk_text(&disk, views[i].csv);
        assert_int_equal(rows_of(csv), strstr(views[i].state, "text") != NULL ? 3 : 65);
        run_command(&s, "numbers as JSON");
        script_key(&s, KEY_ENTER, 0);
        json_t *json = json_loads(disk_text(&disk, views[i].json), JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(json);
        assert_true(json_is_string(json_object_get(json, "state")));
        for (int k = 0; k < 4 && views[i].names[k] != NULL; k++)
            assert_true(json_is_array(json_object_get(json, views[i].names[k])));
        double first = json_number_value(
            json_array_get(json_array_get(json_object_get(json, views[i].names[0]), 0), 0));
        assert_true(fabs(strtod(strchr(strchr(csv, '\n'), ',') + 1, NULL) - first) == 0);
        json_decref(json);
        script_end(&s);
        disk_release(&disk);
    }
}

/* Every number of W_Q, in the syntax of each row of the menu. */
TEST(a_matrix_is_copied_as_code) {
    (void)state;
    static const struct {
        const char *row, *begin, *row_end, *end, *format, *between;
    } codes[] = {
        {"Copy as NumPy", "np.array([\n    [", "],\n    [", "],\n])\n", "%.9g", ", "},
        {"Copy as PyTorch", "torch.tensor([\n    [", "],\n    [", "],\n])\n", "%.9g", ", "},
        {"Copy as LaTeX", "\\setcounter{MaxMatrixCols}{12}\n\\begin{pmatrix}\n", " \\\\\n",
         " \\\\\n\\end{pmatrix}\n", "%.3f", " & "}};
    LOCAL(script_end) Script s;
    script_begin(&s, "view=wqk&d-model=24&heads=2", 1440, 900);
    for (size_t i = 0; i < ARRAY_COUNT(codes); i++) {
        LOCAL(text_out_release) TextOut expected = {0};
        Mat W_Q = attn_head_query(&s.app->run.layers[0].params.p[ATTN_W_Q],
                                  &s.app->run.layers[0].shape[FORM_SEPARATE], 0);
        text_out(&expected, "%s", codes[i].begin);
        for (int k = 0; k < W_Q.rows * W_Q.cols; k++) {
            const char *apart = k % W_Q.cols > 0 ? codes[i].between : codes[i].row_end;
            text_out(&expected, "%s", k > 0 ? apart : "");
            text_out(&expected, codes[i].format, (double)mat_row(&W_Q, k / W_Q.cols)[k % W_Q.cols]);
        }
        text_out(&expected, "%s", codes[i].end);
        press_right(&s, "wqk.left");
        script_click_text(&s, codes[i].row, 0);
        assert_int_equal(app_effects(s.app)->clipboard_bytes, expected.used);
        assert_memory_equal(app_effects(s.app)->clipboard, expected.at, expected.used);
    }
}

/* Every part that names a word of the glossary names one that exists; Explain shows it. */
TEST(a_part_is_explained) {
    (void)state;
    for (int i = 0; i < PART_REGISTRY.count; i++)
        if (PARTS[i].term != NULL &&
            registry_find(&GLOSSARY_REGISTRY, PARTS[i].term, strlen(PARTS[i].term)) < 0)
            fail_msg("%s: no word %s", PARTS[i].entry.id, PARTS[i].term);
    LOCAL(script_end) Script s;
    script_begin(&s, "view=wqk", 1440, 900);
    press_right(&s, "wqk.sigma");
    script_click_text(&s, "Explain", 0);
    assert_non_null(drawn_text(&s.list, "Glossary", 0));
}

/* A number has a row more; without a shell that cuts parts, it is the only one. */
TEST(a_number_is_edited_by_the_right_button) {
    for (int cuts = 0; cuts < 2; cuts++) {
        Script s;
        begin_parts(&s, cuts != 0);
        press_right(&s, "wqk.left");
        assert_true((drawn_text(&s.list, "Copy SVG", 0) != NULL) == (cuts != 0));
        script_click_text(&s, "Edit this number…", 0);
        assert_true(s.app->memory.editor.is_open);
        script_end(&s);
        disk_release(&disk);
    }
}

/* A head's matrix has a row that ablates it, and then one that undoes this. */
TEST(a_head_is_zeroed_by_the_right_button) {
    const HandNumber gain = {.name = HAND_GAIN, .head = 1};
    LOCAL(script_end) Script s;
    script_begin(&s, "heads=4", 1280, 800);
    press_right(&s, "heads.matrix.2");
    assert_null(drawn_text(&s.list, "Restore this head", 0));
    script_click_text(&s, "Zero this head", 0);
    const HandNumber *set = hand_set_find(s.app->session.hand, &gain);
    assert_non_null(set);
    assert_true(set->value == 0);
    Mat Z = attn_head_value(&results_trace(&s.app->run, 0)->Z,
                            &s.app->run.layers[0].shape[s.app->run.form], 1);
    for (int i = 0; i < Z.rows; i++)
        for (int j = 0; j < Z.cols; j++)
            assert_true(mat_row(&Z, i)[j] == 0);
    press_right(&s, "heads.matrix.2");
    assert_null(drawn_text(&s.list, "Zero this head", 0));
    script_click_text(&s, "Restore this head", 0);
    assert_null(s.app->session.hand);
}

/* The head gives every token the same row, and then its own again. */
TEST(a_head_is_averaged_by_a_command_and_the_right_button) {
    LOCAL(script_end) Script s;
    script_begin(&s, "heads=4&head=2", 1280, 800);
    run_command(&s, "average the head");
    run_command(&s, "average the head");
    assert_null(s.app->session.hand);
    press_right(&s, "heads.matrix.2");
    script_click_text(&s, "Average this head", 0);
    assert_string_equal(script_state(&s), "head=2&set=mean2(1,1)=1");
    Mat Z = attn_head_value(&results_trace(&s.app->run, 0)->Z,
                            &s.app->run.layers[0].shape[s.app->run.form], 1);
    for (int i = 1; i < Z.rows; i++)
        for (int j = 0; j < Z.cols; j++)
            assert_true(fabsf(mat_row(&Z, i)[j] - mat_row(&Z, 0)[j]) < 1e-6f);
    press_right(&s, "heads.matrix.2");
    assert_null(drawn_text(&s.list, "Average this head", 0));
    script_click_text(&s, "Restore this head", 0);
    assert_null(s.app->session.hand);
}

/* Enter saves under the name that is suggested, whatever else is in the folder. */
TEST(the_suggested_name_is_taken) {
    Script s;
    disk_put(&disk, "/home/another.csv", "kept");
    open_window(&s, "view=compare&text=a b");
    run_command(&s, "csv");
    assert_non_null(drawn_text(&s.list, "another.csv", 0));
    script_key(&s, KEY_ENTER, 0);
    script_frame(&s);
    assert_non_null(disk_text(&disk, "/home/compare.csv"));
    assert_string_equal(disk_text(&disk, "/home/another.csv"), "kept");
    script_end(&s);
    disk_release(&disk);
}

TEST(what_a_view_lacks_is_said) {
    Script s;
    open_window(&s, "view=heads");
    run_command(&s, "schemes as PyTorch");
    assert_non_null(drawn_beginning(&s.list, "Heads has no schemes to save"));
    script_end(&s);
    open_window(&s, "view=compare");
    disk.is_full = true;
    run_command(&s, "numbers as CSV");
    script_key(&s, KEY_ENTER, 0);
    assert_null(drawn_beginning(&s.list, "Saved"));
    assert_null(disk_text(&disk, "/home/compare.csv"));
    script_end(&s);
    disk.is_full = false;
    disk_release(&disk);
}
