#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "model/attention/form.h"
#include "model/attention/rope.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/scale_bar.h"
#include "views/wqk/wqk_view.h"

#define NAME_H     30
#define SCALE_H    34
#define LINE       28
#define GAP        30.0f
#define OPERATOR_W 44
#define SENTENCE_W 720 /* greatest width of a sentence */
#define WORDS_W    560 /* greatest width of the words on a page */

#define STEP_LINES 5   /* lines of numbers about the training step */
#define STEP_W     340 /* their width */

/* Draw a square matrix with its name and words above and its scale to ±hi below. Return the width
 * used. */
static float panel(const Wqk *w, Rect area, const Mat *m, float hi, const char *name,
                   const char *words) {
    Ui *ui = w->c->ui;
    float side = fminf(area.w, area.h - NAME_H - SCALE_H - 6);
    if (side < 20 || m->rows == 0)
        return 0;
    side = wqk_snap(w->c, side / (float)m->rows) * (float)m->rows;
    Rect line = {area.x, area.y, area.w + GAP - 6, NAME_H};
    text_left(ui, &line, TEXT_NAME, "%s", name);
    float used = line.x - area.x + text_in(ui, line, TEXT_NOTE, "%s\n", words);
    Rect cells = {draw_snap(ui->list, area.x), draw_snap(ui->list, area.y + NAME_H), side, side};
    wqk_cells(w->c, ui_id(words[0] != '\0' ? words : name, 1), cells, m, hi, true);
    wqk_signed_scale(w->c, (Rect){cells.x, rect_bottom(cells) + 6, side, SCALE_H}, hi);
    return fmaxf(side, used - GAP + 12);
}

/* Return the upper end of a scale that several matrices share, so that their colours are
 * comparable. */
static float common_scale(const Mat *const *m, int count) {
    float hi = 0;
    for (int i = 0; i < count; i++)
        hi = fmaxf(hi, mat_largest(m[i]));
    return hi > 0 ? hi : 1;
}

static void rate_row(const Wqk *w, Rect line) {
    const ViewContext *c = w->c;
    float rate = c->settings->wqk_rate;
    SliderRow row = {"η",
                     NULL,
                     FIXED((double)rate, rate < 0.1f ? 3 : 2),
                     24,
                     0,
                     70,
                     {0.001f, 10, 0, 0.1f, true}};
    if (!slider_row(c->ui, ui_id("wqk rate", 0), line, &row, &rate))
        return;
    double digit = pow(10, floor(log10((double)rate)) - 1);
    view_set_number(c, "wqk-rate", round((double)rate / digit) * digit, c->ui->drag_serial);
}

static void step_numbers(const Wqk *w, Rect area) {
    Ui *ui = w->c->ui;
    const ProductStep *s = &w->m->step;
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

static void sentence(const Wqk *w, Rect area, const char *text) {
    area.w = fminf(area.w, SENTENCE_W);
    text_wrap(w->c->ui, &area, TEXT_BODY, text);
}

/* Return the part of a page for words: right of the pictures, whose right end is given; or below
 * them in a narrow page. */
static Rect words_place(Rect area, float right, float pictures_h) {
    if (area.w < WQK_NARROW)
        rect_cut_top(&area, pictures_h + GAP);
    else
        rect_cut_left(&area, right + GAP - area.x);
    return area;
}

/* Return the side of one of count square panels next to words that are words_w wide. */
static float panel_side(Rect area, int count, float words_w) {
    bool narrow = area.w < WQK_NARROW;
    float wide = narrow ? area.w - (float)(count - 1) * GAP : area.w - (float)count * GAP - words_w;
    return fminf(area.h - NAME_H - SCALE_H - 6, wide / (float)count);
}

/* Draw the panels at the left of *place and reduce it to the rest. */
static void panels(const Wqk *w, Rect *place, float side, const Mat *const *m,
                   const char *const (*names)[2], int count) {
    for (int i = 0; i < count; i++) {
        Rect area = *place;
        area.w = side;
        float used = panel(w, area, m[i], common_scale(m, count), names[i][0], names[i][1]);
        rect_cut_left(place, used + GAP);
    }
}

void wqk_training_page(const Wqk *w, Rect area) {
    const ProductStep *s = &w->m->step;
    bool is_none = !w->m->product.has_factors && !wqk_is_old_product(w);
    if (s->by_factors.rows == 0) {
        sentence(w, area,
                 is_none ? "The free form has no factors: its only step is on the matrix itself."
                 : w->c->is_late ? "Computing the step…"
                                 : "");
        return;
    }
    float side = panel_side(area, 3, 330);
    Rect place = area;
    const char *change = PRINT("Δ%s", w->names->product);
    const Mat *const shown[] = {&s->by_factors, &s->by_product, &s->difference};
    const char *const names[][2] = {
        {change, "by factors"}, {change, "by product"}, {"\"difference\"", ""}};
    panels(w, &place, side, shown, names, 3);
    wqk_veil(w, "wqk step veil", (Rect){area.x, area.y, place.x - area.x, area.h},
             w->want.rate != w->m->request.rate || wqk_is_old_product(w));
    place = words_place(area, place.x - GAP / 2, side + NAME_H + SCALE_H);
    Rect below = place, numbers = rect_cut_left(&place, fminf(place.w, STEP_W));
    rect_cut_top(&below, 34 + SLIDER_HEIGHT + STEP_LINES * LINE + 12);
    bool rope = w->m->inputs.rotations != NULL && w->m->product.kind == PRODUCT_QK;
    text_section(w->c->ui, &numbers, 30,
                 rope ? PRINT("One step on W of i − j = %d", w->m->request.choice.offset)
                      : "One step, same start",
                 NULL);
    rate_row(w, rect_cut_top(&numbers, SLIDER_HEIGHT + 4));
    step_numbers(w, numbers);
    rect_cut_left(&place, GAP);
    rect_cut_top(&place, 34);
    if (place.w > 160 || area.w < WQK_NARROW)
        sentence(w, place.w > 160 ? place : below,
                 rope ? "A step on the factors changes the matrices of all distances, with rank at "
                        "most d_k. A step on one of them adds up to one rank a pair."
                 : w->m->product.kind == PRODUCT_QK
                     ? "A step on the factors keeps the rank of W_QK at most d_k. A step on the "
                       "product adds up to one rank for each token."
                     : "A step on the factors keeps the rank of W_OV at most d_v. A step on the "
                       "product adds up to one rank for each token.");
}

void wqk_parts_page(const Wqk *w, Rect area) {
    const ProductAnalysis *m = w->m;
    Ui *ui = w->c->ui;
    bool scores = m->product.kind == PRODUCT_QK;
    float side = panel_side(area, 2, 360);
    Rect place = area;
    const Mat *const parts[] = {&m->symmetric, &m->antisymmetric};
    static const char *const names[][2] = {{"(W + W^⊤)/2", ""}, {"(W − W^⊤)/2", ""}};
    panels(w, &place, side, parts, names, 2);
    place = words_place(area, place.x - GAP / 2, side + NAME_H + SCALE_H);
    place.w = fminf(place.w, WORDS_W);
    text_section(ui, &place, 30, "Mutual and one-way", NULL);
    text_pair(ui, rect_cut_top(&place, LINE),
              scores ? "mutual: equally in both directions\nsymmetric part"
                     : "symmetric: stretches\nsymmetric part",
              "%s %%", FIXED(m->symmetric_share * 100, 1));
    text_pair(ui, rect_cut_top(&place, LINE),
              scores ? "one-way: a attends to b more than b to a\nantisymmetric part"
                     : "antisymmetric: rotates\nantisymmetric part",
              "%s %%", FIXED((1 - m->symmetric_share) * 100, 1));
    rect_cut_top(&place, 8);
    sentence(w, place,
             scores ? "Shares of the sum of squares. Two independently initialised factors give "
                      "about half of each; with W_Q = W_K nothing is one-way."
                    : "Shares of the sum of squares. Two independently initialised factors give "
                      "about half of each.");
}

/* Draw a matrix with `unit` pixels per entry, its name above and its size below. Return the width
 * used. */
static float nested_matrix(const Wqk *w, Vec2 at, const Mat *m, float unit, const char *name) {
    Ui *ui = w->c->ui;
    Rect cells = {draw_snap(ui->list, at.x), draw_snap(ui->list, at.y + NAME_H),
                  fmaxf(unit * (float)m->cols, 6), fmaxf(unit * (float)m->rows, 6)};
    float name_w = text_width(ui, TEXT_NAME, "%s", name) + 1;
    float size_w = text_width(ui, TEXT_COUNT, "%d×%d", m->rows, m->cols) + 1;
    text_in(ui, (Rect){at.x, at.y, name_w, NAME_H}, TEXT_NAME, "%s", name);
    wqk_cells(w->c, ui_id(name, 2), cells, m, wqk_largest(m), true);
    text_in(ui, (Rect){cells.x, rect_bottom(cells) + 4, size_w, 22}, TEXT_COUNT, "%d×%d", m->rows,
            m->cols);
    return fmaxf(cells.w, fmaxf(name_w, size_w));
}

/* Draw · = or ≠ between matrices, centred at y. Return the width used. */
static float operator(const Wqk *w, float x, float y, const char *text) {
    Ui *ui = w->c->ui;
    FormulaStyle style = {.size = 30, .colour = ui->theme->text_1, .align = LABEL_CENTRE};
    if (strcmp(text, "·") == 0)
        draw_fill(ui->list, (Rect){x + 18, y - 4, 8, 8}, 4, ui->theme->text_1);
    else
        formula_label(ui, (Rect){x, y - 18, OPERATOR_W, 36}, &style, text);
    return OPERATOR_W;
}

/* Return the paper's names of the shown projection. */
typedef struct NestedNames {
    const char *full, *own, *folded, *formula;
} NestedNames;

static const NestedNames NESTED_NAMES[PRODUCT_COUNT] = {
    [PRODUCT_QK] = {"W^Q", "W_i^Q", "W_i^{Q*}", "(X W^Q) W_i^Q = X (W^Q W_i^Q) = X W_i^{Q*}"},
    [PRODUCT_OV] = {"W^V", "W_i^V", "W_i^{V*}", "(X W^V) W_i^V = X (W^V W_i^V) = X W_i^{V*}"},
};

/* Draw the two matrices and their product. Return the right and the lower end of the picture. */
static Vec2 nested_matrices(const Wqk *w, const Rect *area) {
    const NestedReading *n = &w->m->nested;
    const NestedNames *names = &NESTED_NAMES[w->m->product.kind];
    int D = n->full.rows, K = n->own.cols;
    float wide = fminf(area->w - 2 * OPERATOR_W - 40, 360);
    float unit = fminf((area->h - NAME_H - 26) / (float)D, wide / (float)(D + 2 * K));
    float x = area->x, middle = area->y + NAME_H + fminf(unit * (float)D / 2, 90);
    x += nested_matrix(w, (Vec2){x, area->y}, &n->full, unit, names->full);
    x += operator(w, x, middle, "·");
    x += nested_matrix(w, (Vec2){x, area->y}, &n->own, unit, names->own);
    x += operator(w, x, middle, "=");
    x += nested_matrix(w, (Vec2){x, area->y}, &n->folded, unit, names->folded);
    return (Vec2){x + 40 - GAP, area->y + NAME_H + fmaxf(unit * (float)D, 6) + 26};
}

/* Draw the attention of both forms with = or ≠ between, if there is room. */
static void nested_attention(const Wqk *w, Rect area) {
    const NestedReading *n = &w->m->nested;
    Ui *ui = w->c->ui;
    static const char *const words[] = {"nested", "folded"};
    const Mat *both[] = {&n->A_nested, &n->A_folded};
    Mat scores = results_scores(w->c->run, 0, w->c->session->options.head - 1);
    bool same = (double)n->head_A <= form_rounding(&scores);
    float top = view_scale_end(mat_largest(&n->A_nested));
    float room = fminf((area.w - OPERATOR_W) / 2, area.h - NAME_H - SCALE_H - 6);
    float side = wqk_snap(w->c, fminf(room / (float)n->A_nested.rows, 36));
    side *= (float)n->A_nested.rows;
    if (room < 90)
        return;
    for (int i = 0; i < 2; i++) {
        Rect line = {draw_snap(ui->list, area.x + (float)i * (side + OPERATOR_W)), area.y,
                     side + OPERATOR_W, NAME_H};
        Rect cells = {line.x, draw_snap(ui->list, area.y + NAME_H), side, side};
        text_left(ui, &line, TEXT_NAME, "A");
        text_in(ui, line, TEXT_NOTE, "%s", words[i]);
        wqk_cells(w->c, ui_id("wqk nested A", i), cells, both[i], top, false);
    }
    operator(w, area.x + side, area.y + NAME_H + side / 2, same ? "=" : "≠");
    scale_bar(
        ui, (Rect){area.x, area.y + NAME_H + side + 6, 2 * side + OPERATOR_W, SCALE_H},
        &(ScaleBar){.palette = w->c->settings->palette, .hi = top, .name = "", .marked = NAN});
}

/* Draw a button that chooses or leaves the nested form: right of the formula, which is `used` wide,
 * or below it. */
static void nested_button(const Wqk *w, Rect *words, float used) {
    Ui *ui = w->c->ui;
    bool nested = w->c->run->form == FORM_NESTED;
    const char *text = nested ? "Fold into one matrix a head" : "Use the nested form";
    float width = text_width(ui, TEXT_BODY, "%s", text) + 32;
    bool has_room = used + GAP + width <= words->w;
    Rect line = has_room ? *words : rect_cut_bottom(words, BUTTON_HEIGHT);
    line.h = BUTTON_HEIGHT;
    Rect place = has_room ? rect_cut_right(&line, width) : rect_cut_left(&line, width);
    if (button_text(ui, ui_id("wqk nested", 0), place, text))
        edit_push_state(w->c->edits, "form", nested ? "separate" : "nested");
}

static void nested_words(const Wqk *w, Rect words) {
    Ui *ui = w->c->ui;
    const NestedReading *n = &w->m->nested;
    const char *formula = NESTED_NAMES[w->m->product.kind].formula;
    text_section(ui, &words, 30, "The second matrix multiplied in\nMultiplied in", NULL);
    text_pair(ui, rect_cut_top(&words, LINE), "parameters, nested\nnested", "%s",
              GROUPED(n->parameters));
    text_pair(ui, rect_cut_top(&words, LINE), "folded, as implementations hold them\nfolded", "%s",
              GROUPED(n->folded_parameters));
    text_pair(ui, rect_cut_top(&words, LINE), "max |ΔA| of this head, nested and folded\nmax |ΔA|",
              "%s", WQK_NUMBER((double)n->head_A));
    text_pair(ui, rect_cut_top(&words, LINE), "max |ΔA| over all heads\nover all heads", "%s",
              WQK_NUMBER((double)n->all_A));
    rect_cut_top(&words, 6);
    Rect line = words;
    line.h = BUTTON_HEIGHT;
    nested_button(w, &words, text_width(ui, TEXT_NAME, "%s", formula));
    if (words.h >= line.h)
        text_in(ui, line, TEXT_NAME, "%s", formula);
    rect_cut_top(&words, line.h + 6);
    const char *text = "In the paper each head projects its input once. Two maps in a row are one: "
                       "a head can keep their product.";
    if (words.h >= text_wrap_height(ui, TEXT_BODY, text, fminf(words.w, SENTENCE_W)))
        sentence(w, words, text);
}

void wqk_nested_page(const Wqk *w, Rect area) {
    bool is_pending = !w->m->request.nested;
    if (w->m->nested.full.rows == 0) {
        sentence(w, area,
                 !is_pending
                     ? "Too large to hold nested and folded at once: use fewer tokens or heads."
                 : w->c->is_late ? "Computing the nested form…"
                                 : "");
        return;
    }
    Rect page = area;
    Vec2 end = nested_matrices(w, &area);
    area = words_place(area, end.x, end.y - area.y);
    Rect words = rect_cut_left(&area, fminf(area.w, WORDS_W));
    rect_cut_left(&area, GAP);
    if (page.w >= WQK_NARROW)
        nested_attention(w, area);
    nested_words(w, words);
    wqk_veil(w, "wqk nested veil", page, wqk_is_old_product(w));
}

/* Fill out with the product at another distance (RoPE), reduced to every `each`-th row and column.
 * */
static void offset_matrix(const Wqk *w, Mat *out, int offset, int each) {
    const HeadProduct *p = &w->m->product;
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

/* Let the pointer scrub the strip of count distances. Return the first distance shown, which stays
 * the same during a drag. */
static int scrub(const Wqk *w, Rect strip, int count, float pitch) {
    const ViewContext *c = w->c;
    int T = c->run->T, offset = w->m->request.choice.offset, *held = &c->memory->wqk.strip_first;
    int first = offset - count / 2;
    first = first < 1 - T ? 1 - T : first + count > T ? T - count : first;
    UiState state = ui_control(c->ui, ui_id("wqk family", 0), strip, UI_NO_FOCUS);
    if (state.pressed)
        *held = first;
    if (!state.held || *held < 1 - T || *held + count > T)
        return first;
    int at = (int)floorf((c->ui->pointer.x - strip.x) / pitch);
    int to = *held + (at < 0 ? 0 : at >= count ? count - 1 : at);
    if (to != offset)
        view_set_number(c, "wqk-offset", to, c->ui->drag_serial);
    return *held;
}

/* Draw the matrices of the distances around the chosen one, as far as there is room. Of a wide
 * matrix a sample of entries is shown. */
static void family(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    int T = c->run->T, offset = w->m->request.choice.offset, E = w->E;
    float side = area.h - 18, pitch = side + 6;
    int count = (int)((area.w + 6) / pitch);
    count = count > 2 * T - 1 ? 2 * T - 1 : count;
    int first = scrub(w, (Rect){area.x, area.y, (float)count * pitch - 6, side}, count, pitch);
    int each = (E + WQK_THUMB_MAX - 1) / WQK_THUMB_MAX, side_entries = E / each;
    for (int i = 0; i < count; i++) {
        int o = first + i;
        Rect place = {draw_snap(c->ui->list, area.x + pitch * (float)i), area.y, side, side};
        Mat m = mat_push(c->scratch, side_entries, side_entries);
        offset_matrix(w, &m, o, each);
        wqk_cells(c, ui_id("wqk family cells", o + T), place, &m,
                  wqk_largest(&w->m->product.product), true);
        if (o == offset)
            draw_ring(c->ui->list, rect_inset(place, -2, -2), 3, 2, c->ui->theme->ring);
        text_in(c->ui, (Rect){place.x - 4, rect_bottom(place), side + 8, 18},
                TEXT_COUNT | TEXT_SMALL | TEXT_CENTRE, "%s", FIXED(o, 0));
    }
}

void wqk_offsets(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    int T = c->run->T;
    float offset = (float)w->m->request.choice.offset;
    rect_cut_top(&area, 8);
    bool narrow = area.w < WQK_NARROW; /* no room for the strip */
    Rect controls = rect_cut_left(&area, narrow ? area.w : fminf(300, area.w * 0.4f));
    text_in(c->ui, rect_cut_top(&controls, 24), TEXT_FORMULA,
            "\"One matrix for each \" i − j,  \"here \" %s", FIXED((double)offset, 0));
    if (T < 2)
        return;
    SliderRange range = {(float)(1 - T), (float)(T - 1), 1, 0, false};
    if (slider(c->ui, ui_id("wqk offset", 0), rect_cut_top(&controls, 32), &range, &offset))
        view_set_number(c, "wqk-offset", (double)offset, c->ui->drag_serial);
    rect_cut_left(&area, 24);
    if (!narrow)
        family(w, area);
}
