/* Any bytes as the notation of a formula: no crash, finite sizes, and only valid text is drawn. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "check.h"
#include "support/measure.h"
#include "ui/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static DrawList list;
    TextMeasure measure = measure_fixed(NULL);
    Ui ui = {.list = &list, .measure = &measure};
    char *markup =
        malloc(size + 1); /* an allocation of its own, so that a read past its end is found */
    if (markup == NULL)
        return 0;
    for (size_t i = 0; i < size; i++)
        markup[i] = (char)data[i];
    FormulaStyle style = {24, 0xFFFFFFFFu, LABEL_LEFT};
    draw_begin(&list, 800, 600, 1, 0);
    FormulaSize s = formula_set(&ui, (Vec2){10, 100}, &style, markup, size);
    if (!isfinite(s.width) || !isfinite(s.ascent) || !isfinite(s.descent) || s.width < 0)
        abort();
    for (size_t i = 0; i < list.command_count; i++) {
        const DrawText *text = &list.commands[i].as.text;
        if (list.commands[i].kind == DRAW_TEXT &&
            utf8_first_invalid(list.text + text->text_at, text->text_bytes) != text->text_bytes)
            abort();
    }
    free(markup);
    return 0;
}
