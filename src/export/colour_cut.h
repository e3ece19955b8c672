/* colour_cut.h: chooses a few colours that replace all colours of a picture. Colours are 0xRRGGBB.
 * Exact if the picture has no more colours than requested. Source: Heckbert 1982, median cut. Boxes
 * are cut at their mean, the box with the largest squared error first, as in Wu 1991. */
#ifndef HEADLIGHT_EXPORT_COLOUR_CUT_H
#define HEADLIGHT_EXPORT_COLOUR_CUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COLOUR_CUT_MAX 256

typedef struct CutColour {
    uint32_t colour, count; /* count 0: a free slot */
    /* After colour_cut: index of the chosen colour that replaces this one. */
    uint8_t index;
} CutColour;

/* The colours of a picture, each with its number of pixels. All zero is empty. */
typedef struct ColourCut {
    CutColour *slots; /* owned: a hash table */
    CutColour **list; /* owned: pointers to the slots in use; after colour_cut sorted by box */
    size_t used, capacity;
} ColourCut;

/* Forget all colours but keep the memory. */
void colour_cut_begin(ColourCut *cut);

/* Count one pixel. Return false if memory ran out. */
bool colour_cut_add(ColourCut *cut, uint32_t colour);

/* Fill out with at most `most` colours and return their number; 0 if memory ran out. */
int colour_cut(uint32_t out[COLOUR_CUT_MAX], ColourCut *cut, int most);

/* Return the index of the chosen colour that replaces an added colour. */
int colour_cut_index(const ColourCut *cut, uint32_t colour);

void colour_cut_release(ColourCut *cut);

#endif
