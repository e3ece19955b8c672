/* page.c: the program as a web page. browser.js calls the page_* functions. Events are queued; each
 * frame passes them to the App, as shell/verb_window.c does, and draws the picture. */
#include <emscripten.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app_state.h"
#include "app/part_numbers.h"
#include "document/state.h"
#include "document/tour.h"
#include "draw/camera.h"
#include "draw/part.h"
#include "export/svg.h"
#include "gfx/text.h"
#include "io/bpe_file.h"
#include "io/file.h"
#include "io/tensors.h"
#include "io/weights_file.h"
#include "io/words_file.h"
#include "views/parts.h"
#include "views/view.h"
#include "web/browser.h"
#include "web/page.h"

#define EXPORTED     EMSCRIPTEN_KEEPALIVE
#define EVENTS_MAX   128
#define SETTINGS_MAX ((size_t)1 << 20)
#define EMBED_WIDTH  1440 /* width of the window from which a single embedded part is cut out */
#define EMBED_HEIGHT 900
#define PART_MARGIN  8
#define PASS_PATH    "/tmp/pass.json"
#define CONTROL_NAME 160
#define NAME_AWAY    240 /* maximum logical pixels between a control and the text that names it */

static struct {
    App *app;
    DrawList list;
    TextMeasure measure;
    WordsFile words, all_words;
    char why_no_words[sizeof(Err) + 4], no_gpt2[sizeof(Err)];
    Input input;
    InputEvent events[EVENTS_MAX];
    char *texts[EVENTS_MAX]; /* owned */
    /* True if the queued events must be handled in one frame, before any later event. */
    bool ends;
    bool has_wheel;
    uint64_t shown_hash;
    int width, height; /* size of the canvas */
    char *address;     /* owned: the state string in the page's address */
    char *pass;        /* owned: the tensors that page_pass returned last, as JSON */
    const char *part;  /* id of the only part that is shown; NULL for the whole window */
    Vec2 part_at;      /* the part's corner in the window */
    float window_scale, shown_scale; /* device pixels in one logical pixel: window, canvas */
} page;

static double now_s(void) {
    return emscripten_get_now() / 1e3;
}

/* Return the state string of the picture, without options that depend on this window; NULL if
 * memory runs out. */
static char *state_now(void) {
    Settings settings = *app_settings(page.app), standard;
    option_set_standard(&standard, &PICTURE_OPTIONS);
    settings.size = standard.size;
    settings.ui_scale = standard.ui_scale;
    StateExtra extra = settings_extra(&settings, NULL);
    return state_make(app_session(page.app), &extra);
}

static void put_address(void) {
    char *state = state_now();
    if (state == NULL || (page.address != NULL && strcmp(state, page.address) == 0)) {
        free(state);
        return;
    }
    free(page.address);
    page.address = state;
    browser_address(state);
}

/* Make the picture, or the part that the App names. CSV and SVG are written to out; a PNG is only
 * drawn on the canvas. */
static bool make_picture(TextOut *out, char *state, Err *err) {
    const AppEffects *effects = app_effects(page.app);
    const char *id = effects->part;
    int result = effects->result;
    SvgAbout about = {.title = registry_entry(&VIEW_REGISTRY, app_settings(page.app)->view)->help,
                      .description = state,
                      .group = id};
    const DrawPart *part = id != NULL ? part_find(&page.list, id, strlen(id)) : NULL;
    if (result == RESULT_CSV)
        return part_numbers_write(out, &page.list, page.app, id, err) &&
               (!out->failed || err_fail(err, "memory", "too little for the numbers"));
    if (part != NULL)
        draw_crop(&page.list, &page.measure, part->rect, PART_MARGIN);
    if (result == RESULT_SVG)
        return svg_encode(out, &page.list, &page.measure, NULL, &about, err);
    canvas_draw(&page.list, (int)roundf(page.list.width * page.list.scale),
                (int)roundf(page.list.height * page.list.scale));
    page.shown_hash = 0;
    return true;
}

/* Save or copy the picture if the App requests it. Return true if so: list and canvas may then show
 * that picture. */
static bool save_picture(void) {
    const AppEffects *effects = app_effects(page.app);
    TextOut out = {0};
    Err err;
    if (effects->picture == NULL && effects->part == NULL)
        return false;
    char *state = state_now();
    bool made = (state != NULL || err_fail(&err, "memory", "too little for the picture")) &&
                make_picture(&out, state, &err);
    if (made && out.at == NULL)
        browser_png(effects->picture, state);
    else if (made && effects->picture != NULL)
        browser_download(effects->picture, out.at, out.used);
    else if (made)
        browser_copy(out.at, out.used);
    text_out_release(&out);
    free(state);
    app_picture_saved(page.app, made ? NULL : &err);
    return true;
}

static void apply_effects(void) {
    const AppEffects *effects = app_effects(page.app);
    float scale = page.list.scale;
    Rect caret = effects->text_caret;
    browser_title(effects->title);
    browser_cursor((int)effects->cursor);
    browser_take_text(effects->text_input, caret.x * scale, caret.y * scale, caret.w * scale,
                      caret.h * scale);
    if (effects->clipboard != NULL)
        browser_copy(effects->clipboard, effects->clipboard_bytes);
    if (effects->want_paste)
        browser_ask_paste();
    if (effects->toggle_fullscreen)
        browser_fullscreen();
}

static void take_events(void) {
    int count = page.input.event_count;
    page.input.events = page.events;
    app_frame(page.app, &page.input, now_s(), &page.list);
    apply_effects();
    for (int i = 0; i < count; i++)
        free(page.texts[i]);
    page.input.event_count = 0;
    page.ends = page.has_wheel = false;
    if (save_picture())
        app_frame(page.app, &page.input, now_s(), &page.list);
}

/* Show only the chosen part, and store its place. */
static void cut_part(void) {
    const DrawPart *part =
        page.part != NULL ? part_find(&page.list, page.part, strlen(page.part)) : NULL;
    if (part == NULL)
        return;
    Rect rect = part->rect;
    draw_crop(&page.list, &page.measure, rect, PART_MARGIN);
    float scale = fminf((float)page.width / page.list.width, (float)page.height / page.list.height);
    page.part_at = (Vec2){rect.x - PART_MARGIN, rect.y - PART_MARGIN};
    page.window_scale = page.list.scale;
    page.list.scale = page.shown_scale = scale;
}

static bool is_word_in(const DrawText *text, Rect r) {
    return text->at.x >= r.x - 1 && text->at.x < rect_right(r) && text->at.y > r.y &&
           text->at.y <= rect_bottom(r);
}

static void add_words(char name[CONTROL_NAME], const DrawText *text) {
    size_t used = strlen(name);
    snprintf(name + used, CONTROL_NAME - used, "%s%.*s", used > 0 ? " " : "", (int)text->text_bytes,
             page.list.text + text->text_at);
}

/* Name a control by the text in it. If there is none, use its tooltip or, without a tooltip, the
 * nearest text on its line. */
static void name_control(char name[CONTROL_NAME], const Ui *ui, int at) {
    Rect r = ui->order[at].rect;
    float middle = rect_centre(r).y;
    const DrawText *near = NULL;
    name[0] = '\0';
    for (size_t i = 0; i < page.list.command_count; i++) {
        const DrawText *text = &page.list.commands[i].as.text;
        if (page.list.commands[i].kind != DRAW_TEXT)
            continue;
        if (is_word_in(text, r))
            add_words(name, text);
        else if (fabsf(text->at.y - middle) < text->size && fabsf(text->at.x - r.x) < NAME_AWAY &&
                 (near == NULL || fabsf(text->at.x - r.x) < fabsf(near->at.x - r.x)))
            near = text;
    }
    if (name[0] == '\0' && ui->order[at].name[0] != '\0')
        snprintf(name, CONTROL_NAME, "%s", ui->order[at].name);
    else if (name[0] == '\0' && near != NULL)
        add_words(name, near);
}

/* Report each control to the browser in tab order, for screen readers. */
static void put_controls(void) {
    const Ui *ui = &page.app->ui;
    float scale = page.list.scale;
    for (int i = 0; i < ui->order_count; i++) {
        char name[CONTROL_NAME];
        Rect r = ui->order[i].rect;
        name_control(name, ui, i);
        browser_control(i, r.x * scale, r.y * scale, r.w * scale, r.h * scale, name,
                        ui->focus == ui->order[i].id);
    }
    browser_controls_end(ui->order_count);
}

/* Draw a frame. Return the time of the next one in ms; 0 if jobs wait; infinity if none is due. */
EXPORTED double page_frame(void) {
    take_events();
    cut_part();
    uint64_t hash = draw_hash(&page.list);
    if (hash != page.shown_hash) {
        canvas_draw(&page.list, page.width, page.height);
        if (page.part == NULL)
            put_controls();
    }
    page.shown_hash = hash;
    put_address();
    return pool_has_work() ? 0 : app_effects(page.app)->next_frame_s * 1e3;
}

static void add(const InputEvent *event, const char *text) {
    if (page.ends || page.input.event_count == EVENTS_MAX)
        take_events();
    char *copy = text != NULL ? strdup(text) : NULL;
    if (text != NULL && copy == NULL)
        return;
    int at = page.input.event_count++;
    page.texts[at] = copy;
    page.events[at] = *event;
    page.events[at].text = copy;
    page.events[at].text_bytes = copy != NULL ? strlen(copy) : 0;
    page.has_wheel |= event->kind == INPUT_WHEEL;
}

EXPORTED void page_size(int width, int height, float density) {
    bool is_part = page.part != NULL;
    page.width = width;
    page.height = height;
    page.shown_hash = 0;
    page.input.width_px = is_part ? EMBED_WIDTH : (float)width;
    page.input.height_px = is_part ? EMBED_HEIGHT : (float)height;
    page.input.density = is_part ? 1 : density;
}

EXPORTED void page_pointer(float x, float y, bool is_inside) {
    if (page.ends || page.has_wheel)
        take_events();
    float scale = page.shown_scale;
    page.input.pointer_inside = is_inside;
    page.input.pointer_px = (Vec2){x, y};
    if (page.part != NULL && scale > 0)
        page.input.pointer_px = (Vec2){(x / scale + page.part_at.x) * page.window_scale,
                                       (y / scale + page.part_at.y) * page.window_scale};
}

EXPORTED void page_mods(unsigned mods) {
    page.input.mods = mods;
}

/* Queue a key. A key that moves the focus ends a frame, so later text goes to the new focus. */
EXPORTED void page_key(uint32_t key, unsigned mods) {
    add(&(InputEvent){.kind = INPUT_KEY, .key = key, .mods = mods}, NULL);
    page.ends =
        (mods & KEY_MOD_COMMAND) != 0 || key == KEY_TAB || key == KEY_ENTER || key == KEY_ESCAPE;
    if (page.ends)
        take_events();
}

EXPORTED void page_button(bool is_down, int button, int clicks, unsigned mods) {
    add(&(InputEvent){.kind = is_down ? INPUT_BUTTON_DOWN : INPUT_BUTTON_UP,
                      .button = (PointerButton)button,
                      .clicks = clicks,
                      .mods = mods},
        NULL);
    page.ends = true;
    /* Handle the press now: only inside the browser's event can a text field open the keyboard. */
    take_events();
}

EXPORTED void page_wheel(float right, float up, unsigned mods) {
    add(&(InputEvent){.kind = INPUT_WHEEL, .wheel = {right, up}, .mods = mods}, NULL);
}

/* Queue an event with text; kind is an InputKind. */
EXPORTED void page_text(int kind, const char *text, int clause_at) {
    add(&(InputEvent){.kind = (InputKind)kind, .clause_at = clause_at}, text);
}

/* Write the autosave now, because the browser hides the page and may never show it again. */
EXPORTED void page_keep(void) {
    app_keep(page.app);
}

/* Read a file that the page has received, or "trained:NAME" for a layer that comes with the
 * program: a function of type WeightsLoad. */
static Weights *load_weights(const char *path, const WeightsRequest *request, Err *err) {
    static const char prefix[] = "trained:";
    char file[96];
    if (strncmp(path, prefix, strlen(prefix)) != 0)
        return weights_file_load(path, request, err);
    snprintf(file, sizeof file, "/assets/trained/%.40s", path + strlen(prefix));
    if (!file_is_folder(file))
        strcat(file, ".safetensors");
    return weights_file_load_as(file, path, request, err);
}

static bool read_state(Session *session, Settings *settings, const char *state, Err *err) {
    StateExtra extra = settings_extra(settings, load_weights);
    return session_init(session, err) && state_read(session, &extra, state, strlen(state), err);
}

static void say(const Err *err) {
    app_warn(page.app, "%s: %s", err->what, err->why);
}

/* Use a new address, which the user has edited or reached by a link. */
EXPORTED void page_open_state(const char *state) {
    Session session = {0};
    Settings settings = *app_settings(page.app);
    Err err;
    if (page.address != NULL && strcmp(state, page.address) == 0)
        return;
    if (!read_state(&session, &settings, state, &err) ||
        !app_take(page.app, &session, &settings, &err))
        say(&err);
    if (session.text != NULL)
        session_release(&session);
}

/* Use the file with all word vectors, after the page has received it. */
EXPORTED bool page_take_words(const char *path) {
    Err err;
    if (!words_file_load(&page.all_words, path, &err)) {
        say(&err);
        return true;
    }
    bool taken = app_take_words(page.app, &page.all_words.vectors, &err);
    if (!taken)
        words_file_release(&page.all_words);
    return taken;
}

/* Return the layer's tensors as JSON, as `headlight export -o x.json` does; NULL if none. */
EXPORTED const char *page_pass(void) {
    TensorView tensors[TENSORS_MAX];
    const Results *run = app_results(page.app);
    FileOut out;
    size_t size;
    Err err;
    free(page.pass);
    page.pass = NULL;
    if (!run->valid || run->T == 0 || !file_begin(&out, PASS_PATH, &err) ||
        !json_write(&out, tensors, tensors_of_run(tensors, run, 0), NULL, 0, &err) ||
        !file_commit(&out, &err) || !file_read(&page.pass, &size, PASS_PATH, SIZE_MAX, &err))
        return NULL;
    return page.pass;
}

static bool load_tour(char **bytes, size_t *size, const char *id, Err *err) {
    char path[80];
    snprintf(path, sizeof path, "/assets/tours/%.40s.tour", id);
    return file_read(bytes, size, path, TOUR_BYTES_MAX, err);
}

static AppResources resources(bool is_new) {
    Err err;
    AppResources r = {.measure = &page.measure,
                      .files = files_begin(),
                      .load_weights = load_weights,
                      .save_weights = files_save_weights,
                      .save_tensors = files_save_tensors,
                      .load_tour = load_tour,
                      .cuts_parts = page.part == NULL,
                      .recovers = is_new,
                      .first_example = is_new,
                      .now_s = now_s,
                      .pool = pool_jobs()};
    if (words_file_load(&page.words, "/assets/words.safetensors", &err))
        r.run.words = &page.words.vectors;
    else
        snprintf(page.why_no_words, sizeof page.why_no_words, "%s: %s", err.what, err.why);
    r.words.why_none = r.run.words == NULL ? page.why_no_words : NULL;
    r.run.text.gpt2 = bpe_file_load("/assets/gpt2.safetensors", &err);
    if (r.run.text.gpt2 == NULL) {
        snprintf(page.no_gpt2, sizeof page.no_gpt2, "%s", err.why);
        r.run.text.gpt2_missing = page.no_gpt2;
    }
    return r;
}

/* Choose the only part that is shown, and set the options that make it visible. The state string,
 * which is read later, may change them. */
static void choose_part(Settings *settings, const char *part) {
    Session session = {0};
    Err err;
    int row = part[0] != '\0' ? part_row(part, strlen(part)) : -1;
    if (row < 0)
        return;
    page.part = strdup(part);
    read_state(&session, settings, PARTS[row].state, &err);
    if (session.text != NULL)
        session_release(&session);
}

/* Start with a state string and the id of the only part to show, "" for the whole window. Return
 * false if the program cannot start. */
EXPORTED bool page_begin(const char *state, const char *part) {
    Session session = {0};
    Settings settings;
    char *bytes;
    size_t size;
    Err err, wrong;
    page.measure = text_measure(NULL);
    option_set_standard(&settings, &PICTURE_OPTIONS);
    if (file_read(&bytes, &size, FILES_KEPT "settings", SETTINGS_MAX, &err)) {
        app_read_settings(&settings, bytes, size);
        free(bytes);
    }
    choose_part(&settings, part);
    bool is_read = read_state(&session, &settings, state, &wrong);
    if (session.text == NULL)
        return false;
    AppResources all = resources(state[0] == '\0' && page.part == NULL);
    page.app = app_create(&all, &session, &settings, &err);
    session_release(&session);
    if (page.app != NULL && !is_read)
        say(&wrong);
    return page.app != NULL;
}
