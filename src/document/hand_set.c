#include "document/hand_set.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/utf8.h"

const Entry HAND_KEY = {
    "set", "Set by hand", "EDITS",
    "Numbers set by hand, as 'S1(7,5)=5;X(3,1)=0': X, a weight, a bias, W_QK, S or a head's gain "
    "or mean, its head, row and column from 1. 'sigma1(3)=2' sets the third singular value of head "
    "1's W_QK, after its weights. 'gain2(1,1)=0' ablates head 2, 'mean2(1,1)=1' replaces its "
    "output by the mean over the tokens."};

const HandPaint HAND_RESET = {.first = {.name = -1}};

void hand_set_drop(HandSet *set) {
    if (set != NULL && --set->owners == 0)
        free(set);
}

bool hand_set_equal(const HandSet *a, const HandSet *b) {
    return hand_set_same_names(a, b, 0, HAND_NAME_COUNT - 1);
}

const HandNumber *hand_set_find(const HandSet *set, const HandNumber *place) {
    return set == NULL
               ? NULL
               : bsearch(place, set->at, (size_t)set->count, sizeof set->at[0], hand_number_order);
}

/* Return the numbers whose names are first to last, which are next to each other. */
static HandNumbers range_of(const HandSet *set, int first, int last) {
    HandNumbers all = hand_set_numbers(set), range = {0};
    for (int i = 0; i < all.count; i++)
        if (all.at[i].name >= first && all.at[i].name <= last) {
            range.at = range.count == 0 ? &all.at[i] : range.at;
            range.count++;
        }
    return range;
}

bool hand_set_same_names(const HandSet *a, const HandSet *b, int first, int last) {
    HandNumbers left = range_of(a, first, last), right = range_of(b, first, last);
    bool same = left.count == right.count;
    for (int i = 0; same && i < left.count; i++)
        same = hand_number_order(&left.at[i], &right.at[i]) == 0 &&
               left.at[i].value == right.at[i].value;
    return same;
}

static bool no_memory(Err *err) {
    return err_fail(err, "memory", "too little for the numbers set by hand; close other programs");
}

/* Return a copy with room for more numbers, or NULL. */
static HandSet *copy_of(const HandSet *old, int more) {
    HandNumbers numbers = hand_set_numbers(old);
    HandSet *set = heap_get(sizeof *set + (size_t)(numbers.count + more) * sizeof set->at[0]);
    if (set == NULL)
        return NULL;
    *set = (HandSet){.owners = 1, .count = numbers.count};
    if (numbers.count > 0)
        memcpy(set->at, numbers.at, (size_t)numbers.count * sizeof set->at[0]);
    return set;
}

/* Set *out to the set, or to NULL if it is empty. */
static bool finish(HandSet **out, HandSet *set) {
    *out = set;
    if (set->count > 0)
        return true;
    free(set);
    *out = NULL;
    return true;
}

/* Return the index of the first number that does not come before the place. */
static int lower_bound(const HandSet *set, const HandNumber *place) {
    int first = 0, end = set->count;
    while (first < end) {
        int middle = (first + end) / 2;
        if (hand_number_order(&set->at[middle], place) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Set one number in a set with room for it, or remove it. */
static void put(HandSet *set, const HandNumber *number, bool keep) {
    int at = lower_bound(set, number);
    bool is_there = at < set->count && hand_number_order(&set->at[at], number) == 0;
    size_t rest = (size_t)(set->count - at - is_there) * sizeof set->at[0];
    memmove(&set->at[at + keep], &set->at[at + is_there], rest);
    if (keep)
        set->at[at] = *number;
    set->count += keep - is_there;
}

bool hand_set_paint(HandSet **out, const HandSet *old, const HandPaint *paint, Err *err) {
    bool is_large = paint->rows > HAND_SET_MAX || paint->cols > HAND_SET_MAX ||
                    paint->rows * paint->cols > HAND_SET_MAX;
    HandSet *set = copy_of(old, paint->keep && !is_large ? paint->rows * paint->cols : 0);
    if (set == NULL)
        return no_memory(err);
    if (paint->first.name < 0)
        set->count = 0;
    for (int i = 0; !is_large && i < paint->rows; i++)
        for (int j = 0; j < paint->cols; j++) {
            HandNumber number = paint->first;
            number.row += i;
            number.col += j;
            put(set, &number, paint->keep);
        }
    if (!is_large && set->count <= HAND_SET_MAX)
        return finish(out, set);
    free(set);
    return err_usage(err, HAND_KEY.id, "more than %d numbers set by hand; set fewer", HAND_SET_MAX);
}

/* The rest of a text that is being read. */
typedef struct Rest {
    const char *at, *end;
} Rest;

/* Read a whole number from 1 to TOKENS_MAX·64, the most rows of any matrix. */
static bool take_index(int *out, Rest *rest) {
    long long number;
    size_t bytes = 0;
    while (rest->at + bytes < rest->end && rest->at[bytes] >= '0' && rest->at[bytes] <= '9')
        bytes++;
    if (bytes == 0 || bytes > 7 || !number_parse_int(&number, rest->at, bytes) || number < 1)
        return false;
    rest->at += bytes;
    *out = (int)number - 1;
    return true;
}

static bool take_char(Rest *rest, char c) {
    bool is_next = rest->at < rest->end && *rest->at == c;
    rest->at += is_next;
    return is_next;
}

/* Read the longest name that fits, because W_Q and W_Q_full both begin with W_Q. */
static bool take_name(int *out, Rest *rest) {
    size_t longest = 0;
    for (int name = 0; name < HAND_NAME_COUNT; name++) {
        size_t bytes = strlen(hand_name_id(name));
        if (bytes > longest && bytes <= (size_t)(rest->end - rest->at) &&
            memcmp(rest->at, hand_name_id(name), bytes) == 0) {
            longest = bytes;
            *out = name;
        }
    }
    rest->at += longest;
    return longest > 0;
}

static bool number_read(HandNumber *out, Rest rest) {
    double value;
    *out = (HandNumber){0};
    if (!take_name(&out->name, &rest) ||
        (hand_name_has_heads(out->name) && !take_index(&out->head, &rest)) ||
        !take_char(&rest, '(') || !take_index(&out->row, &rest) ||
        (!hand_name_is_list(out->name) &&
         (!take_char(&rest, ',') || !take_index(&out->col, &rest))) ||
        !take_char(&rest, ')') || !take_char(&rest, '=') ||
        !number_parse_real(&value, rest.at, (size_t)(rest.end - rest.at)))
        return false;
    out->value = (float)value;
    return isfinite(out->value);
}

/* Report that the text between two semicolons is not a number set by hand. */
static bool not_a_number(const char *item, size_t bytes, Err *err) {
    char shown[65], name[80];
    size_t repairs, used = utf8_repair(shown, sizeof shown - 1, item, bytes, &repairs);
    snprintf(name, sizeof name, "--set%s%.*s%s", bytes > 0 ? " " : "", (int)used, shown,
             used < bytes ? "…" : "");
    return err_usage(
        err, name, "must be NAME[HEAD](ROW,COLUMN)=X with a finite X, as in S1(7,5)=5;sigma1(3)=2");
}

bool hand_set_read(HandSet **out, const char *text, size_t bytes, Err *err) {
    bool is_none = bytes == 0 || (bytes == 4 && memcmp(text, "none", 4) == 0);
    int room = 1;
    for (size_t i = 0; i < bytes; i++)
        room += text[i] == ';';
    if (room > HAND_SET_MAX)
        return err_usage(err, "--set", "lists more than %d numbers; set fewer", HAND_SET_MAX);
    HandSet *set = copy_of(NULL, room);
    if (set == NULL)
        return no_memory(err);
    for (const char *item = text, *end = text + bytes; !is_none && item <= end;) {
        const char *next = memchr(item, ';', (size_t)(end - item));
        next = next != NULL ? next : end;
        HandNumber number;
        if (!number_read(&number, (Rest){item, next})) {
            free(set);
            return not_a_number(item, (size_t)(next - item), err);
        }
        put(set, &number, true);
        item = next + 1;
    }
    return finish(out, set);
}

size_t hand_number_write(char out[HAND_TEXT_MAX], const HandNumber *number) {
    char head[12] = "", col[16] = "", value[NUMBER_TEXT];
    if (hand_name_has_heads(number->name))
        snprintf(head, sizeof head, "%d", number->head + 1);
    if (!hand_name_is_list(number->name))
        snprintf(col, sizeof col, ",%d", number->col + 1);
    number_format_exact(value, sizeof value, number->value);
    return (size_t)snprintf(out, HAND_TEXT_MAX, "%s%s(%d%s)=%s", hand_name_id(number->name), head,
                            number->row + 1, col, value);
}

size_t hand_set_write(char *out, size_t capacity, const HandSet *set) {
    size_t used = 0;
    for (int i = 0; set != NULL && i < set->count; i++) {
        char text[HAND_TEXT_MAX + 1] = ";";
        size_t bytes = hand_number_write(text + 1, &set->at[i]) + 1;
        const char *from = i > 0 ? text : text + 1;
        bytes -= i == 0;
        for (size_t k = 0; k < bytes; k++, used++)
            if (used + 1 < capacity)
                out[used] = from[k];
    }
    if (capacity > 0)
        out[used < capacity ? used : capacity - 1] = '\0';
    return used;
}

bool hand_set_check(const HandSet *set, const AttnShape *shape, Err *err) {
    for (int i = 0; set != NULL && i < set->count; i++) {
        char text[HAND_TEXT_MAX], what[HAND_TEXT_MAX + 8];
        hand_number_write(text, &set->at[i]);
        snprintf(what, sizeof what, "--set %s", text);
        if (!hand_number_check(&set->at[i], shape, what, err))
            return false;
    }
    return true;
}

bool hand_set_prune(HandSet **out, const HandSet *old, const AttnShape *shape, Err *err) {
    HandSet *set = copy_of(old, 0);
    if (set == NULL)
        return no_memory(err);
    set->count = 0;
    for (int i = 0; old != NULL && i < old->count; i++)
        if (hand_number_check(&old->at[i], shape, "", NULL))
            set->at[set->count++] = old->at[i];
    return finish(out, set);
}

/* Move one position; return false if its token was removed. */
static bool move(int *position, const int *places, int count) {
    int place = *position < count ? places[*position] : -1;
    *position = place;
    return place >= 0;
}

bool hand_set_move(HandSet **out, const HandSet *old, const int *places, int count, Err *err) {
    HandSet *set = copy_of(old, 0);
    if (set == NULL)
        return no_memory(err);
    set->count = 0;
    for (int i = 0; old != NULL && i < old->count; i++) {
        HandNumber number = old->at[i];
        bool has_tokens = number.name == HAND_X || number.name == HAND_S;
        bool stays = !has_tokens || move(&number.row, places, count);
        if (number.name == HAND_S)
            stays = stays && move(&number.col, places, count);
        if (stays)
            put(set, &number, true);
    }
    return finish(out, set);
}
