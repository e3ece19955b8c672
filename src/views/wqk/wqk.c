#include "views/wqk/wqk.h"

#include <math.h>

#include "draw/part.h"
#include "model/analysis/similarity.h"
#include "ui/button.h"
#include "ui/layout.h"
#include "ui/scroll.h"
#include "ui/tween.h"
#include "views/shared/head_chips.h"
#include "views/wqk/wqk_view.h"

#define TABS_H       36
#define TITLE_W      480 /* px in a narrow view with heads and product in one line */
#define BELOW_H      288 /* height of tabs and page in a high view */
#define BELOW_LOW    236
#define COST_W       200 /* px of the costs next to the product, if the proof is below it */
#define COST_H       280
#define COST_LOW     236
#define PROOF_W      268
#define PROOF_H      500
#define LAYERS_SHARE 0.7f /* share of a scrubbed merge that adds column × row products */
#define OFFSETS_H    72
#define BETWEEN      32
#define NARROW_W     1000
#define BELOW_W      1360  /* narrower windows have the proof under the product */
#define HALL_PAGE    0.04f /* px around a page in a hall, as a share of the height */
#define STACKED_H    1900  /* height of all parts when they are stacked */

static const WqkNames NAMES[PRODUCT_COUNT] = {
    [PRODUCT_QK] = {"W_Q", "W_K^⊤", "W_Q R", "R^{−1} W_K^⊤", "W_Q", "W_K", "W_{QK}", "A",
                    "Attention does not change", "Attention changes", "Attention"},
    [PRODUCT_OV] = {"W_V", "W_O", "W_V R", "R^{−1} W_O", "W_V", "W_O", "W_{OV}", "Y",
                    "The output does not change", "The output changes", "The output"},
};

int wqk_rank_of(const Session *session, const Settings *settings, int width, int E) {
    int least = width < E ? width : E;
    int rank = settings->wqk_rank > 0                   ? settings->wqk_rank
               : session->options.form.row == FORM_RANK ? session->options.form.number
                                                        : (least + 1) / 2;
    return rank < 1 ? 1 : rank > E ? E : rank;
}

void wqk_request(ResultsRequest *request, const Session *session, const Settings *settings,
                 const ViewMemory *memory) {
    (void)memory;
    const Options *o = &session->options;
    AttnShape shape = options_shape(o, 1, (AttnForm)o->form.row);
    ProductKind kind = (ProductKind)settings->wqk_product;
    int E = attn_input_width(&shape), m = head_product_width(&shape, kind);
    bool is_checked = kind == PRODUCT_QK && !shape.rope &&
                      (shape.form == FORM_SEPARATE || shape.form == FORM_MERGED);
    bool all =
        settings->wqk_against == AGAINST_MERGED && !is_checked; /* in the Results otherwise */
    /* Also request the head's own product, if it is not too large. The page of the rank and that of
     * R show it. */
    bool has_free = (settings->wqk_page == PAGE_RANK || settings->wqk_page == PAGE_TRANSFORM) &&
                    kind == PRODUCT_QK && shape.form != FORM_FREE && E <= HEAD_PRODUCT_SIGMA_MAX;
    request->has_product = true;
    request->analysis =
        (ProductRequest){.choice = {kind, o->head - 1, settings->wqk_offset},
                         .rank = wqk_rank_of(session, settings, m, E),
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

size_t wqk_scratch_bytes(const Results *run) {
    int E = attn_input_width(&run->layers[0].shape[run->form]), T = run->T;
    size_t pairs = mat_bytes_add(mat_bytes(T, T), mat_bytes(T, T));
    size_t result = mat_bytes_add(mat_bytes(T, E), pairs);
    size_t square = mat_bytes_add(mat_bytes(E, E), mat_bytes(E, E));
    size_t plain = mat_bytes_add(mat_bytes(T, T), similarity_scratch_bytes(T, E));
    square = mat_bytes_add(square, plain);
    int thumb = E < WQK_THUMB_MAX ? E : WQK_THUMB_MAX; /* RoPE: a left factor for each */
    if (run->layers[0].shape[run->form].rope) {
        const AttnShape *shape = &run->layers[0].shape[run->form];
        square = mat_bytes_add(square, 64 * mat_bytes(thumb, thumb));
        square = mat_bytes_add(square, mat_bytes(thumb + 1, shape->K) + mat_bytes(1, shape->K));
    }
    return mat_bytes_add(square, mat_bytes_add(result, result)) + (64u << 10);
}

static OptionPair inside(OptionPair entry, int E) {
    return entry.first >= 1 && entry.first <= E && entry.second >= 1 && entry.second <= E
               ? entry
               : (OptionPair){0, 0};
}

Wqk wqk_of(const ViewContext *c) {
    ResultsRequest request = {0};
    wqk_request(&request, c->session, c->settings, c->memory);
    const ProductAnalysis *m = c->run->analysis;
    int E = m->product.product.rows;
    const WqkMemory *memory = &c->memory->wqk;
    OptionPair hovered = inside((OptionPair){memory->lit_row, memory->lit_column}, E);
    Wqk w = {.c = c,
             .m = m,
             .names = &NAMES[m->product.kind],
             .want = request.analysis,
             .rank = request.analysis.rank,
             .width = m->product.left.cols,
             .E = E,
             .is_hovered = hovered.first > 0};
    w.lit = w.is_hovered ? hovered : inside(c->settings->wqk_entry, E);
    bool merged = m->product.kind == PRODUCT_QK ? c->run->form == FORM_MERGED : memory->ov_merged;
    float form = ui_tween(c->ui, ui_id("wqk merged", 0), merged ? 1 : 0, MOTION_STEP);
    float scrub = c->settings->merge;
    w.merged = fmaxf(form, (scrub - LAYERS_SHARE) / (1 - LAYERS_SHARE));
    if (scrub > 0 && scrub < 1 && m->product.has_factors)
        w.layers = (int)fminf(ceilf(scrub / LAYERS_SHARE * (float)w.width), (float)w.width);
    return w;
}

void wqk_set_rank(const Wqk *w, int rank, uint64_t serial) {
    rank = rank < 1 ? 1 : rank > w->E ? w->E : rank;
    view_set_number(w->c, "wqk-rank", rank, serial);
    if (w->c->settings->wqk_against != AGAINST_RANK)
        view_set(w->c, "wqk-against", "rank", 0);
}

static const char *const PRODUCT_NAMES[] = {"Q·K", "V·O"};

static void product_choice(const Wqk *w, Rect place) {
    const ViewContext *c = w->c;
    int clicked = segmented(c->ui, ui_id("wqk product", 0), place, PRODUCT_NAMES, 2,
                            c->settings->wqk_product);
    if (clicked >= 0)
        view_set(c, "wqk-product", registry_entry(&PRODUCTS, clicked)->id, 0);
}

/* Draw the choice of the product and of the head in the view's title line. */
static void title_line(const Wqk *w, Rect line) {
    Rect chips_line = line;
    float choice = segmented_width(w->c->ui, PRODUCT_NAMES, 2);
    rect_cut_left(&chips_line, choice + 96);
    rect_cut_right(&line, head_chips_width(w->c, chips_line.w, false) + 24);
    product_choice(w, rect_cut_right(&line, choice));
    head_chips(w->c, chips_line, NULL, NULL);
}

/* Draw the same choices, in two lines if one is too short. */
static void title_lines(const Wqk *w, Rect *area) {
    if (area->w >= TITLE_W) {
        title_line(w, rect_cut_top(area, TABS_H));
        return;
    }
    Rect line = rect_cut_top(area, TABS_H);
    product_choice(w, rect_cut_left(&line, segmented_width(w->c->ui, PRODUCT_NAMES, 2)));
    rect_cut_top(area, 12);
    head_chips(w->c, rect_cut_top(area, TABS_H), NULL, NULL);
}

/* Draw at the right of the tabs the page's answer to why there are two matrices. */
static void answer(const Wqk *w, WqkPage page, Rect line) {
    bool holds_less = wqk_cost_holds_less(w);
    bool scores = w->m->product.kind == PRODUCT_QK;
    const char *const answers[PAGE_COUNT] = {
        [PAGE_RANK] =
            w->m->product.is_edited ? "Entries set by hand can add rank that no thin factors have."
            : w->width >= w->E      ? "Factors this wide do not limit the rank."
            : scores ? "Two thin factors cap the rank: beyond d_k every singular value is 0."
                     : "Two thin factors cap the rank: beyond d_v every singular value is 0.",
        [PAGE_COST] = holds_less ? "Two thin factors need fewer parameters and multiplications."
                                 : "At this width the factors save no parameters.",
        [PAGE_TRAINING] = "The factors learn differently: same start, different step.",
        [PAGE_PARTS] = "What the product says, however it was made.",
        [PAGE_NESTED] = "The paper projects once; a second matrix can be multiplied in.",
        [PAGE_PLAIN] = "Without weights, attention is just similarity.",
        [PAGE_TRANSFORM] = "No single entry of the factors carries meaning: R changes them all.",
    };
    rect_cut_left(&line, 24);
    if (w->m->product.has_factors)
        text_in(w->c->ui, line, TEXT_BODY, "%s\n", answers[page]);
}

/* Draw the tabs in as many rows as they need. Return the chosen page. */
static WqkPage tabs(const Wqk *w, Rect *area, bool has_transform) {
    const ViewContext *c = w->c;
    const char *labels[PAGE_COUNT];
    int pages[PAGE_COUNT], count = 0, chosen = 0, clicked = -1;
    for (int page = 0; page < PAGE_COUNT; page++) {
        if (page == PAGE_TRANSFORM && has_transform)
            continue;
        chosen = page == c->settings->wqk_page ? count : chosen;
        pages[count] = page;
        labels[count++] = registry_entry(&WQK_PAGES, page)->label;
    }
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count; end++)
            if (segmented_width(c->ui, labels + first, end + 1 - first) > area->w)
                break;
        Rect line = rect_cut_top(area, TABS_H);
        float width = segmented_width(c->ui, labels + first, end - first);
        int hit =
            segmented(c->ui, ui_id("wqk page", first), rect_cut_left(&line, width), labels + first,
                      end - first, chosen >= first && chosen < end ? chosen - first : -1);
        clicked = hit >= 0 ? first + hit : clicked;
        if (end == count)
            answer(w, (WqkPage)pages[chosen], line);
        rect_cut_top(area, end < count ? 8 : 14);
    }
    if (clicked >= 0)
        view_set(c, "wqk-page", registry_entry(&WQK_PAGES, pages[clicked])->id, 0);
    return (WqkPage)pages[chosen];
}

/* Draw the singular values, the error against the rank, and the costs. In a narrow window, the
 * proof takes the place of the costs, which then stand next to the product. */
static void rank_page(const Wqk *w, Rect area, bool has_proof) {
    wqk_spectrum(w, layout_part(area, BETWEEN, 0, 3));
    wqk_curve(w, layout_part(area, BETWEEN, 1, 3));
    if (has_proof)
        wqk_proof(w, layout_part(area, BETWEEN, 2, 3), true);
    else
        wqk_cost_brief(w, layout_part(area, BETWEEN, 2, 3));
}

static void page_draw(const Wqk *w, WqkPage page, Rect area, bool has_proof) {
    draw_part(w->c->ui->list, PART_RECT(area), "wqk.page");
    switch (page) {
    case PAGE_RANK:
        rank_page(w, area, has_proof);
        break;
    case PAGE_COST:
        wqk_cost_page(w, area);
        break;
    case PAGE_TRAINING:
        wqk_training_page(w, area);
        break;
    case PAGE_PARTS:
        wqk_parts_page(w, area);
        break;
    case PAGE_NESTED:
        wqk_nested_page(w, area);
        break;
    case PAGE_PLAIN:
        wqk_plain_page(w, area);
        break;
    case PAGE_TRANSFORM:
        wqk_transform(w, area);
        break;
    case PAGE_COUNT:
        break;
    }
    bool is_old = page == PAGE_RANK ? wqk_is_old_product(w) && w->m->product.count > 0
                                    : page == PAGE_PARTS && wqk_is_old_product(w);
    wqk_veil(w, "wqk page veil", area, is_old);
}

/* Draw the two charts of the rank below each other. */
static void rank_stacked(const Wqk *w, Rect rest) {
    wqk_spectrum(w, rect_cut_top(&rest, 260));
    rect_cut_top(&rest, 24);
    wqk_curve(w, rect_cut_top(&rest, 260));
    rect_cut_top(&rest, 24);
    wqk_cost_brief(w, rect_cut_top(&rest, 240));
}

/* Draw all parts below each other in a scrolled area. */
static void stacked(Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    ScrollArea scroll = scroll_begin(c->ui, ui_id("wqk scroll", 0), area, &c->memory->wqk.scroll,
                                     (Vec2){area.w, STACKED_H});
    Rect rest = scroll.content;
    title_lines(w, &rest);
    rect_cut_top(&rest, 12);
    WqkTop top = wqk_top_layout(w, (Rect){rest.x, rest.y, rest.w, 420});
    wqk_top_pointer(w, &top);
    wqk_top_draw(w, &top);
    rect_cut_top(&rest, wqk_top_bottom(&top) + 16 - rest.y);
    if (w->m->inputs.rotations != NULL && w->m->product.kind == PRODUCT_QK)
        wqk_offsets(w, rect_cut_top(&rest, OFFSETS_H));
    rect_cut_top(&rest, 24);
    wqk_proof(w, rect_cut_top(&rest, 480), false);
    rect_cut_top(&rest, 24);
    WqkPage page = tabs(w, &rest, top.has_transform);
    if (page == PAGE_RANK)
        rank_stacked(w, rest);
    else
        page_draw(w, page, rect_cut_top(&rest, area.w < WQK_NARROW ? 720 : 300), false);
    scroll_end(c->ui, &scroll);
}

/* Draw the hall form: the matrices, or the subject of the chosen page, such as the singular
 * values if a rank is chosen. */
static void hall(Wqk *w, Rect area) {
    const Settings *s = w->c->settings;
    Rect page = rect_inset(area, area.h * HALL_PAGE, area.h * HALL_PAGE);
    if (s->wqk_page != PAGE_RANK && s->wqk_page != PAGE_TRANSFORM) /* R changes the matrices */
        page_draw(w, (WqkPage)s->wqk_page, page, false);
    else if (s->wqk_page == PAGE_RANK && s->wqk_rank > 0)
        wqk_spectrum(w, page);
    else
        wqk_hall(w, area);
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
    title_line(&w, (Rect){title.x, title.y, title.w, TABS_H});
    bool beside = c->window_width >= BELOW_W;
    Rect above = area;
    rect_cut_bottom(&above, (area.h < 760 ? BELOW_LOW : BELOW_H) + 24);
    Rect proof = beside ? rect_cut_right(&above, PROOF_W) : (Rect){0};
    if (beside)
        rect_cut_right(&above, BETWEEN);
    bool rope = w.m->inputs.rotations != NULL && w.m->product.kind == PRODUCT_QK;
    Rect offsets = rope ? rect_cut_bottom(&above, OFFSETS_H) : (Rect){0};
    WqkTop top = wqk_top_layout(&w, above);
    wqk_top_pointer(&w, &top);
    wqk_top_draw(&w, &top);
    if (beside) {
        float spare = fmaxf(proof.x - BETWEEN - rect_right(top.product), 0) * 0.5f;
        proof.x -= spare;
        proof.w += spare;
        proof.h = fminf(proof.h, PROOF_H);
        wqk_proof(&w, proof, false);
    }
    if (rope)
        wqk_offsets(&w, (Rect){offsets.x, offsets.y,
                               fminf(offsets.w, beside ? proof.x - 24 - offsets.x : offsets.w),
                               offsets.h});
    Rect spare = above;
    rect_cut_left(&spare, rect_right(top.product) + BETWEEN - above.x);
    bool has_cost = !beside && spare.w >= COST_W;
    float low = fmaxf(wqk_top_bottom(&top) - spare.y, COST_LOW);
    spare.h = has_cost ? fminf(spare.h, fminf(low, COST_H)) : 0;
    if (has_cost)
        wqk_cost_brief(&w, spare);
    float bottom = fmaxf(wqk_top_bottom(&top), fmaxf(rect_bottom(proof), rect_bottom(spare)));
    bottom = rope ? fmaxf(bottom, rect_bottom(offsets)) : bottom;
    Rect pages = area;
    rect_cut_top(&pages, bottom + 24 - area.y);
    WqkPage page = tabs(&w, &pages, top.has_transform);
    page_draw(&w, page, pages, !beside);
}
