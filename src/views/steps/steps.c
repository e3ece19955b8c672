#include "views/steps/steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "draw/part.h"
#include "model/attention/block.h"
#include "ui/formula.h"
#include "ui/text.h"
#include "ui/transport.h"
#include "ui/tween.h"
#include "views/inspector/inspector.h"
#include "views/shared/head_chips.h"
#include "views/steps/steps_view.h"

#define LEGEND_W      210
#define LEGEND_LEAST  160
#define LEGEND_AWAY   36
#define ENDS          20 /* px by which a scale's numbers extend beyond its ends */
#define SCALE_H       40
#define NAME_BYTES    24 /* maximum bytes of a token's name in a sentence */
#define FORMULA_MAX   160
#define TOKEN_MOST    8 /* maximum bytes of a token in a formula */
#define CARD_PAD      16
#define DISC          26
#define HEADER_H      34
#define FORMULA_H     44
#define FORMULA_LOW   34
#define FORMULA_SIZE  24
#define FORMULA_LEAST 20    /* minimum size of a formula next to a title */
#define LOW           210   /* px: in a lower card the formula and the result need less height */
#define HOVERED       0.45f /* opacity of a card's background under the pointer */
#define GROUND_OUT    18    /* px by which the current card's background extends beyond its text */

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
    c->memory->steps.player.plays = false;
    if (step != step_ahead(c))
        view_set_number(c, "steps-step", step, 0);
}

bool steps_press(const ViewContext *c, TransportButton button) {
    Player *player = &c->memory->steps.player;
    if (button == TRANSPORT_FAR_BACK || button == TRANSPORT_FAR_FORWARD)
        return false;
    if (button == TRANSPORT_PLAY) {
        view_player_set(c, player, !player->plays);
        if (player->plays && c->settings->steps_step == STEPS_COUNT)
            view_set_number(c, "steps-step", 1, player->serial);
        return true;
    }
    steps_go(c, view_player_step(button, step_ahead(c), 1, STEPS_COUNT));
    c->ui->again = true;
    return true;
}

/* True if a word consists of plain letters only. Other characters have a meaning in a formula. */
static bool is_plain_word(const char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (!((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')))
            return false;
    return bytes > 0 && bytes <= TOKEN_MOST;
}

static void project_formula(char out[FORMULA_MAX], const Steps *s) {
    const AttnShape *shape = s->n.shape;
    int i = s->n.at.query + 1;
    bool is_normed = shape->block == BLOCK_PRE_NORM;
    const char *x = is_normed ? PRINT("%s(x_{%d})", block_norm_name(shape), i) : PRINT("x_{%d}", i);
    const char *bias = shape->bias == BIAS_ALL ? " + b_Q" : "";
    if (!attn_has_factors(shape))
        snprintf(out, FORMULA_MAX, "%s_{%d} W_{QK}", block_owns_input(shape) ? "x'" : "x", i);
    else if (shape->form == FORM_NESTED)
        snprintf(out, FORMULA_MAX, "q_{%d} = %s W^Q W_{%d}^Q%s", i, x, s->n.at.head + 1, bias);
    else
        snprintf(out, FORMULA_MAX, "q_{%d} = %s W_Q%s", i, x, bias);
}

static void head_formula(char out[FORMULA_MAX], const Steps *s) {
    float gain = hand_head_gain(s->n.trace->hand, s->n.at.head);
    float share = hand_head_mean(s->n.trace->hand, s->n.at.head);
    int i = s->n.at.query + 1, decimals = gain == floorf(gain) ? 0 : 2;
    const char *times = gain != 1 ? PRINT("%s · ", FIXED((double)gain, decimals)) : "";
    const char *rest = share != 1 ? PRINT("%s · Σ_j a_{%d,j} v_j + %s · ",
                                          FIXED(1 - (double)share, 2), i, FIXED((double)share, 2))
                                  : "";
    if (share == 0)
        snprintf(out, FORMULA_MAX, "z_{%d} = %sΣ_j a_{%d,j} v_j", i, times, i);
    else
        snprintf(out, FORMULA_MAX, "z_{%d} = %s(%s\"mean of\" Σ_j a_{i,j} v_j)", i, times, rest);
}

static void output_formula(char out[FORMULA_MAX], const Steps *s, bool brief) {
    const AttnShape *shape = s->n.shape;
    int i = s->n.at.query + 1, c = s->n.column + 1;
    bool has_bias = shape->bias != BIAS_NONE;
    const char *bias = has_bias ? PRINT(" + b_{%d}", c) : "";
    const char *normed = PRINT("%s(x + z W_O%s)", block_norm_name(shape), has_bias ? " + b" : "");
    if (shape->block == BLOCK_POST_NORM && brief)
        snprintf(out, FORMULA_MAX, "%s", normed);
    else if (shape->block == BLOCK_POST_NORM)
        snprintf(out, FORMULA_MAX, "y_{%d,%d} = %s_{%d}", i, c, normed, c);
    else if (shape->block != BLOCK_ATTENTION)
        snprintf(out, FORMULA_MAX, "y_{%d,%d} = x_{%d,%d} + z_{%d} · w_{%d}%s", i, c, i, c, i, c,
                 bias);
    else
        snprintf(out, FORMULA_MAX, "y_{%d,%d} = z_{%d} · w_{%d}%s", i, c, i, c, bias);
}

static void step_formula(char out[FORMULA_MAX], const Steps *s, int step, bool brief) {
    int i = s->n.at.query + 1, j = s->n.at.key + 1;
    TokenLabel token = s->c->run->labels[s->n.at.query];
    switch (step) {
    case 1:
        if (s->n.word == NULL)
            snprintf(out, FORMULA_MAX, s->n.is_given ? "x_{%d}, \"as given\"" : "x_{%d} = e", i);
        else if (is_plain_word(token.bytes, token.size) && !brief)
            snprintf(out, FORMULA_MAX, "x_{%d} = e_{\"%.*s\"} + p_{%d}", i, (int)token.size,
                     token.bytes, i);
        else
            snprintf(out, FORMULA_MAX, brief ? "x = e + p" : "x_{%d} = e + p_{%d}", i, i);
        break;
    case 2:
        project_formula(out, s);
        break;
    case 3:
        inspector_score_formula(out, FORMULA_MAX, s->c->session, &s->n, PRINT("s_{%d,%d}", i, j));
        break;
    case 4:
        snprintf(out, FORMULA_MAX, "%s" VIEW_WEIGHT_FORMULA,
                 brief ? "" : PRINT("a_{%d,%d} = ", i, j));
        break;
    case 5:
        head_formula(out, s);
        break;
    default:
        output_formula(out, s, brief);
    }
}

static void header(const Steps *s, int step, Rect *rest, bool is_low) {
    static const char *const titles[STEPS_COUNT] = {"Token + position", "Project",    "Score",
                                                    "Softmax",          "Mix values", "Join heads"};
    Ui *ui = s->c->ui;
    bool is_current = step == s->step, is_row = s->plan.mode == STEPS_ROW;
    char formula[FORMULA_MAX];
    Rect line = rect_cut_top(rest, HEADER_H);
    Rect disc = {line.x, line.y + (line.h - DISC) / 2, DISC, DISC};
    draw_fill(ui->list, disc, DISC / 2.0f, is_current ? ui->theme->fill : ui->theme->raised);
    text_in(ui, disc,
            TEXT_NOTE | TEXT_BOLD | TEXT_PLAIN | TEXT_CENTRE | (is_current ? TEXT_ON_FILL : 0),
            "%d", step);
    rect_cut_left(&line, DISC + 10);
    const char *title = step > 1 || s->n.word != NULL ? titles[step - 1]
                        : s->n.is_given               ? "Given input"
                                                      : "Token";
    rect_cut_left(&line, text_in(ui, line, TEXT_HEADING, "%s", title) + 18);
    step_formula(formula, s, step, !is_row);
    const unsigned style = TEXT_FORMULA | TEXT_PX(FORMULA_SIZE);
    if (!is_row && formula_width(ui, FORMULA_LEAST, formula) <= line.w) {
        text_in(ui, line, style | TEXT_RIGHT, "%s", formula);
        rect_cut_top(rest, 6);
        return;
    }
    float height = is_low ? FORMULA_LOW : FORMULA_H;
    if (rest->h >= height + STEPS_RESULT_H)
        text_in(ui, rect_cut_top(rest, height), style, "%s", formula);
}

static Rect ground_of(const Steps *s, int step) {
    return rect_inset(s->plan.card[step - 1], s->plan.mode == STEPS_ROW ? -GROUND_OUT : 0, 0);
}

/* Draw a card. Controls in it get the pointer first; a click elsewhere on the card opens its
 * step. */
static void card_draw(const Steps *s, int step) {
    Ui *ui = s->c->ui;
    Rect ground = ground_of(s, step), inside = s->plan.card[step - 1];
    bool is_row = s->plan.mode == STEPS_ROW, is_one = s->plan.mode == STEPS_ONE;
    UiId id = ui_id("steps card", step);
    if (step != s->step && ui_over(ui, ground) && ui->active == 0)
        draw_fill(ui->list, ground, 14, colour_fade(ui->theme->raised, HOVERED));
    inside = rect_inset(inside, is_row ? 0 : CARD_PAD, inside.h > 200 ? 12 : 6);
    bool is_low = inside.h < LOW;
    draw_part(ui->list, PART_RECT(ground), "steps.card.%d", step);
    header(s, step, &inside, is_low);
    if (inside.h >= STEPS_RESULT_H)
        steps_card_body(s, step, inside, is_low);
    UiState state = ui_control(ui, id, ground, is_one ? UI_NO_FOCUS | UI_NO_HAND : UI_NO_KEYS);
    ui_focus_ring(ui, id, ground, 14);
    if (state.clicked || (state.focused && ui_key(ui, KEY_ENTER, 0)))
        steps_go(s->c, step);
}

/* Draw the cards. Pointing at a number in a card marks its cell in the matrix. */
static void cards(const Steps *s) {
    Ui *ui = s->c->ui;
    Rect ground = ground_of(s, s->step), origin = s->plan.transport;
    if (s->plan.mode == STEPS_ONE) {
        draw_fill(ui->list, ground, 14, ui->theme->raised);
        card_draw(s, s->step);
        return;
    }
    /* Move the background of the current card from card to card. Its position is relative to the
     * bar, so that a change of the layout is not animated. */
    ground.x -= origin.x;
    ground.y -= origin.y;
    ground = ui_tween_rect(ui, ui_id("steps ground", (int)s->plan.mode), ground, MOTION_STEP);
    ground.x += origin.x;
    ground.y += origin.y;
    draw_fill(ui->list, ground, 14, ui->theme->raised);
    for (int step = 1; step <= STEPS_COUNT; step++)
        card_draw(s, step);
}

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

static void bar(const Steps *s) {
    const ViewContext *c = s->c;
    Ui *ui = c->ui;
    Transport t = {
        .plays = c->memory->steps.player.plays,
        .at_first = s->step == 1,
        .at_last = s->step == STEPS_COUNT,
        .words = {NULL, "The first step.", "One step back.",
                  c->memory->steps.player.plays ? "Stop at this step." : "Play the steps.",
                  "One step forward.", "The last step."}};
    Rect rest = transport_card(ui, s->plan.transport);
    Rect buttons = rect_cut_left(&rest, transport_width(&t));
    TransportButton pressed = transport(ui, ui_id("steps play", 0), buttons, &t);
    if (pressed != TRANSPORT_NONE)
        steps_press(c, pressed);
    const char *words[] = {PRINT("Step %d of %d", s->step, STEPS_COUNT),
                           PRINT("%s → output %d",
                                 PAIR_NAME(c, s->n.at.query, s->n.at.key, NAME_BYTES),
                                 s->n.column + 1)};
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
    Player *player = &c->memory->steps.player;
    if (view_player_is_due(c, player, s.step == STEPS_COUNT))
        view_set_number(c, "steps-step", s.step + 1, player->serial);
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
    }
    cards(&s);
    if (!c->is_hall)
        bar(&s);
}
