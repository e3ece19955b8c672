/* The heads in the Train view: in each column its current heads and the chosen head at five steps,
 * with the column's name and loss; and the chosen head of the chosen column, large enough for the
 * tokens' names. */
#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "math/pool.h"
#include "model/attention/task.h"
#include "ui/axis.h"
#include "ui/dropdown.h"
#include "ui/layout.h"
#include "ui/skin.h"
#include "ui/text.h"
#include "views/train/train.h"

#define NAME_H       40
#define NAME_LINE    36 /* px: upper part of NAME_H, so that rings do not touch the maps */
#define MARK_W       28
#define CHEVRON_W    20
#define ARROW_W      26 /* px: width of the arrow between two tokens, including blanks */
#define CAPTION_H    36
#define CAPTION_LINE 28 /* px: height of the lower part of CAPTION_H */
#define NUMBER_H     24
#define BELOW        20 /* px between two rows of columns */
#define TITLE_H      40
#define TITLE_LEAST  300 /* px: minimum width for a long name and the button that uses the layer */
#define FOOT_H       30
#define NAME_SIZE    14
#define NAME_MOST    84 /* px: largest width of a token's name */
#define NAME_GAP     6
#define LINE         14.5f /* px: if rows are lower than this, only some names are shown */
#define SLANTED      12.5f /* px: if columns are narrower than this, only some names are shown */
#define SLANT        0.70710678f
#define MAP_LEAST    60
#define COLUMN_LEAST 200
#define MOMENTS      5 /* number of moments at which the chosen head is shown */
/* Number of heatmaps of a column: its heads, the chosen head at each moment, and the large one. */
#define SLOTS(heads) ((heads) + MOMENTS + 1)
#define POOLED_SIDE  128 /* if a text has more tokens, several share a cell */

TrainGrid train_grid(const TrainScene *s, float width, float most) {
    const ViewContext *c = s->c;
    TrainGrid g = {.columns = s->columns, .between = s->columns > 5 ? 20 : 32};
    g.across = (int)((width + g.between) / (COLUMN_LEAST + g.between));
    g.across = g.across < 1 ? 1 : g.across < g.columns ? g.across : g.columns;
    g.rows = (g.columns + g.across - 1) / g.across;
    g.across = (g.columns + g.rows - 1) / g.rows;
    g.width = (width - g.between * (float)(g.across - 1)) / (float)g.across;
    g.heads = map_grid(s->race->shape.H, g.width, most, c->ui->list->scale);
    g.moment_gap = g.width > 320 ? 22 : 14;
    float side = (g.width - g.moment_gap * (MOMENTS - 1)) / MOMENTS;
    side = fminf(fmaxf(side, 1), fmaxf(most * 0.75f, 24));
    g.moment = fmaxf(floorf(side * c->ui->list->scale), 1) / c->ui->list->scale;
    g.row_h = NAME_H + map_grid_height(&g.heads) + CAPTION_H + g.moment + NUMBER_H;
    g.height = (g.row_h + BELOW) * (float)g.rows - BELOW;
    return g;
}

static void name_draw(const TrainScene *s, Rect line, int column) {
    const ViewContext *c = s->c;
    LabelStyle style = {FONT_SANS_BOLD, SKIN_TEXT, c->ui->theme->text_1, LABEL_LEFT};
    const char *name = train_name(s, column);
    char brief[64];
    if (label_width(c->ui, style.font, style.size, name, strlen(name)) > line.w - CHEVRON_W)
        name = train_short_name(brief, s, column);
    float width = label_width(c->ui, style.font, style.size, name, strlen(name)) + 1;
    if (s->of->key.is_given) {
        label_draw(c->ui, line, &style, name);
        return;
    }
    line.w = fminf(width + CHEVRON_W, line.w);
    UiId id = ui_id("train scheme", column);
    UiState state;
    DropdownChoices choices = {.registry = &SCHEME_REGISTRY};
    int scheme = c->settings->compare.schemes.rows[column];
    int picked = dropdown_under(c->ui, id, line, &choices, scheme, &state);
    /* Leave room, so that the background's ring does not touch the mark. */
    Rect ground = rect_inset(line, -4, 2);
    if (state.hovered || state.held)
        draw_fill(c->ui->list, ground, 8, skin_ground(c->ui, id, state, c->ui->theme->raised));
    ui_focus_ring(c->ui, id, ground, 8);
    label_draw(c->ui, rect_cut_left(&line, width), &style, name);
    icon_draw(c->ui, ICON_CHEVRON, rect_centre(line), 10, c->ui->theme->text_3);
    if (picked >= 0)
        column_replace(c, column, picked);
}

/* Write a column's held-out loss, or that it overflowed, at the right of *line, in the longest form
 * that fits. Cut its width off *line. */
static void loss_draw(const TrainScene *s, Rect *line, int column, float room) {
    Ui *ui = s->c->ui;
    int last = train_last(s->race, column, s->step);
    float loss = race_record(s->race, column, race_measured(s->race, last))->held_out;
    Rect place = *line;
    place.x = rect_right(*line) - room;
    place.w = room;
    const char *value = AXIS_VALUE(loss);
    float used =
        isfinite(race_record(s->race, column, last)->loss)
            ? text_in(ui, place, TEXT_COUNT | TEXT_RIGHT, "loss %s\n%s", value, value)
            : text_in(ui, place, TEXT_CAPTION | TEXT_PLAIN | TEXT_WARN | TEXT_RIGHT,
                      "! loss overflowed at step %d\n! overflow at %d\n! at %d", last, last, last);
    rect_cut_right(line, used + 10);
}

/* Return the number of tokens that share a cell. */
static int block_of(const TrainScene *s) {
    return (s->race->shape.T + POOLED_SIDE - 1) / POOLED_SIDE;
}

void train_heads_prepare(const TrainScene *s) {
    Err err;
    int cells = (s->race->shape.T + block_of(s) - 1) / block_of(s);
    uint64_t count = (uint64_t)(s->columns * SLOTS(s->race->shape.H));
    Arena *pooled = &s->c->memory->train->pooled;
    if (block_of(s) > 1 && !arena_reserve(pooled, count * mat_bytes(cells, cells), &err))
        ui_fail(s->c->ui, err.what, err.why);
}

static Mat weights_of(const TrainScene *s, int column, int head, int step) {
    Mat a = race_weights(s->race, column, step, head);
    Arena *pooled = &s->c->memory->train->pooled;
    int block = block_of(s), cells = (a.rows + block - 1) / block;
    if (block == 1 || pooled->used + mat_bytes(cells, cells) > pooled->capacity)
        return a;
    Mat out = mat_push(pooled, cells, cells);
    pool_blocks(&out, &a, block, block);
    return out;
}

/* Draw a head of a column at a step. A click chooses this head and this column. */
static void map_draw(const TrainScene *s, Rect map, int column, int slot, int head, int step) {
    const ViewContext *c = s->c;
    int T = s->race->shape.T;
    Mat a = weights_of(s, column, head, step);
    UiId id = ui_id("train map", column * SLOTS(OPTION_HEADS_MAX) + slot);
    UiState state = ui_control(c->ui, id, map, UI_NO_FOCUS);
    AttnCell cell = view_cell_under(c, map, T, head);
    if (state.hovered && attn_cell_is_set(cell)) {
        view_light(c, cell);
        c->memory->train->found_step = step + 1;
    }
    if (state.clicked && head != c->session->options.head - 1)
        edit_push_state(c->edits, "head", "%d", head + 1);
    if (state.clicked && column != c->settings->train.start - 1)
        view_set_number(c, "train-start", column + 1, 0);
    DrawCells cells = view_cells_of(c, map, &a, 1, false);
    draw_cells(c->ui->list, &cells);
    view_ring_focus(c, map, T);
}

static Rect snapped(const TrainScene *s, Rect map) {
    map.x = draw_snap(s->c->ui->list, map.x);
    map.y = draw_snap(s->c->ui->list, map.y);
    return map;
}

static void heads_draw(const TrainScene *s, const TrainGrid *g, Rect place, int column) {
    const ViewContext *c = s->c;
    int chosen = c->session->options.head - 1;
    int step = race_kept_step(s->race, train_last(s->race, column, s->step));
    for (int h = 0; h < g->heads.heads; h++) {
        Rect map = snapped(s, map_grid_place(&g->heads, (Vec2){place.x, place.y}, h));
        map_draw(s, map, column, h, h, step);
    }
    if (g->heads.heads == 1)
        return;
    Rect map = snapped(s, map_grid_place(&g->heads, (Vec2){place.x, place.y}, chosen));
    float out = fminf(4, g->heads.gap / 2 + 1);
    draw_ring(c->ui->list, rect_inset(map, -out, -out), 4, 2, c->ui->theme->ring);
}

/* Draw the chosen head at five moments, each a quarter of all steps apart. A step after the one on
 * screen, or after an overflow, is an empty frame. */
static void moments_draw(const TrainScene *s, const TrainGrid *g, Rect place, int column) {
    Ui *ui = s->c->ui;
    int head = s->c->session->options.head - 1;
    for (int i = 0; i < MOMENTS; i++) {
        int step = race_kept_step(s->race, (int)lround((double)s->steps * i / (MOMENTS - 1)));
        bool is_there = step <= train_last(s->race, column, s->step);
        Rect map = snapped(s, (Rect){place.x + (g->moment + g->moment_gap) * (float)i, place.y,
                                     g->moment, g->moment});
        if (is_there)
            map_draw(s, map, column, s->race->shape.H + i, head, step);
        else
            draw_ring(ui->list, map, 2, 1, ui->theme->hair);
        Vec2 tip = {map.x - g->moment_gap / 2 + 2, map.y + map.h / 2};
        for (int side = -4; side <= 4 && i > 0; side += 8) /* a chevron */
            draw_line(ui->list, (Vec2){tip.x - 4, tip.y + (float)side}, tip, 1.4f,
                      ui->theme->control);
        Rect number = {map.x - g->moment_gap / 2, rect_bottom(map), map.w + g->moment_gap,
                       NUMBER_H};
        text_in(ui, number, TEXT_COUNT | TEXT_CENTRE | (is_there ? TEXT_DIM : TEXT_FAINT), "%d",
                step);
    }
}

/* Write the focused pair with head and step, “Head 2 at 24: it → animal”, and its weight in this
 * column. */
static void cell_words(const TrainScene *s, Rect line, int column, AttnCell at) {
    const ViewContext *c = s->c;
    const TrainMemory *m = c->memory->train;
    bool is_lit = attn_cell_is_set(c->hover->lit) && m->lit_step > 0;
    int last = train_last(s->race, column, s->step);
    int step = race_kept_step(s->race, is_lit && m->lit_step <= last ? m->lit_step - 1 : last);
    Mat a = race_weights(s->race, column, step, at.head);
    float value = mat_row(&a, at.query)[at.key];
    Ui *ui = c->ui;
    bool is_closed = !mask_row(&s->race->plan.mask, at.query)[at.key];
    LabelStyle words = text_style(ui, TEXT_CAPTION | TEXT_BRIGHT);
    text_right(ui, &line, TEXT_COUNT | TEXT_BRIGHT, "%s", is_closed ? "closed" : AXIS_VALUE(value));
    const char *head = PRINT("Head %d at %d:", at.head + 1, step);
    TokenLabel query = train_token(s, at.query), key = train_token(s, at.key);
    float query_w = label_width(ui, words.font, words.size, query.bytes, query.size);
    float key_w = label_width(ui, words.font, words.size, key.bytes, key.size);
    float head_w = text_width(ui, TEXT_CAPTION, "%s", head) + TEXT_GAP;
    if (head_w + query_w + ARROW_W + key_w <= line.w) /* in less room, only the two tokens */
        text_left(ui, &line, TEXT_CAPTION, "%s", head);
    float free = line.w - ARROW_W;
    text_in(ui, line, TEXT_CAPTION | TEXT_BRIGHT | TEXT_PLAIN, "%s → %s",
            view_name(c, &words, query, fmaxf(free / 2, free - key_w)).text,
            view_name(c, &words, key, fmaxf(free / 2, free - query_w)).text);
}

/* Write the score of the best head, “head 4: 0.84 on the word before”, in the longest form that
 * fits. */
static void score_draw(const TrainScene *s, Rect line, int column) {
    int last = train_last(s->race, column, s->step);
    if (!isfinite(race_record(s->race, column, last)->loss) && last > 0)
        last--;
    const RaceRecord *record = race_record(s->race, column, race_measured(s->race, last));
    if (!isfinite(record->score))
        return;
    const char *value = AXIS_VALUE(record->score);
    const char *asked = TASKS[s->race->plan.rules.task].asked;
    int head = record->best_head + 1;
    text_in(s->c->ui, line, TEXT_CAPTION | TEXT_PLAIN | TEXT_BRIGHT,
            "best head %d: %s on %s\nhead %d: %s on %s\nhead %d: %s\n%s", head, value, asked, head,
            value, asked, head, value, value);
}

void train_columns_draw(const TrainScene *s, const TrainGrid *g, Rect area) {
    for (int i = 0; i < g->columns; i++) {
        Rect place = layout_cell(area, g->between, g->row_h + BELOW, i, g->across);
        place.h = g->row_h;
        draw_part(s->c->ui->list, PART_RECT(place), "train.start.%d", i + 1);
        Rect line = rect_cut_top(&place, NAME_H);
        line.h = NAME_LINE;
        const char *brief = train_short_name((char[64]){0}, s, i);
        float name = label_width(s->c->ui, FONT_SANS_BOLD, SKIN_TEXT, brief, strlen(brief));
        train_use_mark(s, rect_cut_left(&line, MARK_W), i);
        loss_draw(s, &line, i, line.w - name - CHEVRON_W - 12);
        name_draw(s, line, i);
        heads_draw(s, g, rect_cut_top(&place, map_grid_height(&g->heads)), i);
        Rect caption = rect_cut_top(&place, CAPTION_H);
        rect_cut_top(&caption, CAPTION_H - CAPTION_LINE);
        AttnCell at = view_focus(s->c);
        if (attn_cell_is_set(at))
            cell_words(s, caption, i, at);
        else
            score_draw(s, caption, i);
        moments_draw(s, g, place, i);
    }
}

int train_chosen_start(const TrainScene *s) {
    int start = s->c->settings->train.start - 1;
    return start < s->columns ? start : s->columns - 1;
}

static float names_width(const TrainScene *s) {
    return view_names_width(s->c, FONT_SANS, NAME_SIZE, NAME_MOST);
}

static float side_of(const TrainScene *s, float height) {
    float slope = names_width(s) * SLANT + NAME_SIZE;
    return fmaxf(height - TITLE_H - FOOT_H - slope, MAP_LEAST);
}

float train_large_width(const TrainScene *s, float height) {
    float names = names_width(s);
    return side_of(s, height) + names + NAME_GAP + names * SLANT * 0.5f;
}

static void names_draw(const TrainScene *s, Rect map, float names) {
    int T = s->race->shape.T;
    float cell = map.w / (float)T;
    int rows = (int)ceilf(LINE / cell), columns = (int)ceilf(SLANTED / (cell * SLANT));
    for (int i = 0; i < T; i++) {
        float middle = ((float)i + 0.5f) * cell;
        Rect row = {map.x - NAME_GAP - names, map.y + middle - LINE / 2, names, LINE};
        LabelStyle style = {FONT_SANS, NAME_SIZE, s->c->ui->theme->text_2, LABEL_RIGHT};
        ViewName name = view_name(s->c, &style, train_token(s, i), NAME_MOST);
        if (i % rows == 0)
            label_draw(s->c->ui, row, &style, name.text);
        if (i % columns == 0)
            label_turned(s->c->ui, (Vec2){map.x + middle + NAME_SIZE * 0.25f, map.y - NAME_GAP},
                         -0.78539816f, &style, name.text);
    }
}

/* Draw a frame around each cell that the task asks for. Return their mean weight; NaN if there are
 * none. */
static float asked_draw(const TrainScene *s, Rect map, const Mat *a) {
    const RacePlan *plan = &s->race->plan;
    int T = s->race->shape.T, rows = 0;
    float cell = map.w / (float)T, sum = 0;
    for (int i = 0; TASKS[plan->rules.task].key != NULL && i < T; i++) {
        int key = TASKS[plan->rules.task].key(i, T, s->race->orders.text);
        if (key < 0)
            continue;
        rows++;
        sum += mask_row(&plan->mask, i)[key] ? mat_row(a, i)[key] : 0;
        Rect place = {map.x + cell * (float)key, map.y + cell * (float)i, cell, cell};
        if (cell >= 6) { /* two frames of different colours, so that one is visible on any cell */
            draw_ring(s->c->ui->list, place, 2, 1.5f, s->c->ui->theme->casing);
            draw_ring(s->c->ui->list, rect_inset(place, 1.5f, 1.5f), 1, 1, s->c->ui->theme->ring);
        }
    }
    return rows > 0 ? sum / (float)rows : NAN;
}

static void title_draw(const TrainScene *s, Rect line, int start, int head) {
    mark_draw(s->c->ui, column_mark(start), (Vec2){line.x + 7, line.y + line.h / 2}, 13,
              column_colour(s->c, start));
    rect_cut_left(&line, 22);
    if (!s->c->ui->is_plain)
        train_use_draw(s, rect_cut_right(&line, TRAIN_USE_W), start);
    text_in(s->c->ui, line, TEXT_STRONG | TEXT_PX(16) | TEXT_PLAIN, "%.60s, head %d",
            s->c->is_hall ? train_short_name((char[64]){0}, s, start) : train_name(s, start),
            head + 1);
}

void train_large_draw(const TrainScene *s, Rect area) {
    int start = train_chosen_start(s), head = s->c->session->options.head - 1;
    int step = race_kept_step(s->race, train_last(s->race, start, s->step));
    float names = names_width(s), side = side_of(s, area.h);
    area.w = fminf(area.w, fmaxf(train_large_width(s, area.h), TITLE_LEAST));
    Rect whole = area, title = rect_cut_top(&area, TITLE_H - 4);
    Rect map = {area.x + names + NAME_GAP, rect_bottom(area) - FOOT_H - side, side, side};
    map.x = draw_snap(s->c->ui->list, map.x);
    map.y = draw_snap(s->c->ui->list, map.y);
    title_draw(s, title, start, head);
    int T = s->race->shape.T;
    draw_part(s->c->ui->list, &(DrawPart){.rect = whole, .cells = map, .rows = T, .cols = T},
              "train.head");
    map_draw(s, map, start, s->race->shape.H + MOMENTS, head, step);
    names_draw(s, map, names);
    Mat a = race_weights(s->race, start, step, head);
    float asked = asked_draw(s, map, &a);
    if (isnan(asked))
        return;
    const char *value = AXIS_VALUE(asked);
    bool is_seen = s->race->plan.rules.data == RACE_SENTENCE || s->race->shape.T == 1;
    text_in(s->c->ui, (Rect){area.x, rect_bottom(map) + 4, area.w, FOOT_H - 4},
            TEXT_CAPTION | TEXT_PLAIN | TEXT_BRIGHT, "this %stext: %s on %s\nthis text: %s",
            is_seen ? "" : "unseen ", value, TASKS[s->race->plan.rules.task].asked, value);
}
