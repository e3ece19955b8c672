/* tour_editor.h: making a tour in the window: Ctrl Enter appends what is shown as a step, a strip
 * at the foot (F6) takes its title, words and notes. The document is the tour's text
 * (document/tour_write.h): each change makes a new text, which is read again, so nothing that the
 * reader would refuse is kept. The file is written at each change from the first save on. */
#ifndef HEADLIGHT_APP_TOUR_EDITOR_H
#define HEADLIGHT_APP_TOUR_EDITOR_H

#include "app/app.h"
#include "document/document.h"
#include "document/tour.h"
#include "ui/line.h"

#define TOUR_VERSIONS_MAX 32 /* that undo reaches */
#define TOUR_FIELD_MAX    1024

typedef enum TourField {
    TOUR_FIELD_NAME, /* the tour's title */
    TOUR_FIELD_TITLE,
    TOUR_FIELD_CAPTION,
    TOUR_FIELD_NOTE,
    TOUR_FIELDS
} TourField;

/* A text of the tour. Positions are those of the session's history before and after the change that
 * made it. */
typedef struct TourVersion {
    char *bytes; /* owned */
    size_t size;
    int step; /* that is shown */
    uint64_t before, after;
} TourVersion;

typedef struct AppTourEditor {
    bool is_on;                   /* the strip is shown */
    char path[DOCUMENT_PATH_MAX]; /* "" if the tour has no file of the person's */
    bool is_unsaved, is_warned;
    TourVersion versions[TOUR_VERSIONS_MAX];
    int version, version_count;
    TourField typed; /* the field that had the focus in the last pass; TOUR_FIELDS for none */
    int typed_step;
    char texts[TOUR_FIELDS][TOUR_FIELD_MAX], copied[TOUR_FIELDS][TOUR_FIELD_MAX];
    LineEdit edits[TOUR_FIELDS];
    int action; /* of the button that was pressed in this pass */
} AppTourEditor;

/* Commands: append what is shown as a step after the current one; show or hide the strip. */
void tour_editor_add(App *app, int argument);
void tour_editor_toggle(App *app, int argument);

/* Go to the text before (-1) or after (1) the last change, if nothing else has changed since; false
 * otherwise. */
bool tour_editor_undo(App *app, int way);

/* Save the tour that is edited, and ask for a path if it has none; false if none is edited. */
bool tour_editor_save(App *app);
bool tour_editor_save_as(App *app, const char *path);

/* Edit a tour given as text, which is not saved yet. */
bool tour_editor_begin(App *app, const char *bytes, size_t size);

/* False, once, if steps would be lost: then ask for a path. */
bool tour_editor_may_leave(App *app);

/* Forget the texts, because another tour is shown or none. */
void tour_editor_forget(App *app);

/* The strip. */
bool tour_editor_is_shown(const App *app);
float tour_strip_height(const App *app);
void tour_strip_draw(App *app, Rect strip);

/* Put the caret into the field of the step's words. */
void tour_strip_focus(App *app);

/* Return what a field of a step says in the tour, or NULL. */
const char *tour_editor_text(const App *app, int step, TourField field);

/* For the strip: store what was typed; run a button's action after the pass. */
void tour_editor_commit(App *app);

typedef enum TourEdit {
    TOUR_EDIT_ADD,
    TOUR_EDIT_STATE, /* the step shows what is on screen */
    TOUR_EDIT_EARLIER,
    TOUR_EDIT_LATER,
    TOUR_EDIT_DELETE,
    TOUR_EDIT_SAVE,
    TOUR_EDIT_PLAY
} TourEdit;

void tour_editor_act(App *app, TourEdit edit);

#endif
