#include "views/shared/number_editor.h"
#include "views/wqk/wqk_view.h"

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
