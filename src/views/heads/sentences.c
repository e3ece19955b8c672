#include "views/heads/heads_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/text_field.h"
#include "ui/tooltip.h"
#include "views/shared/side_labels.h"

#define FIELD_H   36
#define FIELD_MAX 720
#define NAME_W    156
#define AWAY      14
#define BETWEEN   28 /* px between two matrices */
#define TITLE_H   30
#define SCALE_H   52
#define SCALE_W   300
#define FOOT_H    68 /* px: height of the row below the matrices */

static const char *const TITLES[] = {"First sentence", "Second sentence", "Second − first"};
static const char *const HELP[] = {
    "The chosen head on the text. A hatched row or column belongs to a token that only the other "
    "sentence has.",
    "The same head, with the same weights, on the second sentence.",
    "What the second sentence changes, for pairs of tokens that both sentences have."};
static const char *const PARTS[] = {"heads.first", "heads.second", "heads.difference"};

bool sentences_are_on(const ViewContext *c) {
    const HeadsMemory *m = &c->memory->heads;
    return c->settings->maps.second[0] != '\0' || m->types_second || m->wants_second;
}

/* Give the keyboard focus to the field of the second sentence. If it is empty, copy the text into
 * it. */
static void field_begin(const ViewContext *c, UiId id) {
    HeadsMemory *m = &c->memory->heads;
    const Text *text = c->session->text;
    size_t repairs;
    if (m->second[0] == '\0') {
        size_t bytes =
            utf8_repair(m->second, sizeof m->second - 1, text->bytes, text->size, &repairs);
        for (size_t i = 0; i < bytes; i++)
            m->second[i] = (unsigned char)m->second[i] < ' ' ? ' ' : m->second[i];
        m->second[bytes] = '\0';
        c->ui->is_cut |= bytes < text->size + 2 * repairs;
        view_set(c, "second", m->second, 0);
    }
    m->wants_second = false;
    c->ui->focus = id;
    c->ui->again = true;
    line_edit_select_all(&m->second_edit, strlen(m->second));
}

static void field_draw(const ViewContext *c, Rect line) {
    HeadsMemory *m = &c->memory->heads;
    Ui *ui = c->ui;
    UiId id = ui_id("heads second", 0), close = ui_id("heads second", 1);
    Rect name = rect_cut_left(&line, NAME_W);
    text_in(ui, name, TEXT_BODY, "Second sentence");
    tooltip_over(ui, ui_id("heads second", 2), name, NULL,
                 "A second sentence that the same layer reads.");
    line.w = fminf(line.w, FIELD_MAX);
    Rect cross = rect_cut_right(&line, FIELD_H);
    rect_cut_right(&line, 8);
    if (ui->focus != id)
        memcpy(m->second, c->settings->maps.second, sizeof m->second);
    if (m->wants_second)
        field_begin(c, id);
    TextField field = {.buffer = {m->second, m->second_cut, sizeof m->second, &m->second_edit},
                       .hint = "Type a second sentence"};
    TextFieldEvent event = text_field(ui, id, line, &field);
    if (event == TEXT_FIELD_CHANGED)
        view_set(c, "second", m->second, m->second_edit.word_serial);
    if (event == TEXT_FIELD_ENTER || event == TEXT_FIELD_ESCAPE)
        ui->focus = 0;
    tooltip(ui, id, line, NULL, "The same layer reads this sentence, too.");
    if (button_icon(ui, close, cross, ICON_CLOSE)) {
        view_set(c, "second", "", 0);
        ui->focus = 0;
    }
    tooltip(ui, close, cross, NULL, "Remove the second sentence.");
    ui->again = ui->again || m->types_second != (ui->focus == id);
    m->types_second = ui->focus == id;
}

/* The places of the matrices: in one, two or three rows. */
typedef struct Plan {
    int across;
    float label_w, label_h, cell;
    Rect matrix[PAIR_COUNT];
} Plan;

static TokenLabel label_of(const ViewContext *c, const SentencePair *p, int place) {
    int token = p->at[PAIR_FIRST][place];
    return token >= 0 ? c->run->labels[token] : p->run.labels[p->at[PAIR_SECOND][place]];
}

static float widest_label(const ViewContext *c, const SentencePair *p) {
    float widest = 0;
    for (int i = 0; i < p->count; i++) {
        TokenLabel name = label_of(c, p, i);
        widest = fmaxf(widest,
                       label_width(c->ui, FONT_SANS_BOLD, WALL_LABEL_SIZE, name.bytes, name.size));
    }
    return fminf(widest, WALL_LABEL_MAX);
}

static float side_of(const Plan *plan, Rect area, int across) {
    int rows = (PAIR_COUNT + across - 1) / across;
    float width = (area.w - BETWEEN * (float)(across - 1)) / (float)across - plan->label_w;
    float height = area.h / (float)rows - TITLE_H - plan->label_h - SCALE_H;
    return fmaxf(fminf(width, height), 8);
}

static Plan plan_of(const ViewContext *c, const SentencePair *p, Rect area) {
    float widest = widest_label(c, p), scale = c->ui->list->scale;
    Plan plan = {.across = 1, .label_w = widest + 16, .label_h = widest * WALL_SLANT + 18};
    for (int i = 2; i <= PAIR_COUNT; i++)
        if (side_of(&plan, area, i) > side_of(&plan, area, plan.across))
            plan.across = i;
    float side = side_of(&plan, area, plan.across);
    plan.cell = side / (float)p->count;
    if (plan.cell * scale >= 1)
        plan.cell = floorf(plan.cell * scale) / scale;
    plan.cell = fminf(plan.cell, WALL_CELL_MAX);
    side = plan.cell * (float)p->count;
    float wide = plan.label_w + side + BETWEEN;
    float high = TITLE_H + plan.label_h + side + SCALE_H;
    for (int i = 0; i < PAIR_COUNT; i++)
        plan.matrix[i] =
            (Rect){draw_snap(c->ui->list, area.x + plan.label_w + wide * (float)(i % plan.across)),
                   draw_snap(c->ui->list,
                             area.y + TITLE_H + plan.label_h + high * (float)(i / plan.across)),
                   side, side};
    return plan;
}

/* Return the row and column that a token of the first sentence has in these matrices, or -1. */
static int place_of(const SentencePair *p, int token) {
    for (int i = 0; token >= 0 && i < p->count; i++)
        if (p->at[PAIR_FIRST][i] == token)
            return i;
    return -1;
}

static bool is_in_first(const SentencePair *p, AttnCell at) {
    return p->at[PAIR_FIRST][at.query] >= 0 && p->at[PAIR_FIRST][at.key] >= 0;
}

static AttnCell in_first(const ViewContext *c, const SentencePair *p, AttnCell at) {
    return (AttnCell){0, c->session->options.head - 1, p->at[PAIR_FIRST][at.query],
                      p->at[PAIR_FIRST][at.key]};
}

/* Return the row and the column to mark in all three matrices: those under the pointer or, if there
 * are none, those of the focused pair. ATTN_CELL_NONE if the first sentence lacks this pair. Also
 * handle a click, which pins a pair of the first sentence. */
static AttnCell lit_pair(const ViewContext *c, const SentencePair *p, const Plan *plan) {
    AttnCell focus = view_focus(c), lit = ATTN_CELL_NONE;
    int query = place_of(p, focus.query), key = place_of(p, focus.key);
    if (attn_cell_is_set(focus) && query >= 0 && key >= 0)
        lit = (AttnCell){0, 0, query, key};
    for (int i = 0; i < PAIR_COUNT; i++) {
        UiState state =
            ui_control(c->ui, ui_id("sentences", i), plan->matrix[i], UI_NO_FOCUS | UI_NO_HAND);
        AttnCell at = view_cell_under(c, plan->matrix[i], p->count, 0);
        if (!state.hovered || !attn_cell_is_set(at))
            continue;
        lit = at;
        view_light(c, is_in_first(p, at) ? in_first(c, p, at) : ATTN_CELL_NONE);
        if (state.clicked && is_in_first(p, at))
            view_toggle_pin(c, in_first(c, p, at));
    }
    return lit;
}

/* Draw the names of rows and columns. A name is faint if the sentence lacks the token; in the
 * difference, if one of the two sentences lacks it. */
static void names_draw(const ViewContext *c, const SentencePair *p, const Plan *plan, int which,
                       AttnCell lit) {
    size_t count = (size_t)p->count;
    Arena before = *c->scratch;
    TokenLabel *names = arena_push(c->scratch, count * sizeof *names);
    bool *lacks = arena_push(c->scratch, count * sizeof *lacks);
    for (int i = 0; i < p->count; i++) {
        names[i] = label_of(c, p, i);
        lacks[i] = (which != PAIR_SECOND && p->at[PAIR_FIRST][i] < 0) ||
                   (which != PAIR_FIRST && p->at[PAIR_SECOND][i] < 0);
    }
    SideLabels side = {.context = c,
                       .names = names,
                       .count = p->count,
                       .matrix = plan->matrix[which],
                       .cell = plan->cell,
                       .size = WALL_LABEL_SIZE,
                       .most = WALL_LABEL_MAX,
                       .gap = WALL_LABEL_GAP,
                       .pill = WALL_LABEL_PILL,
                       .lit = lit.query,
                       .bold = -1,
                       .faint = lacks};
    side_labels_draw(&side);
    side.angle_rad = WALL_LABEL_ANGLE;
    side.gap = WALL_LABEL_FOOT;
    side.lit = lit.key;
    side_labels_draw(&side);
    *c->scratch = before;
}

static void ring(const ViewContext *c, Rect at, float border) {
    draw_ring(c->ui->list, rect_inset(at, -1.5f, -1.5f), 2, border + 2, c->ui->theme->casing);
    draw_ring(c->ui->list, at, 2, border, c->ui->theme->ring);
}

static void matrix_draw(const ViewContext *c, const SentencePair *p, const Plan *plan, int which,
                        AttnCell lit) {
    Rect m = plan->matrix[which], title = m;
    bool is_signed = p->is_signed || which == PAIR_DIFFERENCE;
    const Mat *values = &p->values[which];
    title.y -= plan->label_h + TITLE_H;
    title.h = TITLE_H;
    text_in(c->ui, title, TEXT_STRONG, "%s", TITLES[which]);
    tooltip_over(c->ui, ui_id("sentences title", which), title, TITLES[which], HELP[which]);
    DrawCells cells = view_cells_of(c, m, values, p->hi[which], is_signed);
    cells.gap = plan->cell >= 12 ? 1 / c->ui->list->scale : 0;
    draw_cells(c->ui->list, &cells);
    names_draw(c, p, plan, which, lit);
    float marked = NAN;
    if (attn_cell_is_set(lit)) {
        Rect cell = {m.x + (float)lit.key * plan->cell, m.y + (float)lit.query * plan->cell,
                     plan->cell, plan->cell};
        ring(c, (Rect){m.x, cell.y, m.w, cell.h}, 1);
        ring(c, (Rect){cell.x, m.y, cell.w, m.h}, 1);
        ring(c, cell, 2.5f);
        marked = mat_row(values, lit.query)[lit.key];
    }
    ScaleBar bar = view_scale_of(c, p->hi[which], is_signed);
    bar.marked = marked == DRAW_CELL_MASKED ? NAN : marked;
    scale_bar(c->ui, (Rect){m.x, rect_bottom(m) + 14, fminf(m.w, SCALE_W), SCALE_H - 14}, &bar);
    Rect all = {m.x - plan->label_w, title.y, m.w + plan->label_w, rect_bottom(m) - title.y};
    /* a row of the difference may stand for two words, so it has a number instead of a name */
    bool has_tokens = which != PAIR_DIFFERENCE;
    const int *at = has_tokens ? p->at[which] : NULL;
    draw_part(c->ui->list,
              &(DrawPart){.rect = all,
                          .cells = m,
                          .rows = p->count,
                          .cols = p->count,
                          .numbers = {PARTS[which], values->at, values->rows, values->cols,
                                      values->stride, has_tokens, has_tokens, at, at}},
              "%s", PARTS[which]);
}

static void pair_line(const ViewContext *c, const SentencePair *p, Rect line, AttnCell lit) {
    char number[PAIR_COUNT][32];
    if (!attn_cell_is_set(lit)) {
        text_in(c->ui, line, TEXT_NOTE, "Hover a cell to compare a pair of tokens.");
        return;
    }
    bool has[PAIR_COUNT];
    for (int i = 0; i < PAIR_COUNT; i++) {
        float value = mat_row(&p->values[i], lit.query)[lit.key];
        has[i] = value != DRAW_CELL_MASKED;
        number_format_fixed(number[i], sizeof number[i], has[i] ? (double)value : 0, 3);
    }
    TokenLabel query = label_of(c, p, lit.query), key = label_of(c, p, lit.key);
    const char *said = has[PAIR_DIFFERENCE] ? PRINT("first %s, second %s, difference %s", number[0],
                                                    number[1], number[2])
                       : has[PAIR_FIRST]    ? PRINT("%s in the first sentence only", number[0])
                       : has[PAIR_SECOND]   ? PRINT("%s in the second sentence only", number[1])
                                            : "in neither sentence";
    text_in(c->ui, line, TEXT_CAPTION | TEXT_PLAIN, "%.*s → %.*s: %s",
            (int)utf8_floor(query.bytes, query.size, 40), query.bytes,
            (int)utf8_floor(key.bytes, key.size, 40), key.bytes, said);
}

void sentences_draw(const ViewContext *c, Rect area) {
    field_draw(c, rect_cut_top(&area, FIELD_H));
    rect_cut_top(&area, AWAY);
    const SentencePair *p = heatmap_pair(c);
    if (p->count == 0) {
        text_wrap(c->ui, &area, TEXT_BODY, p->why);
        if (p->why[0] != '\0') /* otherwise the field of the second sentence is empty */
            ui_fail(c->ui, "Heads", p->why);
        return;
    }
    Rect foot = rect_cut_bottom(&area, FOOT_H);
    Plan plan = plan_of(c, p, area);
    AttnCell lit = lit_pair(c, p, &plan);
    for (int i = 0; i < PAIR_COUNT; i++)
        matrix_draw(c, p, &plan, i, lit);
    foot.y = fminf(foot.y, rect_bottom(plan.matrix[PAIR_DIFFERENCE]) + SCALE_H);
    pair_line(c, p, rect_cut_top(&foot, 28), lit);
    foot = rect_cut_bottom(&foot, FIELD_H);
    heads_show_control(c, &foot);
}
