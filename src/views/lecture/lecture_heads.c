#include <stdio.h>
#include <string.h>

#include "ui/label.h"
#include "views/lecture/lecture.h"

#define CHIP_W    52
#define CHIP_H    44
#define BETWEEN   6
#define CHIPS_MAX 8 /* with more heads, or less room, arrows step through the heads */
#define DOT       14
#define STEP_W    44
#define NAME      "Head"
#define NAME_GAP  14

static void choose(const ViewContext *c, int head) {
    edit_push_state(c->edits, "head", "%d", head + 1);
}

static UiState ground(const ViewContext *c, UiId id, Rect rect, bool chosen) {
    const Theme *theme = c->ui->theme;
    UiState state = ui_control(c->ui, id, rect, 0);
    draw_fill(c->ui->list, rect, 8,
              chosen          ? theme->fill
              : state.hovered ? theme->hover
                              : theme->raised);
    ui_focus_ring(c->ui, id, rect, 8);
    return state;
}

/* Draw a head's chip. On a filled chip the dot has its colour of the dark theme. */
static void chip(const ViewContext *c, Rect rect, int head) {
    const Theme *theme = c->ui->theme;
    bool chosen = head == c->session->options.head - 1;
    char text[12];
    snprintf(text, sizeof text, "%d", head + 1);
    UiState state = ground(c, ui_id("lecture head", head), rect, chosen);
    Colour dot = chosen ? THEMES[THEME_DARK].heads[head % THEME_HEADS] : view_head_colour(c, head);
    draw_fill(c->ui->list, (Rect){rect.x + 9, rect.y + (rect.h - DOT) / 2, DOT, DOT}, DOT / 2.0f,
              dot);
    LabelStyle style = {FONT_SANS, LECTURE_CONTROL, chosen ? theme->text_on_fill : theme->text_1,
                        LABEL_CENTRE};
    rect_cut_left(&rect, 20);
    label_draw(c->ui, rect, &style, text);
    if (state.clicked)
        choose(c, head);
}

static bool step(const ViewContext *c, const char *id, Rect rect, const char *arrow) {
    LabelStyle style = {FONT_SANS, LECTURE_CONTROL, c->ui->theme->text_1, LABEL_CENTRE};
    UiState state = ground(c, ui_id(id, 0), rect, false);
    label_draw(c->ui, rect, &style, arrow);
    return state.clicked;
}

static void stepper(const ViewContext *c, Rect rect, const char *words) {
    int heads = c->session->options.heads, head = c->session->options.head - 1;
    Rect before = rect_cut_left(&rect, STEP_W), next = rect_cut_right(&rect, STEP_W);
    LabelStyle style = {FONT_SANS, LECTURE_CONTROL, c->ui->theme->text_1, LABEL_CENTRE};
    if (step(c, "lecture head before", before, "‹"))
        choose(c, (head + heads - 1) % heads);
    rect_cut_left(&rect, 10);
    draw_fill(c->ui->list, (Rect){rect.x, rect.y + (rect.h - DOT) / 2, DOT, DOT}, DOT / 2.0f,
              view_head_colour(c, head));
    rect_cut_left(&rect, DOT);
    label_draw(c->ui, rect, &style, words);
    if (step(c, "lecture head after", next, "›"))
        choose(c, (head + 1) % heads);
}

void lecture_heads(const ViewContext *c, Rect line) {
    int heads = c->session->options.heads;
    char words[32];
    snprintf(words, sizeof words, "%d of %d", c->session->options.head, heads);
    float all = (float)heads * (CHIP_W + BETWEEN) - BETWEEN;
    bool few = heads <= CHIPS_MAX && all <= line.w;
    float width = few ? all
                      : 2 * STEP_W + DOT + 36 +
                            label_width(c->ui, FONT_SANS, LECTURE_CONTROL, words, strlen(words));
    Rect chips = rect_cut_right(&line, width);
    chips = (Rect){chips.x, chips.y + (chips.h - CHIP_H) / 2, chips.w, CHIP_H};
    LabelStyle style = {FONT_SANS, LECTURE_CONTROL, c->ui->theme->text_2, LABEL_RIGHT};
    rect_cut_right(&line, NAME_GAP);
    if (line.w >= label_width(c->ui, style.font, style.size, NAME, strlen(NAME)))
        label_draw(c->ui, line, &style, NAME);
    if (!few) {
        stepper(c, chips, words);
        return;
    }
    for (int i = 0; i < heads; i++) {
        chip(c, rect_cut_left(&chips, CHIP_W), i);
        rect_cut_left(&chips, BETWEEN);
    }
}
