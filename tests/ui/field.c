#include "ui/field.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

const char *const GRAPHEMES[GRAPHEME_COUNT] = {
    "e\u0301\u0323", "👩\u200D👩\u200D👧", "🇩🇪", "\u1112\u1161\u11AB", "👍🏽", "ñ", "x"};

static void apply(Field *f, const LineChange *change) {
    size_t size = strlen(f->text);
    assert_true(change->from <= change->to && change->to <= size);
    assert_true(size + change->bytes < sizeof f->text);
    memmove(f->text + change->from + change->bytes, f->text + change->to, size - change->to + 1);
    memcpy(f->text + change->from, change->insert, change->bytes);
    line_edit_changed(&f->edit, change);
    f->serials[f->changes++ % 64] = change->serial;
}

static void build(Panel *panel) {
    Field *f = panel->data;
    Rect rect = {LEFT, 100, 600, 40};
    UiState state = ui_control(&panel->ui, 7, rect, UI_NO_KEYS | UI_TEXT);
    LineChange change;
    LineAction action = LINE_NONE;
    while (panel->ui.focus == 7 &&
           (action = line_edit_next(&panel->ui, &f->edit, f->text, strlen(f->text), &change)) ==
               LINE_CHANGE)
        apply(f, &change);
    if (action != LINE_NONE)
        f->last = action;
    line_edit_draw(&panel->ui, &f->edit, rect, state, FONT_SANS, FIELD_SIZE, f->text,
                   strlen(f->text));
}

void field_open(Field *f, const char *text) {
    memset(f, 0, sizeof *f);
    snprintf(f->text, sizeof f->text, "%s", text);
    panel_open(&f->panel, build, f);
    ui_focus(&f->panel.ui, 7);
    f->edit.caret = f->edit.anchor = strlen(text);
    panel_events(&f->panel, NULL, 0);
}

void field_close(Field *f) {
    panel_close(&f->panel);
}

void field_key(Field *f, uint32_t code, unsigned mods) {
    panel_key(&f->panel, code, mods);
}

void field_place(Field *f, size_t anchor, size_t caret) {
    f->edit.anchor = anchor;
    f->edit.caret = caret;
}

void field_check(const Field *f, const char *text, size_t anchor, size_t caret) {
    assert_string_equal(f->text, text);
    assert_int_equal(f->edit.anchor, anchor);
    assert_int_equal(f->edit.caret, caret);
}

static void open_marked(Field *f, const char *marked) {
    char text[128] = "";
    size_t used = 0, ends[2] = {SIZE_MAX, 0};
    for (; *marked != '\0'; marked++)
        if (*marked == '[' || *marked == '|')
            ends[*marked == '|'] = used;
        else
            text[used++] = *marked;
    field_open(f, text);
    field_place(f, ends[ends[0] == SIZE_MAX], ends[1]);
}

void field_edits(const FieldEdit *edits, size_t count) {
    for (size_t i = 0; i < count; i++) {
        LOCAL(field_close) Field f;
        char marked[128] = "";
        open_marked(&f, edits[i].before);
        panel_keys(&f.panel, edits[i].keys);
        size_t used = 0, at = 0;
        do {
            if (at == f.edit.anchor && at != f.edit.caret)
                marked[used++] = '[';
            if (at == f.edit.caret)
                marked[used++] = '|';
            marked[used++] = f.text[at];
        } while (f.text[at++] != '\0' && used < sizeof marked - 3);
        if (strcmp(marked, edits[i].after) != 0)
            fail_msg("“%s” becomes “%s” by %s, not “%s”", edits[i].before, marked, edits[i].keys,
                     edits[i].after);
    }
}
