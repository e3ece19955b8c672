/* subtitles.h: the captions of a film with their times, as SubRip or WebVTT: at most 42 characters
 * a line and two lines at once. Pure. */
#ifndef HEADLIGHT_SHELL_SUBTITLES_H
#define HEADLIGHT_SHELL_SUBTITLES_H

#include "base/text_out.h"

#define SUBTITLE_LINE    42   /* characters */
#define SUBTITLE_READING 17.0 /* characters a second */
#define SUBTITLE_LEAST_S 1.2

/* Zeroed is empty. */
typedef struct Subtitles {
    TextOut said; /* the words that wait for their end */
    double since_s;
    TextOut text; /* the file so far */
    bool is_vtt;
    int count;
} Subtitles;

/* Say words from time_s on, "" for nothing, if they are others than those before. */
void subtitles_say(Subtitles *subtitles, const char *words, double time_s);

/* End the last words; false if memory ran out. text is then the whole file. */
bool subtitles_end(Subtitles *subtitles, double time_s);

/* Return how long it takes to read words. */
double subtitles_reading_s(const char *words);

void subtitles_release(Subtitles *subtitles);

#endif
