#include "text/flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

void flow_release(Flow *flow) {
    free(flow->text);
    free(flow->spots);
    *flow = (Flow){0};
}

/* Append bytes and return their spots, to be filled. NULL if the flow has failed, or for no bytes.
 */
static FlowSpot *grow(Flow *flow, const char *bytes, size_t count) {
    size_t size = flow->size + count, room = flow->room > 0 ? flow->room : 256;
    while (room < size)
        room *= 2;
    flow->failed = flow->failed || size > FLOW_BYTES_MAX;
    if (!flow->failed && room > flow->room) {
        char *text = heap_resize(flow->text, room);
        flow->text = text != NULL ? text : flow->text;
        FlowSpot *spots = heap_resize(flow->spots, room * sizeof *spots);
        flow->spots = spots != NULL ? spots : flow->spots;
        flow->failed = text == NULL || spots == NULL;
        flow->room = flow->failed ? flow->room : room;
    }
    if (flow->failed || count == 0)
        return NULL;
    memcpy(flow->text + flow->size, bytes, count);
    FlowSpot *spots = flow->spots + flow->size;
    flow->size = size;
    return spots;
}

void flow_put(Flow *out, const char *bytes, size_t count, uint32_t from, uint32_t to) {
    FlowSpot *spots = grow(out, bytes, count);
    for (size_t i = 0; spots != NULL && i < count; i++, out->begins = false)
        spots[i] = (FlowSpot){from, to, out->begins};
}

void flow_start(Flow *out, const char *text, size_t at, size_t end) {
    FlowSpot *spots = grow(out, text + at, end - at);
    for (size_t i = 0; spots != NULL && i < end - at; i++)
        spots[i] = (FlowSpot){(uint32_t)(at + i), (uint32_t)(at + i + 1), i == 0};
}

void flow_copy(Flow *out, const Flow *in, size_t at, size_t end) {
    FlowSpot *spots = grow(out, in->text + at, end - at);
    for (size_t i = 0; spots != NULL && i < end - at; i++, out->begins = false)
        spots[i] = (FlowSpot){in->spots[at + i].from, in->spots[at + i].to, out->begins};
}

size_t flow_piece_end(const Flow *flow, size_t at) {
    for (at++; at < flow->size && !flow->spots[at].begins;)
        at++;
    return at;
}
