/* A person at the Compare view. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/util.h"
#include "draw/part.h"
#include "model/analysis/stats.h"
#include "results/comparison.h"
#include "shell/assets.h"
#include "support/script.h"
#include "support/test.h"
#include "views/compare/compare.h"

TEST_IN(columns_are_added_and_removed, script_begin, "view=compare", 1920, 1080) {
    script_play(s, "#16 <Add scheme> #20 "
                   "~compare-schemes=xavier_uniform,he_uniform,normal,xavier_fused,zeros");
}

static void drag_to(Script *s, const char *column, const char *onto) {
    const DrawCommand *from = drawn_text(&s->list, column, 0), *to = drawn_text(&s->list, onto, 0);
    Vec2 mark = {from->as.text.at.x - 30, drawn_middle(&s->list, from).y};
    Vec2 place = {to->as.text.at.x + 40, mark.y + 60};
    script_move(s, mark);
    script_press(s, mark, 0, 1);
    script_move(s, (Vec2){mark.x + 20, mark.y});
    script_move(s, place);
    script_release(s, place, 0);
}

/* The reference column stays the reference when it is moved. */
TEST_IN(a_column_is_dragged_into_order, script_begin,
        "view=compare&compare-maps=difference&compare-against=2", 1920, 1080) {
    drag_to(s, "He uniform", "Xavier, fused");
    script_play(s, "~compare-schemes=xavier_uniform,normal,xavier_fused,he_uniform "
                   "~compare-against=4");
    drag_to(s, "Xavier, fused", "He uniform"); /* past it */
    script_play(s, "~compare-schemes=xavier_uniform,normal,he_uniform,xavier_fused "
                   "~compare-against=3 Ctrl+Z " /* one step each */
                   "~compare-against=4");
}

TEST_IN(a_columns_mark_puts_it_in_use, script_begin, "view=compare", 1920, 1080) {
    assert_non_null(drawn_text(&s->list, "in use", 0));
    const DrawCommand *name = drawn_text(&s->list, "He uniform", 0);
    script_click(s, (Vec2){name->as.text.at.x - 30, drawn_middle(&s->list, name).y});
    assert_true(script_state_has(s, "init=he_uniform"));
}

/* A file with every matrix would make all columns alike, so Compare samples them. */
TEST(schemes_are_compared_whatever_the_file) {
    setenv("HEADLIGHT_ASSETS", "assets", 0);
    SCRIPT(s, script_begin_given, "view=compare&weights=trained:induction&size=1920x1080",
           &(AppResources){.load_weights = assets_weights, .still = true});
    script_play(&s, "{one scheme a column; other views show trained:induction} -{in use}");
    assert_int_not_equal(drawn_cells(&s.list, 0)->hash, drawn_cells(&s.list, 4)->hash);
    const Comparison *comparison = &s.app->run.comparison->comparison;
    double std = (double)comparison->values[0][STUDY_STD_W_Q];
    assert_true(fabs(std / comparison->expected[0][STUDY_STD_W_Q] - 1) < 0.05);
}

TEST_IN(a_scheme_is_chosen_from_its_list, script_begin, "view=compare", 1920, 1080) {
    script_play(s, "<He uniform> <Orthogonal> "
                   "~compare-schemes=xavier_uniform,orthogonal,normal,xavier_fused");
}

TEST_IN(a_cell_is_pinned_in_every_column, script_begin, "view=compare", 1920, 1080) {
    script_click(s, drawn_cell(drawn_cells(&s->list, 5), 3, 2)); /* the second column's head 2 */
    assert_true(script_state_has(s, "head=2") && script_state_has(s, "pin=4,3"));
}

/* Another matrix's scheme changes that column alone. */
TEST(one_matrix_may_have_a_scheme_of_its_own) {
    Script s, own;
    script_begin(&s, "view=compare", 1920, 1080);
    script_begin(&own, "view=compare&compare-q=auto,zeros", 1920, 1080);
    for (int i = 0; i < 16; i++) {
        bool same = drawn_cells(&s.list, i)->hash == drawn_cells(&own.list, i)->hash;
        assert_true(same == (i / 4 != 1));
    }
    script_end(&s);
    script_end(&own);
}

TEST_IN(a_difference_from_itself_is_nothing, script_begin,
        "view=compare&compare-maps=difference&compare-against=2", 1920, 1080) {
    for (int i = 0; i < 16; i++) {
        const DrawCells *cells = drawn_cells(&s->list, i);
        bool any = false;
        for (int k = 0; k < cells->rows * cells->cols; k++)
            any = any || cells->values[k] != 0;
        assert_true(any == (i / 4 != 1));
    }
}

/* How much of the first head is the other column's: the second matrix there is clipped. */
static float wiped(const Script *s, Rect *head) {
    int seen = 0;
    for (size_t i = 0; i < s->list.command_count; i++) {
        const DrawCommand *command = &s->list.commands[i];
        if (command->kind != DRAW_CELLS)
            continue;
        *head = command->as.cells.rect;
        if (seen++ == 1)
            return (rect_right(command->clip) - head->x) / head->w;
    }
    return NAN;
}

TEST(the_line_of_a_wipe_is_dragged) {
    Rect head = {0};
    SCRIPT(s, script_begin, "view=compare&compare-maps=wipe&compare-against=2", 1920, 1080);
    assert_true(fabsf(wiped(&s, &head) - 0.5f) < 0.02f);
    Vec2 line = {head.x + head.w / 2, head.y + head.h * 0.4f};
    Vec2 to = {head.x + head.w * 0.2f, line.y};
    script_move(&s, line);
    script_drag(&s, line, to);
    assert_true(fabsf(wiped(&s, &head) - 0.2f) < 0.02f);
    assert_false(script_state_has(&s, "pin=")); /* it is no click on a cell */
}

TEST_IN(a_guess_is_answered_with_its_source, script_begin, "view=compare&compare=bugs", 1920,
        1080) {
    assert_null(drawn_beginning(&s->list, "Right"));
    const TheoryOnInput *given =
        &s->app->run.comparison->comparison.theory[0]; /* of unit X, whatever the text */
    assert_true(fabs(given->rms - 1) < 0.01 && fabs(given->common) < 0.1);
    script_play(s, "<Nothing is wrong> {Not that one.} {clankur/einygpt*} <Next> ~compare-bug=2 "
                   "-{Not that one.}");
}

TEST(every_part_at_every_size) {
    static const char *const parts[] = {"compare=depth",
                                        "compare=map",
                                        "compare=map&compare-colour=gradient&mask=causal",
                                        "compare=scale",
                                        "compare=root&compare-terms=9",
                                        "compare=twice&compare-blend=0.3",
                                        "compare=twice&block=post-norm&positions=rope",
                                        "compare=twice&heads=3&d-k=7&d-v=5&bias=all",
                                        "compare=twice&d-model=1&heads=1&d-k=1&text=a",
                                        "compare=fused",
                                        "compare=bugs",
                                        "compare-matrices=each&compare-measures=all",
                                        "heads=64&compare-maps=wipe&mask=causal"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        SCRIPT(s, script_begin, PRINT("view=compare&%s", parts[i]), 1920, 1080);
        script_play(&s, "size:1024x768 size:420x400");
    }
}

/* Assert that a value is visible, with the page's number of decimals. */
static void check_decimals(const Script *s, double value, int decimals) {
    const char *text = PRINT("%.*f", decimals, value);
    if (drawn_text(&s->list, text, 0) == NULL)
        fail_msg("%s is not to be seen", text);
}

static void check_value(const Script *s, double value) {
    check_decimals(s, value, 2);
}

/* The sum of all products is the score before the division, and its law is n times that of one. */
TEST_IN(the_root_page_adds_up_to_the_score, script_begin,
        "view=compare&compare=root&compare-terms=16", 1920, 1080) {
    const AttnTrace *trace = results_trace(&s->app->run, 0);
    double score = stats_sum_of_squares(&trace->S) / (trace->S.rows * trace->S.cols);
    double q = stats_sum_of_squares(&trace->Q) / (trace->Q.rows * trace->Q.cols);
    double k = stats_sum_of_squares(&trace->K) / (trace->K.rows * trace->K.cols);
    check_value(s, sqrt(score));      /* divided by the root */
    check_value(s, sqrt(16 * score)); /* the sum */
    check_value(s, sqrt(q * k));
    assert_non_null(drawn_text(&s->list, "Sum of 16", 0));
    script_end(s);
    script_begin(s, "view=compare&compare=root&form=merged", 1920, 1080);
    assert_non_null(drawn_beginning(&s->list, "This form multiplies"));
    script_end(s);
    script_begin(s, "view=compare&compare=root&init=zeros&d-k=1&compare-terms=4096", 1920, 1080);
    assert_non_null(drawn_beginning(&s->list, "Every product is 0"));
}

/* With W = I and no positions, y is the mean of the word vectors read, by similarity; at
 * the other end it is the layer's Y. */
TEST(bank_twice_shows_the_cosines_of_both_ends) {
    static const char line[] = "view=compare&compare=twice&positions=none&heads=1&d-model=8&"
                               "text=bank%20river%20bank%20money&mask=causal";
    for (int end = 0; end < 2; end++) {
        SCRIPT(s, script_begin,
               PRINT("%s&compare-blend=%d%s", line, end, end == 0 ? "" : "&seed=3"), 1920, 1080);
        const Results *run = &s.app->run;
        Mat Y = results_trace(run, 0)->Y;
        float own[4 * 8];
        Mat plain = {own, 4, 8, 8};
        for (int i = 0; i < 4 && end == 0; i++) {
            double sum = 0, share[4] = {0};
            for (int j = 0; j <= i; j++) {
                double dot = 0;
                for (int d = 0; d < 8; d++)
                    dot += (double)mat_row(&run->X, i)[d] * (double)mat_row(&run->X, j)[d];
                sum += share[j] = exp(dot / sqrt(8));
            }
            for (int d = 0; d < 8; d++) {
                double y = 0;
                for (int j = 0; j <= i; j++)
                    y += share[j] / sum * (double)mat_row(&run->X, j)[d];
                mat_row(&plain, i)[d] = (float)y;
            }
        }
        const Mat *expected = end == 0 ? &plain : &Y;
        double dot = 0, a = 0, b = 0;
        for (int d = 0; d < 8; d++) {
            double x = (double)mat_row(expected, 0)[d], y = (double)mat_row(expected, 2)[d];
            dot += x * y, a += x * x, b += y * y;
        }
        assert_non_null(drawn_text(&s.list, "bank 1 and bank 3", 0));
        check_decimals(&s, 1, 3);
        check_decimals(&s, dot / sqrt(a * b), 3);
    }
    SCRIPT(s, script_begin, "view=compare&compare=twice&form=free", 1920, 1080);
    assert_non_null(drawn_beginning(&s.list, "This form has no separate"));
}

/* Names move away from each other, however close the tokens are. */
TEST(bank_twice_names_every_token_in_both_planes) {
    static const char *const names[] = {"the",     "animal", "did", "n't", "cross", "street",
                                        "because", "it",     "was", "too", "tired"};
    SCRIPT(s, script_begin, "view=compare&compare=twice", 1024, 768);
    const DrawPart *part = script_part(&s, "compare.vectors");
    for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
        int count = 0;
        const DrawCommand *text;
        for (int nth = 0; (text = drawn_text(&s.list, names[i], nth)) != NULL; nth++)
            count += rect_contains(part->rect, text->as.text.at);
        assert_int_equal(count, i == 0 ? 4 : 2);
    }
}

TEST_IN(the_point_on_the_map_follows, script_begin, "view=compare&compare=map", 1920, 1080) {
    const DrawCells *grid = drawn_cells(&s->list, 0);
    uint64_t before = drawn_cells(&s->list, 1)->hash;
    script_click(s, drawn_cell(grid, 2, 30)); /* wide W_Q, wide W_K */
    assert_true(script_state_has(s, "compare-sigma-q=") && script_state_has(s, "compare-sigma-k="));
    const DrawCells *head = drawn_cells(&s->list, 1);
    assert_true(head->hash != before);
    float most = 0;
    for (int j = 0; j < head->cols; j++)
        most = head->values[j] > most ? head->values[j] : most;
    assert_true(most > 0.99F); /* saturated there */
}

/* Each seed is counted once, however many frames show it. */
TEST_IN(the_distribution_counts_each_seed_once, script_begin,
        "view=compare&compare-seeds=40&d-model=8&heads=2&d-k=4", 1920, 1080) {
    const SeedBins *bins = &s->app->memory.compare->bins[STUDY_STD_S];
    for (int frame = 0; frame < 50; frame++)
        script_frame(s);
    int counted[2] = {0};
    for (int column = 0; column < 2; column++)
        for (int b = 0; b < SEED_BINS; b++)
            counted[column] += bins->counts[column][b];
    assert_int_equal(counted[0], 40);
    assert_int_equal(counted[1], 40);
}

/* Depth has a chart that Columns has not. */
TEST_IN(a_part_does_not_show_the_x_of_another, script_begin_typical, "view=compare", 1920, 1080) {
    static const char depth[] = "view=compare&compare=depth", columns[] = "view=compare";
    script_move(s, (Vec2){5, 5});
    size_t before = s->list.command_count;
    script_paste(s, depth, strlen(depth));
    size_t plain = s->list.command_count;
    for (float y = 660; y < 800 && s->list.command_count <= plain + 4; y += 20)
        script_move(s, (Vec2){500, y});
    assert_true(s->list.command_count > plain + 4); /* the charts show their values there */
    script_paste(s, columns, strlen(columns));
    script_move(s, (Vec2){5, 5});
    assert_int_equal(s->list.command_count, before);
}

/* The sweep over head widths keeps its results while the layer's own width changes, and nothing
 * else. */
TEST(the_sweep_does_not_depend_on_the_layers_width) {
    static const char *const changes[] = {"d-k=32", "temperature=2", "heads=2", "mask=causal"};
    for (size_t i = 0; i < ARRAY_COUNT(changes); i++) {
        SCRIPT(s, script_begin, "view=compare&compare=scale", 1920, 1080);
        const CompareJob *job = &s.app->memory.compare->jobs[COMPARE_SWEEP];
        uint64_t before = job->key;
        const char *line = PRINT("view=compare&compare=scale&%s", changes[i]);
        script_paste(&s, line, strlen(line));
        assert_true(script_state_has(&s, changes[i]));
        assert_true((job->key == before) == (i == 0));
    }
}

TEST(what_is_shown_can_be_copied) {
    static const char *const copies[][2] = {
        {"Copy numbers as CSV",
         "scheme,layer,stat,mean,sd,expected,expected_x\nxavier_uniform,1,std.W_Q,"},
        {"Copy numbers as JSON", "{\"state\": "},
        {"Copy schemes as PyTorch", "# Xavier uniform\nimport torch"}};
    SCRIPT(s, script_begin, "view=compare", 1920, 1080);
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++) {
        script_play(&s, PRINT("<Results> <%s>", copies[i][0]));
        const AppEffects *effects = app_effects(s.app);
        assert_true(effects->clipboard_bytes > 100);
        assert_memory_equal(effects->clipboard, copies[i][1], strlen(copies[i][1]));
    }
}

/* "Normal" is the distribution of two schemes: no column has that name alone. */
TEST(a_short_name_is_of_one_scheme) {
    static const char *const schemes[] = {"normal,he_normal", "normal_002,he_normal",
                                          "normal,normal_002"};
    for (size_t i = 0; i < ARRAY_COUNT(schemes); i++) {
        SCRIPT(s, script_begin, PRINT("view=compare&compare-schemes=%s", schemes[i]), 1920, 1080);
        assert_null(drawn_text(&s.list, "Normal", 0));
    }
}

/* Every histogram gives the numbers of the bin under the pointer. */
TEST(a_bin_tells_its_numbers) {
    static const char *const pages[] = {"view=compare", "view=compare&compare=root",
                                        "view=compare&compare-seeds=20&compare-over=std.S"};
    for (size_t i = 0; i < ARRAY_COUNT(pages); i++) {
        SCRIPT(s, script_begin, pages[i], 1920, 1080);
        const DrawCommand *zero = drawn_text(&s.list, i == 2 ? "1.4" : "0", i == 0);
        assert_non_null(zero);
        Vec2 at = drawn_middle(&s.list, zero);
        script_move(&s, (Vec2){at.x, at.y - 30});
        script_play(&s, "@1 {* values.*}");
    }
}

TEST_IN(many_seeds_show_their_mean, script_begin, "view=compare&compare-seeds=20", 1920, 1080) {
    assert_non_null(drawn_text(&s->list, "mean of 20", 0));
}

/* A click on a measure's row shows its distribution in every column, a second one the scores. */
TEST_IN(a_measure_lies_over_the_seeds, script_begin, "view=compare&compare-seeds=50", 1920, 1080) {
    script_play(s, "<Entropy#2> ~compare-over=entropy.A");
    for (int i = 0; i < 4; i++)
        assert_non_null(drawn_text(&s->list, "Entropy, 50 seeds", i));
    assert_null(drawn_text(&s->list, "Entropy, 50 seeds", 4));
}

/* Two columns of numbers: measured, and expected on this X. One line describes X. */
TEST_IN(what_is_expected_is_on_this_x, script_begin, "view=compare", 1920, 1080) {
    assert_non_null(drawn_beginning(&s->list, "X: rms "));
    assert_non_null(drawn_text(&s->list, "expected on this X", 3));
    assert_null(drawn_beginning(&s->list, "unit X"));
    script_end(s);
    script_begin(s, "view=compare&compare-measures=all", 1920, 1080);
    assert_non_null(drawn_text(&s->list, "unit X ±3 %", 3));
    script_end(s);
    script_begin(s, "view=compare&close=1..12-1..12", 1920, 1080);
    assert_non_null(drawn_beginning(&s->list, "No key is open"));
    script_end(s);
    script_begin(s, "view=compare&compare-schemes=identity,zeros", 1920, 1080);
    script_play(s, "{Nothing is random*} {Every score is 0*}");
}

/* Both ways to set an X that meets theory's assumptions, each one step of undo. */
TEST_IN(x_is_made_unit, script_begin, "view=compare&text=the%20cat%20saw%20The%20dog%20saw", 1920,
        1080) {
    script_play(s, "<Unit X> ~embedding=random ~positions=none ~text=the%20cat%20saw%20dog "
                   "{X: rms 1.00*} Ctrl+Z -~embedding= -~positions= "
                   "~text=the%20cat%20saw%20The%20dog%20saw <LayerNorm> ~block=pre-norm "
                   "{LN(X): rms 1.00*} <LayerNorm> -~block=");
}

/* A number without its end is another number: 7.01e-4 is not 7.01e… */
TEST(no_number_is_cut) {
    static const char *const parts[] = {"columns&compare-measures=all", "fused", "bugs"};
    static const float widths[] = {1024, 1440, 1920};
    for (size_t p = 0; p < 3; p++)
        for (size_t w = 0; w < 3; w++)
            for (int bug = 1; bug <= (p == 2 ? 9 : 1); bug++) {
                const char *text = PRINT("view=compare&compare=%s&compare-bug=%d", parts[p], bug);
                SCRIPT(s, script_begin_typical, text, widths[w], 900);
                for (size_t i = 0; i < s.list.command_count; i++) {
                    const char *words = drawn_words(&s.list, i), *cut = strstr(words, "…");
                    assert_false(words[0] >= '0' && words[0] <= '9' && cut != NULL && !cut[3]);
                }
            }
}

/* All that the depth rule needs to be seen is one click each. */
TEST_IN(gpt2_is_taken_with_its_shape, script_begin,
        "text=a&view=compare&compare=depth&compare-depth=1&compare-schemes=zeros,identity", 1920,
        1080) {
    script_play(s, "<Add GPT-2> ~compare-schemes=zeros,identity,gpt2 -{Add GPT-2} "
                   "<GPT-2's shape> ~d-model=768 ~heads=12 ~block=residual -{GPT-2's shape} "
                   "Ctrl+Z " /* one click is one step of undo */
                   "-~d-model= -~heads= -~block=");
}
