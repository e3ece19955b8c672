/* hand_set.h: the numbers of the layer that the user set by hand, as a session stores them. A
 * HandSet is shared and counted like a session's text, and never changed in place; NULL is an empty
 * set. In text it looks like "S1(7,5)=5;X(3,1)=0": a name, the head if there are heads, row and
 * column from 1, and the value; "sigma1(3)=2" has no column. Pure. */
#ifndef HEADLIGHT_DOCUMENT_HAND_SET_H
#define HEADLIGHT_DOCUMENT_HAND_SET_H

#include "base/registry.h"
#include "base/text_out.h"
#include "model/attention/hand_numbers.h"

#define HAND_SET_MAX  16384
#define HAND_TEXT_MAX 64 /* limit of bytes of one number in text, NUL included */

typedef struct HandSet {
    int owners, count;
    HandNumber at[]; /* the numbers, sorted by hand_number_order */
} HandSet;

/* The option `hand`, in the state string and on the command line. */
extern const Entry HAND_KEY;

void hand_set_drop(HandSet *set);
bool hand_set_equal(const HandSet *a, const HandSet *b);

static inline HandNumbers hand_set_numbers(const HandSet *set) {
    return set != NULL ? (HandNumbers){set->at, set->count} : (HandNumbers){0};
}

const HandNumber *hand_set_find(const HandSet *set, const HandNumber *place);

/* A request to set a rectangle of numbers of one head to one value or, if keep is false, to restore
 * the computed values. */
typedef struct HandPaint {
    HandNumber first;
    int rows, cols;
    bool keep;
} HandPaint;

/* The request that restores every computed number. */
extern const HandPaint HAND_RESET;

static inline HandPaint hand_paint_of(const HandNumber *number, bool keep) {
    return (HandPaint){*number, 1, 1, keep};
}

bool hand_set_same_names(const HandSet *a, const HandSet *b, int first, int last);

/* The functions below replace *set by a changed copy. On failure *set stays unchanged. All fail if
 * memory runs out. */

/* Set or restore the rectangle. Fails if there are more than HAND_SET_MAX numbers. */
bool hand_set_paint(HandSet **set, const HandPaint *paint, Err *err);

/* Replace the set by the numbers in the text; "" and "none" give NULL. If a place occurs twice, the
 * last value counts. If the text is not such a list, err is a usage error that names the number. */
bool hand_set_read(HandSet **set, const char *text, size_t bytes, Err *err);

bool hand_set_prune(HandSet **set, const AttnShape *shape, Err *err);

/* Move the numbers after tokens have moved: places[i] is the new position of token i, or -1 if it
 * was removed. Numbers of X and S move with their tokens, or are removed with them. */
bool hand_set_move(HandSet **set, const int *places, int count, Err *err);

/* Write one number, ended by NUL, as hand_set_read reads it. Return the length. hand_set_write
 * appends the whole set. Equal sets have equal texts. */
size_t hand_number_write(char out[HAND_TEXT_MAX], const HandNumber *number);
void hand_set_write(TextOut *out, const HandSet *set);

/* True if a layer of this shape has all places of the set; otherwise err (may be NULL) names the
 * first that it lacks. */
bool hand_set_check(const HandSet *set, const AttnShape *shape, Err *err);

#endif
