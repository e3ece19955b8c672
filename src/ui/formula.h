/* formula.h: short formulas set in STIX: italic variables, upright digits and operators, sub- and
 * superscripts, radicals.
 * Markup: letters are italic; "quoted" words are upright; _x and ^x, or _{…} and ^{…}, lower and
 * raise; √{…} draws a radical over its braces. Everything else stands for itself. */
#ifndef HEADLIGHT_UI_FORMULA_H
#define HEADLIGHT_UI_FORMULA_H

#include "ui/ui.h"

float formula_width(Ui *ui, float size, const char *markup);

/* Draw with the baseline's left end at a point; returns the width. */
float formula_draw(Ui *ui, Vec2 at, float size, Colour colour, const char *markup);

#endif
