#include "views/view.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/bidi.h"
#include "ui/text.h"
#include "ui/tooltip.h"

/* Invisible characters around a word that reads from right to left, so that “a → b” is not
 * displayed as “b → a”. Source: Unicode Standard Annex 9, section 2.4. */
#define ISOLATE     "\u2068"
#define ISOLATE_END "\u2069"

#define JOB_FRAMES_S (1.0 / 60) /* seconds between two frames while a job runs */

#define PILL_H 34
/* Seconds that each step stays on screen while a view plays, including its animation. */
#define STEP_REST_S 2.4
/* Weights count as uniform if their entropy is at least this share of the largest possible
 * entropy. */
#define UNIFORM 0.999999
/* Bytes of a frame's scratch memory in addition to matrices. The limits on tokens, widths and edges
 * keep them below 6 MB. */
#define SCRATCH_SPARE (8u << 20)
/* Number of (T, T) matrices that a frame may need in addition to one for each head: for the graph,
 * the legend, the inspector and a pin. */
#define SCRATCH_MATRICES 8

uint64_t view_scratch_bytes(const View *view, const Results *run) {
    if (!run->valid || run->T == 0)
        return SCRATCH_SPARE;
    uint64_t own = view->scratch_bytes != NULL ? view->scratch_bytes(run) : 0;
    size_t matrices =
        (size_t)run->layers[0].shape[0].H * (size_t)run->layer_count + SCRATCH_MATRICES;
    return SCRATCH_SPARE + matrices * (mat_bytes(run->T, run->T) + ARENA_ALIGN) + own;
}

static const OptionRow *option_of(const char *key) {
    const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
    if (row == NULL)
        row = option_find(&PICTURE_OPTIONS, key, strlen(key));
    assert(row != NULL);
    return row;
}

void view_set(const ViewContext *context, const char *key, const char *value, uint64_t serial) {
    edit_push(context->edits, option_of(key), value, serial);
}

void view_set_row(const ViewContext *context, const char *key, int row) {
    view_set(context, key, registry_entry(option_of(key)->choices, row)->id, 0);
}

void view_set_number(const ViewContext *context, const char *key, double number, uint64_t serial) {
    view_set(context, key, EXACT((float)number), serial);
}

void view_take_number(const ViewContext *context, const char *key, const NumberChange *change,
                      double stepped) {
    const OptionRow *row = option_find(&PICTURE_OPTIONS, key, strlen(key));
    switch (change->kind) {
    case NUMBER_NONE:
        break;
    case NUMBER_STEP:
        view_set_number(context, key, fmin(fmax(stepped, row->least), row->most), change->serial);
        break;
    case NUMBER_TYPED:
        view_set(context, key, change->text, change->serial);
        break;
    case NUMBER_DEFAULT:
        view_set(context, key, row->standard, 0);
        break;
    case NUMBER_LEAST:
        view_set_number(context, key, row->least, 0);
        break;
    case NUMBER_MOST:
        view_set_number(context, key, row->most, 0);
        break;
    }
}

AttnCell view_pin(const ViewContext *context) {
    OptionPair pin = context->session->options.pin;
    if (pin.first < 1 || pin.first > context->run->T || pin.second > context->run->T)
        return ATTN_CELL_NONE;
    return (AttnCell){0, context->session->options.head - 1, pin.first - 1, pin.second - 1};
}

bool view_is_uniform(const ViewContext *context, int layer, int head) {
    const HeadStats *stats = &context->run->layers[layer].figures.stats[head];
    return stats->entropy_uniform > 0 && stats->entropy >= stats->entropy_uniform * UNIFORM;
}

AttnCell view_rest(const ViewContext *context) {
    AttnCell pin = view_pin(context);
    bool has_focus = VIEWS[context->settings->view].has_focus && view_selected_tokens(context) == 0;
    if (attn_cell_is_set(pin) || !has_focus || context->settings->focus != FOCUS_STRONGEST)
        return pin;
    int head = context->session->options.head - 1;
    const HeadStats *stats = &context->run->layers[0].figures.stats[head];
    return stats->strongest_query == 0 || view_is_uniform(context, 0, head)
               ? ATTN_CELL_NONE
               : (AttnCell){0, head, stats->strongest_query - 1, stats->strongest_key - 1};
}

AttnCell view_focus(const ViewContext *context) {
    AttnCell lit = context->hover->lit;
    bool inside = lit.query < context->run->T && lit.key < context->run->T &&
                  lit.head < context->session->options.heads &&
                  lit.layer < context->run->layer_count;
    return attn_cell_is_set(lit) && inside ? lit : view_rest(context);
}

AttnCell view_cell_under(const ViewContext *c, Rect cells, int T, int head) {
    int query = (int)floorf((c->ui->pointer.y - cells.y) / cells.h * (float)T);
    int key = (int)floorf((c->ui->pointer.x - cells.x) / cells.w * (float)T);
    bool is_inside = query >= 0 && key >= 0 && query < T && key < T;
    return is_inside ? (AttnCell){0, head, query, key} : ATTN_CELL_NONE;
}

void view_ring_focus(const ViewContext *c, Rect cells, int T) {
    AttnCell focus = view_focus(c);
    if (!attn_cell_is_set(focus))
        return;
    float cell = cells.w / (float)T, half = fmaxf(cell, 6) / 2 + 1;
    Vec2 middle = {cells.x + ((float)focus.key + 0.5f) * cell,
                   cells.y + ((float)focus.query + 0.5f) * cell};
    Rect ring = {middle.x - half, middle.y - half, 2 * half, 2 * half};
    draw_ring(c->ui->list, rect_inset(ring, -1.5f, -1.5f), 4, 4.6f, c->ui->theme->casing);
    draw_ring(c->ui->list, ring, 3, 1.6f, c->ui->theme->ring);
}

void view_toggle_pin(const ViewContext *context, AttnCell cell) {
    AttnCell pin = view_pin(context);
    if (pin.query == cell.query && pin.key == cell.key && pin.head == cell.head) {
        edit_push_state(context->edits, "pin", "none");
        return;
    }
    edit_push_state(context->edits, "head", "%d", cell.head + 1);
    edit_push_state(context->edits, "pin", "%d,%d", cell.query + 1, cell.key + 1);
}

const float *view_row_before(const ViewContext *c, int head, int query) {
    const Results *before = c->before;
    bool is_known = c->memory->editor.is_open && before != NULL && before->valid &&
                    before->T == c->run->T && head < before->layers[0].shape[before->form].H;
    if (!is_known)
        return NULL;
    Mat A = results_weights(before, 0, head);
    return mat_row(&A, query);
}

int view_lit_token(const ViewContext *context) {
    AttnCell lit = context->hover->lit;
    return lit.query >= 0 && lit.key < 0 && lit.query < context->run->T ? lit.query : -1;
}

static int heaviest(const ViewContext *context, int token, bool in_column) {
    Mat weights = view_weights(context, 0, context->session->options.head - 1);
    int best = 0;
    float most = -1;
    for (int i = 0; i < context->run->T; i++) {
        float weight = in_column ? mat_row(&weights, i)[token] : mat_row(&weights, token)[i];
        if (weight > most) {
            most = weight;
            best = i;
        }
    }
    return best;
}

void view_pin_token(const ViewContext *context, int token, bool as_key) {
    AttnCell pin = view_pin(context);
    int other = as_key ? pin.query : pin.key;
    if (other < 0)
        other = heaviest(context, token, as_key);
    edit_push_state(context->edits, "pin", "%d,%d", (as_key ? other : token) + 1,
                    (as_key ? token : other) + 1);
}

#define NAMES_MEASURED 512

ViewName view_name(const ViewContext *context, const LabelStyle *style, TokenLabel name,
                   float most) {
    ViewName cut;
    char room[LABEL_CUT_MAX];
    const char *text = label_fit(context->ui, room, style, name.bytes, &name.size, most);
    snprintf(cut.text, sizeof cut.text, "%.*s", (int)name.size, text);
    cut.width = label_width(context->ui, style->font, style->size, text, name.size);
    return cut;
}

float view_names_width(const ViewContext *context, Font font, float size, float most) {
    const TokenLabel *names = context->run->labels;
    float widest = 0;
    for (int i = 0; i < context->run->T && i < NAMES_MEASURED && widest < most; i++)
        widest = fmaxf(widest, label_width(context->ui, font, size, names[i].bytes, names[i].size));
    return fminf(widest, most);
}

#define NAME_FRAME (sizeof "…" + sizeof ISOLATE + sizeof ISOLATE_END)

static size_t name_write(char *out, size_t capacity, const ViewContext *context, int i,
                         size_t most) {
    TokenLabel name = context->run->labels[i];
    size_t kept = name.size > most ? utf8_floor(name.bytes, name.size, most) : name.size;
    bool turns = bidi_is_needed(name.bytes, kept);
    assert(kept + NAME_FRAME <= capacity);
    return (size_t)snprintf(out, capacity, "%s%.*s%s%s", turns ? ISOLATE : "", (int)kept,
                            name.bytes, kept < name.size ? "…" : "", turns ? ISOLATE_END : "");
}

const char *view_token_name(char out[VIEW_NAME_MAX], const ViewContext *context, int i,
                            size_t most) {
    assert(most + NAME_FRAME <= VIEW_NAME_MAX);
    name_write(out, VIEW_NAME_MAX, context, i, most);
    return out;
}

const char *view_pair_name(char out[VIEW_PAIR_MAX], const ViewContext *context, int query, int key,
                           size_t most) {
    size_t used = name_write(out, VIEW_PAIR_MAX, context, query, most);
    used += (size_t)snprintf(out + used, VIEW_PAIR_MAX - used, " → ");
    name_write(out + used, VIEW_PAIR_MAX - used, context, key, most);
    return out;
}

const char *view_pair_numbered(char out[VIEW_PAIR_MAX], const ViewContext *context, int query,
                               int key, size_t most) {
    size_t used = (size_t)snprintf(out, VIEW_PAIR_MAX, "%d ", query + 1);
    used += name_write(out + used, VIEW_PAIR_MAX - used, context, query, most);
    used += (size_t)snprintf(out + used, VIEW_PAIR_MAX - used, " → %d ", key + 1);
    name_write(out + used, VIEW_PAIR_MAX - used, context, key, most);
    return out;
}

void view_token_tip(const ViewContext *context, UiId owner, Rect place, bool hovered,
                    const LabelStyle *style, float room, int token) {
    TokenLabel name = context->run->labels[token];
    tooltip_cut(context->ui, owner, place, hovered, style, room, name.bytes, name.size);
}

void view_light(const ViewContext *context, AttnCell cell) {
    context->hover->next = cell;
    context->hover->next_is_row = false;
}

void view_light_row(const ViewContext *context, AttnCell cell) {
    context->hover->next = cell;
    context->hover->next_is_row = true;
}

Mat view_weights(const ViewContext *context, int layer, int head) {
    const Results *run = context->run;
    Mat weights = results_weights(run, layer, head);
    if (context->session->options.mask.row == MASK_NONE && run->edges_edited == 0)
        return weights;
    Mat shown = mat_push(context->scratch, run->T, run->T);
    for (int i = 0; i < run->T; i++) {
        const uint8_t *open = mask_row(&run->mask, i);
        const float *from = mat_row(&weights, i);
        float *to = mat_row(&shown, i);
        for (int j = 0; j < run->T; j++)
            to[j] = open[j] ? from[j] : DRAW_CELL_MASKED;
    }
    return shown;
}

/* True if a cell is at most one pixel. Such cells change without a fade, which would be invisible
 * and slow. */
static bool is_fine(const ViewContext *context, const DrawCells *cells) {
    float scale = context->ui->list->scale;
    return cells->rect.w * scale <= (float)cells->cols &&
           cells->rect.h * scale <= (float)cells->rows;
}

int view_palette(const ViewContext *context, bool is_signed) {
    return is_signed ? context->ui->theme->signed_palette : context->settings->palette;
}

DrawCells view_cells_of(const ViewContext *context, Rect rect, const Mat *m, float hi,
                        bool is_signed) {
    const Theme *theme = context->ui->theme;
    return (DrawCells){.rect = rect,
                       .rows = m->rows,
                       .cols = m->cols,
                       .stride = m->stride,
                       .values = m->at,
                       .lo = is_signed ? -hi : 0,
                       .hi = hi,
                       .palette = view_palette(context, is_signed),
                       .ground = theme->canvas,
                       .masked = theme->masked,
                       .masked_stroke = theme->control,
                       .wrong = theme->warn};
}

void view_cells(const ViewContext *context, UiId id, const DrawCells *cells) {
    ViewMemory *memory = context->memory;
    uint64_t seed = context->session->options.seed, frame = context->ui->frame;
    if (memory->cells_seed != seed) {
        memory->cells_seed = seed;
        memory->reroll_frame = frame;
    }
    bool is_still = context->ui->active != 0 || is_fine(context, cells);
    bool is_reroll = memory->reroll_frame == frame;
    ui_cells(context->ui, &memory->cells, id, cells,
             is_still    ? MOTION_NONE
             : is_reroll ? MOTION_REROLL
                         : MOTION_VALUE);
}

void view_job_start(const ViewContext *context, Job *job) {
    job_start(context->pool, job);
    job_wait_within(context->pool, job, context->wait_ms, context->now_s);
}

bool view_job_is_working(const ViewContext *context, Job *job) {
    bool is_working = job_is_working(context->pool, job);
    if (is_working)
        ui_wake(context->ui, context->ui->time_s + JOB_FRAMES_S);
    return is_working;
}

void view_player_set(const ViewContext *c, Player *player, bool plays) {
    *player = (Player){plays, c->ui->frame, c->ui->time_s + STEP_REST_S, ++c->ui->drag_serial};
    c->ui->again = true;
}

bool view_player_is_due(const ViewContext *c, Player *p, bool is_at_end) {
    p->plays = p->plays && p->seen_frame + 1 >= c->ui->frame && !is_at_end;
    p->seen_frame = c->ui->frame;
    if (!p->plays)
        return false;
    bool is_due = c->ui->time_s >= p->next_s && c->ui->first_pass;
    if (is_due)
        p->next_s = c->ui->time_s + STEP_REST_S;
    ui_wake(c->ui, p->next_s);
    return is_due;
}

int view_player_step(TransportButton button, int step, int least, int last) {
    step = button == TRANSPORT_FIRST     ? 1
           : button == TRANSPORT_LAST    ? last
           : button == TRANSPORT_BACK    ? step - 1
           : button == TRANSPORT_FORWARD ? step + 1
                                         : step;
    return step < least ? least : step > last ? last : step;
}

int view_selected_tokens(const ViewContext *c) {
    int count = 0;
    for (int i = 0; i < c->run->T; i++)
        count += c->memory->heads.selected[i];
    return count;
}

int view_heads_sharing(const ViewContext *c) {
    const AttnShape *shape = &c->run->layers[0].shape[c->run->form];
    return shape->traits.key_heads > 0 ? shape->H / shape->traits.key_heads : 1;
}

Colour view_head_colour(const ViewContext *context, int head) {
    return context->ui->theme->heads[head % THEME_HEADS];
}

const char *view_value_text(char text[NUMBER_TEXT], float value, bool exact) {
    return exact && isfinite(value) ? number_format_digits(text, NUMBER_TEXT, value)
                                    : number_format_fixed(text, NUMBER_TEXT, (double)value, 2);
}

Vec2 view_pill_size(const ViewContext *context, const char *text) {
    return (Vec2){text_width(context->ui, TEXT_NUMBER, "%s", text) + 20, PILL_H};
}

void view_pill(const ViewContext *context, Vec2 middle, Rect bounds, const char *text) {
    Ui *ui = context->ui;
    Vec2 size = view_pill_size(context, text);
    Rect pill = {middle.x - size.x / 2, middle.y - size.y / 2, size.x, size.y};
    pill = rect_within(pill, bounds);
    draw_fill(ui->list, rect_inset(pill, -2, -2), 8, ui->theme->casing);
    draw_fill(ui->list, pill, 6, ui->theme->fill);
    text_in(ui, pill, TEXT_NUMBER | TEXT_ON_FILL | TEXT_CENTRE, "%s", text);
}

void view_value_pill(const ViewContext *context, Vec2 middle, Rect bounds, float value,
                     bool exact) {
    view_pill(context, middle, bounds, VALUE_TEXT(value, exact));
}

ScaleBar view_scale_of(const ViewContext *context, float hi, bool is_signed) {
    return (ScaleBar){.palette = view_palette(context, is_signed),
                      .lo = is_signed ? -hi : 0,
                      .hi = hi,
                      .name = "",
                      .marked = NAN};
}

void view_fail(const ViewContext *context, Rect area, const char *what, const char *why) {
    text_wrap(context->ui, &area, TEXT_BODY | TEXT_PLAIN | TEXT_PX(20), why);
    ui_fail(context->ui, what, why);
}

float view_scale_end(float most) {
    float top = ceilf(most * 20 - 1e-4f) / 20;
    return top > 0 ? fminf(top, 1) : 1;
}

float view_even_share(const ViewContext *context) {
    const Results *run = context->run;
    bool has_mask = context->session->options.mask.row != MASK_NONE || run->edges_edited > 0;
    return run->T > 1 && !has_mask ? 1 / (float)run->T : 0;
}

float view_scale_top(const ViewContext *context) {
    bool is_locked = context->settings->maps.range == RANGE_UNIT;
    return is_locked ? 1 : view_scale_end(run_largest_A(context->run));
}
