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
    "Numbers set by hand, as NAME[HEAD](ROW,COLUMN)=VALUE, counted from 1: 'S1(7,5)=5;X(3,1)=0'. "
    "NAME is X, a weight, a bias, W_QK, S, or a head's gain or mean. 'sigma1(3)=2' sets the third "
    "singular value of head 1's W_QK, after its weights. 'gain2(1,1)=0' ablates head 2, "
    "'mean2(1,1)=1' replaces its output by the mean over the tokens."};

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

/* Return the numbers whose names are first to last; they are adjacent in the set. */
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

/* Return a copy with room for `more` numbers; return NULL and set err if memory runs out. */
static HandSet *copy_of(const HandSet *old, int more, Err *err) {
    HandNumbers numbers = hand_set_numbers(old);
    HandSet *set = heap_get(sizeof *set + (size_t)(numbers.count + more) * sizeof set->at[0]);
    if (set == NULL)
        return err_null(err, "memory",
                        "too little for the numbers set by hand; close other programs");
    *set = (HandSet){.owners = 1, .count = numbers.count};
    if (numbers.count > 0)
        memcpy(set->at, numbers.at, (size_t)numbers.count * sizeof set->at[0]);
    return set;
}

static bool replace(HandSet **set, HandSet *by) {
    hand_set_drop(*set);
    *set = by->count > 0 ? by : NULL;
    if (by->count == 0)
        free(by);
    return true;
}

/* Return the index of the first number whose place is equal to this place or after it. */
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

/* If keep is true, set one number in a set that has room for it; otherwise remove it. */
static void put(HandSet *set, const HandNumber *number, bool keep) {
    int at = lower_bound(set, number);
    bool is_there = at < set->count && hand_number_order(&set->at[at], number) == 0;
    size_t rest = (size_t)(set->count - at - is_there) * sizeof set->at[0];
    memmove(&set->at[at + keep], &set->at[at + is_there], rest);
    if (keep)
        set->at[at] = *number;
    set->count += keep - is_there;
}

bool hand_set_paint(HandSet **set, const HandPaint *paint, Err *err) {
    bool is_large = paint->rows > HAND_SET_MAX || paint->cols > HAND_SET_MAX ||
                    paint->rows * paint->cols > HAND_SET_MAX;
    HandSet *made = copy_of(*set, paint->keep && !is_large ? paint->rows * paint->cols : 0, err);
    if (made == NULL)
        return false;
    if (paint->first.name < 0)
        made->count = 0;
    for (int i = 0; !is_large && i < paint->rows; i++)
        for (int j = 0; j < paint->cols; j++) {
            HandNumber number = paint->first;
            number.row += i;
            number.col += j;
            put(made, &number, paint->keep);
        }
    if (!is_large && made->count <= HAND_SET_MAX)
        return replace(set, made);
    free(made);
    return err_usage(err, HAND_KEY.id, "more than %d numbers set by hand; set fewer", HAND_SET_MAX);
}

typedef struct Rest {
    const char *at, *end;
} Rest;

/* Read a whole number, at least 1, with at most 7 digits; no matrix has that many rows. */
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

/* Read the longest name that the text begins with, because W_Q and W_Q_full both begin with W_Q. */
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

static bool not_a_number(const char *item, size_t bytes, Err *err) {
    char shown[65], name[80];
    size_t repairs, used = utf8_repair(shown, sizeof shown - 1, item, bytes, &repairs);
    snprintf(name, sizeof name, "--set%s%.*s%s", bytes > 0 ? " " : "", (int)used, shown,
             used < bytes ? "…" : "");
    return err_usage(
        err, name,
        "must be NAME[HEAD](ROW,COLUMN)=VALUE with a finite VALUE, as in S1(7,5)=5;sigma1(3)=2");
}

bool hand_set_read(HandSet **set, const char *text, size_t bytes, Err *err) {
    bool is_none = bytes == 0 || (bytes == 4 && memcmp(text, "none", 4) == 0);
    int room = 1;
    for (size_t i = 0; i < bytes; i++)
        room += text[i] == ';';
    if (room > HAND_SET_MAX)
        return err_usage(err, "--set", "lists more than %d numbers; set fewer", HAND_SET_MAX);
    HandSet *made = copy_of(NULL, room, err);
    if (made == NULL)
        return false;
    for (const char *item = text, *end = is_none ? text : text + bytes; !is_none && item <= end;) {
        const char *next = memchr(item, ';', (size_t)(end - item));
        next = next != NULL ? next : end;
        HandNumber number;
        if (!number_read(&number, (Rest){item, next})) {
            free(made);
            return not_a_number(item, (size_t)(next - item), err);
        }
        put(made, &number, true);
        item = next + 1;
    }
    return replace(set, made);
}

size_t hand_number_write(char out[HAND_TEXT_MAX], const HandNumber *number) {
    char head[12] = "", col[16] = "";
    if (hand_name_has_heads(number->name))
        snprintf(head, sizeof head, "%d", number->head + 1);
    if (!hand_name_is_list(number->name))
        snprintf(col, sizeof col, ",%d", number->col + 1);
    return (size_t)snprintf(out, HAND_TEXT_MAX, "%s%s(%d%s)=%s", hand_name_id(number->name), head,
                            number->row + 1, col, EXACT(number->value));
}

void hand_set_write(TextOut *out, const HandSet *set) {
    char text[HAND_TEXT_MAX];
    for (int i = 0; set != NULL && i < set->count; i++) {
        hand_number_write(text, &set->at[i]);
        text_out(out, "%s%s", i > 0 ? ";" : "", text);
    }
}

bool hand_set_check(const HandSet *set, const AttnShape *shape, Err *err) {
    for (int i = 0; set != NULL && i < set->count; i++) {
        char text[HAND_TEXT_MAX];
        hand_number_write(text, &set->at[i]);
        if (!hand_number_check(&set->at[i], shape, PRINT("--set %s", text), err))
            return false;
    }
    return true;
}

bool hand_set_prune(HandSet **set, const AttnShape *shape, Err *err) {
    HandSet *made = copy_of(*set, 0, err);
    if (made == NULL)
        return false;
    int kept = 0;
    for (int i = 0; i < made->count; i++)
        if (hand_number_check(&made->at[i], shape, "", NULL))
            made->at[kept++] = made->at[i];
    made->count = kept;
    return replace(set, made);
}

/* Set *position to the new position of its token; return false if the token was removed. */
static bool move(int *position, const int *places, int count) {
    int place = *position < count ? places[*position] : -1;
    *position = place;
    return place >= 0;
}

bool hand_set_move(HandSet **set, const int *places, int count, Err *err) {
    HandNumbers old = hand_set_numbers(*set);
    HandSet *made = copy_of(*set, 0, err);
    if (made == NULL)
        return false;
    made->count = 0;
    for (int i = 0; i < old.count; i++) {
        HandNumber number = old.at[i];
        bool has_tokens = number.name == HAND_X || number.name == HAND_S;
        bool stays = !has_tokens || move(&number.row, places, count);
        if (number.name == HAND_S)
            stays = stays && move(&number.col, places, count);
        if (stays)
            put(made, &number, true);
    }
    return replace(set, made);
}
