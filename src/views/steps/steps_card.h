/* steps_card.h: what the six cards are made of; for the files steps_card*.c alone. */
#ifndef HEADLIGHT_VIEWS_STEPS_STEPS_CARD_H
#define HEADLIGHT_VIEWS_STEPS_STEPS_CARD_H

#include "ui/label.h"
#include "views/steps/steps_view.h"

#define CARD_TEXT  18
#define CARD_SMALL 15
#define CARD_LINE  30

/* What is left of a card while it is filled from top and bottom. */
typedef struct StepsCard {
    const Steps *s;
    int step; /* from 1 */
    Rect rest;
    bool is_low; /* the result takes one line */
} StepsCard;

/* Vectors under each other, on one scale. */
typedef struct StepsVector {
    const char *name; /* a formula */
    const float *values;
    int count;
    StepsPart part; /* where they stand: columns from col on of a row */
    int row, col;
} StepsVector;

/* What the pointer is on: an entry of a vector; vector -1 for none. */
typedef struct StepsTouch {
    int vector, entry;
} StepsTouch;

LabelStyle steps_words(const StepsCard *card);
LabelStyle steps_digits(const StepsCard *card, LabelAlign align);

/* Fill what is left with the vectors as bars, and light where the touched entry stands. */
StepsTouch steps_vectors(const StepsCard *card, Rect area, const StepsVector *vectors, int count);

/* Bars of weights, the chosen one ringed; returns the one under the pointer or -1. */
int steps_weight_bars(const StepsCard *card, Rect area, const float *values, int count, int marked);

/* The middle of a key's bar there. */
float steps_weight_middle(Rect area, int count, int key);

/* Off the bottom: what it took, the equation, and what comes out; each may be "". */
void steps_result(StepsCard *card, const char *note, const char *equation, const char *result);

/* Off the bottom: a note and a number at its right. */
void steps_note(StepsCard *card, const char *note, const char *number);

void steps_number(char *out, size_t capacity, double value);

void steps_card_token(StepsCard *card);
void steps_card_project(StepsCard *card);
void steps_card_score(StepsCard *card);
void steps_card_softmax(StepsCard *card);
void steps_card_mix(StepsCard *card);
void steps_card_join(StepsCard *card);

#endif
