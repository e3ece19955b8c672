/* steps.h: what a model's tokenizer does to a text before it looks for tokens: the normalizers and
 * pre-tokenizers of tokenizer.json. Pure. */
#ifndef HEADLIGHT_TEXT_STEPS_H
#define HEADLIGHT_TEXT_STEPS_H

#include "text/flow.h"
#include "text/pieces.h"

typedef struct VocabularyStep VocabularyStep;
struct VocabularyStep {
    /* Append the piece at..end of in to out, changed or cut. out->begins is set. */
    void (*run)(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
    int form; /* UTF8PROC_… of step_form */
    PiecePattern pattern;
};

void step_form(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Cut into pieces of a pattern, or at numbers: each by itself, or in runs. */
void step_pattern(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
void step_digits(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
void step_each_digit(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Put a space before a piece that does not begin with a blank. */
void step_lead(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

#endif
