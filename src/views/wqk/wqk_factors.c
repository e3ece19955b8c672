/* The upper part of the view: the factors and their product. */
#include <math.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "views/wqk/wqk_view.h"

#define NAME_H        40 /* px above each matrix */
#define NAME_SIZE     26
#define PART_NAME_H   44 /* px: height of a matrix's name within its part */
#define SCALE_H       44 /* px below each matrix */
#define SCALE_LEAST_W 110
#define DOT_W         40 /* px between the factors, and between them and the product */
#define LEFT_W        88 /* px: minimum width for the name of the first factor */
#define TRANSFORM_H   206
#define TRANSFORM_W   250
#define ZOOM_BELOW    4.0f  /* device pixels: if entries are smaller, the user can zoom */
#define ZOOM_CELL     24.0f /* logical pixels: size of an entry at the closest zoom */
#define CELL_MAX      24

void wqk_top_place(const Wqk *w, WqkTop *top, Vec2 at, float between, float before_product) {
    float all = (float)w->E * top->cell, own = (float)w->width * top->cell;
    const DrawList *list = w->ui->list;
    if (w->p->has_factors) {
        Rect left = {at.x, at.y, own, all};
        Rect right = {draw_snap(list, rect_right(left) + between), at.y, all, own};
        top->left = (WqkSheet){left, left, w->E, w->width};
        top->right = (WqkSheet){right, right, w->width, w->E};
        at.x = draw_snap(list, rect_right(right) + before_product);
    }
    Rect product = {at.x, at.y, all, all};
    top->product = (WqkSheet){product, product, w->E, w->E};
}

WqkTop wqk_top_layout(const Wqk *w, Rect area) {
    WqkTop top = {0};
    bool has_factors = w->p->has_factors;
    float scale = w->ui->list->scale;
    float E = (float)w->E, m = has_factors ? (float)w->width : 0;
    float tall = fmaxf(E, m), wide = has_factors ? 2 * E + m : E;
    float across = area.w - (has_factors ? 2 * DOT_W + 12 : 0);
    float cell = fminf(across / wide, (area.h - NAME_H - SCALE_H) / tall);
    if (has_factors && m * cell + DOT_W < LEFT_W) /* the name is wider than the factor */
        cell = fminf(cell, (area.w - LEFT_W - DOT_W - 12) / (2 * E));
    cell = fminf(fmaxf(cell, 1e-3f), CELL_MAX);
    top.can_zoom = cell * scale < ZOOM_BELOW;
    top.cell = top.can_zoom ? cell : wqk_snap(w, cell);
    Vec2 at = {draw_snap(w->ui->list, area.x), draw_snap(w->ui->list, area.y + NAME_H)};
    wqk_top_place(w, &top, at, fmaxf(DOT_W, LEFT_W - m * top.cell), DOT_W);
    Rect right = top.right.frame;
    float under = rect_bottom(right) + 22, below = fmaxf(rect_bottom(area) - under, 0);
    top.has_transform = has_factors && below >= TRANSFORM_H && right.w >= TRANSFORM_W;
    top.transform = (Rect){right.x, under, right.w, fminf(below, TRANSFORM_H + 40)};
    top.bottom = rect_bottom(area);
    return top;
}

float wqk_top_bottom(const WqkTop *top) {
    float left = rect_bottom(top->left.frame), product = rect_bottom(top->product.frame);
    float bottom = fmaxf(rect_bottom(top->right.frame), fmaxf(left, product) + SCALE_H);
    return top->has_transform ? fmaxf(bottom, rect_bottom(top->transform)) : bottom;
}

/* Zoom and pan the product, and the factors along with it. A double click shows everything. Return
 * true while panning. */
static bool zoom(const Wqk *w, WqkTop *top, UiState state, UiId id) {
    PanZoom *m = &w->memory->zoom;
    const PanZoomLimits limits = {1, fmaxf(ZOOM_CELL / top->cell, 1), 0, false};
    Rect left = top->left.frame, right = top->right.frame, product = top->product.frame;
    if (state.pressed && state.clicks == 2)
        *m = (PanZoom){0};
    m->zoom = fminf(m->zoom, limits.most);
    bool pans = pan_zoom(w->ui, id, state, product, &limits, m);
    if (w->merged > 0 && w->merged < 1)
        return pans;
    Rect whole = pan_zoom_rect(m, product, pan_zoom_drawn(m, &limits));
    top->cell = whole.w / (float)w->E;
    top->product.whole = whole;
    top->left.whole = (Rect){left.x, whole.y, left.w, whole.h};
    top->right.whole = (Rect){right.x + whole.x - product.x, right.y, whole.w, right.h};
    return pans;
}

void wqk_top_pointer(Wqk *w, WqkTop *top) {
    const ViewContext *c = w->c;
    UiId id = ui_id("wqk product cells", 0);
    UiState state = ui_control(c->ui, id, top->product.frame, UI_NO_FOCUS | UI_NO_HAND);
    bool pans = top->can_zoom && zoom(w, top, state, id);
    OptionPair at = {0, 0}, pin = w->settings->wqk_entry;
    if (state.hovered) {
        int row = (int)((c->ui->pointer.y - top->product.whole.y) / top->cell) + 1;
        int column = (int)((c->ui->pointer.x - top->product.whole.x) / top->cell) + 1;
        at = (OptionPair){row > w->E ? w->E : row, column > w->E ? w->E : column};
    }
    w->memory->lit_row = at.first;
    w->memory->lit_column = at.second;
    if (wqk_hand_pointer(w, top, state))
        return;
    bool is_pinned = pin.first == at.first && pin.second == at.second;
    if (state.clicked && at.first > 0 && !pans)
        view_set(c, "wqk-entry", is_pinned ? "none" : PRINT("%d,%d", at.first, at.second), 0);
    *w = wqk_of(c);
}

static void outline(const Wqk *w, const WqkSheet *sheet, Rect rect, float border) {
    DrawList *list = w->ui->list;
    float grow = border / 2 + 1;
    Rect ring = rect_inset(rect, -grow, -grow);
    Rect clip = draw_clip(list, rect_inset(sheet->frame, -5, -5));
    draw_ring(list, rect_inset(ring, -1, -1), 4, border + 2, w->ui->theme->casing);
    draw_ring(list, ring, 3, border, w->ui->theme->ring);
    draw_clip_restore(list, clip);
}

/* Mark the chosen row, column and entry. Thin lines connect the entry with the factors. */
static void marks(const Wqk *w, const WqkTop *top) {
    DrawList *list = w->ui->list;
    Rect frame = top->product.frame, left = top->left.frame, right = top->right.frame;
    float cell = top->cell;
    float x = top->product.whole.x + (float)(w->lit.second - 1) * cell;
    float y = top->product.whole.y + (float)(w->lit.first - 1) * cell;
    Vec2 at = {x + cell / 2, y + cell / 2}, across = {frame.x, at.y}, down = {at.x, frame.y};
    Colour colour = colour_fade(w->ui->theme->ring, 0.55f);
    Rect clip = draw_clip(list, rect_inset(frame, -5, -5));
    draw_curve(list, &(DrawCurve){across, across, at, at, 1.4f, 1.4f, 2, 4, colour, colour});
    draw_curve(list, &(DrawCurve){down, down, at, at, 1.4f, 1.4f, 2, 4, colour, colour});
    draw_clip_restore(list, clip);
    outline(w, &top->product, (Rect){x, y, cell, cell}, 2);
    if (!w->p->has_factors || w->merged > 0)
        return;
    x += top->right.whole.x - top->product.whole.x;
    outline(w, &top->left, (Rect){left.x, y, left.w, cell}, 1.6f);
    outline(w, &top->right, (Rect){x, right.y, cell, right.h}, 1.6f);
}

/* Draw a matrix's name and, if it fits, its size. Return the width used. */
static float name_above(const Wqk *w, const WqkSheet *sheet, float width, const char *name) {
    Ui *ui = w->ui;
    Vec2 at = {sheet->frame.x, sheet->frame.y - 14};
    const char *size = PRINT("%d×%d", sheet->rows, sheet->cols);
    float used = formula_draw(ui, at, NAME_SIZE, ui->theme->text_1, name);
    if (used + 10 + text_width(ui, TEXT_COUNT, "%s", size) > width)
        return used;
    return used + 10 + text_at(ui, (Vec2){at.x + used + 10, at.y}, TEXT_COUNT, "%s", size);
}

/* With biases, draw lines that separate the last row and column, which belong to the constant 1,
 * and name them. */
static void constant(const Wqk *w, const WqkTop *top) {
    Ui *ui = w->ui;
    Colour colour = ui->theme->text_3;
    Rect product = top->product.frame, left = top->left.frame, right = top->right.frame;
    if (w->E == w->shape->D || top->can_zoom) /* no biases, or too small entries */
        return;
    float row = draw_snap(ui->list, rect_bottom(product) - top->cell);
    float column = draw_snap(ui->list, rect_right(product) - top->cell);
    draw_fill(ui->list, (Rect){product.x, row - 1, product.w, 1}, 0, colour);
    if (w->scores)
        draw_fill(ui->list, (Rect){column - 1, product.y, 1, product.h}, 0, colour);
    text_at(ui, (Vec2){rect_right(product) + 5, rect_bottom(product)}, TEXT_COUNT, "1");
    if (!w->p->has_factors)
        return;
    draw_fill(ui->list, (Rect){left.x, row - 1, left.w, 1}, 0, colour);
    formula_draw(ui, (Vec2){rect_right(left) + 5, rect_bottom(left)}, 19, ui->theme->text_1,
                 w->scores ? "b_Q" : "b_V");
    if (!w->scores)
        return;
    column = draw_snap(ui->list, rect_right(right) - top->cell);
    draw_fill(ui->list, (Rect){column - 1, right.y, 1, right.h}, 0, colour);
    formula_draw(ui, (Vec2){column - 8, rect_bottom(right) + 18}, 19, ui->theme->text_1, "b_K");
}

static bool shows_cut(const Wqk *w) {
    return w->settings->wqk_against == AGAINST_RANK && w->m->cut.rows > 0 &&
           w->m->request.rank < w->p->count;
}

/* Return the singular value, from 1, whose contribution alone is shown; 0 if there is none. */
static int shown_sigma(const Wqk *w) {
    return w->memory->lit_sigma <= w->p->count ? w->memory->lit_sigma : 0;
}

static bool shows_product(const Wqk *w) {
    return shown_sigma(w) == 0 && !shows_cut(w);
}

static void sign(const Wqk *w, Rect left, Rect right, float middle, int size, const char *text) {
    float x = rect_right(left);
    text_in(w->ui, (Rect){x, middle - 20, right.x - x, 40},
            TEXT_FORMULA | TEXT_PX(size) | TEXT_CENTRE, "%s", text);
}

/* Draw the names of the factors, and the signs between the matrices. The sign between the factors
 * is a dot or, with RoPE at a distance d other than 0, B_d, the rotation by d. The sign before the
 * product is "=", "≈" if only a part of the product is shown, or "≠" if the product was edited or R
 * does not cancel (RoPE). Return the width of the left name. */
static float factor_names(const Wqk *w, const WqkTop *top) {
    Ui *ui = w->ui;
    const WqkNames *names = w->names;
    Rect left = top->left.frame, right = top->right.frame;
    bool is_rotated = w->m->request.transform.turn > 0;
    bool is_partial = w->layers > 0 && w->layers < w->width, shows = shows_product(w);
    float used = name_above(w, &top->left, right.x - left.x - 6,
                            is_rotated ? names->left_transformed : names->left);
    name_above(w, &top->right, right.w, is_rotated ? names->right_transformed : names->right);
    for (int i = 0; i < 2 && w->merged > 0; i++)
        draw_box(ui->list, &(DrawBox){.rect = i == 0 ? left : right,
                                      .radius = 3,
                                      .border = 1.2f,
                                      .dash_on = 4,
                                      .dash_off = 4,
                                      .stroke = colour_fade(ui->theme->control, w->merged)});
    if (w->merged >= 1 && right.h > 30)
        text_in(ui, rect_inset(right, 8, 0), TEXT_BODY | TEXT_CENTRE, "folded into %s\nfolded\n",
                names->product);
    float middle = left.y + fminf(right.h, left.h) / 2, x = (rect_right(left) + right.x) / 2;
    if (w->offset != 0)
        sign(w, left, right, middle, 24, PRINT("B_{%d}", w->offset));
    else
        draw_fill(ui->list, (Rect){x - 4, middle - 4, 8, 8}, 4, ui->theme->text_1);
    bool differs = (w->offset != 0 && is_rotated) || (w->p->is_edited && shows);
    sign(w, right, top->product.frame, middle, 34,
         differs                ? "≠"
         : shows && !is_partial ? "="
                                : "≈");
    return used;
}

/* A factor that moves to the product is drawn behind the product and fades out. */
static void sheet_cells(const Wqk *w, const WqkTop *top, const char *name, const WqkSheet *sheet,
                        const Mat *m, float hi) {
    DrawList *list = w->ui->list;
    float t = sheet == &top->product ? 0 : w->merged;
    Rect from = sheet->frame, to = top->product.frame;
    Rect at = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t, from.w, from.h};
    Rect clip = t > 0 ? list->clip : draw_clip(list, from);
    wqk_cells(w, ui_id(name, 0), t > 0 ? at : sheet->whole, m, hi, true);
    draw_clip_restore(list, clip);
    if (t > 0)
        draw_fill(list, at, 0, colour_fade(w->ui->theme->canvas, t * t));
}

static void factors(const Wqk *w, const WqkTop *top, float hi) {
    Rect place = top->transform;
    if (top->has_transform) {
        wqk_transform(w, place);
        /* how much R's panel is faded while W_Q moves over it, 0 to 1 */
        float way = top->product.frame.x - top->left.frame.x;
        float reached = (place.x - rect_right(top->left.frame)) / way;
        float passed = (rect_right(place) - top->left.frame.x) / way;
        float cover = fminf(fminf(w->merged / reached, (1 - w->merged) / (1 - passed)), 1);
        if (cover > 0)
            draw_fill(w->ui->list, rect_inset(place, -2, 0), 0,
                      colour_fade(w->ui->theme->canvas, cover));
    }
    if (!w->p->has_factors || w->merged >= 1)
        return;
    Mat right = mat_push(w->c->scratch, w->m->transformed_right.cols, w->m->transformed_right.rows);
    mat_transpose(&right, &w->m->transformed_right);
    sheet_cells(w, top, "wqk left", &top->left, &w->m->transformed_left, hi);
    sheet_cells(w, top, "wqk right", &top->right, &right, hi);
}

/* True while the slider of the merge adds the products of a column of W_Q and a row of W_Kᵀ one by
 * one. */
static bool adds_layers(const Wqk *w) {
    return w->layers > 0 && w->layers < w->width && shows_product(w) && w->offset == 0 &&
           w->m->transformed_left.cols == w->width && w->m->transformed_right.cols == w->width;
}

/* Return the matrix to show: the contribution of one singular value, the sum of the products that
 * the merge slider has added, the product cut to rank r, or the whole product. Write its name in
 * the longest form that fits into width. */
static const Mat *shown_product(const Wqk *w, Mat *room, float width, char name[PRINT_MAX]) {
    const char *product = w->names->product;
    int sigma = shown_sigma(w), rank = w->m->request.rank;
    float factor = 1;
    Mat left, right;
    if (sigma > 0) {
        left = mat_cols(&w->p->u, sigma - 1, 1);
        right = mat_cols(&w->p->v, sigma - 1, 1);
        factor = (float)w->p->sigma[sigma - 1];
        utf8_print(name, PRINT_MAX, "σ_{%d} u_{%d} v_{%d}^⊤", sigma, sigma, sigma);
    } else if (adds_layers(w)) {
        left = mat_cols(&w->m->transformed_left, 0, w->layers);
        right = mat_cols(&w->m->transformed_right, 0, w->layers);
        utf8_print(name, PRINT_MAX, "%s \"%d of %d products\"", product, w->layers, w->width);
        if (formula_width(w->ui, NAME_SIZE, name) > width)
            utf8_print(name, PRINT_MAX, "\"%d of %d\"", w->layers, w->width);
    } else if (shows_cut(w)) {
        const char *forms[] = {PRINT("%s \"cut to rank\" %d", product, rank),
                               PRINT("%s,  r = %d", product, rank), PRINT("W_{r=%d}", rank)};
        int i = 0;
        while (i < 2 && formula_width(w->ui, NAME_SIZE, forms[i]) > width)
            i++;
        utf8_print(name, PRINT_MAX, "%s", forms[i]);
        return &w->m->cut;
    } else {
        utf8_print(name, PRINT_MAX, w->offset != 0 ? "%s(%d)" : "%s", product, w->offset);
        return &w->p->product;
    }
    *room = mat_push(w->c->scratch, w->E, w->E);
    mat_mul_bt(room, &left, &right, factor);
    return room;
}

static void legend(const Wqk *w, const WqkTop *top) {
    Ui *ui = w->ui;
    static const char *const plus = "full cell = positive", *const minus = "dash = negative";
    float y = rect_bottom(top->product.frame) + 10;
    if (top->has_transform)
        y = fmaxf(y, top->transform.y + wqk_transform_height(top->transform.h) + 8);
    Rect line = {top->right.frame.x, y, top->right.frame.w, 20};
    float need =
        text_width(ui, TEXT_NOTE, "%s", plus) + text_width(ui, TEXT_NOTE, "%s", minus) + 76;
    if (top->cell * ui->list->scale < 3 || need > line.w || top->bottom < rect_bottom(line))
        return;
    rect_cut_left(&line, line.w - need);
    const Palette *palette = &PALETTES[ui->theme->signed_palette];
    Rect mark = rect_cut_left(&line, 24);
    draw_fill(ui->list, (Rect){mark.x, mark.y + 4, 12, 12}, 0,
              palette->stops[palette->stop_count - 1]);
    text_left(ui, &line, TEXT_NOTE, "%s", plus);
    rect_cut_left(&line, 24 - TEXT_GAP);
    mark = rect_cut_left(&line, 24);
    draw_fill(ui->list, (Rect){mark.x, mark.y + 7, 12, 6}, 0, palette->stops[0]);
    text_in(ui, line, TEXT_NOTE, "%s", minus);
}

static float factors_largest(const Wqk *w) {
    return fmaxf(wqk_largest(&w->m->transformed_left), wqk_largest(&w->m->transformed_right));
}

float wqk_hall_scale(const Wqk *w) {
    float hi = wqk_largest(&w->p->product);
    return w->p->has_factors ? fmaxf(hi, factors_largest(w)) : hi;
}

static void product_draw(const Wqk *w, const WqkTop *top) {
    static const char *const words[] = {"Merge", "Merge  F", "Take apart", "Take apart  F"};
    Ui *ui = w->ui;
    Rect frame = top->product.frame;
    bool *ov_merged = &w->memory->ov_merged;
    bool is_merged = w->scores ? w->c->run->form == FORM_MERGED : *ov_merged;
    const char *text = words[2 * is_merged + w->scores];
    float button = text_width(ui, TEXT_BODY, "%s", text) + 24;
    float hi = w->c->is_hall ? wqk_hall_scale(w) : wqk_largest(&w->p->product);
    float width = frame.w - (w->p->has_factors ? button + 12 : 0);
    char name[PRINT_MAX];
    Mat room;
    const Mat *product = shown_product(w, &room, width, name);
    sheet_cells(w, top, "wqk product", &top->product, product, hi);
    float used = name_above(w, &top->product, width, name);
    if (!w->c->is_hall)
        wqk_signed_scale(w, (Rect){frame.x, rect_bottom(frame) + 10, frame.w, 34}, hi);
    Rect place = {rect_right(frame) - button, frame.y - NAME_H - 2, button, 34};
    if (!w->p->has_factors || button + used + 12 > frame.w ||
        !button_text(ui, ui_id("wqk merge", 0), place, text))
        return;
    if (w->scores) {
        edit_push_state(w->c->edits, "form", is_merged ? "separate" : "merged");
    } else {
        *ov_merged = !*ov_merged;
        ui->again = true;
    }
}

/* Append a matrix as a part of the picture. Its name may be wider than the matrix. */
static void mark_part(const Wqk *w, const WqkSheet *sheet, float name_w, const char *id) {
    Rect r = sheet->frame;
    r = (Rect){r.x, r.y - PART_NAME_H, fmaxf(r.w, name_w), r.h + PART_NAME_H};
    draw_part(
        w->ui->list,
        &(DrawPart){.rect = r, .cells = sheet->whole, .rows = sheet->rows, .cols = sheet->cols},
        "%s", id);
}

void wqk_top_draw(const Wqk *w, const WqkTop *top) {
    Rect left = top->left.frame, right = top->right.frame;
    bool has_factors = w->p->has_factors, flies = w->merged > 0 && w->merged < 1;
    float factor_hi = w->c->is_hall ? wqk_hall_scale(w) : has_factors ? factors_largest(w) : 1;
    float left_name_w = has_factors ? factor_names(w, top) : 0;
    if (has_factors && !w->c->is_hall) {
        float most = right.x - 12 - left.x; /* R's panel is at the right of the colour scale */
        float width = fmaxf(fminf(left.w, 260), fminf(SCALE_LEAST_W, most));
        wqk_signed_scale(w, (Rect){left.x, rect_bottom(left) + 10, width, SCALE_H}, factor_hi);
        legend(w, top);
    }
    if (flies) /* drawn over R's panel and below the product */
        factors(w, top, factor_hi);
    product_draw(w, top);
    if (!flies)
        factors(w, top, factor_hi);
    constant(w, top);
    wqk_hand_marks(w, top);
    if (w->lit.first > 0)
        marks(w, top);
    if (adds_layers(w) && w->merged <= 0) { /* mark the column and the row that were added last */
        float x = left.w / (float)w->width, y = right.h / (float)w->width;
        float before = (float)(w->layers - 1);
        outline(w, &top->left, (Rect){left.x + before * x, left.y, x, left.h}, 1.6f);
        outline(w, &top->right, (Rect){right.x, right.y + before * y, right.w, y}, 1.6f);
    }
    if (has_factors) {
        mark_part(w, &top->left, left_name_w, "wqk.left");
        mark_part(w, &top->right, 0, "wqk.right");
    }
    mark_part(w, &top->product, 0, "wqk.product");
}
