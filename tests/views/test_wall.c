#include <math.h>
#include <string.h>

#include "base/util.h"
#include "support/measure.h"
#include "support/script.h"
#include "support/test.h"
#include "views/heads/heads_parts.h"

#define TOKENS_LAID 1024

/* All that a layout looks at: no weights are computed. */
typedef struct Fixture {
    DrawList list;
    TextMeasure measure;
    Ui ui;
    Session session;
    Results run;
    TokenLabel labels[TOKENS_LAID];
    Settings settings;
    ViewMemory memory;
    ViewContext context;
} Fixture;

static void fixture_open(Fixture *f, float width, float height, float scale) {
    memset(f, 0, sizeof *f);
    assert_true(view_memory_create(&f->memory));
    draw_begin(&f->list, width, height, scale, 0);
    f->measure = measure_fixed(NULL);
    f->ui.list = &f->list;
    f->ui.measure = &f->measure;
    must(session_init(&f->session, &told));
    f->run.valid = true;
    f->run.layer_count = 1;
    f->run.text = f->session.text;
    f->run.labels = f->labels;
    for (int i = 0; i < TOKENS_LAID; i++)
        f->labels[i] =
            (TokenLabel){.bytes = f->session.text->bytes + i % 4, .size = (size_t)(1 + i % 12)};
    f->context = (ViewContext){.ui = &f->ui,
                               .session = &f->session,
                               .run = &f->run,
                               .settings = &f->settings,
                               .memory = &f->memory};
}

static void fixture_close(Fixture *f) {
    view_memory_release(&f->memory, NULL);
    session_release(&f->session);
    draw_release(&f->list);
}

static bool apart(Rect a, Rect b) {
    Rect both = rect_intersect(a, b);
    return both.w <= 0 || both.h <= 0;
}

static void check_layout(Fixture *f, Rect area, int heads, int T, bool labels) {
    f->run.T = T;
    WallLayout l = wall_layout(&f->context, area, labels, heads);
    const char *what = PRINT("%d heads, %d tokens, %.0fx%.0f at %.2f", heads, T, (double)area.w,
                             (double)area.h, (double)f->list.scale);
    assert_true(isfinite(l.cell) && l.cell > 0);
    assert_true(l.columns >= 1 && l.columns <= heads && l.rows * l.columns >= heads);
    assert_true((l.rows - 1) * l.columns < heads);
    float px = l.cell * f->list.scale;
    if (px >= 1 && fabsf(px - roundf(px)) > 1e-3f)
        fail_msg("%s: a cell is %.3f device pixels", what, (double)px);
    for (int a = 0; a < heads; a++) {
        Rect m = wall_matrix(&l, a);
        if (m.x < area.x - 1 || rect_right(m) > rect_right(area) + 1)
            fail_msg("%s: head %d lies from %.1f to %.1f of %.1f", what, a, (double)m.x,
                     (double)rect_right(m), (double)rect_right(area));
        for (int b = 0; b < a; b++)
            if (!apart(m, wall_matrix(&l, b)))
                fail_msg("%s: heads %d and %d overlap", what, b, a);
    }
    assert_float_equal(wall_right(&l), rect_right(wall_matrix(&l, l.columns - 1)), 1e-3);
}

TEST(matrices_never_overlap_and_stay_inside) {
    static const int tokens[] = {1, 2, 12, 128, 1024};
    static const Rect areas[] = {{128, 190, 760, 780},   {96, 164, 600, 500}, {96, 164, 1400, 900},
                                 {16, 84, 470, 700},     {64, 64, 388, 180},  {96, 120, 3000, 1900},
                                 {96, 120, 2000, 240.5f}};
    static const float scales[] = {0.83f, 1, 2, 2.49f};
    static Fixture f;
    for (size_t s = 0; s < ARRAY_COUNT(scales); s++) {
        fixture_open(&f, 4000, 3000, scales[s]);
        for (size_t a = 0; a < ARRAY_COUNT(areas); a++)
            for (size_t t = 0; t < ARRAY_COUNT(tokens); t++)
                for (int heads = 1; heads <= 64; heads++)
                    check_layout(&f, areas[a], heads, tokens[t], (heads + (int)t) % 2 == 0);
        fixture_close(&f);
    }
}

TEST(a_wall_that_can_fits_in_height_too) {
    static Fixture f;
    Rect area = {128, 190, 760, 780};
    fixture_open(&f, 1728, 1080, 1);
    for (int heads = 1; heads <= 16; heads++)
        for (int T = 1; T <= 64; T++) {
            f.run.T = T;
            WallLayout l = wall_layout(&f.context, area, true, heads);
            if (wall_bottom(&l) > rect_bottom(area) + 1)
                fail_msg("%d heads, %d tokens", heads, T);
        }
    fixture_close(&f);
}

TEST(heads_stand_in_a_grid_near_a_square) {
    static Fixture f;
    static const int columns[][2] = {{1, 1}, {2, 2}, {4, 2}, {9, 3}, {16, 4}};
    fixture_open(&f, 1728, 1080, 1);
    f.run.T = 12;
    for (size_t i = 0; i < ARRAY_COUNT(columns); i++) {
        WallLayout l = wall_layout(&f.context, (Rect){128, 190, 760, 780}, true, columns[i][0]);
        assert_int_equal(l.columns, columns[i][1]);
    }
    fixture_close(&f);
}

TEST(cells_are_no_larger_than_they_need_be) {
    static Fixture f;
    fixture_open(&f, 3840, 2160, 1);
    f.run.T = 1;
    WallLayout l = wall_layout(&f.context, (Rect){0, 0, 3000, 2000}, true, 1);
    assert_float_equal(l.cell, 96, 1e-3);
    assert_true(l.gap == 1);
    f.run.T = 1024;
    l = wall_layout(&f.context, (Rect){0, 0, 600, 600}, true, 1);
    assert_true(l.cell < 1 && l.gap == 0);
    fixture_close(&f);
}

/* "1.2e−20 / 1.001 = 1.2e−20": a weight that is too small for decimals. */
TEST(no_weight_that_is_none_reads_as_zero) {
    int small = 0;
    for (int key = 1; key <= 12; key++) {
        SCRIPT(s, script_open, PRINT("temperature=0.1&pin=4,%d", key));
        for (size_t i = 0; i < s.list.command_count; i++) {
            const char *text = drawn_words(&s.list, i), *result = strstr(text, " = ");
            if (strstr(text, " / ") == NULL || result == NULL || strchr(text, 'e') == NULL)
                continue;
            small++;
            if (strpbrk(result, "123456789") == NULL)
                fail_msg("%s", text);
        }
        assert_null(drawn_text(&s.list, "0.000", 0));
    }
    assert_true(small > 3);
}

static int texts_in(const DrawList *list, Rect rect) {
    int count = 0;
    for (size_t i = 0; i < list->command_count; i++)
        count += list->commands[i].kind == DRAW_TEXT &&
                 rect_contains(rect, list->commands[i].as.text.at);
    return count;
}

/* A minus is a dash or a number's own sign, never the one through the other. */
TEST(no_number_is_struck_through) {
    static const char *const states[] = {"text=king%20queen%20dog&show=scores&focus=nothing",
                                         "show=scores&focus=nothing",
                                         "show=scores&numbers=fit&focus=nothing&heads=1",
                                         "show=scores&numbers=fit&focus=nothing&heads=16"};
    int numbered = 0;
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        SCRIPT(s, script_begin, states[i], 1440, 900);
        const DrawCells *cells = drawn_cells(&s.list, 0);
        assert_true(cells != NULL && PALETTES[cells->palette].is_signed);
        int texts = texts_in(&s.list, cells->rect);
        assert_int_equal(texts, cells->has_numbers ? cells->rows * cells->cols : 0);
        numbered += cells->has_numbers;
    }
    assert_int_equal(numbered, 2);
}

/* Colours tell how sharp attention is: at a high temperature all are dark, not stretched. */
TEST(neither_temperature_nor_mask_shortens_the_scale) {
    static const struct {
        const char *state;
        float least, most; /* of the scale's end, in units of that at temperature 1 */
    } cases[] = {{"temperature=7.84", 1, 1},
                 {"temperature=7.84&view=steps", 1, 1},
                 {"temperature=3&mask=window:4", 1, 1.2f},
                 {"temperature=7.84&range=each", 0, 0.5f}};
    SCRIPT(s, script_begin, "embedding=random", 1440, 900);
    float end = drawn_cells(&s.list, 0)->hi;
    assert_true(end < 1 && drawn_beginning(&s.list, "even share .083") != NULL);
    script_end(&s);
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        bool is_steps = strstr(cases[i].state, "steps") != NULL;
        const char *text = PRINT("embedding=random&%s", cases[i].state);
        script_begin(&s, text, 1440, 900);
        float hi = drawn_cells(&s.list, is_steps ? 5 : 0)->hi;
        if (!(hi >= cases[i].least * end - 1e-6f && hi <= cases[i].most * end + 1e-6f))
            fail_msg("%s: %g of %g", cases[i].state, (double)hi, (double)end);
        bool has_mask = strstr(text, "mask") != NULL,
             names = drawn_beginning(&s.list, "even share .") != NULL;
        if (!is_steps && names == has_mask) /* the bar of Steps may be too short */
            fail_msg("%s: an even share is %s", text, names ? "named" : "not named");
        script_end(&s);
    }
    script_begin(&s, "embedding=random&temperature=7.84&range=unit", 1440, 900);
    assert_true(drawn_cells(&s.list, 0)->hi == 1);
}
