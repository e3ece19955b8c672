/* events.h: converts SDL's events to Input, for one frame at a time. A press or release of a mouse
 * button is the last event of its frame, because the next event may move the pointer. A key that
 * may move the focus is also the last one, so that text after it goes to the new focus. While no
 * text field has the focus, any key may do that, except for the repeats of a held key. Two events
 * wait for the next frame: a move of the pointer after a wheel event, and a shortcut after another
 * key. Otherwise a frame gets all waiting events, at most EVENTS_BATCH. */
#ifndef HEADLIGHT_SHELL_EVENTS_H
#define HEADLIGHT_SHELL_EVENTS_H

#include <SDL.h>
#include <stdbool.h>

#include "ui/input.h"

#define EVENTS_BATCH 128

/* A waiting event: a move of the pointer, or another event with the pointer's place at that
 * time. */
typedef struct PendingEvent {
    bool is_move;
    bool is_repeat; /* the key is held */
    InputEvent event;
    char *text; /* owned; event.text points to it */
    Vec2 pointer_px;
    bool pointer_inside;
} PendingEvent;

typedef struct Events {
    PendingEvent *queue; /* owned */
    size_t count, capacity;
    InputEvent batch[EVENTS_BATCH];
    char *batch_texts[EVENTS_BATCH]; /* owned */
    int batch_count;
    Vec2 pixels_per_unit; /* scale of the pointer's coordinates; set it before events_add */
    Vec2 pointer_px, taken_px;
    bool pointer_inside, taken_inside;
    bool has_no_field; /* true while no text field has the focus */
    bool key_waits;    /* true if SDL has received a key that no frame has taken yet */
    bool is_composing; /* true while an input method handles the keys */
    /* True if the last event was a press of a key that types text: the text's event is next. */
    bool types_next;
    /* has_let_through: the queue contains, from let_through on, events of keys that the input
     * method let through. has_let_text: typed text is among these events. */
    bool has_let_through, has_let_text;
    size_t let_through;
    /* True if an event was lost because memory ran out; the owner reports this and clears the
     * flag. */
    bool has_lost;
} Events;

void events_release(Events *events);

/* Convert and queue an event; events without a meaning here are ignored. If memory runs out,
 * has_lost is set. Also frees what SDL allocated for the event. */
void events_add(Events *events, const SDL_Event *event);

/* Turn text input on when a key or click may give a text field the focus, or at the next key if
 * that key types text itself. SDL converts keys to text when they arrive, before a frame could
 * request that. An SDL_EventFilter for SDL_AddEventWatch; context is the Events. */
int events_expect_text(void *context, SDL_Event *event);

/* Set whether a text field has the focus. If none has, end the composition, because an input method
 * may not report the end. */
void events_set_field(Events *events, bool has_field);

/* Put pasted text before all waiting events. SDL allocated the text; it is freed here. */
void events_add_paste(Events *events, char *text);

/* Fill the events, pointer and mods of input for the next frame. Return false if nothing waits;
 * then input has no events. The events and their texts are valid until the next call. */
bool events_take(Events *events, Input *input);

#endif
