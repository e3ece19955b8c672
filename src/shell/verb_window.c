#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "app/hall.h"
#include "base/heap.h"
#include "base/util.h"
#include "document/document.h"
#include "gfx/card.h"
#include "gfx/soft.h"
#include "gfx/text.h"
#include "io/tensors.h"
#include "io/weights_file.h"
#include "shell/assets.h"
#include "shell/console_window.h"
#include "shell/desk_files.h"
#include "shell/events.h"
#include "shell/figure.h"
#include "shell/pool.h"
#include "shell/programs.h"
#include "shell/timing.h"
#include "shell/window.h"
#include "shell/x11.h"

/* seconds between frames while the window is minimized */
#define MINIMIZED_WAIT_S 0.25
#define WAIT_MAX_MS      60000
#define REST_S           1.0
#define SETTINGS_MOST    ((size_t)1 << 20)

typedef struct Desk {
    Window window;
    ConsoleWindow console;
    Events events;
    char why_no_words[sizeof(Err) + 4];
    DeskFiles files;
    /* The App, its fonts, assets and renderer. The renderer draws the window if there is no card,
     * and PNG pictures to save or copy. */
    Stage stage;
    Card *card; /* draws the window with a graphics card; NULL if there is none */
    uint64_t shown_hash;
    int shown_width_px, shown_height_px;
    bool is_exposed;      /* true if the system needs the picture again */
    bool must_end;        /* true after SIGINT or SIGTERM */
    bool is_drawing;      /* true within a frame, in which a resize must not draw */
    double frame_start_s; /* time at which the last frame began */
    double shown_start_s; /* time of the last frame whose picture differed from the previous one */
    double rest_s;        /* time at which memory is returned to the system; INFINITY after that */
} Desk;

/* Pass text, if there is any, to `take`, which sets the clipboard or the primary selection. Ignore
 * a failure. */
static void hand_over(int (*take)(const char *text), const char *bytes, size_t count) {
    char *text = bytes != NULL ? heap_get(count + 1) : NULL;
    if (text == NULL)
        return;
    memcpy(text, bytes, count);
    text[count] = '\0';
    take(text);
    free(text);
}

static void apply_effects(Desk *desk) {
    const AppEffects *effects = app_effects(desk->stage.app);
    float scale = desk->stage.list.scale;
    Rect caret = effects->text_caret;
    Rect caret_px = {caret.x * scale, caret.y * scale, caret.w * scale, caret.h * scale};
    hand_over(SDL_SetClipboardText, effects->clipboard, effects->clipboard_bytes);
    if (window_has_selection())
        hand_over(SDL_SetPrimarySelectionText, effects->selection, effects->selection_bytes);
    if (effects->want_paste)
        events_add_paste(&desk->events, SDL_GetClipboardText());
    if (effects->want_selection && window_has_selection() && SDL_HasPrimarySelectionText())
        events_add_paste(&desk->events, SDL_GetPrimarySelectionText());
    window_set_title(&desk->window, effects->title);
    window_take_text(&desk->window, effects->text_input, caret_px);
    events_set_field(&desk->events, effects->text_input);
    window_show_cursor(&desk->window, effects->cursor);
    if (effects->is_presented == (SDL_IsScreenSaverEnabled() == SDL_TRUE))
        (effects->is_presented ? SDL_DisableScreenSaver : SDL_EnableScreenSaver)();
    if (effects->toggle_fullscreen)
        window_toggle_fullscreen(&desk->window);
}

/* Save or copy the picture, or one part of it, as the app requests, and report success or failure.
 * The list is cut to the part; the next frame builds it again. */
static void save_picture(Desk *desk) {
    const AppEffects *effects = app_effects(desk->stage.app);
    CallFigure figure = {.part = effects->part};
    TextOut out = {0};
    Err err;
    int result = effects->result;
    if (figure.part == NULL && effects->picture == NULL)
        return;
    FigureFormat *format = result == RESULT_CSV   ? figure_csv
                           : result == RESULT_SVG ? figure_svg
                                                  : figure_png;
    bool made = result == RESULT_CSV || /* numbers need the whole list, so do not cut it */
                figure_cut(&desk->stage, &figure, 0, &err);
    made = made && figure_encode(&out, format, &desk->stage, &figure, &err);
    if (made && effects->picture != NULL)
        made = file_write_quick(effects->picture, out.at, out.used, &err);
    else if (made && result != RESULT_PNG)
        hand_over(SDL_SetClipboardText, out.at, out.used);
    else if (made)
        made = clip_picture(out.at, out.used, &err);
    text_out_release(&out);
    app_picture_saved(desk->stage.app, made ? NULL : &err);
}

static void show(Desk *desk, int width_px, int height_px) {
    uint64_t hash = draw_hash(&desk->stage.list);
    bool is_same = hash == desk->shown_hash && width_px == desk->shown_width_px &&
                   height_px == desk->shown_height_px && !desk->is_exposed;
    if (is_same)
        return;
    Err ignored; /* show the picture, even if memory for a part of it was missing */
    if (desk->card != NULL)
        card_draw(desk->card, &desk->stage.list, width_px, height_px);
    else
        soft_draw(desk->stage.soft, &desk->stage.list, width_px, height_px, &ignored);
    if (!window_show(&desk->window, desk->stage.soft, desk->is_exposed))
        return;
    desk->shown_start_s = desk->frame_start_s;
    desk->shown_hash = hash;
    desk->shown_width_px = width_px;
    desk->shown_height_px = height_px;
    desk->is_exposed = false;
}

/* Pass all waiting events to the app, one frame's events at a time, and show the picture. */
static void frame(Desk *desk) {
    Input input = {0};
    int width_px, height_px;
    desk->is_drawing = true;
    desk->frame_start_s = timing_now_s();
    do {
        window_size_px(&desk->window, &width_px, &height_px, &desk->events.pixels_per_unit);
        input.width_px = (float)width_px;
        input.height_px = (float)height_px;
        input.density = desk->events.pixels_per_unit.y * desk->window.text_density;
        if (desk->events.has_lost)
            app_warn(desk->stage.app,
                     "Too little memory: your last key or click was lost; close other programs");
        desk->events.has_lost = false;
        events_take(&desk->events, &input);
        app_window_size(desk->stage.app, window_size(&desk->window));
        presenter_displays(desk->stage.app, SDL_GetNumVideoDisplays());
        app_frame(desk->stage.app, &input, desk->frame_start_s, &desk->stage.list);
        apply_effects(desk);
    } while (desk->events.count > 0 && !app_effects(desk->stage.app)->quit);
    if (!app_effects(desk->stage.app)->is_frozen)
        show(desk, width_px, height_px);
    else if (desk->is_exposed && desk->card == NULL)
        desk->is_exposed = !window_show(&desk->window, desk->stage.soft, true);
    console_window_frame(&desk->console, desk->stage.app, desk->window.window, &desk->stage.list,
                         desk->stage.fonts, pool_jobs(&desk->stage.pool, 0));
    save_picture(desk);
    desk->is_drawing = false;
}

static volatile sig_atomic_t is_signalled;

static void take_event(Desk *desk, SDL_Event *event) {
    if (console_window_event(&desk->console, desk->stage.app, event, desk->events.pixels_per_unit))
        return;
    bool is_window = event->type == SDL_WINDOWEVENT;
    desk->must_end |= event->type == SDL_QUIT && is_signalled;
    desk->is_exposed |= is_window && (event->window.event == SDL_WINDOWEVENT_EXPOSED ||
                                      event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED);
    if (is_window)
        window_fit_frame(&desk->window);
    events_add(&desk->events, event);
}

/* Draw while the user drags a border of the window, which blocks the event loop: an
 * SDL_EventFilter. */
static int on_event(void *context, SDL_Event *event) {
    Desk *desk = context;
    bool blocks = window_is_driver("windows") || window_is_driver("cocoa");
    bool is_resize =
        event->type == SDL_WINDOWEVENT && event->window.event == SDL_WINDOWEVENT_SIZE_CHANGED;
    if (blocks && is_resize && !desk->is_drawing)
        frame(desk);
    return 0;
}

/* If there was no event for a while, return to the system the free memory that malloc keeps
 * (main.c). Frames without an event, such as those of a blinking caret, don't prevent this. */
static void give_back(Desk *desk, bool has_event) {
    if (has_event)
        desk->rest_s = timing_now_s() + REST_S;
    if (timing_now_s() < desk->rest_s)
        return;
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
    desk->rest_s = INFINITY;
}

/* Sleep until an event arrives or the app's next frame is due. Frames are not more frequent than
 * the display's refreshes, even if showing a frame returns at once. */
static void wait(Desk *desk) {
    double next_s = app_effects(desk->stage.app)->next_frame_s;
    double earliest_s = desk->shown_start_s + (double)desk->window.frame_s;
    if (window_is_minimized(&desk->window))
        next_s = fmax(next_s, timing_now_s() + MINIMIZED_WAIT_S);
    next_s = fmin(fmin(next_s, desk->rest_s), console_window_next_s(&desk->console));
    SDL_Event event;
    bool has_event;
    double wait_ms = ceil((fmax(next_s, earliest_s) - timing_now_s()) * 1e3);
    if (isinf(next_s))
        has_event = SDL_WaitEvent(&event) != 0;
    else
        has_event = SDL_WaitEventTimeout(&event, (int)fmin(WAIT_MAX_MS, fmax(1, wait_ms))) != 0;
    double early_s = earliest_s - timing_now_s();
    if (has_event && early_s > 0)
        SDL_Delay((Uint32)(early_s * 1e3));
    if (has_event)
        take_event(desk, &event);
    while (SDL_PollEvent(&event) != 0)
        take_event(desk, &event);
    give_back(desk, has_event);
}

static bool take_words(void *context, const WordVectors **out, bool *is_kept, const char *path,
                       Err *err) {
    Assets *assets = context;
    bool taken = assets_take_words(assets, is_kept, path, err);
    *out = assets->run.words;
    return taken;
}

static void end_at_once(const char *why) {
    fprintf(stderr, "headlight: window: %s\n", why);
    _Exit(EXIT_FAILURE);
}

/* The display is gone: keep unsaved work and end the program, before Xlib ends it. */
static void end_without_display(void *context) {
    const Desk *desk = context;
    end_at_once(app_keep(desk->stage.app)
                    ? "the display is gone; unsaved work is kept for the next start"
                    : "the display is gone, and unsaved work is lost: no autosave can be written");
}

static void (*sdl_signal)(int number); /* SDL's handler, which sends SDL_QUIT */

static void on_signal(int number) {
    is_signalled = 1;
    sdl_signal(number);
}

/* Notice signals, because SDL sends SDL_QUIT both for a signal and for the window's close button. A
 * signal that SDL does not handle, because it was ignored, stays ignored. */
static void take_signals(void) {
    static const int ENDING[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < ARRAY_COUNT(ENDING); i++) {
        struct sigaction action;
        sigaction(ENDING[i], NULL, &action);
        if (action.sa_handler == SIG_IGN || action.sa_handler == SIG_DFL)
            continue;
        sdl_signal = action.sa_handler;
        action.sa_handler = on_signal;
        sigaction(ENDING[i], &action, NULL);
    }
}

static bool open_call(Desk *desk, const Call *call, Err *err) {
    x11_guard(desk->window.window, end_without_display, desk);
    /* Report substituted fonts as a message, not as an error, because everything works with
     * them. */
    if (fonts_substitutions(desk->stage.fonts)[0] != '\0')
        app_say(desk->stage.app, "Missing fonts were replaced: %s",
                fonts_substitutions(desk->stage.fonts));
    /* A weights file is already in the session. */
    if (call->word != NULL && !weights_file_is(call->word))
        app_open(desk->stage.app, call->word);
    presenter_displays(desk->stage.app, SDL_GetNumVideoDisplays());
    if ((call->present || call->from != NULL) &&
        !presenter_begin(desk->stage.app, call->from, call->minutes, err))
        return false;
    if (call->lecture)
        app_begin_lecture(desk->stage.app);
    if (call->says_theme)
        hall_keep_theme(desk->stage.app);
    if (call->present)
        window_place(&desk->window, call->display);
    if (call->fullscreen || call->present)
        window_toggle_fullscreen(&desk->window);
    take_signals();
    SDL_AddEventWatch(on_event, desk);
    SDL_AddEventWatch(events_expect_text, &desk->events);
    return true;
}

static bool begin(Desk *desk, const Call *call, Err *err) {
    const OptionPair *size = &call->settings.size;
    desk->stage = (Stage){.pool = {.yields = true}, .is_unseen = true};
    if (!window_create(&desk->window, size->first, size->second, err) ||
        !fonts_create(&desk->stage.fonts, err) ||
        !soft_create(&desk->stage.soft, desk->stage.fonts, pool_jobs(&desk->stage.pool, 0), err) ||
        (desk->window.context != NULL && !card_create(&desk->card, desk->stage.fonts, err) &&
         !window_leave_card(&desk->window, err)))
        return false;
    assets_load_all(&desk->stage.assets);
    desk->stage.measure = text_measure(desk->stage.fonts);
    desk_files_begin(&desk->files);
    const Err *no_words = &desk->stage.assets.words_err;
    snprintf(desk->why_no_words, sizeof desk->why_no_words, "%s: %s", no_words->what,
             no_words->why);
    bool is_new = call->word == NULL && !call->says_state;
    AppResources resources = {
        .run = desk->stage.assets.run,
        .measure = &desk->stage.measure,
        .files = desk_files(&desk->files),
        .load_weights = assets_weights,
        .words = {.context = &desk->stage.assets,
                  .why_none = desk->stage.assets.run.words == NULL ? desk->why_no_words : NULL,
                  .take = take_words},
        .save_weights = weights_file_save,
        .save_tensors = tensors_save,
        .load_tour = assets_tour,
        .cuts_parts = true,
        .recovers = is_new,
        .first_example = is_new,
        .now_s = timing_now_s,
        .pool = pool_jobs(&desk->stage.pool, 0)};
    Settings settings = call->settings, standard;
    option_set_standard(&standard, &PICTURE_OPTIONS);
    if (size->first == standard.size.first && size->second == standard.size.second)
        window_grow(&desk->window);
    /* The window has this size already, so remove it from the state. */
    settings.size = standard.size;
    desk->stage.app = app_create(&resources, &call->session, &settings, err);
    if (desk->stage.app == NULL)
        return false;
    return open_call(desk, call, err);
}

static void end(Desk *desk) {
    /* SDL_HideWindow waits until the X server has handled the event with which SDL wakes the event
     * loop. If that event arrived after the window is gone, Xlib would end the program with status
     * 1. */
    SDL_HideWindow(desk->window.window);
    SDL_DelEventWatch(on_event, desk);
    SDL_DelEventWatch(events_expect_text, &desk->events);
    console_window_close(&desk->console);
    app_destroy(desk->stage.app);
    desk->stage.app = NULL;
    if (!pool_end(
            &desk->stage.pool)) { /* a thread may be in a long library call and not end soon */
        desk_files_end(&desk->files);
        window_release(&desk->window);
        _Exit(EXIT_SUCCESS);
    }
    card_release(desk->card);
    stage_end(&desk->stage);
    desk_files_end(&desk->files);
    events_release(&desk->events);
    window_release(&desk->window);
    free(desk);
}

void verb_window_prepare(Settings *settings) {
    char path[FILE_PATH_BYTES], *bytes;
    size_t size;
    Err err;
    if (!desk_files_settings(path, sizeof path) ||
        !file_read(&bytes, &size, path, SETTINGS_MOST, &err))
        return; /* leave the defaults: the window reads the file again and reports the error */
    app_read_settings(settings, bytes, size);
    free(bytes);
}

static bool check_file(const Call *call, Err *err) {
    FileIn file;
    if (call->word == NULL || weights_file_is(call->word))
        return true;
    if (!app_opens(call->word))
        return err_usage(err, call->word,
                         "cannot be opened; sessions end in .headlight, weights in .safetensors or "
                         ".npz, and texts in .txt");
    if (!file_open(&file, call->word, err))
        return false;
    bool fits = file.size <= DOCUMENT_BYTES_MAX;
    file_close(&file);
    return fits ||
           err_usage(err, call->word, "is larger than %zu bytes, the limit; use a smaller file",
                     DOCUMENT_BYTES_MAX);
}

bool verb_window(const Call *call, Err *err) {
    if (!check_file(call, err))
        return false;
    Desk *desk = heap_get_zero(1, sizeof *desk);
    if (desk == NULL)
        return err_fail(err, "memory", "too little to start; close other programs");
    bool began = begin(desk, call, err);
    if (began) {
        frame(desk);
        desk->rest_s = timing_now_s() + REST_S;
        while (!app_effects(desk->stage.app)->quit) {
            wait(desk);
            frame(desk);
            /* After a signal there may be no user to answer the question about unsaved work. */
            if (desk->must_end && !app_effects(desk->stage.app)->quit)
                end_at_once("unsaved work is lost: no autosave can be written");
        }
    }
    end(desk);
    return began;
}
