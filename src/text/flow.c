#include "text/flow.h"

#include <stdlib.h>

#include "base/heap.h"

void flow_release(Flow *flow) {
    free(flow->text);
    free(flow->spots);
    *flow = (Flow){0};
}

void flow_put(Flow *out, const char *bytes, size_t count, uint32_t from, uint32_t to) {
    size_t size = out->size + count, room = out->room > 0 ? out->room : 256;
    while (room < size)
        room *= 2;
    out->failed = out->failed || size > FLOW_MORE + (size_t)to * FLOW_GROWTH;
    if (!out->failed && room > out->room) {
        char *text = heap_resize(out->text, room);
        out->text = text != NULL ? text : out->text;
        FlowSpot *spots = heap_resize(out->spots, room * sizeof *spots);
        out->spots = spots != NULL ? spots : out->spots;
        out->failed = text == NULL || spots == NULL;
        out->room = out->failed ? out->room : room;
    }
    for (size_t i = 0; i < count && !out->failed; i++, out->begins = false) {
        out->text[out->size] = bytes[i];
        out->spots[out->size++] = (FlowSpot){from, to, out->begins};
    }
}

void flow_start(Flow *out, const char *text, size_t at, size_t end) {
    out->begins = true;
    for (; at < end; at++)
        flow_put(out, text + at, 1, (uint32_t)at, (uint32_t)at + 1);
}

void flow_copy(Flow *out, const Flow *in, size_t at, size_t end) {
    for (; at < end; at++)
        flow_put(out, in->text + at, 1, in->spots[at].from, in->spots[at].to);
}

size_t flow_piece_end(const Flow *flow, size_t at) {
    for (at++; at < flow->size && !flow->spots[at].begins;)
        at++;
    return at;
}
