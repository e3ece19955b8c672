/* step_picture.h: pictures of a tour's steps, each as the audience sees it at the step's end. A
 * second App plays the steps, one frame at a time, and computes only while the first App does
 * not. */
#ifndef HEADLIGHT_APP_STEP_PICTURE_H
#define HEADLIGHT_APP_STEP_PICTURE_H

#include "app/app.h"
#include "draw/camera.h"
#include "ui/ui.h"

#define STEP_PICTURES_MAX 32

/* The newest pictures. Zeroed: none. */
typedef struct StepPictures {
    App *player; /* owned; NULL until it is needed, or if memory ran out */
    struct {
        char *of; /* owned: all inputs of the picture, as text; NULL for none */
        DrawList list;
    } at[STEP_PICTURES_MAX];
    int making; /* index of the picture that is being made, or of the next one */
    int frames; /* frames built so far for the picture that is being made */
} StepPictures;

/* Size and form of the pictures at one place. */
typedef struct StepPictureLook {
    float width_px, height_px;
    bool has_caption;
} StepPictureLook;

/* Return the picture of a step of the tour that app plays, or NULL if it is not made yet. Borrowed
 * until the next step_picture_make. */
const DrawList *step_picture_find(const StepPictures *pictures, const App *app, int step,
                                  const StepPictureLook *look);

/* Build one more frame of a picture that step_picture_find does not have yet. */
void step_picture_make(StepPictures *pictures, App *app, int step, const StepPictureLook *look);

/* Draw the first count commands of a picture as large as they fit in the middle of place. Return
 * the camera that maps them there. */
Camera step_picture_draw(Ui *ui, Rect place, const DrawList *picture, size_t count);

void step_pictures_release(StepPictures *pictures);

#endif
