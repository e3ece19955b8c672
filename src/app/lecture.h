/* lecture.h: lecture mode: the Heads view in large type for a lecture hall, a caption that the user
 * may edit, and the key of the keyboard that was pressed last. The mode belongs to the window, not
 * to the session: it is not an undo step, and the state string does not contain it. */
#ifndef HEADLIGHT_APP_LECTURE_H
#define HEADLIGHT_APP_LECTURE_H

#include "app/app.h"
#include "app/keymap.h"
#include "app/layout.h"
#include "ui/line_edit.h"
#include "views/lecture/lecture.h"

#define CAPTION_MAX      240 /* bytes of the user's own caption, NUL included */
#define CAPTIONS_MAX     32  /* number of captions that are remembered */
#define CAPTION_STEPS    24  /* undo steps while a caption is edited */
#define LECTURE_WORD_MAX 32

/* A text by the user, shown in place of the sentence about a cell. */
typedef struct OwnCaption {
    LectureSubject about;
    char text[CAPTION_MAX]; /* "" for none */
} OwnCaption;

typedef struct CaptionStep {
    char text[CAPTION_MAX];
    size_t caret;
    uint64_t serial; /* LineEdit.word_serial at this step */
} CaptionStep;

typedef struct AppLecture {
    bool is_on;
    int view_under;    /* the view before lecture mode; another change of view ends the mode */
    Settings settings; /* the window's settings, but with Heads as the view */
    OwnCaption own[CAPTIONS_MAX];
    int own_next; /* index of the oldest caption, which the next one replaces */
    bool is_editing;
    LectureSubject about; /* subject of the caption being edited */
    char text[CAPTION_MAX], copied[CAPTION_MAX];
    LineEdit edit;
    CaptionStep steps[CAPTION_STEPS];
    int step, step_count;
    char key[KEY_NAME_MAX];      /* the last key pressed, "" for none */
    char word[LECTURE_WORD_MAX]; /* what its command did */
    double key_s;                /* time of the press */
} AppLecture;

/* End lecture mode. Return false if it was not on. */
bool lecture_leave(App *app);

/* Update the settings that the views use, and end lecture mode if the view has changed. Call before
 * a pass. */
void lecture_update(App *app);

/* Draw the whole window. */
void lecture_draw(App *app);

/* Record that a key has run its command. */
void lecture_pressed(App *app, const Binding *binding);

/* Return the view on screen, and its settings. In lecture mode the view is Heads. */
int app_view(const App *app);
const Settings *app_shown_settings(const App *app);

/* Draw the last key pressed on a dark background, for a while after its press. */
void caption_key_draw(App *app, Rect place);

#endif
