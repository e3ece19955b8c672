/* Draws the six cards, with the titles and formulas of the steps. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/utf8.h"
#include "draw/part.h"
#include "model/attention/block.h"
#include "ui/formula.h"
#include "ui/text.h"
#include "ui/tween.h"
#include "views/inspector/inspector.h"
#include "views/steps/steps_view.h"

#define FORMULA_MAX   160
#define TOKEN_MOST    8 /* most bytes of a token in a formula */
#define PAD           16
#define DISC          26
#define HEADER_H      34
#define FORMULA_H     44
#define FORMULA_LOW   34
#define FORMULA_SIZE  24
#define FORMULA_LEAST 20  /* least size of a formula next to a title */
#define LOW           210 /* px: a lower card has a lower formula and a single line for its result */
#define HOVERED       0.45f /* opacity of a card's background under the pointer */
#define GROUND_OUT    18    /* px by which the current card's background extends beyond its text */

/* True if a word consists of plain letters only. Other characters have a meaning in a formula. */
static bool is_plain(const char *text, size_t bytes) {
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

/* Write the formula of the head's output. If its gain or its share of the mean is set by hand,
 * include it. */
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

/* Write the formula of a step; brief if there is little room. */
static void step_formula(char out[FORMULA_MAX], const Steps *s, int step, bool brief) {
    int i = s->n.at.query + 1, j = s->n.at.key + 1;
    TokenLabel token = s->c->run->labels[s->n.at.query];
    switch (step) {
    case 1:
        if (s->n.word == NULL)
            snprintf(out, FORMULA_MAX, s->n.is_given ? "x_{%d}, \"as given\"" : "x_{%d} = e", i);
        else if (is_plain(token.bytes, token.size) && !brief)
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
    inside = rect_inset(inside, is_row ? 0 : PAD, inside.h > 200 ? 12 : 6);
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

void steps_cards(const Steps *s) {
    Ui *ui = s->c->ui;
    Rect ground = ground_of(s, s->step), origin = s->plan.transport;
    if (s->plan.mode == STEPS_ONE) {
        draw_fill(ui->list, ground, 14, ui->theme->raised);
        card_draw(s, s->step);
        return;
    }
    /* the background of the current card moves from card to card, relative to the view */
    ground.x -= origin.x;
    ground.y -= origin.y;
    ground = ui_tween_rect(ui, ui_id("steps ground", (int)s->plan.mode), ground, MOTION_STEP);
    ground.x += origin.x;
    ground.y += origin.y;
    draw_fill(ui->list, ground, 14, ui->theme->raised);
    for (int step = 1; step <= STEPS_COUNT; step++)
        card_draw(s, step);
}
