/* Nothing in the frame around the views is cut off or overlaps, at any size and scale of the
 * window. */
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/measure.h"
#include "support/script.h"
#include "support/test.h"

static const float SIZES[][2] = {{1024, 768},  {1280, 800},  {1366, 768}, {1440, 900},
                                 {1920, 1080}, {2560, 1440}, {3840, 2160}};
static const char *const UI_SCALES[] = {"0.75", "1", "1.25", "1.5", "2", "2.5", "3"};

typedef struct Word {
    Rect box;
    const char *text;
    size_t bytes;
} Word;

/* Collect the upright text of one layer. */
static int collect(const DrawList *list, int layer, Word *out, int most) {
    int count = 0;
    for (size_t i = 0; i < list->command_count && count < most; i++) {
        const DrawCommand *c = &list->commands[i];
        const DrawText *t = &c->as.text;
        if (c->kind != DRAW_TEXT || c->layer != layer || t->angle_rad != 0)
            continue;
        const char *text = list->text + t->text_at;
        float width = measure_width(NULL, t->font, t->size, text, t->text_bytes);
        Rect box = {t->at.x, t->at.y - 0.72f * t->size, width, 0.72f * t->size};
        Rect seen = rect_intersect(box, c->clip);
        bool scrolls_out = seen.w <= 0 || seen.h < box.h - 1; /* part of an area that scrolls */
        if (scrolls_out && c->clip.h < list->height)
            continue;
        out[count++] = (Word){box, text, t->text_bytes};
    }
    return count;
}

static bool in_rect(Rect box, Rect area) {
    return box.x >= area.x - 1 && box.y >= area.y - 1 && rect_right(box) <= rect_right(area) + 1 &&
           rect_bottom(box) <= rect_bottom(area) + 1;
}

static void check_words(const Script *s, const Word *words, int count, const char *scale) {
    Rect window = {0, 0, s->list.width, s->list.height};
    for (int i = 0; i < count; i++) {
        const Word *w = &words[i];
        bool is_chip = w->box.y < 64; /* those scroll and fade at the ends */
        if (!is_chip && !in_rect(w->box, window))
            fail_msg("%.0f × %.0f at %s: “%.*s” leaves the window", (double)s->width_px,
                     (double)s->height_px, scale, (int)w->bytes, w->text);
        for (int k = 0; k < i; k++) {
            Rect both = rect_intersect(w->box, words[k].box);
            if (both.w > 1 && both.h > 1 && !is_chip)
                fail_msg("%.0f × %.0f at %s: “%.*s” lies on “%.*s”", (double)s->width_px,
                         (double)s->height_px, scale, (int)w->bytes, w->text, (int)words[k].bytes,
                         words[k].text);
        }
    }
}

/* The sheets that can be open, and none. */
static const struct {
    uint32_t key;
    unsigned mods;
    int layer;
} STATES[] = {{0, 0, 0}, {'?', 0, 1}, {'o', 0, 1}, {'k', KEY_MOD_COMMAND, 1}};

TEST(every_size_and_scale_holds) {
    static Word words[4096];
    for (size_t i = 0; i < ARRAY_COUNT(SIZES); i++)
        for (size_t k = 0; k < ARRAY_COUNT(UI_SCALES); k++)
            for (size_t n = 0; n < ARRAY_COUNT(STATES); n++) {
                LOCAL(script_end) Script s;
                char text[64];
                snprintf(text, sizeof text, "ui-scale=%s", UI_SCALES[k]);
                script_begin(&s, text, SIZES[i][0], SIZES[i][1]);
                if (STATES[n].key != 0)
                    script_key(&s, STATES[n].key, STATES[n].mods);
                int count = collect(&s.list, STATES[n].layer, words, (int)ARRAY_COUNT(words));
                assert_true(count > 3);
                check_words(&s, words, count, UI_SCALES[k]);
            }
}
