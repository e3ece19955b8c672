/* steps_card.h: the parts of the six cards; for the files steps_card*.c only. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_CARD_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_CARD_H

#include "ui/label.h"
#include "views/steps/steps_view.h"

#define CARD_TEXT  18
#define CARD_SMALL 15
#define CARD_LINE  30

/* The part of a card that is still empty; a card is filled from its top and its bottom. */
typedef struct StepsCard {
    const Steps *s;
    int step; /* counted from 1 */
    Rect rest;
    bool is_low; /* a low card has one line for its result */
} StepsCard;

/* Vectors drawn under each other on one scale. */
typedef struct StepsVector {
    const char *name; /* its name, as a formula */
    const float *values;
    int count;
    StepsPart part; /* the matrix that contains it: this row, from column `col` on */
    int row, col;
} StepsVector;

/* The entry under the pointer; vector is -1 for none. */
typedef struct StepsTouch {
    int vector, entry;
} StepsTouch;

LabelStyle steps_words(const StepsCard *card);
LabelStyle steps_digits(const StepsCard *card, LabelAlign align);

/* Fill the rest of the card with the vectors as bars, and light the matrix entry under the pointer.
 * */
StepsTouch steps_vectors(const StepsCard *card, Rect area, const StepsVector *vectors, int count);

/* Draw bars of weights with a ring around the chosen one. Return the bar under the pointer, or -1.
 */
int steps_weight_bars(const StepsCard *card, Rect area, const float *values, int count, int marked);

/* Return the centre of a key's bar. */
float steps_weight_middle(Rect area, int count, int key);

/* Write at the card's bottom a note, the equation and the result; each may be "". */
void steps_result(StepsCard *card, const char *note, const char *equation, const char *result);

/* Write at the card's bottom a note with a number at its right. */
void steps_note(StepsCard *card, const char *note, const char *number);

void steps_card_token(StepsCard *card);
void steps_card_project(StepsCard *card);
void steps_card_score(StepsCard *card);
void steps_card_softmax(StepsCard *card);
void steps_card_mix(StepsCard *card);
void steps_card_join(StepsCard *card);

#endif
