/* formula.h: draws formulas in STIX, as text, thin boxes and lines.
 *
 * The notation: a single letter is a variable; several capitals are a variable each (QK). A word in
 * lower case, except perhaps for its first letter (softmax), is upright, and so are "quoted" text
 * and the names in NAMES of formula.c (LN). _x, ^x, _{…} and ^{…} are sub- and superscripts; the
 * argument is a run of letters, a number, a symbol, or the contents of braces or parentheses. √x,
 * √{…} and √(…) are radicals. Combining marks (x̂ x̄) belong to the character before them. All other
 * characters stand for themselves, so any text can be drawn. */
#ifndef HEADLIGHT_UI_FORMULA_H
#define HEADLIGHT_UI_FORMULA_H

#include "ui/label.h"
#include "ui/ui.h"

typedef struct FormulaStyle {
    float size;
    Colour colour;
    int align; /* used by formula_label only */
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

/* Draw in rect, aligned horizontally, and centred vertically by its capitals. A formula that is too
 * wide is drawn smaller, down to about 0.6 of its size. Return the width drawn. */
float formula_label(Ui *ui, Rect rect, const FormulaStyle *style, const char *markup);

/* Shorthands for formula_measure and formula_set. */
float formula_width(const Ui *ui, float size, const char *markup);
float formula_draw(Ui *ui, Vec2 at, float size, Colour colour, const char *markup);

#endif
