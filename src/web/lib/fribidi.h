/* fribidi.h: what draw/bidi.c calls of FriBidi. Without embeddings, isolates and brackets (rules X
 * and N0), so a caret may stand elsewhere than in the browser's text where those are used. */
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

/* Overwrites types. Returns the deepest level plus 1. */
FriBidiLevel fribidi_get_par_embedding_levels_ex(FriBidiCharType *types,
                                                 const FriBidiBracketType *brackets,
                                                 FriBidiStrIndex count, FriBidiParType *base,
                                                 FriBidiLevel *levels);

#endif
