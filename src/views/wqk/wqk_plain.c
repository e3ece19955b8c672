#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "model/analysis/similarity.h"
#include "results/plain_similarity.h"
#include "ui/button.h"
#include "ui/tooltip.h"
#include "views/wqk/wqk_view.h"

#define SHOWN_MAX    8 /* maximum number of tokens that have a row and a column */
#define ROW_H        30
#define ROW_LEAST    22
#define NAME_W       92
#define COLUMN_W     148
#define COLUMN_LEAST 52
/* Px: a column at least this wide shows its numbers with a 0 before the decimal point. */
#define WEIGHT_W    136
#define BRIEF_W     98 /* px: a column narrower than this has no weights */
#define ARROW_APART 9
#define ARROW_CLOSE 3
#define WORDS_W     372
#define HEAD_H      30

static void token_name(const Wqk *w, Rect place, int token, unsigned align) {
    TokenLabel name = w->c->run->labels[token];
    LabelStyle style = text_style(w->ui, TEXT_BODY | TEXT_BRIGHT | align);
    label_draw_bytes(w->ui, place, &style, name.bytes, name.size);
}

/* Write a number with two decimals or, if brief, in at most four characters, such as ".12". */
static void two_digits(char out[16], float value, bool brief) {
    bool is_small = brief && fabsf(value) < 5e-4f;
    number_format_fixed(out, 16, is_small ? 0 : (double)value, brief && value <= -0.995f ? 1 : 2);
    char *zero = strstr(out, "0.");
    if (brief && zero != NULL && (zero == out || !isdigit((unsigned char)zero[-1])))
        memmove(zero, zero + 1, strlen(zero));
}

/* Draw the cosine of a pair. If result is not NULL, draw an arrow and the layer's result: the
 * weight that the head gives the pair, in percent, or the cosine of their rows of Y. */
static void cosine_draw(const Wqk *w, Rect place, float cosine, const float *result, bool is_same) {
    char text[16];
    bool is_brief = result != NULL && place.w + 10 <= WEIGHT_W;
    LabelStyle style = text_style(w->ui, TEXT_COUNT | (is_same ? TEXT_FAINT : TEXT_BRIGHT) |
                                             TEXT_RIGHT | (place.w > 50 ? 0 : TEXT_SMALL));
    if (result != NULL) {
        float apart = is_brief ? ARROW_CLOSE : ARROW_APART;
        LabelStyle arrow = style;
        arrow.colour = w->ui->theme->text_3;
        if (w->scores)
            snprintf(text, sizeof text, is_brief ? "%.0f%%" : "%.0f %%", 100 * (double)*result);
        else
            two_digits(text, *result, is_brief);
        place.w -= label_draw(w->ui, place, &style, text) + apart;
        place.w -= label_draw(w->ui, place, &arrow, "→") + apart;
    }
    two_digits(text, cosine, is_brief);
    label_draw(w->ui, place, &style, text);
}

/* Draw the cosine between every two tokens' rows of X and, next to it, the layer's result for the
 * pair: the head's weight or, for W_OV, the cosine between their rows of Y. Only the first tokens
 * are shown: at most SHOWN_MAX, and no more than there is room for. */
static void cosines(const Wqk *w, Rect area) {
    const ViewContext *c = w->c;
    int T = c->run->T, shown = T < SHOWN_MAX ? T : SHOWN_MAX;
    float room = fminf((area.w - NAME_W) / COLUMN_LEAST, (area.h - HEAD_H) / ROW_LEAST - 1);
    shown = (int)fmaxf(fminf((float)shown, floorf(room)), 1);
    float column = fminf(COLUMN_W, (area.w - NAME_W) / (float)shown);
    float row = fminf(ROW_H, (area.h - HEAD_H) / (float)(shown + 1));
    float end = area.x + NAME_W + column * (float)shown - 10;
    bool second = column >= BRIEF_W;
    Rect rest =
        text_section(w->ui, &area, HEAD_H,
                     area.w <= 420          ? "Cosines"
                     : !second              ? "Cosine of rows of X"
                     : !w->scores           ? "Cosine of rows of X → of Y"
                     : plain_is(c->session) ? "Cosine of rows of X → attention at W = I"
                                            : "Cosine of rows of X → attention of this layer",
                     NULL);
    rest.w = fminf(rest.w, end - rest.x);
    if (shown < T)
        text_in(w->ui, rest, TEXT_NOTE | TEXT_RIGHT, "the first %d of %d tokens\n", shown, T);
    Mat cosine = mat_push(c->scratch, T, T), result = mat_push(c->scratch, T, T);
    similarity_cosine(&cosine, &c->run->X, c->scratch);
    if (w->scores)
        result = *head_result_shown(w->m->full);
    else
        similarity_cosine(&result, &results_trace(c->run, 0)->Y, c->scratch);
    for (int i = -1; i < shown; i++) { /* first the columns' names */
        Rect line = rect_cut_top(&area, row);
        if (i >= 0)
            token_name(w, (Rect){line.x, line.y, NAME_W - 8, line.h}, i, 0);
        for (int j = 0; j < shown; j++) {
            Rect place = {line.x + NAME_W + column * (float)j, line.y, column - 10, line.h};
            if (i < 0)
                token_name(w, place, j, TEXT_RIGHT);
            else
                cosine_draw(w, place, mat_row(&cosine, i)[j],
                            second ? &mat_row(&result, i)[j] : NULL, i == j);
        }
    }
}

/* Draw the button that sets W_Q, W_K and W_V to I and keeps a copy of the session. If all three are
 * I, the button restores the layer instead. */
static void way_button(const Wqk *w, Rect place) {
    const ViewContext *c = w->c;
    Session *before = &w->memory->before_plain;
    UiId id = ui_id("wqk plain", 0);
    bool inside = plain_is(c->session);
    bool clicked =
        button_text(w->ui, id, place, inside ? "Restore the layer" : "Set all three to I");
    if (!inside)
        tooltip(w->ui, id, place, "Set W_Q, W_K and W_V to I",
                "I is square, so there is one head, as wide as the model. Positions are "
                "removed, and the text becomes “" PLAIN_TEXT
                "”. Another click restores everything.");
    if (!clicked)
        return;
    if (inside) {
        edit_push_change(c->edits, plain_leave, before->text != NULL ? before : NULL);
        return;
    }
    if (before->text != NULL)
        session_release(before);
    *before = session_share(c->session);
    edit_push_change(c->edits, plain_enter, NULL);
}

void wqk_plain_page(const Wqk *w, Rect area) {
    bool narrow = area.w < WQK_NARROW;
    if (w->c->is_hall) { /* in a hall the caption has this text */
        cosines(w, area);
        return;
    }
    Rect words =
        narrow ? rect_cut_top(&area, 250) : rect_cut_left(&area, fminf(WORDS_W, area.w * 0.42f));
    rect_cut_left(&area, narrow ? 0 : 40);
    text_section(w->ui, &words, 30, "W_Q = W_K = W_V = I", NULL);
    const char *text =
        w->c->session->options.positions == POSITION_NONE
            ? "Then Q, K and V are X itself, and a score is the dot product of two word vectors: "
              "similarity, the same in both directions. A layer learns W_QK instead."
            : "Then Q, K and V are X itself, and a score is the dot product of two rows of X. A "
              "row is word and position: with Positions set to None, it "
              "is the similarity of words alone.";
    /* Without room for both, leave out the text and keep the button. */
    if (words.h >= text_wrap_height(w->ui, TEXT_BODY, text, words.w) + 12 + BUTTON_HEIGHT) {
        text_wrap(w->ui, &words, TEXT_BODY, text);
        rect_cut_top(&words, 12);
    }
    way_button(w, (Rect){words.x, words.y, fminf(words.w, 260), BUTTON_HEIGHT});
    cosines(w, area);
}
