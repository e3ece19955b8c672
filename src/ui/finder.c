#include "ui/finder.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/line_edit.h"

#define TEXT_SIZE 18
#define ROW_H     34
#define PAGE      8

void finder_set(Finder *finder, const char *text) {
    size_t repairs,
        bytes = utf8_repair(finder->text, sizeof finder->text - 1, text, strlen(text), &repairs);
    finder->text[bytes] = '\0';
    finder->edit = (LineEdit){.caret = bytes, .anchor = bytes};
    finder->at = finder->may_light_none ? -1 : 0;
    finder->from = 0;
}

void finder_open(Ui *ui, Finder *finder, UiId id, const char *text, bool may_light_none) {
    finder->may_light_none = may_light_none;
    finder_set(finder, text);
    ui_focus(ui, id);
}

static FinderEvent field_events(Ui *ui, Finder *finder) {
    bool changed;
    LineBuffer buffer = {finder->text, finder->copied, sizeof finder->text, &finder->edit};
    int step = ui_keys(ui, KEY_DOWN, 0) - ui_keys(ui, KEY_UP, 0);
    step += PAGE * (ui_keys(ui, KEY_PAGE_DOWN, 0) - ui_keys(ui, KEY_PAGE_UP, 0));
    finder->at += step;
    LineAction action = line_buffer_events(ui, &buffer, &changed);
    if (changed) {
        finder->at = finder->may_light_none ? -1 : 0;
        finder->from = 0;
    }
    FinderEvent result = changed ? FINDER_CHANGED : FINDER_NONE;
    if (ui_key(ui, KEY_TAB, 0))
        result = FINDER_COMPLETE;
    if (action == LINE_ENTER)
        result = FINDER_ENTER;
    return action == LINE_ESCAPE ? FINDER_ESCAPE : result;
}

FinderEvent finder_field(Ui *ui, UiId id, Rect rect, Finder *finder, const char *hint) {
    UiState state = ui_control(ui, id, rect, UI_NO_KEYS | UI_TEXT);
    FinderEvent event = FINDER_NONE;
    if (ui->focus == id)
        event = field_events(ui, finder);
    draw_fill(ui->list, rect, 8, ui->theme->canvas);
    draw_ring(ui->list, rect, 8, 2, ui->focus == id ? ui->theme->ring : ui->theme->control);
    ui->cursor = state.hovered ? 1 : ui->cursor;
    Rect words = rect_inset(rect, 12, 0);
    if (ui->focus == id)
        line_edit_draw(ui, &finder->edit, words, state, FONT_SANS, 20, finder->text,
                       strlen(finder->text));
    LabelStyle style = {FONT_SANS, 20, ui->theme->text_1, LABEL_LEFT};
    if (ui->focus != id)
        label_draw(ui, words, &style, finder->text);
    style.colour = ui->theme->text_3;
    if (finder->text[0] == '\0' && finder->edit.composing[0] == '\0')
        label_draw(ui, (Rect){words.x + 6, words.y, words.w - 6, words.h}, &style, hint);
    return event;
}

static bool list_row(Ui *ui, UiId id, Rect rect, const FinderRow *row, bool lit, bool *moved_to) {
    UiState state = ui_control(ui, id, rect, UI_NO_FOCUS);
    *moved_to = state.hovered && ui->pointer_moved;
    if (lit)
        draw_fill(ui->list, rect, 6, ui->theme->hover);
    Colour colour = !row->is_dim ? ui->theme->text_1 : lit ? ui->theme->text_2 : ui->theme->text_3;
    LabelStyle style = {FONT_SANS, TEXT_SIZE, colour, row->is_path ? LABEL_LEFT : LABEL_PROSE};
    Rect words = rect_inset(rect, 10, 0);
    float note = label_width(ui, FONT_MONO, 15, row->note, strlen(row->note));
    Rect right = rect_cut_right(&words, note > 0 ? fminf(note + 2, words.w / 2) : 0);
    LabelStyle small = {FONT_MONO, 15, ui->theme->text_2, LABEL_RIGHT};
    label_draw(ui, right, &small, row->note);
    rect_cut_right(&words, 12);
    if (row->is_current)
        icon_draw(ui, ICON_TICK, rect_centre(rect_cut_right(&words, 20)), 14, ui->theme->text_1);
    label_draw(ui, words, &style, row->label);
    return state.clicked;
}

/* Scroll to the lit row. But if the wheel scrolled, light the nearest visible row instead. */
static void follow(Finder *finder, int count, int fit, int wheel) {
    int last = count - fit > 0 ? count - fit : 0;
    int least = finder->may_light_none ? -1 : 0;
    finder->at = finder->at >= count ? count - 1 : finder->at;
    finder->at = finder->at < least ? least : finder->at;
    if (wheel != 0) {
        finder->from -= wheel * 3;
        finder->from = finder->from < 0 ? 0 : finder->from > last ? last : finder->from;
    }
    if (wheel != 0 && finder->at >= 0) {
        int end = finder->from + fit - 1;
        finder->at = finder->at < finder->from ? finder->from : finder->at > end ? end : finder->at;
    }
    if (finder->at >= 0 && finder->at < finder->from)
        finder->from = finder->at;
    if (finder->at >= finder->from + fit)
        finder->from = finder->at - fit + 1;
    finder->from = finder->from > last ? last : finder->from < 0 ? 0 : finder->from;
}

static void scroll_bar(Ui *ui, Rect rect, const Finder *finder, int count, int fit) {
    if (count <= fit)
        return;
    float share = (float)fit / (float)count, at = (float)finder->from / (float)count;
    Rect bar = {rect_right(rect) - 4, rect.y + at * rect.h, 4, fmaxf(share * rect.h, 16)};
    draw_fill(ui->list, bar, 2, ui->theme->control);
}

int finder_list(Ui *ui, UiId id, Rect rect, Finder *finder, int count,
                void (*row)(void *data, int i, FinderRow *out), void *data) {
    int fit = (int)(rect.h / ROW_H), chosen = -1, was = finder->at;
    unsigned mods;
    fit = fit < 1 ? 1 : fit;
    follow(finder, count, fit, (int)lrintf(ui_wheel(ui, id, rect, &mods).y));
    scroll_bar(ui, rect, finder, count, fit);
    rect.w -= count > fit ? 10 : 0;
    for (int i = finder->from; i < count && i < finder->from + fit; i++) {
        FinderRow shown = {.label = "", .note = ""};
        bool moved_to = false;
        row(data, i, &shown);
        Rect place = rect_cut_top(&rect, ROW_H);
        if (list_row(ui, id + (UiId)(i + 1), place, &shown, i == finder->at, &moved_to))
            chosen = i;
        if (moved_to && i != finder->at) {
            finder->at = i;
            ui->again = true;
        }
    }
    ui->again |= finder->at != was;
    return chosen;
}
