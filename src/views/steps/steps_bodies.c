/* The contents of the six cards: for each step its inputs and its result. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "model/attention/block.h"
#include "ui/bars.h"
#include "ui/text.h"
#include "views/inspector/inspector.h"
#include "views/steps/steps_view.h"

#define CARD_LINE   30
#define RESULT_SIZE 26
#define RESULT_H    STEPS_RESULT_H
#define EQUATION_H  28
/* In a low card, an equation that must shrink below this share of its size is left out. */
#define EQUATION_LEAST 0.84f
#define NAME_W         34
#define BAR_MOST       40
#define ROW_MOST       96 /* px: largest height of a vector if there are several */
#define ONE_MOST       150
#define TIGHT_H        190 /* px: a lower area has one line of text below four vectors, not two */
#define TICK_H         22
#define WEIGHTS_MOST   130 /* px: largest height of the bars of weights */
#define TERM_BAR       76
#define TERM_W         380 /* px: largest width of a line with its bar */
#define MIX_LISTED     5
#define TERMS_LISTED   12

/* The part of a card that is still empty. A card is filled from its top and from its bottom. */
typedef struct Card {
    const Steps *s;
    const CellStory *n;
    Ui *ui;
    Rect rest;
    bool is_low; /* true if the card is low, with a single line for its result */
} Card;

/* A vector, drawn as bars. All vectors in a card have one scale. */
typedef struct Vector {
    const char *name; /* its name in the notation of formulas */
    const float *values;
    int count;
    StepsPart part; /* the matrix that contains the vector: in this row, from column `col` on */
    int row, col;
} Vector;

/* The entry under the pointer; vector is -1 for none. */
typedef struct Touch {
    int vector, entry;
} Touch;

static const char *plural(int count) {
    return count == 1 ? "" : "s";
}

static Rect rest_above(const Card *card, float below) {
    Rect area = card->rest;
    rect_cut_bottom(&area, below);
    return area;
}

static Touch vectors_draw(const Card *card, Rect area, const Vector *v, int count) {
    Touch touch = {-1, 0};
    float up = 0, down = 0, names = 0;
    if (area.h <= 10)
        return touch;
    for (int k = 0; k < count; k++) {
        bars_extent(&up, &down, v[k].values, v[k].count);
        names = fmaxf(names, text_width(card->ui, TEXT_NAME, "%s", v[k].name));
    }
    if (up + down <= 0)
        up = down = 1;
    names = names > 0 ? fmaxf(names + 12, NAME_W) : 0;
    float each = fminf(area.h / (float)count, count > 1 ? ROW_MOST : ONE_MOST);
    for (int k = 0; k < count; k++) {
        Rect line = rect_inset(rect_cut_top(&area, each), 0, fminf(each * 0.12f, 8));
        if (line.h < 4)
            break;
        Rect name = rect_cut_left(&line, names);
        if (each >= 22)
            text_in(card->ui, name, TEXT_NAME | TEXT_DIM, "%s", v[k].name);
        int entry = bars_draw(card->ui, line,
                              &(Bars){.values = v[k].values,
                                      .count = v[k].count,
                                      .palette = card->ui->theme->signed_palette,
                                      .bar_most = BAR_MOST,
                                      .by_sign = true,
                                      .up = up,
                                      .down = down});
        if (entry < 0)
            continue;
        touch = (Touch){k, entry};
        if (v[k].part < STEPS_PARTS && v[k].col + entry < steps_cols(card->n, v[k].part))
            steps_light(card->s, v[k].part, v[k].row, 1, v[k].col + entry, 1);
    }
    return touch;
}

/* Write at the bottom of the card a note and a number; if the pointer is on an entry, write that
 * entry instead. If there is no room for both, write only the number. */
static void note_draw(Card *card, const Vector *v, Touch touch, const char *note,
                      const char *number) {
    Rect line = rect_cut_bottom(&card->rest, CARD_LINE);
    bool is_entry = touch.vector >= 0;
    const char *entry = PRINT("number %d", touch.entry + 1);
    const char *value = DIGITS(is_entry ? v[touch.vector].values[touch.entry] : NAN);
    note = is_entry ? entry : note;
    number = is_entry ? value : number;
    float width = text_width(card->ui, TEXT_NUMBER, "%s", number);
    bool has_both = text_width(card->ui, TEXT_BODY, "%s", note) + width + 10 <= line.w;
    text_in(card->ui, line, TEXT_NUMBER | (has_both ? TEXT_RIGHT : 0), "%s", number);
    if (number[0] == '\0' || has_both)
        text_in(card->ui, line, TEXT_BODY, "%s", note);
}

/* Write at the bottom of the card a note, the equation and the result; each may be "". A long
 * equation is broken before its last slash, and also takes the line of the note. */
static void result_draw(Card *card, const char *note, const char *equation, const char *result) {
    const unsigned style = TEXT_NUMBER | TEXT_DIM;
    Ui *ui = card->ui;
    const unsigned big = TEXT_NUMBER | TEXT_BOLD | TEXT_PX(RESULT_SIZE);
    Rect line = rect_cut_bottom(&card->rest, RESULT_H);
    float used = text_in(ui, line, big | (card->is_low ? TEXT_RIGHT : 0), "%s", result) + 12;
    float width = text_width(ui, style, "%s", equation);
    if (card->is_low) {
        line.w -= used;
        if (width * EQUATION_LEAST + 14 <= line.w && width > 0) {
            line.w -= 14;
            line.w -= text_in(ui, line, style | TEXT_RIGHT, "%s", equation);
        }
        text_in(ui, line, TEXT_BODY, "%s\n", note);
        return;
    }
    Rect below = rect_cut_bottom(&card->rest, width > 0 ? EQUATION_H : 0);
    Rect above = rect_cut_bottom(&card->rest, EQUATION_H);
    const char *slash = strrchr(equation, '/');
    bool is_broken = slash != NULL && width > below.w;
    text_in(ui, below, style, "%s", is_broken ? slash : equation);
    if (is_broken)
        text_in(ui, above, style, "%.*s", (int)(slash - equation), equation);
    else
        text_in(ui, above, TEXT_BODY, "%s", note);
}

/* Write how x is normalised: "x / 0.97" or "(x − 0.02) / 0.97". */
static const char *norm_text(char out[PRINT_MAX], const char *x, RowNorm norm) {
    const char *std = FIXED(norm.std, 3), *mean = FIXED(fabs(norm.mean), 3);
    return norm.mean == 0 ? utf8_print(out, PRINT_MAX, "%s / %s", x, std)
                          : utf8_print(out, PRINT_MAX, "(%s %s %s) / %s", x,
                                       norm.mean < 0 ? "+" : "−", mean, std);
}

static void card_token(Card *card) {
    const CellStory *n = card->n;
    int D = n->shape->D, i = n->at.query;
    const Vector v[] = {{"e", n->word, D, STEPS_PARTS, i, 0},
                        {"p", n->position, D, STEPS_PARTS, i, 0},
                        {"x", n->x, D, STEPS_X, i, 0}};
    const Vector *first = n->word != NULL ? v : v + 2;
    Touch touch =
        vectors_draw(card, rest_above(card, CARD_LINE + 4), first, n->word != NULL ? 3 : 1);
    if (touch.vector >= 0)
        steps_light(card->s, STEPS_X, i, 1, touch.entry, 1);
    note_draw(card, first, touch, PRINT("%d number%s", D, plural(D)),
              PRINT("norm %s", FIXED(n->length, 2)));
}

static void card_project(Card *card) {
    const CellStory *n = card->n;
    const AttnShape *shape = n->shape;
    int i = n->at.query, j = n->at.key;
    const char *x = block_owns_input(shape) ? "x'" : "x";
    bool factors = attn_has_factors(shape), normed = shape->block == BLOCK_PRE_NORM;
    const char *query = factors ? PRINT("q_{%d}", i + 1) : PRINT("%s_{%d} W", x, i + 1);
    const char *key = factors ? PRINT("k_{%d}", j + 1) : PRINT("%s_{%d}", x, j + 1);
    const Vector v[] = {{shape->traits.norm.rms ? "x'" : "LN", n->input, shape->D, STEPS_X, i, 0},
                        {query, n->query, n->query_count, STEPS_Q, i, 0},
                        {key, n->key, n->query_count, factors ? STEPS_K : STEPS_X, j, 0},
                        {PRINT("v_{%d}", j + 1), n->value, shape->V, STEPS_V, j, 0}};
    const Vector *first = normed ? v : v + 1;
    bool is_tight = card->rest.h < TIGHT_H;
    float below = (normed && !is_tight ? 2 : 1) * CARD_LINE + 4;
    Touch touch = vectors_draw(card, rest_above(card, below), first, normed ? 4 : 3);
    const char *note = shape->rope ? "q and k after the rotation"
                       : n->query_count == shape->V
                           ? PRINT("%d number%s each", shape->V, plural(shape->V))
                           : PRINT("%d and %d numbers", n->query_count, shape->V);
    if (!normed || !is_tight || touch.vector >= 0)
        note_draw(card, first, touch, note, "");
    /* the mean and the standard deviation with which x is normalised */
    if (normed && !(is_tight && touch.vector >= 0))
        text_in(card->ui, rect_cut_bottom(&card->rest, CARD_LINE), TEXT_FORMULA | TEXT_DIM,
                "%s(x) = %s", block_norm_name(shape),
                norm_text((char[PRINT_MAX]){0}, "x", n->input_norm));
}

static void card_score(Card *card) {
    const CellStory *n = card->n;
    const Options *o = &card->s->c->session->options;
    bool factors = attn_has_factors(n->shape),
         is_offset = factors && n->term_count != n->query_count;
    StepsPart of_key = factors ? STEPS_K : STEPS_X;
    double root = sqrt((double)n->shape->K), factor = (double)n->shape->score_factor;
    const Vector v = {"",          n->terms, n->term_count, is_offset ? STEPS_PARTS : STEPS_Q,
                      n->at.query, 0};
    float below = RESULT_H + 8 + (card->is_low ? 0 : 2 * EQUATION_H);
    Touch touch = vectors_draw(card, rest_above(card, below), &v, n->term_count > 0);
    if (touch.vector >= 0 && !is_offset && touch.entry < steps_cols(n, of_key))
        steps_light(card->s, of_key, n->at.key, 1, touch.entry, 1);
    char note[PRINT_MAX], equation[PRINT_MAX];
    utf8_print(note, sizeof note, "%d product%s%s", n->term_count, plural(n->term_count),
               n->is_open ? "" : ", masked");
    utf8_print(equation, sizeof equation, "= %s%s%s", SHORT(n->dot),
               o->scale == SCALE_SQRT ? PRINT(" / %s", FIXED(root, root == floor(root) ? 0 : 3))
                                      : "",
               o->temperature != 1 ? PRINT(" / %s", DIGITS(o->temperature)) : "");
    if (touch.vector >= 0) {
        utf8_print(note, sizeof note, "product %d", touch.entry + 1);
        number_format_short(equation, sizeof equation, (double)n->terms[touch.entry]);
    } else if (n->is_set) {
        utf8_print(note, sizeof note, "set by hand");
        utf8_print(equation, sizeof equation, "q·k gives %s", FIXED(n->computed, 3));
    } else if (n->shape->traits.cap > 0) { /* show s' before the cap, then the cap */
        const char *limit = DIGITS(n->shape->traits.cap);
        utf8_print(note, sizeof note, "s' = %s / %s", SHORT(n->dot), FIXED(1 / factor, 3));
        utf8_print(equation, sizeof equation, "= %s·tanh(%s/%s)", limit, FIXED(n->dot * factor, 3),
                   limit);
    }
    result_draw(card, note, equation, SHORT((double)n->score));
}

static void card_softmax(Card *card) {
    const Steps *s = card->s;
    const CellStory *n = card->n;
    Ui *ui = card->ui;
    int touched = -1;
    Rect area = rest_above(card, RESULT_H + TICK_H + 12 + (card->is_low ? 0 : 2 * EQUATION_H));
    area.h = fminf(area.h, WEIGHTS_MOST);
    if (area.h > 12) {
        rect_cut_top(&area, 4);
        const Bars bars = {.values = n->weights,
                           .before = view_row_before(s->c, n->at.head, n->at.query),
                           .count = n->shape->T,
                           .palette = s->c->settings->palette,
                           .hi = view_scale_top(s->c),
                           .marked = n->at.key + 1,
                           .bar_most = BAR_MOST};
        touched = bars_draw(ui, area, &bars);
        /* the number of the key below its bar */
        const unsigned tick = TEXT_COUNT | TEXT_BOLD | TEXT_BRIGHT | TEXT_CENTRE;
        float width = text_width(ui, tick, "%d", n->at.key + 1) + 2;
        Rect place = {bars_middle(area, &bars, n->at.key) - width / 2, rect_bottom(area) + 6, width,
                      TICK_H};
        text_in(ui, rect_within(place, (Rect){area.x, place.y, area.w, place.h}), tick, "%d",
                n->at.key + 1);
    }
    if (touched >= 0) {
        steps_light(s, STEPS_S, n->at.query, 1, touched, 1);
        steps_light(s, STEPS_A, n->at.query, 1, touched, 1);
        view_light_row(s->c, (AttnCell){0, n->at.head, n->at.query, touched});
        result_draw(card, PRINT("weight %d", touched + 1), FIXED((double)n->weights[touched], 3),
                    FIXED((double)n->weight, 3));
        return;
    }
    const char *note =
        n->open_keys > 0 ? PRINT("max s = %s", SHORT(n->softmax.largest)) : "0 weights";
    const char *equation = n->open_keys == 0 ? "no open key"
                           : !n->is_open
                               ? "masked"
                               : PRINT("= %s / %s", SHORT(n->softmax.power), SHORT(n->softmax.sum));
    result_draw(card, note, equation, FIXED((double)n->weight, 3));
}

static UiState line_control(const Card *card, const char *name, int number, Rect line) {
    UiState state = ui_control(card->ui, ui_id(name, number), line, UI_NO_FOCUS);
    if (state.hovered)
        draw_fill(card->ui->list, rect_inset(line, -6, 0), 6, card->ui->theme->hover);
    return state;
}

static void mix_line(const Card *card, Rect line, int key, float most) {
    const ViewContext *c = card->s->c;
    const CellStory *n = card->n;
    UiState state = line_control(card, "steps mix", key, line);
    if (state.hovered) {
        steps_light(card->s, STEPS_A, n->at.query, 1, key, 1);
        steps_light(card->s, STEPS_V, key, 1, 0, n->shape->V);
        view_light_row(c, (AttnCell){0, n->at.head, n->at.query, key});
    }
    if (state.clicked)
        edit_push_state(c->edits, "pin", "%d,%d", n->at.query + 1, key + 1);
    line.w = fminf(line.w, TERM_W);
    Rect bar = rect_cut_right(&line, line.w > 240 ? TERM_BAR : 0);
    const char *weight = FIXED((double)n->weights[key], 3);
    rect_cut_left(&line, fmaxf(text_in(c->ui, line, TEXT_NUMBER, "%s", weight) + 12, 68));
    float used = text_in(c->ui, line, TEXT_NAME | TEXT_DIM, "v_{%d}", key + 1);
    rect_cut_left(&line, fmaxf(used + 12, 40));
    line.w -= 8;
    if (line.w > 24)
        inspector_token(c, line, TEXT_BODY, key);
    bar.w *= most > 0 ? fmaxf(n->weights[key], 0) / most : 0;
    bar = (Rect){bar.x, bar.y + bar.h / 2 - 5, bar.w, 10};
    draw_fill(c->ui->list, bar, 2,
              palette_colour(c->settings->palette, n->weights[key] / view_scale_top(c)));
}

/* List the terms with the largest weights, and the sum of the other weights. Below or next to this
 * list, draw the vector that the head reads. */
static void card_mix(Card *card) {
    const ViewContext *c = card->s->c;
    const CellStory *n = card->n;
    int i = n->at.query, T = n->shape->T, listed[MIX_LISTED];
    const Vector v = {PRINT("z_{%d}", i + 1),  n->read, n->shape->V, STEPS_Z, i,
                      n->at.head * n->shape->V};
    Rect area = card->rest, bars;
    if (card->is_low && area.w > 240) {
        bars = rect_cut_right(&area, area.w * 0.36f);
        rect_cut_right(&area, 16);
    } else
        bars = rect_cut_bottom(&area, fminf(area.h * 0.4f, 90));
    float *open = arena_push(c->scratch, (size_t)T * sizeof *open);
    double rest = 0;
    for (int j = 0; j < T; j++) {
        open[j] = mask_row(&c->run->mask, i)[j] ? n->weights[j] : NAN;
        rest += (double)n->weights[j];
    }
    int lines = (int)fminf(area.h / CARD_LINE, MIX_LISTED);
    /* the last line is for the sum of the others */
    int count = lines < n->open_keys ? lines - 1 : lines;
    count = mat_largest_first(listed, count, open, T);
    for (int k = 0; k < count; k++) {
        mix_line(card, rect_cut_top(&area, CARD_LINE), listed[k], n->weights[listed[0]]);
        rest -= (double)n->weights[listed[k]];
    }
    if (n->open_keys == 0)
        text_in(c->ui, rect_cut_top(&area, CARD_LINE), TEXT_BODY, "no open key: nothing");
    else if (count < n->open_keys && area.h >= CARD_LINE)
        text_in(c->ui, rect_cut_top(&area, CARD_LINE), TEXT_BODY, "+ %s in %d more",
                FIXED(fmax(rest, 0), 3), n->open_keys - count);
    if (bars.h > 14)
        vectors_draw(card, bars, &v, 1);
}

/* A term of the output, and the matrix entries from which it is computed. */
typedef struct JoinTerm {
    const char *name;
    double value;
    Colour mark;
    StepsPart part; /* STEPS_PARTS if there is no matrix; the entries of a head's term are in Z */
    int col, cols;
} JoinTerm;

static void join_line(const Card *card, Rect line, int number, const JoinTerm *t, double most) {
    Ui *ui = card->ui;
    UiState state = line_control(card, "steps join", number, line);
    if (state.hovered && t->part != STEPS_PARTS)
        steps_light(card->s, t->part, card->n->at.query, 1, t->col, t->cols);
    if (state.clicked && t->part == STEPS_Z)
        edit_push_state(card->s->c->edits, "head", "%d", t->col / card->n->shape->V + 1);
    /* room for the widest number, so that none is cut */
    float widest = text_width(ui, TEXT_NUMBER, "%s", SHORT(-most));
    text_in(ui, rect_cut_right(&line, fmaxf(widest + 2, 78)), TEXT_NUMBER | TEXT_RIGHT, "%s",
            SHORT(t->value));
    Rect mark = {line.x, line.y + line.h / 2 - 6, 12, 12};
    draw_fill(ui->list, mark, 6, t->mark);
    rect_cut_left(&line, 20);
    rect_cut_left(&line, fmaxf(text_in(ui, line, TEXT_BODY, "%s", t->name) + 10, 72));
    float half = line.w / 2, zero = line.x + half;
    if (half < 10)
        return;
    float length = most > 0 && isfinite(t->value) ? (float)(fabs(t->value) / most) * half : 0;
    Rect bar = {t->value < 0 ? zero - length : zero, mark.y, length, 12};
    draw_fill(ui->list, bar, 2,
              palette_colour(ui->theme->signed_palette, t->value < 0 ? 0.08f : 0.92f));
    draw_fill(ui->list, (Rect){zero, line.y + 4, 1, line.h - 8}, 0, ui->theme->control);
}

/* List the terms of the sum: the heads, and b_O and x if the layer has them. If there is no room
 * for all, list the largest, and the sum of the others. */
static void join_lines(const Card *card, Rect area) {
    const CellStory *n = card->n;
    char names[OPTION_HEADS_MAX][16];
    JoinTerm terms[OPTION_HEADS_MAX + 2];
    int order[OPTION_HEADS_MAX + 2], count = 0, V = n->shape->V;
    float sizes[OPTION_HEADS_MAX + 2];
    for (int h = 0; h < n->shape->H; h++) {
        snprintf(names[h], sizeof names[h], "Head %d", h + 1);
        terms[count++] = (JoinTerm){
            names[h], n->head_parts[h], view_head_colour(card->s->c, h), STEPS_Z, h * V, V};
    }
    if (n->shape->bias != BIAS_NONE)
        terms[count++] = (JoinTerm){"b_O", n->bias, COLOUR_CLEAR, STEPS_PARTS, 0, 0};
    if (n->shape->block != BLOCK_ATTENTION)
        terms[count++] = (JoinTerm){"x", n->residual, COLOUR_CLEAR, STEPS_X, n->column, 1};
    for (int i = 0; i < count; i++) {
        order[i] = i;
        sizes[i] = (float)fabs(terms[i].value);
    }
    int lines = (int)(area.h / CARD_LINE), listed = count;
    if (count > lines || count > TERMS_LISTED) {
        listed = count > lines ? lines - 1 : TERMS_LISTED;
        listed = listed > TERMS_LISTED ? TERMS_LISTED : listed;
        listed = mat_largest_first(order, listed, sizes, count);
    }
    JoinTerm rest = {PRINT(listed == 0 ? "%d terms" : "%d more", count - listed),
                     n->sum,
                     COLOUR_CLEAR,
                     STEPS_PARTS,
                     0,
                     0};
    double most = 0;
    for (int k = 0; k < listed; k++) {
        double value = terms[order[k]].value;
        rest.value -= value;
        most = isfinite(value) ? fmax(most, fabs(value)) : most;
    }
    if (listed < count && isfinite(rest.value))
        most = fmax(most, fabs(rest.value));
    for (int k = 0; k < listed; k++)
        join_line(card, rect_cut_top(&area, CARD_LINE), order[k], &terms[order[k]], most);
    if (listed < count && area.h >= CARD_LINE)
        join_line(card, rect_cut_top(&area, CARD_LINE), -1, &rest, most);
}

static void card_join(Card *card) {
    static const char *const words[] = {"",     "one", "two",   "three", "four",
                                        "five", "six", "seven", "eight"};
    const CellStory *n = card->n;
    int H = n->shape->H;
    bool normed = n->shape->block == BLOCK_POST_NORM;
    bool has_more = n->shape->bias != BIAS_NONE || n->shape->block != BLOCK_ATTENTION;
    const char *note = normed     ? PRINT("%s of their sum", block_norm_name(n->shape))
                       : has_more ? "sum of all of them"
                       : H == 1   ? "of the one head"
                       : H <= 8   ? PRINT("sum of the %s heads", words[H])
                                  : PRINT("sum of the %d heads", H);
    float below = RESULT_H + (card->is_low ? 2 : 4 + (normed ? 2 : 1) * EQUATION_H);
    join_lines(card, rest_above(card, below));
    char equation[PRINT_MAX] = "";
    if (normed)
        norm_text(equation, SHORT(n->sum), n->output_norm);
    result_draw(card, note, equation, SHORT((double)n->output));
}

void steps_card_body(const Steps *s, int step, Rect rest, bool is_low) {
    static void (*const bodies[STEPS_COUNT])(Card *) = {card_token,   card_project, card_score,
                                                        card_softmax, card_mix,     card_join};
    bodies[step - 1](&(Card){s, &s->n, s->c->ui, rest, is_low});
}
