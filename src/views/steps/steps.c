#include "views/steps/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/text.h"
#include "ui/transport.h"
#include "ui/tween.h"
#include "views/shared/head_chips.h"
#include "views/steps/steps_view.h"

/* Seconds that each step stays on screen while the view plays, including its animation. */
#define REST_S       2.4
#define LEGEND_W     210
#define LEGEND_LEAST 160
#define LEGEND_AWAY  36
#define ENDS         20 /* px for the numbers that extend beyond the ends of a colour scale */
#define SCALE_H      40
#define NAME_BYTES   24 /* most bytes of a token's name in a sentence */

CellStory steps_story(const ViewContext *c, Arena *arena) {
    const AttnTrace *trace = results_trace(c->run, 0);
    AttnCell at = view_rest(c);
    int column = c->settings->steps_output - 1;
    if (!attn_cell_is_set(at)) {
        int last = c->run->T - 1;
        at = (AttnCell){0, c->session->options.head - 1, last, last};
        Mat A = results_weights(c->run, 0, at.head);
        for (int j = 0; j < c->run->T; j++)
            if (mat_row(&A, last)[j] > mat_row(&A, last)[at.key])
                at.key = j;
    }
    if (column < 0 || column >= trace->Y.cols) {
        const float *y = mat_row(&trace->Y, at.query);
        column = 0;
        for (int m = 0; m < trace->Y.cols; m++)
            if (fabsf(y[m]) > fabsf(y[column]))
                column = m;
    }
    return cell_story(c->run, at, column, arena);
}

/* Return the step after this frame's edits, which may come from several key presses. */
static int step_ahead(const ViewContext *c) {
    for (int i = c->edits->count - 1; i >= 0; i--) {
        const Edit *edit = &c->edits->at[i];
        if (edit->row != NULL && strcmp(edit->row->entry.id, "steps-step") == 0)
            return atoi(edit->value);
    }
    return c->settings->steps_step;
}

void steps_go(const ViewContext *c, int step) {
    c->memory->steps.plays = false;
    if (step != step_ahead(c))
        view_set_number(c, "steps-step", step, 0);
}

bool steps_press(const ViewContext *c, TransportButton button) {
    StepsMemory *m = &c->memory->steps;
    int step = step_ahead(c);
    if (button == TRANSPORT_FAR_BACK || button == TRANSPORT_FAR_FORWARD)
        return false;
    c->ui->again = true;
    if (button == TRANSPORT_PLAY) {
        m->plays = !m->plays;
        m->next_s = c->ui->time_s + REST_S;
        m->serial = ++c->ui->drag_serial;
        if (m->plays && c->settings->steps_step == STEPS_COUNT)
            view_set_number(c, "steps-step", 1, m->serial);
        return true;
    }
    step = button == TRANSPORT_FIRST     ? 1
           : button == TRANSPORT_LAST    ? STEPS_COUNT
           : button == TRANSPORT_BACK    ? step - 1
           : button == TRANSPORT_FORWARD ? step + 1
                                         : step;
    steps_go(c, step < 1 ? 1 : step > STEPS_COUNT ? STEPS_COUNT : step);
    return true;
}

/* Go to the next step when it is time. Stop at the last step, or if the view was hidden. */
static void advance(const ViewContext *c) {
    StepsMemory *m = &c->memory->steps;
    bool was_seen = m->seen_frame + 1 >= c->ui->frame;
    m->seen_frame = c->ui->frame;
    m->plays = m->plays && was_seen && c->settings->steps_step < STEPS_COUNT;
    if (!m->plays)
        return;
    if (c->ui->time_s >= m->next_s && c->ui->first_pass) {
        m->next_s = c->ui->time_s + REST_S;
        view_set_number(c, "steps-step", c->settings->steps_step + 1, m->serial);
    }
    ui_wake(c->ui, m->next_s);
}

/* Draw both colour scales and, if a cell is a block of entries, a note about that. */
static void legends(const Steps *s, Rect rest) {
    Ui *ui = s->c->ui;
    int tokens = s->plan.token_pool, features = s->plan.feature_pool;
    float each = fminf(LEGEND_W, (rest.w - LEGEND_AWAY) / 2);
    if (each < LEGEND_LEAST)
        each = fminf(LEGEND_W, rest.w);
    if (s->plan.part[STEPS_X].w <= 0 || each < LEGEND_LEAST)
        return;
    Rect place = rect_cut_right(&rest, each);
    place = (Rect){place.x, place.y + (place.h - SCALE_H) / 2, each - ENDS, SCALE_H};
    ScaleBar weights = view_scale_of(s->c, view_scale_top(s->c), false);
    weights.name = "A";
    weights.even = view_even_share(s->c);
    scale_bar(ui, place, &weights);
    rect_cut_right(&rest, LEGEND_AWAY);
    if (rest.w < each)
        return;
    place.x = rect_cut_right(&rest, each).x + ENDS;
    ScaleBar others = view_scale_of(s->c, 1, true);
    memcpy(others.words, (const char *[]){"−max", "0", "+max"}, sizeof others.words);
    scale_bar(ui, place, &others);
    rect_cut_right(&rest, 24);
    const char *words = tokens > 1 && features > 1
                            ? PRINT("%d tokens × %d features", tokens, features)
                        : tokens > 1 ? PRINT("%d tokens", tokens)
                                     : PRINT("%d features", features);
    if (tokens > 1 || features > 1)
        text_in(ui, rest, TEXT_BODY | TEXT_RIGHT, "each pixel: maximum of %s\n", words);
    else
        text_in(ui, rest, TEXT_BODY | TEXT_RIGHT, "scale limits: ± next to each name\n");
}

/* Draw the buttons that play the steps, the path that is followed, such as "it → animal → output
 * 25", and the legends. */
static void bar(const Steps *s) {
    const ViewContext *c = s->c;
    Ui *ui = c->ui;
    Transport t = {.plays = c->memory->steps.plays,
                   .at_first = s->step == 1,
                   .at_last = s->step == STEPS_COUNT,
                   .words = {NULL, "The first step.", "One step back.",
                             c->memory->steps.plays ? "Stop at this step." : "Play the steps.",
                             "One step on.", "The last step."}};
    Rect rest = transport_card(ui, s->plan.transport);
    Rect buttons = rect_cut_left(&rest, transport_width(&t));
    TransportButton pressed = transport(ui, ui_id("steps play", 0), buttons, &t);
    if (pressed != TRANSPORT_NONE)
        steps_press(c, pressed);
    char pair[VIEW_PAIR_MAX], text[VIEW_PAIR_MAX + 32];
    view_pair_name(pair, c, s->n.at.query, s->n.at.key, NAME_BYTES);
    snprintf(text, sizeof text, "%s → output %d", pair, s->n.column + 1);
    const char *words[] = {PRINT("Step %d of %d", s->step, STEPS_COUNT), text};
    const unsigned styles[] = {TEXT_STRONG, TEXT_BODY | TEXT_PLAIN};
    rect_cut_left(&rest, 20);
    for (int i = 0; i < 2; i++) {
        if (text_width(ui, styles[i], "%s", words[i]) > rest.w)
            return;
        rect_cut_left(&rest, text_in(ui, rest, styles[i], "%s", words[i]) + 32);
    }
    legends(s, rest);
}

void steps_frame(const ViewContext *c, Rect area) {
    Steps s = {.c = c, .step = c->settings->steps_step, .n = steps_story(c, c->scratch)};
    advance(c);
    s.plan = steps_plan(c, &s.n, area);
    s.row = ui_tween(c->ui, ui_id("steps row", 0), (float)s.n.at.query, MOTION_PIN);
    s.key = ui_tween(c->ui, ui_id("steps key", 0), (float)s.n.at.key, MOTION_PIN);
    s.output = ui_tween(c->ui, ui_id("steps output", 0), (float)s.n.column, MOTION_PIN);
    float at = ui_tween(c->ui, ui_id("steps step", 0), (float)s.step, MOTION_STEP);
    s.flight = fminf(fmaxf(at - (float)(s.step - 1), 0), 1);
    layer_chips(c, head_chips(c, c->beside_title, NULL, NULL), false);
    if (s.plan.part[STEPS_X].w > 0) {
        if (!steps_prepare(&s)) {
            text_wrap(c->ui, &area, TEXT_BODY, "There is too little memory to draw.");
            return;
        }
        steps_row(&s);
        steps_beams(&s);
    }
    steps_cards(&s);
    if (!c->is_hall)
        bar(&s);
}
