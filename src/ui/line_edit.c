#include "ui/line_edit.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/line_text.h"

#define CLEAN_MAX 4096 /* most bytes of a LineBuffer */

static size_t low_end(const LineEdit *e) {
    return e->caret < e->anchor ? e->caret : e->anchor;
}

static size_t high_end(const LineEdit *e) {
    return e->caret < e->anchor ? e->anchor : e->caret;
}

/* Set *to to the offset to which an arrow key moves the caret: in the arrow's direction, by a
 * character or a word. In right-to-left text the next word is to the left. */
static bool arrow_target(Ui *ui, unsigned mods, const char *text, size_t size, LineEdit *e,
                         size_t *to) {
    const unsigned command = mods | KEY_MOD_COMMAND, alt = mods | KEY_MOD_ALT;
    bool left = ui_key(ui, KEY_LEFT, mods);
    if (left || ui_key(ui, KEY_RIGHT, mods)) {
        *to = line_text_step(text, size, e->caret, &e->leads, !left);
        return true;
    }
    left = ui_key(ui, KEY_LEFT, command) || ui_key(ui, KEY_LEFT, alt);
    if (!left && !ui_key(ui, KEY_RIGHT, command) && !ui_key(ui, KEY_RIGHT, alt))
        return false;
    bool back = left != line_text_is_rtl(text, size, e->caret);
    *to = back ? line_text_word_previous(text, size, e->caret)
               : line_text_word_next(text, size, e->caret);
    e->leads = false;
    return true;
}

static bool move_target(Ui *ui, unsigned mods, const char *text, size_t size, LineEdit *e,
                        size_t *to) {
    const unsigned command = mods | KEY_MOD_COMMAND;
    if (arrow_target(ui, mods, text, size, e, to))
        return true;
    if (ui_key(ui, KEY_HOME, mods) || ui_key(ui, KEY_HOME, command) || ui_key(ui, KEY_UP, mods))
        *to = 0;
    else if (ui_key(ui, KEY_END, mods) || ui_key(ui, KEY_END, command) ||
             ui_key(ui, KEY_DOWN, mods))
        *to = size;
    else
        return false;
    e->leads = false;
    return true;
}

/* Handle an arrow key without Shift while text is selected: select nothing, and move the caret to
 * the end of the selection in the arrow's direction. Return true if this happened. */
static bool line_collapse(Ui *ui, LineEdit *e, const char *text, size_t size) {
    size_t low = low_end(e), high = high_end(e);
    if (low == high)
        return false;
    bool left = ui_key(ui, KEY_LEFT, 0);
    if (!left && !ui_key(ui, KEY_RIGHT, 0))
        return false;
    e->caret = e->anchor = left != line_text_is_rtl(text, size, high) ? low : high;
    e->leads = false;
    return true;
}

static bool line_move(Ui *ui, LineEdit *e, const char *text, size_t size) {
    size_t to;
    bool moved = line_collapse(ui, e, text, size);
    if (!moved && move_target(ui, 0, text, size, e, &to)) {
        e->caret = e->anchor = to;
        moved = true;
    } else if (!moved && move_target(ui, KEY_MOD_SHIFT, text, size, e, &to)) {
        e->caret = to;
        moved = true;
    }
    e->word_serial += moved;
    ui->again |= moved;
    return moved;
}

static bool line_delete(Ui *ui, LineEdit *e, const char *text, size_t size, LineChange *out) {
    size_t from = low_end(e), to = high_end(e);
    bool any = from != to;
    if (ui_key(ui, KEY_BACKSPACE, 0) || ui_key(ui, KEY_BACKSPACE, KEY_MOD_SHIFT))
        from = any ? from : line_text_previous(text, size, e->caret);
    else if (ui_key(ui, KEY_DELETE, 0))
        to = any ? to : line_text_next(text, size, e->caret);
    else if (ui_key(ui, KEY_BACKSPACE, KEY_MOD_COMMAND) || ui_key(ui, KEY_BACKSPACE, KEY_MOD_ALT))
        from = any ? from : line_text_word_previous(text, size, e->caret);
    else if (ui_key(ui, KEY_DELETE, KEY_MOD_COMMAND) || ui_key(ui, KEY_DELETE, KEY_MOD_ALT))
        to = any ? to : line_text_word_next(text, size, e->caret);
    else
        return false;
    *out = (LineChange){from, to, "", 0, e->word_serial};
    return true;
}

static void line_copy(Ui *ui, const LineEdit *e, const char *text) {
    size_t bytes = high_end(e) - low_end(e);
    ui->copied = bytes > 0 ? text + low_end(e) : NULL;
    ui->copied_bytes = bytes;
}

static LineAction line_clipboard(Ui *ui, LineEdit *e, const char *text, size_t size,
                                 LineChange *out) {
    if (ui_key(ui, 'a', KEY_MOD_COMMAND))
        line_edit_select_all(e, size);
    if (ui_key(ui, 'c', KEY_MOD_COMMAND) || ui_key(ui, KEY_INSERT, KEY_MOD_COMMAND))
        line_copy(ui, e, text);
    if (ui_key(ui, 'v', KEY_MOD_COMMAND) || ui_key(ui, KEY_INSERT, KEY_MOD_SHIFT))
        return LINE_PASTE;
    bool cuts = ui_key(ui, 'x', KEY_MOD_COMMAND) || ui_key(ui, KEY_DELETE, KEY_MOD_SHIFT);
    if (cuts && low_end(e) != high_end(e)) {
        line_copy(ui, e, text);
        *out = (LineChange){low_end(e), high_end(e), "", 0, ++e->word_serial};
        return LINE_CHANGE;
    }
    return LINE_NONE;
}

/* Set *out to the insertion of typed text or of the clipboard. Continuous typing is one undo step;
 * composed or pasted text is a step of its own. Return false if there is nothing to insert. */
static bool line_insert(Ui *ui, LineEdit *e, LineChange *out) {
    const InputEvent *event = ui_take(ui, INPUT_TEXT);
    bool is_whole = event == NULL || e->has_composed;
    if (event == NULL)
        event = ui_take(ui, INPUT_PASTE);
    if (event == NULL || event->text_bytes == 0)
        return false; /* nothing is inserted, so an empty clipboard does not delete the selection */
    if (is_whole)
        e->word_serial++;
    *out = (LineChange){low_end(e), high_end(e), event->text, event->text_bytes, e->word_serial};
    if (is_whole)
        e->word_serial++;
    e->has_composed = false;
    return true;
}

static size_t composing_byte(const LineEdit *e, size_t at, int characters) {
    size_t size = strlen(e->composing);
    for (; characters > 0 && at < size; characters--)
        at = utf8_next(e->composing, size, at);
    return at;
}

static void line_compose(Ui *ui, LineEdit *e) {
    const InputEvent *event;
    while ((event = ui_take(ui, INPUT_COMPOSE)) != NULL) {
        size_t repairs, bytes = utf8_repair(e->composing, sizeof e->composing - 1, event->text,
                                            event->text_bytes, &repairs);
        e->composing[bytes] = '\0';
        e->clause_from = composing_byte(e, 0, event->clause_at);
        e->clause_to = composing_byte(e, e->clause_from, event->clause_count);
        e->compose_caret = e->clause_to;
        e->has_composed |= bytes > 0;
        ui->again = true;
    }
}

static LineAction line_event(Ui *ui, LineEdit *e, const char *text, size_t size, LineChange *out) {
    line_compose(ui, e);
    if (line_insert(ui, e, out))
        return LINE_CHANGE;
    if (e->composing[0] != '\0' || line_move(ui, e, text, size))
        return LINE_NONE; /* while composing, the keys belong to the input method */
    if (line_delete(ui, e, text, size, out))
        return LINE_CHANGE;
    LineAction action = line_clipboard(ui, e, text, size, out);
    if (action != LINE_NONE)
        return action;
    if (ui_key(ui, KEY_ENTER, 0))
        return LINE_ENTER;
    return ui_key(ui, KEY_ESCAPE, 0) ? LINE_ESCAPE : LINE_NONE;
}

static bool is_pressed(const Ui *ui) {
    bool pressed = false;
    for (int i = 0; ui->first_pass && i < ui->input->event_count; i++)
        pressed |= ui->input->events[i].kind == INPUT_BUTTON_DOWN;
    return pressed;
}

/* After a press of the mouse, end the composition: make the composed text part of the text, and
 * restart the input method. Return false if nothing is being composed. */
static bool line_commit(LineEdit *e, LineChange *out) {
    if (e->composing[0] == '\0')
        return false;
    memcpy(e->committed, e->composing, sizeof e->committed);
    e->composing[0] = '\0';
    e->has_composed = false;
    e->restarts = true;
    *out =
        (LineChange){low_end(e), high_end(e), e->committed, strlen(e->committed), ++e->word_serial};
    e->word_serial++;
    return true;
}

LineAction line_edit_next(Ui *ui, LineEdit *e, const char *text, size_t size, LineChange *out) {
    LineAction action = LINE_NONE;
    bool pressed = is_pressed(ui);
    e->restarts &= pressed || !ui->first_pass;
    for (int event = 1; action == LINE_NONE && ui_narrow(ui, event); event++)
        action = line_event(ui, e, text, size, out);
    ui_narrow(ui, 0);
    return action == LINE_NONE && pressed && line_commit(e, out) ? LINE_CHANGE : action;
}

void line_edit_changed(LineEdit *e, const LineChange *change) {
    e->caret = e->anchor = change->from + change->bytes;
    e->leads = false;
}

void line_edit_clamp(LineEdit *e, const char *text, size_t size) {
    e->caret = utf8_floor(text, size, e->caret);
    e->anchor = utf8_floor(text, size, e->anchor);
}

void line_edit_select_all(LineEdit *e, size_t size) {
    e->anchor = 0;
    e->caret = size;
    e->word_serial++;
}

static void apply(Ui *ui, const LineBuffer *b, const LineChange *change) {
    char clean[CLEAN_MAX];
    size_t size = strlen(b->text), repairs;
    assert(b->capacity <= CLEAN_MAX);
    size_t room = b->capacity - 1 - (size - (change->to - change->from));
    LineChange fit = *change;
    fit.bytes = utf8_repair(clean, room, change->insert, change->bytes, &repairs);
    /* a repair makes 3 bytes of one */
    ui->is_cut |= fit.bytes < change->bytes + 2 * repairs;
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
        apply(ui, b, &change);
        *changed = true;
    }
    ui->wants_paste |= action == LINE_PASTE;
    return action == LINE_NONE && *changed ? LINE_CHANGE : action;
}
