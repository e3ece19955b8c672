#include "support/words.h"

#include <math.h>

#include "support/test.h"

#define CARET_W 2     /* that may stand in a word */
#define CAP     0.73f /* height of a capital over its size */

/* The visible part of a box that hides commands below it. */
typedef struct Cover {
    size_t at;
    Rect seen;
} Cover;

static Word word_of(const DrawList *list, const TextMeasure *measure, size_t at) {
    const DrawCommand *c = &list->commands[at];
    const DrawText *t = &c->as.text;
    const char *text = list->text + t->text_at;
    uint32_t bytes = t->text_bytes;
    while (bytes > 0 && text[bytes - 1] == ' ')
        bytes--;
    float width = measure->width(measure->context, t->font, t->size, text, bytes);
    float x = cosf(t->angle_rad), y = sinf(t->angle_rad), up = CAP * t->size;
    Word w = {.clip = c->clip,
              .is_rotated = t->angle_rad != 0,
              .layer = c->layer,
              .at = at,
              .text = text,
              .bytes = (int)bytes};
    Vec2 least = {INFINITY, INFINITY}, most = {-INFINITY, -INFINITY};
    for (int i = 0; i < 4; i++) {
        float along = i == 1 || i == 2 ? width : 0, above = i >= 2 ? up : 0;
        Vec2 p = {t->at.x + x * along + y * above, t->at.y + y * along - x * above};
        w.corner[i] = p;
        least = (Vec2){fminf(least.x, p.x), fminf(least.y, p.y)};
        most = (Vec2){fmaxf(most.x, p.x), fmaxf(most.y, p.y)};
    }
    w.around = (Rect){least.x, least.y, most.x - least.x, most.y - least.y};
    return w;
}

static bool is_blank(const DrawText *t) {
    return t->text_bytes == 0 || (t->colour & 255) == 0;
}

const Word *words_of(const DrawList *list, const TextMeasure *measure, int *count) {
    static Word words[WORDS_MAX];
    *count = 0;
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawCommand *c = &list->commands[i];
        if (c->kind != DRAW_TEXT || is_blank(&c->as.text))
            continue;
        assert_true(*count < WORDS_MAX);
        words[(*count)++] = word_of(list, measure, i);
    }
    return words;
}

/* Return the depth of the overlap of two boxes across the sides of the first; negative if a line
 * parallel to one of them separates them. */
static float depth(const Word *a, const Word *b) {
    float least = INFINITY;
    for (int side = 0; side < 2; side++) {
        Vec2 from = a->corner[side], to = a->corner[side + 1];
        float length = hypotf(to.x - from.x, to.y - from.y);
        Vec2 n = {(to.y - from.y) / length, (from.x - to.x) / length};
        float low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 8; i++) {
            Vec2 p = i < 4 ? a->corner[i] : b->corner[i - 4];
            float at = n.x * p.x + n.y * p.y;
            low[i / 4] = fminf(low[i / 4], at);
            high[i / 4] = fmaxf(high[i / 4], at);
        }
        least = fminf(least, fminf(high[0], high[1]) - fmaxf(low[0], low[1]));
    }
    return least;
}

static bool lies_on(const Word *a, const Word *b) {
    Rect seen =
        rect_intersect(rect_intersect(a->around, a->clip), rect_intersect(b->around, b->clip));
    return a->layer == b->layer && seen.w > WORDS_SLACK && seen.h > WORDS_SLACK &&
           depth(a, b) > WORDS_SLACK && depth(b, a) > WORDS_SLACK;
}

/* True if a box is a disc and a word is next to it, in a corner of the square around it. */
static bool is_in_a_corner(const DrawBox *box, Rect word) {
    Vec2 at = rect_centre(box->rect);
    float x = fmaxf(fmaxf(word.x - at.x, at.x - rect_right(word)), 0);
    float y = fmaxf(fmaxf(word.y - at.y, at.y - rect_bottom(word)), 0);
    bool is_round = box->rect.w == box->rect.h && box->radius >= box->rect.w / 2;
    return is_round && hypotf(x, y) > box->radius - WORDS_SLACK;
}

/* True if later commands hide a part of a word but not all of it. */
static bool is_half_covered(const DrawList *list, const Word *w, const Cover *covers, int count) {
    Rect word = rect_intersect(w->around, w->clip);
    for (int i = 0; i < count && !w->is_rotated; i++) {
        const DrawCommand *c = &list->commands[covers[i].at];
        if (covers[i].at < w->at || c->layer != w->layer || covers[i].seen.y > rect_bottom(word) ||
            is_in_a_corner(&c->as.box, word))
            continue;
        Rect both = rect_intersect(covers[i].seen, word);
        if (both.w > WORDS_SLACK && both.h > WORDS_SLACK)
            return both.w < word.w - WORDS_SLACK || both.h < word.h - WORDS_SLACK;
    }
    return false;
}

static int covers_of(const DrawList *list, Cover *out) {
    int count = 0;
    for (size_t i = 0; i < list->command_count && count < WORDS_MAX; i++) {
        const DrawCommand *c = &list->commands[i];
        bool is_caret = c->as.box.rect.w <= CARET_W;
        if (c->kind == DRAW_BOX && (c->as.box.fill & 255) >= 200 && !is_caret)
            out[count++] = (Cover){i, rect_intersect(c->as.box.rect, c->clip)};
    }
    assert_true(count < WORDS_MAX);
    return count;
}

void words_fail(void *where, const char *what, const Word *word, const Word *on) {
    fail_msg("%s: “%.*s” %s “%.*s”", (const char *)where, word->bytes, word->text, what,
             on != NULL ? on->bytes : 0, on != NULL ? on->text : "");
}

void words_check(const DrawList *list, const Word *words, int count, WordFault *fault, void *data) {
    static Cover covers[WORDS_MAX];
    int cover_count = covers_of(list, covers);
    for (int i = 0; i < count; i++) {
        if (is_half_covered(list, &words[i], covers, cover_count))
            fault(data, "is half covered", &words[i], NULL);
        for (int k = 0; k < i; k++)
            if (words[i].around.y < rect_bottom(words[k].around) &&
                words[k].around.y < rect_bottom(words[i].around) && lies_on(&words[i], &words[k]))
                fault(data, "lies on", &words[i], &words[k]);
    }
}
