/* The Steps view: its numbers against the pass in double, its keys and clicks, and its pictures. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "base/number.h"
#include "base/util.h"
#include "model/attention/block.h"
#include "model/attention/position.h"
#include "results/cell_story.h"
#include "support/script.h"
#include "support/test.h"
#include "ui/tween.h"

#define SMALL "view=steps&text=the%20cat%20sat%20on%20the%20mat&d-model=16&heads=2"

/* Relative to the size of what was summed. */
static void near(double is, double wanted, double size, const char *what, const char *state) {
    if (!(fabs(is - wanted) <= 2e-5 * (1 + fabs(size))))
        fail_msg("%s of %s is %g and not %g", what, state, is, wanted);
}

/* Row i of the layer's input times one head's columns of a parameter and its bias. */
static double projected(const Script *s, const CellStory *n, AttnParam weight, AttnParam bias,
                        int row, int col) {
    const AttnParams *p = &s->app->run.layers[0].params;
    const float *x = mat_row(&n->trace->input, row);
    double sum = n->shape->bias == BIAS_ALL ? (double)p->p[bias].at[col] : 0;
    for (int m = 0; m < n->shape->D; m++)
        sum += (double)x[m] * (double)mat_row(&p->p[weight], m)[col];
    return sum;
}

static void check_projections(const Script *s, const CellStory *n, const char *state) {
    const AttnShape *shape = n->shape;
    for (int m = 0; m < shape->V; m++)
        near((double)n->value[m],
             projected(s, n, ATTN_W_V, ATTN_B_V, n->at.key, n->at.head * shape->V + m), 4, "v",
             state);
    for (int m = 0; attn_has_factors(shape) && !shape->rope && m < shape->K; m++) {
        int col = n->at.head * shape->K + m;
        near((double)n->query[m], projected(s, n, ATTN_W_Q, ATTN_B_Q, n->at.query, col), 4, "q",
             state);
        near((double)n->key[m], projected(s, n, ATTN_W_K, ATTN_B_K, n->at.key, col), 4, "k", state);
    }
}

/* What the head reads: the weighted sum of all values. */
static void check_reading(const CellStory *n, const char *state) {
    const AttnShape *shape = n->shape;
    double sum = 0;
    for (int j = 0; j < shape->T; j++)
        sum += (double)n->weights[j];
    near(sum, n->open_keys > 0 ? 1 : 0, 1, "Σa", state);
    near((double)n->weight * n->softmax.sum, n->softmax.power, n->softmax.sum, "a", state);
    for (int m = 0; m < shape->V; m++) {
        double read = 0;
        for (int j = 0; j < shape->T; j++)
            read +=
                (double)n->weights[j] * (double)mat_row(&n->trace->V, j)[n->at.head * shape->V + m];
        near((double)n->read[m], read, 4, "z", state);
    }
}

static void check_output(const CellStory *n, const char *state) {
    double sum = n->bias + n->residual;
    for (int h = 0; h < n->shape->H; h++)
        sum += n->head_parts[h];
    near(n->sum, sum, 4, "sum", state);
    if (n->shape->block == BLOCK_POST_NORM)
        sum = (sum - n->output_norm.mean) / n->output_norm.std;
    near((double)n->output, sum, 4, "y", state);
}

static void check_input(const Script *s, const CellStory *n, const char *state) {
    double square = 0;
    for (int m = 0; m < n->shape->D; m++) {
        double x = (double)n->x[m];
        square += x * x;
        if (n->word != NULL)
            near((double)n->word[m] + (double)n->position[m], x, 4, "e + p", state);
        if (n->shape->block == BLOCK_PRE_NORM)
            near((double)n->input[m], (x - n->input_norm.mean) / n->input_norm.std, 4, "LN(x)",
                 state);
    }
    near(n->length, sqrt(square), square, "norm", state);
    int positions = s->app->session.options.positions;
    assert_int_equal(n->word != NULL,
                     positions == POSITION_SINUSOIDAL || positions == POSITION_LEARNED);
}

/* The numbers of a few places of one state. */
static void check_state(const char *state) {
    LOCAL(script_end) Script s;
    char text[256];
    snprintf(text, sizeof text, "%s%s", SMALL, state);
    script_begin(&s, text, 1920, 1080);
    const Results *run = &s.app->run;
    assert_true(run->valid);
    LOCAL(arena_release) Arena arena = {0};
    Err err;
    for (int i = 0; i < 6; i++) {
        AttnCell at = {0, i % 2, i, 5 - i};
        const AttnShape *shape = &run->layers[0].shape[run->form];
        assert_true(arena_reserve(&arena, cell_story_bytes(shape), &err));
        CellStory n = cell_story(run, at, 3 * i, &arena);
        double terms = 0, size = 0;
        for (int m = 0; m < n.term_count; m++) {
            terms += (double)n.terms[m];
            size += fabs((double)n.terms[m]);
        }
        assert_true(n.term_count > 0);
        near(n.dot, terms, size, "q·k", text);
        near((double)n.score, terms * (double)shape->score_factor, size, "s", text);
        check_input(&s, &n, text);
        check_projections(&s, &n, text);
        check_reading(&n, text);
        check_output(&n, text);
    }
}

TEST(the_numbers_are_those_of_the_pass_in_double) {
    static const char *const rest[] = {
        "&mask=causal&temperature=0.5",  "&positions=rope&scale=none",
        "&positions=learned&d-v=4",      "&positions=none&mask=window:1",
        "&close=3-1..6&init=he_uniform", "&temperature=0.02"};
    for (int form = 0; form < ATTN_FORMS.count; form++)
        for (int block = 0; block < ATTN_BLOCKS.count; block++)
            for (int bias = 0; bias < ATTN_BIASES.count; bias++)
                for (size_t i = 0; i < ARRAY_COUNT(rest); i++) {
                    char text[160];
                    bool turned = strstr(rest[i], "rope") != NULL;
                    if (turned && (form == FORM_RANK || form == FORM_FREE))
                        continue;
                    snprintf(text, sizeof text, "&form=%s&block=%s&bias=%s%s",
                             form == FORM_RANK ? "rank:3" : registry_entry(&ATTN_FORMS, form)->id,
                             registry_entry(&ATTN_BLOCKS, block)->id,
                             registry_entry(&ATTN_BIASES, bias)->id, rest[i]);
                    check_state(text);
                }
}

static bool has(const Script *s, const char *pair) {
    return strstr(script_state(s), pair) != NULL;
}

/* The numbers that the cards write about a place. */
TEST(the_cards_say_these_numbers) {
    LOCAL(script_end) Script s;
    script_begin(&s, SMALL "&pin=3,2&steps-output=5", 1920, 1080);
    const Results *run = &s.app->run;
    LOCAL(arena_release) Arena arena = {0};
    Err err;
    assert_true(arena_reserve(&arena, cell_story_bytes(&run->layers[0].shape[run->form]), &err));
    CellStory n = cell_story(run, (AttnCell){0, 0, 2, 1}, 4, &arena);
    double said[] = {(double)n.score, (double)n.weight, (double)n.output, n.head_parts[0],
                     n.head_parts[1]};
    for (size_t i = 0; i < ARRAY_COUNT(said); i++) {
        char text[32];
        number_format_fixed(text, sizeof text, said[i], 3);
        if (!script_says(&s, text))
            fail_msg("%s is not said", text);
    }
    assert_true(script_says(&s, "sat → cat → output 5") && script_says(&s, "Step 1 of 6"));
    assert_true(script_says(&s, "8 products") && script_says(&s, "16 numbers"));
}

TEST(keys_go_through_the_steps) {
    LOCAL(script_end) Script s;
    script_begin(&s, SMALL "&pin=3,2", 1920, 1080);
    script_key(&s, KEY_LEFT, 0);
    assert_true(script_says(&s, "Step 1 of 6"));
    script_keys(&s, "Right Right");
    assert_true(script_says(&s, "Step 3 of 6") && has(&s, "steps-step=3") && has(&s, "pin=3,2"));
    script_key(&s, KEY_LEFT, 0);
    assert_true(script_says(&s, "Step 2 of 6"));
    script_key(&s, KEY_END, 0);
    assert_true(script_says(&s, "Step 6 of 6"));
    script_key(&s, KEY_RIGHT, 0);
    assert_true(script_says(&s, "Step 6 of 6"));
    script_key(&s, KEY_HOME, 0);
    assert_true(script_says(&s, "Step 1 of 6"));
    script_key(&s, KEY_RIGHT, KEY_MOD_SHIFT); /* another key */
    assert_true(has(&s, "pin=3,3") && script_says(&s, "Step 1 of 6"));
    script_key(&s, KEY_LEFT, KEY_MOD_SHIFT);
    script_key(&s, KEY_UP, 0); /* another query */
    assert_true(has(&s, "pin=2,2") && script_says(&s, "Step 1 of 6"));
    script_key(&s, 'z', KEY_MOD_COMMAND);
    assert_true(has(&s, "pin=3,2"));
}

/* A slow frame loses no key. */
TEST(keys_of_one_frame_all_count) {
    LOCAL(script_end) Script s;
    InputEvent keys[3] = {0};
    for (int i = 0; i < 3; i++) {
        keys[i].kind = INPUT_KEY;
        keys[i].key = KEY_RIGHT;
    }
    script_begin(&s, SMALL, 1920, 1080);
    script_events(&s, keys, 3);
    assert_true(script_says(&s, "Step 4 of 6"));
}

/* In other views the arrows move the pin, and the keys that play do nothing. */
TEST(elsewhere_these_keys_are_those_of_the_pin) {
    LOCAL(script_end) Script s;
    script_begin(&s, "view=heads&pin=3,2", 1920, 1080);
    script_key(&s, KEY_RIGHT, 0);
    assert_true(has(&s, "pin=3,3"));
    script_keys(&s, "Space End");
    assert_true(has(&s, "pin=3,3") && !has(&s, "steps-step"));
}

TEST(space_plays_to_the_end_and_stops) {
    LOCAL(script_end) Script s;
    char words[32];
    script_begin_moving(&s, SMALL "&steps-step=2", 1920, 1080);
    script_key(&s, ' ', 0);
    assert_true(script_says(&s, "Step 2 of 6"));
    for (int step = 3; step <= 6; step++) {
        double next = app_effects(s.app)->next_frame_s;
        assert_true(next > s.time_s && next < s.time_s + 3);
        script_wait(&s, next - s.time_s);
        snprintf(words, sizeof words, "Step %d of 6", step);
        assert_true(script_says(&s, words));
        script_wait(&s, (double)MOTIONS[MOTION_STEP].duration_s / 2); /* the flight */
        assert_true(app_effects(s.app)->next_frame_s <= s.time_s);
        script_wait(&s, 1);
    }
    script_wait(&s, 5);
    assert_true(script_says(&s, "Step 6 of 6") && isinf(app_effects(s.app)->next_frame_s));
    script_key(&s, 'z', KEY_MOD_COMMAND); /* all of it is one step */
    assert_true(script_says(&s, "Step 2 of 6"));
    script_key(&s, KEY_END, 0);
    script_key(&s, ' ', 0); /* from the end it restarts */
    assert_true(script_says(&s, "Step 1 of 6"));
    script_key(&s, ' ', 0);
    script_wait(&s, 5);
    script_wait(&s, 5);
    assert_true(script_says(&s, "Step 1 of 6"));
}

TEST(what_is_not_seen_does_not_play) {
    LOCAL(script_end) Script s;
    script_begin_moving(&s, SMALL "&steps-step=2", 1920, 1080);
    script_keys(&s, "Space 1");
    script_wait(&s, 9);
    script_key(&s, '5', 0);
    script_wait(&s, 9);
    script_wait(&s, 9);
    assert_true(script_says(&s, "Step 2 of 6"));
}

/* Matrices in their order on screen: X Q K V S A Z Y. */
static Vec2 cell(const Script *s, int matrix, int row, int col) {
    const DrawCells *m = drawn_cells(&s->list, matrix);
    assert_non_null(m);
    return drawn_cell(m, row, col);
}

TEST(a_click_follows_what_it_is_on) {
    static const struct {
        int matrix, row, col;
        const char *state, *step;
    } clicks[] = {
        {0, 4, 3, "pin=5,2", "Step 1 of 6"},         {1, 1, 3, "pin=2,2", "Step 2 of 6"},
        {2, 4, 3, "pin=3,5", "Step 2 of 6"},         {3, 0, 0, "pin=3,1", "Step 2 of 6"},
        {4, 5, 3, "pin=6,4", "Step 3 of 6"},         {5, 0, 5, "pin=1,6", "Step 4 of 6"},
        {6, 2, 12, "head=2", "Step 5 of 6"},         {6, 3, 2, "pin=4,2", "Step 5 of 6"},
        {7, 2, 9, "steps-output=10", "Step 6 of 6"}, {7, 1, 4, "pin=2,2", "Step 6 of 6"},
        {8, 1, 2, "pin=3,2", "Step 2 of 6"},         {11, 1, 4, "pin=3,2", "Step 6 of 6"}};
    for (size_t i = 0; i < ARRAY_COUNT(clicks); i++) {
        LOCAL(script_end) Script s;
        script_begin(&s, SMALL "&pin=3,2&steps-output=5", 1920, 1080);
        assert_int_equal(drawn_cells_count(&s.list), 12);
        script_click(&s, cell(&s, clicks[i].matrix, clicks[i].row, clicks[i].col));
        if (!has(&s, clicks[i].state) || !script_says(&s, clicks[i].step))
            fail_msg("matrix %d at %d, %d: %s", clicks[i].matrix, clicks[i].row, clicks[i].col,
                     script_state(&s));
        script_key(&s, 'z', KEY_MOD_COMMAND); /* one step of undo */
        assert_true(has(&s, "pin=3,2") && script_says(&s, "Step 1 of 6"));
    }
}

TEST(a_click_on_a_card_or_a_term_goes_there) {
    LOCAL(script_end) Script s;
    script_begin(&s, SMALL "&pin=3,2", 1920, 1080);
    script_click_text(&s, "Softmax", 0);
    assert_true(script_says(&s, "Step 4 of 6"));
    script_click_text(&s, "Head 2", 0); /* the term of the sixth card */
    assert_true(has(&s, "head=2") && script_says(&s, "Step 4 of 6"));
    const DrawCommand *term = drawn_text(&s.list, "mat", 2); /* chip, label, term */
    assert_non_null(term);
    script_click(&s, drawn_middle(&s.list, term));
    assert_true(has(&s, "pin=3,6") && script_says(&s, "Step 4 of 6"));
}

/* A bar under the pointer shows its number, and lights the entry of the matrix. */
TEST(what_is_hovered_is_lit_where_it_stands) {
    LOCAL(script_end) Script s;
    script_begin(&s, SMALL "&pin=3,2", 1920, 1080);
    Colour beam = THEMES[THEME_DARK].beam;
    const DrawCommand *note = drawn_text(&s.list, "8 products", 0);
    const DrawCommand *title = drawn_text(&s.list, "Score", 0);
    assert_true(note != NULL && title != NULL);
    Vec2 bar = {note->as.text.at.x + 4, title->as.text.at.y + 110};
    assert_false(drawn_edge_at(&s.list, beam, cell(&s, 1, 2, 0)));
    script_move(&s, bar);
    assert_true(script_says(&s, "product 1"));
    assert_true(drawn_edge_at(&s.list, beam, cell(&s, 1, 2, 0)));
    assert_true(drawn_edge_at(&s.list, beam, cell(&s, 2, 1, 0)));
    script_move(&s, cell(&s, 0, 1, 3));
    assert_true(drawn_edge_at(&s.list, beam, cell(&s, 0, 1, 3)));
    assert_true(has(&s, "pin=3,2")); /* the number that is followed stays */
}

/* Without factors the query's row of X·W_QK meets the key's row of X. */
TEST(a_product_has_no_keys) {
    static const char *const forms[] = {"merged", "rank:2", "free"};
    for (size_t i = 0; i < ARRAY_COUNT(forms); i++) {
        char text[160];
        LOCAL(script_end) Script s;
        snprintf(text, sizeof text, "%s&pin=3,2&form=%s", SMALL, forms[i]);
        script_begin(&s, text, 1920, 1080);
        assert_int_equal(drawn_cells_count(&s.list), 10);
        assert_true(script_says(&s, "16 products") && script_says(&s, "16 and 8 numbers"));
    }
}

TEST(a_closed_pair_and_a_closed_row_are_said) {
    Script s;
    script_begin(&s, SMALL "&pin=2,5&mask=causal", 1920, 1080);
    assert_true(script_says(&s, "masked") && script_says(&s, "8 products, masked"));
    script_end(&s);
    script_begin(&s, SMALL "&pin=2,5&close=2-1..6", 1920, 1080);
    assert_true(script_says(&s, "no open key") && script_says(&s, "no open key: nothing"));
    script_end(&s);
}

/* If a saturated softmax gives only one key weight, closed keys are still no terms of the sum.
 */
TEST(what_is_mixed_is_open) {
    LOCAL(script_end) Script s;
    script_begin(&s, SMALL "&pin=5,4&mask=window:1&init=normal&temperature=0.0001", 1920, 1080);
    assert_non_null(drawn_text(&s.list, "on", 2)); /* chip, label, term */
    assert_non_null(drawn_text(&s.list, "mat", 2));
    assert_null(drawn_text(&s.list, "cat", 2));
}

/* A number is followed even if no cell is pinned and no weight is largest. */
TEST(there_is_always_a_number) {
    static const char *const states[] = {
        "&init=zeros",      "&focus=nothing",    "&focus=nothing&mask=causal",
        "&close=1..6-1..6", "&steps-output=999", "&init=normal&temperature=0.000001"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        char text[160];
        LOCAL(script_end) Script s;
        snprintf(text, sizeof text, "%s%s", SMALL, states[i]);
        script_begin(&s, text, 1920, 1080);
        assert_non_null(drawn_text(&s.list, "Join heads", 0));
        assert_true(script_says(&s, "Step 1 of 6") && drawn_cells_count(&s.list) == 12);
    }
}

/* The cards count typed tokens like those of the initial text. */
TEST(a_word_typed_at_the_end_is_in_every_number) {
    Script typed, whole;
    script_begin(&typed, "view=steps&text=the%20cat%20sat&d-model=16&heads=2", 1920, 1080);
    script_keys(&typed, "Ctrl+L End ' on the mat' Enter");
    script_begin(&whole, SMALL, 1920, 1080);
    assert_int_equal(typed.app->run.T, 6);
    Arena arena = {0};
    Err err;
    size_t bytes = cell_story_bytes(&whole.app->run.layers[0].shape[0]);
    assert_true(arena_reserve(&arena, 2 * bytes, &err));
    for (int i = 0; i < 6; i++) {
        AttnCell at = {0, 1, i, 5};
        arena.used = 0;
        CellStory a = cell_story(&typed.app->run, at, i, &arena);
        CellStory b = cell_story(&whole.app->run, at, i, &arena);
        assert_true(a.score == b.score && a.weight == b.weight && a.output == b.output);
        assert_true(a.dot == b.dot && a.softmax.sum == b.softmax.sum && a.sum == b.sum);
    }
    arena_release(&arena);
    script_end(&typed);
    script_end(&whole);
}

/* Many tokens and features share cells; every matrix stays within the view. */
TEST(large_layers_are_thinned_down) {
    char text[4096] = "view=steps&d-model=256&heads=8&text=";
    for (int i = 0; i < 400; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "w%d%%20", i);
    LOCAL(script_end) Script s;
    script_begin(&s, text, 1920, 1080);
    for (int i = 0; i < drawn_cells_count(&s.list); i++) {
        const DrawCells *m = drawn_cells(&s.list, i);
        assert_true(m->rect.x >= 96 && rect_right(m->rect) <= 1920 - 20);
        assert_true(m->rect.w + 0.01f >= (float)m->cols && m->rect.h + 0.01f >= (float)m->rows);
    }
}
