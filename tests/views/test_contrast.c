/* A law over pictures: every word of every view, in every theme, can be read on what lies under it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "draw/theme.h"
#include "support/measure.h"
#include "support/script.h"
#include "views/view.h"

#define LEAST           7.0f  /* WCAG 2.1, 1.4.6 */
#define LEAST_PROJECTED 10.0f /* in a lit room 4.5 falls to 3.4: made for more */

static Colour over(Colour top, Colour under) {
    return colour_mix(under, top | 255, (float)(top & 255) / 255) | 255;
}

/* The colour at a point of all that is drawn before a command; false where a matrix or a shape
 * whose colour at a point is not known lies there. */
static bool ground_at(const DrawList *list, size_t before, Vec2 at, Colour *ground) {
    bool known = true;
    *ground = list->ground;
    for (size_t i = 0; i < before; i++) {
        const DrawCommand *c = &list->commands[i];
        if (!rect_contains(c->clip, at))
            continue;
        if (c->kind == DRAW_CELLS && rect_contains(c->as.cells.rect, at))
            known = false;
        const DrawBox *box = &c->as.box;
        if (c->kind != DRAW_BOX || !rect_contains(box->rect, at) ||
            (box->fill & 255) + (box->fill_right & 255) == 0)
            continue;
        float t = (at.x - box->rect.x) / box->rect.w;
        *ground = over(colour_mix(box->fill, box->fill_right, t), *ground);
        known |= (box->fill & 255) == 255 && (box->fill_right & 255) == 255;
    }
    return known;
}

static long compared;

static void check_text(const DrawList *list, size_t i, const char *what) {
    const DrawCommand *c = &list->commands[i];
    const DrawText *t = &c->as.text;
    float width = measure_width(NULL, t->font, t->size, list->text + t->text_at, t->text_bytes);
    Vec2 middle = {t->at.x + width / 2, t->at.y - t->size * 0.35f};
    Colour ground;
    bool is_inactive = (t->colour & 255) < 255; /* WCAG 2.1, 1.4.3 leaves these out */
    if (is_inactive || t->angle_rad != 0 || !rect_contains(c->clip, middle) ||
        !ground_at(list, i, middle, &ground))
        return;
    float got = colour_contrast(t->colour, ground);
    bool is_projected = strstr(what, "theme=projector") != NULL;
    if (!(got >= (is_projected ? LEAST_PROJECTED : LEAST)))
        fail_msg("%s: “%.*s” is %08X on %08X, %.2f", what, (int)t->text_bytes,
                 list->text + t->text_at, (unsigned)t->colour, (unsigned)ground, (double)got);
    compared++;
}

static void check_picture(const char *state) {
    Script s;
    script_begin(&s, state, 1728, 1080);
    for (size_t i = 0; i < s.list.command_count; i++)
        if (s.list.commands[i].kind == DRAW_TEXT)
            check_text(&s.list, i, state);
    script_end(&s);
}

static void every_word_can_be_read(void **state) {
    (void)state;
    static const char *const more[] = {
        "", "&pin=3,5", "&mask=causal&pin=5,2", "&form=merged", "&beside=normal", "&heads=8"};
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (int theme = 0; theme < THEME_COUNT; theme++)
            for (size_t i = 0; i < ARRAY_COUNT(more); i++) {
                char text[256];
                snprintf(text, sizeof text, "view=%s&theme=%s%s", VIEWS[view].entry.id,
                         THEMES[theme].entry.id, more[i]);
                check_picture(text);
            }
    assert_true(compared > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_word_can_be_read)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
