/* The contents of the six cards. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "model/attention/block.h"
#include "results/by_hand.h"
#include "ui/formula.h"
#include "ui/prose.h"
#include "views/steps/steps_card.h"

#define TIGHT_H      190 /* px; with less, four vectors share one line below them */
#define TICK_H       22
#define BARS_MOST    130
#define TERM_BAR     76
#define TERM_W       380 /* greatest width in px of a line with its bar */
#define TERMS_LISTED 12

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

/* Write the note, or the entry under the pointer instead. */
static void note_touch(StepsCard *card, const StepsVector *vectors, StepsTouch touch,
                       const char *note, const char *number) {
    char left[48];
    if (touch.vector < 0) {
        steps_note(card, note, number);
        return;
    }
    snprintf(left, sizeof left, "number %d", touch.entry + 1);
    steps_note(card, left, DIGITS(vectors[touch.vector].values[touch.entry]));
}

/* Draw vectors above a strip that stays free: its words depend on the bars, so they are written
 * afterwards. */
static StepsTouch vectors_above(StepsCard *card, const StepsVector *vectors, int count,
                                float below) {
    Rect area = card->rest;
    area.h = fmaxf(area.h - below, 0);
    return area.h > 10 ? steps_vectors(card, area, vectors, count) : (StepsTouch){-1, 0};
}

static void norm_text(char *out, size_t capacity, const char *before, StepsNorm norm) {
    char mean[32], std[32];
    number_format_fixed(mean, sizeof mean, fabs(norm.mean), 3);
    number_format_fixed(std, sizeof std, norm.std, 3);
    if (norm.mean == 0)
        snprintf(out, capacity, "%s / %s", before, std);
    else
        snprintf(out, capacity, "(%s %s %s) / %s", before, norm.mean < 0 ? "+" : "−", mean, std);
}

void steps_card_token(StepsCard *card) {
    const StepsNumbers *n = &card->s->n;
    int D = n->shape->D, i = n->at.query, count = 0;
    StepsVector v[3];
    char note[48], number[48];
    if (n->word != NULL) {
        v[count++] = (StepsVector){"e", n->word, D, STEPS_PARTS, i, 0};
        v[count++] = (StepsVector){"p", n->position, D, STEPS_PARTS, i, 0};
    }
    v[count++] = (StepsVector){"x", n->x, D, STEPS_X, i, 0};
    StepsTouch touch = vectors_above(card, v, count, CARD_LINE + 4);
    if (touch.vector >= 0)
        steps_light(card->s, STEPS_X, i, 1, touch.entry, 1);
    snprintf(note, sizeof note, "%d number%s", D, plural(D));
    snprintf(number, sizeof number, "norm %s", FIXED(n->length, 2));
    note_touch(card, v, touch, note, number);
}

void steps_card_project(StepsCard *card) {
    const StepsNumbers *n = &card->s->n;
    const AttnShape *shape = n->shape;
    int i = n->at.query, j = n->at.key;
    char names[3][32], note[64];
    const char *x = block_owns_input(shape) ? "x'" : "x";
    bool factors = attn_has_factors(shape), normed = shape->block == BLOCK_PRE_NORM;
    if (factors) {
        snprintf(names[0], sizeof names[0], "q_{%d}", i + 1);
        snprintf(names[1], sizeof names[1], "k_{%d}", j + 1);
    } else {
        snprintf(names[0], sizeof names[0], "%s_{%d} W", x, i + 1);
        snprintf(names[1], sizeof names[1], "%s_{%d}", x, j + 1);
    }
    snprintf(names[2], sizeof names[2], "v_{%d}", j + 1);
    StepsVector v[] = {{shape->traits.norm.rms ? "x'" : "LN", n->input, shape->D, STEPS_X, i, 0},
                       {names[0], n->query, n->query_count, STEPS_Q, i, 0},
                       {names[1], n->key, n->query_count, factors ? STEPS_K : STEPS_X, j, 0},
                       {names[2], n->value, shape->V, STEPS_V, j, 0}};
    const StepsVector *first = normed ? v : v + 1;
    bool is_tight = card->rest.h < TIGHT_H;
    float below = (normed && !is_tight ? 2 : 1) * CARD_LINE + 4;
    StepsTouch touch = vectors_above(card, first, normed ? 4 : 3, below);
    if (n->query_count == shape->V)
        snprintf(note, sizeof note, "%d number%s each", shape->V, plural(shape->V));
    else
        snprintf(note, sizeof note, "%d and %d numbers", n->query_count, shape->V);
    if (shape->rope)
        snprintf(note, sizeof note, "q and k after the rotation");
    if (!normed || !is_tight || touch.vector >= 0)
        note_touch(card, first, touch, note, "");
    if (normed && !(is_tight && touch.vector >= 0)) {
        /* Write the mean and the standard deviation by which x is normalised. */
        char norm[96], text[128];
        norm_text(norm, sizeof norm, "x", card->s->n.input_norm);
        snprintf(text, sizeof text, "%s(x) = %s", block_norm_name(card->s->n.shape), norm);
        FormulaStyle style = {20, card->s->c->ui->theme->text_2, LABEL_LEFT, false};
        formula_label(card->s->c->ui, rect_cut_bottom(&card->rest, CARD_LINE), &style, text);
    }
}

/* Write "= 8.682 / 4": the sum of the products and its divisor. */
static void score_equation(char *out, size_t capacity, const StepsCard *card) {
    const Options *o = &card->s->c->session->options;
    double root = sqrt((double)card->s->n.shape->K);
    size_t used = (size_t)snprintf(out, capacity, "= %s", SHORT(card->s->n.dot));
    if (o->scale == SCALE_SQRT) {
        used += (size_t)snprintf(out + used, capacity - used, " / %s",
                                 FIXED(root, root == floor(root) ? 0 : 3));
    }
    if (o->temperature != 1) {
        snprintf(out + used, capacity - used, " / %s", DIGITS(o->temperature));
    }
}

void steps_card_score(StepsCard *card) {
    const Steps *s = card->s;
    const StepsNumbers *n = &s->n;
    bool factors = attn_has_factors(n->shape);
    bool is_offset = factors && n->term_count != n->query_count;
    char note[112], equation[96], result[32];
    StepsVector v = {"",          n->terms, n->term_count, is_offset ? STEPS_PARTS : STEPS_Q,
                     n->at.query, 0};
    float below = card->is_low ? 34 : 34 + 56;
    Rect area = card->rest;
    area.h = fmaxf(area.h - below - 8, 0);
    StepsTouch touch = {-1, 0};
    if (area.h > 10 && v.count > 0)
        touch = steps_vectors(card, area, &v, 1);
    if (touch.vector >= 0 && !is_offset && touch.entry < steps_cols(n, factors ? STEPS_K : STEPS_X))
        steps_light(s, factors ? STEPS_K : STEPS_X, n->at.key, 1, touch.entry, 1);
    snprintf(note, sizeof note, "%d product%s%s", n->term_count, plural(n->term_count),
             n->is_open ? "" : ", masked");
    score_equation(equation, sizeof equation, card);
    number_format_short(result, sizeof result, (double)n->score);
    if (n->shape->traits.cap > 0) { /* one step more */
        char limit[32];
        view_value_text(limit, n->shape->traits.cap, true);
        snprintf(note, sizeof note, "s' = %.24s / %s", SHORT(n->dot),
                 FIXED(1 / (double)n->shape->score_factor, 3));
        snprintf(equation, sizeof equation, "= %s·tanh(%s/%s)", limit,
                 FIXED(n->dot * (double)n->shape->score_factor, 3), limit);
    }
    HandNumber place = {.name = HAND_S, .head = n->at.head, .row = n->at.query, .col = n->at.key};
    if (hand_set_find(s->c->session->hand, &place) != NULL) {
        float computed = results_score_computed(s->c->run, n->at.head, n->at.query, n->at.key);
        snprintf(note, sizeof note, "set by hand");
        snprintf(equation, sizeof equation, "q·k gives %s", FIXED((double)computed, 3));
    }
    if (touch.vector >= 0) {
        snprintf(note, sizeof note, "product %d", touch.entry + 1);
        number_format_short(equation, sizeof equation, (double)n->terms[touch.entry]);
    }
    steps_result(card, note, equation, result);
}

/* Write under the bars which bar is the key, and the number of keys. */
static void key_line(StepsCard *card, Rect bars) {
    Ui *ui = card->s->c->ui;
    const StepsNumbers *n = &card->s->n;
    char key[16];
    snprintf(key, sizeof key, "%d", n->at.key + 1);
    LabelStyle tick = {FONT_MONO_BOLD, CARD_SMALL, ui->theme->text_1, LABEL_CENTRE};
    float x = steps_weight_middle(bars, n->shape->T, n->at.key);
    float width = label_width(ui, tick.font, tick.size, key, strlen(key)) + 2;
    Rect place = {x - width / 2, rect_bottom(bars) + 6, width, TICK_H};
    label_draw(ui, rect_within(place, (Rect){bars.x, place.y, bars.w, place.h}), &tick, key);
}

void steps_card_softmax(StepsCard *card) {
    const Steps *s = card->s;
    const StepsNumbers *n = &s->n;
    char note[64], equation[96];
    float below = (card->is_low ? 34 : 34 + 56) + TICK_H;
    Rect area = card->rest;
    area.h = fminf(fmaxf(area.h - below - 12, 0), BARS_MOST);
    int j = n->at.key, touched = -1;
    if (area.h > 12) {
        rect_cut_top(&area, 4);
        touched = steps_weight_bars(card, area, n->weights, n->shape->T, j);
        key_line(card, area);
    }
    if (touched >= 0) {
        steps_light(s, STEPS_S, n->at.query, 1, touched, 1);
        steps_light(s, STEPS_A, n->at.query, 1, touched, 1);
        view_light_row(s->c, (AttnCell){0, n->at.head, n->at.query, touched});
    }
    snprintf(note, sizeof note, n->open_keys > 0 ? "max s = %s" : "0 weights",
             SHORT(n->softmax.largest));
    snprintf(equation, sizeof equation, "= %s / %s", SHORT(n->softmax.power),
             SHORT(n->softmax.sum));
    if (n->open_keys == 0)
        snprintf(equation, sizeof equation, "no open key");
    else if (!n->is_open)
        snprintf(equation, sizeof equation, "masked");
    if (touched >= 0) {
        snprintf(note, sizeof note, "weight %d", touched + 1);
        number_format_fixed(equation, sizeof equation, (double)n->weights[touched], 3);
    }
    steps_result(card, note, equation, FIXED((double)n->weight, 3));
}

/* Return the open key with the largest weight among those not listed yet, or -1. */
static int next_largest(const StepsCard *card, const int *taken, int taken_count) {
    const StepsNumbers *n = &card->s->n;
    const uint8_t *open = mask_row(&card->s->c->run->mask, n->at.query);
    int best = -1;
    for (int j = 0; j < n->shape->T; j++) {
        bool again = !open[j];
        for (int k = 0; k < taken_count; k++)
            again = again || taken[k] == j;
        if (!again && (best < 0 || n->weights[j] > n->weights[best]))
            best = j;
    }
    return best;
}

/* Draw "0.430 v_2 animal" and a bar as long as the weight. */
static void mix_line(const StepsCard *card, Rect line, int key, float most) {
    const Steps *s = card->s;
    const ViewContext *c = s->c;
    const StepsNumbers *n = &s->n;
    char name[24];
    Rect whole = line;
    UiId id = ui_id("steps mix", key);
    UiState state = ui_control(c->ui, id, line, UI_NO_FOCUS);
    if (state.hovered) {
        draw_fill(c->ui->list, (Rect){line.x - 6, line.y, line.w + 12, line.h}, 6,
                  c->ui->theme->hover);
        steps_light(s, STEPS_A, n->at.query, 1, key, 1);
        steps_light(s, STEPS_V, key, 1, 0, n->shape->V);
        view_light_row(c, (AttnCell){0, n->at.head, n->at.query, key});
    }
    if (state.clicked)
        edit_push_state(c->edits, "pin", "%d,%d", n->at.query + 1, key + 1);
    LabelStyle digits = steps_digits(card, LABEL_LEFT), words = steps_words(card);
    line.w = fminf(line.w, TERM_W);
    Rect bar = rect_cut_right(&line, line.w > 240 ? TERM_BAR : 0);
    rect_cut_left(
        &line, fmaxf(label_draw(c->ui, line, &digits, FIXED((double)n->weights[key], 3)) + 12, 68));
    snprintf(name, sizeof name, "v_{%d}", key + 1);
    FormulaStyle style = {22, c->ui->theme->text_2, LABEL_LEFT, false};
    rect_cut_left(&line, fmaxf(formula_label(c->ui, line, &style, name) + 12, 40));
    size_t bytes;
    const char *token = view_token(c, key, &bytes);
    line.w -= 8;
    if (line.w > 24)
        label_draw_bytes(c->ui, line, &words, token, bytes);
    view_token_tip(c, id, whole, state.hovered, &words, line.w, key);
    bar.w *= most > 0 ? fmaxf(n->weights[key], 0) / most : 0;
    bar.y += bar.h / 2 - 5;
    bar.h = 10;
    draw_fill(c->ui->list, bar, 2,
              palette_colour(c->settings->palette, n->weights[key] / view_scale_top(c)));
}

/* List the largest terms and the sum of all others. */
static void mix_lines(StepsCard *card, Rect area) {
    const StepsNumbers *n = &card->s->n;
    int taken[8], count = (int)(area.h / CARD_LINE), left = n->open_keys;
    double rest = 0;
    count = count > 5 ? 5 : count;
    if (count < left)
        count--; /* one line is needed for the sum of the others */
    for (int j = 0; j < n->shape->T; j++)
        rest += (double)n->weights[j];
    for (int k = 0; k < count && left > 0; k++, left--) {
        taken[k] = next_largest(card, taken, k);
        if (taken[k] < 0)
            return;
        mix_line(card, rect_cut_top(&area, CARD_LINE), taken[k], n->weights[taken[0]]);
        rest -= (double)n->weights[taken[k]];
    }
    if (left <= 0 || area.h < CARD_LINE)
        return;
    char text[64];
    snprintf(text, sizeof text, "+ %s in %d more", FIXED(fmax(rest, 0), 3), left);
    LabelStyle words = steps_words(card);
    label_draw(card->s->c->ui, rect_cut_top(&area, CARD_LINE), &words, text);
}

void steps_card_mix(StepsCard *card) {
    const StepsNumbers *n = &card->s->n;
    char name[24];
    snprintf(name, sizeof name, "z_{%d}", n->at.query + 1);
    StepsVector v = {name, n->read, n->shape->V, STEPS_Z, n->at.query, n->at.head * n->shape->V};
    Rect area = card->rest, bars;
    if (card->is_low && area.w > 240) {
        bars = rect_cut_right(&area, area.w * 0.36f);
        rect_cut_right(&area, 16);
    } else
        bars = rect_cut_bottom(&area, fminf(area.h * 0.4f, 90));
    if (n->open_keys == 0) {
        LabelStyle words = steps_words(card);
        label_draw(card->s->c->ui, rect_cut_top(&area, CARD_LINE), &words, "no open key: nothing");
    } else
        mix_lines(card, area);
    if (bars.h > 14)
        steps_vectors(card, bars, &v, 1);
}

/* Draw a term of the output: a mark, its name, a bar and the number. Return the line's state. */
static UiState join_line(const StepsCard *card, Rect line, UiId id, const char *name, Colour mark,
                         double value, double most) {
    Ui *ui = card->s->c->ui;
    char number[32];
    UiState state = ui_control(ui, id, line, UI_NO_FOCUS);
    if (state.hovered)
        draw_fill(ui->list, (Rect){line.x - 6, line.y, line.w + 12, line.h}, 6, ui->theme->hover);
    LabelStyle digits = steps_digits(card, LABEL_RIGHT), words = steps_words(card);
    number_format_short(number, sizeof number, -most); /* the widest one: none may be cut */
    float widest = label_width(ui, digits.font, digits.size, number, strlen(number));
    label_draw(ui, rect_cut_right(&line, fmaxf(widest + 2, 78)), &digits, SHORT(value));
    if (mark != COLOUR_CLEAR)
        draw_fill(ui->list, (Rect){line.x, line.y + line.h / 2 - 6, 12, 12}, 6, mark);
    rect_cut_left(&line, 20);
    rect_cut_left(&line, fmaxf(prose_draw(ui, line, &words, name) + 10, 72));
    float half = line.w / 2, zero = line.x + half;
    if (half < 10)
        return state;
    float length = most > 0 && isfinite(value) ? (float)(fabs(value) / most) * half : 0;
    draw_fill(ui->list,
              (Rect){value < 0 ? zero - length : zero, line.y + line.h / 2 - 6, length, 12}, 2,
              palette_colour(ui->theme->signed_palette, value < 0 ? 0.08f : 0.92f));
    draw_fill(ui->list, (Rect){zero, line.y + 4, 1, line.h - 8}, 0, ui->theme->control);
    return state;
}

/* Terms of the sum: the heads, then b_O and x if the layer has them. */
typedef struct JoinTerms {
    int count, bias, skip; /* indices of b_O and x, or -1 */
} JoinTerms;

static JoinTerms join_terms(const AttnShape *shape) {
    JoinTerms t = {shape->H, -1, -1};
    if (shape->bias != BIAS_NONE)
        t.bias = t.count++;
    if (shape->block != BLOCK_ATTENTION)
        t.skip = t.count++;
    return t;
}

static double join_value(const StepsNumbers *n, const JoinTerms *t, int term) {
    return term == t->bias ? n->bias : term == t->skip ? n->residual : n->head_parts[term];
}

static void join_term(const StepsCard *card, Rect line, const JoinTerms *t, int term, double most) {
    const Steps *s = card->s;
    const StepsNumbers *n = &s->n;
    char name[24];
    bool is_head = term < n->shape->H;
    snprintf(name, sizeof name, "Head %d", term + 1);
    UiState state = join_line(card, line, ui_id("steps join", term),
                              is_head           ? name
                              : term == t->bias ? "b_O"
                                                : "x",
                              is_head ? view_head_colour(s->c, term) : COLOUR_CLEAR,
                              join_value(n, t, term), most);
    if (state.hovered && is_head)
        steps_light(s, STEPS_Z, n->at.query, 1, term * n->shape->V, n->shape->V);
    if (state.hovered && term == t->skip)
        steps_light(s, STEPS_X, n->at.query, 1, n->at.output, 1);
    if (state.clicked && is_head)
        edit_push_state(s->c->edits, "head", "%d", term + 1);
}

/* The terms that have a line of their own: all of them in order, or the largest. */
typedef struct JoinLines {
    int at[TERMS_LISTED], count;
    double rest, most; /* sum of the other terms; largest magnitude of all lines */
} JoinLines;

static int next_term(const StepsNumbers *n, const JoinTerms *t, const JoinLines *taken) {
    int best = -1;
    for (int i = 0; i < t->count; i++) {
        bool again = false;
        for (int k = 0; k < taken->count; k++)
            again = again || taken->at[k] == i;
        if (!again && (best < 0 || fabs(join_value(n, t, i)) > fabs(join_value(n, t, best))))
            best = i;
    }
    return best;
}

static JoinLines join_lines(const StepsNumbers *n, const JoinTerms *t, int lines) {
    JoinLines l = {.rest = n->sum};
    int count = t->count <= lines ? t->count : lines - 1;
    bool has_all = t->count <= lines && t->count <= TERMS_LISTED;
    for (count = count > TERMS_LISTED ? TERMS_LISTED : count; l.count < count; l.count++) {
        int term = has_all ? l.count : next_term(n, t, &l);
        double value = join_value(n, t, term);
        l.at[l.count] = term;
        l.rest -= value;
        l.most = isfinite(value) ? fmax(l.most, fabs(value)) : l.most;
    }
    if (l.count < t->count && isfinite(l.rest))
        l.most = fmax(l.most, fabs(l.rest));
    return l;
}

static void join_draw(const StepsCard *card, Rect area) {
    const StepsNumbers *n = &card->s->n;
    JoinTerms t = join_terms(n->shape);
    JoinLines l = join_lines(n, &t, (int)(area.h / CARD_LINE));
    char name[32];
    for (int k = 0; k < l.count; k++)
        join_term(card, rect_cut_top(&area, CARD_LINE), &t, l.at[k], l.most);
    int left = t.count - l.count;
    if (left == 0 || area.h < CARD_LINE)
        return;
    snprintf(name, sizeof name, l.count == 0 ? "%d terms" : "%d more", left);
    join_line(card, rect_cut_top(&area, CARD_LINE), ui_id("steps join", -1), name, COLOUR_CLEAR,
              l.rest, l.most);
}

static void join_note(char *out, size_t capacity, const StepsNumbers *n) {
    static const char *const words[] = {"",     "one", "two",   "three", "four",
                                        "five", "six", "seven", "eight"};
    int H = n->shape->H;
    if (n->shape->block == BLOCK_POST_NORM)
        snprintf(out, capacity, "%s of their sum", block_norm_name(n->shape));
    else if (n->shape->bias != BIAS_NONE || n->shape->block != BLOCK_ATTENTION)
        snprintf(out, capacity, "sum of all of them");
    else if (H == 1)
        snprintf(out, capacity, "of the one head");
    else if (H <= 8)
        snprintf(out, capacity, "sum of the %s heads", words[H]);
    else
        snprintf(out, capacity, "sum of the %d heads", H);
}

void steps_card_join(StepsCard *card) {
    const Steps *s = card->s;
    const StepsNumbers *n = &s->n;
    char note[64], equation[128] = "", result[32], sum[32];
    bool normed = n->shape->block == BLOCK_POST_NORM;
    number_format_short(sum, sizeof sum, n->sum);
    if (normed)
        norm_text(equation, sizeof equation, sum, n->output_norm);
    number_format_short(result, sizeof result, (double)n->output);
    join_note(note, sizeof note, n);
    Rect area = card->rest;
    area.h = fmaxf(area.h - (card->is_low ? 36.0f : normed ? 94.0f : 66.0f), 0);
    join_draw(card, area);
    steps_result(card, note, equation, result);
}
