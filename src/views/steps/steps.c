#include "views/steps/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/label.h"
#include "ui/scale_bar.h"
#include "ui/text.h"
#include "ui/transport.h"
#include "ui/tween.h"
#include "views/shared/head_chips.h"
#include "views/steps/steps_view.h"

#define REST_S       2.4 /* seconds that playing stays at a step, its animation included */
#define WORDS        18
#define LEGEND_W     210
#define LEGEND_LEAST 160
#define LEGEND_AWAY  36
#define ENDS         20 /* px for the numbers written beyond the ends of a scale */
#define SCALE_H      40
#define NAME_BYTES   24 /* bytes of a token's name in a sentence */

size_t steps_scratch_bytes(const Results *run) {
    return steps_numbers_bytes(&run->layers[0].shape[run->form]);
}

/* Return the key that a query reads most; the query itself if it reads none. */
static int heaviest_key(const ViewContext *c, int head, int query) {
    Mat A = results_weights(c->run, 0, head);
    const float *row = mat_row(&A, query);
    int best = query;
    for (int j = 0; j < c->run->T; j++)
        if (row[j] > row[best])
            best = j;
    return best;
}

/* Return the column of the largest number in a row of Y, which is followed if the user chose
 * none. */
static int largest_output(const AttnTrace *trace, int query) {
    const float *row = mat_row(&trace->Y, query);
    int best = 0;
    for (int m = 0; m < trace->Y.cols; m++)
        if (fabsf(row[m]) > fabsf(row[best]))
            best = m;
    return best;
}

StepsPlace steps_place(const ViewContext *c) {
    AttnCell cell = view_rest(c);
    const AttnTrace *trace = results_trace(c->run, 0);
    StepsPlace at = {.head = c->session->options.head - 1};
    if (attn_cell_is_set(cell)) {
        at.query = cell.query;
        at.key = cell.key;
    } else {
        at.query = c->run->T - 1;
        at.key = heaviest_key(c, at.head, at.query);
    }
    int chosen = c->settings->steps_output;
    at.output =
        chosen > 0 && chosen <= trace->Y.cols ? chosen - 1 : largest_output(trace, at.query);
    return at;
}

/* Return the step after the edits of this frame, which may contain more than one key press. */
static int step_ahead(const ViewContext *c) {
    for (int i = c->edits->count - 1; i >= 0; i--) {
        const Edit *edit = &c->edits->at[i];
        if (edit->row != NULL && strcmp(edit->row->entry.id, "steps-step") == 0)
            return atoi(edit->value);
    }
    return c->settings->steps_step;
}

void steps_go(const ViewContext *c, int step) {
    char value[16];
    c->memory->steps.plays = false;
    if (step == step_ahead(c))
        return;
    snprintf(value, sizeof value, "%d", step);
    view_set(c, "steps-step", value, 0);
}

static void play(const ViewContext *c, bool plays) {
    StepsMemory *m = &c->memory->steps;
    m->plays = plays;
    m->next_s = c->ui->time_s + REST_S;
    m->serial = ++c->ui->drag_serial;
    c->ui->again = true;
    if (plays && c->settings->steps_step == STEPS_COUNT)
        view_set(c, "steps-step", "1", m->serial);
}

bool steps_press(const ViewContext *c, TransportButton button) {
    if (button == TRANSPORT_FAR_BACK || button == TRANSPORT_FAR_FORWARD)
        return false;
    int step = step_ahead(c);
    StepsMemory *m = &c->memory->steps;
    if (button == TRANSPORT_PLAY) {
        play(c, !m->plays);
        return true;
    }
    m->plays = false;
    step = button == TRANSPORT_FIRST     ? 1
           : button == TRANSPORT_LAST    ? STEPS_COUNT
           : button == TRANSPORT_BACK    ? step - 1
           : button == TRANSPORT_FORWARD ? step + 1
                                         : step;
    c->ui->again = true;
    steps_go(c, step < 1 ? 1 : step > STEPS_COUNT ? STEPS_COUNT : step);
    return true;
}

/* Go to the next step when it is time; stop at the last step. */
static void advance(const ViewContext *c) {
    StepsMemory *m = &c->memory->steps;
    char value[16];
    bool was_seen = m->seen_frame + 1 >= c->ui->frame;
    m->seen_frame = c->ui->frame;
    m->plays = m->plays && was_seen;
    if (!m->plays)
        return;
    if (c->settings->steps_step >= STEPS_COUNT) {
        m->plays = false;
        return;
    }
    if (c->ui->time_s >= m->next_s && c->ui->first_pass) {
        m->next_s = c->ui->time_s + REST_S;
        snprintf(value, sizeof value, "%d", c->settings->steps_step + 1);
        view_set(c, "steps-step", value, m->serial);
    }
    ui_wake(c->ui, m->next_s);
}

/* Write the name of the colour scale's matrix, or that a cell is a block of entries. */
static void legend_words(const Steps *s, char *out, size_t capacity) {
    int tokens = s->plan.token_pool, features = s->plan.feature_pool;
    if (tokens > 1 && features > 1)
        snprintf(out, capacity, "each pixel: maximum of %d tokens × %d features", tokens, features);
    else if (tokens > 1 || features > 1)
        snprintf(out, capacity, "each pixel: maximum of %d %s", tokens > 1 ? tokens : features,
                 tokens > 1 ? "tokens" : "features");
    else
        snprintf(out, capacity, "scale limits: ± next to each name");
}

static void legends(const Steps *s, Rect rest) {
    Ui *ui = s->c->ui;
    LabelStyle words = {FONT_SANS, WORDS, ui->theme->text_2, LABEL_RIGHT};
    char signed_words[80];
    legend_words(s, signed_words, sizeof signed_words);
    float each = fminf(LEGEND_W, (rest.w - LEGEND_AWAY) / 2);
    if (s->plan.part[STEPS_X].w <= 0)
        return;
    if (each < LEGEND_LEAST)
        each = fminf(LEGEND_W, rest.w);
    if (each < LEGEND_LEAST)
        return;
    Rect place = rect_cut_right(&rest, each);
    place = (Rect){place.x, place.y + (place.h - SCALE_H) / 2, each - ENDS, SCALE_H};
    scale_bar(ui, place,
              &(ScaleBar){.palette = s->c->settings->palette,
                          .hi = view_scale_top(s->c),
                          .name = "A",
                          .marked = NAN,
                          .even = view_even_share(s->c)});
    rect_cut_right(&rest, LEGEND_AWAY);
    if (rest.w < each)
        return;
    place.x = rect_cut_right(&rest, each).x + ENDS;
    scale_bar(ui, place,
              &(ScaleBar){.palette = ui->theme->signed_palette,
                          .lo = -1,
                          .hi = 1,
                          .name = "",
                          .marked = NAN,
                          .words = {"−max", "0", "+max"}});
    rect_cut_right(&rest, 24);
    if (label_width(ui, words.font, words.size, signed_words, strlen(signed_words)) <= rest.w)
        label_draw(ui, rest, &words, signed_words);
}

static void bar(const Steps *s) {
    const ViewContext *c = s->c;
    if (c->is_hall)
        return;
    Transport t = {.plays = c->memory->steps.plays,
                   .at_first = s->step == 1,
                   .at_last = s->step == STEPS_COUNT,
                   .words = {NULL, "The first step.", "One step back.", "Play the steps.",
                             "One step on.", "The last step."}};
    if (t.plays)
        t.words[TRANSPORT_PLAY] = "Stop at this step.";
    Rect rest = transport_card(c->ui, s->plan.transport);
    Rect buttons = rect_cut_left(&rest, transport_width(&t));
    TransportButton pressed = transport(c->ui, ui_id("steps play", 0), buttons, &t);
    if (pressed != TRANSPORT_NONE)
        steps_press(c, pressed);
    char text[VIEW_PAIR_MAX + 32];
    snprintf(text, sizeof text, "Step %d of %d", s->step, STEPS_COUNT);
    rect_cut_left(&rest, 20);
    if (rest.w < text_width(c->ui, TEXT_STRONG, "%s", text))
        return;
    rect_cut_left(&rest, text_in(c->ui, rest, TEXT_STRONG, "%s", text) + 32);
    /* Write "it → animal → output 25". */
    char pair[VIEW_PAIR_MAX];
    view_pair_name(pair, s->c, s->n.at.query, s->n.at.key, NAME_BYTES);
    snprintf(text, sizeof text, "%s → output %d", pair, s->n.at.output + 1);
    if (text_width(c->ui, TEXT_BODY | TEXT_PLAIN, "%s", text) > rest.w)
        return;
    rect_cut_left(&rest, text_in(c->ui, rest, TEXT_BODY | TEXT_PLAIN, "%s", text) + 32);
    legends(s, rest);
}

void steps_frame(const ViewContext *c, Rect area) {
    Steps s = {.c = c, .step = c->settings->steps_step};
    s.n = steps_numbers(c->run, c->session, steps_place(c), c->scratch);
    advance(c);
    s.plan = steps_plan(c, &s.n, area);
    s.row = ui_tween(c->ui, ui_id("steps row", 0), (float)s.n.at.query, MOTION_PIN);
    s.key = ui_tween(c->ui, ui_id("steps key", 0), (float)s.n.at.key, MOTION_PIN);
    s.output = ui_tween(c->ui, ui_id("steps output", 0), (float)s.n.at.output, MOTION_PIN);
    float at = ui_tween(c->ui, ui_id("steps step", 0), (float)s.step, MOTION_STEP);
    s.flight = fminf(fmaxf(at - (float)(s.step - 1), 0), 1);
    head_chips(c, c->beside_title, NULL, NULL);
    if (s.plan.part[STEPS_X].w > 0 && !steps_prepare(&s)) {
        LabelStyle style = {FONT_SANS, WORDS, c->ui->theme->text_2, LABEL_LEFT};
        label_wrap(c->ui, area, &style, "There is too little memory to draw.");
        return;
    }
    if (s.plan.part[STEPS_X].w > 0) {
        steps_row(&s);
        steps_beams(&s);
    }
    steps_cards(&s);
    bar(&s);
}
