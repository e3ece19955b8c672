/* In all pictures, every word of every view in every theme has enough contrast with its background.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/hall.h"
#include "app/tour.h"
#include "base/util.h"
#include "draw/theme.h"
#include "support/hall_forms.h"
#include "support/measure.h"
#include "support/script.h"
#include "support/test.h"
#include "views/view.h"

#define LEAST           7.0f  /* WCAG 2.1, 1.4.6 */
#define LEAST_PROJECTED 10.0f /* in a lit room 4.5 falls to 3.4: made for more */
#define LEAST_LIT       4.5f  /* in a room whose light adds FLARE of white to every colour */
#define FLARE           0.05f

#define HALL_FRAMES 10 /* in which the hall finds its layout */

static Colour over(Colour top, Colour under) {
    return colour_mix(under, top | 255, (float)(top & 255) / 255) | 255;
}

/* Find the colour that the commands before one give a point. False if a matrix is there, or a shape
 * whose colour at the point is not known. */
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

/* The contrast of two colours in a lit room. WCAG's ratio to black gives each one's luminance. */
static float lit_contrast(Colour a, Colour b) {
    float first = 0.05f * colour_contrast(a, 255) + FLARE;
    float second = 0.05f * colour_contrast(b, 255) + FLARE;
    return fmaxf(first, second) / fminf(first, second);
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
    bool is_hall = strncmp(what, "hall", 4) == 0;
    if (is_hall && !(lit_contrast(t->colour, ground) >= LEAST_LIT))
        fail_msg("%s: “%.*s” is %08X on %08X, too weak in a lit room", what, (int)t->text_bytes,
                 list->text + t->text_at, (unsigned)t->colour, (unsigned)ground);
    bool is_projected = strstr(what, "theme=projector") != NULL;
    if (!(got >= (is_projected ? LEAST_PROJECTED : LEAST)))
        fail_msg("%s: “%.*s” is %08X on %08X, %.2f", what, (int)t->text_bytes,
                 list->text + t->text_at, (unsigned)t->colour, (unsigned)ground, (double)got);
    compared++;
}

static void check_picture(const char *state) {
    SCRIPT(s, script_open, state);
    for (size_t i = 0; i < s.list.command_count; i++)
        if (s.list.commands[i].kind == DRAW_TEXT)
            check_text(&s.list, i, state);
}

TEST(every_word_can_be_read) {
    static const char *const more[] = {
        "", "&pin=3,5", "&mask=causal&pin=5,2", "&form=merged", "&beside=normal", "&heads=8"};
    for (int view = 0; view < VIEW_REGISTRY.count; view++)
        for (int theme = 0; theme < THEME_COUNT; theme++)
            for (size_t i = 0; i < ARRAY_COUNT(more); i++) {
                const char *text = PRINT("view=%s&theme=%s%s", VIEWS[view].entry.id,
                                         THEMES[theme].entry.id, more[i]);
                check_picture(text);
            }
    assert_true(compared > 1000);
}

static void check_hall(Script *s, const char *what, int step, const int size[2]) {
    tour_go_end(s->app, step);
    script_size(s, (float)size[0], (float)size[1]);
    for (int frames = 0; frames < HALL_FRAMES; frames++)
        script_frame(s);
    const char *name =
        PRINT("hall %s, %s at %d × %d", what, s->app->tour.tour.steps[step].id, size[0], size[1]);
    for (size_t i = 0; i < s->list.command_count; i++)
        if (s->list.commands[i].kind == DRAW_TEXT)
            check_text(&s->list, i, name);
}

/* In the projector's theme, which a light window has too, and in the dark one. */
TEST(a_room_can_read_every_word) {
    static const char *const themes[] = {"light", "dark", "projector"};
    compared = 0;
    for (size_t theme = 0; theme < ARRAY_COUNT(themes); theme++) {
        char tour[sizeof HALL_FORMS + 40];
        const char *from = strstr(HALL_FORMS, "text=");
        snprintf(tour, sizeof tour, "%.*stheme=%s&%s", (int)(from - HALL_FORMS), HALL_FORMS,
                 themes[theme], from);
        SCRIPT(s, script_begin, "", 1920, 1080);
        must(tour_begin_bytes(s.app, "forms", tour, strlen(tour), &told));
        must(presenter_begin(s.app, NULL, 0, &told));
        for (int step = 0; step < s.app->tour.tour.step_count; step++)
            for (size_t i = 0; i < ARRAY_COUNT(HALL_SIZES); i++)
                check_hall(&s, themes[theme], step, HALL_SIZES[i]);
    }
    assert_true(compared > 1000);
}
