/* The pages about the training step, the symmetric and antisymmetric parts of the product, and the
 * paper's notation; also the choice of the distance (RoPE). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "model/attention/form.h"
#include "model/attention/position.h"
#include "ui/button.h"
#include "views/wqk/wqk_view.h"

#define NAME_H     30
#define SCALE_H    34
#define LINE       28
#define GAP        30.0f
#define OPERATOR_W 44
#define SENTENCE_W 720 /* px: largest width of a sentence */
#define WORDS_W    560 /* px: largest width of the text on a page */
#define STEP_LINES 5   /* number of lines about the training step */
#define STEP_W     340 /* px: width of these lines */

typedef struct Panel {
    const Mat *m;
    const char *name, *words;
} Panel;

/* Draw panels on the same scale, so that their colours can be compared, next to a text that is
 * words_w wide. Return the part of the page for the text: at the right of the panels or, in a
 * narrow page, below them. */
static Rect panels(const Wqk *w, Rect area, const Panel *panel, int count, float words_w) {
    Ui *ui = w->ui;
    bool narrow = area.w < WQK_NARROW;
    float room = narrow ? area.w - (float)(count - 1) * GAP : area.w - (float)count * GAP - words_w;
    float most = fminf(area.h - NAME_H - SCALE_H - 6, room / (float)count), hi = 0;
    Rect place = area;
    for (int i = 0; i < count; i++)
        hi = fmaxf(hi, mat_largest(panel[i].m));
    hi = hi > 0 ? hi : 1;
    for (int i = 0; i < count; i++) {
        const Mat *m = panel[i].m;
        float used = 0;
        if (most >= 20 && m->rows > 0) {
            float side = wqk_snap(w, most / (float)m->rows) * (float)m->rows;
            Rect line = {place.x, place.y, most + GAP - 6, NAME_H};
            text_left(ui, &line, TEXT_NAME, "%s", panel[i].name);
            used = line.x - place.x + text_in(ui, line, TEXT_NOTE, "%s\n", panel[i].words);
            Rect cells = {draw_snap(ui->list, place.x), draw_snap(ui->list, place.y + NAME_H), side,
                          side};
            const char *id = panel[i].words[0] != '\0' ? panel[i].words : panel[i].name;
            wqk_cells(w, ui_id(id, 1), cells, m, hi, true);
            wqk_signed_scale(w, (Rect){cells.x, rect_bottom(cells) + 6, side, SCALE_H}, hi);
            used = fmaxf(side, used - GAP + 12);
        }
        rect_cut_left(&place, used + GAP);
    }
    if (narrow)
        rect_cut_top(&area, most + NAME_H + SCALE_H + GAP);
    else
        rect_cut_left(&area, place.x + GAP / 2 - area.x);
    return area;
}

static void sentence(const Wqk *w, Rect area, const char *text) {
    area.w = fminf(area.w, SENTENCE_W);
    text_wrap(w->ui, &area, TEXT_BODY, text);
}

static void step_numbers(const Wqk *w, Rect area) {
    Ui *ui = w->ui;
    const ProductStep *s = &w->m->step;
    float rate = w->settings->wqk_rate;
    SliderRow row = {"η",
                     NULL,
                     FIXED((double)rate, rate < 0.1f ? 3 : 2),
                     24,
                     0,
                     70,
                     {0.001f, 10, 0, 0.1f, true}};
    if (slider_row(ui, ui_id("wqk rate", 0), rect_cut_top(&area, SLIDER_HEIGHT + 4), &row, &rate)) {
        double digit = pow(10, floor(log10((double)rate)) - 1);
        view_set_number(w->c, "wqk-rate", round((double)rate / digit) * digit, ui->drag_serial);
    }
    float line = fminf(LINE, area.h / STEP_LINES);
    text_pair(ui, rect_cut_top(&area, line), "size of the step by factors\nby factors", "%s",
              WQK_NUMBER(s->norm_factors));
    text_pair(ui, rect_cut_top(&area, line), "by product", "%s", WQK_NUMBER(s->norm_product));
    text_pair(ui, rect_cut_top(&area, line), "cosine between them", "%s", FIXED(s->cosine, 3));
    text_pair(ui, rect_cut_top(&area, line), "rank of the step: factors, product\nrank of the step",
              "%d, %d", s->rank_factors, s->rank_product);
    text_pair(ui, rect_cut_top(&area, line), "rank after it\nrank after", "%d, %d",
              s->rank_after_factors, s->rank_after_product);
}

void wqk_training_page(const Wqk *w, Rect area) {
    const ProductStep *s = &w->m->step;
    bool is_none = !w->p->has_factors;
    if (s->by_factors.rows == 0) {
        sentence(w, area,
                 is_none ? "The free form has no factors: its only step is on the matrix itself."
                 : w->c->is_late ? "Computing the step…"
                                 : "");
        return;
    }
    const char *change = PRINT("Δ%s", w->names->product);
    const Panel panel[] = {{&s->by_factors, change, "by factors"},
                           {&s->by_product, change, "by product"},
                           {&s->difference, "\"difference\"", ""}};
    Rect place = panels(w, area, panel, 3, 330), below = place,
         numbers = rect_cut_left(&place, fminf(place.w, STEP_W));
    rect_cut_top(&below, 34 + SLIDER_HEIGHT + STEP_LINES * LINE + 12);
    text_section(w->ui, &numbers, 30,
                 w->rope ? PRINT("One step on W of i − j = %d", w->m->request.choice.offset)
                         : "One step, same start",
                 NULL);
    step_numbers(w, numbers);
    rect_cut_left(&place, GAP);
    rect_cut_top(&place, 34);
    if (place.w > 160 || area.w < WQK_NARROW)
        sentence(w, place.w > 160 ? place : below,
                 w->rope
                     ? "By factors, each distance's rank stays at most d_k. By product, it can "
                       "grow by 1 for each pair of tokens."
                     : PRINT("By factors, the rank of %s stays at most %s. By product, it can grow "
                             "by 1 for each token.",
                             w->scores ? "W_QK" : "W_OV", w->names->width));
}

void wqk_parts_page(const Wqk *w, Rect area) {
    const ProductAnalysis *m = w->m;
    Ui *ui = w->ui;
    const Panel panel[] = {{&m->symmetric, "(W + W^⊤)/2", ""},
                           {&m->antisymmetric, "(W − W^⊤)/2", ""}};
    Rect place = panels(w, area, panel, 2, 360);
    place.w = fminf(place.w, WORDS_W);
    text_section(ui, &place, 30, "Mutual and one-way", NULL);
    text_pair(ui, rect_cut_top(&place, LINE),
              w->scores ? "mutual: equally in both directions\nsymmetric part"
                        : "symmetric: stretches\nsymmetric part",
              "%s %%", FIXED(m->symmetric_share * 100, 1));
    text_pair(ui, rect_cut_top(&place, LINE),
              w->scores ? "one-way: a attends to b more than b to a\nantisymmetric part"
                        : "antisymmetric: rotates\nantisymmetric part",
              "%s %%", FIXED((1 - m->symmetric_share) * 100, 1));
    rect_cut_top(&place, 8);
    sentence(w, place,
             w->scores ? "Shares of the sum of squares. Two independently initialised factors give "
                         "about half of each; with W_Q = W_K nothing is one-way."
                       : "Shares of the sum of squares. Two independently initialised factors give "
                         "about half of each.");
}

/* Draw a matrix with `unit` pixels per entry, with its name above and its size below. Return the
 * width used. */
static float nested_matrix(const Wqk *w, Vec2 at, const Mat *m, float unit, const char *name) {
    Ui *ui = w->ui;
    Rect cells = {draw_snap(ui->list, at.x), draw_snap(ui->list, at.y + NAME_H),
                  fmaxf(unit * (float)m->cols, 6), fmaxf(unit * (float)m->rows, 6)};
    float name_w = text_width(ui, TEXT_NAME, "%s", name) + 1;
    float size_w = text_width(ui, TEXT_COUNT, "%d×%d", m->rows, m->cols) + 1;
    text_in(ui, (Rect){at.x, at.y, name_w, NAME_H}, TEXT_NAME, "%s", name);
    wqk_cells(w, ui_id(name, 2), cells, m, wqk_largest(m), true);
    text_in(ui, (Rect){cells.x, rect_bottom(cells) + 4, size_w, 22}, TEXT_COUNT, "%d×%d", m->rows,
            m->cols);
    return fmaxf(cells.w, fmaxf(name_w, size_w));
}

/* Draw ·, = or ≠ between two matrices, centred at y. Return the width used. */
static float operator(const Wqk *w, float x, float y, const char *text) {
    Ui *ui = w->ui;
    if (strcmp(text, "·") == 0)
        draw_fill(ui->list, (Rect){x + 18, y - 4, 8, 8}, 4, ui->theme->text_1);
    else
        text_in(ui, (Rect){x, y - 18, OPERATOR_W, 36}, TEXT_FORMULA | TEXT_PX(30) | TEXT_CENTRE,
                "%s", text);
    return OPERATOR_W;
}

/* Draw the matrix of all heads, the head's own matrix, and their product, at most `room` wide.
 * Return the lower right corner of the picture. */
static Vec2 nested_matrices(const Wqk *w, const Rect *area, float room) {
    const NestedReading *n = &w->m->nested;
    int D = n->full.rows, K = n->own.cols;
    float wide = fminf(room - 2 * OPERATOR_W - 40, 360);
    float unit = fminf((area->h - NAME_H - 26) / (float)D, wide / (float)(D + 2 * K));
    float x = area->x, middle = area->y + NAME_H + fminf(unit * (float)D / 2, 90);
    x += nested_matrix(w, (Vec2){x, area->y}, &n->full, unit, w->names->nested);
    x += operator(w, x, middle, "·");
    x += nested_matrix(w, (Vec2){x, area->y}, &n->own, unit, w->names->nested_own);
    x += operator(w, x, middle, "=");
    x += nested_matrix(w, (Vec2){x, area->y}, &n->folded, unit, w->names->nested_folded);
    return (Vec2){x + 40 - GAP, area->y + NAME_H + fmaxf(unit * (float)D, 6) + 26};
}

static void nested_attention(const Wqk *w, Rect area) {
    static const char *const words[] = {"nested", "folded"};
    const NestedReading *n = &w->m->nested;
    Ui *ui = w->ui;
    const Mat *both[] = {&n->A_nested, &n->A_folded};
    Mat scores = results_scores(w->c->run, 0, w->head);
    bool same = (double)n->head_A <= form_rounding(&scores);
    float top = view_scale_end(mat_largest(&n->A_nested));
    float room = fminf((area.w - OPERATOR_W) / 2, area.h - NAME_H - SCALE_H - 6);
    float side = wqk_snap(w, fminf(room / (float)n->A_nested.rows, 36));
    side *= (float)n->A_nested.rows;
    if (room < 90)
        return;
    for (int i = 0; i < 2; i++) {
        Rect line = {draw_snap(ui->list, area.x + (float)i * (side + OPERATOR_W)), area.y,
                     side + OPERATOR_W, NAME_H};
        Rect cells = {line.x, draw_snap(ui->list, area.y + NAME_H), side, side};
        text_left(ui, &line, TEXT_NAME, "A");
        text_in(ui, line, TEXT_NOTE, "%s", words[i]);
        wqk_cells(w, ui_id("wqk nested A", i), cells, both[i], top, false);
    }
    operator(w, area.x + side, area.y + NAME_H + side / 2, same ? "=" : "≠");
    wqk_weight_scale(w, (Rect){area.x, area.y + NAME_H + side + 6, 2 * side + OPERATOR_W, SCALE_H},
                     top);
}

static void fold(const ViewContext *c) {
    const LayerResults *layer = &c->run->layers[0];
    ViewTrained *out = c->trained;
    *out = (ViewTrained){.is_there = true, .name = "folded"};
    snprintf(out->note, sizeof out->note, "the nested form, folded: seed %llu",
             (unsigned long long)c->session->options.seed);
    out->weights = weights_of_params("", &layer->shape[FORM_NESTED], &layer->params, &out->err);
}

static void nested_words(const Wqk *w, Rect words) {
    static const char *const text = "In the paper each head projects its input once. Two "
                                    "projections in a row are one: a head can store their product.";
    Ui *ui = w->ui;
    const NestedReading *n = &w->m->nested;
    bool nested = w->c->run->form == FORM_NESTED;
    const char *label = nested ? "Fold into one matrix per head" : "Sample the nested form";
    text_section(ui, &words, 30, "Two matrices folded into one\nFolded", NULL);
    text_pair(ui, rect_cut_top(&words, LINE), "parameters of the layer, nested\nnested", "%s",
              GROUPED(n->parameters));
    text_pair(ui, rect_cut_top(&words, LINE), "folded, as implementations store them\nfolded", "%s",
              GROUPED(n->folded_parameters));
    if (w->c->is_hall) /* in a lecture hall, the caption explains this */
        return;
    text_pair(ui, rect_cut_top(&words, LINE), "max |ΔA| of all heads, nested and folded\nmax |ΔA|",
              "%s", WQK_NUMBER((double)n->all_A));
    rect_cut_top(&words, 6);
    float used = text_width(ui, TEXT_NAME, "%s", w->names->fold);
    float width = text_width(ui, TEXT_BODY, "%s", label) + 32;
    bool has_room = used + GAP + width <= words.w;
    Rect below = has_room ? (Rect){0} : rect_cut_bottom(&words, BUTTON_HEIGHT);
    bool has_formula = words.h >= BUTTON_HEIGHT;
    Rect line = rect_cut_top(&words, BUTTON_HEIGHT);
    line.h = BUTTON_HEIGHT;
    if (has_formula)
        text_in(ui, line, TEXT_NAME, "%s", w->names->fold);
    Rect place = has_room ? rect_cut_right(&line, width) : rect_cut_left(&below, width);
    place.h = BUTTON_HEIGHT;
    bool clicked = button_text(ui, ui_id("wqk nested", 0), place, label);
    if (clicked && nested)
        fold(w->c);
    else if (clicked)
        edit_push_state(w->c->edits, "form", "nested");
    rect_cut_top(&words, 6);
    if (words.h >= text_wrap_height(ui, TEXT_BODY, text, fminf(words.w, SENTENCE_W)))
        sentence(w, words, text);
}

void wqk_nested_page(const Wqk *w, Rect area) {
    bool is_pending = !w->m->request.nested;
    if (w->m->nested.full.rows == 0) {
        sentence(w, area,
                 !is_pending
                     ? "Too large to store both nested and folded: use fewer tokens or heads."
                 : w->c->is_late ? "Computing the nested form…"
                                 : "");
        return;
    }
    Rect page = area;
    bool is_stacked = page.w < WQK_NARROW && page.h > page.w;
    Vec2 end = nested_matrices(w, &area, is_stacked ? area.w : 0.6f * area.w);
    if (is_stacked)
        rect_cut_top(&area, end.y + GAP - area.y);
    else
        rect_cut_left(&area, end.x + GAP - area.x);
    Rect words = rect_cut_left(&area, fminf(area.w, WORDS_W));
    rect_cut_left(&area, GAP);
    if (page.w >= WQK_NARROW)
        nested_attention(w, area);
    nested_words(w, words);
}

/* Fill out with every `each`-th row and column of the product at another distance (RoPE). */
static void offset_matrix(const Wqk *w, Mat *out, int offset, int each) {
    const HeadProduct *p = w->p;
    Arena *scratch = w->c->scratch;
    size_t mark = scratch->used;
    Mat rotations = mat_push(scratch, 1, w->width);
    Mat left = mat_push(scratch, out->rows, w->width), right = p->right;
    right.rows = out->rows;
    right.stride *= each;
    Mat from = p->left;
    from.rows = out->rows;
    from.stride *= each;
    mat_copy(&left, &from);
    rope_angles(rotations.at, w->width, offset - w->m->request.choice.offset,
                w->c->session->options.traits.rope);
    rope_rotate(&left, &rotations);
    mat_mul_bt(out, &left, &right, 1);
    scratch->used = mark;
}

/* Draw the matrices of the distances around the chosen one that fit. Of a large matrix, show only a
 * sample of entries. Dragging over the strip chooses the distance; meanwhile the strip does not
 * move. */
static void family(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    Ui *ui = w->ui;
    int T = c->run->T, offset = w->m->request.choice.offset, *held = &w->memory->strip_first;
    float side = area.h - 18, pitch = side + 6;
    int count = (int)((area.w + 6) / pitch);
    count = count > 2 * T - 1 ? 2 * T - 1 : count;
    int first = offset - count / 2;
    first = first < 1 - T ? 1 - T : first + count > T ? T - count : first;
    Rect strip = {area.x, area.y, (float)count * pitch - 6, side};
    UiState state = ui_control(ui, ui_id("wqk family", 0), strip, UI_NO_FOCUS);
    if (state.pressed)
        *held = first;
    if (state.held && *held >= 1 - T && *held + count <= T) {
        int at = (int)floorf((ui->pointer.x - strip.x) / pitch);
        first = *held;
        int to = first + (at < 0 ? 0 : at >= count ? count - 1 : at);
        if (to != offset)
            view_set_number(c, "wqk-offset", to, ui->drag_serial);
    }
    int each = (w->E + WQK_THUMB_MAX - 1) / WQK_THUMB_MAX;
    for (int o = first; o < first + count; o++) {
        float x = area.x + pitch * (float)(o - first);
        Rect place = {draw_snap(ui->list, x), area.y, side, side};
        Mat m = mat_push(c->scratch, w->E / each, w->E / each);
        offset_matrix(w, &m, o, each);
        wqk_cells(w, ui_id("wqk family cells", o + T), place, &m, wqk_largest(&w->p->product),
                  true);
        if (o == offset)
            draw_ring(ui->list, rect_inset(place, -2, -2), 3, 2, ui->theme->ring);
        text_in(ui, (Rect){place.x - 4, rect_bottom(place), side + 8, 18},
                TEXT_COUNT | TEXT_SMALL | TEXT_CENTRE, "%s", FIXED(o, 0));
    }
}

void wqk_offsets(const Wqk *w, Rect area) {
    Ui *ui = w->ui;
    int T = w->c->run->T;
    float offset = (float)w->m->request.choice.offset;
    rect_cut_top(&area, 8);
    bool narrow = area.w < WQK_NARROW; /* no room for the strip */
    Rect controls = rect_cut_left(&area, narrow ? area.w : fminf(300, area.w * 0.4f));
    text_in(ui, rect_cut_top(&controls, 24), TEXT_FORMULA,
            "\"One matrix for each \" i − j,  \"here \" %s", FIXED((double)offset, 0));
    if (T < 2)
        return;
    SliderRange range = {(float)(1 - T), (float)(T - 1), 1, 0, false};
    if (slider(ui, ui_id("wqk offset", 0), rect_cut_top(&controls, 32), &range, &offset))
        view_set_number(w->c, "wqk-offset", (double)offset, ui->drag_serial);
    rect_cut_left(&area, 24);
    if (!narrow)
        family(w, area);
}
