#include "views/heads/heads_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "base/util.h"
#include "ui/button.h"
#include "ui/skin.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/shared/tools.h"

#define CONTROL_H    36
#define GAP          14
#define SCALE_MOST   380
#define SCALE_LESS   160
#define SIGN_W       24
#define SCALE_AROUND 16
#define SCALE_AWAY   12
#define NUMBER_W     54
#define MENU_W       550
#define MENU_ROW     46
#define MENU_NAME    110
#define POOLED_FROM  64 /* with more tokens, cells may share a pixel, which needs a note */

/* Return the matrix whose colour scale the legend shows: the one under the pointer (the mask does
 * not count), otherwise that of the focused cell or, if there is none, of the chosen head. */
static const HeatmapTile *legend_tile(const ViewContext *c, const Heatmap *s, int *index) {
    AttnCell focus = view_focus(c);
    int layer = attn_cell_is_set(focus) ? focus.layer : 0;
    int head = attn_cell_is_set(focus) ? focus.head : c->session->options.head - 1;
    const HeatmapLayer *l = &s->layer[layer];
    *index = 0;
    for (int i = 0; i < l->count; i++)
        if (l->tile[i].id == head)
            *index = i;
    int over = c->memory->heads.over - 1;
    if (over >= 0 && over < l->count && l->tile[over].id != TILE_MASK)
        *index = over;
    return &l->tile[*index];
}

static void legend_scale(const ViewContext *c, Rect area, const Heatmap *s) {
    int index;
    AttnCell focus = view_focus(c);
    const HeatmapTile *tile = legend_tile(c, s, &index);
    float marked = attn_cell_is_set(focus)
                       ? heatmap_value(s, focus.layer, index, focus.query, focus.key)
                       : NAN;
    if (marked == DRAW_CELL_MASKED) /* a masked cell has no colour of the scale */
        marked = NAN;
    heatmap_scale(c, area, tile, marked, 0);
}

static void minus_head(const ViewContext *c, Rect place) {
    int number = c->settings->maps.minus.number, heads = c->session->options.heads;
    NumberChange change = number_field(c->ui, ui_id("heads minus", 0), place, PRINT("%d", number),
                                       FONT_MONO, number > heads);
    number = change.kind == NUMBER_STEP      ? number + change.step
             : change.kind == NUMBER_DEFAULT ? 1
             : change.kind == NUMBER_LEAST   ? 1
             : change.kind == NUMBER_MOST    ? heads
                                             : number;
    number = number < 1 ? 1 : number > heads ? heads : number;
    if (change.kind != NUMBER_NONE)
        view_set(c, "minus",
                 change.kind == NUMBER_TYPED ? PRINT("head:%.32s", change.text)
                                             : PRINT("head:%d", number),
                 change.serial);
}

static float minus_width(const ViewContext *c) {
    int row = c->settings->maps.minus.row;
    return row == MINUS_NONE
               ? 0
               : SIGN_W + tool_menu_width(c, "minus") + (row == MINUS_HEAD ? NUMBER_W : 0) + GAP;
}

void heads_show_control(const ViewContext *c, Rect *row) {
    int minus = c->settings->maps.minus.row;
    tool_menu(c, rect_cut_left(row, fminf(tool_menu_width(c, "show"), row->w)), "show");
    /* If something is subtracted and there is room, draw the choice here, too, not only in the
     * menu. */
    if (minus != MINUS_NONE && row->w >= minus_width(c) + CONTROL_H + 2 * GAP) {
        text_in(c->ui, rect_cut_left(row, SIGN_W), TEXT_BODY | TEXT_CENTRE, "−");
        tool_menu(c, rect_cut_left(row, tool_menu_width(c, "minus")), "minus");
        if (minus == MINUS_HEAD) {
            Rect number = rect_cut_left(row, NUMBER_W);
            rect_cut_left(&number, 6);
            minus_head(c, number);
        }
    }
    rect_cut_left(row, GAP);
}

/* The options in the menu, each drawn as a row of segments. */
static const struct {
    const char *name, *key;
    const Registry *registry;
} MENU[] = {
    {"Subtract", "minus", &MINUSES},      {"Colours", "warp", &WARPS},
    {"Range", "range", &SCALE_RANGES},    {"Order", "order", &ORDERS},
    {"Combined", "summary", &SUMMARIES},  {"Numbers", "numbers", &CELL_NUMBERS},
    {"Mask", "mask-panel", &MASKS_SHOWN}, {"Heads", "wall", &WALLS},
};

static void menu_name(const ViewContext *c, Rect *row, const char *name) {
    text_in(c->ui, rect_cut_left(row, MENU_NAME), TEXT_BODY | TEXT_PLAIN, "%s", name);
}

static void menu_clamp(const ViewContext *c, Rect row) {
    SliderRange range = {.lo = 50, .hi = 100, .step = 0.5f, .standard = 100};
    float clamp = c->settings->maps.clamp;
    const char *number = FIXED((double)clamp, clamp == floorf(clamp) ? 0 : 1);
    menu_name(c, &row, "Clamp");
    text_in(c->ui, rect_cut_right(&row, 90), TEXT_NUMBER | TEXT_RIGHT, "%s %%", number);
    if (slider(c->ui, ui_id("heads clamp", 0), row, &range, &clamp))
        view_set_number(c, "clamp", (double)clamp, c->ui->drag_serial);
}

static void menu_second(const ViewContext *c, Rect row) {
    UiId id = ui_id("heads compare", 0);
    menu_name(c, &row, "Compare");
    Rect button = rect_cut_left(&row, 220);
    if (button_text(c->ui, id, button, "Two sentences")) {
        c->memory->heads.wants_second = c->ui->again = true;
        c->ui->popup = 0;
    }
    tooltip(c->ui, id, button, NULL, "Both matrices of the chosen head, and their difference.");
}

static void menu_draw(const ViewContext *c, Rect button) {
    Ui *ui = c->ui;
    UiPlace below = ui_raise(ui, UI_LAYER_POPUP);
    float rows = (float)ARRAY_COUNT(MENU) + 2;
    float height = fminf(rows * MENU_ROW + 24, ui->list->height - 16);
    Rect menu = {rect_right(button) - MENU_W, button.y - 8 - height,
                 fminf(MENU_W, ui->list->width - 16), height};
    menu.x = fmaxf(menu.x, 8);
    menu.y = fmaxf(menu.y, 8);
    ui_cover(ui, menu);
    skin_raise(ui, menu, 10, ui->theme->chrome, ui->theme->hover);
    Rect rest = rect_inset(menu, 20, 12);
    float each = rest.h / rows;
    for (size_t i = 0; i < ARRAY_COUNT(MENU); i++) {
        Rect row = rect_inset(rect_cut_top(&rest, each), 0, fmaxf((each - CONTROL_H) / 2, 1));
        bool has_layers = MENU[i].registry != &WALLS || session_has_layers(c->session);
        menu_name(c, &row, MENU[i].name);
        tool_segments_some(c, row, MENU[i].key, MENU[i].registry->count - !has_layers);
        if (MENU[i].registry == &SCALE_RANGES)
            menu_clamp(c, rect_cut_top(&rest, each));
    }
    Rect second = rect_cut_top(&rest, each);
    menu_second(c, rect_inset(second, 0, fmaxf((each - CONTROL_H) / 2, 1)));
    bool outside = ui_pressed_outside(ui, menu);
    if (outside || ui_key(ui, KEY_ESCAPE, 0)) {
        ui->popup = 0;
        ui->again = true;
    }
    ui_lower(ui, below);
}

static void menu_button(const ViewContext *c, Rect place) {
    UiId id = ui_id("heads options", 0);
    if (c->ui->popup == id) {
        menu_draw(c, c->memory->heads.menu_button);
        draw_fill(c->ui->list, place, 8, c->ui->theme->hover);
        icon_draw(c->ui, ICON_MENU, rect_centre(place), 18, c->ui->theme->text_1);
        return;
    }
    if (button_icon(c->ui, id, place, ICON_MENU)) {
        c->ui->popup = id;
        c->ui->again = true;
        c->memory->heads.menu_button = place;
    }
    tooltip(c->ui, id, place, NULL,
            "Display options: colours, range, token order, combined maps, numbers, mask.");
}

#define NOTES_MAX 512

static void add_note(char out[NOTES_MAX], const char *note) {
    size_t used = strlen(out);
    snprintf(out + used, NOTES_MAX - used, "%s%s", used > 0 ? " · " : "", note);
}

/* Write notes on whatever differs from a plain matrix, such as a scale that is not linear. */
static void notes(char out[NOTES_MAX], const ViewContext *c, const Heatmap *shown,
                  const WallLayout *l) {
    const Settings *s = c->settings;
    AttnCell focus = view_focus(c);
    int checked = c->run->layers[0].checked;
    float seen = l->side / l->cell, T = (float)l->tokens;
    out[0] = '\0';
    if (s->maps.range == RANGE_EACH)
        add_note(out, PRINT("scale of head %d alone",
                            attn_cell_is_set(focus) ? focus.head + 1 : c->session->options.head));
    if (s->maps.clamp < 100)
        add_note(out, PRINT("scale ends at percentile %.4g", (double)s->maps.clamp));
    if (s->warp != WARP_LINEAR)
        add_note(out, s->warp == WARP_ROOT ? "root scale" : "log scale");
    if (show_is_gradient(s->maps.show))
        add_note(out, "of L = Σ G∘Y, G from the seed");
    if (s->maps.minus.row == MINUS_FORM)
        add_note(out, PRINT("other form: %s",
                            checked >= 0 ? registry_entry(&ATTN_FORMS, checked)->label : ""));
    if (s->maps.order != ORDER_POSITION)
        add_note(out, s->maps.order == ORDER_WEIGHT ? "sorted by weight received"
                                                    : "sorted by the pinned pair");
    if (l->pool > 1)
        add_note(out, PRINT("each pixel: maximum of %d × %d cells", l->pool, l->pool));
    if (seen < T - 0.5f)
        add_note(out, PRINT("queries %d–%d, keys %d–%d of %d", (int)l->first.y + 1,
                            (int)fminf(ceilf(l->first.y + seen), T), (int)l->first.x + 1,
                            (int)fminf(ceilf(l->first.x + seen), T), l->tokens));
    if (shown->why[0] == '\0' && shown->is_zero)
        add_note(out, "every entry is 0");
    if (out[0] == '\0')
        add_note(out, "row reads column");
}

float heads_bar_height(const ViewContext *c, float width) {
    const Settings *s = c->settings;
    float used = tool_menu_width(c, "show") + minus_width(c) + SCALE_AROUND + CONTROL_H + GAP;
    bool is_beside = s->maps.minus.row == MINUS_NONE || width - used >= SCALE_LESS;
    float scale = is_beside ? 0 : CONTROL_H + SCALE_AWAY;
    bool plain = s->maps.range != RANGE_EACH && s->maps.clamp >= 100 && s->warp == WARP_LINEAR &&
                 s->maps.order == ORDER_POSITION && !show_is_gradient(s->maps.show) &&
                 s->maps.minus.row != MINUS_FORM && c->run->T <= POOLED_FROM;
    return scale + (plain ? CONTROL_H + 8 : CONTROL_H + 32);
}

void heads_bar(const ViewContext *c, Rect area, const Heatmap *s, const WallLayout *l) {
    char note[NOTES_MAX];
    Rect row = rect_cut_top(&area, CONTROL_H);
    heads_show_control(c, &row);
    menu_button(c, rect_cut_right(&row, CONTROL_H));
    rect_cut_right(&row, GAP);
    notes(note, c, s, l);
    float words = text_width(c->ui, TEXT_NOTE | TEXT_PLAIN, "%s", note) + 40;
    float most = row.w - SCALE_AROUND;
    float room = most - words >= SCALE_LESS ? most - words : most;
    Rect scale = {row.x + 6, row.y + 12, fminf(room, SCALE_MOST), CONTROL_H};
    bool has_scale = scale.w >= SCALE_LESS && s->why[0] == '\0';
    if (has_scale)
        legend_scale(c, scale, s);
    unsigned style = TEXT_NOTE | TEXT_FAINT;
    if (!has_scale && s->why[0] == '\0' && area.h >= CONTROL_H + 4 && area.w >= 120) {
        float away = fminf(area.h - CONTROL_H, SCALE_AWAY);
        scale = (Rect){area.x + 6, area.y + away, area.w - 12, CONTROL_H};
        rect_cut_top(&area, CONTROL_H + away);
        legend_scale(c, scale, s);
    }
    Rect under = {area.x, area.y + 12, area.w, 20};
    Rect beside = row;
    rect_cut_left(&beside, has_scale ? scale.w + 16 : 0);
    if (words - 20 <= beside.w) {
        style |= TEXT_RIGHT;
        under = (Rect){beside.x, row.y, beside.w, CONTROL_H};
    }
    if (rect_bottom(under) <= rect_bottom(area) || under.y == row.y)
        text_heading(c->ui, &under, style, under.h, note);
}
