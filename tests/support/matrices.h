/* matrices.h: the drawn matrices of the Heads view, to be compared. */
#ifndef HEADLIGHT_TESTS_SUPPORT_MATRICES_H
#define HEADLIGHT_TESTS_SUPPORT_MATRICES_H

#include "support/script.h"

#define TILES    6
#define SIDE     12
#define STANDARD "text=the%20cat%20sat%20on%20the%20mat&d-model=8&heads=2"

typedef struct Picture {
    int count, rows;
    float hi[TILES];
    float at[TILES][SIDE * SIDE];
} Picture;

void keep_picture(Picture *p, const DrawList *list);

/* Of the standard state and more options. */
Picture picture_of(const char *more);

static inline int entries(const Picture *p) {
    return p->rows * p->rows;
}

#endif
