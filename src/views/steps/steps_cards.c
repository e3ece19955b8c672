#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "draw/part.h"
#include "model/attention/block.h"
#include "ui/formula.h"
#include "ui/prose.h"
#include "ui/text.h"
#include "ui/tween.h"
#include "views/steps/steps_card.h"

#define PAD            16
#define DISC           26
#define HEADER_H       34
#define TITLE_SIZE     20
#define FORMULA_H      44
#define FORMULA_LOW    34
#define FORMULA_SIZE   24
#define FORMULA_LEAST  20 /* least width of a formula next to a title */
#define RESULT_SIZE    26
#define RESULT_H       34
#define NAME_SIZE      22
#define EQUATION_LEAST 0.84f /* smallest factor to which an equation next to its result shrinks */
#define NAME_W         34
#define BAR_LEAST      1.5f /* px of a bar; thinner bars are merged */
#define BAR_MOST       40
#define ROW_MOST       96 /* px: greatest height of each of several vectors */
#define ONE_MOST       150
#define LOW            210   /* px: a card of less height is low */
#define HOVERED        0.45f /* opacity of a card's background under the pointer */
#define GROUND_OUT     18    /* px that the current card's background extends beyond its words */

LabelStyle steps_words(const StepsCard *card) {
    return (LabelStyle){FONT_SANS, CARD_TEXT, card->s->c->ui->theme->text_2, LABEL_LEFT};
}

LabelStyle steps_digits(const StepsCard *card, LabelAlign align) {
    return (LabelStyle){FONT_MONO, CARD_TEXT, card->s->c->ui->theme->text_1, align};
}

/* Draw a note and a number; without room for both, only the number. */
void steps_note(StepsCard *card, const char *note, const char *number) {
    Ui *ui = card->s->c->ui;
    Rect line = rect_cut_bottom(&card->rest, CARD_LINE);
    LabelStyle words = steps_words(card), digits = steps_digits(card, LABEL_RIGHT);
    float width = label_width(ui, digits.font, digits.size, number, strlen(number));
    bool has_both = prose_width(ui, &words, note) + width + 10 <= line.w;
    if (number[0] != '\0' && !has_both)
        digits.align = LABEL_LEFT;
    if (number[0] != '\0')
        label_draw(ui, line, &digits, number);
    if (number[0] == '\0' || has_both)
        prose_draw(ui, line, &words, note);
}

/* Draw an equation in one line under its note. If it is too long, use both lines and break it
 * before its last slash. */
static void equation_draw(StepsCard *card, const char *equation, const char *note) {
    Ui *ui = card->s->c->ui;
    LabelStyle words = steps_words(card), digits = steps_digits(card, LABEL_LEFT);
    digits.colour = ui->theme->text_2;
    Rect below = rect_cut_bottom(&card->rest, 28), above = rect_cut_bottom(&card->rest, 28);
    const char *slash = strrchr(equation, '/');
    size_t bytes = strlen(equation);
    if (slash != NULL && label_width(ui, digits.font, digits.size, equation, bytes) > below.w) {
        char first[96];
        snprintf(first, sizeof first, "%.*s", (int)(slash - equation), equation);
        label_draw(ui, above, &digits, first);
        label_draw(ui, below, &digits, slash);
        return;
    }
    label_draw(ui, below, &digits, equation);
    if (note[0] != '\0')
        prose_draw(ui, above, &words, note);
}

void steps_result(StepsCard *card, const char *note, const char *equation, const char *result) {
    Ui *ui = card->s->c->ui;
    LabelStyle big = {FONT_MONO_BOLD, RESULT_SIZE, ui->theme->text_1, LABEL_LEFT};
    LabelStyle words = steps_words(card), digits = steps_digits(card, LABEL_LEFT);
    digits.colour = ui->theme->text_2;
    Rect line = rect_cut_bottom(&card->rest, RESULT_H);
    if (!card->is_low) {
        label_draw(ui, line, &big, result);
        if (equation[0] != '\0')
            equation_draw(card, equation, note);
        else if (note[0] != '\0')
            prose_draw(ui, rect_cut_bottom(&card->rest, 28), &words, note);
        return;
    }
    big.align = LABEL_RIGHT;
    line.w -= label_draw(ui, line, &big, result) + 12;
    float width = label_width(ui, digits.font, digits.size, equation, strlen(equation));
    float noted = prose_width(ui, &words, note);
    digits.align = LABEL_RIGHT;
    if (width * EQUATION_LEAST + 14 <= line.w && equation[0] != '\0') {
        line.w -= 14;
        line.w -= label_draw(ui, line, &digits, equation);
    }
    if (noted <= line.w)
        prose_draw(ui, line, &words, note);
}

/* Return the entry of largest magnitude, which represents merged bars. */
static int largest_of(const float *values, int from, int end) {
    int best = from;
    for (int i = from; i < end; i++)
        if (!(fabsf(values[i]) <= fabsf(values[best])))
            best = i;
    return best;
}

static int sharing(float width, int count) {
    float step = width / (float)(count > 0 ? count : 1);
    return step >= BAR_LEAST ? 1 : (int)ceilf(BAR_LEAST / step);
}

/* Draw signed bars from a zero line. Return the entry under the pointer, or -1. */
static int vector_bars(const StepsCard *card, Rect area, const StepsVector *v, float up,
                       float down) {
    Ui *ui = card->s->c->ui;
    int share = sharing(area.w, v->count), touched = -1, palette = ui->theme->signed_palette;
    float step = fminf(area.w * (float)share / (float)v->count, BAR_MOST);
    float gap = fminf(step * 0.25f, 3);
    float unit = area.h / (up + down), zero = draw_snap(ui->list, area.y + up * unit);
    for (int from = 0; from < v->count; from += share) {
        int end = from + share < v->count ? from + share : v->count;
        int i = largest_of(v->values, from, end);
        float value = v->values[i], x = area.x + step * (float)(from / share);
        if (ui_over(ui, (Rect){x, area.y, step, area.h}))
            touched = i;
        if (!isfinite(value) || value == 0)
            continue;
        float height = fmaxf(fabsf(value) * unit, 1);
        Rect bar = {x + gap / 2, value < 0 ? zero : zero - height, step - gap, height};
        draw_fill(ui->list, bar, fminf(2, fminf(bar.w, bar.h) / 2),
                  palette_colour(palette, value < 0 ? 0.08f : 0.92f));
    }
    float bars = fminf(step * ceilf((float)v->count / (float)share), area.w);
    draw_fill(ui->list, (Rect){area.x, zero, bars, 1}, 0, ui->theme->control);
    return touched;
}

/* Find the largest value above and below zero in all vectors. */
static void extent(const StepsVector *vectors, int count, float *up, float *down) {
    *up = *down = 0;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < vectors[k].count; i++) {
            float value = vectors[k].values[i];
            *up = isfinite(value) ? fmaxf(*up, value) : *up;
            *down = isfinite(value) ? fmaxf(*down, -value) : *down;
        }
    if (!(*up + *down > 0))
        *up = *down = 1;
}

StepsTouch steps_vectors(const StepsCard *card, Rect area, const StepsVector *vectors, int count) {
    Ui *ui = card->s->c->ui;
    StepsTouch touch = {-1, 0};
    float up, down, names = 0;
    extent(vectors, count, &up, &down);
    for (int k = 0; k < count; k++)
        names = fmaxf(names, formula_width(ui, NAME_SIZE, vectors[k].name));
    names = names > 0 ? fmaxf(names + 12, NAME_W) : 0;
    float each = fminf(area.h / (float)count, count > 1 ? ROW_MOST : ONE_MOST);
    for (int k = 0; k < count; k++) {
        Rect line = rect_inset(rect_cut_top(&area, each), 0, fminf(each * 0.12f, 8));
        if (line.h < 4)
            break;
        Rect name = rect_cut_left(&line, names);
        FormulaStyle style = {NAME_SIZE, ui->theme->text_2, LABEL_LEFT, false};
        if (each >= 22 && vectors[k].name[0] != '\0')
            formula_label(ui, name, &style, vectors[k].name);
        int entry = vector_bars(card, line, &vectors[k], up, down);
        if (entry < 0)
            continue;
        touch = (StepsTouch){k, entry};
        if (vectors[k].part < STEPS_PARTS &&
            vectors[k].col + entry < steps_cols(&card->s->n, vectors[k].part))
            steps_light(card->s, vectors[k].part, vectors[k].row, 1, vectors[k].col + entry, 1);
    }
    return touch;
}

/* Return the width of one bar. */
static float weight_step(float width, int count, int share) {
    return fminf(width * (float)share / (float)count, BAR_MOST);
}

float steps_weight_middle(Rect area, int count, int key) {
    int share = sharing(area.w, count);
    return area.x + weight_step(area.w, count, share) * ((float)(key / share) + 0.5f);
}

int steps_weight_bars(const StepsCard *card, Rect area, const float *values, int count,
                      int marked) {
    const ViewContext *c = card->s->c;
    int share = sharing(area.w, count), touched = -1;
    float step = weight_step(area.w, count, share), gap = fminf(step * 0.2f, 4), most = 0;
    for (int j = 0; j < count; j++)
        most = isfinite(values[j]) ? fmaxf(most, values[j]) : most;
    float unit = area.h / (most > 0 ? most : 1), top = view_scale_top(c);
    Rect ring = {0};
    for (int from = 0; from < count; from += share) {
        int end = from + share < count ? from + share : count;
        int j = marked >= from && marked < end ? marked : largest_of(values, from, end);
        float x = area.x + step * (float)(from / share);
        float height = isfinite(values[j]) ? fmaxf(values[j] * unit, values[j] > 0 ? 1 : 0) : 0;
        Rect bar = {x + gap / 2, rect_bottom(area) - height, step - gap, height};
        if (ui_over(c->ui, (Rect){x, area.y, step, area.h}))
            touched = j;
        draw_fill(c->ui->list, bar, fminf(2, fminf(bar.w, bar.h) / 2),
                  palette_colour(c->settings->palette, values[j] / top));
        if (j == marked)
            ring = bar;
    }
    float bars = fminf(step * ceilf((float)count / (float)share), area.w);
    draw_fill(c->ui->list, (Rect){area.x, rect_bottom(area), bars, 1}, 0, c->ui->theme->control);
    if (ring.w > 0)
        steps_ring(c, ring, c->ui->theme->ring, 2);
    return touched;
}

static const char *title_of(const Steps *s, int step) {
    static const char *const titles[STEPS_COUNT] = {"Token + position", "Project",    "Score",
                                                    "Softmax",          "Mix values", "Join heads"};
    if (step > 1 || s->n.word != NULL)
        return titles[step - 1];
    return s->n.is_given ? "Given input" : "Token";
}

/* True if a word has only plain letters; in a formula other characters have a meaning. */
static bool is_plain(const char *text, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (!((text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')))
            return false;
    return bytes > 0 && bytes <= 8;
}

static void score_formula(char *out, size_t capacity, const Steps *s) {
    const AttnShape *shape = s->n.shape;
    int i = s->n.at.query + 1, j = s->n.at.key + 1;
    const char *x = block_owns_input(shape) ? "x'" : "x";
    const char *scale = s->c->session->options.scale == SCALE_SQRT ? " / √{d_k}" : "";
    const char *heat = s->c->session->options.temperature != 1 ? " / τ" : "";
    if (shape->traits.cap > 0)
        snprintf(out, capacity, "s_{%d,%d} = c·\"tanh\"(s' / c)", i, j);
    else if (attn_has_factors(shape))
        snprintf(out, capacity, "s_{%d,%d} = q_{%d} · k_{%d}%s%s", i, j, i, j, scale, heat);
    else
        snprintf(out, capacity, "s_{%d,%d} = %s_{%d} W_{QK} · %s_{%d}%s%s", i, j, x, i, x, j, scale,
                 heat);
}

static void output_formula(char *out, size_t capacity, const Steps *s, bool brief) {
    const AttnShape *shape = s->n.shape;
    int i = s->n.at.query + 1, c = s->n.at.output + 1;
    char inside[96];
    snprintf(inside, sizeof inside, "z_{%d} · w_{%d}", i, c);
    if (shape->bias != BIAS_NONE)
        snprintf(inside + strlen(inside), sizeof inside - strlen(inside), " + b_{%d}", c);
    if (shape->block == BLOCK_POST_NORM && brief)
        snprintf(out, capacity, "%s(x + z W_O%s)", block_norm_name(shape),
                 shape->bias != BIAS_NONE ? " + b" : "");
    else if (shape->block == BLOCK_POST_NORM)
        snprintf(out, capacity, "y_{%d,%d} = %s(x + z W_O%s)_{%d}", i, c, block_norm_name(shape),
                 shape->bias != BIAS_NONE ? " + b" : "", c);
    else if (shape->block != BLOCK_ATTENTION)
        snprintf(out, capacity, "y_{%d,%d} = x_{%d,%d} + %s", i, c, i, c, inside);
    else
        snprintf(out, capacity, "y_{%d,%d} = %s", i, c, inside);
}

static void project_formula(char *out, size_t capacity, const Steps *s) {
    const AttnShape *shape = s->n.shape;
    int i = s->n.at.query + 1;
    char x[24] = "x";
    if (shape->block == BLOCK_PRE_NORM)
        snprintf(x, sizeof x, "%s(x", block_norm_name(shape));
    const char *end = shape->block == BLOCK_PRE_NORM ? ")" : "";
    const char *bias = shape->bias == BIAS_ALL ? " + b_Q" : "";
    if (!attn_has_factors(shape))
        snprintf(out, capacity, "%s_{%d} W_{QK}", block_owns_input(shape) ? "x'" : "x", i);
    else if (shape->form == FORM_NESTED)
        snprintf(out, capacity, "q_{%d} = %s_{%d}%s W^Q W_{%d}^Q%s", i, x, i, end, s->n.at.head + 1,
                 bias);
    else
        snprintf(out, capacity, "q_{%d} = %s_{%d}%s W_Q%s", i, x, i, end, bias);
}

/* Write the formula of the head's output, with its gain and its share of the mean if they are set
 * by hand.
 * */
static void head_formula(char *out, size_t capacity, const Steps *s) {
    float gain = hand_head_gain(s->n.trace.hand, s->n.at.head);
    float share = hand_head_mean(s->n.trace.hand, s->n.at.head);
    char times[32] = "", rest[64] = "";
    int i = s->n.at.query + 1;
    if (gain != 1)
        snprintf(times, sizeof times, "%s · ", FIXED((double)gain, gain == floorf(gain) ? 0 : 2));
    if (share != 0 && share != 1)
        snprintf(rest, sizeof rest, "%s · Σ_j a_{%d,j} v_j + %s · ", FIXED(1 - (double)share, 2), i,
                 FIXED((double)share, 2));
    if (share == 0)
        snprintf(out, capacity, "z_{%d} = %sΣ_j a_{%d,j} v_j", i, times, i);
    else
        snprintf(out, capacity, "z_{%d} = %s(%s\"mean of\" Σ_j a_{i,j} v_j)", i, times, rest);
}

/* Write the formula of a step; brief if there is little room. */
static void formula_of(char *out, size_t capacity, const Steps *s, int step, bool brief) {
    int i = s->n.at.query + 1, j = s->n.at.key + 1;
    size_t bytes;
    const char *token = view_token(s->c, s->n.at.query, &bytes);
    switch (step) {
    case 1:
        if (s->n.word == NULL)
            snprintf(out, capacity, s->n.is_given ? "x_{%d}, \"as given\"" : "x_{%d} = e", i);
        else if (is_plain(token, bytes) && !brief)
            snprintf(out, capacity, "x_{%d} = e_{\"%.*s\"} + p_{%d}", i, (int)bytes, token, i);
        else
            snprintf(out, capacity, "x_{%d} = e + p_{%d}", i, i);
        break;
    case 2:
        project_formula(out, capacity, s);
        break;
    case 3:
        score_formula(out, capacity, s);
        break;
    case 4:
        if (brief)
            snprintf(out, capacity, VIEW_WEIGHT_FORMULA);
        else
            snprintf(out, capacity, "a_{%d,%d} = " VIEW_WEIGHT_FORMULA, i, j);
        break;
    case 5:
        head_formula(out, capacity, s);
        break;
    default:
        output_formula(out, capacity, s, brief);
    }
}

static void header(StepsCard *card, bool is_current) {
    const Steps *s = card->s;
    Ui *ui = s->c->ui;
    char number[8], formula[160];
    Rect line = rect_cut_top(&card->rest, HEADER_H);
    Rect disc = {line.x, line.y + (line.h - DISC) / 2, DISC, DISC};
    draw_fill(ui->list, disc, DISC / 2.0f, is_current ? ui->theme->fill : ui->theme->raised);
    snprintf(number, sizeof number, "%d", card->step);
    LabelStyle digit = {FONT_SANS_BOLD, CARD_SMALL,
                        is_current ? ui->theme->text_on_fill : ui->theme->text_2, LABEL_CENTRE};
    label_draw(ui, disc, &digit, number);
    rect_cut_left(&line, DISC + 10);
    float used = text_in(ui, line, TEXT_HEADING, "%s", title_of(s, card->step));
    bool is_row = s->plan.mode == STEPS_ROW;
    formula_of(formula, sizeof formula, s, card->step, !is_row);
    FormulaStyle style = {FORMULA_SIZE, ui->theme->text_1, LABEL_LEFT, false};
    rect_cut_left(&line, used + 18);
    if (!is_row && formula_width(ui, FORMULA_LEAST, formula) <= line.w) {
        style.align = LABEL_RIGHT;
        formula_label(ui, line, &style, formula);
        rect_cut_top(&card->rest, 6);
        return;
    }
    float height = card->is_low ? FORMULA_LOW : FORMULA_H;
    if (card->rest.h >= height + RESULT_H)
        formula_label(ui, rect_cut_top(&card->rest, height), &style, formula);
}

static void (*const BODIES[STEPS_COUNT])(StepsCard *) = {
    steps_card_token,   steps_card_project, steps_card_score,
    steps_card_softmax, steps_card_mix,     steps_card_join,
};

static Rect ground_of(const Steps *s, int step) {
    Rect rect = s->plan.card[step - 1];
    if (s->plan.mode == STEPS_ROW)
        rect = (Rect){rect.x - GROUND_OUT, rect.y, rect.w + 2 * GROUND_OUT, rect.h};
    return rect;
}

/* Draw the current card's background, which moves from card to card. */
static void raise(const Steps *s) {
    Ui *ui = s->c->ui;
    Rect rect = ground_of(s, s->step), origin = s->plan.transport;
    rect.x -= origin.x;
    rect.y -= origin.y;
    rect = ui_tween_rect(ui, ui_id("steps ground", (int)s->plan.mode), rect, MOTION_STEP);
    rect.x += origin.x;
    rect.y += origin.y;
    draw_fill(ui->list, rect, 14, ui->theme->raised);
}

/* Draw a card. Its contents get the pointer first; a click elsewhere on it opens its step. */
static void card_draw(const Steps *s, int step) {
    Ui *ui = s->c->ui;
    Rect ground = ground_of(s, step), inside = s->plan.card[step - 1];
    bool is_row = s->plan.mode == STEPS_ROW, is_one = s->plan.mode == STEPS_ONE;
    UiId id = ui_id("steps card", step);
    if (step != s->step && ui_over(ui, ground) && ui->active == 0)
        draw_fill(ui->list, ground, 14, colour_fade(ui->theme->raised, HOVERED));
    inside = rect_inset(inside, is_row ? 0 : PAD, inside.h > 200 ? 12 : 6);
    StepsCard card = {s, step, inside, inside.h < LOW};
    draw_part(ui->list, PART_RECT(ground), "steps.card.%d", step);
    header(&card, step == s->step);
    if (card.rest.h >= RESULT_H)
        BODIES[step - 1](&card);
    UiState state = ui_control(ui, id, ground, is_one ? UI_NO_FOCUS | UI_NO_HAND : UI_NO_KEYS);
    ui_focus_ring(ui, id, ground, 14);
    if (state.clicked || (state.focused && ui_key(ui, KEY_ENTER, 0)))
        steps_go(s->c, step);
}

void steps_cards(const Steps *s) {
    if (s->plan.mode == STEPS_ONE) {
        draw_fill(s->c->ui->list, ground_of(s, s->step), 14, s->c->ui->theme->raised);
        card_draw(s, s->step);
        return;
    }
    raise(s);
    for (int step = 1; step <= STEPS_COUNT; step++)
        card_draw(s, step);
}
