#include "shell/x11.h"

#include <string.h>

#include "base/number.h"

#define ORDINARY_DPI 96.0
#define DENSITY_MOST 4.0

#if defined(SDL_VIDEO_DRIVER_X11) && defined(__has_include) && !defined(__cppcheck__)
#if __has_include(<X11/Xlib.h>)
#include <SDL_syswm.h>
#include <X11/Xatom.h>
#define HAS_X11 1
#endif
#endif

float x11_density_of(const char *dpi) {
    double value = ORDINARY_DPI;
    size_t bytes = dpi != NULL ? strlen(dpi) : 0;
    /* Skip blanks at the end, which a file of X resources may have. */
    while (bytes > 0 && strchr(" \t\r", dpi[bytes - 1]) != NULL)
        bytes--;
    if (bytes == 0 || !number_parse_real(&value, dpi, bytes))
        return 1;
    return (float)SDL_clamp(value / ORDINARY_DPI, 1, DENSITY_MOST);
}

#ifdef HAS_X11
/* Set a pointer to a function of Xlib. Return false if there is no such function. */
static bool find(void *function, const char *name) {
    void *library = SDL_LoadObject("libX11.so.6");
    void *found = library != NULL ? SDL_LoadFunction(library, name) : NULL;
    if (library != NULL)
        SDL_UnloadObject(library); /* Xlib stays loaded, because SDL still uses it */
    memcpy(function, &found, sizeof found);
    return found != NULL;
}
static bool is_x11(SDL_SysWMinfo *info, SDL_Window *window) {
    SDL_VERSION(&info->version);
    return SDL_GetWindowWMInfo(window, info) && info->subsystem == SDL_SYSWM_X11;
}

bool x11_true_size(SDL_Window *window, int *width, int *height) {
    SDL_SysWMinfo info;
    XWindowAttributes attributes;
    __typeof__(XGetWindowAttributes) *get;
    *width = *height = 0;
    if (!is_x11(&info, window) || !find(&get, "XGetWindowAttributes") ||
        get(info.info.x11.display, info.info.x11.window, &attributes) == 0)
        return false;
    *width = attributes.width;
    *height = attributes.height;
    return true;
}

float x11_text_density(SDL_Window *window) {
    SDL_SysWMinfo info;
    __typeof__(XGetDefault) *get;
    bool found = is_x11(&info, window) && find(&get, "XGetDefault");
    return x11_density_of(found ? get(info.info.x11.display, "Xft", "dpi") : NULL);
}

void x11_set_title(SDL_Window *window, const char *title) {
    SDL_SysWMinfo info;
    __typeof__(XInternAtom) *intern;
    __typeof__(XChangeProperty) *change;
    if (!is_x11(&info, window) || !find(&intern, "XInternAtom") ||
        !find(&change, "XChangeProperty"))
        return;
    Display *display = info.info.x11.display;
    Atom utf8 = intern(display, "UTF8_STRING", False);
    change(display, info.info.x11.window, XA_WM_NAME, utf8, 8, PropModeReplace,
           (const unsigned char *)title, (int)strlen(title));
}

/* stored here, because Xlib's error handlers have no context argument */
static void (*when_lost)(void *context);
static void *lost_context;

static int pass_over(Display *display, XErrorEvent *event) {
    (void)display, (void)event;
    return 0;
}

static int end_program(Display *display) {
    (void)display;
    when_lost(lost_context);
    return 0;
}

void x11_guard(SDL_Window *window, void (*lost)(void *context), void *context) {
    SDL_SysWMinfo info;
    __typeof__(XSetErrorHandler) *set_error;
    __typeof__(XSetIOErrorHandler) *set_io_error;
    if (!is_x11(&info, window) || !find(&set_error, "XSetErrorHandler") ||
        !find(&set_io_error, "XSetIOErrorHandler"))
        return;
    when_lost = lost;
    lost_context = context;
    set_error(pass_over);
    set_io_error(end_program);
}
#else
bool x11_true_size(SDL_Window *window, int *width, int *height) {
    (void)window;
    *width = *height = 0;
    return false;
}

float x11_text_density(SDL_Window *window) {
    (void)window;
    return 1;
}

void x11_set_title(SDL_Window *window, const char *title) {
    (void)window, (void)title;
}

void x11_guard(SDL_Window *window, void (*lost)(void *context), void *context) {
    (void)window, (void)lost, (void)context;
}
#endif
