#include "views/wqk/wqk.h"

#include <math.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "model/analysis/similarity.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "ui/layout.h"
#include "ui/scroll.h"
#include "ui/tween.h"
#include "views/shared/head_chips.h"
#include "views/shared/tools.h"
#include "views/wqk/wqk_view.h"

#define TABS_H 36
/* Px: in a narrow view with a shorter line, the choice of the head is below that of the product. */
#define TITLE_W   480
#define BELOW_H   288 /* px: height of tabs and page in a high view */
#define BELOW_LOW 236
#define PROOF_W   268
#define PROOF_H   500
/* Share of the merge slider on which products of a column and a row are added one by one. */
#define LAYERS_SHARE 0.7f
#define OFFSETS_H    72
#define BETWEEN      32
#define NARROW_W     1000
#define HALL_PAGE    0.04f /* space around a page in a hall, as a share of the height */
#define STACKED_H    1900  /* px: height of the whole view if all parts are below each other */
#define CHART_H      260   /* px: height of a chart in this case */

/* Lengths as shares of the view's height. */
#define TOP         0.2f  /* space above the matrices, including their names */
#define FOOT        0.03f /* space below the matrices */
#define SPACES      0.35f /* sum of the spaces around and between the matrices */
#define SPACES_MOST 0.16f /* largest sum of these spaces as a share of the width */
#define STRIP_H     0.052f
#define STRIP_NAME  0.045f
#define NUMBER_H    0.14f
#define APART       0.035f
#define SCALE_H     34 /* px */
#define PILL_AWAY   10
/* Least room for the number below W_K^⊤; with less room, the number is below all matrices. */
#define BESIDE_LEAST 0.36f
/* If a view's ratio of width to height is smaller, the number is below all matrices. */
#define LOW 1.75f

/* How SPACES is divided: left of W_Q, before W_K^⊤, before W_QK, right of W_QK. */
static const float SHARES[] = {0.26f, 0.24f, 0.31f, 0.19f};

static const WqkNames NAMES[PRODUCT_COUNT] = {
    [PRODUCT_QK] = {"W_Q", "W_K^⊤", "W_Q R", "R^{−1} W_K^⊤", "W_Q", "W_K", "W_{QK}", "A", "d_k",
                    "Attention does not change", "Attention changes", "Attention", "W^Q", "W_i^Q",
                    "W_i^{Q*}", "(X W^Q) W_i^Q = X (W^Q W_i^Q) = X W_i^{Q*}"},
    [PRODUCT_OV] = {"W_V", "W_O", "W_V R", "R^{−1} W_O", "W_V", "W_O", "W_{OV}", "Y", "d_v",
                    "The output does not change", "The output changes", "The output", "W^V",
                    "W_i^V", "W_i^{V*}", "(X W^V) W_i^V = X (W^V W_i^V) = X W_i^{V*}"},
};

static void rank_page(const Wqk *w, Rect area) {
    Rect places[3];
    for (int i = 0; i < 3; i++) {
        places[i] = w->is_stacked ? rect_cut_top(&area, CHART_H) : layout_part(area, BETWEEN, i, 3);
        if (w->is_stacked)
            rect_cut_top(&area, 24);
    }
    wqk_spectrum(w, places[0]);
    wqk_curve(w, places[1]);
    wqk_cost_brief(w, places[2]);
}

static const struct {
    Entry entry;
    void (*draw)(const Wqk *, Rect);
    const char *answer;
} PAGES[PAGE_COUNT] = {
    {{"rank", "Rank", "", "Singular values, and what is lost if some are left out."},
     rank_page,
     "Two thin factors cap the rank: beyond %s every singular value is 0."},
    {{"cost", "Cost", "", "Parameters, multiply-adds and time of both forms."},
     wqk_cost_page,
     "Two thin factors need fewer parameters and multiplications."},
    {{"training", "Training", "",
      "One step of gradient descent on the factors and on the product."},
     wqk_training_page,
     "The factors learn differently: same start, different step."},
    {{"parts", "Symmetry", "", "The symmetric and the antisymmetric part of the product."},
     wqk_parts_page,
     "The structure of the product, whatever its factors are."},
    {{"nested", "Fold", "",
      "Formulas that project twice, once for all heads and once in each head; one matrix can "
      "replace the two."},
     wqk_nested_page,
     "Projecting twice adds nothing: two matrices make one."},
    {{"plain", "W = I", "", "Without weights: attention as similarity of word vectors."},
     wqk_plain_page,
     "Without weights, attention is just similarity."},
    {{"gauge", "Gauge", "", "An invertible R between the factors."},
     wqk_transform,
     "No single entry of the factors carries meaning: R changes them all."},
};
const Registry WQK_PAGES = REGISTRY("pages", "page", PAGES);

static const Entry AGAINST_ROWS[] = {
    {"merged", "Merged", "", "The same head with its factors merged into one matrix."},
    {"rank", "Rank r", "", "The same head with the product cut to rank r."},
    {"gauge", "With R", "", "The same head with R between its factors."},
};
const Registry WQK_AGAINST = REGISTRY("comparisons", "comparison", AGAINST_ROWS);

static const Entry DELTA_ROWS[] = {
    {"same", "Same scale", "", "The difference on the scale of the two results."},
    {"magnify", "Magnify", "", "The difference on a scale of its own, so that rounding is seen."},
};
const Registry WQK_DELTAS = REGISTRY("difference scales", "difference scale", DELTA_ROWS);

static const Entry TRANSFORM_ROWS[] = {
    {"rotation", "Rotation", "", "R rotates: lengths stay the same."},
    {"any", "Any invertible", "", "R rotates and stretches."},
};
const Registry WQK_TRANSFORMS = REGISTRY("gauges", "gauge", TRANSFORM_ROWS);

/* Return the rank to which the product is cut: the one that the user chose, otherwise that of the
 * form in use, otherwise half of the full rank. */
static int rank_of(const Session *session, const Settings *settings, int width, int E) {
    int least = width < E ? width : E;
    int rank = settings->wqk_rank > 0                   ? settings->wqk_rank
               : session->options.form.row == FORM_RANK ? session->options.form.number
                                                        : (least + 1) / 2;
    return rank < 1 ? 1 : rank > E ? E : rank;
}

void wqk_request(ResultsRequest *request, const Session *session, const Settings *settings) {
    const Options *o = &session->options;
    AttnShape shape = options_shape(o, 1, (AttnForm)o->form.row);
    ProductKind kind = (ProductKind)settings->wqk_product;
    int E = attn_input_width(&shape), m = head_product_width(&shape, kind);
    bool is_checked = kind == PRODUCT_QK && !shape.rope &&
                      (shape.form == FORM_SEPARATE || shape.form == FORM_MERGED);
    /* if is_checked, the Results already have the differences over all heads */
    bool all = settings->wqk_against == AGAINST_MERGED && !is_checked;
    /* For the pages about the rank and about R, also request the free form's W_QK of this head, if
     * it is not too large. */
    bool has_free = (settings->wqk_page == PAGE_RANK || settings->wqk_page == PAGE_TRANSFORM) &&
                    kind == PRODUCT_QK && shape.form != FORM_FREE && E <= HEAD_PRODUCT_SIGMA_MAX;
    request->has_product = true;
    request->analysis =
        (ProductRequest){.choice = {kind, o->head - 1, settings->wqk_offset},
                         .rank = rank_of(session, settings, m, E),
                         .transform = {settings->wqk_transform == 0, settings->wqk_turn,
                                       (uint64_t)settings->wqk_transform_seed},
                         .rate = settings->wqk_rate,
                         .step = settings->wqk_page == PAGE_TRAINING,
                         .nested = settings->wqk_page == PAGE_NESTED,
                         .parts = true,
                         .cut = settings->wqk_against == AGAINST_RANK,
                         .all = all,
                         .free = has_free,
                         .follows = all || has_free || shape.rope};
}

uint64_t wqk_scratch_bytes(const Results *run) {
    const AttnShape *shape = &run->layers[0].shape[run->form];
    int E = attn_input_width(shape), T = run->T, width = shape->K > shape->V ? shape->K : shape->V;
    int thumb = E < WQK_THUMB_MAX ? E : WQK_THUMB_MAX;
    /* small arrays, cosines, and the transposed right factor with the terms of an entry */
    uint64_t bytes = (64u << 10) + similarity_scratch_bytes(T, E) + mat_bytes(width, E + 1);
    for (int i = 0; i < 5; i++) /* (T, T) matrices of this frame */
        bytes += mat_bytes(T, T);
    for (int i = 0; i < 2; i++) /* the shown part of the product; an output */
        bytes += mat_bytes(E, E) + mat_bytes(T, E);
    if (shape->rope) /* the strip of distances, and a left factor for each of its matrices */
        bytes +=
            64 * mat_bytes(thumb, thumb) + mat_bytes(thumb + 1, shape->K) + mat_bytes(1, shape->K);
    return bytes;
}

static OptionPair inside(OptionPair entry, int E) {
    bool is_inside = entry.first >= 1 && entry.first <= E && entry.second >= 1 && entry.second <= E;
    return is_inside ? entry : (OptionPair){0, 0};
}

Wqk wqk_of(const ViewContext *c) {
    ResultsRequest request = {0};
    wqk_request(&request, c->session, c->settings);
    const ProductAnalysis *m = c->run->analysis;
    const HeadProduct *p = &m->product;
    Wqk w = {.c = c,
             .ui = c->ui,
             .settings = c->settings,
             .memory = &c->memory->wqk,
             .m = m,
             .p = p,
             .shape = &c->run->layers[0].shape[c->run->form],
             .names = &NAMES[p->kind],
             .want = request.analysis,
             .scores = p->kind == PRODUCT_QK,
             .head = c->session->options.head - 1,
             .rank = request.analysis.rank,
             .width = p->left.cols,
             .E = p->product.rows};
    w.rope = w.scores && m->inputs.rotations != NULL;
    w.offset = w.rope ? m->request.choice.offset : 0;
    w.lit = inside((OptionPair){w.memory->lit_row, w.memory->lit_column}, w.E);
    w.is_hovered = w.lit.first > 0;
    if (!w.is_hovered)
        w.lit = inside(c->settings->wqk_entry, w.E);
    bool merged = w.scores ? c->run->form == FORM_MERGED : w.memory->ov_merged;
    float form = ui_tween(c->ui, ui_id("wqk merged", 0), merged ? 1 : 0, MOTION_STEP);
    float scrub = c->settings->merge;
    w.merged = fmaxf(form, (scrub - LAYERS_SHARE) / (1 - LAYERS_SHARE));
    if (scrub > 0 && scrub < 1 && p->has_factors)
        w.layers = (int)fminf(ceilf(scrub / LAYERS_SHARE * (float)w.width), (float)w.width);
    return w;
}

/* Draw the choice of the product and of the head at the right of the line. If wraps and the line is
 * too short, use two lines. Return the height used. */
static float title_draw(const Wqk *w, Rect line, bool wraps) {
    static const char *const names[] = {"Q·K", "V·O"};
    bool is_short = wraps && line.w < TITLE_W;
    float width = segmented_width(w->ui, names, 2);
    Rect chips = line, choice = line;
    if (is_short) {
        chips.y += TABS_H + 12;
    } else {
        rect_cut_left(&chips, width + 96);
        float chips_w = head_chips_width(w->c, chips.w, false) + layer_chips_width(w->c);
        rect_cut_right(&choice, fminf(chips_w, chips.w) + 24);
    }
    choice = is_short ? rect_cut_left(&choice, width) : rect_cut_right(&choice, width);
    int clicked =
        segmented(w->ui, ui_id("wqk product", 0), choice, names, 2, w->settings->wqk_product);
    if (clicked >= 0)
        view_set_row(w->c, "wqk-product", clicked);
    layer_chips(w->c, head_chips(w->c, chips, NULL, NULL), false);
    return rect_bottom(chips) - line.y;
}

/* Draw the tabs, or a menu if they are too wide, and at their right a sentence with the conclusion
 * of the page. Return the chosen page. */
static WqkPage tabs(const Wqk *w, Rect *area, bool has_transform) {
    int count = has_transform ? PAGE_TRANSFORM : PAGE_COUNT;
    WqkPage page = w->settings->wqk_page < count ? (WqkPage)w->settings->wqk_page : PAGE_RANK;
    Rect line = rect_cut_top(area, TABS_H);
    rect_cut_top(area, 14);
    if (tool_segments_width(w->c, "wqk-page") <= line.w)
        rect_cut_left(&line, tool_segments_some(w->c, line, "wqk-page", count));
    else
        tool_menu(w->c, rect_cut_left(&line, tool_menu_width(w->c, "wqk-page")), "wqk-page");
    const char *answer = PRINT(PAGES[page].answer, w->names->width);
    if (page == PAGE_RANK && w->p->is_edited)
        answer = "Entries set by hand can raise the rank above that of thin factors.";
    else if (page == PAGE_RANK && w->width >= w->E)
        answer = "Factors this wide do not limit the rank.";
    else if (page == PAGE_COST && !wqk_cost_holds_less(w))
        answer = "At this width the factors save no parameters.";
    rect_cut_left(&line, 24);
    if (w->p->has_factors)
        text_in(w->ui, line, TEXT_BODY, "%s\n", answer);
    return page;
}

static void page_draw(const Wqk *w, WqkPage page, Rect area) {
    draw_part(w->ui->list, PART_RECT(area), "wqk.page");
    PAGES[page].draw(w, area);
}

static void stacked(Wqk *w, Rect area) {
    ScrollArea scroll = scroll_begin(w->ui, ui_id("wqk scroll", 0), area, &w->memory->scroll,
                                     (Vec2){area.w, STACKED_H});
    Rect rest = scroll.content;
    rect_cut_top(&rest, title_draw(w, (Rect){rest.x, rest.y, rest.w, TABS_H}, true) + 12);
    WqkTop top = wqk_top_layout(w, (Rect){rest.x, rest.y, rest.w, 420});
    wqk_top_pointer(w, &top);
    wqk_top_draw(w, &top);
    rect_cut_top(&rest, wqk_top_bottom(&top) + 16 - rest.y);
    if (w->rope)
        wqk_offsets(w, rect_cut_top(&rest, OFFSETS_H));
    rect_cut_top(&rest, 24);
    wqk_proof(w, rect_cut_top(&rest, 480));
    rect_cut_top(&rest, 24);
    WqkPage page = tabs(w, &rest, top.has_transform);
    w->is_stacked = true;
    float height = page == PAGE_RANK ? 3 * (CHART_H + 24) : area.w < WQK_NARROW ? 720 : 300;
    page_draw(w, page, rect_cut_top(&rest, height));
    scroll_end(w->ui, &scroll);
}

static WqkTop hall_layout(const Wqk *w, Rect area, bool is_low) {
    const DrawList *list = w->ui->list;
    float E = (float)w->E, m = w->p->has_factors ? (float)w->width : 0;
    float wide = m > 0 ? 2 * E + m : 2 * E; /* a single matrix has the number at its right */
    float spaces = fminf(SPACES * area.h, SPACES_MOST * area.w);
    float height = area.h * (1 - TOP - FOOT - (is_low ? 2 * NUMBER_H : 0));
    WqkTop top = {0};
    top.cell = wqk_snap(w, fminf((area.w - spaces) / wide, height / fmaxf(E, m)));
    spaces = area.w - wide * top.cell;
    Vec2 at = {draw_snap(list, area.x + SHARES[0] * spaces),
               draw_snap(list, area.y + TOP * area.h)};
    wqk_top_place(w, &top, at, SHARES[1] * spaces, SHARES[2] * spaces);
    return top;
}

/* Draw the entry's row of W_Q above its column of W_K^⊤. */
static void strips(const Wqk *w, Rect *area, float unit) {
    const Mat *factors[] = {&w->m->transformed_left, &w->m->transformed_right};
    static const char *const names[] = {"i", "j"};
    int rows[] = {w->lit.first - 1, w->lit.second - 1};
    float hi = fmaxf(wqk_largest(factors[0]), wqk_largest(factors[1]));
    for (int f = 0; f < 2; f++) {
        Rect line = rect_cut_top(area, STRIP_H * unit);
        FormulaStyle name = {STRIP_NAME * unit, w->ui->theme->text_1, LABEL_RIGHT};
        Mat row = {mat_row(factors[f], rows[f]), 1, factors[f]->cols, factors[f]->cols};
        formula_label(w->ui, (Rect){line.x - unit * 0.1f, line.y, unit * 0.085f, line.h}, &name,
                      names[f]);
        wqk_cells(w, ui_id("wqk strip", f), line, &row, hi, true);
        rect_cut_top(area, 3);
    }
}

/* Draw the form for a lecture hall: factors and product with cells of one size; below them, in
 * large cells, the row and the column that make one entry; and the proof as one number. */
static void hall_matrices(Wqk *w, Rect area) {
    bool has_factors = w->p->has_factors;
    bool is_low = has_factors && area.w < LOW * area.h;
    float unit = area.h;
    WqkTop top = hall_layout(w, area, is_low);
    if (has_factors && !is_low && top.product.frame.h - top.right.frame.h < BESIDE_LEAST * unit) {
        is_low = true;
        top = hall_layout(w, area, is_low);
    }
    wqk_top_pointer(w, &top);
    Rect right = top.right.frame, product = top.product.frame;
    const Mat *m = &w->p->product;
    if (w->lit.first == 0) { /* without a chosen entry, explain the largest one */
        w->lit = (OptionPair){1, 1};
        for (int i = 0; i < m->rows * m->cols; i++)
            if (fabsf(mat_row(m, i / m->cols)[i % m->cols]) >
                fabsf(mat_row(m, w->lit.first - 1)[w->lit.second - 1]))
                w->lit = (OptionPair){i / m->cols + 1, i % m->cols + 1};
    }
    wqk_top_draw(w, &top);
    /* the value is above and right of the entry, or at its other side if there is no room */
    int row = w->lit.first - 1, column = w->lit.second - 1;
    const char *text = FIXED((double)mat_row(m, row)[column], 2);
    Vec2 size = view_pill_size(w->c, text);
    Vec2 at = {product.x + top.cell * ((float)column + 0.5f),
               product.y + top.cell * ((float)row + 0.5f)};
    bool is_left = at.x + size.x + PILL_AWAY > rect_right(product);
    bool is_below = at.y - size.y - PILL_AWAY < product.y;
    at.x += (size.x / 2 + PILL_AWAY) * (is_left ? -1 : 1);
    at.y += (size.y / 2 + PILL_AWAY) * (is_below ? 1 : -1);
    view_pill(w->c, at, product, text);
    Rect free = {right.x, rect_bottom(right) + APART * unit, right.w, 0};
    if (!has_factors)
        free = (Rect){rect_right(product) + unit * 0.05f, product.y, product.w, 0};
    free.h = rect_bottom(product) - free.y;
    if (is_low) {
        float y = rect_bottom(product) + APART * unit;
        free = (Rect){area.x + 0.14f * unit, y, area.w - 0.2f * unit, rect_bottom(area) - y};
    }
    Rect number = is_low ? rect_cut_right(&free, free.w * 0.44f) : free;
    rect_cut_right(&free, is_low ? 0.08f * unit : 0);
    if (has_factors && w->merged <= 0) {
        float from = free.y;
        strips(w, &free, unit);
        rect_cut_top(&number, is_low ? 0 : free.y - from);
    }
    Rect scale =
        is_low ? rect_cut_bottom(&free, fminf(SCALE_H, free.h)) : rect_cut_bottom(&number, SCALE_H);
    wqk_signed_scale(w, scale, wqk_hall_scale(w));
    wqk_proof_number(w, number);
}

/* Draw the form for a lecture hall: the chosen page or, for the pages about R and about the rank,
 * the matrices. If the user has set a rank, the page about the rank shows the singular values. */
static void hall(Wqk *w, Rect area) {
    Rect page = rect_inset(area, area.h * HALL_PAGE, area.h * HALL_PAGE);
    int chosen = w->settings->wqk_page;
    if (chosen != PAGE_RANK && chosen != PAGE_TRANSFORM)
        page_draw(w, (WqkPage)chosen, page);
    else if (chosen == PAGE_RANK && w->settings->wqk_rank > 0)
        wqk_spectrum(w, page);
    else
        hall_matrices(w, area);
}

void wqk_frame(const ViewContext *c, Rect area) {
    Wqk w = wqk_of(c);
    Rect title = c->beside_title;
    if (c->is_hall) {
        hall(&w, area);
        return;
    }
    if (c->window_width < NARROW_W || area.h < 420 || title.w <= 0) {
        stacked(&w, area);
        return;
    }
    title_draw(&w, (Rect){title.x, title.y, title.w, TABS_H}, false);
    Rect above = area;
    rect_cut_bottom(&above, (area.h < 760 ? BELOW_LOW : BELOW_H) + 24);
    Rect proof = rect_cut_right(&above, PROOF_W);
    rect_cut_right(&above, BETWEEN);
    Rect offsets = w.rope ? rect_cut_bottom(&above, OFFSETS_H) : (Rect){0};
    WqkTop top = wqk_top_layout(&w, above);
    wqk_top_pointer(&w, &top);
    wqk_top_draw(&w, &top);
    float spare = fmaxf(proof.x - BETWEEN - rect_right(top.product.frame), 0) * 0.5f;
    proof.x -= spare;
    proof.w += spare;
    proof.h = fminf(proof.h, PROOF_H);
    wqk_proof(&w, proof);
    if (w.rope)
        wqk_offsets(&w, (Rect){offsets.x, offsets.y, fminf(offsets.w, proof.x - 24 - offsets.x),
                               offsets.h});
    float bottom = fmaxf(wqk_top_bottom(&top), rect_bottom(proof));
    bottom = w.rope ? fmaxf(bottom, rect_bottom(offsets)) : bottom;
    Rect pages = area;
    rect_cut_top(&pages, bottom + 24 - area.y);
    WqkPage page = tabs(&w, &pages, top.has_transform);
    page_draw(&w, page, pages);
}
