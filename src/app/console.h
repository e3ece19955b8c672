/* console.h: the picture of the presenter's own window: the stage as the audience (the hall) sees
 * it, the next step as a picture, notes, cues, time, and the list of steps. */
#ifndef HEADLIGHT_APP_CONSOLE_H
#define HEADLIGHT_APP_CONSOLE_H

#include "app/app.h"
#include "app/step_picture.h"
#include "draw/camera.h"
#include "ui/ui.h"

/* The console's state. Zeroed: a new console. */
typedef struct Console {
    Ui ui;
    StepPictures pictures;
    Camera camera; /* maps the hall's logical pixels to the console's */
    float scale, hall_scale;
    double next_frame_s; /* as in AppEffects */
} Console;

/* The input of the console's window. clock is the time of day, or "". */
typedef struct ConsoleSize {
    float width_px, height_px;
    const char *clock;
} ConsoleSize;

/* Build the picture after a frame of a presented tour. hall: the picture of that frame; out borrows
 * cells from it. */
void console_frame(Console *console, App *app, const DrawList *hall, const ConsoleSize *size,
                   DrawList *out);

/* Convert a point of the console's window to the hall's window, in device pixels. */
Vec2 console_point(const Console *console, Vec2 px);

void console_release(Console *console);

#endif
