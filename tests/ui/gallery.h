/* gallery.h: a table of every widget. The tests check laws for each row. A new widget is a row of
 * GALLERY. */
#ifndef HEADLIGHT_TESTS_UI_GALLERY_H
#define HEADLIGHT_TESTS_UI_GALLERY_H

#include "ui/ui.h"

typedef struct GalleryItem {
    const char *name;
    float w, h;
    bool takes_focus;  /* Tab reaches it, and skips it while disabled */
    bool takes_arrows; /* arrows move something in it */
    /* wrong draws it with a value that is not valid, if it has such a state. */
    void (*build)(Ui *ui, UiId id, Rect rect, bool wrong);
} GalleryItem;

extern const GalleryItem GALLERY[];
extern const int GALLERY_COUNT;

/* Reset everything to its initial state. */
void gallery_reset(void);

#endif
