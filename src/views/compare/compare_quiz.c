/* Spot the bug: one layer as intended and one with a broken initialisation, with the same random
 * numbers. The ticks of both show the intended values; the user must find out what is broken. */
#include <math.h>
#include <stdio.h>

#include "lab/broken_inits.h"
#include "ui/button.h"
#include "ui/text.h"
#include "views/compare/compare.h"

/* Step through the rows of BROKEN_INITS from question to question, so that the bugs are not in the
 * order of the list of answers. */
#define STRIDE    4
#define ANSWERS_W 460
#define ANSWER_H  44
#define NAME_H    36
#define SECTION   14
#define BETWEEN   40
#define REASON_H  250

static int question_of(const CompareSettings *chosen) {
    int count = BROKEN_INIT_REGISTRY.count;
    return (chosen->bug < count ? chosen->bug : count) - 1;
}

static int bug_of(int question) {
    return (question * STRIDE + 2) % BROKEN_INIT_REGISTRY.count;
}

int compare_quiz_bug(const CompareSettings *chosen) {
    return bug_of(question_of(chosen));
}

/* Write how far the gradients of two heads differ. A difference below 1e-6 is only rounding and is
 * written as 0. */
static const char *apart_text(char out[96], const ViewContext *c, int column) {
    float apart = compare_comparison(c)->heads_apart[column];
    snprintf(out, 96, "∂W_Q of two heads differs by up to %.0f %%",
             100 * (double)(apart < 1e-6F ? 0 : apart));
    return out;
}

static float apart_height(const ViewContext *c, float width) {
    return 8 + text_wrap_height(c->ui, TEXT_CAPTION, apart_text((char[96]){0}, c, 0), width);
}

static void column_draw(const ViewContext *c, Rect place, int column, const char *name) {
    Rect line = rect_cut_top(&place, NAME_H), mark = rect_cut_left(&line, 26);
    mark_draw(c->ui, column_mark(column), rect_centre(mark), 13, column_colour(c, column));
    text_in(c->ui, line, TEXT_HEADING, "%s", name);
    rect_cut_top(&place, 8);
    rect_cut_top(&place, compare_maps_draw(c, place, column));
    rect_cut_top(&place, SECTION);
    compare_spread_draw(c, rect_cut_top(&place, COMPARE_SPREAD_H), column);
    Rect apart = rect_cut_top(&place, apart_height(c, place.w));
    if (isfinite(compare_comparison(c)->heads_apart[column]))
        text_wrap(c->ui, &apart, TEXT_CAPTION, apart_text((char[96]){0}, c, column));
    compare_table_draw(c, place, column);
}

static void turn_draw(const ViewContext *c, Rect line, int question) {
    int count = BROKEN_INIT_REGISTRY.count, to = question;
    Rect next = rect_cut_right(&line, 84);
    rect_cut_right(&line, 8);
    Rect before = rect_cut_right(&line, 84);
    text_in(c->ui, line, TEXT_HEADING, "What is wrong? %d of %d", question + 1, count);
    if (button_text(c->ui, ui_id("bug before", 0), before, "Back"))
        to = (question + count - 1) % count;
    if (button_text(c->ui, ui_id("bug next", 0), next, "Next"))
        to = (question + 1) % count;
    if (to != question)
        view_set_number(c, "compare-bug", to + 1, 0);
}

static void answer_draw(const ViewContext *c, Rect place, int question, int answer) {
    const Theme *theme = c->ui->theme;
    int *guess = &c->memory->compare->guesses[question];
    bool is_told = *guess != 0, is_right = answer == bug_of(question);
    bool is_signed = is_told && (is_right || answer == *guess - 1);
    UiId id = ui_id("answer", answer);
    UiState state = ui_control(c->ui, id, place, 0);
    draw_fill(c->ui->list, place, 8, state.hovered && !is_told ? theme->hover : theme->raised);
    if (is_signed)
        draw_ring(c->ui->list, place, 8, 2, is_right ? theme->ok : theme->warn);
    Rect inside = rect_inset(place, 14, 0), sign = rect_cut_right(&inside, 22);
    if (is_signed)
        icon_draw(c->ui, is_right ? ICON_TICK : ICON_CLOSE, rect_centre(sign), is_right ? 16 : 14,
                  is_right ? theme->ok : theme->warn);
    text_in(c->ui, inside, TEXT_BODY | TEXT_BRIGHT, "%s", BROKEN_INITS[answer].entry.label);
    ui_focus_ring(c->ui, id, place, 8);
    if (state.clicked && !is_told) {
        *guess = answer + 1;
        c->ui->again = true;
    }
}

static void reason_draw(const ViewContext *c, Rect area, int question) {
    const int *guesses = c->memory->compare->guesses;
    const BrokenInit *bug = &BROKEN_INITS[bug_of(question)];
    bool is_right = guesses[question] == bug_of(question) + 1;
    int answered = 0, right = 0;
    for (int q = 0; q < BROKEN_INIT_REGISTRY.count; q++) {
        answered += guesses[q] != 0;
        right += guesses[q] == bug_of(q) + 1;
    }
    Rect line = rect_cut_top(&area, 30);
    text_in(c->ui, line, TEXT_STRONG | (is_right ? TEXT_GOOD : TEXT_WARN),
            is_right ? "Right." : "Not that one.");
    text_in(c->ui, line, TEXT_CAPTION | TEXT_RIGHT, "%d of %d right so far", right, answered);
    text_in(c->ui, rect_cut_top(&area, 34), TEXT_NAME, "%s", bug->entry.formula);
    text_wrap(c->ui, &area, TEXT_CAPTION, bug->entry.help);
    rect_cut_top(&area, 8);
    text_wrap(c->ui, &area, TEXT_NOTE | TEXT_FAINT | TEXT_PLAIN, bug->source);
}

void compare_quiz_draw(const ViewContext *c, Rect area) {
    CompareMemory *m = c->memory->compare;
    int question = question_of(&c->settings->compare);
    bool beside = area.w >= 1100;
    float answers_h = NAME_H + 12 + ANSWER_H * (float)BROKEN_INIT_REGISTRY.count + 14 + REASON_H;
    float width = beside ? area.w - ANSWERS_W - BETWEEN : area.w - SCROLL_BAR;
    float each = (width - BETWEEN) / 2;
    float height = NAME_H + 8 + compare_maps_height(c, each) + SECTION + COMPARE_SPREAD_H +
                   compare_table_height(c, each) + apart_height(c, each);
    float whole = beside ? fmaxf(height, answers_h) : height + SECTION + answers_h;
    ScrollArea scroll = scroll_begin(c->ui, ui_id("compare quiz", 0), area, &m->scroll,
                                     (Vec2){area.w, fmaxf(whole, area.h)});
    Rect content = scroll.content;
    Rect left = {content.x, content.y, each, height};
    Rect right = {content.x + each + BETWEEN, content.y, each, height};
    column_draw(c, left, 0, "As intended");
    column_draw(c, right, 1, "As initialised");
    if (beside)
        rect_cut_left(&content, width + BETWEEN);
    else
        rect_cut_top(&content, height + SECTION);
    content.w = fminf(content.w, beside ? content.w : width);
    turn_draw(c, rect_cut_top(&content, NAME_H), question);
    rect_cut_top(&content, 12);
    for (int i = 0; i < BROKEN_INIT_REGISTRY.count; i++)
        answer_draw(c, rect_inset(rect_cut_top(&content, ANSWER_H), 0, 3), question, i);
    rect_cut_top(&content, 14);
    if (m->guesses[question] != 0)
        reason_draw(c, content, question);
    scroll_end(c->ui, &scroll);
}
