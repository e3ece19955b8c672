/* tour_editor.h: edits a tour in the window: Ctrl Enter appends the current state as a step, and a
 * strip at the lower edge (F6) edits a step's title, words and notes. The document is the tour's
 * text (document/tour_write.h). Each change writes a new text and reads it, so that only valid
 * texts are kept. After the first save, each change is also written to the file. */
#ifndef HEADLIGHT_APP_TOUR_EDITOR_H
#define HEADLIGHT_APP_TOUR_EDITOR_H

#include "app/app.h"
#include "app/step_picture.h"
#include "document/document.h"
#include "document/tour.h"
#include "ui/ui.h"

#define TOUR_VERSIONS_MAX 32 /* versions that undo can return to */
#define TOUR_FIELD_MAX    4096

typedef enum TourField {
    TOUR_FIELD_NAME, /* the tour's title */
    TOUR_FIELD_TITLE,
    TOUR_FIELD_CAPTION,
    TOUR_FIELD_NOTE,
    TOUR_FIELDS
} TourField;

/* A version of the tour's text. before, after: positions in the session's history before and after
 * the change that made this version. */
typedef struct TourVersion {
    char *bytes; /* owned */
    size_t size;
    int step; /* the step on screen */
    uint64_t before, after;
} TourVersion;

typedef struct AppTourEditor {
    bool is_on;                   /* true if the strip is open */
    char path[DOCUMENT_PATH_MAX]; /* the user's file of this tour; "" for none */
    uint64_t stamp;               /* AppFiles.stamp of that file when it was opened or written */
    bool is_unsaved, is_warned;
    unsigned changes; /* number of changes of the text since the window opened */
    TourVersion versions[TOUR_VERSIONS_MAX];
    int version, version_count;
    TourField typed; /* the field that had the focus in the last pass; TOUR_FIELDS for none */
    int typed_step;
    char texts[TOUR_FIELDS][TOUR_FIELD_MAX], copied[TOUR_FIELDS][TOUR_FIELD_MAX];
    LineEdit edits[TOUR_FIELDS];
    StepPictures pictures;
} AppTourEditor;

/* Undo (-1) or redo (1) a change of the tour. Return false if there is none, or if another change
 * of the session comes first. */
bool tour_editor_undo(App *app, int way);

/* Save the edited tour; ask for a path if it has none. Return false if no tour is edited. */
bool tour_editor_save(App *app);
bool tour_editor_save_as(App *app, const char *path);

/* Edit a tour given as text. It is unsaved at first. */
bool tour_editor_begin(App *app, const char *bytes, size_t size);

/* True if the tour, with the words that are being typed, differs from its file. */
bool tour_editor_is_unsaved(const App *app);

/* True if the tour may be left. If unsaved steps would be lost, the first call returns false and
 * asks for a path. */
bool tour_editor_may_leave(App *app);

/* Forget the versions, because the tour is no longer shown. */
void tour_editor_forget(App *app);

bool tour_editor_is_shown(const App *app);
float tour_strip_height(const App *app);
void tour_strip_draw(App *app, Rect strip);

/* Put the caret into the field of the step's words. */
void tour_strip_focus(App *app);

/* Return the text of a field in the index-th step, or NULL. */
const char *tour_editor_text(const App *app, int index, TourField field);

/* For the strip: store the typed text. */
void tour_editor_commit(App *app);

/* The actions of the strip's buttons. The caller first stores the typed text with
 * tour_editor_commit. */
void tour_edit_step(App *app, int is_new); /* set the step's state, or add a step with that state */
/* Let the part on which the part menu was opened (fills: 1) or the whole view (0) fill the stage;
 * see hall.h. */
void tour_edit_frame(App *app, int fills);
void tour_edit_move(App *app, int way); /* one place earlier (-1) or later (1) in the tour */
void tour_edit_drop(App *app, int unused);
void tour_edit_play(App *app, int unused);

#endif
