/* steps.h: the normalizers and pre-tokenizers of tokenizer.json, which change a text and cut it
 * into pieces before a model cuts these into tokens. Pure. */
#ifndef HEADLIGHT_TEXT_STEPS_H
#define HEADLIGHT_TEXT_STEPS_H

#include "text/pieces.h"

#define STEP_TEXT_MAX 32

typedef struct FlowSpot {
    uint32_t from, to; /* range of the original text */
    bool begins;       /* a piece begins here */
} FlowSpot;

/* The text between two steps. Each byte has the range of the original text that it comes from. A
 * zeroed Flow is empty. Free it with flow_release. */
typedef struct Flow {
    char *text;      /* owned */
    FlowSpot *spots; /* owned: one for each byte */
    size_t size, room;
    bool begins; /* true if the next byte begins a piece */
    bool failed; /* true if memory ran out, or if the text became too long */
} Flow;

void flow_release(Flow *flow);

/* Append the bytes at..end of the original text as a new piece. */
void flow_start(Flow *out, const char *text, size_t at, size_t end);

/* Append the bytes at..end of another flow, each with its range of the original text, as a new
 * piece. */
void flow_cut(Flow *out, const Flow *in, size_t at, size_t end);

size_t flow_piece_end(const Flow *flow, size_t at);

/* The class of a character for step_cut. */
typedef enum StepCut {
    STEP_DROP,      /* separates two pieces and belongs to neither */
    STEP_ALONE,     /* a piece by itself */
    STEP_RUN,       /* belongs to a piece of characters that all have the same class */
    STEP_OTHER_RUN, /* like STEP_RUN, for a second class of characters */
} StepCut;

/* SentencePiece's table of replacements for characters: a trie whose leaves are offsets into the
 * forms, which are replacement texts, each ended by NUL. Source: sentencepiece, src/normalizer.cc;
 * the double-array trie of darts-clone. */
typedef struct Charsmap {
    unsigned char *bytes; /* owned: the table in its file format */
    /* Number of trie units, 4 bytes each, from byte 4 on; bytes of the forms after them. */
    size_t units, form_size;
} Charsmap;

/* Read a table from bytes. map owns the bytes even on failure: the caller frees map->bytes. Return
 * false if the table is invalid. */
bool charsmap_take(Charsmap *map, unsigned char *bytes, size_t size);

typedef struct VocabularyStep VocabularyStep;
struct VocabularyStep {
    /* Change or cut the non-empty piece at..end of `in`, and append the result to out. On entry
     * out->begins is true. */
    void (*run)(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
    int form;                                /* argument of step_form: UTF8PROC_… */
    PiecePattern pattern;                    /* argument of step_pattern */
    StepCut (*cut)(uint32_t c);              /* argument of step_cut */
    size_t (*map)(char out[16], uint32_t c); /* argument of step_map */
    /* Arguments of the functions below; not ended by NUL. */
    char from[STEP_TEXT_MAX], to[STEP_TEXT_MAX];
    size_t from_bytes, to_bytes;
    bool left, right, only_first;
    const Charsmap *charsmap; /* the table for step_charsmap; borrowed */
};

void step_form(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Cut into pieces by a pattern (step_pattern) or by the class of each character (step_cut). */
void step_pattern(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
void step_cut(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
StepCut cut_digits(uint32_t c);      /* cuts between runs of numbers and runs of other characters */
StepCut cut_each_digit(uint32_t c);  /* each number character is a piece */
StepCut cut_blanks(uint32_t c);      /* cuts at blanks, which are dropped */
StepCut cut_punctuation(uint32_t c); /* cuts at each punctuation mark and ASCII symbol */
StepCut cut_bert(uint32_t c);        /* cuts like cut_blanks and cut_punctuation together */
StepCut cut_words(uint32_t c);       /* cuts like the regular expression \w+|[^\w\s]+ */

void step_map(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);
size_t map_lower(char out[16], uint32_t c);
size_t map_marks(char out[16], uint32_t c);     /* removes nonspacing marks, such as accents */
size_t map_all_marks(char out[16], uint32_t c); /* removes all combining marks */
/* For BERT: turns blanks into spaces, and removes control, format and unassigned characters. */
size_t map_clean(char out[16], uint32_t c);
/* For BERT: puts a space before and after Han characters. */
size_t map_han(char out[16], uint32_t c);

/* Insert `to` before a piece that does not begin with `from`. only_first: only at the start of the
 * text. */
void step_lead(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Replace each `from` by `to`. left: replace only runs of two or more `from`, each by one `to`. */
void step_replace(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Cut in front of each `from` (left), or after it (right). */
void step_cut_at(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

void step_charsmap(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

/* Remove blanks at the start if step->left is set, and at the end if step->right is set. */
void step_strip(Flow *out, const Flow *in, size_t at, size_t end, const VocabularyStep *step);

#endif
