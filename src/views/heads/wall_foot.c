#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "ui/label.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/heads/wall_parts.h"

#define SMALL 15
#define LINE  18 /* px from one line to the next */
#define PARTS 4

/* The figures below a head's matrix. If there are two lines, the second begins with SECOND. */
enum { PART_ROLE, PART_ENTROPY, PART_LARGEST, PART_RANK };
#define SECOND PART_LARGEST

/* Layout of the figures, the same for all heads. */
typedef struct FootStyle {
    int lines;     /* number of lines: 1 or 2, or 3 if the last figures do not fit in two */
    int brief;     /* 1: "max" for "largest"; 2: also "rank" for "eff. rank", not in one line */
    bool in_title; /* true if the entropy is in the title */
} FootStyle;

/* Return the width that each head keeps for a part: that of its widest usual text, so that all
 * heads have the same layout. */
static float part_width(const ViewContext *c, int part, int brief) {
    static const char *const widest[][PARTS] = {
        {"previous 0.44", "entropy 4.44", "largest 0.44", "eff. rank 44.4"},
        {"previous 0.44", "entropy 4.44", "max 0.44", "eff. rank 44.4"},
        {"previous 0.44", "entropy 4.44", "max 0.44", "rank 44.4"}};
    const char *words = widest[brief][part];
    return label_width(c->ui, FONT_SANS, SMALL, words, strlen(words));
}

static float part_gap(int brief) {
    return brief > 0 ? 10 : 16;
}

static float parts_width(const ViewContext *c, const FootStyle *style, int first, int last) {
    float gap = part_gap(style->brief), width = -gap;
    for (int part = first; part <= last; part++)
        if (part != PART_ENTROPY || !style->in_title)
            width += part_width(c, part, style->brief) + gap;
    return width;
}

/* Return the layout of the figures: a single line with full words if that fits, otherwise shorter
 * words or more lines. */
static FootStyle foot_style(const ViewContext *c, float side, float title_h) {
    FootStyle style = {.in_title = wall_title_style(c, side, title_h).size > 0};
    for (int lines = 1; lines <= 2; lines++)
        for (style.brief = 0; style.brief <= lines; style.brief++) {
            style.lines = lines;
            int cut = lines == 1 ? PART_RANK : SECOND - 1;
            if (parts_width(c, &style, 0, cut) <= side &&
                parts_width(c, &style, cut + 1, PART_RANK) <= side)
                return style;
        }
    style.lines = 3;
    style.brief = 2;
    return style;
}

int wall_foot_lines(const ViewContext *c, float side, float title_h) {
    return foot_style(c, side, title_h).lines;
}

static const HeadPattern *head_role(const Wall *w, int head) {
    return &w->shown->roles[w->layer * w->context->session->options.heads + head];
}

/* Write a head's pattern and its strength. */
static void role_text(const Wall *w, char *out, size_t capacity, int head) {
    const HeadPattern *role = head_role(w, head);
    if (role->kind == PATTERN_MIXED) {
        bool closed = wall_stats(w, head)->largest == 0;
        snprintf(out, capacity, "%s",
                 closed                        ? "no open key"
                 : head_pattern_can_tell(role) ? "unclear"
                                               : "too few keys");
        return;
    }
    snprintf(out, capacity, "%s %s", registry_entry(&HEAD_PATTERNS, role->kind)->id,
             FIXED(role->of[role->kind].value, 2));
}

/* Write one figure of a head, or "" if the figure is unknown. */
static void part_text(const Wall *w, char *out, size_t capacity, int head, int part, int brief) {
    double rank = w->shown->rank[w->layer * w->context->session->options.heads + head];
    const HeadStats *stats = wall_stats(w, head);
    if (part == PART_RANK && w->shown->rank_err.kind != ERR_NONE)
        ui_fail(w->context->ui, w->shown->rank_err.what, w->shown->rank_err.why);
    const struct {
        const char *name[3];
        double value;
        int decimals;
    } figures[PARTS] = {[PART_ENTROPY] = {{"entropy", "entropy", "entropy"}, stats->entropy, 2},
                        [PART_LARGEST] = {{"largest", "max", "max"}, stats->largest, 2},
                        [PART_RANK] = {{"eff. rank", "eff. rank", "rank"}, rank, 1}};
    out[0] = '\0';
    if (part == PART_ROLE) {
        role_text(w, out, capacity, head);
    } else if (!isnan(figures[part].value)) {
        snprintf(out, capacity, "%s %s", figures[part].name[brief],
                 FIXED(figures[part].value, figures[part].decimals));
    }
}

/* Explain the name of a head's pattern, and write the value that chance seldom exceeds. */
static void role_sentence(char *out, size_t capacity, const HeadPattern *role) {
    char chance[32];
    if (!head_pattern_can_tell(role)) {
        snprintf(out, capacity,
                 "With so few open keys, chance alone could give any pattern, so the head gets no "
                 "label.");
    } else if (role->kind == PATTERN_MIXED) {
        snprintf(out, capacity,
                 "No clear pattern: none of the measures (previous token, self, first token, "
                 "induction, spread, content) is clearly above chance. Numbers at the right.");
    } else {
        const Entry *entry = registry_entry(&HEAD_PATTERNS, role->kind);
        number_format_fixed(chance, sizeof chance, role->of[role->kind].chance, 3);
        snprintf(out, capacity,
                 "Mostly %s. %s The value is %s; chance rarely gives more than %s (its mean + 2σ).",
                 entry->label, entry->help, FIXED(role->of[role->kind].value, 3), chance);
    }
}

void wall_figures_tip(const Wall *w, UiId owner, Rect place, bool hovered, int head) {
    const HeadStats *stats = wall_stats(w, head);
    double rank = w->shown->rank[w->layer * w->context->session->options.heads + head];
    char text[600];
    const char *uniform = FIXED(stats->entropy_uniform, 2);
    const char *title = PRINT("Head %d", head + 1);
    role_sentence(text, sizeof text, head_role(w, head));
    size_t used = strlen(text);
    used += (size_t)snprintf(text + used, sizeof text - used,
                             " Entropy %s, where uniform weights have %s. Largest weight %s.",
                             FIXED(stats->entropy, 2), uniform, FIXED(stats->largest, 3));
    if (!isnan(rank))
        snprintf(text + used, sizeof text - used, " Effective rank of A %s.", FIXED(rank, 1));
    tooltip_on(w->context->ui, owner, place, hovered, &(Tooltip){.title = title, .text = text});
}

static const char *mask_words(const Wall *w, Rect foot) {
    const char *words = "click or drag: open, close";
    float width = label_width(w->context->ui, FONT_SANS, SMALL, words, strlen(words));
    return width <= foot.w ? words : "click or drag";
}

/* Draw those of the parts first..last that fit into the line. */
static void foot_line(const Wall *w, Rect line, int head, const FootStyle *set, int first,
                      int last) {
    const ViewContext *c = w->context;
    for (int part = first; part <= last; part++) {
        char text[64];
        if (part == PART_ENTROPY && set->in_title)
            continue;
        float width = part_width(c, part, set->brief);
        if (part > first && width > line.w)
            return;
        part_text(w, text, sizeof text, head, part, set->brief);
        char *number = strrchr(text, ' ');
        bool is_wide = label_width(c->ui, FONT_SANS, SMALL, text, strlen(text)) > line.w;
        bool has_number = number != NULL && number[1] >= '0' && number[1] <= '9';
        if (part == PART_ROLE && is_wide && has_number)
            *number = '\0'; /* omit the number, because the tooltip shows it */
        LabelStyle style = {FONT_SANS, SMALL,
                            part == PART_ROLE ? c->ui->theme->text_2 : c->ui->theme->text_3,
                            LABEL_LEFT};
        label_draw(c->ui, line, &style, text);
        rect_cut_left(&line, width + part_gap(set->brief));
    }
}

void wall_foot(const Wall *w, int tile) {
    const ViewContext *c = w->context;
    const WallLayout *l = w->layout;
    int head = w->shown->layer[w->layer].tile[tile].id;
    Rect m = wall_matrix(l, tile), line = {m.x, rect_bottom(m) + 5, m.w, 20};
    if (head < 0) {
        /* Write the line below a summary tile (mean, rollout or mask). */
        int layers = w->shown->rolled[w->layer];
        text_in(w->context->ui, line, TEXT_NOTE | TEXT_FAINT, "%s",
                head == TILE_MASK ? mask_words(w, line)
                : head == TILE_ROLLOUT
                    ? PRINT("½ A + ½ I, %d layer%s", layers, layers == 1 ? "" : "s")
                    : "over all heads");
        return;
    }
    Rect foot = line;
    foot.h += (float)(l->foot_lines - 1) * LINE;
    wall_figures_tip(w, ui_id("head foot", w->layer * TILES_MAX + tile), foot, ui_over(c->ui, foot),
                     head);
    FootStyle style = foot_style(c, l->side, l->title_h);
    bool cut = l->foot_lines > 1 && style.lines > 1;
    foot_line(w, line, head, &style, 0, cut ? SECOND - 1 : PART_RANK);
    line.y += LINE;
    if (cut)
        foot_line(w, line, head, &style, SECOND, PART_RANK);
}
