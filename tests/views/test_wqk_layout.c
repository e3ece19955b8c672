/* No part of a page of W_QK is cut off or overlaps another, no command is lost and every number is
 * finite (the script checks both), at any size and scale of the window, for any data. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "draw/part.h"
#include "support/measure.h"
#include "support/script.h"
#include "support/test.h"
#include "support/words.h"
#include "views/wqk/wqk.h"

#define COVERS 128 /* least alpha of a box that hides commands below it */

/* At each scale, the largest first. */
static const struct {
    const char *scale;
    float size[5][2];
} WINDOWS[] = {
    {"1", {{1920, 1080}, {1440, 900}, {1366, 768}, {1024, 768}, {800, 600}}},
    {"1.5", {{3840, 2160}, {1366, 768}}},
};

static const char *const STATES[] = {
    "",
    "&wqk-against=rank&wqk-rank=10",
    "&heads=64&wqk-rank=64",
    "&d-model=256&wqk-against=rank&wqk-rank=101",
    "&positions=rope&wqk-offset=-3&wqk-turn=0.5",
    "&form=free",
    "&form=nested&bias=all&wqk-entry=65,65",
    "&wqk-product=ov&wqk-gauge=any&wqk-turn=1&wqk-against=gauge",
    "&heads=2",
    "&d-model=8&heads=2&d-k=24",
    "&init=zeros&text=one",
    "&form=merged",
    "&form=merged&wqk-against=rank&wqk-entry=3,4",
    "&d-model=8&heads=2&d-k=2&wqk-against=rank",
    "&d-model=1&heads=1",
    "&d-model=200&heads=1&wqk-rank=200&bias=all",
    "&d-model=16&heads=1&d-k=100&d-v=100&wqk-product=ov",
    "&form=rank:4&mask=causal",
    /* NOLINTNEXTLINE(bugprone-suspicious-missing-comma) */
    "&text=a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k%20l%20m%20n%20o%20p%20q%20r%20s%20t%20u%20v%"
    "20w%20x%20y%20z%20a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k%20l%20m%20n%20o%20p%20q%20r%20s%"
    "20t%20u%20v%20w%20x%20y%20z&positions=rope",
    "&wqk-p=4096&wqk-n=4096&wqk-m=2049&d-model=128&heads=4&wqk-rank=128&init=normal",
    "&d-k=1&mask=window:0&init=normal&temperature=1e-06",
    "&init=identity&heads=1&wqk-p=4096&wqk-n=4096&wqk-m=1",
};

/* Words of ours are whole: not cut, not below a box, not on a matrix; those of a person may be
 * cut. */
static void check_word(const DrawList *list, const Word *w, void *what) {
    static const char *const ours[] = {"Computing…", "More…", "free: computing…", "…",    "beca…",
                                       "becau…",     "view=", "d-model=",         "text="};
    bool is_cut = w->bytes >= 3 && memcmp(w->text + w->bytes - 3, "…", 3) == 0;
    Rect seen = rect_intersect(w->around, w->clip);
    for (size_t k = 0; k < ARRAY_COUNT(ours); k++)
        is_cut = is_cut && strncmp(w->text, ours[k], strlen(ours[k])) != 0;
    if (is_cut && seen.y > 110 && seen.w > 0 && seen.h > 0)
        words_fail(what, "is cut off", w, NULL);
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawCommand *c = &list->commands[i];
        bool is_box = c->kind == DRAW_BOX && i > w->at && (c->as.box.fill & 255) >= COVERS &&
                      c->as.box.rect.w > 16;
        if (c->layer != w->layer || w->is_rotated || !(is_box || c->kind == DRAW_CELLS))
            continue;
        Rect both = is_box ? c->as.box.rect : c->as.cells.rect;
        both = rect_intersect(rect_intersect(both, c->clip), seen);
        if (both.w > 2 && both.h > 1)
            words_fail(what, is_box ? "is covered" : "lies on a matrix", w, NULL);
    }
}

static void check_page(const char *page, const char *more, size_t scale) {
    char state[512], what[640];
    snprintf(state, sizeof state, "view=wqk&wqk-page=%s&ui-scale=%s%s", page, WINDOWS[scale].scale,
             more);
    SCRIPT(s, script_begin_typical, state, 1920, 1080);
    for (size_t k = 0; k < 5 && WINDOWS[scale].size[k][0] > 0; k++) {
        const float *size = WINDOWS[scale].size[k];
        int count;
        snprintf(what, sizeof what, "%s, %.0f × %.0f", state, (double)size[0], (double)size[1]);
        script_size(&s, size[0], size[1]);
        const Word *words = words_of(&s.list, &s.measure, &count);
        words_check(&s.list, words, count, words_fail, what);
        for (int i = 0; i < count; i++)
            check_word(&s.list, &words[i], what);
    }
}

TEST(every_page_at_every_size) {
    for (size_t i = 0; i < ARRAY_COUNT(STATES); i++)
        for (int page = 0; page < WQK_PAGES.count; page++)
            for (size_t scale = 0; scale < ARRAY_COUNT(WINDOWS); scale++)
                check_page(registry_entry(&WQK_PAGES, page)->id, STATES[i], scale);
}

/* The left end of what says this about as large as like and in its line; fails where it is not
 * there. */
static float beside(const DrawList *list, const DrawText *like, const char *text,
                    const char *what) {
    const DrawCommand *found;
    for (int nth = 0; (found = drawn_text(list, text, nth)) != NULL; nth++) {
        const DrawText *t = &found->as.text;
        if (t->size > 0.9f * like->size && fabsf(t->at.y - like->at.y) < 1)
            return t->at.x;
    }
    fail_msg("%s: no “%s” stands in the line of “KL”", what, text);
    return 0;
}

/* Each behind a piece of its curve, and right of what they are of. */
TEST(what_is_lost_has_a_name_for_each_curve) {
    static const char *const names[] = {"W", "S", "max", "KL"};
    static const float sizes[][2] = {{1920, 1080}, {1024, 768}, {900, 700}, {840, 700}};
    for (size_t k = 0; k < ARRAY_COUNT(sizes); k++) {
        const char *what = PRINT("%.0f × %.0f", (double)sizes[k][0], (double)sizes[k][1]);
        SCRIPT(s, script_begin_typical, "view=wqk", sizes[k][0], sizes[k][1]);
        const DrawCommand *last = drawn_text(&s.list, "KL", 0),
                          *heading = drawn_beginning(&s.list, "Lost");
        assert_non_null(last);
        assert_non_null(heading);
        float end =
            heading->as.text.at.x + measure_typical_width(NULL, FONT_SANS_BOLD, 20, "Lost", 4);
        for (size_t i = 0; i < ARRAY_COUNT(names); i++) {
            float x = beside(&s.list, &last->as.text, names[i], what);
            if (x < end + 18)
                fail_msg("%s: there is no room for the curve before “%s”", what, names[i]);
            end = x;
        }
    }
}

/* The subtitle gives way to the chips of the heads. */
TEST(the_chips_of_the_heads_are_shown_at_every_scale) {
    static const char *const scales[] = {"1", "1.1", "1.2", "1.3", "1.4", "1.5"};
    static const float sizes[][2] = {{1024, 768}, {1366, 768}, {1920, 1080}};
    for (size_t i = 0; i < ARRAY_COUNT(scales) * ARRAY_COUNT(sizes); i++) {
        const float *size = sizes[i % ARRAY_COUNT(sizes)];
        const char *string = PRINT("view=wqk&ui-scale=%s", scales[i / ARRAY_COUNT(sizes)]);
        SCRIPT(s, script_begin_typical, string, size[0], size[1]);
        if (drawn_text(&s.list, "Head", 0) == NULL)
            fail_msg("%s at %.0f has no chips", string, (double)size[0]);
    }
}

/* Its cells are lower than wide if a square would be one pixel. */
TEST(the_output_is_wide_enough_to_compare) {
    static const float sizes[][2] = {{1024, 768}, {1366, 768}, {1920, 1080}};
    for (size_t i = 0; i < ARRAY_COUNT(sizes); i++) {
        SCRIPT(s, script_begin_typical, "view=wqk&wqk-product=ov", sizes[i][0], sizes[i][1]);
        const DrawPart *part = script_part(&s, "wqk.proof");
        int count = 0;
        for (size_t k = 0; k < s.list.command_count; k++) {
            const DrawCells *cells = &s.list.commands[k].as.cells;
            if (s.list.commands[k].kind != DRAW_CELLS || cells->cols != 64 ||
                !rect_contains(part->rect, rect_centre(cells->rect)))
                continue;
            assert_true(cells->rect.w >= 140);
            assert_true(cells->rect.h >= 12 * (1 / s.list.scale) - 0.01f);
            count++;
        }
        assert_true(count >= 2); /* there may be no room for the difference */
    }
}

/* Whatever R is turned to, the attention stays: none is so far out of the round that rounding would
 * make another one of it. */
TEST(no_gauge_moves_the_attention) {
    static const char *const kinds[] = {"rotation", "any"};
    for (int seed = 1; seed <= 6; seed++)
        for (int kind = 0; kind < 2; kind++) {
            const char *text = PRINT(
                "view=wqk&seed=%d&wqk-gauge-seed=%d&wqk-against=gauge&wqk-gauge=%s&wqk-turn=%g",
                seed, seed, kinds[kind], seed % 2 == 0 ? 1.0 : 0.7);
            SCRIPT(s, script_begin, text, 1920, 1080);
            script_play(&s, "{A unchanged} -{A changes}");
        }
}
