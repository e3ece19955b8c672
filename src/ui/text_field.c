#include "ui/text_field.h"

#include <string.h>

#include "ui/label.h"
#include "ui/skin.h"
#include "ui/tooltip.h"

#define PAD 10

static void text_draw(Ui *ui, Rect words, UiState state, const TextField *field) {
    const LineBuffer *b = &field->buffer;
    LabelStyle style = {FONT_SANS, SKIN_TEXT, skin_ink(state, ui->theme->text_1), LABEL_LEFT};
    if (state.focused)
        line_edit_draw(ui, b->edit, words, state, FONT_SANS, SKIN_TEXT, b->text, strlen(b->text));
    else
        label_draw(ui, words, &style, b->text);
    style.colour = skin_ink(state, ui->theme->text_2);
    if (b->text[0] == '\0' && b->edit->composing[0] == '\0')
        label_draw(ui, words, &style, field->hint);
}

TextFieldEvent text_field(Ui *ui, UiId id, Rect rect, const TextField *field) {
    UiState state = ui_control(ui, id, rect, UI_NO_KEYS | UI_NO_HAND | UI_TEXT);
    bool changed = false;
    LineAction action = LINE_NONE;
    if (state.focused)
        action = line_buffer_events(ui, &field->buffer, &changed);
    Rect words = rect_inset(rect, PAD, 0);
    Colour edge = state.focused ? ui->theme->ring : ui->theme->control;
    draw_fill(ui->list, rect, SKIN_RADIUS, skin_ground(ui, id, state, ui->theme->raised));
    if (field->wrong != NULL)
        skin_wrong(ui, rect, &words);
    else
        draw_ring(ui->list, rect, SKIN_RADIUS, state.focused ? 2 : 1, skin_ink(state, edge));
    ui->cursor = state.hovered ? 1 : ui->cursor;
    text_draw(ui, words, state, field);
    if (field->wrong != NULL)
        tooltip_warn(ui, rect, field->wrong);
    if (action == LINE_ENTER)
        return TEXT_FIELD_ENTER;
    if (action == LINE_ESCAPE)
        return TEXT_FIELD_ESCAPE;
    return changed ? TEXT_FIELD_CHANGED : TEXT_FIELD_NONE;
}
