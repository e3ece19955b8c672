/* The line about X above all columns, with two buttons that make X similar to the X that theory
 * assumes: random vectors without positions or repeated words, or a layer normalisation, as in real
 * layers. */
#include <ctype.h>
#include <string.h>

#include "base/utf8.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/compare/compare.h"

#define APART 18

static bool take(Session *session, const Session *kept, Err *err) {
    (void)err;
    Session next = session_share(kept);
    session_release(session);
    *session = next;
    return true;
}

static bool same_word(const Results *run, int i, int j) {
    if (run->tokens[i].bytes != run->tokens[j].bytes)
        return false;
    const char *a = results_token(run, i), *b = results_token(run, j);
    for (uint32_t k = 0; k < run->tokens[i].bytes; k++)
        if (tolower((unsigned char)a[k]) != tolower((unsigned char)b[k]))
            return false;
    return true;
}

/* Delete repeated words and the blanks before them, starting with the last word. */
static bool cut_repeats(Session *session, const Results *run, Err *err) {
    for (int i = run->T - 1; i > 0; i--) {
        size_t from = run->tokens[i].at, to = from + run->tokens[i].bytes;
        bool is_repeat = false;
        for (int j = 0; j < i; j++)
            is_repeat = is_repeat || same_word(run, i, j);
        while (from > 0 && run->text->bytes[from - 1] == ' ')
            from--;
        if (is_repeat && !session_edit_text(session, from, to, "", 0, err))
            return false;
    }
    return true;
}

static bool set(Session *session, const char *key, const char *value, Err *err) {
    return session_set(session, option_find(&STATE_OPTIONS, key, strlen(key)), value, strlen(value),
                       err);
}

/* Set an X like the one that theory assumes, in one undo step. */
static void make_unit(const ViewContext *c) {
    Session *unit = &c->memory->compare->unit;
    Err err;
    if (unit->text != NULL)
        session_release(unit);
    *unit = session_share(c->session);
    if (cut_repeats(unit, c->run, &err) && set(unit, "embedding", "random", &err) &&
        set(unit, "positions", "none", &err) && set(unit, "block", "attention", &err))
        edit_push_change(c->edits, take, unit);
}

void compare_input_draw(const ViewContext *c, Tools *tools) {
    const TheoryOnInput *theory = &compare_comparison(c)->theory[0];
    bool normed = c->session->options.block == BLOCK_PRE_NORM;
    const char *name = !normed ? "X" : c->session->options.traits.norm.rms ? "RMSNorm(X)" : "LN(X)";
    const char *words = PRINT(c->run->T > 1 ? "%s: rms %s, mean cosine %s" : "%s: rms %s", name,
                              FIXED(theory->rms, 2), FIXED(theory->common, 2));
    float unit_w = text_width(c->ui, TEXT_BODY, "Unit X") + 32;
    float normal_w = toggle_width(c->ui, "LayerNorm");
    UiId unit = ui_id("unit X", 0), normal = ui_id("layer norm", 0);
    Rect line = tools_place(tools, text_width(c->ui, TEXT_CAPTION | TEXT_PLAIN, "%s", words) +
                                       unit_w + normal_w + 2 * APART + 1); /* 1 px for rounding */
    text_left(c->ui, &line, TEXT_CAPTION | TEXT_PLAIN | TEXT_BRIGHT, "%s", words);
    rect_cut_left(&line, APART - TEXT_GAP);
    Rect place = rect_cut_left(&line, unit_w);
    bool was = ui_disable(c->ui, (compare_x_is_unit(c) && !normed) || session_gives_x(c->session));
    if (button_text(c->ui, unit, place, "Unit X"))
        make_unit(c);
    ui_disable(c->ui, was);
    tooltip(c->ui, unit, place,
            &(Tooltip){"Unit X",
                       "Random vectors, no positions, no word twice: the X that theory assumes.",
                       NULL, NULL});
    rect_cut_left(&line, APART);
    if (line.w < normal_w) /* leave the button out, because the list of blocks offers this, too */
        return;
    place = rect_cut_left(&line, normal_w);
    if (button_toggle(c->ui, normal, place, "LayerNorm", normed))
        view_set(c, "block", normed ? "attention" : "pre-norm", 0);
    tooltip(c->ui, normal, place,
            &(Tooltip){"LayerNorm",
                       "Normalise each row of X before attention (pre-norm), as real layers do. X "
                       "then has rms 1, but keeps most of what the tokens have in common.",
                       NULL, NULL});
}
