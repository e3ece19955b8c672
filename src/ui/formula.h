/* formula.h: draws formulas in STIX, in the notation of formula_parse.h: italic variables, upright
 * functions, scripts, fractions, radicals, accents, brackets that grow, matrices, sums with limits.
 * Output is text, thin boxes and curves, so every back end can draw it. */
#ifndef HEADLIGHT_UI_FORMULA_H
#define HEADLIGHT_UI_FORMULA_H

#include "ui/label.h"
#include "ui/ui.h"

/* Inline formulas write fractions with a slash and limits next to the sum. Displayed formulas write
 * fractions with a bar and limits above and below the sum. */
typedef struct FormulaStyle {
    float size;
    Colour colour;
    LabelAlign align; /* used by formula_label only */
    bool is_displayed;
} FormulaStyle;

/* Positive, in logical pixels; ascent and descent are measured from the baseline. */
typedef struct FormulaSize {
    float width, ascent, descent;
} FormulaSize;

FormulaSize formula_measure(const Ui *ui, const FormulaStyle *style, const char *markup,
                            size_t bytes);

/* Draw with the baseline's left end at a point. Return the size. */
FormulaSize formula_set(Ui *ui, Vec2 at, const FormulaStyle *style, const char *markup,
                        size_t bytes);

/* Draw in rect, aligned horizontally, and centred vertically by its capitals or, if displayed, by
 * its whole height. A formula that is too wide is drawn smaller. Return the width drawn. */
float formula_label(Ui *ui, Rect rect, const FormulaStyle *style, const char *markup);

/* Shorthands for an inline formula. */
float formula_width(const Ui *ui, float size, const char *markup);
float formula_draw(Ui *ui, Vec2 at, float size, Colour colour, const char *markup);

#endif
