/* Spot the bug: one layer as intended and with a broken initialisation, on the same draws. The
 * ticks of both show the intended values; the user says what is broken. */
#include <math.h>
#include <stdio.h>

#include "lab/broken_inits.h"
#include "ui/button.h"
#include "ui/prose.h"
#include "ui/text.h"
#include "views/compare/compare.h"

#define STRIDE    4 /* step through the table of questions, so that their order is not the table's */
#define ANSWERS_W 460
#define ANSWER_H  44
#define NAME_H    36
#define SECTION   14
#define BETWEEN   40
#define REASON_H  250
#define TOP       (NAME_H + 8)

/* The question shown, from 0, and the row of BROKEN_INITS that it is about. */
static int question_of(const CompareSettings *chosen) {
    int count = BROKEN_INIT_REGISTRY.count, question = chosen->bug - 1;
    return question < count ? question : count - 1;
}

static int bug_of(int question) {
    return (question * STRIDE + 2) % BROKEN_INIT_REGISTRY.count;
}

int compare_quiz_bug(const CompareSettings *chosen) {
    return bug_of(question_of(chosen));
}

static LabelStyle apart_style(const ViewContext *c) {
    return (LabelStyle){FONT_SANS, 16, c->ui->theme->text_2, LABEL_LEFT};
}

/* Write how far the gradients of two heads differ. A difference below 1e-6 is rounding, so it is
 * written as 0. */
static void apart_text(char out[96], const ViewContext *c, int column) {
    float apart = compare_comparison(c)->heads_apart[column];
    snprintf(out, 96, "∂W_Q of two heads differs by up to %.0f %%",
             100 * (double)(apart < 1e-6F ? 0 : apart));
}

/* Return the height of that text, the same for both columns. */
static float apart_height(const ViewContext *c, float width) {
    char text[96];
    LabelStyle style = apart_style(c);
    apart_text(text, c, 0);
    return 8 + style.size * LABEL_LINE * (float)prose_lines(c->ui, &style, text, width);
}

static void column_draw(const ViewContext *c, Rect place, int column, const char *name) {
    Rect line = rect_cut_top(&place, NAME_H);
    Rect mark = rect_cut_left(&line, 26);
    mark_draw(c->ui, column_mark(column), rect_centre(mark), 13, column_colour(c, column));
    text_in(c->ui, line, TEXT_HEADING, "%s", name);
    rect_cut_top(&place, 8);
    rect_cut_top(&place, compare_maps_draw(c, place, column));
    rect_cut_top(&place, SECTION);
    compare_spread_draw(c, rect_cut_top(&place, COMPARE_SPREAD_H), column);
    char text[96];
    LabelStyle style = apart_style(c);
    Rect apart = rect_cut_top(&place, apart_height(c, place.w));
    apart_text(text, c, column);
    if (isfinite(compare_comparison(c)->heads_apart[column]))
        prose_wrap(c->ui, apart, &style, text);
    compare_table_draw(c, place, column);
}

static int right_answers(const QuizMemory *quiz, int *answered) {
    int right = 0;
    *answered = 0;
    for (int q = 0; q < BROKEN_INIT_REGISTRY.count; q++) {
        *answered += quiz->guess[q] != 0;
        right += quiz->guess[q] == bug_of(q) + 1;
    }
    return right;
}

/* Draw the number of the question, with buttons to the others. */
static void turn_draw(const ViewContext *c, Rect line, int question) {
    int count = BROKEN_INIT_REGISTRY.count;
    Rect next = rect_cut_right(&line, 84);
    rect_cut_right(&line, 8);
    Rect before = rect_cut_right(&line, 84);
    text_in(c->ui, line, TEXT_HEADING, "What is wrong? %d of %d", question + 1, count);
    int to = question + 1;
    if (button_text(c->ui, ui_id("bug before", 0), before, "Back"))
        to = (question + count - 1) % count + 1;
    if (button_text(c->ui, ui_id("bug next", 0), next, "Next"))
        to = (question + 1) % count + 1;
    if (to != question + 1)
        view_set_number(c, "compare-bug", to, 0);
}

static void answer_draw(const ViewContext *c, Rect place, int question, int answer) {
    CompareMemory *m = c->memory->compare;
    const Theme *theme = c->ui->theme;
    int guess = m->quiz.guess[question] - 1, truth = bug_of(question);
    UiId id = ui_id("answer", answer);
    UiState state = ui_control(c->ui, id, place, 0);
    bool told = guess >= 0;
    draw_fill(c->ui->list, place, 8, state.hovered && !told ? theme->hover : theme->raised);
    if (told && answer == truth)
        draw_ring(c->ui->list, place, 8, 2, theme->ok);
    else if (told && answer == guess)
        draw_ring(c->ui->list, place, 8, 2, theme->warn);
    Rect inside = rect_inset(place, 14, 0);
    Rect sign = rect_cut_right(&inside, 22);
    if (told && answer == truth)
        icon_draw(c->ui, ICON_TICK, rect_centre(sign), 16, theme->ok);
    else if (told && answer == guess)
        icon_draw(c->ui, ICON_CLOSE, rect_centre(sign), 14, theme->warn);
    text_in(c->ui, inside, TEXT_BODY | TEXT_BRIGHT, "%s", BROKEN_INITS[answer].entry.label);
    ui_focus_ring(c->ui, id, place, 8);
    if (state.clicked && !told) {
        m->quiz.guess[question] = answer + 1;
        c->ui->again = true;
    }
}

/* After a guess, draw the explanation, its source and the score so far. */
static void reason_draw(const ViewContext *c, Rect area, const BrokenInit *bug, bool right) {
    Rect line = rect_cut_top(&area, 30);
    int answered, all = right_answers(&c->memory->compare->quiz, &answered);
    text_in(c->ui, line, TEXT_STRONG | (right ? TEXT_GOOD : TEXT_WARN),
            right ? "Right." : "Not that one.");
    text_in(c->ui, line, TEXT_CAPTION | TEXT_RIGHT, "%d of %d right so far", all, answered);
    text_in(c->ui, rect_cut_top(&area, 34), TEXT_NAME, "%s", bug->entry.formula);
    text_wrap(c->ui, &area, TEXT_CAPTION, bug->entry.help);
    rect_cut_top(&area, 8);
    text_wrap(c->ui, &area, TEXT_NOTE | TEXT_FAINT | TEXT_PLAIN, bug->source);
}

static void answers_draw(const ViewContext *c, Rect area, int question) {
    int guess = c->memory->compare->quiz.guess[question] - 1, truth = bug_of(question);
    turn_draw(c, rect_cut_top(&area, NAME_H), question);
    rect_cut_top(&area, 12);
    for (int i = 0; i < BROKEN_INIT_REGISTRY.count; i++)
        answer_draw(c, rect_inset(rect_cut_top(&area, ANSWER_H), 0, 3), question, i);
    rect_cut_top(&area, 14);
    if (guess >= 0)
        reason_draw(c, area, &BROKEN_INITS[truth], guess == truth);
}

void compare_quiz_draw(const ViewContext *c, Rect area) {
    CompareMemory *m = c->memory->compare;
    int question = question_of(&c->settings->compare);
    bool beside = area.w >= 1100;
    float answers_h = NAME_H + 12 + ANSWER_H * (float)BROKEN_INIT_REGISTRY.count + 14 + REASON_H;
    float width = beside ? area.w - ANSWERS_W - BETWEEN : area.w - SCROLL_BAR;
    float each = (width - BETWEEN) / 2;
    float height = TOP + compare_maps_height(c, each) + SECTION + COMPARE_SPREAD_H +
                   compare_table_height(c, each) + apart_height(c, each);
    float whole = beside ? fmaxf(height, answers_h) : height + SECTION + answers_h;
    ScrollArea scroll = scroll_begin(c->ui, ui_id("compare quiz", 0), area, &m->scroll,
                                     (Vec2){area.w, fmaxf(whole, area.h)});
    Rect content = scroll.content;
    Rect left = {content.x, content.y, each, height};
    Rect right = {content.x + each + BETWEEN, content.y, each, height};
    column_draw(c, left, 0, "As intended");
    column_draw(c, right, 1, "As initialised");
    Rect answers = {content.x, content.y + height + SECTION, width, answers_h};
    if (beside)
        answers = (Rect){content.x + width + BETWEEN, content.y,
                         rect_right(content) - content.x - width - BETWEEN, whole};
    answers_draw(c, answers, question);
    scroll_end(c->ui, &scroll);
}
