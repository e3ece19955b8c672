/* figure.h: makes a figure of one part of the picture. */
#ifndef HEADLIGHT_SHELL_FIGURE_H
#define HEADLIGHT_SHELL_FIGURE_H

#include "shell/cli.h"
#include "shell/stage.h"

/* Change session and settings so that the part is shown: its view, its page. Fails if there is no
 * such part. */
bool figure_prepare(Session *session, Settings *settings, const CallFigure *figure, Err *err);

/* Crop the stage's list to the part, on the figure's background, scaled so that its width has
 * dots_per_inch. Fails if the part is not in the picture. */
bool figure_cut(Stage *stage, const CallFigure *figure, float dots_per_inch, Err *err);

/* Return the size of the figure's text on paper divided by the requested size; 1 if none was
 * requested. */
float figure_text_ratio(const Stage *stage, const CallFigure *figure);

/* Encode the stage's list as a file in memory, to be freed by the caller. */
bool figure_png(unsigned char **bytes, size_t *size, Stage *stage, const CallFigure *figure,
                Err *err);
bool figure_pdf(unsigned char **bytes, size_t *size, Stage *stage, const CallFigure *figure,
                Err *err);
bool figure_tex(unsigned char **bytes, size_t *size, Stage *stage, const CallFigure *figure,
                Err *err);
/* Write the numbers of a matrix in the part, or else those of its view. */
bool figure_csv(unsigned char **bytes, size_t *size, Stage *stage, const CallFigure *figure,
                Err *err);
bool figure_svg(unsigned char **bytes, size_t *size, Stage *stage, const CallFigure *figure,
                Err *err);

#endif
