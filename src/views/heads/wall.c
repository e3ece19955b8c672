#include "views/heads/heads_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "draw/part.h"
#include "ui/text.h"
#include "views/shared/number_editor.h"

#define VALUE_AWAY_X 84
#define VALUE_AWAY_Y 26
#define NUMBER_CELL  44 /* px: a cell at least this large shows its value */
/* Px: a cell at least this large shows its value if the user asked for numbers. */
#define NUMBER_LEAST 20
#define NUMBER_SIZE  14
#define NUMBER_SMALL 8
#define NUMBER_GAP   8      /* px: minimum space between the numbers of two cells */
#define BRIEF        "−.00" /* the widest text in a small cell */
#define FULL         "−00.00"
#define GRID_FROM    8 /* px: cells at least this large have grid lines between them */

static void cell_ring(const ViewContext *c, Rect cell, float border) {
    float half = border / 2 + 0.5f;
    Rect ring = {cell.x - half, cell.y - half, cell.w + 2 * half, cell.h + 2 * half};
    Rect casing = {ring.x - 1.5f, ring.y - 1.5f, ring.w + 3, ring.h + 3};
    draw_ring(c->ui->list, casing, 4, border + 3, c->ui->theme->casing);
    draw_ring(c->ui->list, ring, 3, border, c->ui->theme->ring);
}

/* Outline a row or a column so that the outline is visible on dark and on bright cells. */
static void band(const ViewContext *c, Rect rect) {
    Rect casing = {rect.x - 1, rect.y - 1, rect.w + 2, rect.h + 2};
    draw_ring(c->ui->list, casing, 3, 3.4f, colour_fade(c->ui->theme->casing, 0.75f));
    draw_ring(c->ui->list, rect, 2, 1.4f, c->ui->theme->ring);
}

static void row_band(const Wall *w, Rect m, int first, int end) {
    Rect cell = wall_cell(w->layout, m, first, 0);
    float height = cell.h * (float)(end - first);
    band(w->context, (Rect){m.x - 1, cell.y - 1, m.w + 2, height + 2});
}

static void column_band(const Wall *w, Rect m, int first, int end) {
    Rect cell = wall_cell(w->layout, m, 0, first);
    float width = cell.w * (float)(end - first);
    band(w->context, (Rect){cell.x - 1, m.y - 1, width + 2, m.h + 2});
}

static Rect attn_cell_of(const Wall *w, Rect m, AttnCell cell) {
    return wall_cell(w->layout, m, w->shown->query_place[cell.query],
                     w->shown->key_place[cell.key]);
}

static bool is_inside(Rect m, Rect cell) {
    Vec2 middle = rect_centre(cell);
    return rect_contains(m, middle);
}

/* Outline the rows or columns of the selected tokens, with one outline around neighbours. Also
 * outline the row and the column of the token under the pointer. */
static void token_bands(const Wall *w, Rect m) {
    const HeadsMemory *memory = &w->context->memory->heads;
    int token = view_lit_token(w->context);
    const int *at = memory->selects_keys ? w->shown->key_at : w->shown->query_at;
    for (int first = 0, end; first < w->layout->tokens; first = end + 1) {
        for (end = first; end < w->layout->tokens && memory->selected[at[end]]; end++)
            ;
        if (end > first && memory->selects_keys)
            column_band(w, m, first, end);
        else if (end > first)
            row_band(w, m, first, end);
    }
    if (token < 0)
        return;
    int row = w->shown->query_place[token], column = w->shown->key_place[token];
    row_band(w, m, row, row + 1);
    column_band(w, m, column, column + 1);
}

/* Mark the focused cell and, in the tile of its head, its row and column. Mark the pinned cell,
 * too, if it is another one. */
static void wall_marks(const Wall *w, int tile) {
    int head = w->shown->layer[w->layer].tile[tile].id;
    Rect m = wall_matrix(w->layout, tile);
    Rect clip = draw_clip(w->context->ui->list, rect_inset(m, -6, -6));
    AttnCell pin = view_pin(w->context), at = w->focus;
    token_bands(w, m);
    bool elsewhere = attn_cell_is_set(pin) && (pin.query != at.query || pin.key != at.key);
    if (elsewhere && head == pin.head && w->layer == pin.layer &&
        is_inside(m, attn_cell_of(w, m, pin)))
        cell_ring(w->context, attn_cell_of(w, m, pin), 1.6f);
    bool own = attn_cell_is_set(at) && head == at.head && w->layer == at.layer;
    if (own) {
        int row = w->shown->query_place[at.query], column = w->shown->key_place[at.key];
        row_band(w, m, row, row + 1);
        column_band(w, m, column, column + 1);
    }
    if (attn_cell_is_set(at) && is_inside(m, attn_cell_of(w, m, at)))
        cell_ring(w->context, attn_cell_of(w, m, at), own ? 2.5f : 1.6f);
    draw_clip_restore(w->context->ui->list, clip);
}

static float number_width(const ViewContext *c, const char *text) {
    return label_width(c->ui, FONT_MONO, NUMBER_SIZE, text, strlen(text));
}

/* Write a value with two decimals or, if brief, with the digits that fit into a small cell: ".43",
 * "1.7" or "12". A magnitude below 0.005 becomes "≈0" if its text would be wider than `most`. */
static void cell_text(const ViewContext *c, char *out, size_t capacity, float value, bool brief,
                      float most) {
    int decimals = !brief || fabsf(value) < 1 ? 2 : fabsf(value) < 10 ? 1 : 0;
    number_format_fixed(out, capacity, (double)value, decimals);
    char *zero = brief && fabsf(value) < 1 ? strstr(out, "0.") : NULL;
    if (zero != NULL)
        memmove(zero, zero + 1, strlen(zero));
    bool reads_as_zero = fabsf(value) < 0.005f;
    /* Measure a tiny value as 0.0001. Otherwise 2e-5, which has a shorter text, would be written
     * out, but the larger 0.0002 would become ≈0. */
    bool is_tiny = !brief && fabsf(value) < 0.0005f;
    if (value == 0)
        snprintf(out, capacity, "0");
    else if (reads_as_zero &&
             fmaxf(number_width(c, out), is_tiny ? number_width(c, "0.0001") : 0) > most)
        snprintf(out, capacity, "≈0");
}

static float number_size(const ViewContext *c, const WallLayout *l, bool brief) {
    return fminf(NUMBER_SIZE, NUMBER_SIZE * (l->cell - 3) / number_width(c, brief ? BRIEF : FULL));
}

static bool has_numbers(const Wall *w) {
    const ViewContext *c = w->context;
    bool brief = w->layout->cell < NUMBER_CELL;
    return w->layout->cell >= (c->settings->numbers ? NUMBER_LEAST : NUMBER_CELL) &&
           number_size(c, w->layout, brief) >= NUMBER_SMALL;
}

static void cell_numbers(const Wall *w, Rect m, const HeatmapPart *part, const HeatmapTile *tile,
                         const HeatmapWindow *window) {
    const ViewContext *c = w->context;
    bool brief = w->layout->cell < NUMBER_CELL;
    int palette = view_palette(c, tile->is_signed);
    float size = number_size(c, w->layout, brief);
    float most =
        brief ? number_width(c, BRIEF) : (w->layout->cell - NUMBER_GAP) * NUMBER_SIZE / size;
    for (int i = 0; i < part->values.rows; i++) {
        for (int j = 0; j < part->values.cols; j++) {
            int row = window->first_row + i, column = window->first_col + j;
            float value = mat_row(&tile->values, row)[column];
            Rect cell = wall_cell(w->layout, m, row, column);
            if (!isfinite(value))
                continue;
            char text[32];
            cell_text(c, text, sizeof text, value, brief, most);
            float at = (mat_row(&part->values, i)[j] - part->lo) / (part->hi - part->lo);
            bool dark = colour_contrast(palette_colour(palette, at), 0x000000FFu) < 7;
            LabelStyle style = {FONT_MONO, size, dark ? 0xFFFFFFFFu : 0x000000FFu, LABEL_CENTRE};
            label_draw(c->ui, cell, &style, text);
        }
    }
}

static void draw_window(const Wall *w, Rect m, const HeatmapPart *part, int index,
                        const HeatmapWindow *window) {
    const ViewContext *c = w->context;
    const HeatmapTile *tile = &w->shown->layer[w->layer].tile[index];
    float each = w->layout->cell * (float)window->pool;
    Rect corner =
        wall_cell(w->layout, m, window->first_row * window->pool, window->first_col * window->pool);
    Rect place = {corner.x, corner.y, each * (float)part->values.cols,
                  each * (float)part->values.rows};
    DrawCells cells = view_cells_of(c, place, &part->values, part->hi, tile->is_signed);
    cells.gap = w->layout->gap;
    cells.has_numbers = has_numbers(w);
    /* Colours fade to new values only if all cells are drawn. If some are hidden or pooled, a new
     * colour may be that of another cell. */
    if (part->values.rows < w->layout->tokens || part->values.cols < w->layout->tokens)
        draw_cells(c->ui->list, &cells);
    else
        view_cells(
            c,
            ui_id("cells", ((w->layer * TILES_MAX + index) * SHOW_COUNT + c->settings->maps.show) *
                                   MINUS_COUNT +
                               c->settings->maps.minus.row),
            &cells);
}

static void wall_values(const Wall *w, Rect m, int index) {
    const ViewContext *c = w->context;
    const HeatmapTile *tile = &w->shown->layer[w->layer].tile[index];
    HeatmapWindow window = wall_window(w->layout);
    HeatmapPart part = heatmap_part(c, w->layer, index, &window);
    Rect clip = draw_clip(c->ui->list, m);
    draw_window(w, m, &part, index, &window);
    if (has_numbers(w))
        cell_numbers(w, m, &part, tile, &window);
    draw_clip_restore(c->ui->list, clip);
}

/* True if the mask leaves the pair at this row and column on screen open. */
static bool open_at(const Wall *w, int row, int column) {
    return mask_row(&w->context->run->mask, w->shown->query_at[row])[w->shown->key_at[column]] != 0;
}

static bool same_rows(const Wall *w, int a, int b) {
    for (int j = 0; j < w->layout->tokens; j++)
        if (open_at(w, a, j) != open_at(w, b, j))
            return false;
    return true;
}

/* Draw the open pairs of rows first to end − 1 as boxes. The mask is the same in all of these
 * rows. */
static void open_rows(const Wall *w, Rect m, int first, int end) {
    int T = w->layout->tokens;
    for (int j = 0, from; j < T; j++) {
        if (!open_at(w, first, j))
            continue;
        for (from = j; j < T && open_at(w, first, j); j++)
            ;
        Rect a = wall_cell(w->layout, m, first, from), b = wall_cell(w->layout, m, end - 1, j - 1);
        draw_fill(w->context->ui->list, (Rect){a.x, a.y, rect_right(b) - a.x, rect_bottom(b) - a.y},
                  0, w->context->ui->theme->control);
    }
}

static void grid(const Wall *w, Rect m) {
    DrawList *list = w->context->ui->list;
    float line = 1 / list->scale;
    HeatmapWindow seen = wall_window(w->layout);
    for (int i = 1; i <= seen.rows || i <= seen.cols; i++) {
        Rect cell = wall_cell(w->layout, m, seen.first_row + i, seen.first_col + i);
        draw_fill(list, (Rect){m.x, cell.y - line, m.w, line}, 0, w->context->ui->theme->canvas);
        draw_fill(list, (Rect){cell.x - line, m.y, line, m.h}, 0, w->context->ui->theme->canvas);
    }
}

static void edited(const Wall *w, Rect m) {
    const EdgeSet *edges = w->context->session->edges;
    int T = w->layout->tokens;
    for (int i = 0; edges != NULL && i < edges->count; i++)
        for (int key = edges->runs[i].first; key <= edges->runs[i].last && key < T; key++) {
            if (edges->runs[i].query >= T)
                break;
            Rect cell = wall_cell(w->layout, m, w->shown->query_place[edges->runs[i].query],
                                  w->shown->key_place[key]);
            if (cell.w >= GRID_FROM && rect_intersect(cell, m).w > 0)
                draw_ring(w->context->ui->list, rect_inset(cell, 1, 1), 2, 1.6f,
                          w->context->ui->theme->ring);
        }
}

static void mask_draw(const Wall *w, Rect m) {
    const ViewContext *c = w->context;
    Rect clip = draw_clip(c->ui->list, m);
    int T = w->layout->tokens;
    draw_fill(c->ui->list, m, 0, c->ui->theme->masked);
    for (int first = 0, end; first < T; first = end) {
        for (end = first + 1; end < T && same_rows(w, first, end); end++)
            ;
        open_rows(w, m, first, end);
    }
    if (w->layout->cell >= GRID_FROM)
        grid(w, m);
    edited(w, m);
    draw_clip_restore(c->ui->list, clip);
}

/* Append the matrix with its title, its statistics and the names along its sides as a part of the
 * picture (draw/part.h). The names above it lean into the gap at its right. */
static void mark_part(const Wall *w, int index, int head, Rect m) {
    const WallLayout *l = w->layout;
    int place = index - l->first_tile;
    float left = place % l->columns == 0 ? l->label_w : 0;
    float above = l->title_h + (place < l->columns ? l->label_h : 0);
    bool in_order = w->context->settings->maps.order == ORDER_POSITION;
    DrawPart part = {
        .rect = {m.x - left, m.y - above, left + m.w + l->between_x - 4, above + m.h + l->foot_h},
        .cells = wall_cell(l, m, 0, 0),
        .rows = in_order ? l->tokens : 0,
        .cols = in_order ? l->tokens : 0,
        .numbers = heatmap_numbers(w->shown, &w->shown->layer[w->layer].tile[index])};
    part.cells.w = part.cells.h = l->cell * (float)l->tokens;
    if (w->layer == 0 && head >= 0 && head < w->context->run->layers[0].shape[0].H)
        draw_part(w->context->ui->list, &part, "heads.matrix.%d", head + 1);
}

static void wall_tile(const Wall *w, int index) {
    const ViewContext *c = w->context;
    int id = w->shown->layer[w->layer].tile[index].id;
    Rect m = wall_matrix(w->layout, index);
    mark_part(w, index, id, m);
    if (w->layout->title_h > 0 && !w->layout->moves)
        wall_title(w, index);
    wall_pointer(w, index);
    if (id == TILE_MASK)
        mask_draw(w, m);
    else
        wall_values(w, m, index);
    if (id >= 0 && wall_gain(w, id) == 0)
        draw_fill(c->ui->list, m, 0, colour_fade(c->ui->theme->canvas, VIEW_VEIL));
    if (w->layer == 0 && id >= 0) {
        Rect clip = draw_clip(c->ui->list, m);
        number_marks_draw(c, &(NumberMarks){.name = HAND_S,
                                            .head = id,
                                            .rect = wall_cell(w->layout, m, 0, 0),
                                            .cell = {w->layout->cell, w->layout->cell},
                                            .rows_at = w->shown->query_place,
                                            .cols_at = w->shown->key_place});
        draw_clip_restore(c->ui->list, clip);
    }
    if (w->layout->foot_h > 0 && !w->layout->moves)
        wall_foot(w, index);
    if (id == c->session->options.head - 1 && w->layout->tiles > 1)
        draw_ring(c->ui->list, (Rect){m.x - 5, m.y - 5, m.w + 10, m.h + 10}, 4, 2,
                  view_head_colour(c, id));
}

/* Draw the exact value next to the cell under the pointer, without covering the cell. */
static void wall_value(const Wall *w) {
    const ViewContext *c = w->context;
    AttnCell lit = c->hover->lit;
    int over = c->memory->heads.over - 1;
    bool here = over >= w->layout->first_tile && over < w->layout->first_tile + w->layout->tiles;
    if (!attn_cell_is_set(lit) || lit.layer != w->layer || w->focus.query != lit.query || !here ||
        w->shown->layer[w->layer].tile[over].id == TILE_MASK)
        return;
    Rect cell = attn_cell_of(w, wall_matrix(w->layout, over), lit);
    float value = heatmap_value(w->shown, w->layer, over, lit.query, lit.key);
    float x = rect_right(cell) + VALUE_AWAY_X, y = cell.y - VALUE_AWAY_Y;
    if (x > c->ui->list->clip.x + c->ui->list->clip.w - 2 * VALUE_AWAY_X)
        x = cell.x - VALUE_AWAY_X;
    if (isfinite(value))
        view_value_pill(c, (Vec2){x, y}, c->ui->list->clip, value, true);
}

void wall_draw(const ViewContext *c, const WallLayout *l, const Heatmap *shown, int layer) {
    Wall w = {c, l, shown, layer, view_focus(c)};
    HeatmapWindow window = wall_window(l);
    if (!heatmap_begin(c, layer, &window)) {
        text_at(c->ui, (Vec2){l->x, l->y + 20}, TEXT_BODY, "There is too little memory to draw.");
        return;
    }
    int end = l->first_tile + l->tiles;
    for (int tile = l->first_tile; tile < end; tile++)
        wall_tile(&w, tile);
    if (!l->moves)
        wall_labels(&w);
    for (int tile = l->first_tile; tile < end; tile++)
        wall_marks(&w, tile);
    wall_value(&w);
}
