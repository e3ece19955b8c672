#include "gfx/context.h"

#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

#define VERSION_NEEDED 33 /* as epoxy counts: 3.3 */

static void ask_for(int major, int minor, int profile, int flags) {
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, major);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, minor);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, profile);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, flags);
}

void context_request(void) {
    setenv("LIBGL_DEBUG", "quiet", 0);
    setenv("EGL_LOG_LEVEL", "fatal", 0);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    ask_for(3, 3, SDL_GL_CONTEXT_PROFILE_CORE, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
}

bool context_is_software(void) {
    static const char *const names[] = {"llvmpipe", "softpipe", "SWR", "Software"};
    const char *name = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; name != NULL && i < ARRAY_COUNT(names); i++)
        if (strstr(name, names[i]) != NULL)
            return true;
    return false;
}

/* Software drawing is a way out, unless it is on already. */
static const char *way_out(void) {
    const char *software = getenv("LIBGL_ALWAYS_SOFTWARE");
    const char *name = (const char *)glGetString(GL_RENDERER);
    bool is_software = (software != NULL && software[0] != '\0') ||
                       (name != NULL && strstr(name, "llvmpipe") != NULL);
    return is_software ? "" : ", or draw in software: start with LIBGL_ALWAYS_SOFTWARE=1";
}

static bool check_version(Err *err) {
    if (epoxy_gl_version() >= VERSION_NEEDED)
        return true;
    const char *name = (const char *)glGetString(GL_RENDERER);
    const char *found = (const char *)glGetString(GL_VERSION);
    return err_fail(err, "OpenGL",
                    "3.3 is needed, but this is %s on %s; install a newer graphics driver%s",
                    found != NULL ? found : "an unknown version",
                    name != NULL ? name : "an unknown renderer", way_out());
}

/* An older context is of no use but for the message: it knows its name. A profile is asked for so
 * that SDL takes the path on which a failure does not end the program. */
static bool fail_with_older(SDL_Window *window, Err *err) {
    err_fail(err, "OpenGL",
             "no 3.3 core context (%s); install a graphics driver such as libegl1 with "
             "libgl1-mesa-dri, or start with LIBGL_ALWAYS_SOFTWARE=1",
             SDL_GetError());
    ask_for(2, 1, SDL_GL_CONTEXT_PROFILE_COMPATIBILITY, 0);
    SDL_GLContext older = SDL_GL_CreateContext(window);
    if (older != NULL) {
        check_version(err);
        SDL_GL_DeleteContext(older);
    }
    return false;
}

bool context_create(SDL_GLContext *context, SDL_Window *window, Err *err) {
    *context = SDL_GL_CreateContext(window);
    if (*context == NULL)
        return fail_with_older(window, err);
    if (check_version(err))
        return true;
    SDL_GL_DeleteContext(*context);
    *context = NULL;
    return false;
}
