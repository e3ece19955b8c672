#include <math.h>
#include <stdio.h>

#include "base/utf8.h"
#include "ui/button.h"
#include "ui/formula.h"
#include "views/wqk/wqk_view.h"

#define NAME_H        40 /* px above each matrix */
#define NAME_SIZE     26
#define SCALE_H       44 /* px below each matrix */
#define SCALE_LEAST_W 110
#define DOT_W         40 /* px between the factors, and before the product */
#define LEFT_W        88 /* least px for the first factor's name */
#define TRANSFORM_H   206
#define TRANSFORM_W   250
#define ZOOM_BELOW    4.0f  /* device pixels: smaller entries can be zoomed */
#define ZOOM_CELL     24.0f /* logical pixels of an entry at the closest zoom */
#define ZOOM_STEP     1.25f
#define CELL_MAX      24

static bool has_factors(const Wqk *w) {
    return w->m->product.has_factors;
}

/* Set the size of an entry and the visible part from the zoom. */
static void zoom(const Wqk *w, WqkTop *top) {
    WqkMemory *memory = &w->c->memory->wqk;
    float E = (float)w->E, fit = top->product.w / E;
    if (!top->can_zoom || (w->merged > 0 && w->merged < 1))
        return;
    float most = fmaxf(ZOOM_CELL / fit, 1);
    float scale = fminf(powf(ZOOM_STEP, fmaxf(memory->zoom_steps, 0)), most);
    float seen = E / scale;
    memory->shift.x = fminf(fmaxf(memory->shift.x, 0), E - seen);
    memory->shift.y = fminf(fmaxf(memory->shift.y, 0), E - seen);
    top->cell = fit * scale;
    top->shift = (Vec2){memory->shift.x * top->cell, memory->shift.y * top->cell};
}

WqkTop wqk_top_layout(const Wqk *w, Rect area) {
    WqkTop top = {0};
    float E = (float)w->E, m = has_factors(w) ? (float)w->width : 0;
    float tall = fmaxf(E, m), wide = has_factors(w) ? 2 * E + m : E;
    float across = area.w - (has_factors(w) ? 2 * DOT_W + 12 : 0);
    float cell = fminf(across / wide, (area.h - NAME_H - SCALE_H) / tall);
    if (has_factors(w) && m * cell + DOT_W < LEFT_W) /* the name is wider than the factor */
        cell = fminf(cell, (area.w - LEFT_W - DOT_W - 12) / (2 * E));
    cell = fminf(fmaxf(cell, 1e-3f), CELL_MAX);
    top.can_zoom = cell * w->c->ui->list->scale < ZOOM_BELOW;
    cell = top.cell = top.can_zoom ? cell : wqk_snap(w->c, cell);
    float x = draw_snap(w->c->ui->list, area.x), y = draw_snap(w->c->ui->list, area.y + NAME_H);
    if (has_factors(w)) {
        top.left = (Rect){x, y, m * cell, E * cell};
        float next = fmaxf(rect_right(top.left) + DOT_W, x + LEFT_W);
        top.right = (Rect){draw_snap(w->c->ui->list, next), y, E * cell, m * cell};
        x = draw_snap(w->c->ui->list, rect_right(top.right) + DOT_W);
    }
    top.product = (Rect){x, y, E * cell, E * cell};
    float under = rect_bottom(top.right) + 22;
    top.below_right =
        (Rect){top.right.x, under, fmaxf(top.right.w, 0), fmaxf(rect_bottom(area) - under, 0)};
    top.has_transform =
        has_factors(w) && top.below_right.h >= TRANSFORM_H && top.below_right.w >= TRANSFORM_W;
    zoom(w, &top);
    return top;
}

static Rect transform_place(const WqkTop *top) {
    Rect b = top->below_right;
    return (Rect){b.x, b.y, b.w, fminf(b.h, TRANSFORM_H + 40)};
}

float wqk_top_bottom(const WqkTop *top) {
    float left = rect_bottom(top->left), product = rect_bottom(top->product);
    float bottom = fmaxf(rect_bottom(top->right), fmaxf(left, product) + SCALE_H);
    return top->has_transform ? fmaxf(bottom, rect_bottom(transform_place(top))) : bottom;
}

/* Zoom at the pointer by the wheel, pan by a drag, show everything by a double click. Return true
 * while panning. */
static bool zoom_pointer(const Wqk *w, const WqkTop *top, UiState state, UiId id) {
    Ui *ui = w->c->ui;
    WqkMemory *memory = &w->c->memory->wqk;
    unsigned mods = 0;
    float notches = ui_wheel(ui, id, top->product, &mods).y;
    if (notches != 0) {
        float before = top->cell, fit = top->product.w / (float)w->E;
        float last = logf(fmaxf(ZOOM_CELL / fit, 1)) / logf(ZOOM_STEP);
        memory->zoom_steps = fminf(fmaxf(memory->zoom_steps + notches, 0), last);
        float after = fit * powf(ZOOM_STEP, memory->zoom_steps);
        Vec2 at = {ui->pointer.x - top->product.x, ui->pointer.y - top->product.y};
        memory->shift.x += at.x / before - at.x / after;
        memory->shift.y += at.y / before - at.y / after;
    }
    if (state.pressed && state.clicks == 2)
        memory->zoom_steps = 0;
    if (state.pressed)
        memory->pans = false;
    Vec2 moved = {ui->pointer.x - ui->press_at.x, ui->pointer.y - ui->press_at.y};
    memory->pans = memory->pans || (state.held && hypotf(moved.x, moved.y) > 4);
    if (state.held && memory->pans && !state.pressed) {
        memory->shift.x -= (ui->pointer.x - memory->pan_from.x) / top->cell;
        memory->shift.y -= (ui->pointer.y - memory->pan_from.y) / top->cell;
    }
    memory->pan_from = ui->pointer;
    return memory->pans;
}

void wqk_top_pointer(Wqk *w, WqkTop *top) {
    const ViewContext *c = w->c;
    WqkMemory *memory = &c->memory->wqk;
    UiId id = ui_id("wqk product cells", 0);
    UiState state = ui_control(c->ui, id, top->product, UI_NO_FOCUS | UI_NO_HAND);
    bool pans = top->can_zoom && zoom_pointer(w, top, state, id);
    zoom(w, top);
    int row = 0, column = 0;
    if (state.hovered) {
        Vec2 at = {c->ui->pointer.x - top->product.x + top->shift.x,
                   c->ui->pointer.y - top->product.y + top->shift.y};
        row = (int)(at.y / top->cell) + 1;
        column = (int)(at.x / top->cell) + 1;
        row = row > w->E ? w->E : row;
        column = column > w->E ? w->E : column;
    }
    memory->lit_row = row;
    memory->lit_column = column;
    OptionPair pin = c->settings->wqk_entry;
    if (wqk_hand_pointer(w, top, state))
        return;
    if (state.clicked && row > 0 && !pans) {
        char value[32];
        snprintf(value, sizeof value, "%d,%d", row, column);
        bool same = pin.first == row && pin.second == column;
        view_set(c, "wqk-entry", same ? "none" : value, 0);
    }
    *w = wqk_of(c);
}

static void outline(const Wqk *w, Rect rect, float border) {
    const Theme *theme = w->c->ui->theme;
    float grow = border / 2 + 1;
    Rect ring = {rect.x - grow, rect.y - grow, rect.w + 2 * grow, rect.h + 2 * grow};
    draw_ring(w->c->ui->list, rect_inset(ring, -1, -1), 4, border + 2, theme->casing);
    draw_ring(w->c->ui->list, ring, 3, border, theme->ring);
}

/* Mark the chosen row, column and entry. Fine lines connect the entry to the factors. */
static void marks(const Wqk *w, const WqkTop *top) {
    if (w->lit.first == 0)
        return;
    DrawList *list = w->c->ui->list;
    float row = (float)(w->lit.first - 1) * top->cell - top->shift.y, cell = top->cell;
    float column = (float)(w->lit.second - 1) * top->cell - top->shift.x;
    Vec2 at = {top->product.x + column + cell / 2, top->product.y + row + cell / 2};
    Colour colour = colour_fade(w->c->ui->theme->ring, 0.55f);
    Rect clip = draw_clip(list, rect_inset(top->product, -5, -5));
    Vec2 across = {top->product.x, at.y}, down = {at.x, top->product.y};
    draw_curve(list, &(DrawCurve){across, across, at, at, 1.4f, 1.4f, 2, 4, colour, colour});
    draw_curve(list, &(DrawCurve){down, down, at, at, 1.4f, 1.4f, 2, 4, colour, colour});
    outline(w, (Rect){top->product.x + column, top->product.y + row, cell, cell}, 2);
    draw_clip_restore(list, clip);
    if (!has_factors(w) || w->merged > 0)
        return;
    clip = draw_clip(list, rect_inset(top->left, -5, -5));
    outline(w, (Rect){top->left.x, top->left.y + row, top->left.w, cell}, 1.6f);
    draw_clip_restore(list, clip);
    clip = draw_clip(list, rect_inset(top->right, -5, -5));
    outline(w, (Rect){top->right.x + column, top->right.y, cell, top->right.h}, 1.6f);
    draw_clip_restore(list, clip);
}

/* Draw a matrix's name above it, and its size if that fits. Return the width used. */
static float name_above(const Wqk *w, Rect rect, float width, const char *name, int rows,
                        int cols) {
    Ui *ui = w->c->ui;
    float y = rect.y - 14,
          used = formula_draw(ui, (Vec2){rect.x, y}, NAME_SIZE, ui->theme->text_1, name) + 10;
    float size_w = text_width(ui, TEXT_COUNT, "%d×%d", rows, cols);
    if (used + size_w > width)
        return used - 10;
    LabelStyle style = text_style(ui, TEXT_COUNT);
    return used + label_at(ui, (Vec2){rect.x + used, y}, &style, PRINT("%d×%d", rows, cols));
}

static void sign(const Wqk *w, Rect left, Rect right, float middle, float size, const char *text) {
    FormulaStyle style = {.size = size, .colour = w->c->ui->theme->text_1, .align = LABEL_CENTRE};
    float x = rect_right(left);
    formula_label(w->c->ui, (Rect){x, middle - 20, right.x - x, 40}, &style, text);
}

/* Draw the dot of the product. With RoPE draw B, the rotation by the distance, instead. */
static void between(const Wqk *w, Rect left, Rect right, float middle) {
    float x = (rect_right(left) + right.x) / 2;
    if (wqk_rotated_by(w) != 0)
        sign(w, left, right, middle, 24, PRINT("B_{%d}", wqk_rotated_by(w)));
    else
        draw_fill(w->c->ui->list, (Rect){x - 4, middle - 4, 8, 8}, 4, w->c->ui->theme->text_1);
}

/* Draw a factor that slides under the product and fades. */
static void flying(const Wqk *w, const char *name, Rect from, Rect to, const Mat *m, float hi) {
    float t = w->merged;
    Rect at = {from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t, from.w, from.h};
    wqk_cells(w->c, ui_id(name, 0), at, m, hi, true);
    draw_fill(w->c->ui->list, at, 0, colour_fade(w->c->ui->theme->canvas, t * t));
}

static void empty_frame(const Wqk *w, Rect rect, float alpha) {
    draw_box(w->c->ui->list, &(DrawBox){.rect = rect,
                                        .radius = 3,
                                        .border = 1.2f,
                                        .dash_on = 4,
                                        .dash_off = 4,
                                        .stroke = colour_fade(w->c->ui->theme->control, alpha)});
}

/* With biases, separate the last row and column, which belong to the constant 1, and name them. */
static void constant(const Wqk *w, const WqkTop *top) {
    const Theme *theme = w->c->ui->theme;
    DrawList *list = w->c->ui->list;
    if (w->E == w->c->run->layers[0].shape[0].D)
        return;
    bool scores = w->m->product.kind == PRODUCT_QK;
    if (top->can_zoom) /* entries are too small for lines between them */
        return;
    float row = draw_snap(list, rect_bottom(top->product) - top->cell);
    float column = draw_snap(list, rect_right(top->product) - top->cell);
    draw_fill(list, (Rect){top->product.x, row - 1, top->product.w, 1}, 0, theme->text_3);
    if (scores)
        draw_fill(list, (Rect){column - 1, top->product.y, 1, top->product.h}, 0, theme->text_3);
    LabelStyle one = text_style(w->c->ui, TEXT_COUNT);
    label_at(w->c->ui, (Vec2){rect_right(top->product) + 5, rect_bottom(top->product)}, &one, "1");
    if (!has_factors(w))
        return;
    draw_fill(list, (Rect){top->left.x, row - 1, top->left.w, 1}, 0, theme->text_3);
    formula_draw(w->c->ui, (Vec2){rect_right(top->left) + 5, rect_bottom(top->left)}, 19,
                 theme->text_1, scores ? "b_Q" : "b_V");
    if (!scores)
        return;
    column = draw_snap(list, rect_right(top->right) - top->cell);
    draw_fill(list, (Rect){column - 1, top->right.y, 1, top->right.h}, 0, theme->text_3);
    formula_draw(w->c->ui, (Vec2){column - 8, rect_bottom(top->right) + 18}, 19, theme->text_1,
                 "b_K");
}

static bool shows_cut(const Wqk *w) {
    const ProductAnalysis *m = w->m;
    return w->c->settings->wqk_against == AGAINST_RANK && m->cut.rows > 0 &&
           m->request.rank < m->product.count;
}

/* Return the singular value whose part alone is shown, from 1, or 0. */
static int shown_sigma(const Wqk *w) {
    int sigma = w->c->memory->wqk.lit_sigma;
    return sigma <= w->m->product.count ? sigma : 0;
}

static bool shows_product(const Wqk *w) {
    return shown_sigma(w) == 0 && !shows_cut(w);
}

/* Return the sign between the factors and the product: "≠" for an R that does not cancel, with
 * RoPE. */
static const char *equals(const Wqk *w) {
    bool cancels = wqk_rotated_by(w) == 0 || w->m->request.transform.turn == 0;
    bool is_partial = w->layers > 0 && w->layers < w->width;
    return !cancels || (w->m->product.is_edited && shows_product(w)) ? "≠"
           : shows_product(w) && !is_partial                         ? "="
                                                                     : "≈";
}

/* Return the width of the left one's name. */
static float factors(const Wqk *w, const WqkTop *top) {
    bool is_rotated = w->m->request.transform.turn > 0;
    const WqkNames *names = w->names;
    const Mat *left = &w->m->transformed_left, *right = &w->m->transformed_right;
    float used =
        name_above(w, top->left, top->right.x - top->left.x - 6,
                   is_rotated ? names->left_transformed : names->left, left->rows, left->cols);
    name_above(w, top->right, top->right.w, is_rotated ? names->right_transformed : names->right,
               right->cols, right->rows);
    if (w->merged > 0) {
        empty_frame(w, top->left, w->merged);
        empty_frame(w, top->right, w->merged);
    }
    if (w->merged >= 1 && top->right.h > 30)
        text_in(w->c->ui, rect_inset(top->right, 8, 0), TEXT_BODY | TEXT_CENTRE,
                "folded into %s\nfolded\n", names->product);
    float middle = top->left.y + fminf(top->right.h, top->left.h) / 2;
    between(w, top->left, top->right, middle);
    sign(w, top->right, top->product, middle, 34, equals(w));
    return used;
}

static void seen_cells(const Wqk *w, const char *name, Rect frame, Rect all, const Mat *m,
                       float hi) {
    Rect clip = draw_clip(w->c->ui->list, frame);
    wqk_cells(w->c, ui_id(name, 0), all, m, hi, true);
    draw_clip_restore(w->c->ui->list, clip);
}

/* Draw both factors at their places, or on their way into the product. */
static void factor_cells(const Wqk *w, const WqkTop *top, float hi) {
    if (!has_factors(w) || w->merged >= 1)
        return;
    Mat right = mat_push(w->c->scratch, w->m->transformed_right.cols, w->m->transformed_right.rows);
    mat_transpose(&right, &w->m->transformed_right);
    if (w->merged > 0) {
        flying(w, "wqk left", top->left, top->product, &w->m->transformed_left, hi);
        flying(w, "wqk right", top->right, top->product, &right, hi);
        return;
    }
    seen_cells(w, "wqk left", top->left, wqk_whole(w, top, top->left, true, false),
               &w->m->transformed_left, hi);
    seen_cells(w, "wqk right", top->right, wqk_whole(w, top, top->right, false, true), &right, hi);
}

static void transform(const Wqk *w, const WqkTop *top) {
    Rect place = transform_place(top);
    if (!top->has_transform)
        return;
    wqk_transform(w, place);
    /* How much of R's panel is covered while W_Q slides over it to the product: 1 for all of it. */
    float way = top->product.x - top->left.x;
    float reached = (place.x - rect_right(top->left)) / way;
    float passed = (rect_right(place) - top->left.x) / way;
    float cover = fminf(fminf(w->merged / reached, (1 - w->merged) / (1 - passed)), 1);
    if (cover > 0)
        draw_fill(w->c->ui->list, rect_inset(place, -2, 0), 0,
                  colour_fade(w->c->ui->theme->canvas, cover));
}

/* True while the merge's slider adds products of a column of W_Q and a row of W_Kᵀ one by one. */
static bool adds_layers(const Wqk *w) {
    return w->layers > 0 && w->layers < w->width && shows_product(w) && wqk_rotated_by(w) == 0 &&
           w->m->transformed_left.cols == w->width && w->m->transformed_right.cols == w->width;
}

/* Mark the column and the row whose product was added last. */
static void layer_marks(const Wqk *w, const WqkTop *top) {
    if (!adds_layers(w) || w->merged > 0)
        return;
    float x = top->left.w / (float)w->width, y = top->right.h / (float)w->width;
    float before = (float)(w->layers - 1);
    outline(w, (Rect){top->left.x + before * x, top->left.y, x, top->left.h}, 1.6f);
    outline(w, (Rect){top->right.x, top->right.y + before * y, top->right.w, y}, 1.6f);
}

/* Return the matrix to show: the part of one singular value, the cut product, or the product. Write
 * its name, in a form that fits width. */
static const Mat *shown_product(const Wqk *w, Mat *room, float width, char *name, size_t capacity) {
    const HeadProduct *p = &w->m->product;
    int sigma = shown_sigma(w);
    if (sigma > 0) {
        *room = mat_push(w->c->scratch, w->E, w->E);
        Mat u = mat_cols(&p->u, sigma - 1, 1), v = mat_cols(&p->v, sigma - 1, 1);
        mat_mul_bt(room, &u, &v, (float)p->sigma[sigma - 1]);
        snprintf(name, capacity, "σ_{%d} u_{%d} v_{%d}^⊤", sigma, sigma, sigma);
        return room;
    }
    if (adds_layers(w)) {
        *room = mat_push(w->c->scratch, w->E, w->E);
        Mat left = mat_cols(&w->m->transformed_left, 0, w->layers);
        Mat right = mat_cols(&w->m->transformed_right, 0, w->layers);
        mat_mul_bt(room, &left, &right, 1);
        snprintf(name, capacity, "%s \"%d of %d layers\"", w->names->product, w->layers, w->width);
        if (formula_width(w->c->ui, NAME_SIZE, name) > width)
            snprintf(name, capacity, "\"%d of %d\"", w->layers, w->width);
        return room;
    }
    if (shows_cut(w)) {
        snprintf(name, capacity, "%s \"cut to rank\" %d", w->names->product, w->m->request.rank);
        if (formula_width(w->c->ui, NAME_SIZE, name) > width)
            snprintf(name, capacity, "%s,  r = %d", w->names->product, w->m->request.rank);
        if (formula_width(w->c->ui, NAME_SIZE, name) > width)
            snprintf(name, capacity, "W_{r=%d}", w->m->request.rank);
        return &w->m->cut;
    }
    if (wqk_rotated_by(w) != 0)
        snprintf(name, capacity, "%s(%d)", w->names->product, wqk_rotated_by(w));
    else
        snprintf(name, capacity, "%s", w->names->product);
    return &p->product;
}

/* Draw the button that merges the factors or takes them apart, if `used` leaves it room. */
static void merge_button(const Wqk *w, const WqkTop *top, const char *text, float used) {
    float width = text_width(w->c->ui, TEXT_BODY, "%s", text) + 24;
    bool *ov_merged = &w->c->memory->wqk.ov_merged;
    Rect place = {rect_right(top->product) - width, top->product.y - NAME_H - 2, width, 34};
    if (width + used + 12 > top->product.w ||
        !button_text(w->c->ui, ui_id("wqk merge", 0), place, text))
        return;
    if (w->m->product.kind == PRODUCT_QK) {
        edit_push_state(w->c->edits, "form",
                        w->c->run->form == FORM_MERGED ? "separate" : "merged");
    } else {
        *ov_merged = !*ov_merged;
        w->c->ui->again = true;
    }
}

static void legend(const Wqk *w, const WqkTop *top) {
    Ui *ui = w->c->ui;
    static const char *const plus = "full cell = positive", *const minus = "dash = negative";
    float y = rect_bottom(top->product) + 10;
    if (top->has_transform)
        y = fmaxf(y, top->below_right.y + wqk_transform_height(transform_place(top).h) + 8);
    Rect line = {top->right.x, y, top->right.w, 20};
    float need =
        text_width(ui, TEXT_NOTE, "%s", plus) + text_width(ui, TEXT_NOTE, "%s", minus) + 76;
    if (top->cell * ui->list->scale < 3 || need > line.w ||
        rect_bottom(top->below_right) < rect_bottom(line))
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

float wqk_hall_scale(const Wqk *w) {
    float hi = wqk_largest(&w->m->product.product);
    if (has_factors(w))
        hi = fmaxf(
            hi, fmaxf(wqk_largest(&w->m->transformed_left), wqk_largest(&w->m->transformed_right)));
    return hi;
}

void wqk_top_draw(const Wqk *w, const WqkTop *top) {
    char name[64];
    Mat room;
    const ViewContext *c = w->c;
    float factor_hi = 1, left_name_w = 0;
    bool flies = w->merged > 0 && w->merged < 1;
    if (has_factors(w)) {
        factor_hi = top->is_hall ? wqk_hall_scale(w)
                                 : fmaxf(wqk_largest(&w->m->transformed_left),
                                         wqk_largest(&w->m->transformed_right));
        left_name_w = factors(w, top);
    }
    if (has_factors(w) && !top->is_hall) {
        float most = top->right.x - 12 - top->left.x; /* R's panel is right of it */
        float width = fmaxf(fminf(top->left.w, 260), fminf(SCALE_LEAST_W, most));
        wqk_signed_scale(c, (Rect){top->left.x, rect_bottom(top->left) + 10, width, SCALE_H},
                         factor_hi);
        legend(w, top);
    }
    if (flies) { /* drawn over R's panel and under the product */
        transform(w, top);
        factor_cells(w, top, factor_hi);
    }
    static const char *const words[] = {"Merge", "Merge  F", "Take apart", "Take apart  F"};
    bool scores = w->m->product.kind == PRODUCT_QK;
    bool is_merged = scores ? c->run->form == FORM_MERGED : c->memory->wqk.ov_merged;
    const char *button = words[2 * is_merged + scores];
    float width = top->product.w;
    if (has_factors(w))
        width -= text_width(c->ui, TEXT_BODY, "%s", button) + 36;
    const Mat *product = shown_product(w, &room, width, name, sizeof name);
    float hi = top->is_hall ? wqk_hall_scale(w) : wqk_largest(&w->m->product.product);
    seen_cells(w, "wqk product", top->product, wqk_whole(w, top, top->product, true, true), product,
               hi);
    float used = name_above(w, top->product, width, name, product->rows, product->cols);
    if (has_factors(w))
        merge_button(w, top, button, used);
    if (!top->is_hall)
        wqk_signed_scale(
            c, (Rect){top->product.x, rect_bottom(top->product) + 10, top->product.w, 34}, hi);
    if (!flies) {
        transform(w, top);
        factor_cells(w, top, factor_hi);
    }
    constant(w, top);
    wqk_hand_marks(w, top);
    marks(w, top);
    layer_marks(w, top);
    wqk_mark_parts(w, top, left_name_w);
    wqk_veil(w, "wqk left veil", top->left, wqk_is_old_transform(w));
    wqk_veil(w, "wqk right veil", top->right, wqk_is_old_transform(w));
    wqk_veil(w, "wqk product veil", top->product,
             wqk_is_old_product(w) || (shows_cut(w) && wqk_is_old_cut(w)));
}
