/* Setting entries and singular values by hand, in the matrices and charts that show them. */
#include <math.h>

#include "views/shared/number_editor.h"
#include "views/wqk/wqk_view.h"

#define EDGE 5 /* px above and below the top of a bar where the pointer can drag it */
/* Share of the largest singular value: a smaller one can be dragged only if it was set by hand. */
#define ZERO 1e-5
#define MARK 9 /* px: side of the mark above a bar */
/* A dragged value is rounded to the last of this number of significant digits of the axis's end. */
#define SIGMA_DIGITS 3

typedef struct HandSheet {
    /* HandNumber.name of the entries, and of the biases in the row below them (-1 for none). */
    int name, bias;
    const WqkSheet *at;
    bool is_transposed; /* true if rows on screen are the matrix's columns */
    int first_row;      /* index of the matrix's row that is drawn first */
} HandSheet;

/* Fill out with the matrices on the page that can be edited, and return their number. Factors can
 * be edited only if they are separate, with no R and no rotation between them. */
static int sheets_of(HandSheet out[3], const Wqk *w, const WqkTop *top) {
    int count = 0, rows, cols;
    bool has_plain_factors = w->p->has_factors && w->merged == 0 && w->settings->wqk_turn == 0 &&
                             w->settings->wqk_transform == 0 && w->offset == 0;
    if (has_plain_factors && w->scores) {
        out[count++] = (HandSheet){ATTN_W_Q, ATTN_B_Q, &top->left, false, 0};
        out[count++] = (HandSheet){ATTN_W_K, ATTN_B_K, &top->right, true, 0};
    } else if (has_plain_factors) {
        out[count++] = (HandSheet){ATTN_W_V, ATTN_B_V, &top->left, false, 0};
        out[count++] = (HandSheet){ATTN_W_O, -1, &top->right, false, w->head * w->width};
    }
    hand_name_size(&rows, &cols, ATTN_W_QK, w->shape);
    if (w->scores && rows > 0)
        out[count++] = (HandSheet){ATTN_W_QK, -1, &top->product, false, 0};
    return count;
}

static Vec2 cell_size(const WqkSheet *sheet) {
    return (Vec2){sheet->whole.w / (float)sheet->cols, sheet->whole.h / (float)sheet->rows};
}

bool wqk_hand_pointer(const Wqk *w, const WqkTop *top, UiState product) {
    HandSheet sheets[3];
    int count = sheets_of(sheets, w, top);
    for (int i = 0; i < count; i++) {
        const HandSheet *sheet = &sheets[i];
        Rect frame = sheet->at->frame, whole = sheet->at->whole;
        UiState state = sheet->name == ATTN_W_QK ? product
                                                 : ui_control(w->ui, ui_id("wqk factor", i), frame,
                                                              UI_NO_FOCUS | UI_NO_HAND);
        Vec2 size = cell_size(sheet->at);
        int row = (int)((w->ui->pointer.y - whole.y) / size.y);
        int col = (int)((w->ui->pointer.x - whole.x) / size.x);
        Rect cell = {whole.x + (float)col * size.x, whole.y + (float)row * size.y, size.x, size.y};
        HandNumber number = {.name = sheet->name,
                             .head = hand_name_has_heads(sheet->name) ? w->head : 0,
                             .row = sheet->first_row + (sheet->is_transposed ? col : row),
                             .col = sheet->is_transposed ? row : col};
        if (sheet->bias >= 0 && number.row >= w->shape->D) {
            number.name = sheet->bias;
            number.row = 0;
        }
        if (number_editor_offer(w->c, state, number, cell,
                                (Rect){frame.x, cell.y, frame.w, cell.h}))
            return true;
    }
    return false;
}

void wqk_hand_marks(const Wqk *w, const WqkTop *top) {
    HandSheet sheets[3];
    int count = sheets_of(sheets, w, top);
    for (int i = 0; i < count; i++) {
        Vec2 size = cell_size(sheets[i].at);
        Rect clip = draw_clip(w->ui->list, sheets[i].at->frame), place = sheets[i].at->whole;
        place.y -= (float)sheets[i].first_row * size.y;
        number_marks_draw(w->c, &(NumberMarks){.name = sheets[i].name,
                                               .head = w->head,
                                               .rect = place,
                                               .cell = size,
                                               .is_transposed = sheets[i].is_transposed});
        draw_clip_restore(w->ui->list, clip);
    }
}

static UiId edge_id(void) {
    return ui_id("wqk sigma", 0);
}

static bool is_dragged(const Wqk *w) {
    return w->ui->active == edge_id();
}

float wqk_sigma_top(const Wqk *w, float top) {
    return is_dragged(w) ? w->memory->sigma_top : top;
}

const HandNumber *wqk_sigma_dragged(const Wqk *w) {
    return is_dragged(w) ? hand_set_find(w->c->session->hand, &w->memory->sigma) : NULL;
}

/* True if the bars show the singular values that can be set, which are those of the factors'
 * product. */
static bool can_set(const Wqk *w) {
    int rows, cols;
    hand_name_size(&rows, &cols, HAND_SIGMA, w->shape);
    return w->scores && w->p->count > 0 && rows > 0 && !w->p->is_edited && w->offset == 0 &&
           product_analysis_is_current(w->c->run);
}

/* For each bar, fill rows with the row of the HandNumber that sets its singular value. */
static void rows_of(int rows[HEAD_PRODUCT_SIGMA_MAX], const Wqk *w) {
    hand_sigma_rows(rows, w->p->sigma, w->p->count, results_trace(w->c->run, 0)->hand, w->head);
}

static HandNumber number_of(const Wqk *w, int bar) {
    int rows[HEAD_PRODUCT_SIGMA_MAX];
    rows_of(rows, w);
    return (HandNumber){.name = HAND_SIGMA, .head = w->head, .row = rows[bar]};
}

static Rect bar_column(const Wqk *w, Rect plot, float top, int bar) {
    float step = plot.w / (float)w->E;
    float height = plot.h * fminf((float)w->p->sigma[bar] / top, 1);
    return (Rect){plot.x + step * (float)bar, rect_bottom(plot) - height, step, height};
}

static int bar_at(const Wqk *w, Rect plot) {
    float at = (w->ui->pointer.x - plot.x) / plot.w * (float)w->E;
    return can_set(w) && at >= 0 && at < (float)w->p->count ? (int)at : -1;
}

/* Open the editor of a bar after a double click, or offer it in the context menu. Return true if
 * one of the two happened. */
static bool offer(const Wqk *w, Rect plot, float top, UiState state, int bar) {
    Rect column = bar_column(w, plot, top, bar);
    return number_editor_offer(w->c, state, number_of(w, bar), column,
                               (Rect){column.x, plot.y, column.w, plot.h});
}

bool wqk_sigma_drag(const Wqk *w, Rect plot, float top) {
    WqkMemory *m = w->memory;
    Ui *ui = w->ui;
    int bar = bar_at(w, plot);
    Rect edge = plot;
    if (!is_dragged(w)) {
        if (bar < 0)
            return false;
        HandNumber number = number_of(w, bar);
        bool is_zero = w->p->sigma[bar] <= ZERO * w->p->sigma[0];
        if (is_zero && hand_set_find(w->c->session->hand, &number) == NULL)
            return false;
        edge = bar_column(w, plot, top, bar);
        m->sigma = number;
        m->sigma_top = top;
        m->sigma_grab = ui->pointer.y - edge.y;
        m->sigma_moves = false;
        edge = (Rect){edge.x, edge.y - EDGE, edge.w, 2 * EDGE};
    }
    UiState state = ui_control(ui, edge_id(), edge, UI_NO_FOCUS | UI_NO_HAND);
    bool is_offered = state.held && state.pressed && offer(w, plot, top, state, bar);
    m->sigma_moves = state.held && (m->sigma_moves || ui->pointer.y != ui->press_at.y);
    if (m->sigma_moves && !is_offered) {
        /* the value at the pointer's height, rounded to a few digits */
        double share = (double)((rect_bottom(plot) - ui->pointer.y + m->sigma_grab) / plot.h);
        double unit = pow(10, floor(log10((double)m->sigma_top)) - (SIGMA_DIGITS - 1));
        HandNumber number = m->sigma;
        number.value = (float)(fmax(round(share * (double)m->sigma_top / unit), 0) * unit);
        const HandNumber *set = hand_set_find(w->c->today->hand, &number);
        HandPaint paint = hand_paint_of(&number, true);
        if (set == NULL || set->value != number.value)
            edit_push_hand(w->c->edits, &paint, ui->drag_serial);
    }
    return state.hovered || state.held;
}

void wqk_sigma_edit(const Wqk *w, Rect plot, float top, UiState chart) {
    int bar = chart.focused && can_set(w) ? w->rank - 1 : -1;
    if (bar >= 0 && bar < w->p->count && ui_key(w->ui, KEY_ENTER, 0)) {
        Rect column = bar_column(w, plot, top, bar);
        number_editor_open(w->c, number_of(w, bar), column,
                           (Rect){column.x, plot.y, column.w, plot.h});
    } else if (bar_at(w, plot) >= 0) {
        offer(w, plot, top, chart, bar_at(w, plot));
    }
}

void wqk_sigma_marks(const Wqk *w, Rect plot, float top) {
    int rows[HEAD_PRODUCT_SIGMA_MAX];
    if (!can_set(w) || w->c->session->hand == NULL)
        return;
    rows_of(rows, w);
    for (int j = 0; j < w->p->count; j++) {
        HandNumber number = {.name = HAND_SIGMA, .head = w->head, .row = rows[j]};
        Rect column = bar_column(w, plot, top, j);
        float y = fmaxf(column.y - MARK - 1, plot.y);
        if (hand_set_find(w->c->session->hand, &number) != NULL)
            number_mark_draw(w->c, (Rect){column.x + (column.w - MARK) / 2, y, MARK, MARK});
    }
}
