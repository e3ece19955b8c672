#include "gfx/context.h"

#include <dirent.h>
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"

#define VERSION_NEEDED 33 /* as epoxy counts: 3.3 */

/* The devices of drivers that have no node in /dev/dri that draws: NVIDIA's own, Windows' own under
 * its Linux, and those of telephones. */
static const char *const CARDS[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0",
                                    "/dev/pvr_sync"};

/* As Mesa reads it. */
static bool asks_for_software(void) {
    const char *value = getenv("LIBGL_ALWAYS_SOFTWARE");
    return value != NULL && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0 ||
                             strcmp(value, "yes") == 0 || strcmp(value, "y") == 0);
}

/* The kernel's nodes for drawing, as opposed to those for a screen alone, are called renderD128 and
 * up. */
static bool has_render_node(void) {
    DIR *folder = opendir("/dev/dri");
    bool found = false;
    for (struct dirent *entry; folder != NULL && !found && (entry = readdir(folder)) != NULL;)
        found = strncmp(entry->d_name, "renderD", 7) == 0;
    if (folder != NULL)
        closedir(folder);
    return found;
}

bool context_may_have_card(void) {
    bool found = !asks_for_software();
#if defined(__linux__)
    bool has_device = has_render_node();
    for (size_t i = 0; i < ARRAY_COUNT(CARDS); i++)
        has_device |= access(CARDS[i], F_OK) == 0;
    found &= has_device;
#endif
    return found;
}

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
