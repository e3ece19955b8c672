/* formula.h: formulas set in STIX: italic variables, upright functions, digits and operators, sub-
 * and superscripts at 0.70 of the size, lowered by 0.20 and raised by 0.38, fractions, radicals,
 * marks over letters, brackets that grow, matrices, sums with limits. The notation is that of
 * formula_parse.h. What is drawn is text, thin boxes and curves, so that every back end can. */
#ifndef HEADLIGHT_UI_FORMULA_H
#define HEADLIGHT_UI_FORMULA_H

#include "ui/label.h"
#include "ui/ui.h"

/* In a line of text fractions keep their stroke and limits stand beside their sum; displayed they
 * are built up. */
typedef struct FormulaStyle {
    float size;
    Colour colour;
    LabelAlign align; /* of formula_label */
    bool is_displayed;
} FormulaStyle;

/* All positive, in logical pixels, ascent and descent from the baseline. */
typedef struct FormulaSize {
    float width, ascent, descent;
} FormulaSize;

FormulaSize formula_measure(const Ui *ui, const FormulaStyle *style, const char *markup,
                            size_t bytes);

/* Draw with the baseline's left end at a point; returns the size. */
FormulaSize formula_set(Ui *ui, Vec2 at, const FormulaStyle *style, const char *markup,
                        size_t bytes);

/* Draw in rect, aligned in its width and centred in its height by its capitals, or by its whole
 * height where it is built up; made smaller where it is too wide. Returns the width drawn. */
float formula_label(Ui *ui, Rect rect, const FormulaStyle *style, const char *markup);

/* Shorthands for a formula in a line of text. */
float formula_width(const Ui *ui, float size, const char *markup);
float formula_draw(Ui *ui, Vec2 at, float size, Colour colour, const char *markup);

#endif
