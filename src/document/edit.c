#include "document/edit.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "document/options.h"

void edit_push(EditQueue *queue, const OptionRow *row, const char *value, uint64_t serial) {
    if (queue->count == EDITS_MAX)
        return;
    Edit *edit = &queue->at[queue->count++];
    *edit = (Edit){.row = row, .serial = serial};
    snprintf(edit->value, sizeof edit->value, "%s", value);
}

void edit_push_edges(EditQueue *queue, const EdgePaint *paint, uint64_t serial) {
    if (queue->count < EDITS_MAX)
        queue->at[queue->count++] = (Edit){.paint = *paint, .serial = serial};
}

void edit_push_hand(EditQueue *queue, const HandPaint *paint, uint64_t serial) {
    if (queue->count < EDITS_MAX)
        queue->at[queue->count++] = (Edit){.is_by_hand = true, .hand = *paint, .serial = serial};
}

void edit_push_change(EditQueue *queue, bool (*change)(Session *, const Session *, Err *),
                      const Session *kept) {
    if (queue->count < EDITS_MAX)
        queue->at[queue->count++] = (Edit){.change = change, .kept = kept};
}

void edit_push_state(EditQueue *queue, const char *key, const char *format, ...) {
    char value[OPTION_TEXT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value, sizeof value, format, arguments);
    va_end(arguments);
    const OptionRow *row = option_find(&STATE_OPTIONS, key, strlen(key));
    assert(row != NULL);
    edit_push(queue, row, value, 0);
}
