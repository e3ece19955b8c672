/* Export of a view: every part of Compare as CSV, JSON and PyTorch, any view as a picture. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/text_out.h"
#include "base/utf8.h"
#include "base/util.h"
#include "support/disk.h"
#include "support/script.h"
#include "support/test.h"
#include "views/view.h"

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
        LOCAL(script_end) Script s;
        const char *text = PRINT("view=compare&compare=%s", parts[i].part);
        script_open_disk(&s, text);
        script_play(&s, "Ctrl+K 'numbers as CSV' Enter Enter {Saved /home/compare.csv}");
        const char *csv = disk_text("/home/compare.csv");
        assert_memory_equal(csv, parts[i].head, strlen(parts[i].head));
        assert_int_equal(rows_of(csv), parts[i].rows);
        script_play(&s, "Ctrl+K 'numbers as JSON' Enter Enter");
        json_error_t error;
        json_t *root = json_loads(disk_text("/home/compare.json"), 0, &error);
        if (root == NULL)
            fail_msg("%s: %s", parts[i].part, error.text);
        assert_true(json_is_string(json_object_get(root, "state")));
        assert_true(json_array_size(json_object_get(root, "schemes")) >= 2);
        json_decref(root);
    }
}

/* The first exported number is on screen. */
TEST_IN(the_numbers_are_those_that_are_shown, script_open_disk,
        "view=compare&compare-measures=all") {
    script_play(s, "Ctrl+K 'numbers as CSV' Enter Enter");
    double first = number_at(disk_text("/home/compare.csv"), 5, 3); /* std Q of the first column */
    assert_true(script_says(s, PRINT("%.2f", first)));
}

/* Return the value of the only row that begins with this. */
static double value_of(const char *csv, const char *row) {
    const char *at = strstr(csv, row);
    assert_non_null(at);
    return strtod(at + strlen(row), NULL);
}

/* Steps exports the same numbers as CSV and JSON, from the word on. */
TEST_IN(steps_leave_as_csv_and_json, script_open_disk,
        "view=steps&pin=3,2&steps-output=5&block=post-norm&bias=all") {
    script_play(s, "Ctrl+K 'numbers as CSV' Enter Enter");
    const char *csv = disk_text("/home/steps.csv");
    assert_memory_equal(csv, "step,name,index,value\n1,word,1,", 31);
    assert_true(script_says(s, PRINT("%.3f", value_of(csv, "\n4,weight,2,"))));
    double mean = value_of(csv, "\n6,LN.mean,1,"), sum = value_of(csv, "\n6,sum,1,");
    double y = value_of(csv, "\n6,y,1,");
    assert_true(fabs(y - (sum - mean) / value_of(csv, "\n6,LN.deviation,1,")) < 1e-5);
    script_play(s, "Ctrl+K 'numbers as JSON' Enter Enter");
    json_error_t error;
    json_t *root = json_loads(disk_text("/home/steps.json"), 0, &error);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "query")), 3);
    assert_int_equal(json_integer_value(json_object_get(root, "output")), 5);
    json_t *steps = json_object_get(root, "steps");
    json_t *last = json_array_get(steps, json_array_size(steps) - 1);
    assert_true(fabs(json_number_value(json_array_get(json_object_get(last, "values"), 0)) - y) <
                1e-7);
    json_decref(root);
    script_play(s, "Ctrl+K 'schemes as PyTorch' Enter {Steps has no schemes to save*}");
}

TEST_IN(schemes_leave_as_three_lines_each, script_open_disk,
        "view=compare&compare-schemes=mimetic,gpt2") {
    script_play(s, "Ctrl+K 'schemes as PyTorch' Enter Enter");
    const char *text = disk_text("/home/compare.py");
    assert_memory_equal(text, "# Mimetic\nimport torch", 22);
    assert_int_equal(rows_of(text), 2 * 4 + 1);
}

/* The script is that of the layer in use, and says how to export the file that it reads. */
TEST_IN(the_layer_is_copied_as_a_script, script_open_disk,
        "form=nested&positions=rope&text=king%20queen") {
    script_command(s, "layer as NumPy");
    const AppEffects *effects = app_effects(s->app);
    assert_non_null(effects->clipboard);
    char script[4096] = "";
    assert_true(effects->clipboard_bytes < sizeof script);
    memcpy(script, effects->clipboard, effects->clipboard_bytes);
    assert_non_null(strstr(script, "import numpy as np"));
    assert_non_null(strstr(script, "headlight export -o layer.safetensors --state 'text=king%20"));
    assert_non_null(strstr(script, "pathlib.Path(\"layer.safetensors\")"));
    assert_non_null(strstr(script, "W_Q_full"));
    assert_non_null(strstr(script, "rotate(Q)"));
    assert_null(strstr(script, "b_Q"));
    script_command(s, "layer as PyTorch");
    assert_memory_equal(app_effects(s->app)->clipboard, "# Headlight's layer in PyTorch", 30);
    assert_true(script_says_first(s, "Script copied"));
}

/* The picture is of the first frame without the sheet. */
TEST_IN(a_picture_is_taken_of_the_view_alone, script_open_disk, "view=graph") {
    script_play(s, "Ctrl+K 'picture as SVG' Enter {Save the picture as}");
    assert_null(app_effects(s->app)->picture);
    script_keys(s, "Enter");
    if (app_effects(s->app)->picture == NULL)
        script_frame(s);
    assert_string_equal(app_effects(s->app)->picture, "/home/graph.svg");
    assert_int_equal(app_effects(s->app)->result, RESULT_SVG);
    assert_false(script_says(s, "Save the picture as"));
    app_picture_saved(s->app, NULL);
    script_frame(s);
    assert_null(app_effects(s->app)->picture);
    assert_true(script_says(s, "Saved /home/graph.svg"));
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
        SCRIPT(s, script_open_disk, views[i].state);
        script_play(&s, "Ctrl+K 'numbers as CSV' Enter Enter");
        const char *csv = disk_text(views[i].csv);
        assert_int_equal(rows_of(csv), strstr(views[i].state, "text") != NULL ? 3 : 65);
        script_play(&s, "Ctrl+K 'numbers as JSON' Enter Enter");
        json_t *json = json_loads(disk_text(views[i].json), JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(json);
        assert_true(json_is_string(json_object_get(json, "state")));
        for (int k = 0; k < 4 && views[i].names[k] != NULL; k++)
            assert_true(json_is_array(json_object_get(json, views[i].names[k])));
        double first = json_number_value(
            json_array_get(json_array_get(json_object_get(json, views[i].names[0]), 0), 0));
        assert_true(fabs(strtod(strchr(strchr(csv, '\n'), ',') + 1, NULL) - first) == 0);
        json_decref(json);
    }
}

/* Enter saves under the name that is suggested, whatever else is in the folder. */
TEST(the_suggested_name_is_taken) {
    disk_put("/home/another.csv", "kept");
    SCRIPT(s, script_open_disk, "view=compare&text=a b");
    script_play(&s, "Ctrl+K 'csv' Enter {another.csv} Enter |");
    assert_non_null(disk_text("/home/compare.csv"));
    assert_string_equal(disk_text("/home/another.csv"), "kept");
}

TEST_IN(what_a_view_lacks_is_said, script_open_disk, "view=heads") {
    script_play(s, "Ctrl+K 'schemes as PyTorch' Enter {Heads has no schemes to save*}");
    script_end(s);
    script_open_disk(s, "view=compare");
    disk.is_full = true;
    script_play(s, "Ctrl+K 'numbers as CSV' Enter Enter -{Saved*}");
    assert_null(disk_text("/home/compare.csv"));
}
