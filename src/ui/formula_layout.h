/* formula_layout.h: places and sizes of the nodes of a formula.
 * Lengths are multiples of the text size unless they are given in logical pixels. */
#ifndef HEADLIGHT_UI_FORMULA_LAYOUT_H
#define HEADLIGHT_UI_FORMULA_LAYOUT_H

#include "ui/formula_parse.h"
#include "ui/ui.h"

/* Height above the baseline of fraction bars and of the middle of brackets. */
#define FORMULA_AXIS      0.25f
#define FORMULA_RULE      0.045f /* thickness of a bar */
#define FORMULA_RADICAL_W 0.62f  /* width from the hook to the start of the bar */

/* Set x, y, size, width, ascent and descent of a node and all its descendants. */
void formula_layout(const Ui *ui, Formula *formula, int node, float size, bool is_displayed);

/* True if a bracket is larger than the one in the font. */
bool formula_is_tall(const FormulaNode *node);

/* Return the character that is drawn for a combining mark; NULL for a bar. The second function
 * returns the text of a bracket. */
const char *formula_mark(uint32_t combining);
const char *formula_bracket(uint32_t code);

#endif
