#include <math.h>

#include "views/shared/number_editor.h"
#include "views/wqk/wqk_view.h"

#define EDGE         5    /* px above and below a bar's top where it can be dragged */
#define ZERO         1e-5 /* as a share of the largest: smaller values have no bar to drag */
#define MARK         9    /* side of the mark above a bar */
#define SIGMA_DIGITS 3    /* of a dragged value */

/* A matrix of the page whose entries can be edited. */
typedef struct Sheet {
    int name, bias; /* bias: the name of the bias row below, or -1 */
    Rect frame, whole;
    bool is_wide;       /* the head's width goes down the rows */
    bool is_transposed; /* rows are the matrix's columns */
    int first_row;      /* the matrix's row that is drawn first */
} Sheet;

/* True if both factors are shown without an R between them. */
static bool has_plain_factors(const Wqk *w) {
    return w->m->product.has_factors && w->merged == 0 && w->c->settings->wqk_turn == 0 &&
           w->c->settings->wqk_transform == 0 && wqk_rotated_by(w) == 0;
}

/* Fill the sheets of the page and return their number. */
static int sheets_of(Sheet out[3], const Wqk *w, const WqkTop *top) {
    int count = 0;
    bool is_qk = w->m->product.kind == PRODUCT_QK;
    int head = w->c->session->options.head - 1;
    if (has_plain_factors(w)) {
        out[count++] = (Sheet){.name = is_qk ? ATTN_W_Q : ATTN_W_V,
                               .bias = is_qk ? ATTN_B_Q : ATTN_B_V,
                               .frame = top->left,
                               .whole = wqk_whole(w, top, top->left, true, false)};
        out[count++] = (Sheet){.name = is_qk ? ATTN_W_K : ATTN_W_O,
                               .bias = is_qk ? ATTN_B_K : -1,
                               .frame = top->right,
                               .whole = wqk_whole(w, top, top->right, false, true),
                               .is_wide = true,
                               .is_transposed = is_qk,
                               .first_row = is_qk ? 0 : head * w->width};
    }
    int rows, cols;
    hand_name_size(&rows, &cols, ATTN_W_QK, &w->c->run->layers[0].shape[w->c->run->form]);
    if (is_qk && rows > 0)
        out[count++] = (Sheet){.name = ATTN_W_QK,
                               .bias = -1,
                               .frame = top->product,
                               .whole = wqk_whole(w, top, top->product, true, true)};
    return count;
}

static Vec2 cell_size(const Wqk *w, const Sheet *sheet) {
    float across = sheet->name == ATTN_W_QK ? (float)w->E : (float)w->width;
    return sheet->is_wide ? (Vec2){sheet->whole.w / (float)w->E, sheet->whole.h / across}
                          : (Vec2){sheet->whole.w / across, sheet->whole.h / (float)w->E};
}

/* Return the number under the pointer, and its cell. */
static HandNumber number_at(const Wqk *w, const Sheet *sheet, Rect *cell) {
    Vec2 size = cell_size(w, sheet), at = w->c->ui->pointer;
    int row = (int)((at.y - sheet->whole.y) / size.y),
        col = (int)((at.x - sheet->whole.x) / size.x);
    *cell = (Rect){sheet->whole.x + (float)col * size.x, sheet->whole.y + (float)row * size.y,
                   size.x, size.y};
    HandNumber number = {.name = sheet->name,
                         .head =
                             hand_name_has_heads(sheet->name) ? w->c->session->options.head - 1 : 0,
                         .row = sheet->first_row + (sheet->is_transposed ? col : row),
                         .col = sheet->is_transposed ? row : col};
    int D = w->c->run->X.cols;
    if (sheet->bias >= 0 && number.row >= D) {
        number.name = sheet->bias;
        number.row = 0;
    }
    return number;
}

bool wqk_hand_pointer(const Wqk *w, const WqkTop *top, UiState product) {
    Sheet sheets[3];
    int count = sheets_of(sheets, w, top);
    for (int i = 0; i < count; i++) {
        Rect cell, frame = sheets[i].frame;
        UiState state = sheets[i].name == ATTN_W_QK ? product
                                                    : ui_control(w->c->ui, ui_id("wqk factor", i),
                                                                 frame, UI_NO_FOCUS | UI_NO_HAND);
        HandNumber number = number_at(w, &sheets[i], &cell);
        if (number_editor_offer(w->c, state, number, cell,
                                (Rect){frame.x, cell.y, frame.w, cell.h}))
            return true;
    }
    return false;
}

void wqk_hand_marks(const Wqk *w, const WqkTop *top) {
    Sheet sheets[3];
    int count = sheets_of(sheets, w, top);
    for (int i = 0; i < count; i++) {
        Vec2 size = cell_size(w, &sheets[i]);
        Rect clip = draw_clip(w->c->ui->list, sheets[i].frame), place = sheets[i].whole;
        place.y -= (float)sheets[i].first_row * size.y;
        number_marks_draw(w->c, &(NumberMarks){.name = sheets[i].name,
                                               .head = w->c->session->options.head - 1,
                                               .rect = place,
                                               .cell = size,
                                               .is_transposed = sheets[i].is_transposed});
        draw_clip_restore(w->c->ui->list, clip);
    }
}

static UiId edge_id(void) {
    return ui_id("wqk sigma", 0);
}

static bool is_dragged(const Wqk *w) {
    return w->c->ui->active == edge_id();
}

float wqk_sigma_top(const Wqk *w, float top) {
    return is_dragged(w) ? w->c->memory->wqk.sigma_top : top;
}

const HandNumber *wqk_sigma_dragged(const Wqk *w) {
    return is_dragged(w) ? hand_set_find(w->c->session->hand, &w->c->memory->wqk.sigma) : NULL;
}

/* True if the bars are the singular values that can be set: those of the factors' product. */
static bool can_set(const Wqk *w) {
    int rows, cols;
    hand_name_size(&rows, &cols, HAND_SIGMA, &w->c->run->layers[0].shape[w->c->run->form]);
    return w->m->product.kind == PRODUCT_QK && w->m->product.count > 0 && rows > 0 &&
           !w->m->product.is_edited && wqk_rotated_by(w) == 0 &&
           product_analysis_is_current(w->c->run);
}

/* Return the place of the number that a bar shows. */
static HandNumber number_of(const Wqk *w, int bar) {
    int rows[HEAD_PRODUCT_SIGMA_MAX], head = w->c->session->options.head - 1;
    hand_sigma_rows(rows, w->m->product.sigma, w->m->product.count,
                    results_trace(w->c->run, 0)->hand, head);
    return (HandNumber){.name = HAND_SIGMA, .head = head, .row = rows[bar]};
}

static Rect bar_column(const Wqk *w, Rect plot, float top, int bar) {
    float step = plot.w / (float)w->E;
    float height = plot.h * fminf((float)w->m->product.sigma[bar] / top, 1);
    return (Rect){plot.x + step * (float)bar, rect_bottom(plot) - height, step, height};
}

/* Return the bar under the pointer, or -1. */
static int bar_at(const Wqk *w, Rect plot) {
    float at = (w->c->ui->pointer.x - plot.x) / plot.w * (float)w->E;
    return at >= 0 && at < (float)w->m->product.count ? (int)at : -1;
}

/* Set the dragged value to the one at the pointer, rounded to a few digits. */
static void drag_to_pointer(const Wqk *w, Rect plot) {
    WqkMemory *m = &w->c->memory->wqk;
    Ui *ui = w->c->ui;
    m->sigma_moves = m->sigma_moves || ui->pointer.y != ui->press_at.y;
    if (!m->sigma_moves)
        return;
    double share = (double)((rect_bottom(plot) - ui->pointer.y + m->sigma_grab) / plot.h);
    double unit = pow(10, floor(log10((double)m->sigma_top)) - (SIGMA_DIGITS - 1));
    HandNumber number = m->sigma;
    number.value = (float)(fmax(round(share * (double)m->sigma_top / unit), 0) * unit);
    const HandNumber *set = hand_set_find(w->c->today->hand, &number);
    HandPaint paint = hand_paint_of(&number, true);
    if (set == NULL || set->value != number.value)
        edit_push_hand(w->c->edits, &paint, ui->drag_serial);
}

/* Let a double click or the right button's menu open the editor of the bar under the pointer. */
static bool offer(const Wqk *w, Rect plot, float top, UiState state, int bar) {
    Rect column = bar_column(w, plot, top, bar);
    return number_editor_offer(w->c, state, number_of(w, bar), column,
                               (Rect){column.x, plot.y, column.w, plot.h});
}

/* True if the bar's value is not 0, or was set to 0 by hand. */
static bool has_edge(const Wqk *w, int bar, const HandNumber *number) {
    const double *sigma = w->m->product.sigma;
    return sigma[bar] > ZERO * sigma[0] || hand_set_find(w->c->session->hand, number) != NULL;
}

bool wqk_sigma_drag(const Wqk *w, Rect plot, float top) {
    WqkMemory *m = &w->c->memory->wqk;
    Ui *ui = w->c->ui;
    int bar = bar_at(w, plot);
    Rect edge = plot;
    if (!is_dragged(w)) {
        HandNumber number = bar >= 0 && can_set(w) ? number_of(w, bar) : (HandNumber){0};
        if (number.name != HAND_SIGMA || !has_edge(w, bar, &number))
            return false;
        edge = bar_column(w, plot, top, bar);
        m->sigma = number;
        m->sigma_top = top;
        m->sigma_grab = ui->pointer.y - edge.y;
        m->sigma_moves = false;
        edge = (Rect){edge.x, edge.y - EDGE, edge.w, 2 * EDGE};
    }
    UiState state = ui_control(ui, edge_id(), edge, UI_NO_FOCUS | UI_NO_HAND);
    if (state.held && !(state.pressed && offer(w, plot, top, state, bar)))
        drag_to_pointer(w, plot);
    return state.hovered || state.held;
}

void wqk_sigma_edit(const Wqk *w, Rect plot, float top, UiState chart) {
    int bar = chart.focused ? w->rank - 1 : -1;
    if (!can_set(w))
        return;
    if (bar >= 0 && bar < w->m->product.count && ui_key(w->c->ui, KEY_ENTER, 0)) {
        Rect column = bar_column(w, plot, top, bar);
        number_editor_open(w->c, number_of(w, bar), column,
                           (Rect){column.x, plot.y, column.w, plot.h});
    } else if (bar_at(w, plot) >= 0) {
        offer(w, plot, top, chart, bar_at(w, plot));
    }
}

void wqk_sigma_marks(const Wqk *w, Rect plot, float top) {
    int rows[HEAD_PRODUCT_SIGMA_MAX], count = w->m->product.count;
    int head = w->c->session->options.head - 1;
    if (!can_set(w) || w->c->session->hand == NULL)
        return;
    hand_sigma_rows(rows, w->m->product.sigma, count, results_trace(w->c->run, 0)->hand, head);
    for (int j = 0; j < count; j++) {
        HandNumber number = {.name = HAND_SIGMA, .head = head, .row = rows[j]};
        Rect column = bar_column(w, plot, top, j);
        float y = fmaxf(column.y - MARK - 1, plot.y);
        if (hand_set_find(w->c->session->hand, &number) == NULL)
            continue;
        number_mark_draw(w->c, (Rect){column.x + (column.w - MARK) / 2, y, MARK, MARK});
    }
}
