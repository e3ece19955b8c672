#include "views/inspector/inspector_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/bars.h"
#include "ui/formula.h"
#include "ui/prose.h"

#define SECTION_AWAY 20
#define SECTION_H    40
#define SECTION_SIZE 20
#define FORMULA_SIZE 22
#define BARS_H       84
#define NOTE_H       26

LabelStyle inspector_words(const ViewContext *c) {
    return (LabelStyle){FONT_SANS, INSPECTOR_BODY, c->ui->theme->text_2, LABEL_LEFT};
}

LabelStyle inspector_numbers(const ViewContext *c) {
    return (LabelStyle){FONT_MONO, INSPECTOR_BODY, c->ui->theme->text_1, LABEL_RIGHT};
}

void inspector_pair(const ViewContext *c, Rect *rest, const char *name, const char *value) {
    Rect line = rect_cut_top(rest, INSPECTOR_LINE);
    LabelStyle style = inspector_words(c), number = inspector_numbers(c);
    line.w -= label_draw(c->ui, line, &number, value) + 8;
    prose_draw(c->ui, line, &style, name);
}

float inspector_token(const ViewContext *c, Rect rect, const LabelStyle *style, int token) {
    size_t bytes;
    const char *name = view_token(c, token, &bytes);
    UiId id = ui_id("inspector token", (int)rect.x * 8192 + (int)rect.y);
    view_token_tip(c, id, rect, ui_over(c->ui, rect), style, rect.w, token);
    return label_draw_bytes(c->ui, rect, style, name, bytes);
}

void inspector_equation(const ViewContext *c, Rect *rest, const char *name, const char *text) {
    Rect line = rect_cut_top(rest, INSPECTOR_LINE);
    float used = formula_draw(c->ui, (Vec2){line.x, line.y + 20}, 22, c->ui->theme->text_2, name);
    LabelStyle style = inspector_numbers(c);
    if (used + 12 + label_width(c->ui, style.font, style.size, text, strlen(text)) > line.w)
        line = rect_cut_top(rest, INSPECTOR_LINE);
    label_draw(c->ui, line, &style, text);
}

void inspector_section(const ViewContext *c, Rect *rest, const char *name, const char *formula) {
    rect_cut_top(rest, SECTION_AWAY);
    Rect line = rect_cut_top(rest, SECTION_H);
    LabelStyle style = {FONT_SANS_BOLD, SECTION_SIZE, c->ui->theme->text_1, LABEL_LEFT};
    label_draw(c->ui, line, &style, name);
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
    view_token_name(word, c, token, 40);
    snprintf(text, sizeof text,
             note->source == EMBED_HASHED ? "“%s” has a random vector."
                                          : "“%s” has another word's vector.",
             word);
    LabelStyle style = inspector_words(c);
    float height = label_wrap(c->ui, *rest, &style, text);
    rect_cut_top(rest, fmaxf(height, NOTE_H));
}
