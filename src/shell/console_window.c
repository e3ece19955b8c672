#include "shell/console_window.h"

#include <math.h>
#include <time.h>

#include "app/hall.h"
#include "gfx/surface.h"

#define TITLE "Headlight: notes"
/* Size of the window as a share of its display; LESS if there is only one display. */
#define SHARE 0.8
#define LESS  0.6

void console_window_close(ConsoleWindow *w) {
    console_release(&w->console);
    soft_release(w->soft);
    draw_release(&w->list);
    if (w->window != NULL)
        SDL_DestroyWindow(w->window);
    *w = (ConsoleWindow){.window = NULL};
}

static bool create(ConsoleWindow *w, SDL_Window *hall, GfxFonts *fonts, JobPool pool) {
    SDL_Rect room = {0, 0, 1440, 900};
    Err err;
    int display = SDL_GetWindowDisplayIndex(hall), count = SDL_GetNumVideoDisplays();
    int own = count > 1 ? (display + 1) % count : display;
    double share = count > 1 ? SHARE : LESS;
    SDL_GetDisplayUsableBounds(own, &room);
    w->window =
        SDL_CreateWindow(TITLE, (int)SDL_WINDOWPOS_CENTERED_DISPLAY((Uint32)own),
                         (int)SDL_WINDOWPOS_CENTERED_DISPLAY((Uint32)own), (int)(room.w * share),
                         (int)(room.h * share), SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    w->is_exposed = true;
    return w->window != NULL && SDL_GetWindowSurface(w->window) != NULL &&
           soft_create(&w->soft, fonts, pool, &err);
}

static void draw(ConsoleWindow *w, App *app, const DrawList *list) {
    int width, height;
    char clock[16] = "";
    time_t now = time(NULL);
    struct tm *local = localtime(&now);
    Err ignored; /* show the picture, even if memory for a part of it was missing */
    if (local != NULL)
        strftime(clock, sizeof clock, "%H:%M", local);
    SDL_GetWindowSizeInPixels(w->window, &width, &height);
    ConsoleSize size = {(float)width, (float)height, clock};
    console_frame(&w->console, app, list, &size, &w->list);
    uint64_t hash = draw_hash(&w->list);
    if (hash == w->shown_hash && !w->is_exposed)
        return;
    soft_draw(w->soft, &w->list, width, height, &ignored);
    if (surface_show(w->soft, w->window, w->is_exposed)) {
        w->shown_hash = hash;
        w->is_exposed = false;
    }
}

void console_window_frame(ConsoleWindow *w, App *app, SDL_Window *hall, const DrawList *list,
                          GfxFonts *fonts, JobPool pool) {
    bool is_wanted = app_effects(app)->has_console;
    if (!is_wanted && w->window != NULL)
        console_window_close(w);
    if (is_wanted && w->window == NULL && !create(w, hall, fonts, pool)) {
        console_window_close(w);
        presenter_close_console(app);
        app_warn(app, "%s", SDL_GetError());
    }
    if (w->window != NULL)
        draw(w, app, list);
}

/* Convert a point in this window to the units of the audience's window. */
static void move(const ConsoleWindow *w, Sint32 *x, Sint32 *y, Vec2 pixels_per_unit) {
    int width_px, height_px, width, height;
    SDL_GetWindowSizeInPixels(w->window, &width_px, &height_px);
    SDL_GetWindowSize(w->window, &width, &height);
    Vec2 px = {(float)*x * (float)width_px / (float)SDL_max(width, 1),
               (float)*y * (float)height_px / (float)SDL_max(height, 1)};
    Vec2 at = console_point(&w->console, px);
    *x = (Sint32)(at.x / pixels_per_unit.x);
    *y = (Sint32)(at.y / pixels_per_unit.y);
}

bool console_window_event(ConsoleWindow *w, App *app, SDL_Event *event, Vec2 pixels_per_unit) {
    Uint32 id = w->window != NULL ? SDL_GetWindowID(w->window) : 0;
    if (id == 0)
        return false;
    if (event->type == SDL_MOUSEMOTION && event->motion.windowID == id)
        move(w, &event->motion.x, &event->motion.y, pixels_per_unit);
    bool is_button = event->type == SDL_MOUSEBUTTONDOWN || event->type == SDL_MOUSEBUTTONUP;
    if (is_button && event->button.windowID == id)
        move(w, &event->button.x, &event->button.y, pixels_per_unit);
    if (event->type != SDL_WINDOWEVENT)
        return false;
    bool is_close = event->window.event == SDL_WINDOWEVENT_CLOSE;
    /* If the audience's window is closed, end the program: SDL itself sends no quit event while
     * another window is open. */
    if (event->window.windowID != id) {
        if (is_close)
            SDL_PushEvent(&(SDL_Event){.type = SDL_QUIT});
        return false;
    }
    w->is_exposed |= event->window.event == SDL_WINDOWEVENT_EXPOSED ||
                     event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED;
    if (is_close)
        presenter_close_console(app);
    return event->window.event != SDL_WINDOWEVENT_LEAVE;
}

double console_window_next_s(const ConsoleWindow *w) {
    return w->window != NULL ? w->console.next_frame_s : INFINITY;
}
