/* formula_parse.h: parses the notation of formulas into a tree. Pure. A single letter is a
 * variable; several capitals are a variable each (QK). A word in lower case, except perhaps for its
 * first letter (softmax), is upright, and so are the names in NAMES of formula_parse.c (LN).
 * "Quoted" text is upright. _x, ^x, _{…} and ^{…} are sub- and superscripts; the argument is a run
 * of letters or digits, or the contents of braces or parentheses. √x, √{…} and √(…) are radicals.
 * Combining marks (x̂ x̄ x̃ x⃗ ẋ) belong to the character before them. a/b is a fraction of its two
 * neighbours; with blanks, as in a / b, numerator and denominator reach to the next relation,
 * operator, comma or word. Brackets (…), […], {…} and bars |…| grow with their contents, except as
 * the argument of _, ^ or √. [a, b; c, d] is a matrix. All other characters stand for themselves,
 * so any text can be drawn. */
#ifndef HEADLIGHT_UI_FORMULA_PARSE_H
#define HEADLIGHT_UI_FORMULA_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "draw/font.h"

/* Most nodes of a formula; further ones are ignored. Every formula of this program has less than
 * half of them. */
#define FORMULA_NODES 192
#define FORMULA_NONE  (-1)

typedef enum FormulaKind {
    FORMULA_TEXT,
    FORMULA_ROW,      /* children in a row */
    FORMULA_SCRIPTS,  /* child is the base; low and high may be FORMULA_NONE */
    FORMULA_FRACTION, /* child over low */
    FORMULA_RADICAL,  /* child */
    FORMULA_ACCENT,   /* child under a mark */
    FORMULA_FENCE,    /* child is between open and close; close is 0 if it is missing */
    FORMULA_MATRIX,   /* children are the cells, row by row; columns per row */
} FormulaKind;

/* The role of a node, which decides the space around it. */
typedef enum FormulaRole {
    ROLE_ORDINARY,
    ROLE_WORD,     /* upright letters */
    ROLE_OPERATOR, /* + − × */
    ROLE_SIGN,     /* an operator without a left operand */
    ROLE_PRODUCT,  /* · */
    ROLE_RELATION,
    ROLE_COMMA,
    ROLE_STROKE, /* a slash that is not yet part of a fraction */
    ROLE_SUM,    /* Σ, whose scripts become limits in a displayed formula */
    ROLE_FRACTION,
    ROLE_FENCE,
} FormulaRole;

typedef struct FormulaNode {
    FormulaKind kind;
    FormulaRole role;
    Font font;
    const char *text; /* borrowed from the markup, or static */
    size_t bytes;
    int blanks; /* number of blanks in front of it in the markup */
    int child, next, low, high;
    uint32_t open, close; /* brackets of a fence; an accent stores its combining mark in open */
    int columns;
    bool is_wide;  /* true for a fraction with blanks around its slash */
    bool is_built; /* true for a fraction with a bar; set by the layout */
    /* Set by the layout, px, relative to the start of the parent's baseline, y downwards. */
    float x, y, size, width, ascent, descent;
} FormulaNode;

typedef struct Formula {
    FormulaNode nodes[FORMULA_NODES];
    int count;
} Formula;

/* Parse markup, which must outlive the formula. Return the root, which is a row. Never fails:
 * malformed markup is drawn as it is. */
int formula_parse(Formula *out, const char *markup, size_t bytes);

#endif
