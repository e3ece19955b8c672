/* events.h: SDL's events as Input, one frame's worth at a time.
 * A frame gets at most one mouse button going down or up, as its last event, so that the pointer
 * is where it was then; a wheel is not followed by a move. All else that waits goes in together. */
#ifndef HEADLIGHT_SHELL_EVENTS_H
#define HEADLIGHT_SHELL_EVENTS_H

#include <SDL.h>
#include <stdbool.h>

#include "ui/input.h"

#define EVENTS_BATCH 128

/* One that waits: a move of the pointer, or an event and where the pointer was then. */
typedef struct PendingEvent {
    bool is_move;
    InputEvent event;
    char *text; /* owned; what event.text points to */
    Vec2 pointer_px;
    bool pointer_inside;
} PendingEvent;

/* All zero is empty. */
typedef struct Events {
    PendingEvent *queue; /* owned */
    size_t count, capacity;
    InputEvent batch[EVENTS_BATCH];
    char *batch_texts[EVENTS_BATCH]; /* owned */
    int batch_count;
    Vec2 pixels_per_unit; /* of the pointer; to be set before events_add */
    Vec2 pointer_px, taken_px;
    bool pointer_inside, taken_inside;
    bool is_composing; /* an input method has the keys */
    bool types_next;   /* the event before was a key going down that types: its text comes next */
    /* Of the queue from let_through on: what keys did that the input method let through. */
    bool has_let_through, has_let_text;
    size_t let_through;
    bool has_lost; /* an event, for want of memory; for the owner to say, and to clear */
} Events;

void events_release(Events *events);

/* Translate and queue an event; those that mean nothing here are passed over. One that there is no
 * memory for sets has_lost, unless it is a move. Takes over what SDL allocated for it. */
void events_add(Events *events, const SDL_Event *event);

/* An SDL_EventFilter for SDL_AddEventWatch: take text from a key or click on that may give a text
 * field the focus. SDL makes text of keys when they arrive, before a frame could ask for it. */
int events_expect_text(void *context, SDL_Event *event);

/* No text field has the focus any more: an input method may not say that it has stopped. */
void events_end_composition(Events *events);

/* Put a text to paste, which SDL gave and is freed here, before all that waits. */
void events_add_paste(Events *events, char *text);

/* Fill the events, pointer and mods of input with the next frame's. False when nothing waited, and
 * input has no events. What input borrows is valid until the next call. */
bool events_take(Events *events, Input *input);

#endif
