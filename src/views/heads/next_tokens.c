#include "views/heads/next_tokens.h"

#include <math.h>

#include "draw/part.h"
#include "results/model_output.h"
#include "ui/text.h"

#define ROW_H      24
#define NAME_W     104 /* px of the words */
#define BAR_W      52
#define BAR_H      10
#define REST_LEAST 250 /* px: least height of the arcs above the list */

/* Draw "0.120 → 0.031", or one number if nothing was edited. */
static void change(const ViewContext *c, Rect rect, double was, double now, int decimals) {
    if (c->run->next.edited)
        text_in(c->ui, rect, TEXT_COUNT | TEXT_BRIGHT | TEXT_RIGHT, "%s → %s", FIXED(was, decimals),
                FIXED(now, decimals));
    else
        text_in(c->ui, rect, TEXT_COUNT | TEXT_BRIGHT | TEXT_RIGHT, "%s", FIXED(now, decimals));
}

static void row_draw(const ViewContext *c, Rect line, const struct NextToken *token) {
    Rect name = rect_cut_left(&line, NAME_W), bar = rect_cut_left(&line, BAR_W);
    float now = BAR_W * (float)token->share[0], was = BAR_W * (float)token->share[1];
    name.w -= 8;
    text_in(c->ui, name, TEXT_BODY | TEXT_BRIGHT | TEXT_PLAIN, "%s", token->name);
    bar = (Rect){bar.x, bar.y + (bar.h - BAR_H) / 2, BAR_W, BAR_H};
    draw_fill(c->ui->list, bar, 3, c->ui->theme->raised);
    bar.w = fmaxf(now, 1);
    draw_fill(c->ui->list, bar, 3, c->ui->theme->fill);
    if (c->run->next.edited) /* mark the probability without edits by a line */
        draw_fill(c->ui->list, (Rect){bar.x + was - 1, bar.y - 4, 2, BAR_H + 8}, 0,
                  c->ui->theme->text_2);
    Rect logit = rect_cut_right(&line, line.w * 0.43f);
    change(c, line, token->share[1], token->share[0], 3);
    change(c, logit, token->logit[1], token->logit[0], 1);
}

void next_tokens_draw(const ViewContext *c, Rect *area) {
    const NextTokens *next = &c->run->next;
    float height = ROW_H * (NEXT_TOKENS + 1) + 8;
    if (!results_has_next_tokens(c->session) || area->h < height + REST_LEAST || c->ui->is_plain)
        return;
    Rect rest = rect_cut_bottom(area, height), line = rect_cut_top(&rest, ROW_H);
    bool reads_on = c->session->options.mask.row == MASK_CAUSAL;
    draw_part(c->ui->list, PART_RECT(((Rect){line.x, line.y, line.w, height})), "heads.next");
    Rect words = rect_cut_left(&line, NAME_W + BAR_W),
         logit = rect_cut_right(&line, line.w * 0.43f);
    text_in(c->ui, words, TEXT_STRONG, reads_on ? "Next word" : "Word at the last place");
    if (next->count == 0) {
        text_in(c->ui, rect_cut_top(&rest, ROW_H), TEXT_BODY | TEXT_FAINT, "computing …");
        return;
    }
    text_in(c->ui, line, TEXT_NOTE | TEXT_RIGHT, "probability");
    text_in(c->ui, logit, TEXT_NOTE | TEXT_RIGHT, "logit");
    Rect rows = rest;
    for (int i = 0; i < next->count; i++)
        row_draw(c, rect_cut_top(&rest, ROW_H), &next->at[i]);
    if (next->is_stale)
        draw_fill(c->ui->list, rows, 0, colour_fade(c->ui->theme->canvas, VIEW_VEIL));
}
