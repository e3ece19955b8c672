#include "app/sheets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/desk.h"
#include "app/sheets.h"
#include "ui/button.h"
#include "ui/label.h"
#include "ui/text.h"

#define WIDTH    760
#define HEIGHT   560
#define FOOT_H   44
#define ROWS_MAX 512

#define WORDS_SUFFIX ".safetensors"

/* A row: the whole path of a recent file, or a name in the folder. */
typedef struct PathRow {
    const char *path;
    bool is_recent, is_gone;
} PathRow;

typedef struct PathRows {
    PathRow at[ROWS_MAX];
    int count;
    size_t folder_bytes; /* bytes of the typed path's folder, including the last '/' */
} PathRows;

/* The texts of a sheet: its title, the verb after "Enter", its button, and what to show in place of
 * an empty list. */
typedef struct SheetWords {
    const char *title, *enter, *button, *nothing;
} SheetWords;

static const SheetWords *words_of(const App *app) {
    static const SheetWords
        OPEN = {"Open a session, weights or a text", "opens", "Open",
                "No matching files here. Sessions end in .headlight, weights in "
                ".safetensors or .npz, texts in .txt."},
        SAVE = {"Save the session as", "saves", "Save", "No matching files here."},
        WORDS = {"Choose word vectors", "chooses", "Choose",
                 "No matching files here. Word vectors are a .safetensors file with "
                 "the tensors “vectors” and “words”."};
    return app->sheet == SHEET_WORDS ? &WORDS : app->sheet == SHEET_OPEN ? &OPEN : &SAVE;
}

static UiId field_id(void) {
    return ui_id("path", 0);
}

static bool is_save(const App *app) {
    return app->sheet == SHEET_SAVE || app->sheet == SHEET_RESULT;
}

/* Return the suffix that the file's name must have. */
static const char *suffix_of(const App *app) {
    return app->sheet == SHEET_RESULT  ? export_view_suffix(app->result)
           : app->sheet == SHEET_WORDS ? WORDS_SUFFIX
                                       : DOCUMENT_SUFFIX;
}

/* Suggest a file name from the view's name, in the session's folder or, if the session has none, in
 * the user's. */
static void start_result(const App *app, char out[FINDER_TEXT_MAX]) {
    const char *path = app->desk.path, *view = VIEWS[app->settings.view].entry.id;
    view = app->result == RESULT_TOUR ? "my-tour" : app->result == RESULT_TENSORS ? "layer" : view;
    view = app->result_part[0] != '\0' ? app->result_part : view;
    const char *home = app->resources.files.places[PLACE_HOME];
    int folder = (int)(desk_name(path) - path);
    if (path[0] == '\0')
        snprintf(out, FINDER_TEXT_MAX, "%s%s%s", home, view, suffix_of(app));
    else
        snprintf(out, FINDER_TEXT_MAX, "%.*s%s%s", folder, path, view, suffix_of(app));
}

static void start_path(const App *app, char out[FINDER_TEXT_MAX], bool save) {
    const char *path = app->desk.path;
    const char *home = app->resources.files.places[PLACE_HOME];
    int folder = (int)(desk_name(path) - path);
    if (app->sheet == SHEET_RESULT) {
        start_result(app, out);
        return;
    }
    if (path[0] == '\0')
        snprintf(out, FINDER_TEXT_MAX, "%s%s", home, save ? "attention.headlight" : "");
    else
        snprintf(out, FINDER_TEXT_MAX, "%.*s%s", folder, path, save ? desk_name(path) : "");
}

/* Select the name without its folder and suffix, so that typing replaces it. */
static void select_name(Finder *finder) {
    const char *name = desk_name(finder->text), *end = strrchr(name, '.');
    finder->edit.anchor = (size_t)(name - finder->text);
    finder->edit.caret = end != NULL ? (size_t)(end - finder->text) : strlen(finder->text);
}

/* Light the newest recent file that still exists; Enter then opens it. */
static void light_recent(App *app) {
    const AppDesk *desk = &app->desk;
    desk_find_recents(app);
    for (int i = desk->recent_count; i-- > 0;)
        if (!desk->recents[i].is_gone)
            app->finder.at = i;
}

void path_sheet_open(App *app, AppSheet sheet) {
    char path[FINDER_TEXT_MAX];
    const AppFiles *files = &app->resources.files;
    bool opens = sheet == SHEET_OPEN || sheet == SHEET_WORDS;
    if (files->read == NULL) {
        app_warn(app, "Files are not available here");
        return;
    }
    if (opens && files->choose != NULL) {
        files->choose(files->context);
        return;
    }
    sheet_open(app, sheet);
    start_path(app, path, sheet == SHEET_SAVE);
    finder_open(&app->ui, &app->finder, field_id(), path, true);
    if (is_save(app))
        select_name(&app->finder);
    else
        app->finder.at = 0;
    if (sheet == SHEET_OPEN)
        light_recent(app);
    app->desk.replaces[0] = '\0';
    app->desk.listed[0] = '\0';
    free(app->desk.names.bytes);
    app->desk.names = (FileNames){0};
    app->desk.is_listed = false;
}

/* List the typed folder, unless that list is already there. A folder that cannot be read is shown
 * as empty. */
static void list_folder(App *app, const char *folder) {
    const AppFiles *files = &app->resources.files;
    AppDesk *desk = &app->desk;
    Err err;
    if (desk->is_listed && strcmp(desk->listed, folder) == 0)
        return;
    free(desk->names.bytes);
    desk->names = (FileNames){0};
    desk->is_listed = true;
    snprintf(desk->listed, sizeof desk->listed, "%s", folder);
    if (!files->list(files->context, &desk->names, folder[0] != '\0' ? folder : "./", &err))
        desk->names = (FileNames){0};
}

static bool ends_in(const char *name, const char *suffix) {
    size_t bytes = strlen(name), end = strlen(suffix);
    return bytes >= end && strcmp(name + bytes - end, suffix) == 0;
}

/* True if the name has the suffix that this kind of file needs. */
static bool has_ending(const App *app, const char *name) {
    bool is_tensors = app->sheet == SHEET_RESULT && app->result == RESULT_TENSORS;
    return ends_in(name, suffix_of(app)) ||
           (is_tensors && (ends_in(name, ".npz") || ends_in(name, ".json")));
}

static bool is_shown(const App *app, const char *name, const char *typed) {
    size_t bytes = strlen(name), begun = strlen(typed);
    bool is_folder = bytes > 0 && name[bytes - 1] == '/';
    bool is_hidden = name[0] == '.' && typed[0] != '.';
    bool is_one_kind = app->sheet == SHEET_RESULT || app->sheet == SHEET_WORDS;
    bool fits = is_one_kind ? has_ending(app, name) : desk_opens(name);
    return !is_hidden && strncmp(name, typed, begun) == 0 && (is_folder || fits);
}

static void list_names(App *app, PathRows *out, const char *typed) {
    const char *at = app->desk.names.bytes;
    for (int i = 0; i < app->desk.names.count && out->count < ROWS_MAX; i++) {
        if (is_shown(app, at, typed))
            out->at[out->count++] = (PathRow){at, false, false};
        at += strlen(at) + 1;
    }
}

static void find_rows(App *app, PathRows *out) {
    const char *typed = app->finder.text, *name = desk_name(typed);
    char folder[FINDER_TEXT_MAX];
    out->count = 0;
    out->folder_bytes = (size_t)(name - typed);
    snprintf(folder, sizeof folder, "%.*s", (int)out->folder_bytes, typed);
    list_folder(app, folder);
    const AppDesk *desk = &app->desk;
    bool has_recents = app->sheet == SHEET_OPEN && name[0] == '\0';
    for (int i = 0; i < desk->recent_count && has_recents; i++)
        out->at[out->count++] = (PathRow){desk->recents[i].path, true, desk->recents[i].is_gone};
    list_names(app, out, name);
    if (is_save(app) && out->count == 0) /* the name is new: list the folder's other files */
        list_names(app, out, "");
}

/* Write the whole path of a row, or the typed path if there is no such row. */
static void row_path(const App *app, const PathRows *rows, int row, char out[FINDER_TEXT_MAX]) {
    bool is_row = row >= 0 && row < rows->count;
    const PathRow *r = &rows->at[is_row ? row : 0];
    snprintf(out, FINDER_TEXT_MAX, "%.*s%s",
             is_row ? r->is_recent ? 0 : (int)rows->folder_bytes : FINDER_TEXT_MAX,
             app->finder.text, is_row ? r->path : "");
}

static void type_path(App *app, const char *path) {
    char copy[FINDER_TEXT_MAX];
    snprintf(copy, sizeof copy, "%s", path);
    finder_set(&app->finder, copy);
    app->desk.replaces[0] = '\0';
    app->ui.again = true;
}

/* Complete the path with the lit row, or else with the common prefix of all listed names. */
static void complete(App *app, const PathRows *rows) {
    char path[FINDER_TEXT_MAX];
    int first = 0;
    while (first < rows->count && rows->at[first].is_recent)
        first++;
    int lit = app->finder.at;
    if (lit >= 0 && lit < rows->count) {
        row_path(app, rows, lit, path);
        type_path(app, path);
        return;
    }
    if (first >= rows->count)
        return;
    size_t agreed = strlen(rows->at[first].path);
    for (int i = first + 1; i < rows->count; i++)
        while (strncmp(rows->at[first].path, rows->at[i].path, agreed) != 0)
            agreed--;
    while (agreed > 0 && ((unsigned char)rows->at[first].path[agreed] & 0xC0) == 0x80)
        agreed--;
    row_path(app, rows, first, path);
    path[rows->folder_bytes + agreed < sizeof path ? rows->folder_bytes + agreed
                                                   : sizeof path - 1] = '\0';
    if (strlen(path) > strlen(app->finder.text))
        type_path(app, path);
}

/* Write the whole path of the typed one: "~/" becomes the user's folder, and a file to save gets
 * its suffix. */
static void meant_path(const App *app, char out[DOCUMENT_PATH_MAX], const char *typed) {
    const char *home = app->resources.files.places[PLACE_HOME];
    char path[DOCUMENT_PATH_MAX];
    bool in_home = strncmp(typed, "~/", 2) == 0 && home[0] != '\0';
    snprintf(path, sizeof path, "%s%s%s", in_home ? home : "", in_home ? typed + 2 : typed,
             is_save(app) && !has_ending(app, typed) ? suffix_of(app) : "");
    desk_whole_path(app, out, path);
}

static void save_to(App *app, const char *path) {
    const AppFiles *files = &app->resources.files;
    bool own = app->sheet == SHEET_SAVE && strcmp(path, app->desk.path) == 0;
    bool other = !own && strcmp(path, app->desk.replaces) != 0;
    if (other && files->exists(files->context, path)) {
        snprintf(app->desk.replaces, sizeof app->desk.replaces, "%s", path);
        app->ui.again = true;
        return;
    }
    if ((app->sheet == SHEET_RESULT ? export_view_save : desk_save_as)(app, path))
        sheet_close(app);
    app->desk.replaces[0] = '\0';
}

static bool take_words(App *app, const char *path) {
    Err err;
    if (missing_words_take(app, path, &err))
        return true;
    app_say_err(app, &err);
    return false;
}

/* Accept a row of the list, or -1 for the typed path. */
static void take_path(App *app, int row) {
    static PathRows rows;
    char typed[FINDER_TEXT_MAX], path[DOCUMENT_PATH_MAX];
    find_rows(app, &rows);
    row_path(app, &rows, row, typed);
    size_t bytes = strlen(typed);
    if (bytes == 0)
        return;
    if (typed[bytes - 1] == '/') {
        type_path(app, typed);
        return;
    }
    meant_path(app, path, typed);
    if (is_save(app))
        save_to(app, path);
    else if (app->sheet == SHEET_WORDS ? take_words(app, path) : desk_open(app, path))
        sheet_close(app);
}

static void list_row(void *data, int i, FinderRow *out) {
    const PathRow *row = &((const PathRows *)data)->at[i];
    const char *note = row->is_gone ? "not found" : row->is_recent ? "recent" : "";
    *out = (FinderRow){.label = row->path, .note = note, .is_dim = row->is_gone, .is_path = true};
}

/* Draw the button, which accepts the typed path, or the lit row if the path is a folder. */
static void foot(App *app, Rect rect) {
    char words[64];
    bool asks = is_save(app) && app->desk.replaces[0] != '\0';
    char text[300];
    snprintf(words, sizeof words, "Tab completes the name, Enter %s", words_of(app)->enter);
    snprintf(text, sizeof text, "%.200s already exists. Press Enter again to replace it",
             desk_name(app->desk.replaces));
    LabelStyle style = {FONT_SANS, 18, asks ? app->ui.theme->warn : app->ui.theme->text_2,
                        LABEL_LEFT};
    Rect button = rect_cut_right(&rect, 100);
    rect_cut_right(&rect, 16);
    label_draw(&app->ui, rect, &style, asks ? text : words);
    button = (Rect){button.x, button.y + (button.h - 36) / 2, button.w, 36};
    if (button_text(&app->ui, ui_id("take path", 0), button, words_of(app)->button)) {
        bool is_folder = desk_name(app->finder.text)[0] == '\0';
        app_do(app, take_path, is_folder ? app->finder.at : -1);
    }
}

static void events(App *app, FinderEvent event, const PathRows *rows, int clicked) {
    char path[FINDER_TEXT_MAX];
    if (event == FINDER_COMPLETE)
        complete(app, rows);
    if (event == FINDER_ESCAPE) {
        sheet_close(app);
        return;
    }
    if (clicked >= 0 && is_save(app)) {
        row_path(app, rows, clicked, path);
        type_path(app, path);
    } else if (clicked >= 0 || event == FINDER_ENTER) {
        app_do(app, take_path, clicked >= 0 ? clicked : app->finder.at);
    }
}

void path_sheet_draw(App *app) {
    static PathRows rows; /* filled in each pass */
    Ui *ui = &app->ui;
    Rect rest = sheet_finder(app, WIDTH, HEIGHT);
    text_in(ui, rect_cut_top(&rest, 40), TEXT_HEADING, "%s",
            app->sheet == SHEET_RESULT ? export_view_title(app->result) : words_of(app)->title);
    Rect field = rect_cut_top(&rest, FINDER_FIELD_H);
    FinderEvent event = finder_field(ui, field_id(), field, &app->finder, "The path of a file");
    if (event == FINDER_CHANGED)
        app->desk.replaces[0] = '\0'; /* the question to overwrite was about another file */
    find_rows(app, &rows);
    rect_cut_top(&rest, 8);
    Rect last = rect_cut_bottom(&rest, FOOT_H);
    if (rows.count == 0) {
        /* Draw the text for an empty list. */
        LabelStyle style = {FONT_SANS, 18, app->ui.theme->text_2, LABEL_LEFT};
        label_wrap(&app->ui, rect_inset(rest, 10, 8), &style, words_of(app)->nothing);
    }
    int clicked = finder_list(ui, field_id(), rest, &app->finder, rows.count, list_row, &rows);
    foot(app, last);
    if (app->sheet != SHEET_NONE)
        events(app, event, &rows, clicked);
}
