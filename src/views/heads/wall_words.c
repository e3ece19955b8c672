/* The words of a wall: the title above each matrix, and the statistics below it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/heads/heads_parts.h"

#define SMALL       15
#define LINE        18 /* px from one line of statistics to the next */
#define FRAME_CLEAR 4  /* px between a title and the frame around its matrix */

/* Layouts of the numbers below a matrix: the first that fits is used, otherwise the last. Every
 * head has room for the widest numbers that are usual, so that all heads have the same layout. */
static const struct {
    int lines;
    float gap;
    const char *largest, *rank;
} FORMS[] = {{1, 16, "largest", "eff. rank"},
             {1, 10, "max", "eff. rank"},
             {2, 16, "largest", "eff. rank"},
             {2, 10, "max", "eff. rank"},
             {2, 10, "max", "rank"}};

static float note_width(const ViewContext *c, const char *words) {
    return label_width(c->ui, FONT_SANS, SMALL, words, strlen(words));
}

static float pattern_width(const ViewContext *c) {
    return note_width(c, "previous 0.44");
}

static float largest_width(const ViewContext *c, int form) {
    return note_width(c, PRINT("%s 0.44", FORMS[form].largest));
}

static float rank_width(const ViewContext *c, int form) {
    return note_width(c, PRINT("%s 44.4", FORMS[form].rank));
}

static int foot_form(const ViewContext *c, float side) {
    int form = 0, last = (int)ARRAY_COUNT(FORMS) - 1;
    for (; form < last; form++) {
        float gap = FORMS[form].gap, pattern = pattern_width(c);
        float second = largest_width(c, form) + gap + rank_width(c, form);
        if ((FORMS[form].lines == 1 ? pattern + gap + second : fmaxf(pattern, second)) <= side)
            break;
    }
    return form;
}

int wall_foot_lines(const ViewContext *c, float side) {
    return FORMS[foot_form(c, side)].lines;
}

static const HeadStats *stats_of(const Wall *w, int head) {
    return &w->context->run->layers[w->layer].figures.stats[head];
}

static int index_of(const Wall *w, int head) {
    return w->layer * w->context->session->options.heads + head;
}

float wall_gain(const Wall *w, int head) {
    return w->layer == 0 ? hand_head_gain(results_trace(w->context->run, 0)->hand, head) : 1;
}

static void figures_tip(const Wall *w, UiId owner, Rect place, int head) {
    const HeadStats *stats = stats_of(w, head);
    const HeadPattern *role = &w->shown->roles[index_of(w, head)];
    double rank = w->shown->rank[index_of(w, head)];
    char text[600];
    size_t used;
    if (!head_pattern_can_tell(role)) {
        used = (size_t)snprintf(text, sizeof text,
                                "With so few open keys, chance alone could give any pattern, so "
                                "the head gets no label.");
    } else if (role->kind == PATTERN_MIXED) {
        used = (size_t)snprintf(
            text, sizeof text,
            "No clear pattern: none of the measures (previous token, self, first token, "
            "induction, spread, content) is clearly above chance. The inspector has the numbers.");
    } else {
        const Entry *entry = registry_entry(&HEAD_PATTERNS, role->kind);
        used = (size_t)snprintf(
            text, sizeof text,
            "Mostly %s. %s The value is %s; chance rarely gives more than %s (mean + 2σ).",
            entry->label, entry->help, FIXED(role->of[role->kind].value, 3),
            FIXED(role->of[role->kind].chance, 3));
    }
    used += (size_t)snprintf(
        text + used, sizeof text - used, " Entropy %s (uniform weights: %s). Largest weight %s.",
        FIXED(stats->entropy, 2), FIXED(stats->entropy_uniform, 2), FIXED(stats->largest, 3));
    if (!isnan(rank))
        snprintf(text + used, sizeof text - used, " Effective rank of A %s.", FIXED(rank, 1));
    tooltip_over(w->context->ui, owner, place, PRINT("Head %d", head + 1), text);
}

/* How all titles are written. If there is too little room, the entropy becomes smaller, then
 * "Head 4" becomes "4", then the entropy is left out (size 0). */
typedef struct TitleForm {
    float dot, name_size, size;
    bool brief;
} TitleForm;

static TitleForm title_form(const Wall *w) {
    const ViewContext *c = w->context;
    bool is_low = w->layout->title_h < WALL_TITLE_H;
    TitleForm form = {.dot = is_low ? 8 : 10, .name_size = is_low ? SMALL : 18};
    const char *number = c->session->options.heads > 9 ? "44" : "4";
    const unsigned style = TEXT_STRONG | TEXT_PX(form.name_size);
    float room = w->layout->side - form.dot - 12;
    float names[] = {text_width(c->ui, style, "Head %s", number),
                     text_width(c->ui, style, "%s", number)};
    for (int i = 0; i < 4; i++) {
        form.brief = i >= 2;
        form.size = i % 2 == 0 ? form.name_size : SMALL;
        float entropy = text_width(c->ui, TEXT_BODY | TEXT_PX(form.size), "entropy 4.44");
        if (names[form.brief] + 8 + entropy <= room)
            return form;
    }
    form.size = 0;
    form.brief = names[0] > room;
    return form;
}

/* Handle the pointer on a title: a click chooses the head; a double click shows this head alone, or
 * all heads again. */
static void title_pointer(const Wall *w, Rect title, int tile, int head) {
    const ViewContext *c = w->context;
    UiId id = ui_id("head title", w->layer * TILES_MAX + tile);
    UiState state = ui_control(c->ui, id, title, 0);
    bool is_twice = state.pressed && state.clicks == 2;
    ui_focus_ring(c->ui, id, title, 6);
    if (head < 0)
        return;
    if (state.clicked || is_twice)
        edit_push_state(c->edits, "head", "%d", head + 1);
    if (is_twice)
        view_set(c, "wall", c->settings->wall == WALL_ALL ? "one" : "all", 0);
    figures_tip(w, id, title, head);
}

void wall_title(const Wall *w, int tile) {
    static const char *const summaries[] = {"", "Mean of heads\nMean", "Rollout", "Mask"};
    const ViewContext *c = w->context;
    const WallLayout *l = w->layout;
    int head = w->shown->layer[w->layer].tile[tile].id;
    Rect m = wall_matrix(l, tile), title = {m.x, m.y - l->title_h, m.w, l->title_h};
    title.y -= tile - l->first_tile < l->columns ? l->label_h : 0;
    title.h -= l->crowded ? FRAME_CLEAR : 0;
    TitleForm form = title_form(w);
    const unsigned style = TEXT_STRONG | TEXT_PX(form.name_size);
    title_pointer(w, title, tile, head);
    if (head < 0) {
        rect_cut_left(&title, 2);
        text_in(c->ui, title, style, "%s", summaries[-head]);
        return;
    }
    Rect rest = title;
    const char *name = PRINT("%s%d", form.brief ? "" : "Head ", head + 1);
    if (form.dot + 12 + text_width(c->ui, style, "%s", name) <= title.w) {
        draw_fill(c->ui->list,
                  (Rect){title.x + 2, title.y + (title.h - form.dot) / 2, form.dot, form.dot},
                  form.dot / 2, view_head_colour(c, head));
        rect_cut_left(&rest, form.dot + 12);
    }
    rect_cut_left(&rest, text_in(c->ui, rest, style, "%s", name) + 8);
    bool is_alone = l->tiles == 1 && c->session->options.heads > 1;
    if (form.size == 0 || is_alone)
        return;
    float gain = wall_gain(w, head);
    text_in(c->ui, rest, TEXT_BODY | TEXT_FAINT | TEXT_RIGHT | TEXT_PX(form.size), "%s",
            gain == 0   ? "zeroed"
            : gain != 1 ? PRINT("output × %s", SHORT((double)gain))
                        : PRINT("entropy %s", FIXED(stats_of(w, head)->entropy, 2)));
}

static void summary_foot(const Wall *w, Rect line, int id) {
    int layers = w->shown->rolled[w->layer];
    text_in(w->context->ui, line, TEXT_NOTE | TEXT_FAINT, "%s",
            id == TILE_MASK      ? "click or drag to edit\nclick or drag"
            : id == TILE_ROLLOUT ? PRINT("½ A + ½ I, %d layer%s", layers, layers == 1 ? "" : "s")
                                 : "over all heads");
}

/* Return a head's pattern with its value and, after '\n', a shorter form without the value; or the
 * reason why the head has no pattern. */
static const char *pattern_words(char out[PRINT_MAX], const Wall *w, int head) {
    const HeadPattern *pattern = &w->shown->roles[index_of(w, head)];
    if (pattern->kind == PATTERN_MIXED)
        return stats_of(w, head)->largest == 0  ? "no open key"
               : head_pattern_can_tell(pattern) ? "unclear"
                                                : "too few keys";
    const char *name = registry_entry(&HEAD_PATTERNS, pattern->kind)->id;
    return utf8_print(out, PRINT_MAX, "%s %s\n%s", name, FIXED(pattern->of[pattern->kind].value, 2),
                      name);
}

void wall_foot(const Wall *w, int tile) {
    const ViewContext *c = w->context;
    const WallLayout *l = w->layout;
    int head = w->shown->layer[w->layer].tile[tile].id, form = foot_form(c, l->side);
    Rect m = wall_matrix(l, tile), line = {m.x, rect_bottom(m) + 5, m.w, 20}, foot = line;
    if (head < 0) {
        summary_foot(w, line, head);
        return;
    }
    double rank = w->shown->rank[index_of(w, head)];
    float gap = FORMS[form].gap;
    const unsigned style = TEXT_NOTE | TEXT_FAINT;
    foot.h += (float)(l->foot_lines - 1) * LINE;
    figures_tip(w, ui_id("head foot", w->layer * TILES_MAX + tile), foot, head);
    if (w->shown->rank_err.kind != ERR_NONE)
        ui_fail(c->ui, w->shown->rank_err.what, w->shown->rank_err.why);
    text_in(c->ui, line, TEXT_NOTE | TEXT_DIM | TEXT_PLAIN, "%s",
            pattern_words((char[PRINT_MAX]){0}, w, head));
    if (FORMS[form].lines == 1)
        rect_cut_left(&line, pattern_width(c) + gap);
    else if (l->foot_lines > 1)
        line.y += LINE;
    else
        return;
    text_in(c->ui, line, style, "%s %s", FORMS[form].largest, FIXED(stats_of(w, head)->largest, 2));
    rect_cut_left(&line, largest_width(c, form) + gap);
    if (!isnan(rank) && rank_width(c, form) <= line.w)
        text_in(c->ui, line, style, "%s %s", FORMS[form].rank, FIXED(rank, 1));
}
