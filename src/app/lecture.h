/* lecture.h: the window as a room sees it: what the Heads view shows in large words, a caption that
 * a person may edit, and the keys that were pressed. A state of the window, not of the session: no
 * step of undo, and in no state string. */
#ifndef HEADLIGHT_APP_LECTURE_H
#define HEADLIGHT_APP_LECTURE_H

#include "app/app.h"
#include "app/keymap.h"
#include "app/layout.h"
#include "ui/line_edit.h"
#include "views/lecture.h"

#define CAPTION_MAX      240 /* bytes of a person's own, with its NUL */
#define CAPTIONS_MAX     32  /* that are remembered */
#define CAPTION_STEPS    24  /* of undo while one is edited */
#define LECTURE_WORD_MAX 32

/* What a person wrote in place of the sentence about a cell. */
typedef struct OwnCaption {
    LectureSubject about;
    char text[CAPTION_MAX]; /* "" for none */
} OwnCaption;

typedef struct CaptionStep {
    char text[CAPTION_MAX];
    size_t caret;
    uint64_t serial; /* of the word that it is a part of */
} CaptionStep;

typedef struct AppLecture {
    bool is_on;
    int view_under;    /* the view that it began over: going to another one ends it */
    Settings settings; /* the window's, as the Heads view has them */
    OwnCaption own[CAPTIONS_MAX];
    int own_next; /* the oldest of them, which the next new one replaces */
    bool is_editing;
    LectureSubject about; /* what is edited */
    char text[CAPTION_MAX], copied[CAPTION_MAX];
    LineEdit edit;
    CaptionStep steps[CAPTION_STEPS];
    int step, step_count;
    char key[KEY_NAME_MAX];      /* the key that was pressed last, "" for none, */
    char word[LECTURE_WORD_MAX]; /* what it did, */
    double key_s;                /* and when */
} AppLecture;

/* Begin or end it; while a pass is being built at its end. */
void lecture_toggle(App *app);

/* End it; false where there was none. */
bool lecture_leave(App *app);

/* Before a pass: what the views are told, and whether it is over. */
void lecture_update(App *app);

/* All of the window. */
void lecture_draw(App *app);

/* A key has run its command. */
void lecture_pressed(App *app, const Binding *binding);

/* The view that is shown, and the settings that it is shown by: in a lecture those of Heads. */
int app_view(const App *app);
const Settings *app_shown_settings(const App *app);

#endif
