#include "views/tour_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "lab/study_stats.h"
#include "model/attention/form.h"
#include "results/comparison.h"
#include "results/product_analysis.h"
#include "views/compare/compare.h"
#include "views/train/train.h"

#define NAME_MOST  24
#define PIECE_MOST (TOKEN_DISPLAY_MAX + 32)
/* Numbers from here on have digits that a double does not know, and may not fit a long long. */
#define GROUPED_MAX 1e15

/* The arguments in parentheses: numbers, 0 for *; a word may come before the numbers. */
typedef struct Arguments {
    int at[2], count;
    char word[NAME_MOST];
} Arguments;

static int head_of(const ViewContext *c) {
    return c->session->options.head - 1;
}

int tour_largest_key(const ViewContext *c, int query) {
    Mat A = results_weights(c->run, 0, head_of(c));
    int most = -1;
    for (int j = 0; j < A.cols; j++)
        if (mask_row(&c->run->mask, query)[j] &&
            (most < 0 || mat_row(&A, query)[j] > mat_row(&A, query)[most]))
            most = j;
    return most;
}

static double cell_of(const ViewContext *c, const Arguments *a, const Mat *m) {
    int query = a->at[0] - 1, key = a->at[1] > 0 ? a->at[1] - 1 : tour_largest_key(c, query);
    return key >= 0 ? (double)mat_row(m, query)[key] : 0;
}

static double weight(const ViewContext *c, const Arguments *a) {
    Mat m = results_weights(c->run, 0, head_of(c));
    return cell_of(c, a, &m);
}

static double score_of_pair(const ViewContext *c, const Arguments *a) {
    Mat m = results_scores(c->run, 0, head_of(c));
    return cell_of(c, a, &m);
}

static double row_sum(const ViewContext *c, const Arguments *a) {
    Mat m = results_weights(c->run, 0, head_of(c));
    double sum = 0;
    for (int j = 0; j < m.cols; j++)
        sum += (double)mat_row(&m, a->at[0] - 1)[j];
    return sum;
}

static double entropy(const ViewContext *c, const Arguments *a) {
    return c->run->layers[0].figures.stats[a->at[0] - 1].entropy;
}

static double rank(const ViewContext *c, const Arguments *a) {
    int found = results_rank(c->run, 0, a->at[0] - 1);
    return found == RANK_UNKNOWN ? (double)NAN : found;
}

static double sigma(const ViewContext *c, const Arguments *a) {
    const ProductAnalysis *m = c->run->analysis;
    bool has = m != NULL && product_analysis_is_current(c->run) && a->at[0] >= 1;
    if (!has || m->product.count == 0)
        return NAN;
    return a->at[0] <= m->product.count ? m->product.sigma[a->at[0] - 1] : 0;
}

static double difference(const ViewContext *c, const Arguments *a) {
    (void)a;
    const ProductAnalysis *m = c->run->analysis;
    if (m != NULL && product_analysis_is_current(c->run) &&
        strcmp(VIEWS[c->settings->view].entry.id, "wqk") == 0)
        return (double)m->form_A;
    return (double)c->run->layers[0].figures.form_difference_A;
}

static double params(const ViewContext *c, const Arguments *a) {
    int form = registry_find(&ATTN_FORMS, a->word, strlen(a->word));
    AttnShape shape = c->run->layers[0].shape[0];
    if (form < 0)
        return NAN;
    shape.form = (AttnForm)form;
    return (double)cost_of_scores(&shape).parameters;
}

static double cosine_of(const Mat *m, const Arguments *a) {
    if (a->at[1] == 0)
        return NAN;
    const float *x = mat_row(m, a->at[0] - 1), *y = mat_row(m, a->at[1] - 1);
    double xx = 0, yy = 0, xy = 0;
    for (int j = 0; j < m->cols; j++) {
        xx += (double)x[j] * (double)x[j];
        yy += (double)y[j] * (double)y[j];
        xy += (double)x[j] * (double)y[j];
    }
    return xy / sqrt(xx * yy);
}

static double cosine(const ViewContext *c, const Arguments *a) {
    return cosine_of(&c->run->X, a);
}

static double cosine_y(const ViewContext *c, const Arguments *a) {
    return cosine_of(&results_trace(c->run, 0)->Y, a);
}

static double measure_last(const ViewContext *c, int scheme, int stat) {
    const Study *study = compare_study_shown(c, COMPARE_STACK);
    bool has = stat >= 0 && scheme >= 0 && scheme < study->in;
    return has ? (double)study_value(study, scheme, 0, study->plan.layers - 1, (StudyStat)stat)
               : NAN;
}

static double measure(const ViewContext *c, const Arguments *a) {
    const ComparisonResults *of = c->run->comparison;
    int stat = registry_find(&STUDY_STAT_REGISTRY, a->word, strlen(a->word));
    if (c->settings->compare.part == COMPARE_DEPTH)
        return measure_last(c, a->at[0] - 1, stat);
    bool has = of != NULL && results_comparison_is_current(c->run) && stat >= 0 && a->at[0] >= 1 &&
               a->at[0] <= of->request.schemes.count;
    return has ? (double)of->comparison.values[a->at[0] - 1][stat] : NAN;
}

static const RaceRecord *record(const ViewContext *c, int step) {
    const TrainMemory *memory = c->memory->train;
    const TrainRace *of = train_shown(memory);
    bool has = !memory->failed && of->race != NULL && step >= 0 && train_frontier(of->race) >= step;
    return has ? race_record(of->race, 0, step) : NULL;
}

static double loss(const ViewContext *c, const Arguments *a) {
    const RaceRecord *at = record(c, a->at[0]);
    return at != NULL ? (double)at->held_out : NAN;
}

static double score_of_task(const ViewContext *c, const Arguments *a) {
    const RaceRecord *at = record(c, a->at[0]);
    return at != NULL ? (double)at->score : NAN;
}

/* The meaning of the numbers in parentheses, so that their range can be checked. */
typedef enum Counts { COUNTS_NONE, COUNTS_TOKENS, COUNTS_PAIRS, COUNTS_HEADS, COUNTS_ANY } Counts;

static const struct {
    const char *name;
    bool has_word;
    Counts counts;
    double (*value)(const ViewContext *c, const Arguments *a);
} NUMBERS[] = {
    {"A", false, COUNTS_PAIRS, weight},          {"S", false, COUNTS_PAIRS, score_of_pair},
    {"sum", false, COUNTS_TOKENS, row_sum},      {"entropy", false, COUNTS_HEADS, entropy},
    {"rank", false, COUNTS_HEADS, rank},         {"sigma", false, COUNTS_ANY, sigma},
    {"loss", false, COUNTS_ANY, loss},           {"score", false, COUNTS_ANY, score_of_task},
    {"cosine", false, COUNTS_PAIRS, cosine},     {"cosine_y", false, COUNTS_PAIRS, cosine_y},
    {"measure", true, COUNTS_ANY, measure},      {"params", true, COUNTS_NONE, params},
    {"max|dA|", false, COUNTS_NONE, difference},
};

static bool arguments_read(Arguments *a, const char *text, size_t bytes, bool has_word) {
    *a = (Arguments){.count = 0};
    for (size_t at = 0; at < bytes;) {
        const char *part = text + at, *comma = memchr(part, ',', bytes - at);
        size_t size = comma != NULL ? (size_t)(comma - part) : bytes - at;
        long long number = 0;
        at += size + 1;
        if (has_word && a->word[0] == '\0' && size > 0 && size < sizeof a->word) {
            memcpy(a->word, part, size);
        } else if (a->count < 2 &&
                   ((size == 1 && part[0] == '*') ||
                    (number_parse_int(&number, part, size) && number >= 0 && number <= 1000000))) {
            a->at[a->count++] = (int)number;
        } else {
            return false;
        }
    }
    return !has_word || a->word[0] != '\0';
}

static bool fits(const ViewContext *c, const Arguments *a, Counts counts) {
    switch (counts) {
    case COUNTS_NONE:
        return a->count == 0;
    case COUNTS_ANY:
        return a->count == 1;
    case COUNTS_TOKENS:
        return a->count == 1 && a->at[0] >= 1 && a->at[0] <= c->run->T;
    case COUNTS_PAIRS:
        return a->count == 2 && a->at[0] >= 1 && a->at[0] <= c->run->T && a->at[1] >= 0 &&
               a->at[1] <= c->run->T;
    case COUNTS_HEADS:
        return a->count == 1 && a->at[0] >= 1 && a->at[0] <= c->session->options.heads;
    }
    return false;
}

static bool refuse(const char *text, size_t bytes, const char *why, Err *err) {
    return err_usage(err, PRINT("%.*s", (int)(bytes < 60 ? bytes : 60), text), "%s", why);
}

bool tour_number(double *out, const ViewContext *c, const char *text, size_t bytes, Err *err) {
    if (number_parse_real(out, text, bytes))
        return true;
    const char *open = memchr(text, '(', bytes);
    size_t name = open != NULL ? (size_t)(open - text) : bytes;
    size_t inside = open != NULL ? bytes - name - 2 : 0;
    if (open != NULL && (bytes < name + 2 || text[bytes - 1] != ')'))
        return refuse(text, bytes, "lacks its closing parenthesis", err);
    for (size_t i = 0; i < ARRAY_COUNT(NUMBERS); i++) {
        Arguments a;
        if (strlen(NUMBERS[i].name) != name || memcmp(NUMBERS[i].name, text, name) != 0)
            continue;
        if (!arguments_read(&a, open != NULL ? open + 1 : "", inside, NUMBERS[i].has_word) ||
            !fits(c, &a, NUMBERS[i].counts))
            return refuse(text, bytes, "is not in this layer", err);
        *out = NUMBERS[i].value(c, &a);
        return true;
    }
    return refuse(text, bytes, "is not a number that a tour can show", err);
}

/* Write the name of the token that token(9) or token(A(9,*)) means. Return false for other
 * texts. */
static bool token_words(char *out, size_t capacity, const ViewContext *c, const char *text,
                        size_t bytes) {
    char inside[48];
    int query, key;
    if (bytes < 8 || memcmp(text, "token(", 6) != 0 || text[bytes - 1] != ')' ||
        bytes - 7 >= sizeof inside)
        return false;
    memcpy(inside, text + 6, bytes - 7);
    inside[bytes - 7] = '\0';
    long long token = 0;
    if (!number_parse_int(&token, inside, strlen(inside)) && tour_place(&query, &key, inside) &&
        query <= c->run->T)
        token = key > 0 ? key : tour_largest_key(c, query - 1) + 1;
    if (token < 1 || token > c->run->T)
        return false;
    TokenLabel name = c->run->labels[token - 1];
    snprintf(out, capacity, "%.*s", (int)name.size, name.bytes);
    return true;
}

static bool number_words(char *out, size_t capacity, double value, const char *format,
                         size_t bytes) {
    bool is_decimals =
        bytes == 3 && format[0] == '.' && format[1] >= '0' && format[1] <= '9' && format[2] == 'f';
    if (bytes > 0 && !is_decimals && !(bytes == 1 && strchr("%e,", format[0]) != NULL))
        return false;
    if (!isfinite(value))
        snprintf(out, capacity, "…");
    else if (bytes == 1 && format[0] == '%') {
        const char *percent = PERCENT(value); /* its space is replaced by a no-break space */
        snprintf(out, capacity, "%.*s\u00a0%%", (int)strcspn(percent, " "), percent);
    } else if (bytes == 1 && format[0] == ',' && fabs(value) < GROUPED_MAX)
        number_format_grouped(out, capacity, llround(value));
    else if (bytes == 1 && format[0] == 'e' && value != 0) {
        /* Write 2 × 10⁻⁷ with no-break spaces. */
        static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
        char rounded[16];
        snprintf(rounded, sizeof rounded, "%.0e", value);
        int power = atoi(strchr(rounded, 'e') + 1), size = abs(power);
        snprintf(out, capacity, "%s%c\u00a0×\u00a010%s%s%s%s", value < 0 ? "−" : "",
                 rounded[value < 0], power < 0 ? "⁻" : "", size >= 100 ? digits[size / 100] : "",
                 size >= 10 ? digits[size / 10 % 10] : "", digits[size % 10]);
    } else
        number_format_fixed(out, capacity, value, is_decimals ? format[1] - '0' : 2);
    return true;
}

static bool piece_words(char *out, size_t capacity, bool *lacks, const ViewContext *c,
                        const char *text, size_t bytes, Err *err) {
    double value;
    const char *colon = memchr(text, ':', bytes);
    size_t name = colon != NULL ? (size_t)(colon - text) : bytes;
    if (token_words(out, capacity, c, text, bytes))
        return true;
    if (!tour_number(&value, c, text, name, err))
        return false;
    *lacks |= !isfinite(value);
    return number_words(out, capacity, value, colon != NULL ? colon + 1 : "",
                        colon != NULL ? bytes - name - 1 : 0) ||
           refuse(text, bytes, "has an unknown format; use %, e, a comma or .2f", err);
}

const char *tour_words(TextOut *out, bool *lacks, const ViewContext *c, const char *words,
                       Err *err) {
    char piece[PIECE_MOST];
    *err = (Err){0};
    *lacks = false;
    text_out_reset(out);
    text_out(out, "%s", "");
    for (size_t at = 0, bytes; words[at] != '\0'; at += bytes) {
        bytes = strcspn(words + at, "{");
        if (bytes == 0) {
            bytes = 1 + strcspn(words + at + 1, "{}");
            bool is_closed = words[at + bytes] == '}';
            if (is_closed &&
                piece_words(piece, sizeof piece, lacks, c, words + at + 1, bytes - 1, err)) {
                text_out(out, "%s", piece);
                bytes++;
                continue;
            }
            if (!is_closed)
                refuse(words + at, 1, "is open", err);
        }
        text_out_bytes(out, words + at, bytes);
    }
    if (out->failed)
        err_fail(err, "memory", "too little for the words of a step; close other programs");
    return out->at != NULL ? out->at : "";
}

bool tour_holds(const ViewContext *c, const char *condition, Err *err) {
    size_t left = strcspn(condition, "<>"), at = left;
    double a = NAN, b = NAN;
    if (condition[at] == '\0')
        return refuse(condition, strlen(condition), "has no <, <=, > or >=", err);
    bool is_less = condition[at++] == '<', is_equal = condition[at] == '=';
    at += is_equal;
    at += strspn(condition + at, " ");
    while (left > 0 && condition[left - 1] == ' ')
        left--;
    if (!tour_number(&a, c, condition, left, err) ||
        !tour_number(&b, c, condition + at, strlen(condition + at), err))
        return false;
    if ((is_less ? a < b : a > b) || (is_equal && a == b))
        return true;
    return err_fail(err, condition, "does not hold: it is %s", FIXED(a, 3));
}

bool tour_place(int *query, int *key, const char *text) {
    char name[5], last[8];
    int used = 0;
    long long number = 0;
    if (sscanf(text, "%4[a-zA-Z](%6d,%7[0-9*])%n", name, query, last, &used) != 3 ||
        text[used] != '\0' || *query < 1)
        return false;
    if (strcmp(last, "*") != 0 && !number_parse_int(&number, last, strlen(last)))
        return false;
    *key = (int)number;
    return strcmp(name, "pin") == 0 || strcmp(name, "A") == 0;
}
