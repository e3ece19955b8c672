#include <math.h>

#include "base/number.h"
#include "draw/part.h"
#include "ui/formula.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/steps/steps_view.h"

#define RADIUS    14
#define PAD       12
#define WORDS_MIN 110 /* px: a narrower background has only names, no words */
#define NAME_SIZE 20
#define NAME_AWAY 8 /* px from a matrix up to its name's baseline */
#define LINE_H    24

#define LEARNED_HELP                                                                               \
    "Training sets these numbers. A text does not change them: the tokens of every text pass "     \
    "through the same matrices."
#define COMPUTED_HELP                                                                              \
    "Each text has scores and attention weights of its own. They are computed from X and the "     \
    "learned matrices."

/* Draw a title and its meaning, and, if known, the number of its numbers that the last edit
 * changed. */
static void words(const Steps *s, Rect place, const char *title, const char *meaning,
                  const char *help, long long changed, long long all, const char *what) {
    Ui *ui = s->c->ui;
    UiId id = ui_id(meaning, (int)place.x);
    if (place.w < WORDS_MIN)
        return;
    tooltip_on(ui, id, place, ui_over(ui, place), &(Tooltip){.title = title, .text = help});
    place.h = fminf(place.h, LINE_H * (s->c->before != NULL ? 3 : 2));
    text_in(ui, rect_cut_top(&place, LINE_H), TEXT_STRONG, "%s", title);
    text_in(ui, rect_cut_top(&place, LINE_H), TEXT_CAPTION, "%s", meaning);
    if (s->c->before != NULL)
        text_in(ui, place, TEXT_NOTE | TEXT_BRIGHT, "%s of %s %s changed\n%s of %s changed",
                GROUPED(changed), GROUPED(all), what, GROUPED(changed), GROUPED(all));
}

static void name(const Steps *s, StepsPart part) {
    Ui *ui = s->c->ui;
    Vec2 at = {s->plan.part[part].x, s->plan.part[part].y - NAME_AWAY};
    formula_draw(ui, at, NAME_SIZE, ui->theme->text_1, steps_name(&s->n, part));
}

void steps_learned(const Steps *s) {
    const StepsPlan *plan = &s->plan;
    const ResultsChange *change = &s->c->memory->steps.change;
    for (int i = 0; i < 2; i++) {
        Rect ground = plan->learned[i], place = rect_inset(ground, PAD, PAD - 2);
        if (ground.w <= 0)
            return;
        draw_fill(s->c->ui->list, ground, RADIUS, s->c->ui->theme->raised);
        draw_part(s->c->ui->list, PART_RECT(ground), "steps.learned.%d", i + 1);
        place.w = plan->part[i == 0 ? STEPS_W_Q : STEPS_W_O].x - PAD - place.x;
        words(s, place, "Learned", "the same for every text", LEARNED_HELP, change->learned,
              change->learned_all, "learned numbers");
    }
    words(s, rect_inset(plan->computed, 0, PAD - 2), "Computed", "from this text", COMPUTED_HELP,
          change->weights, change->weights_all, "attention weights");
    for (StepsPart p = STEPS_W_Q; p < STEPS_ALL; p++)
        if (plan->part[p].w > 0)
            name(s, p);
}
