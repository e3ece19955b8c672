/* pieces.h: cuts text into pieces before byte pair encoding, by the patterns of GPT-2 and of models
 * after it. Pure. Letters and numbers are the general categories L and N, blanks are Unicode's
 * White_Space, as in the regex modules that the models were trained with. */
#ifndef HEADLIGHT_TEXT_PIECES_H
#define HEADLIGHT_TEXT_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool piece_is_blank(uint32_t c);

/* The rules by which text is cut into pieces. A piece of GPT-2 is an English clitic ('s 't 're 've
 * 'm 'll 'd); or a run of letters, of numbers, or of other characters, with the space before it, if
 * any; or a run of blanks. The last of several blanks belongs to the next piece. */
typedef struct PiecePattern {
    /* True for the rules since GPT-4: any character except a number or line end may precede
     * letters, no space precedes numbers, clitics may be in capitals, and line ends join the piece
     * before them. */
    bool leads;
    int digits; /* maximum count of number characters in a piece; 0: no limit */
} PiecePattern;

/* Return the end of the piece that starts at text[at]; at < size is a character boundary.
 * Source: Radford et al. 2019; the pattern in https://github.com/openai/gpt-2, src/encoder.py. */
size_t piece_end(const PiecePattern *pattern, const char *text, size_t size, size_t at);

#endif
