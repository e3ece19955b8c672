/* steps.h: the normalizers and pre-tokenizers of tokenizer.json, which change a text and cut it
 * into pieces before a model cuts these into tokens. Pure. */
#ifndef HEADLIGHT_TEXT_STEPS_H
#define HEADLIGHT_TEXT_STEPS_H

#include "text/flow.h"
#include "text/pieces.h"

#define STEP_TEXT_MAX 32

/* The class of a character for step_cut. */
typedef enum StepCut {
    STEP_DROP,  /* between two pieces, in neither */
    STEP_ALONE, /* a piece by itself */
    STEP_RUN,   /* part of a piece of characters of the same class */
    STEP_OTHER_RUN,
} StepCut;

/* SentencePiece's table that replaces characters: a trie whose leaves are offsets into the forms:
 * replacement texts, each ended by NUL. Source: sentencepiece, src/normalizer.cc; the double-array
 * trie of darts-clone. */
typedef struct Charsmap {
    unsigned char *bytes;    /* owned: the table in its file format */
    size_t units, form_size; /* units of 4 bytes from byte 4 on, then form_size bytes of forms */
} Charsmap;

/* Read a table from bytes. They belong to map, even on failure: the caller frees map->bytes. Return
 * false if the table is invalid. */
bool charsmap_take(Charsmap *map, unsigned char *bytes, size_t size);

typedef struct VocabularyStep VocabularyStep;
struct VocabularyStep {
    /* Append the piece at..end of in, which is not empty, to out, changed or cut. out->begins is
     * true. */
    void (*run)(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
    int form;                                    /* of step_form: UTF8PROC_… */
    PiecePattern pattern;                        /* of step_pattern */
    StepCut (*cut)(uint32_t c);                  /* of step_cut */
    size_t (*map)(char out[16], uint32_t c);     /* of step_map */
    char from[STEP_TEXT_MAX], to[STEP_TEXT_MAX]; /* of the functions below; not ended by NUL */
    size_t from_bytes, to_bytes;
    bool left, right, only_first;
    const Charsmap *charsmap; /* of step_charsmap; borrowed */
};

/* A normal form. */
void step_form(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Cut into pieces of a pattern, or by the class of each character. */
void step_pattern(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
void step_cut(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
StepCut cut_digits(uint32_t c);      /* runs of numbers */
StepCut cut_each_digit(uint32_t c);  /* numbers */
StepCut cut_blanks(uint32_t c);      /* runs without blanks */
StepCut cut_punctuation(uint32_t c); /* each punctuation mark or ASCII symbol */
StepCut cut_bert(uint32_t c);        /* cut_blanks and cut_punctuation */
StepCut cut_words(uint32_t c);       /* \w+|[^\w\s]+ */

/* Replace each character by the text that map writes. */
void step_map(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
size_t map_lower(char out[16], uint32_t c);
size_t map_marks(char out[16], uint32_t c);     /* removes nonspacing marks, such as accents */
size_t map_all_marks(char out[16], uint32_t c); /* removes all combining marks */
size_t map_clean(char out[16],
                 uint32_t c); /* BERT's: blanks become spaces, control characters are removed */
size_t map_han(char out[16], uint32_t c); /* BERT's: puts a space before and after Han characters */

/* Insert `to` before a piece that does not begin with `from`. only_first: only at the start of the
 * text. */
void step_lead(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Replace each `from` by `to`. left: replace only runs of two or more, each run by one `to`. */
void step_replace(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Cut before each `from` (left), or after it (right). */
void step_cut_at(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Replace the characters that the table has. */
void step_charsmap(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Remove blanks at the start (left) and at the end (right). */
void step_strip(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

#endif
