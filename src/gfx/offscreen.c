#include "gfx/offscreen.h"

#include <SDL.h>
#include <epoxy/gl.h>
#include <stdlib.h>

#include "gfx/context.h"

struct Offscreen {
    SDL_Window *window; /* never shown: the context needs one */
    SDL_GLContext context;
    TargetKind kind;
    Target target;
    bool has_video;
};

static bool start_video(Offscreen *offscreen, Err *err) {
    SDL_SetHint(SDL_HINT_VIDEODRIVER, "offscreen");
    offscreen->has_video = SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
    if (!offscreen->has_video)
        return err_fail(err, "OpenGL", "cannot draw without a display: %s", SDL_GetError());
    context_request();
    offscreen->window = SDL_CreateWindow("", 0, 0, 16, 16, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN);
    if (offscreen->window == NULL)
        return err_fail(err, "OpenGL",
                        "cannot draw without a display: %s; install libegl1 and libgl1-mesa-dri",
                        SDL_GetError());
    return context_create(&offscreen->context, offscreen->window, err);
}

static void end_video(Offscreen *offscreen) {
    if (offscreen->context != NULL)
        SDL_GL_DeleteContext(offscreen->context);
    if (offscreen->window != NULL)
        SDL_DestroyWindow(offscreen->window);
    if (offscreen->has_video)
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
    *offscreen = (Offscreen){.kind = offscreen->kind};
}

/* What the system leaves to this program to draw, for want of a card or of its driver. */
static void choose_kind(Offscreen *offscreen) {
    Err err;
    bool has_card =
        context_may_have_card() && start_video(offscreen, &err) && !context_is_software();
    offscreen->kind = has_card ? TARGET_CARD : TARGET_SOFT;
    if (!has_card)
        end_video(offscreen);
}

static bool begin(Offscreen *offscreen, TargetKind kind, Err *err) {
    offscreen->kind = kind;
    if (kind == TARGET_NONE)
        choose_kind(offscreen);
    return kind != TARGET_CARD || start_video(offscreen, err);
}

bool offscreen_resize(Offscreen *offscreen, int width_px, int height_px, Err *err) {
    GLint limit = OFFSCREEN_SIDE_MAX;
    if (offscreen->kind == TARGET_CARD)
        glGetIntegerv(GL_MAX_TEXTURE_SIZE, &limit);
    limit = limit < OFFSCREEN_SIDE_MAX ? limit : OFFSCREEN_SIDE_MAX;
    if (width_px < 1 || height_px < 1 || width_px > limit || height_px > limit)
        return err_fail(err, "size", "%dx%d is outside 1x1 to %dx%d", width_px, height_px, limit,
                        limit);
    if (!target_fit(&offscreen->target, offscreen->kind, width_px, height_px))
        return err_fail(err, "size", "there is no memory for %dx%d pixels", width_px, height_px);
    return true;
}

bool offscreen_create(Offscreen **out, TargetKind kind, int width_px, int height_px, Err *err) {
    *out = NULL;
    Offscreen *offscreen = calloc(1, sizeof *offscreen);
    if (offscreen == NULL)
        return err_fail(err, "drawing", "out of memory");
    if (!begin(offscreen, kind, err) || !offscreen_resize(offscreen, width_px, height_px, err)) {
        offscreen_release(offscreen);
        return false;
    }
    *out = offscreen;
    return true;
}

void offscreen_release(Offscreen *offscreen) {
    if (offscreen == NULL)
        return;
    target_release(&offscreen->target);
    end_video(offscreen);
    free(offscreen);
}

Target *offscreen_target(Offscreen *offscreen) {
    return &offscreen->target;
}

void offscreen_finish(const Offscreen *offscreen) {
    if (offscreen->kind == TARGET_CARD)
        glFinish();
}
