/* flow.h: the text between two steps of a tokenizer; steps normalise the text and cut it into
 * pieces. Each byte has the range of the original text that it comes from. Pure. */
#ifndef HEADLIGHT_TEXT_FLOW_H
#define HEADLIGHT_TEXT_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text of n bytes may grow to at most FLOW_GROWTH·n + FLOW_MORE bytes. */
#define FLOW_GROWTH 32
#define FLOW_MORE   4096

typedef struct FlowSpot {
    uint32_t from, to; /* in the original text */
    bool begins;       /* a piece begins here */
} FlowSpot;

/* A zeroed Flow is empty. Free it with flow_release. */
typedef struct Flow {
    char *text;      /* owned */
    FlowSpot *spots; /* owned: one for each byte */
    size_t size, room;
    bool begins; /* true if the next byte begins a piece */
    bool failed; /* true if memory ran out, or if the text became too long */
} Flow;

void flow_release(Flow *flow);

/* Append bytes that replace the range from..to of the original text. */
void flow_put(Flow *out, const char *bytes, size_t count, uint32_t from, uint32_t to);

/* Append the bytes at..end of the original text as a new piece. */
void flow_start(Flow *out, const char *text, size_t at, size_t end);

/* Append the bytes at..end of another flow, each with its range of the original text. */
void flow_copy(Flow *out, const Flow *in, size_t at, size_t end);

/* Return the end of the piece that contains the byte `at`. */
size_t flow_piece_end(const Flow *flow, size_t at);

#endif
