#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/rng.h"
#include "ui/label.h"
#include "views/lecture/lecture_parts.h"

#define NAME_MOST  28    /* most bytes of a token's name in a sentence, */
#define NAME_LEAST 8     /* most bytes of a token's name in a short sentence */
#define NEARLY_ALL 0.995 /* a share from here on is described as all of the weight */
#define QUOTED_MAX (VIEW_NAME_MAX + 32)
#define DECIMALS   6

const char *lecture_symbol(const ViewContext *c) {
    static const char *const SYMBOLS[SHOW_COUNT][2] = {
        [SHOW_WEIGHTS] = {"A", "ΔA"},
        [SHOW_SCORES] = {"S", "ΔS"},
        [SHOW_MASKED] = {"S", "ΔS"},
        [SHOW_GRADIENT_A] = {"∂L/∂A", "Δ∂L/∂A"},
        [SHOW_GRADIENT_S] = {"∂L/∂S", "Δ∂L/∂S"},
    };
    return SYMBOLS[c->settings->show][c->settings->minus.row != MINUS_NONE];
}

static bool is_plain(const ViewContext *c) {
    return c->settings->show == SHOW_WEIGHTS && c->settings->minus.row == MINUS_NONE;
}

void lecture_number(char out[32], const ViewContext *c, float value, float hi, bool brief) {
    int decimals = is_plain(c) || !(hi > 0) ? 2 : 2 - (int)floorf(log10f(hi) + 1e-4f);
    decimals = decimals < 0 ? 0 : decimals > DECIMALS ? DECIMALS : decimals;
    number_format_fixed(out, 32, (double)value, decimals);
    char *zero = brief && is_plain(c) && value < 1 ? strstr(out, "0.") : NULL;
    if (value == 0)
        snprintf(out, 32, brief && is_plain(c) ? ".00" : "0");
    else if (zero == out)
        memmove(out, out + 1, strlen(out));
}

bool lecture_has_twin(const ViewContext *c, int token) {
    size_t bytes, other_bytes;
    const char *name = view_token(c, token, &bytes);
    for (int i = 0; i < c->run->T; i++) {
        const char *other = view_token(c, i, &other_bytes);
        if (i != token && other_bytes == bytes && memcmp(name, other, bytes) == 0)
            return true;
    }
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

/* The inputs of a sentence. */
typedef struct Words {
    const ViewContext *context;
    char query[QUOTED_MAX], key[QUOTED_MAX];
    bool is_self;
    float value, hi;
    LectureSubject *subject;
} Words;

static void say_closed(char out[LECTURE_WORDS_MAX], const Words *w) {
    const ViewContext *c = w->context;
    const LectureSubject *s = w->subject;
    if (mask_open_keys(&c->run->mask, s->query) == 0)
        snprintf(out, LECTURE_WORDS_MAX, "%s has no open key: it reads nothing.", w->query);
    else if (w->is_self)
        snprintf(out, LECTURE_WORDS_MAX, "%s may not read itself.", w->query);
    else if (s->key > s->query && c->session->options.mask.row == MASK_CAUSAL)
        snprintf(out, LECTURE_WORDS_MAX, "%s may not read %s, which comes later.", w->query,
                 w->key);
    else
        snprintf(out, LECTURE_WORDS_MAX, "%s may not read %s: that edge is closed.", w->query,
                 w->key);
}

static void say_weight(char out[LECTURE_WORDS_MAX], const Words *w) {
    const char *to = w->is_self ? "itself" : w->key;
    char *share = w->subject->value;
    if (mask_open_keys(&w->context->run->mask, w->subject->query) == 1)
        snprintf(out, LECTURE_WORDS_MAX, "%s can only read %s.", w->query, to);
    else if (w->value <= 0)
        snprintf(out, LECTURE_WORDS_MAX, "%s gives none of its attention to %s.", w->query, to);
    else if ((double)w->value >= NEARLY_ALL)
        snprintf(out, LECTURE_WORDS_MAX, "%s gives %s of its attention to %s.", w->query,
                 w->value >= 1 ? "all" : "nearly all", to);
    else {
        number_format_percent(share, sizeof w->subject->value, (double)w->value);
        snprintf(out, LECTURE_WORDS_MAX, "%s gives %s of its attention to %s.", w->query, share,
                 to);
    }
}

static void number_of(const Words *w, float value) {
    lecture_number(w->subject->value, w->context, value, w->hi, false);
}

static void say_score(char out[LECTURE_WORDS_MAX], const Words *w) {
    number_of(w, w->value);
    snprintf(out, LECTURE_WORDS_MAX, "%s scores %s with %s, before softmax.", w->query,
             w->is_self ? "itself" : w->key, w->subject->value);
}

static void say_gradient(char out[LECTURE_WORDS_MAX], const Words *w) {
    number_of(w, w->value);
    bool of_score = w->context->settings->show == SHOW_GRADIENT_S;
    snprintf(out, LECTURE_WORDS_MAX, "∂L/∂%s is %s where %s reads %s.", of_score ? "S" : "A",
             w->subject->value, w->query, w->is_self ? "itself" : w->key);
}

/* Write the name of what is subtracted. */
static void other_of(char out[16], const ViewContext *c) {
    OptionChoice minus = c->settings->minus;
    if (minus.row == MINUS_HEAD)
        snprintf(out, 16, "head %d", minus.number);
    else
        snprintf(out, 16, "the other form");
}

static void say_difference(char out[LECTURE_WORDS_MAX], const Words *w) {
    static const char *const names[SHOW_COUNT] = {
        [SHOW_SCORES] = "score",
        [SHOW_MASKED] = "score",
        [SHOW_GRADIENT_A] = "gradient of A",
        [SHOW_GRADIENT_S] = "gradient of S",
    };
    char other[16];
    const char *key = w->is_self ? "itself" : w->key, *way = w->value > 0 ? "more" : "less";
    int show = w->context->settings->show;
    other_of(other, w->context);
    if (w->value != 0)
        number_of(w, fabsf(w->value));
    if (w->value == 0)
        snprintf(out, LECTURE_WORDS_MAX, "For %s and %s it is the same in %s.", w->query, key,
                 other);
    else if (show == SHOW_WEIGHTS)
        snprintf(out, LECTURE_WORDS_MAX, "%s gives %s %s %s than in %s.", w->query, key,
                 w->subject->value, way, other);
    else
        snprintf(out, LECTURE_WORDS_MAX, "The %s of %s for %s is %s %s than in %s.", names[show],
                 w->query, key, w->subject->value, way, other);
}

/* Return a hash of the names of the two tokens and the number of tokens. */
static uint64_t tokens_hash(const ViewContext *c, AttnCell cell) {
    size_t query_bytes, key_bytes;
    const char *query = view_token(c, cell.query, &query_bytes);
    const char *key = view_token(c, cell.key, &key_bytes);
    const uint64_t hashes[] = {(uint64_t)c->run->T, rng_hash(query, query_bytes),
                               rng_hash(key, key_bytes)};
    return rng_hash(hashes, sizeof hashes);
}

static void say_nothing(char out[LECTURE_WORDS_MAX], const ViewContext *c) {
    int head = c->session->options.head;
    if (is_plain(c) && view_is_uniform(c, 0, head - 1))
        snprintf(out, LECTURE_WORDS_MAX, "Head %d reads every open key equally.", head);
    else
        snprintf(out, LECTURE_WORDS_MAX, "Head %d: each row is what one token reads.", head);
}

static void say_cell(char out[LECTURE_WORDS_MAX], const Words *w) {
    const Settings *s = w->context->settings;
    if (w->value == DRAW_CELL_MASKED)
        say_closed(out, w);
    else if (!isfinite(w->value))
        snprintf(out, LECTURE_WORDS_MAX, "%s and %s: the number overflowed.", w->query, w->key);
    else if (s->minus.row != MINUS_NONE)
        say_difference(out, w);
    else if (s->show == SHOW_WEIGHTS)
        say_weight(out, w);
    else if (show_is_gradient(s->show))
        say_gradient(out, w);
    else
        say_score(out, w);
}

void lecture_sentence(char out[LECTURE_WORDS_MAX], LectureSubject *subject, const ViewContext *c,
                      float width) {
    const Heatmap *shown = heatmap_update(c);
    Settings made = *c->settings;
    ViewContext context = *c;
    context.settings = &made;
    out[0] = '\0';
    *subject = (LectureSubject){.query = -1, .key = -1};
    if (shown->why[0] != '\0')
        return;
    heatmap_settings(&made, c, shown);
    AttnCell cell = lecture_cell_at(&context);
    subject->head = c->session->options.head;
    subject->show = made.show;
    subject->minus = made.minus.row;
    if (!attn_cell_is_set(cell)) {
        say_nothing(out, &context);
        return;
    }
    int tile = lecture_tile(&context, shown);
    Words words = {.context = &context,
                   .is_self = cell.query == cell.key,
                   .value = heatmap_value(shown, 0, tile, cell.query, cell.key),
                   .hi = shown->layer[0].tile[tile].hi,
                   .subject = subject};
    subject->query = cell.query;
    subject->key = cell.key;
    subject->tokens = tokens_hash(&context, cell);
    quote(words.query, &context, cell.query, width);
    quote(words.key, &context, cell.key, width);
    say_cell(out, &words);
}
