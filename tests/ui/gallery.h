/* gallery.h: every widget, as a table: what the laws of the tests go over, and what is drawn in
 * every state into the golden lists. A new widget is a row of GALLERY. */
#ifndef HEADLIGHT_TESTS_UI_GALLERY_H
#define HEADLIGHT_TESTS_UI_GALLERY_H

#include "ui/ui.h"

typedef struct GalleryItem {
    const char *name;
    float w, h;
    bool takes_focus;  /* reached by Tab, and passed over while disabled */
    bool takes_arrows; /* which move something in it */
    /* wrong asks for the state of a value that cannot hold, where the widget has one. */
    void (*build)(Ui *ui, UiId id, Rect rect, bool wrong);
} GalleryItem;

extern const GalleryItem GALLERY[];
extern const int GALLERY_COUNT;

/* Everything back to how it starts. */
void gallery_reset(void);

#endif
