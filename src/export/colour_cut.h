/* colour_cut.h: the few colours that stand for all colours of a picture.
 * Colours are 0xRRGGBB. Exact if the picture has no more than are asked for.
 * Source: Heckbert 1982, median cut; boxes are cut at their mean, the one of the largest squared
 * error first, as Wu 1991 does. */
#ifndef HEADLIGHT_EXPORT_COLOUR_CUT_H
#define HEADLIGHT_EXPORT_COLOUR_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COLOUR_CUT_MAX 256

typedef struct CutColour {
    uint32_t colour, count; /* count 0: a free slot */
    uint8_t index;          /* of the colour that stands for it, after colour_cut */
} CutColour;

/* The colours of a picture, each with its number of pixels. Zeroed is empty. */
typedef struct ColourCut {
    CutColour *slots; /* owned: a hash table */
    CutColour **list; /* owned: the slots in use, after colour_cut in the order of their boxes */
    size_t used, capacity;
} ColourCut;

/* Forget all colours but keep the memory. */
void colour_cut_begin(ColourCut *cut);

/* Count one pixel. False if memory ran out. */
bool colour_cut_add(ColourCut *cut, uint32_t colour);

/* Fill out with at most `most` colours and return their number. False is 0: memory ran out. */
int colour_cut(uint32_t out[COLOUR_CUT_MAX], ColourCut *cut, int most);

/* Return the index in colour_cut's colours of one that was added. */
int colour_cut_index(const ColourCut *cut, uint32_t colour);

void colour_cut_release(ColourCut *cut);

#endif
