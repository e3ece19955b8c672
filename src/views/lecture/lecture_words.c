#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "ui/label.h"
#include "views/lecture/lecture_parts.h"

#define NAME_MOST  28    /* maximum bytes of a token's name in a sentence */
#define NAME_LEAST 8     /* maximum bytes of a token's name in a short sentence */
#define NEARLY_ALL 0.995 /* a share of at least this, but below 1, is "nearly all" */
#define QUOTED_MAX (VIEW_NAME_MAX + 32)
#define DECIMALS   6

static bool is_plain(const Lecture *l) {
    return l->made.maps.show == SHOW_WEIGHTS && l->made.maps.minus.row == MINUS_NONE;
}

const char *lecture_symbol(const Lecture *l) {
    static const char *const SYMBOLS[SHOW_COUNT][2] = {
        [SHOW_WEIGHTS] = {"A", "ΔA"},
        [SHOW_SCORES] = {"S", "ΔS"},
        [SHOW_MASKED] = {"S", "ΔS"},
        [SHOW_GRADIENT_A] = {"∂L/∂A", "Δ∂L/∂A"},
        [SHOW_GRADIENT_S] = {"∂L/∂S", "Δ∂L/∂S"},
    };
    return SYMBOLS[l->made.maps.show][l->made.maps.minus.row != MINUS_NONE];
}

void lecture_number(char out[32], const Lecture *l, float value, bool brief) {
    float hi = l->tile->hi;
    int decimals = is_plain(l) || !(hi > 0) ? 2 : 2 - (int)floorf(log10f(hi) + 1e-4f);
    decimals = decimals < 0 ? 0 : decimals > DECIMALS ? DECIMALS : decimals;
    number_format_fixed(out, 32, (double)value, decimals);
    char *zero = brief && is_plain(l) && value < 1 ? strstr(out, "0.") : NULL;
    if (value == 0)
        snprintf(out, 32, brief && is_plain(l) ? ".00" : "0");
    else if (zero == out)
        memmove(out, out + 1, strlen(out));
}

bool lecture_has_twin(const ViewContext *c, int token) {
    const TokenLabel *names = c->run->labels, *own = &names[token];
    for (int i = 0; i < c->run->T; i++)
        if (i != token && names[i].size == own->size &&
            memcmp(names[i].bytes, own->bytes, own->size) == 0)
            return true;
    return false;
}

static void quote(char out[QUOTED_MAX], const ViewContext *c, int token, float width) {
    char name[VIEW_NAME_MAX], quoted[QUOTED_MAX];
    for (size_t most = NAME_MOST; most >= NAME_LEAST; most--) {
        view_token_name(name, c, token, most);
        int bytes = snprintf(quoted, sizeof quoted, "“%s”.", name);
        if (label_width(c->ui, FONT_SANS_BOLD, LECTURE_LABEL, quoted, (size_t)bytes) <= width)
            break;
    }
    if (lecture_has_twin(c, token))
        snprintf(out, QUOTED_MAX, "“%s” (%d)", name, token + 1);
    else
        snprintf(out, QUOTED_MAX, "“%s”", name);
}

/* The contents of a sentence: the quoted names of its tokens, and the value. */
typedef struct Words {
    const Lecture *l;
    LectureSubject *subject;
    char query[QUOTED_MAX], key[QUOTED_MAX];
    const char *to; /* key, or "itself" */
    float value;
} Words;

static void say_closed(char out[LECTURE_WORDS_MAX], const Words *w) {
    AttnCell at = w->l->at;
    bool is_causal = w->l->c->session->options.mask.row == MASK_CAUSAL;
    if (mask_open_keys(&w->l->c->run->mask, at.query) == 0)
        snprintf(out, LECTURE_WORDS_MAX, "%s has no open key: it reads nothing.", w->query);
    else if (at.key == at.query)
        snprintf(out, LECTURE_WORDS_MAX, "%s may not read itself.", w->query);
    else
        snprintf(out, LECTURE_WORDS_MAX,
                 at.key > at.query && is_causal ? "%s may not read %s, which comes later."
                                                : "%s may not read %s: that edge is closed.",
                 w->query, w->key);
}

static void say_weight(char out[LECTURE_WORDS_MAX], const Words *w) {
    char *share = w->subject->value;
    if (mask_open_keys(&w->l->c->run->mask, w->l->at.query) == 1) {
        snprintf(out, LECTURE_WORDS_MAX, "%s can only read %s.", w->query, w->to);
        return;
    }
    if (w->value > 0 && (double)w->value < NEARLY_ALL)
        number_format_percent(share, sizeof w->subject->value, (double)w->value);
    snprintf(out, LECTURE_WORDS_MAX, "%s gives %s of its attention to %s.", w->query,
             w->value <= 0      ? "none"
             : w->value >= 1    ? "all"
             : share[0] != '\0' ? share
                                : "nearly all",
             w->to);
}

static void say_difference(char out[LECTURE_WORDS_MAX], const Words *w) {
    static const char *const names[SHOW_COUNT] = {
        [SHOW_SCORES] = "score",
        [SHOW_MASKED] = "score",
        [SHOW_GRADIENT_A] = "gradient of A",
        [SHOW_GRADIENT_S] = "gradient of S",
    };
    OptionChoice minus = w->l->made.maps.minus;
    const char *other = minus.row == MINUS_HEAD ? PRINT("head %d", minus.number) : "the other form";
    const char *size = w->subject->value, *way = w->value > 0 ? "more" : "less";
    if (w->value != 0)
        lecture_number(w->subject->value, w->l, fabsf(w->value), false);
    if (w->value == 0)
        snprintf(out, LECTURE_WORDS_MAX, "For %s and %s the number is the same in %s.", w->query,
                 w->to, other);
    else if (w->l->made.maps.show == SHOW_WEIGHTS)
        snprintf(out, LECTURE_WORDS_MAX, "%s gives %s %s %s than in %s.", w->query, w->to, size,
                 way, other);
    else
        snprintf(out, LECTURE_WORDS_MAX, "The %s of %s for %s is %s %s than in %s.",
                 names[w->l->made.maps.show], w->query, w->to, size, way, other);
}

static void say_cell(char out[LECTURE_WORDS_MAX], const Words *w) {
    int show = w->l->made.maps.show;
    if (w->value == DRAW_CELL_MASKED) {
        say_closed(out, w);
    } else if (!isfinite(w->value)) {
        snprintf(out, LECTURE_WORDS_MAX, "%s and %s: the number overflowed.", w->query, w->key);
    } else if (w->l->made.maps.minus.row != MINUS_NONE) {
        say_difference(out, w);
    } else if (show == SHOW_WEIGHTS) {
        say_weight(out, w);
    } else {
        lecture_number(w->subject->value, w->l, w->value, false);
        if (show_is_gradient(show))
            snprintf(out, LECTURE_WORDS_MAX, "∂L/∂%s is %s where %s reads %s.",
                     show == SHOW_GRADIENT_S ? "S" : "A", w->subject->value, w->query, w->to);
        else
            snprintf(out, LECTURE_WORDS_MAX, "The score of %s for %s is %s, before softmax.",
                     w->query, w->to, w->subject->value);
    }
}

void lecture_sentence(char out[LECTURE_WORDS_MAX], LectureSubject *subject, const ViewContext *c,
                      float width) {
    Lecture l;
    int head = c->session->options.head;
    out[0] = '\0';
    *subject = (LectureSubject){.query = -1, .key = -1};
    if (!lecture_begin(&l, c))
        return;
    subject->head = head;
    subject->show = l.made.maps.show;
    subject->minus = l.made.maps.minus.row;
    if (!attn_cell_is_set(l.at)) {
        snprintf(out, LECTURE_WORDS_MAX,
                 is_plain(&l) && view_is_uniform(c, 0, head - 1)
                     ? "Head %d reads every open key equally."
                     : "Head %d: each row shows what one token reads.",
                 head);
        return;
    }
    TokenLabel query = c->run->labels[l.at.query], key = c->run->labels[l.at.key];
    const uint64_t hashes[] = {(uint64_t)c->run->T, rng_hash(query.bytes, query.size),
                               rng_hash(key.bytes, key.size)};
    subject->query = l.at.query;
    subject->key = l.at.key;
    subject->tokens = rng_hash(hashes, sizeof hashes);
    Words words = {.l = &l, .subject = subject, .value = lecture_value(&l, l.at)};
    quote(words.query, c, l.at.query, width);
    quote(words.key, c, l.at.key, width);
    words.to = l.at.query == l.at.key ? "itself" : words.key;
    say_cell(out, &words);
}
