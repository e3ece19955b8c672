#include "views/inspector/inspector_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/bars.h"
#include "ui/formula.h"

#define SECTION_AWAY 20
#define SECTION_H    40
#define FORMULA_SIZE 22
#define BARS_H       84
#define NOTE_H       26

void inspector_pair(const ViewContext *c, Rect *rest, const char *name, const char *value) {
    text_pair(c->ui, rect_cut_top(rest, INSPECTOR_LINE), name, "%s", value);
}

Rect inspector_head_line(const ViewContext *c, Rect *rest, int head) {
    Rect line = rect_cut_top(rest, INSPECTOR_LINE);
    draw_fill(c->ui->list, (Rect){line.x, line.y + 9, 12, 12}, 6, view_head_colour(c, head));
    rect_cut_left(&line, 22);
    return line;
}

float inspector_token(const ViewContext *c, Rect rect, unsigned style, int token) {
    size_t bytes;
    const char *name = view_token(c, token, &bytes);
    LabelStyle label = text_style(c->ui, style);
    UiId id = ui_id("inspector token", (int)rect.x * 8192 + (int)rect.y);
    view_token_tip(c, id, rect, ui_over(c->ui, rect), &label, rect.w, token);
    return label_draw_bytes(c->ui, rect, &label, name, bytes);
}

void inspector_equation(const ViewContext *c, Rect *rest, const char *name, const char *text) {
    Rect line = rect_cut_top(rest, INSPECTOR_LINE);
    float used = formula_draw(c->ui, (Vec2){line.x, line.y + 20}, 22, c->ui->theme->text_2, name);
    if (used + 12 + text_width(c->ui, TEXT_NUMBER, "%s", text) > line.w)
        line = rect_cut_top(rest, INSPECTOR_LINE);
    text_in(c->ui, line, TEXT_NUMBER | TEXT_RIGHT, "%s", text);
}

void inspector_section(const ViewContext *c, Rect *rest, const char *name, const char *formula) {
    rect_cut_top(rest, SECTION_AWAY);
    Rect line = rect_cut_top(rest, SECTION_H);
    text_in(c->ui, line, TEXT_HEADING, "%s", name);
    float width = formula_width(c->ui, FORMULA_SIZE, formula);
    formula_draw(c->ui, (Vec2){rect_right(line) - width, line.y + 24}, FORMULA_SIZE,
                 c->ui->theme->text_2, formula);
}

float inspector_largest(const float *values, int count) {
    float most = 0;
    for (int m = 0; m < count; m++)
        most = isfinite(values[m]) ? fmaxf(most, fabsf(values[m])) : most;
    return most;
}

int inspector_bars(const ViewContext *c, Rect *rest, const float *values, int count, float most) {
    return bars_draw(c->ui, rect_cut_top(rest, BARS_H),
                     &(Bars){values, count, c->ui->theme->signed_palette, -most, most, -1});
}

void inspector_token_note(const ViewContext *c, Rect *rest, int token) {
    const EmbedNote *note = &c->run->notes[token];
    bool is_own = note->source == EMBED_OWN || note->source == EMBED_TRAINED;
    if (c->session->options.embedding != EMBEDDING_GLOVE || is_own)
        return;
    char text[128], word[VIEW_NAME_MAX];
    float from = rest->y;
    view_token_name(word, c, token, 40);
    snprintf(text, sizeof text,
             note->source == EMBED_HASHED ? "“%s” has a random vector."
                                          : "“%s” has another word's vector.",
             word);
    text_wrap(c->ui, rest, TEXT_BODY | TEXT_PLAIN, text);
    rect_cut_top(rest, fmaxf(from + NOTE_H - rest->y, 0));
}
