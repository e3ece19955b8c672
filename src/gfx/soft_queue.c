#include "gfx/soft_queue.h"

#include <stdlib.h>
#include <string.h>

#define ALONE_MOST (1 << 16) /* pixels: fewer are drawn before another thread is awake */

bool soft_queue_create(SoftQueue *queue) {
    queue->steps = malloc(SOFT_QUEUE_STEPS * sizeof *queue->steps);
    queue->clips = malloc(SOFT_QUEUE_STEPS * sizeof *queue->clips);
    queue->words = malloc(SOFT_QUEUE_WORDS * sizeof *queue->words);
    return queue->steps != NULL && queue->clips != NULL && queue->words != NULL;
}

void soft_queue_release(SoftQueue *queue) {
    soft_crew_release(&queue->crew);
    free(queue->steps);
    free(queue->clips);
    free(queue->words);
    *queue = (SoftQueue){0};
}

static void draw_step(const SoftPicture *picture, const SoftStep *step, const PixelRect *clip) {
    if (step->item.words != NULL)
        soft_draw(picture, clip, &step->item);
    else
        soft_fill(picture, clip, step->colour);
}

static void draw_rows(const SoftQueue *queue, int top, int bottom) {
    for (int i = 0; i < queue->step_count; i++) {
        PixelRect clip = queue->clips[i];
        if (clip.top >= bottom || clip.bottom <= top)
            continue;
        clip.top = clip.top > top ? clip.top : top;
        clip.bottom = clip.bottom < bottom ? clip.bottom : bottom;
        draw_step(&queue->picture, &queue->steps[i], &clip);
    }
}

static void draw_strip(const void *context, int strip) {
    const SoftQueue *queue = context;
    draw_rows(queue, strip * SOFT_STRIP_ROWS, (strip + 1) * SOFT_STRIP_ROWS);
}

/* All that the steps touch, as if none lay on another; it stops counting at enough. */
static double pixel_count(const SoftQueue *queue, double enough) {
    double sum = 0;
    for (int i = 0; i < queue->step_count && sum < enough; i++) {
        const PixelRect *clip = &queue->clips[i];
        sum += (double)(clip->right - clip->left) * (clip->bottom - clip->top);
    }
    return sum;
}

void soft_queue_run(SoftQueue *queue) {
    int height = queue->picture.height;
    if (pixel_count(queue, ALONE_MOST) < ALONE_MOST)
        draw_rows(queue, 0, height);
    else
        soft_crew_draw(&queue->crew, draw_strip, queue,
                       (height + SOFT_STRIP_ROWS - 1) / SOFT_STRIP_ROWS);
    queue->step_count = 0;
    queue->word_count = 0;
}

/* Another step, after those before were drawn if there is no room for it. */
static SoftStep *push(SoftQueue *queue, const PixelRect *clip, int words) {
    if (queue->step_count == SOFT_QUEUE_STEPS || queue->word_count + words > SOFT_QUEUE_WORDS)
        soft_queue_run(queue);
    queue->clips[queue->step_count] = *clip;
    SoftStep *step = &queue->steps[queue->step_count++];
    *step = (SoftStep){.item = {.words = NULL}};
    return step;
}

void soft_queue_fill(SoftQueue *queue, const PixelRect *rect, Colour ground) {
    push(queue, rect, 0)->colour = ground;
}

void soft_queue_draw(SoftQueue *queue, const PixelRect *clip, const PaintItem *item) {
    int words = (int)PIPELINE_TEXELS[item->pipeline] * 4;
    SoftStep *step = push(queue, clip, words);
    uint32_t *kept = queue->words + queue->word_count;
    memcpy(kept, item->words, (size_t)words * sizeof *kept);
    queue->word_count += words;
    step->item = *item;
    step->item.words = kept;
}
