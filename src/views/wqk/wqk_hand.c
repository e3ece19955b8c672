
#include "views/shared/number_editor.h"
#include "views/wqk/wqk_view.h"

/* A matrix of the page whose entries can be edited. */
typedef struct Sheet {
    int name, bias; /* bias: the name of the bias row below, or -1 */
    Rect frame, whole;
    bool is_transposed;
} Sheet;

/* True if W_Q and W_K are shown as they are, without an R between them. */
static bool has_plain_factors(const Wqk *w) {
    return w->m->product.has_factors && w->merged == 0 && w->c->settings->wqk_turn == 0 &&
           w->c->settings->wqk_transform == 0 && wqk_rotated_by(w) == 0;
}

/* Fill the sheets of the page and return their number. */
static int sheets_of(Sheet out[3], const Wqk *w, const WqkTop *top) {
    int count = 0;
    bool is_qk = w->m->product.kind == PRODUCT_QK;
    if (is_qk && has_plain_factors(w)) {
        out[count++] = (Sheet){ATTN_W_Q, ATTN_B_Q, top->left,
                               wqk_whole(w, top, top->left, true, false), false};
        out[count++] = (Sheet){ATTN_W_K, ATTN_B_K, top->right,
                               wqk_whole(w, top, top->right, false, true), true};
    }
    int rows, cols;
    hand_name_size(&rows, &cols, ATTN_W_QK, &w->c->run->layers[0].shape[w->c->run->form]);
    if (is_qk && rows > 0)
        out[count++] = (Sheet){ATTN_W_QK, -1, top->product,
                               wqk_whole(w, top, top->product, true, true), false};
    return count;
}

static Vec2 cell_size(const Wqk *w, const Sheet *sheet) {
    float across = sheet->name == ATTN_W_QK ? (float)w->E : (float)w->width;
    return sheet->is_transposed ? (Vec2){sheet->whole.w / (float)w->E, sheet->whole.h / across}
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
                         .head = w->c->session->options.head - 1,
                         .row = sheet->is_transposed ? col : row,
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
        Rect clip = draw_clip(w->c->ui->list, sheets[i].frame);
        number_marks_draw(w->c, &(NumberMarks){.name = sheets[i].name,
                                               .head = w->c->session->options.head - 1,
                                               .rect = sheets[i].whole,
                                               .cell = size,
                                               .is_transposed = sheets[i].is_transposed});
        draw_clip_restore(w->c->ui->list, clip);
    }
}
