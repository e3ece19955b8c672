/* fribidi.h: the functions of FriBidi that draw/bidi.c calls. Embeddings, isolates and brackets
 * (rules X and N0) are ignored, so with these a caret may not match the browser's text. */
#ifndef HEADLIGHT_WEB_FRIBIDI_H
#define HEADLIGHT_WEB_FRIBIDI_H

#include <stdint.h>

typedef uint32_t FriBidiChar;
typedef uint8_t FriBidiCharType, FriBidiBracketType;
typedef int8_t FriBidiLevel;
typedef int FriBidiStrIndex;
typedef enum FriBidiParType { FRIBIDI_PAR_ON, FRIBIDI_PAR_LTR, FRIBIDI_PAR_RTL } FriBidiParType;

#define FRIBIDI_IS_RTL(base) ((base) == FRIBIDI_PAR_RTL)

void fribidi_get_bidi_types(const FriBidiChar *text, FriBidiStrIndex count, FriBidiCharType *types);
void fribidi_get_bracket_types(const FriBidiChar *text, FriBidiStrIndex count,
                               const FriBidiCharType *types, FriBidiBracketType *brackets);

/* Return the deepest level plus 1. Overwrites types. */
FriBidiLevel fribidi_get_par_embedding_levels_ex(FriBidiCharType *types,
                                                 const FriBidiBracketType *brackets,
                                                 FriBidiStrIndex count, FriBidiParType *base,
                                                 FriBidiLevel *levels);

#endif
