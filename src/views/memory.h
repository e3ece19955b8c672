/* memory.h: what the views keep between frames that is no choice worth saving: where a picture is
 * panned to, which node is dragged. All zero is how every view starts, so that a rendered picture
 * never depends on it. One struct for each view that needs one. */
#ifndef HEADLIGHT_VIEWS_MEMORY_H
#define HEADLIGHT_VIEWS_MEMORY_H

typedef struct ViewMemory {
    float edges_wheel; /* notches of the wheel that make no whole edge yet */
} ViewMemory;

#endif
