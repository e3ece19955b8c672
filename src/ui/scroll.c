#include "ui/scroll.h"

#include <math.h>

#include "ui/tween.h"

#define NOTCH_PX  72 /* px of scrolling for each notch of the wheel */
#define ARROW_PX  36
#define THUMB_MIN 36
#define REACH     28 /* px: width of the strip in which the pointer can grab a scroll bar */
#define MARGIN    12 /* px kept visible around a rectangle that is scrolled into view */

static float clamped(float value, float most) {
    return fminf(fmaxf(value, 0), fmaxf(most, 0));
}

typedef struct Bar {
    Rect track, thumb;
    float ratio; /* pixels that the content moves for each pixel of the thumb */
} Bar;

static Bar bar_of(Rect track, bool upright, float seen, float whole, float offset) {
    float length = upright ? track.h : track.w;
    float thumb = fminf(fmaxf(length * seen / whole, THUMB_MIN), length);
    float way = fmaxf(length - thumb, 1e-3f), most = whole - seen, at = way * offset / most;
    Bar bar = {track, track, most / way};
    if (upright)
        bar.thumb = (Rect){track.x, track.y + at, track.w, thumb};
    else
        bar.thumb = (Rect){track.x + at, track.y, thumb, track.h};
    return bar;
}

/* Handle the pointer: a press on the track scrolls by a page; a drag of the thumb follows the
 * pointer. */
static void bar_drag(Ui *ui, UiState state, const Bar *bar, bool upright, float page,
                     float *offset) {
    float pointer = upright ? ui->pointer.y : ui->pointer.x;
    float start = upright ? bar->thumb.y : bar->thumb.x;
    float end = upright ? rect_bottom(bar->thumb) : rect_right(bar->thumb);
    if (state.pressed && (pointer < start || pointer >= end))
        *offset += pointer < start ? -page : page;
    if (state.held && !state.pressed)
        *offset += (pointer - ui->drag_from) * bar->ratio;
    if (state.held)
        ui->drag_from = pointer;
}

/* Handle a scroll bar, then draw its thumb, which a drag in this pass may have moved. */
static void bar(Ui *ui, const ScrollArea *a, bool upright) {
    UiId id = a->id + (upright ? 1 : 2);
    float *offset = upright ? &a->scroll->offset.y : &a->scroll->offset.x;
    float most = upright ? a->most.y : a->most.x, seen = upright ? a->inside.h : a->inside.w;
    if (most <= 0 || ui->is_plain)
        return;
    Rect track = upright ? (Rect){rect_right(a->inside), a->inside.y, SCROLL_BAR, a->inside.h}
                         : (Rect){a->inside.x, rect_bottom(a->inside), a->inside.w, SCROLL_BAR};
    float more = (REACH - SCROLL_BAR) / 2.0f, was = *offset;
    Rect reach = upright ? rect_inset(track, -more, 0) : rect_inset(track, 0, -more);
    UiState state = ui_control(ui, id, reach, UI_NO_FOCUS | UI_NO_HAND);
    Bar before = bar_of(track, upright, seen, seen + most, *offset);
    bar_drag(ui, state, &before, upright, seen - NOTCH_PX, offset);
    *offset = clamped(*offset, most);
    ui->again |= *offset != was;
    Bar after = bar_of(track, upright, seen, seen + most, *offset);
    Colour ink = state.held || state.hovered ? ui->theme->text_3 : ui->theme->control;
    Rect thumb = upright ? rect_inset(after.thumb, 4, 2) : rect_inset(after.thumb, 2, 4);
    draw_fill(ui->list, thumb, fminf(thumb.w, thumb.h) / 2,
              ui_tween_colour(ui, id, ink, MOTION_HOVER));
}

/* Return the layout of a scrolled area. The caller must set first_control and clip. */
static ScrollArea place(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size) {
    ScrollArea a = {.id = id, .scroll = scroll, .inside = area};
    bool tall = size.y > area.h, wide = size.x > area.w;
    tall = tall || size.y > area.h - (wide ? SCROLL_BAR : 0);
    if (tall)
        rect_cut_right(&a.inside, SCROLL_BAR);
    if (wide)
        rect_cut_bottom(&a.inside, SCROLL_BAR);
    a.most = (Vec2){wide ? size.x - a.inside.w : 0, tall ? size.y - a.inside.h : 0};
    scroll->offset.x = clamped(scroll->offset.x, a.most.x);
    scroll->offset.y = clamped(scroll->offset.y, a.most.y);
    a.around = ui->wheel_scrolls;
    ui->wheel_scrolls = tall || wide ? id : a.around;
    a.content = (Rect){draw_snap(ui->list, a.inside.x - scroll->offset.x),
                       draw_snap(ui->list, a.inside.y - scroll->offset.y),
                       wide ? size.x : a.inside.w, fmaxf(size.y, a.inside.h)};
    return a;
}

ScrollArea scroll_begin(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size) {
    ScrollArea a = place(ui, id, area, scroll, size);
    if (a.most.x > 0 || a.most.y > 0)
        a.control = ui_control(ui, id, a.inside, UI_NO_KEYS | UI_NO_POINTER);
    ui->list->revealed = (Rect){0}; /* reset, so that only parts drawn inside this area count */
    a.first_control = ui->order_count;
    a.clip = draw_clip(ui->list, a.inside);
    return a;
}

ScrollArea scroll_begin_silent(Ui *ui, UiId id, Rect area, Scroll *scroll, Vec2 size) {
    ScrollArea a = place(ui, id, area, scroll, size);
    a.first_control = ui->order_count;
    a.clip = draw_clip(ui->list, a.inside);
    return a;
}

void scroll_show(Ui *ui, const ScrollArea *a, Rect rect) {
    Vec2 was = a->scroll->offset, *offset = &a->scroll->offset;
    /* Measure from the corner of the content as it is drawn, on whole pixels. If measured from
     * `inside` and the offset, rect would move by a fraction of a pixel with each call. */
    float left = rect.x - a->content.x, top = rect.y - a->content.y;
    offset->y = fmaxf(offset->y, top + rect.h + MARGIN - a->inside.h);
    offset->y = fminf(offset->y, top - MARGIN);
    offset->x = fmaxf(offset->x, left + rect.w + MARGIN - a->inside.w);
    offset->x = fminf(offset->x, left - MARGIN);
    offset->x = clamped(offset->x, a->most.x);
    offset->y = clamped(offset->y, a->most.y);
    ui->again |= offset->x != was.x || offset->y != was.y;
}

static void show_focus(Ui *ui, const ScrollArea *a) {
    if (a->scroll->focus_was == ui->focus)
        return;
    a->scroll->focus_was = ui->focus;
    for (int i = a->first_control; i < ui->order_count; i++)
        if (ui->order[i].id == ui->focus && ui->focus_visible)
            scroll_show(ui, a, ui->order[i].rect);
}

static void wheel(Ui *ui, const ScrollArea *a) {
    unsigned mods = 0;
    Vec2 notches = ui_wheel(ui, a->id, a->inside, &mods), *offset = &a->scroll->offset;
    bool sideways = (mods & KEY_MOD_SHIFT) != 0 || a->most.y <= 0;
    offset->x -= (notches.x + (sideways ? notches.y : 0)) * NOTCH_PX;
    offset->y -= sideways ? 0 : notches.y * NOTCH_PX;
}

static void keys(Ui *ui, const ScrollArea *a) {
    Vec2 *offset = &a->scroll->offset;
    float page = a->inside.h - NOTCH_PX;
    offset->y += ARROW_PX * (float)(ui_keys(ui, KEY_DOWN, 0) - ui_keys(ui, KEY_UP, 0));
    offset->x += ARROW_PX * (float)(ui_keys(ui, KEY_RIGHT, 0) - ui_keys(ui, KEY_LEFT, 0));
    offset->y += page * (float)(ui_keys(ui, KEY_PAGE_DOWN, 0) - ui_keys(ui, KEY_PAGE_UP, 0));
    if (ui_keys(ui, KEY_HOME, 0) > 0)
        offset->y = 0;
    if (ui_keys(ui, KEY_END, 0) > 0)
        offset->y = a->most.y;
}

void scroll_end(Ui *ui, ScrollArea *a) {
    Vec2 was = a->scroll->offset;
    draw_clip_restore(ui->list, a->clip);
    if (a->most.x > 0 || a->most.y > 0)
        wheel(ui, a);
    ui->wheel_scrolls = a->around;
    if (a->control.focused)
        keys(ui, a);
    a->scroll->offset.x = clamped(a->scroll->offset.x, a->most.x);
    a->scroll->offset.y = clamped(a->scroll->offset.y, a->most.y);
    ui->again |= a->scroll->offset.x != was.x || a->scroll->offset.y != was.y;
    show_focus(ui, a);
    if (ui->list->revealed.w > 0)
        scroll_show(ui, a, ui->list->revealed);
    bar(ui, a, true);
    bar(ui, a, false);
    ui_focus_ring(ui, a->id, rect_inset(a->inside, 2, 2), 4);
}
