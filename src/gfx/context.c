#include "gfx/context.h"

#include <dirent.h>
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"

#define VERSION_NEEDED 33 /* version 3.3, in epoxy's notation */

/* Device files of drivers without a render node in /dev/dri: of NVIDIA, of Windows if Linux runs
 * under it, and of phones. */
static const char *const CARDS[] = {"/dev/nvidiactl", "/dev/dxg", "/dev/mali0", "/dev/kgsl-3d0",
                                    "/dev/pvr_sync"};

/* True if the environment requests drawing without the card, by the words that Mesa accepts. */
static bool asks_for_software(void) {
    const char *value = getenv("LIBGL_ALWAYS_SOFTWARE");
    return value != NULL && (strcmp(value, "1") == 0 || strcmp(value, "true") == 0 ||
                             strcmp(value, "yes") == 0 || strcmp(value, "y") == 0);
}

/* The kernel names render nodes renderD128 and up; other nodes only drive a screen. */
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

void context_request(void) {
    setenv("LIBGL_DEBUG", "quiet", 0);
    setenv("EGL_LOG_LEVEL", "fatal", 0);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_FLAGS, SDL_GL_CONTEXT_FORWARD_COMPATIBLE_FLAG);
}

bool context_is_software(void) {
    static const char *const names[] = {"llvmpipe", "softpipe", "SWR", "Software"};
    const char *name = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; name != NULL && i < ARRAY_COUNT(names); i++)
        if (strstr(name, names[i]) != NULL)
            return true;
    return false;
}

SDL_GLContext context_create(SDL_Window *window) {
    SDL_GLContext context = SDL_GL_CreateContext(window);
    if (context == NULL || epoxy_gl_version() >= VERSION_NEEDED)
        return context;
    SDL_GL_DeleteContext(context);
    return NULL;
}
