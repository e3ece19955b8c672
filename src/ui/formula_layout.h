/* formula_layout.h: where each piece of a formula stands and how large it is.
 * Lengths are in sizes of the text unless they are given in logical pixels. */
#ifndef HEADLIGHT_UI_FORMULA_LAYOUT_H
#define HEADLIGHT_UI_FORMULA_LAYOUT_H

#include "ui/formula_parse.h"
#include "ui/ui.h"

#define FORMULA_AXIS      0.25f  /* of fraction bars and brackets, above the baseline */
#define FORMULA_RULE      0.045f /* thickness of a bar */
#define FORMULA_RADICAL_W 0.62f  /* from the hook to the start of the bar */

/* Set x, y, size, width, ascent and descent of a node and all below it. */
void formula_layout(const Ui *ui, Formula *formula, int node, float size, bool is_displayed);

/* Whether a bracket is drawn larger than the font's own. */
bool formula_is_tall(const FormulaNode *node);

/* The character that is drawn for a combining mark, and the text of a bracket. */
const char *formula_mark(uint32_t combining);
const char *formula_bracket(uint32_t code);

#endif
