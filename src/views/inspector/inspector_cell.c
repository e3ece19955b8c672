#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "draw/part.h"
#include "model/attention/block.h"
#include "ui/bars.h"
#include "ui/formula.h"
#include "views/inspector/inspector.h"
#include "views/shared/heatmap.h"

#define SECTION_AWAY 20
#define SECTION_H    40
#define FORMULA_SIZE 22
#define NOTE_H       26
#define TERMS        3 /* largest terms listed */

void inspector_pair(const ViewContext *c, Rect *rest, const char *name, const char *value) {
    text_pair(c->ui, rect_cut_top(rest, INSPECTOR_LINE), name, "%s", value);
}

Rect inspector_head_line(const ViewContext *c, Rect *rest, int head) {
    Rect line = rect_cut_top(rest, INSPECTOR_LINE);
    draw_fill(c->ui->list, (Rect){line.x, line.y + 9, 12, 12}, 6, view_head_colour(c, head));
    rect_cut_left(&line, 22);
    return line;
}

float inspector_token(const ViewContext *c, Rect rect, unsigned style, int token) {
    TokenLabel name = c->run->labels[token];
    LabelStyle label = text_style(c->ui, style);
    UiId id = ui_id("inspector token", (int)rect.x * 8192 + (int)rect.y);
    view_token_tip(c, id, rect, ui_over(c->ui, rect), &label, rect.w, token);
    return label_draw_bytes(c->ui, rect, &label, name.bytes, name.size);
}

void inspector_section(const ViewContext *c, Rect *rest, const char *name, const char *formula) {
    rect_cut_top(rest, SECTION_AWAY);
    Rect line = rect_cut_top(rest, SECTION_H);
    text_in(c->ui, line, TEXT_HEADING, "%s", name);
    float width = formula_width(c->ui, FORMULA_SIZE, formula);
    formula_draw(c->ui, (Vec2){rect_right(line) - width, line.y + 24}, FORMULA_SIZE,
                 c->ui->theme->text_2, formula);
}

int inspector_bars(const ViewContext *c, Rect *rest, const float *values, int count, float most) {
    return bars_draw(c->ui, rect_cut_top(rest, INSPECTOR_BARS),
                     &(Bars){.values = values,
                             .count = count,
                             .palette = c->ui->theme->signed_palette,
                             .lo = -most,
                             .hi = most});
}

void inspector_largest_terms(const ViewContext *c, Rect *rest, const float *terms, int count) {
    char text[160] = "largest:";
    int largest[TERMS];
    Arena scratch = *c->scratch;
    float *sizes = arena_push(&scratch, (size_t)count * sizeof *sizes);
    for (int m = 0; m < count; m++)
        sizes[m] = fabsf(terms[m]);
    int listed = mat_largest_first(largest, TERMS, sizes, count);
    if (listed == 0)
        return;
    for (int n = 0; n < listed; n++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s %s (%s%d)", n > 0 ? "," : "",
                 FIXED((double)terms[largest[n]], 2), n > 0 ? "" : "entry ", largest[n] + 1);
        if (text_width(c->ui, TEXT_NOTE, "%s", text) > rest->w)
            text[used] = '\0';
    }
    text_in(c->ui, rect_cut_top(rest, 24), TEXT_NOTE, "%s", text);
}

void inspector_token_note(const ViewContext *c, Rect *rest, int token) {
    EmbedSource source = c->run->notes[token].source;
    if (c->session->options.embedding != EMBEDDING_GLOVE || source == EMBED_OWN ||
        source == EMBED_TRAINED)
        return;
    float from = rest->y;
    text_wrap(c->ui, rest, TEXT_BODY | TEXT_PLAIN,
              PRINT(source == EMBED_HASHED ? "“%s” has a random vector."
                                           : "“%s” has another word's vector.",
                    TOKEN_NAME(c, token, 40)));
    rect_cut_top(rest, fmaxf(from + NOTE_H - rest->y, 0));
}

/* Draw the name of a number, and at the right its formula and value, in a second line if there is
 * too little room. */
static void equation(const ViewContext *c, Rect *rest, const char *name, const char *text) {
    Rect line = rect_cut_top(rest, INSPECTOR_LINE);
    float used = formula_draw(c->ui, (Vec2){line.x, line.y + 20}, 22, c->ui->theme->text_2, name);
    if (used + 12 + text_width(c->ui, TEXT_NUMBER, "%s", text) > line.w)
        line = rect_cut_top(rest, INSPECTOR_LINE);
    text_in(c->ui, line, TEXT_NUMBER | TEXT_RIGHT, "%s", text);
}

static void title(const ViewContext *c, Rect *rest, AttnCell at) {
    Rect line = rect_cut_top(rest, 40);
    text_right(c->ui, &line, TEXT_BODY | TEXT_FAINT, "%s",
               attn_cell_equal(at, view_pin(c))  ? "Pinned"
               : attn_cell_is_set(c->hover->lit) ? "Hovered"
                                                 : "Strongest");
    rect_cut_right(&line, 4);
    Rect left = line;
    left.w = (line.w - 44) / 2;
    rect_cut_left(&line, inspector_token(c, left, TEXT_TITLE, at.query) + 10);
    Rect arrow = rect_cut_left(&line, 26);
    icon_draw(c->ui, ICON_ARROW, rect_centre(arrow), 24, c->ui->theme->text_2);
    rect_cut_left(&line, 8);
    inspector_token(c, line, TEXT_TITLE, at.key);
    text_in(c->ui, inspector_head_line(c, rest, at.head), TEXT_BODY, "Head %d · query %d · key %d",
            at.head + 1, at.query + 1, at.key + 1);
}

static void value(const ViewContext *c, Rect *rest, const CellStory *s) {
    const char *number = FIXED((double)s->weight, 3);
    const char *even = FIXED(s->open_keys > 0 ? 1.0 / s->open_keys : 0, 3);
    const char *lines[] = {
        PRINT("of what “%s” reads\nof what it reads", TOKEN_NAME(c, s->at.query, 24)),
        s->is_open         ? PRINT("even share: %s\neven: %s", even, even)
        : s->open_keys > 0 ? "the mask closes this pair\nclosed by mask"
                           : "no open key"};
    Rect area = rect_cut_top(rest, 64);
    /* a number with an exponent is longer, so it is smaller */
    const unsigned size = strlen(number) > 5 ? TEXT_PX(34) : TEXT_PX(48);
    rect_cut_left(&area, text_in(c->ui, area, TEXT_NUMBER | TEXT_BOLD | size, "%s", number) + 18);
    float wide = fmaxf(text_width(c->ui, TEXT_BODY | TEXT_PLAIN, "%s", lines[0]),
                       text_width(c->ui, TEXT_BODY | TEXT_PLAIN, "%s", lines[1]));
    rect_cut_top(&area, 10);
    for (int i = 0; i < 2; i++)
        text_in(c->ui, rect_cut_top(&area, 24),
                TEXT_PLAIN | (wide <= area.w ? TEXT_BODY : TEXT_NOTE), "%s", lines[i]);
}

/* Draw the cell's value in the heatmaps, if they show anything other than plain weights and the
 * inspector lists statistics. */
static void shown_value(const ViewContext *c, Rect *rest, AttnCell cell) {
    const Heatmap *shown = heatmap_newest(c);
    if (!c->settings->statistics || shown == NULL || shown->is_plain)
        return;
    for (int i = 0; i < shown->layer[cell.layer].count; i++) {
        if (shown->layer[cell.layer].tile[i].id != cell.head)
            continue;
        float exact = heatmap_value(shown, cell.layer, i, cell.query, cell.key);
        const char *text = exact == DRAW_CELL_MASKED ? "closed" : DIGITS(exact);
        bool fits = text_width(c->ui, TEXT_BODY, "%s", shown->name) + TEXT_GAP +
                        text_width(c->ui, TEXT_NUMBER, "%s", text) <=
                    rest->w;
        if (!fits)
            text_in(c->ui, rect_cut_top(rest, INSPECTOR_LINE), TEXT_BODY, "%s", shown->name);
        inspector_pair(c, rest, fits ? shown->name : "", text);
    }
}

void inspector_score_formula(char *out, size_t capacity, const Session *session,
                             const CellStory *story, const char *name) {
    const AttnShape *shape = story->shape;
    int i = story->at.query + 1, j = story->at.key + 1;
    const char *scale = session->options.scale == SCALE_SQRT ? " / √{d_k}" : "";
    const char *heat = session->options.temperature != 1 ? " / τ" : "";
    const char *x = block_owns_input(shape) ? "x'" : "x", *rotated = shape->rope ? "^{(i−j)}" : "";
    if (shape->traits.cap > 0)
        snprintf(out, capacity, "%s = c·\"tanh\"(s' / c)", name);
    else if (shape->form == FORM_MERGED || !attn_has_factors(shape))
        snprintf(out, capacity, "%s = %s_{%d} W_{QK}%s · %s_{%d}%s%s", name, x, i, rotated, x, j,
                 scale, heat);
    else
        snprintf(out, capacity, "%s = q_{%d} · k_{%d}%s%s", name, i, j, scale, heat);
}

/* Return a note that explains x', if the score is computed from x', or that says that q and k are
 * rotated; NULL for no note. */
static const char *score_note(const AttnShape *shape) {
    bool product = shape->form == FORM_MERGED || !attn_has_factors(shape);
    bool norm = shape->block == BLOCK_PRE_NORM, one = shape->bias == BIAS_ALL;
    if (!product)
        return shape->rope ? "q and k after the rotation" : NULL;
    if (norm && shape->traits.norm.rms)
        return one ? "x' is RMSNorm(x) with a 1 appended" : "x' is RMSNorm(x)";
    if (norm)
        return one ? "x' is LN(x) with a 1 appended" : "x' is LN(x)";
    return one ? "x' is x with a 1 appended" : NULL;
}

static void score(const ViewContext *c, Rect *rest, const CellStory *s) {
    char formula[128];
    double factor = (double)s->shape->score_factor;
    float cap = s->shape->traits.cap;
    inspector_score_formula(formula, sizeof formula, c->session, s, "s");
    inspector_section(c, rest, "Score", formula);
    inspector_bars(c, rest, s->terms, s->term_count, 0);
    rect_cut_top(rest, 6);
    if (s->term_count > 1)
        inspector_largest_terms(c, rest, s->terms, s->term_count);
    const char *final = SHORT((double)s->score);
    if (s->is_set) {
        inspector_pair(c, rest, "Set by hand", final);
        inspector_pair(c, rest, "computed", isfinite(s->computed) ? SHORT(s->computed) : "–");
    } else {
        const char *sum = SHORT(s->dot), *scaled = SHORT(s->dot * factor);
        const char *divisor = FIXED(1 / factor, 1 / factor == floor(1 / factor) ? 0 : 3);
        inspector_pair(c, rest, PRINT("%d product%s", s->term_count, s->term_count == 1 ? "" : "s"),
                       PRINT("sum %s", sum));
        if (cap > 0)
            inspector_pair(c, rest, PRINT("s' = sum / %s", divisor), scaled);
        equation(c, rest, PRINT("s_{%d,%d}", s->at.query + 1, s->at.key + 1),
                 cap > 0 ? PRINT("%s·tanh(%s/%s) = %s", DIGITS(cap), scaled, DIGITS(cap), final)
                         : PRINT("%s / %s = %s", sum, divisor, final));
    }
    if (score_note(s->shape) != NULL)
        text_in(c->ui, rect_cut_top(rest, INSPECTOR_LINE), TEXT_BODY | TEXT_PLAIN, "%s",
                score_note(s->shape));
}

static void ticks(const ViewContext *c, Rect row, int marked) {
    float step = row.w / (float)c->run->T;
    float widest = text_width(c->ui, TEXT_COUNT, c->run->T < 100 ? "00" : "0000") + 8;
    int every = (int)ceilf(widest / step);
    for (int j = 0; j < c->run->T; j++) {
        bool is_far = every == 1 || abs(j - marked) >= every;
        if (j != marked && (j % every != 0 || !is_far))
            continue;
        Rect place = {row.x + step * ((float)j + 0.5f) - 20, row.y, 40, row.h};
        text_in(c->ui, place,
                TEXT_COUNT | TEXT_CENTRE | (j == marked ? TEXT_BOLD | TEXT_BRIGHT : TEXT_DIM), "%s",
                GROUPED(j + 1));
    }
}

static void weight(const ViewContext *c, Rect *rest, const CellStory *s) {
    inspector_section(c, rest, "Weight", "a = " VIEW_WEIGHT_FORMULA);
    Mat shown = view_weights(c, s->at.layer, s->at.head);
    int under = bars_draw(
        c->ui, rect_cut_top(rest, INSPECTOR_BARS),
        &(Bars){.values = mat_row(&shown, s->at.query),
                .before = s->at.layer == 0 ? view_row_before(c, s->at.head, s->at.query) : NULL,
                .count = c->run->T,
                .palette = c->settings->palette,
                .hi = view_scale_top(c),
                .marked = s->at.key + 1});
    if (under >= 0)
        view_light(c, (AttnCell){s->at.layer, s->at.head, s->at.query, under});
    ticks(c, rect_cut_top(rest, 28), s->at.key);
    if (s->is_open)
        inspector_pair(c, rest, "row’s largest score", SHORT(s->softmax.largest));
    equation(c, rest, PRINT("a_{%d,%d}", s->at.query + 1, s->at.key + 1),
             s->is_open ? PRINT("%s / %s = %s", SHORT(s->softmax.power), SHORT(s->softmax.sum),
                                FIXED((double)s->weight, 3))
                        : "closed");
}

void inspector_cell(const ViewContext *c, Rect *rest, AttnCell focus) {
    Rect from = *rest;
    CellStory story = cell_story(c->run, focus, -1, c->scratch);
    title(c, rest, focus);
    value(c, rest, &story);
    if (story.is_open && c->session->weights == NULL &&
        options_fixed_scheme(&c->session->options) < 0)
        text_wrap(c->ui, rest, TEXT_NOTE,
                  c->session->hand != NULL ? "The weights are random, except numbers set by hand."
                  : attn_cell_equal(focus, c->chosen)
                      ? c->why_chosen
                      : "The weights are random, so this is chance.");
    shown_value(c, rest, focus);
    inspector_token_note(c, rest, focus.query);
    if (focus.key != focus.query)
        inspector_token_note(c, rest, focus.key);
    if (rest->h > 200)
        score(c, rest, &story);
    if (rest->h > 200)
        weight(c, rest, &story);
    Rect all = rect_cut_top(&from, rest->y - from.y);
    draw_part(c->ui->list, PART_RECT(all), "inspector.weight");
    provenance_chips(c, rest, focus);
}
