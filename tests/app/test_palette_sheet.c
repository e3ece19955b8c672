/* The command list: everything can be found by its name and chosen. */
#include <stdio.h>
#include <string.h>

#include "app/examples.h"
#include "app/sheets.h"
#include "base/utf8.h"
#include "base/util.h"
#include "io/weights_file.h"
#include "support/script.h"
#include "support/test.h"

static PaletteRow rows[PALETTE_ROWS_MAX];

TEST(better_matches_score_higher) {
    assert_int_equal(palette_score("Init: He normal", "zzz"), 0);
    assert_true(palette_score("Init: He normal", "") > 0);
    assert_true(palette_score("Init: He normal", "he nor") > 0);
    assert_true(palette_score("Init: He normal", "HENO") > 0);
    assert_true(palette_score("Init: He normal", "he") > palette_score("Theme: Light", "he"));
    assert_true(palette_score("Next head", "head") > palette_score("Shed a few", "hed"));
}

/* Every row exists, and its full name finds it first. */
TEST(every_row_is_found_by_its_whole_name) {
    static PaletteRow found[PALETTE_ROWS_MAX];
    int count = palette_find(rows, "", NULL);
    assert_in_range(count, 100, PALETTE_ROWS_MAX - 1);
    for (int i = 0; i < count; i++) {
        int at = 0;
        assert_in_range(palette_find(found, rows[i].label, NULL), 1, PALETTE_ROWS_MAX);
        while (strcmp(found[at].label, rows[i].label) != 0)
            at++;
        if (at > 6)
            fail_msg("%s comes at %d", rows[i].label, at);
    }
}

static bool has(const char *wanted, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(rows[i].label, wanted) == 0)
            return true;
    return false;
}

/* Any number of the layer is set by its name, without a pointer. */
TEST_IN(numbers_are_set_by_their_names, script_open, "") {
    static const char *const typed[] = {"W_Q1(3,5)=4", "set S2(7,5)=-1.5;X(2,1)=0"};
    for (size_t i = 0; i < ARRAY_COUNT(typed); i++)
        script_play(s, PRINT("Ctrl+K '%s' Enter", typed[i]));
    script_play(s, "~set=W_Q1(3,5)=4;X(2,1)=0;S2(7,5)=-1.5 Ctrl+Z ~set=W_Q1(3,5)=4 -~S2 Ctrl+K "
                   "'W_QK1(3,5)=4' " /* the form has no such matrix */
                   "Enter -~W_QK");
    assert_int_equal(s->app->message_count, 1);
    assert_non_null(strstr(s->app->messages[0].text, "this layer has no W_QK"));
}

/* Names used by other programs find it, too. */
TEST(synonyms_are_found) {
    static const char *const words[][2] = {{"export", "Save the picture as PNG…"},
                                           {"download", "Save"},
                                           {"reset", "New session"},
                                           {"share", "Copy the state as text"},
                                           {"dark mode", "Theme: Dark"},
                                           {"lesson", "Tour: The merge"},
                                           {"sentence", "Example: Two kinds of bank"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!has(words[i][1], palette_find(rows, words[i][0], NULL)))
            fail_msg("“%s” does not find “%s”", words[i][0], words[i][1]);
}

/* Token ids and a model's own tokens are offered only for a checkpoint that has them. */
TEST(tokenizers_of_checkpoints_need_one) {
    LOCAL(session_release) Session session;
    must(session_init(&session, &told));
    assert_true(has("Tokens: Token ids", palette_find(rows, "tokens", NULL)));
    int count = palette_find(rows, "tokens", &session);
    assert_true(has("Tokens: Words", count));
    assert_false(has("Tokens: Token ids", count));
    assert_false(has("Tokens: The model's own", count));
    Weights *weights = weights_file_load("assets/trained/induction", NULL, &told);
    assert_non_null(weights);
    must(session_set_weights(&session, weights, 0, &told));
    count = palette_find(rows, "tokens", &session);
    assert_true(has("Tokens: Token ids", count) && has("Tokens: The model's own", count));
    assert_int_equal(session.options.tokenizer, TOKENIZER_MODEL);
    must(session_set_weights(&session, NULL, 0, &told));
    assert_int_equal(session.options.tokenizer, TOKENIZER_WORDS);
}

TEST(every_choice_of_every_option_is_there) {
    int count = palette_find(rows, "", NULL);
    for (int t = 0; t < 2; t++) {
        const OptionTable *table = t == 0 ? &STATE_OPTIONS : &PICTURE_OPTIONS;
        for (int i = 0; i < table->count; i++) {
            const OptionRow *row = &table->rows[i];
            int choices = row->kind == OPTION_CHOICE ? row->choices->count : 0;
            for (int c = 0; c < choices; c++) {
                char label[PALETTE_LABEL_MAX];
                snprintf(label, sizeof label, "%s: %s%s%s", row->entry.label,
                         registry_entry(row->choices, c)->label,
                         c == option_numbered_choice(row) ? " " : "",
                         c == option_numbered_choice(row) ? strchr(row->numbered, ':') + 1 : "");
                if (!has(label, count))
                    fail_msg("%s", label);
            }
        }
    }
}

TEST(what_is_typed_is_done) {
    static const struct {
        const char *words, *state;
    } cases[] = {{"he normal init:", "init=he_normal"},   {"depth 4", "depth=4"},
                 {"mask window 7", "mask=window:7"},      {"form merged", "form=merged"},
                 {"theme light", "theme=light"},          {"next seed", "seed=2"},
                 {"w_q orthogonal", "init-q=orthogonal"}, {"temperature 0.5", "temperature=0.5"}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        SCRIPT(s, script_open, "");
        script_command(&s, cases[i].words);
        script_check(&s, cases[i].state);
        assert_false(app_effects(s.app)->text_input);
    }
}

/* A setting that only one view shows opens that view, as one undo step. */
TEST(a_page_is_opened_with_its_view) {
    static const char *const typed[][3] = {{"bank, twice", "view=compare", "compare=twice"},
                                           {"page: symmetry", "view=wqk", "wqk-page=parts"},
                                           {"layout: arc", "view=graph", "graph-layout=arc"}};
    for (size_t i = 0; i < ARRAY_COUNT(typed); i++) {
        SCRIPT(s, script_open, "");
        script_play(&s, PRINT("Ctrl+K '%s' Enter ~%s ~%s Ctrl+Z -~%s -~%s", typed[i][0],
                              typed[i][1], typed[i][2], typed[i][1], typed[i][2]));
    }
}

TEST_IN(a_number_without_a_value_opens_its_control, script_open, "") {
    script_play(s, "Ctrl+K 'depth' Enter {Every setting} Up =depth=2");
}

TEST_IN(keys_move_in_it_and_escape_leaves, script_open, "") {
    script_play(s, "Ctrl+K 'mask:' Down Enter =mask=causal Ctrl+K Escape -!typing Ctrl+K");
    script_click(s, (Vec2){4, 1070});                            /* outside */
    script_play(s, "-!typing Ctrl+K 'qqqqq' {No match.} Enter"); /* nothing to take */
}

/* A file without tensors; tests/shell/test_trained.c reads those that ship. */
static Weights *load_nothing(const char *path, const WeightsRequest *wish, Err *err) {
    (void)wish;
    return weights_new(path, err);
}

TEST(examples_are_shown_with_what_to_look_for) {
    AppResources resources = {.load_weights = load_nothing, .still = true};
    assert_int_equal(EXAMPLE_REGISTRY.count, 13);
    for (int i = 0; i < EXAMPLE_REGISTRY.count; i++) {
        SCRIPT(s, script_begin_given, "text=other", &resources);
        script_play(&s, PRINT("<Examples> <%s>", EXAMPLES[i].entry.label));
        assert_int_equal(app_session(s.app)->text->size, strlen(EXAMPLES[i].text));
        const Weights *weights = app_session(s.app)->weights;
        assert_true((weights != NULL) == EXAMPLES[i].is_trained);
        assert_true(EXAMPLES[i].state == NULL || app_session(s.app)->options.seed == 11);
        assert_true(weights == NULL ||
                    strcmp(weights->path + strlen("trained:"), EXAMPLES[i].entry.id) == 0);
        char begin[20];
        snprintf(begin, sizeof begin, "%s", EXAMPLES[i].entry.help);
        begin[utf8_floor(begin, strlen(begin), strlen(begin) - 1)] = '\0';
        assert_true(script_says_first(&s, begin));
        script_gives(&s, "Ctrl+Z", "text=other");
    }
}

/* The hint on a repeated word is true of every head. */
TEST(repeated_words_without_positions_have_one_column) {
    int row = registry_find(&EXAMPLE_REGISTRY, "repetition", strlen("repetition"));
    assert_non_null(strstr(EXAMPLES[row].entry.help, "Positions to none"));
    assert_string_equal(EXAMPLES[row].text, "the cat sat on the mat and the cat sat on the rug");
    SCRIPT(s, script_open,
           "positions=none&text=the%20cat%20sat%20on%20the%20mat%20and%20the%20cat%20sat"
           "%20on%20the%20rug");
    const Mat *A = &results_trace(&s.app->run, 0)->A;
    static const int the[] = {0, 4, 7, 11};
    assert_int_equal(A->cols, 13);
    for (int i = 0; i < A->rows; i++)
        for (size_t k = 1; k < ARRAY_COUNT(the); k++)
            assert_true(mat_row(A, i)[the[k]] == mat_row(A, i)[the[0]]);
}
