#include "ui/line_buffer.h"

#include <string.h>

#include "base/utf8.h"

#define CLEAN_MAX 1024

static void apply(const LineBuffer *b, const LineChange *change) {
    char clean[CLEAN_MAX];
    size_t size = strlen(b->text), repairs;
    size_t room = b->capacity - 1 - (size - (change->to - change->from));
    LineChange fit = *change;
    room = room < sizeof clean ? room : sizeof clean;
    fit.bytes = utf8_repair(clean, room, change->insert, change->bytes, &repairs);
    for (size_t i = 0; i < fit.bytes; i++)
        clean[i] = (char)((unsigned char)clean[i] < ' ' ? ' ' : clean[i]);
    fit.insert = clean;
    memmove(b->text + fit.from + fit.bytes, b->text + fit.to, size - fit.to + 1);
    memcpy(b->text + fit.from, clean, fit.bytes);
    line_edit_changed(b->edit, &fit);
}

/* Copy text that was cut, because the clipboard needs it after the text has changed. */
static void keep_copied(Ui *ui, const LineBuffer *b) {
    if (ui->copied < b->text || ui->copied >= b->text + b->capacity)
        return;
    memcpy(b->copied, ui->copied, ui->copied_bytes);
    ui->copied = b->copied;
}

LineAction line_buffer_events(Ui *ui, const LineBuffer *b, bool *changed) {
    LineChange change;
    LineAction action;
    *changed = false;
    line_edit_clamp(b->edit, b->text, strlen(b->text));
    while ((action = line_edit_next(ui, b->edit, b->text, strlen(b->text), &change)) ==
           LINE_CHANGE) {
        keep_copied(ui, b);
        apply(b, &change);
        *changed = true;
    }
    ui->wants_paste |= action == LINE_PASTE;
    return action == LINE_NONE && *changed ? LINE_CHANGE : action;
}
