#include "shell/window.h"

#include <locale.h>

#include "base/util.h"
#include "gfx/context.h"
#include "gfx/surface.h"
#include "shell/x11.h"

#define LOOKS      25 /* number of checks whether the window manager has reacted */
#define LOOK_MS    10
#define TITLE      "Headlight"
#define SIDE_MIN   320
#define ICON_SIDE  64
#define REFRESH_HZ 60 /* refreshes per second of a display that does not report them */
/* Share of the time between two refreshes. It is less than 1, so that waiting never skips a
 * refresh. */
#define FRAME_MARGIN 0.9f

typedef struct HintRow {
    const char *name, *value;
} HintRow;

/* Hints for SDL that must be set before it starts. */
static const HintRow HINTS[] = {
    {SDL_HINT_APP_NAME, TITLE},
    {"SDL_VIDEO_X11_WMCLASS", "headlight"},
    {"SDL_VIDEO_WAYLAND_WMCLASS", "headlight"},
    {SDL_HINT_WINDOWS_DPI_AWARENESS, "permonitorv2"},
    {SDL_HINT_IME_SUPPORT_EXTENDED_TEXT, "1"},
    {SDL_HINT_IME_SHOW_UI, "1"},
    {SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0"},
    {SDL_HINT_VIDEO_ALLOW_SCREENSAVER, "1"},
    /* Otherwise SDL would use OpenGL for windows without OpenGL. */
    {SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"},
};

static const SDL_SystemCursor SYSTEM_CURSORS[WINDOW_CURSORS] = {
    [CURSOR_ARROW] = SDL_SYSTEM_CURSOR_ARROW,     [CURSOR_TEXT] = SDL_SYSTEM_CURSOR_IBEAM,
    [CURSOR_HAND] = SDL_SYSTEM_CURSOR_HAND,       [CURSOR_RESIZE_X] = SDL_SYSTEM_CURSOR_SIZEWE,
    [CURSOR_RESIZE_Y] = SDL_SYSTEM_CURSOR_SIZENS,
};

static bool is_set(const char *name) {
    const char *value = SDL_getenv(name);
    return value != NULL && value[0] != '\0';
}

/* Choose the video driver. Except on macOS and Windows, try only X11 and Wayland, unless the user
 * names a driver in SDL_VIDEODRIVER. SDL itself would continue with drivers that show nothing, and
 * would print a library's messages. Return false if there is no driver to try. */
static bool choose_driver(void) {
#if !defined(__APPLE__) && !defined(_WIN32)
    bool has_x = is_set("DISPLAY");
    bool has_wayland = is_set("WAYLAND_DISPLAY") || is_set("WAYLAND_SOCKET");
    if (is_set("SDL_VIDEODRIVER"))
        return true;
    if (has_x || has_wayland)
        SDL_SetHint(SDL_HINT_VIDEODRIVER, !has_wayland ? "x11" : has_x ? "x11,wayland" : "wayland");
    return has_x || has_wayland;
#else
    return true;
#endif
}

static bool start_video(Window *window, Err *err) {
    /* Set the locale's character set, because on X11 SDL converts the title to it. Numbers are
     * still read and written as in the C locale. */
    setlocale(LC_CTYPE, "C.UTF-8");
    for (size_t i = 0; i < ARRAY_COUNT(HINTS); i++)
        SDL_SetHint(HINTS[i].name, HINTS[i].value);
    window->has_video = choose_driver() && SDL_InitSubSystem(SDL_INIT_VIDEO) == 0;
    if (window->has_video)
        return true;
    const char *why = SDL_GetError();
    return err_fail(err, "window",
                    "there is no display%s%s; start the program on a desktop, or make a picture "
                    "with headlight render -o FILE",
                    why[0] != '\0' ? ": " : "", why);
}

static void fit_display(int *width, int *height) {
    SDL_Rect room;
    if (SDL_GetDisplayUsableBounds(0, &room) != 0)
        return;
    *width = SDL_max(SIDE_MIN, SDL_min(*width, room.w));
    *height = SDL_max(SIDE_MIN, SDL_min(*height, room.h));
}

bool window_is_driver(const char *name) {
    const char *driver = SDL_GetCurrentVideoDriver();
    return driver != NULL && SDL_strcmp(driver, name) == 0;
}

static void close_window(Window *window) {
    if (window->context != NULL)
        SDL_GL_DeleteContext(window->context);
    if (window->window != NULL)
        SDL_DestroyWindow(window->window);
    window->context = NULL;
    window->window = NULL;
}

static bool create(Window *window, int width, int height, Uint32 flags) {
    window->window =
        SDL_CreateWindow(TITLE, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width, height,
                         flags | SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI);
    return window->window != NULL;
}

/* Create a window that a graphics card draws. It stays hidden until it is known to work. */
static bool open_with_context(Window *window, int width, int height) {
    context_request();
    if (!create(window, width, height, SDL_WINDOW_OPENGL | SDL_WINDOW_HIDDEN))
        return false;
    window->context = context_create(window->window);
    if (window->context == NULL || context_is_software())
        return false;
    if (SDL_GL_SetSwapInterval(-1) != 0)
        SDL_GL_SetSwapInterval(1);
    SDL_ShowWindow(window->window);
    return true;
}

/* Create a window without OpenGL, which shows the picture drawn by the processor. */
static bool open_plain(Window *window, int width, int height, Err *err) {
    return (create(window, width, height, 0) && SDL_GetWindowSurface(window->window) != NULL) ||
           err_fail(err, "window", "%s", SDL_GetError());
}

/* Draw the icon: a beam of light that opens to the right on a dark background. */
static void set_icon(SDL_Window *window) {
    static Uint32 pixels[ICON_SIDE * ICON_SIDE];
    for (int y = 0; y < ICON_SIDE; y++)
        for (int x = 0; x < ICON_SIDE; x++) {
            int from_axis = SDL_abs(2 * y - ICON_SIDE + 1), reach = x - 10;
            bool is_beam = x >= 14 && x < 56 && from_axis < reach;
            Uint32 light = (Uint32)(is_beam ? 255 - 3 * (x - 14) : 0);
            Uint32 red = 0x13 + (0xFF - 0x13) * light / 255;
            Uint32 green = 0x16 + (0xE0 - 0x16) * light / 255;
            Uint32 blue = 0x1A + (0x8A - 0x1A) * light / 255;
            pixels[y * ICON_SIDE + x] = 0xFF000000u | red << 16 | green << 8 | blue;
        }
    SDL_Surface *icon = SDL_CreateRGBSurfaceWithFormatFrom(pixels, ICON_SIDE, ICON_SIDE, 32,
                                                           ICON_SIDE * (int)sizeof *pixels,
                                                           SDL_PIXELFORMAT_ARGB8888);
    if (icon == NULL)
        return;
    SDL_SetWindowIcon(window, icon);
    SDL_FreeSurface(icon);
}

void window_grow(Window *window) {
    int width, height;
    if (window->text_density <= 1)
        return;
    SDL_GetWindowSize(window->window, &width, &height);
    width = (int)((float)width * window->text_density);
    height = (int)((float)height * window->text_density);
    fit_display(&width, &height);
    SDL_SetWindowSize(window->window, width, height);
    SDL_SetWindowPosition(window->window, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
}

void window_place(Window *window, int display) {
    int count = SDL_GetNumVideoDisplays(), index = display > 0 ? display - 1 : 1;
    if (index < count)
        SDL_SetWindowPosition(window->window, (int)SDL_WINDOWPOS_CENTERED_DISPLAY((Uint32)index),
                              (int)SDL_WINDOWPOS_CENTERED_DISPLAY((Uint32)index));
}

static void set_up(Window *window) {
    SDL_SetWindowMinimumSize(window->window, SIDE_MIN, SIDE_MIN);
    SDL_StopTextInput();
    set_icon(window->window);
    SDL_DisplayMode mode = {0};
    SDL_GetWindowDisplayMode(window->window, &mode);
    window->frame_s =
        FRAME_MARGIN / (float)(mode.refresh_rate > 0 ? mode.refresh_rate : REFRESH_HZ);
    window->text_density = x11_text_density(window->window);
}

bool window_leave_card(Window *window, Err *err) {
    int width, height;
    SDL_GetWindowSize(window->window, &width, &height);
    close_window(window);
    if (!open_plain(window, width, height, err))
        return false;
    set_up(window);
    return true;
}

bool window_create(Window *window, int width, int height, Err *err) {
    *window = (Window){0};
    if (!start_video(window, err))
        return false;
    fit_display(&width, &height);
    if (!context_may_have_card() || !open_with_context(window, width, height)) {
        close_window(window);
        if (!open_plain(window, width, height, err))
            return false;
    }
    set_up(window);
    for (int i = 0; i < WINDOW_CURSORS; i++)
        window->cursors[i] = SDL_CreateSystemCursor(SYSTEM_CURSORS[i]);
    return true;
}

void window_release(Window *window) {
    for (int i = 0; i < WINDOW_CURSORS; i++)
        if (window->cursors[i] != NULL)
            SDL_FreeCursor(window->cursors[i]);
    close_window(window);
    if (window->has_video)
        SDL_QuitSubSystem(SDL_INIT_VIDEO);
    *window = (Window){0};
}

void window_size_px(const Window *window, int *width_px, int *height_px, Vec2 *pixels_per_unit) {
    int width, height;
    SDL_GetWindowSizeInPixels(window->window, width_px, height_px);
    SDL_GetWindowSize(window->window, &width, &height);
    *pixels_per_unit = (Vec2){width > 0 ? (float)*width_px / (float)width : 1,
                              height > 0 ? (float)*height_px / (float)height : 1};
}

/* True if the window is as large as its display, or if the system does not report its size. Waits
 * for the window manager, which may be slow. */
static bool is_filled(SDL_Window *window, const SDL_Rect *display) {
    int width, height;
    for (int look = 0; look < LOOKS && x11_true_size(window, &width, &height); look++) {
        if (width == display->w && height == display->h)
            return true;
        SDL_Delay(LOOK_MS);
    }
    return !x11_true_size(window, &width, &height);
}

static void place(SDL_Window *window, const SDL_Rect *to, bool has_border) {
    SDL_SetWindowBordered(window, has_border ? SDL_TRUE : SDL_FALSE);
    SDL_SetWindowSize(window, to->w, to->h);
    SDL_SetWindowPosition(window, to->x, to->y);
}

static bool is_full(const Window *window) {
    return window->is_stretched ||
           (SDL_GetWindowFlags(window->window) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
}

/* On X11 the window manager makes a window fill the display. If there is no window manager, or it
 * cannot do that, move and size the window here. To find that out may take a quarter of a
 * second. */
void window_toggle_fullscreen(Window *window) {
    SDL_Window *w = window->window;
    SDL_Rect display, *before = &window->before;
    window->is_fitted = false;
    if (window->is_stretched) {
        window->is_stretched = false;
        place(w, before, true);
        return;
    }
    bool was_on = is_full(window);
    SDL_GetWindowPosition(w, &before->x, &before->y);
    SDL_GetWindowSize(w, &before->w, &before->h);
    SDL_SetWindowFullscreen(w, was_on ? 0 : SDL_WINDOW_FULLSCREEN_DESKTOP);
    if (was_on || SDL_GetDisplayBounds(SDL_GetWindowDisplayIndex(w), &display) != 0 ||
        is_filled(w, &display))
        return;
    SDL_SetWindowFullscreen(w, 0);
    window->is_stretched = true;
    place(w, &display, false);
}

OptionPair window_size(const Window *window) {
    bool is_maximized = (SDL_GetWindowFlags(window->window) & SDL_WINDOW_MAXIMIZED) != 0;
    OptionPair size = {0, 0};
    if (!is_maximized && !is_full(window))
        SDL_GetWindowSize(window->window, &size.first, &size.second);
    return size;
}

bool window_has_selection(void) {
    return window_is_driver("x11") || window_is_driver("wayland");
}

/* Set the title. Return false if the system refuses; then the old title stays. */
static bool show_title(SDL_Window *window, const char *title) {
    SDL_ClearError();
    SDL_SetWindowTitle(window, title);
    if (SDL_GetError()[0] != '\0')
        return false;
    x11_set_title(window, title);
    return true;
}

void window_set_title(Window *window, const char *title) {
    if (SDL_strcmp(window->title, title) == 0)
        return;
    char shown[sizeof window->title];
    SDL_strlcpy(window->title, title, sizeof window->title);
    SDL_strlcpy(shown, title, sizeof shown);
    if (show_title(window->window, shown))
        return;
    /* Write the title in ASCII, with a question mark for each other character. */
    char *to = shown;
    for (const char *from = title; *from != '\0' && to < shown + sizeof shown - 1; from++)
        if ((unsigned char)*from < 0x80 || (unsigned char)*from >= 0xC0)
            *to++ = (char)((unsigned char)*from < 0x80 ? *from : '?');
    *to = '\0';
    show_title(window->window, shown);
}

bool window_show(Window *window, Soft *soft, bool all) {
    if (window->context == NULL)
        return surface_show(soft, window->window, all);
    SDL_GL_SwapWindow(window->window);
    return true;
}

void window_fit_frame(Window *window) {
    int top = 0, left = 0, bottom = 0, right = 0, width, height;
    SDL_Rect room;
    SDL_Window *w = window->window;
    SDL_GetWindowBordersSize(w, &top, &left, &bottom, &right);
    if (window->is_fitted || top + left + bottom + right == 0 || is_full(window) ||
        SDL_GetDisplayUsableBounds(SDL_GetWindowDisplayIndex(w), &room) != 0)
        return;
    window->is_fitted = true;
    SDL_GetWindowSize(w, &width, &height);
    bool is_wide = width + left + right > room.w, is_high = height + top + bottom > room.h;
    if (is_wide && is_high)
        SDL_MaximizeWindow(w);
    else if (is_wide || is_high)
        SDL_SetWindowSize(w, SDL_min(width, room.w - left - right),
                          SDL_min(height, room.h - top - bottom));
}

bool window_is_minimized(const Window *window) {
    return (SDL_GetWindowFlags(window->window) & SDL_WINDOW_MINIMIZED) != 0;
}

void window_show_cursor(Window *window, Cursor cursor) {
    if (cursor == window->cursor || (cursor != CURSOR_NONE && window->cursors[cursor] == NULL))
        return;
    window->cursor = cursor;
    SDL_ShowCursor(cursor == CURSOR_NONE ? SDL_DISABLE : SDL_ENABLE);
    if (cursor != CURSOR_NONE)
        SDL_SetCursor(window->cursors[cursor]);
}

void window_take_text(Window *window, bool takes_text, Rect caret_px) {
    if (takes_text && !SDL_IsTextInputActive())
        SDL_StartTextInput();
    /* events_expect_text may have turned text input on. */
    if (!takes_text && SDL_IsTextInputActive())
        SDL_StopTextInput();
    if (!takes_text)
        return;
    int width_px, height_px;
    Vec2 ratio;
    window_size_px(window, &width_px, &height_px, &ratio);
    SDL_Rect caret = {(int)(caret_px.x / ratio.x), (int)(caret_px.y / ratio.y),
                      (int)(caret_px.w / ratio.x) + 1, (int)(caret_px.h / ratio.y) + 1};
    SDL_SetTextInputRect(&caret);
}
