/* formula_parse.h: the notation of formulas, as the registries have it, read into a tree. Pure.
 *
 * One letter is a variable, and so is each of several capitals (QK); a word of small letters
 * (softmax) is upright, and so are the names of NAMES in formula_parse.c (LN). "Quoted" text is
 * upright words. _x and ^x, or _{…} and ^{…}, lower and raise; their argument is a run of letters
 * or of digits, or what braces or parentheses hold. √x, √{…} and √(…) draw a radical over theirs.
 * Combining marks (x̂ x̄ x̃ x⃗ ẋ) stand over what they follow. a/b is a fraction of its neighbours;
 * with blanks about the stroke, of all between relations, sums and commas. (…), […], |…| and,
 * where they follow none of _ ^ √, {…} grow with what they hold; [a, b; c, d] is a matrix.
 * Everything else stands for itself, so that any text can be set. */
#ifndef HEADLIGHT_UI_FORMULA_PARSE_H
#define HEADLIGHT_UI_FORMULA_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/font.h"

#define FORMULA_NODES 192 /* what goes beyond is left out; no formula of ours has half as many */
#define FORMULA_NONE  (-1)

typedef enum FormulaKind {
    FORMULA_TEXT,
    FORMULA_ROW,      /* children side by side */
    FORMULA_SCRIPTS,  /* child; low, high: FORMULA_NONE where there is none */
    FORMULA_FRACTION, /* child over low */
    FORMULA_RADICAL,  /* child */
    FORMULA_ACCENT,   /* child under a mark */
    FORMULA_FENCE,    /* child between open and close; a close of 0 is missing */
    FORMULA_MATRIX,   /* children row by row, columns in each */
} FormulaKind;

/* What decides the room about a piece. */
typedef enum FormulaRole {
    ROLE_ORDINARY,
    ROLE_WORD,     /* upright letters */
    ROLE_OPERATOR, /* + − × */
    ROLE_SIGN,     /* an operator without a left side */
    ROLE_PRODUCT,  /* · */
    ROLE_RELATION,
    ROLE_COMMA,
    ROLE_STROKE, /* / of which no fraction could be made yet */
    ROLE_SUM,    /* Σ, whose scripts are limits where there is room for them */
    ROLE_FRACTION,
    ROLE_FENCE,
} FormulaRole;

typedef struct FormulaNode {
    FormulaKind kind;
    FormulaRole role;
    Font font;
    const char *text; /* borrowed from the markup, or static */
    size_t bytes;
    int blanks; /* in front of it */
    int child, next, low, high;
    uint32_t open, close; /* of a fence; of an accent the combining mark, in open */
    int columns;
    bool is_wide;  /* a fraction with blanks about its stroke */
    bool is_built; /* a fraction with a bar: set by the layout */
    /* Set by the layout, in pixels: from the parent's start of the baseline, y downwards. */
    float x, y, size, width, ascent, descent;
} FormulaNode;

typedef struct Formula {
    FormulaNode nodes[FORMULA_NODES];
    int count;
} Formula;

/* Read markup, which must outlive the formula; returns the root, a row. Never fails: what is
 * malformed stands for itself. */
int formula_parse(Formula *out, const char *markup, size_t bytes);

#endif
