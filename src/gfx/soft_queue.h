/* soft_queue.h: items for soft.h, kept until many are there and then drawn strip by strip: a strip
 * of the picture stays in a processor's own memory while all that lies on it is drawn over each
 * other, and the strips are shared out to as many threads as there are processors. On each pixel
 * the same is done in the same order, however many they are. */
#ifndef HEADLIGHT_GFX_SOFT_QUEUE_H
#define HEADLIGHT_GFX_SOFT_QUEUE_H

#include "gfx/soft.h"
#include "gfx/soft_crew.h"

#define SOFT_QUEUE_STEPS 16384 /* of more, these are drawn first */
#define SOFT_QUEUE_WORDS (20 * SOFT_QUEUE_STEPS)
#define SOFT_STRIP_ROWS  64

/* What to draw within a clip: an item, else a colour all over. */
typedef struct SoftStep {
    PaintItem item; /* without words it is none; they are the queue's */
    Colour colour;
} SoftStep;

/* All zero has no room yet. */
typedef struct SoftQueue {
    SoftPicture picture;
    SoftStep *steps;  /* owned, SOFT_QUEUE_STEPS of them */
    PixelRect *clips; /* owned, of each step, where they are looked through fast */
    uint32_t *words;  /* owned, SOFT_QUEUE_WORDS */
    int step_count, word_count;
    SoftCrew crew;
} SoftQueue;

/* Make its room. False when memory ran out. Release in any case. */
bool soft_queue_create(SoftQueue *queue);
void soft_queue_release(SoftQueue *queue);

/* Each as the function of soft.h of that name, on queue->picture; at the latest when the queue is
 * run. What an item refers to must last until then, but for its words. */
void soft_queue_fill(SoftQueue *queue, const PixelRect *rect, Colour ground);
void soft_queue_draw(SoftQueue *queue, const PixelRect *clip, const PaintItem *item);

/* Draw all that waits. */
void soft_queue_run(SoftQueue *queue);

#endif
