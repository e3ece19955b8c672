/* figure.h: makes a figure of the picture, or of one part of it. */
#ifndef HEADLIGHT_SHELL_FIGURE_H
#define HEADLIGHT_SHELL_FIGURE_H

#include "shell/cli.h"
#include "shell/stage.h"

/* Change session and settings to the view and the page that show the part. Fails if there is no
 * such part. */
bool figure_prepare(Session *session, Settings *settings, const CallFigure *figure, Err *err);

/* Crop the stage's draw list to the part, on the figure's background. If a width on paper is
 * requested, scale it to this number of dots per inch. Fails if the picture lacks the part. */
bool figure_cut(Stage *stage, const CallFigure *figure, float dots_per_inch, Err *err);

/* Return the size of the figure's text on paper divided by the requested size; 1 if none was
 * requested. */
float figure_text_ratio(const Stage *stage, const CallFigure *figure);

/* Encodes the stage's draw list in one format, with the state string of the picture. */
typedef bool FigureFormat(TextOut *out, Stage *stage, const CallFigure *figure, const char *state,
                          Err *err);
FigureFormat figure_png, figure_svg, figure_pdf, figure_tex;
/* Writes the numbers of the part or, if it shows none, those of its view. */
FigureFormat figure_csv;

/* Encode into an empty text, which the caller releases even on failure. Fails, for example, if
 * anything is missing in the last frame or in an earlier one. */
bool figure_encode(TextOut *out, FigureFormat *format, Stage *stage, const CallFigure *figure,
                   Err *err);

#endif
