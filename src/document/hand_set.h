/* hand_set.h: the numbers of the layer that a person set by hand, as the session keeps them. A
 * HandSet is shared and counted like a session's text and never changed in place; no number at all
 * is NULL. In text they are "S1(7,5)=5;X(3,1)=0": a name, the head if it has heads, row and column
 * from 1, and the value. Pure. */
#ifndef HEADLIGHT_DOCUMENT_HAND_SET_H
#define HEADLIGHT_DOCUMENT_HAND_SET_H

#include "base/registry.h"
#include "model/attention/hand_numbers.h"

#define HAND_SET_MAX  16384
#define HAND_TEXT_MAX 64 /* bytes of one number in text, with NUL */

typedef struct HandSet {
    int owners, count;
    HandNumber at[]; /* in the order of hand_number_order */
} HandSet;

/* The key of the state, and the option of the command line. */
extern const Entry HAND_KEY;

void hand_set_drop(HandSet *set);
bool hand_set_equal(const HandSet *a, const HandSet *b);

static inline HandNumbers hand_set_numbers(const HandSet *set) {
    return set != NULL ? (HandNumbers){set->at, set->count} : (HandNumbers){0};
}

/* Return the number at the place of another, or NULL if that was not set. */
const HandNumber *hand_set_find(const HandSet *set, const HandNumber *place);

/* A rectangle of one head's numbers, set to one value or (not keep) computed again. */
typedef struct HandPaint {
    HandNumber first;
    int rows, cols;
    bool keep;
} HandPaint;

/* Every number there can be, computed again. */
extern const HandPaint HAND_RESET;

static inline HandPaint hand_paint_of(const HandNumber *number, bool keep) {
    return (HandPaint){*number, 1, 1, keep};
}

/* True if both sets have the same numbers of the names first..last. */
bool hand_set_same_names(const HandSet *a, const HandSet *b, int first, int last);

/* *out becomes old with the rectangle set or computed again; old is not given up. Fails if there
 * would be more than HAND_SET_MAX numbers, or for want of memory. */
bool hand_set_paint(HandSet **out, const HandSet *old, const HandPaint *paint, Err *err);

/* *out becomes what the text lists; "" and "none" are NULL. Of two values for one place the last
 * counts. err names the number, and is a usage error where the text is not such a list. */
bool hand_set_read(HandSet **out, const char *text, size_t bytes, Err *err);

/* Write one number, or the whole set, as hand_set_read takes it, ended by NUL. Return the length;
 * what does not fit into capacity is left off. One set has one text. */
size_t hand_number_write(char out[HAND_TEXT_MAX], const HandNumber *number);
size_t hand_set_write(char *out, size_t capacity, const HandSet *set);

/* True if a layer of this shape has every number; err (may be NULL) names the first that it lacks.
 */
bool hand_set_check(const HandSet *set, const AttnShape *shape, Err *err);

/* *out becomes the numbers of old that a layer of this shape has. */
bool hand_set_prune(HandSet **out, const HandSet *old, const AttnShape *shape, Err *err);

/* *out becomes old for a text whose tokens were moved: token i is now at places[i], or gone if that
 * is -1. Numbers of X and S move with their tokens and leave with them. */
bool hand_set_move(HandSet **out, const HandSet *old, const int *places, int count, Err *err);

#endif
