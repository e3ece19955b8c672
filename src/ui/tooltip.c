#include "ui/tooltip.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/formula.h"
#include "ui/icon.h"
#include "ui/skin.h"

/* seconds that the pointer or the focus must be on the owner before its tip opens */
#define REST_S 0.5
/* Seconds that a tip stays after the pointer has left, so that the pointer can reach it. */
#define LINGER_S  0.25
#define WIDTH_MAX 360
#define WORD_MAX  560 /* px: largest width of a single word; a longer word is broken */
#define PAD       12
#define GAP       8
#define TEXT_SIZE 16
#define LINE      23.2f /* line height of label_wrap at the size of a tip's text */
#define CLOSE     28
#define DOT       2.0f /* px: width of a dot in the line below a title */
#define FORMULA   18
#define FORMULA_H 32
#define CUT_MAX   1023 /* maximum bytes of a label that a tip shows */

Rect tooltip_place(const Ui *ui, Rect owner, float width, float height) {
    float w = ui->list->width, h = ui->list->height;
    float x = fmaxf(fminf(owner.x, w - width - 4), 4);
    float y = fmaxf(fminf(owner.y, h - height - 4), 4);
    const Rect places[] = {{x, rect_bottom(owner) + GAP, width, height},
                           {x, owner.y - GAP - height, width, height},
                           {rect_right(owner) + GAP, y, width, height},
                           {owner.x - GAP - width, y, width, height}};
    for (int i = 0; i < 4; i++)
        if (places[i].x >= 0 && places[i].y >= 0 && rect_right(places[i]) <= w &&
            rect_bottom(places[i]) <= h)
            return places[i];
    return places[0];
}

/* Open the tip of this owner if the pointer or the focus has moved there. */
static void follow(Ui *ui, UiId owner, bool hovered) {
    UiTip *tip = &ui->tip;
    bool focused = ui->focus == owner && ui->focus_visible && ui->active == 0;
    if (hovered && ui->pointer_rests)
        tip->quiet = owner;
    if (!hovered && !focused && tip->quiet == owner)
        tip->quiet = 0;
    bool wanted = (hovered || focused) && tip->quiet != owner && ui->active == 0;
    bool free = tip->owner == 0 || (!tip->pinned && tip->owner != owner);
    if (wanted && free && (hovered || tip->owner == 0)) {
        bool at_once = tip->shown; /* open without a delay if another tip is open */
        /* Request another pass, because this one may already show the other tip. */
        ui->again |= at_once;
        *tip = (UiTip){.owner = owner, .since_s = at_once ? ui->time_s - REST_S : ui->time_s};
    }
}

/* True if the pointer is on the tip, or in the gap between the tip and its owner. */
static bool is_reached(const Ui *ui, Rect owner) {
    Rect place = ui->tip.place;
    Rect with_gap = rect_inset(place, -GAP, -GAP);
    bool between = rect_contains(with_gap, ui->pointer) && !rect_contains(owner, ui->pointer);
    return ui->tip.shown && ui->pointer_inside && (rect_contains(place, ui->pointer) || between);
}

static void close_tip(Ui *ui, UiId quiet) {
    ui->again |= ui->tip.shown;
    ui->tip = (UiTip){.quiet = quiet};
}

static LabelStyle style_of(const Ui *ui, const Tooltip *tip) {
    return (LabelStyle){FONT_SANS, TEXT_SIZE, ui->theme->text_2,
                        tip->is_plain ? LABEL_LEFT : LABEL_PROSE};
}

static float words_height(const Ui *ui, const Tooltip *tip, float width) {
    LabelStyle style = style_of(ui, tip);
    float lines = (float)label_lines(ui, &style, tip->text, width);
    return lines * TEXT_SIZE * LABEL_LINE +
           (tip->title != NULL || tip->key != NULL ? LINE + 2 : 0) +
           (tip->formula != NULL ? FORMULA_H : 0);
}

static float wanted_width(Ui *ui, const Tooltip *tip) {
    float text = label_width(ui, FONT_SANS, TEXT_SIZE, tip->text, strlen(tip->text)) + 1;
    LabelStyle bold = {.font = FONT_SANS_BOLD, .size = TEXT_SIZE, .align = LABEL_PROSE};
    float title = tip->title == NULL ? 0 : label_text_width(ui, &bold, tip->title);
    float key = tip->key == NULL
                    ? 0
                    : label_width(ui, FONT_MONO, TEXT_SIZE - 1, tip->key, strlen(tip->key)) + 24;
    float formula = tip->formula == NULL ? 0 : formula_width(ui, FORMULA, tip->formula) + 1;
    float most = fmaxf(strchr(tip->text, ' ') != NULL ? WIDTH_MAX : WORD_MAX, formula);
    float least = fmaxf(title + key + CLOSE, formula);
    return fminf(fmaxf(text, least), fminf(most, ui->list->width - 2 * PAD - 8));
}

static void head_draw(Ui *ui, Rect line, const Tooltip *tip) {
    LabelStyle title = {FONT_SANS_BOLD, TEXT_SIZE, ui->theme->text_1, LABEL_PROSE};
    LabelStyle key = {FONT_MONO, TEXT_SIZE - 1, ui->theme->text_2, LABEL_RIGHT};
    if (ui->tip.pinned)
        rect_cut_right(&line, CLOSE);
    if (tip->key != NULL)
        label_draw(ui, line, &key, tip->key);
    float width = tip->title != NULL ? label_draw(ui, line, &title, tip->title) : 0;
    float y = rect_centre(line).y + TEXT_SIZE / 2;
    for (float x = line.x; tip->is_link && x < line.x + width; x += 2 * DOT)
        draw_fill(ui->list, (Rect){x, y, DOT, DOT}, DOT / 2, ui->theme->text_2);
}

/* Handle a click on a tip: follow its link, or pin the tip. The cross of a pinned tip closes it. */
static void pin(Ui *ui, UiId owner, Rect place, bool is_link) {
    UiId id = ui_id("tooltip", 0);
    Rect close = {rect_right(place) - CLOSE - 4, place.y + 4, CLOSE, CLOSE};
    if (ui->tip.pinned) {
        UiState state = ui_control(ui, id + 1, close, UI_NO_FOCUS);
        draw_fill(ui->list, close, 6, skin_ground(ui, id + 1, state, COLOUR_CLEAR));
        icon_draw(ui, ICON_CLOSE, rect_centre(close), 12, ui->theme->text_1);
        if (state.clicked)
            close_tip(ui, owner);
        return;
    }
    if (!ui_control(ui, id, place, UI_NO_FOCUS | (is_link ? 0 : UI_NO_HAND)).clicked)
        return;
    ui->tip.pinned = !is_link;
    ui->tip.followed = is_link;
    ui->again = true;
}

static void tip_draw(Ui *ui, UiId owner, Rect rect, const Tooltip *tip) {
    UiPlace below = ui_raise(ui, UI_LAYER_TIP);
    float width = wanted_width(ui, tip), height = words_height(ui, tip, width);
    Rect place = tooltip_place(ui, rect, width + 2 * PAD, height + 2 * PAD - 4);
    ui->tip.place = place;
    ui_cover(ui, place);
    skin_raise(ui, place, 10, ui->theme->raised,
               ui->tip.pinned ? ui->theme->ring : ui->theme->control);
    Rect rest = rect_inset(place, PAD, PAD - 2);
    if (tip->title != NULL || tip->key != NULL)
        head_draw(ui, rect_cut_top(&rest, LINE + 2), tip);
    FormulaStyle formula = {.size = FORMULA, .colour = ui->theme->text_1};
    if (tip->formula != NULL)
        formula_label(ui, rect_cut_top(&rest, FORMULA_H), &formula, tip->formula);
    LabelStyle style = style_of(ui, tip);
    label_wrap(ui, rest, &style, tip->text);
    pin(ui, owner, place, tip->is_link);
    ui_lower(ui, below);
}

/* True if Esc is pressed. The key remains unused, because it may also close an open sheet. */
static bool is_escaped(const Ui *ui) {
    bool found = false;
    for (int i = 0; ui->first_pass && i < ui->input->event_count; i++)
        found |= ui->input->events[i].kind == INPUT_KEY && ui->input->events[i].key == KEY_ESCAPE;
    return found;
}

/* True if the tip of this owner stays open. It closes after the pointer has left, when its owner is
 * pressed, and on Esc. Only a pinned tip takes Esc, so that nothing else reacts to it. */
static bool stays_open(Ui *ui, UiId owner, Rect rect, bool hovered) {
    UiTip *tip = &ui->tip;
    bool focused = ui->focus == owner && ui->focus_visible;
    bool pressed = ui->active != 0 && hovered && !tip->pinned;
    if (hovered || focused || is_reached(ui, rect))
        tip->left_s = INFINITY;
    else if (isinf(tip->left_s))
        tip->left_s = ui->time_s + LINGER_S;
    bool left = !tip->pinned && ui->time_s >= tip->left_s;
    if (!tip->pinned && !left)
        ui_wake(ui, tip->left_s);
    if (pressed || (tip->shown && (tip->pinned ? ui_key(ui, KEY_ESCAPE, 0) : is_escaped(ui))))
        close_tip(ui, owner);
    else if (left || (!tip->shown && !hovered && !focused))
        close_tip(ui, 0);
    return tip->owner == owner;
}

static bool is_behind(const Ui *ui) {
    return ui->unlisted || (ui->popup != 0 && ui->list->layer < UI_LAYER_POPUP);
}

static void show(Ui *ui, UiId owner, Rect rect, bool hovered, const Tooltip *tip) {
    if (tip->text == NULL || tip->text[0] == '\0')
        return;
    ui_name(ui, owner, tip->title != NULL ? tip->title : tip->text);
    bool behind = is_behind(ui);
    ui->has_tip |= hovered && !behind;
    if (!behind)
        follow(ui, owner, hovered);
    if (ui->tip.owner != owner)
        return;
    ui->tip.seen_frame = ui->frame;
    if (behind && !ui->tip.pinned)
        close_tip(ui, 0);
    if (behind || !stays_open(ui, owner, rect, hovered))
        return;
    ui->tip.shown = ui->time_s >= ui->tip.since_s + REST_S - 1e-6;
    if (ui->tip.shown)
        tip_draw(ui, owner, rect, tip);
    else
        ui_wake(ui, ui->tip.since_s + REST_S);
}

bool tooltip_on(Ui *ui, UiId owner, Rect rect, bool hovered, const Tooltip *tip) {
    show(ui, owner, rect, hovered, tip);
    bool followed = ui->tip.owner == owner && ui->tip.followed;
    if (followed)
        close_tip(ui, owner);
    return followed;
}

void tooltip(Ui *ui, UiId owner, Rect rect, const char *title, const char *text) {
    show(ui, owner, rect, ui->hot == owner, &(Tooltip){.title = title, .text = text});
}

void tooltip_over(Ui *ui, UiId owner, Rect rect, const char *title, const char *text) {
    show(ui, owner, rect, ui_over(ui, rect), &(Tooltip){.title = title, .text = text});
}

void tooltip_cut(Ui *ui, UiId owner, Rect rect, bool hovered, const LabelStyle *style, float room,
                 const char *text, size_t bytes) {
    char whole[CUT_MAX + 1];
    if (label_width(ui, style->font, style->size, text, bytes) <= room + 0.5f)
        return;
    bytes = bytes > CUT_MAX ? utf8_floor(text, bytes, CUT_MAX) : bytes;
    memcpy(whole, text, bytes);
    whole[bytes] = '\0';
    show(ui, owner, rect, hovered, &(Tooltip){.text = whole, .is_plain = true});
}

void tooltip_warn(Ui *ui, Rect rect, const char *why) {
    UiPlace below = ui_raise(ui, UI_LAYER_TOAST);
    LabelStyle sign = {FONT_SANS_BOLD, TEXT_SIZE, ui->theme->warn, LABEL_CENTRE};
    LabelStyle style = {FONT_SANS, TEXT_SIZE, ui->theme->text_1, LABEL_LEFT};
    float width = label_text_width(ui, &style, why) + 2 * PAD + 21;
    Rect place = tooltip_place(ui, rect, fminf(width, ui->list->width - 8), 36);
    skin_raise(ui, place, 8, ui->theme->raised, ui->theme->warn);
    Rect line = rect_inset(place, PAD, 0);
    label_draw(ui, rect_cut_left(&line, 20), &sign, "!");
    label_draw(ui, line, &style, why);
    ui_lower(ui, below);
}
