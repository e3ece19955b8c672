/* subtitles.h: writes the captions of a film with their times, as SubRip or WebVTT: at most 42
 * characters in a line and two lines at once. Pure. */
#ifndef HEADLIGHT_SHELL_SUBTITLES_H
#define HEADLIGHT_SHELL_SUBTITLES_H

#include "base/text_out.h"

#define SUBTITLE_LINE    42   /* most characters in a line */
#define SUBTITLE_READING 17.0 /* reading speed: characters per second */
#define SUBTITLE_LEAST_S 1.2

/* The subtitles. All zero is empty. */
typedef struct Subtitles {
    TextOut said; /* the current words; they are written when their end is known */
    double since_s;
    TextOut text; /* the file so far */
    bool is_vtt;
    int count;
} Subtitles;

/* Show words from time_s on, "" for none. Does nothing if they have not changed. */
void subtitles_say(Subtitles *subtitles, const char *words, double time_s);

/* End the last words. Afterwards text is the whole file. Return false if memory ran out. */
bool subtitles_end(Subtitles *subtitles, double time_s);

/* Return the number of seconds that it takes to read words. */
double subtitles_reading_s(const char *words);

void subtitles_release(Subtitles *subtitles);

#endif
