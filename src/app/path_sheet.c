#include "app/sheets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/chrome.h"
#include "app/desk.h"
#include "app/examples.h"
#include "ui/button.h"
#include "ui/text.h"

#define WIDTH    760
#define HEIGHT   560
#define FOOT_H   44
#define ROWS_MAX 512

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

/* The texts of a sheet: its title, the verb after "Enter", its button, what to show in place of an
 * empty list; and the suffix that the file's name must have. */
typedef struct PathUse {
    const char *title, *enter, *button, *nothing, *suffix;
} PathUse;

static PathUse use_of(const App *app) {
    static const PathUse OPEN = {"Open a session, weights or a text", "opens", "Open",
                                 "No matching files here. Sessions end in .headlight, weights in "
                                 ".safetensors or .npz, texts in .txt.",
                                 DOCUMENT_SUFFIX},
                         SAVE = {"Save the session as", "saves", "Save", "No matching files here.",
                                 DOCUMENT_SUFFIX},
                         WORDS = {"Choose word vectors", "chooses", "Choose",
                                  "No matching files here. Word vectors are a .safetensors file "
                                  "with the tensors “vectors” and “words”.",
                                  ".safetensors"};
    PathUse use = app->sheet == SHEET_WORDS ? WORDS : app->sheet == SHEET_OPEN ? OPEN : SAVE;
    if (app->sheet == SHEET_RESULT) {
        use.title = EXPORTS[app->result].title;
        use.suffix = EXPORTS[app->result].suffix;
    }
    if (app->sheet == SHEET_SAVE && desk_saves_own(app))
        use.title = "Save your own layer as";
    return use;
}

static UiId field_id(void) {
    return ui_id("path", 0);
}

static bool is_save(const App *app) {
    return app->sheet == SHEET_SAVE || app->sheet == SHEET_RESULT;
}

static bool is_tour(const App *app) {
    return app->sheet == SHEET_RESULT && app->result == RESULT_TOUR;
}

/* Suggest a path. Folder: that of the session's file, or else the home folder. Name: empty to open
 * a file; to save the session, the name of its file; for an export, the part, the view or the kind
 * of file. A tour that has a file keeps its path. */
static void start_path(const App *app, char out[FINDER_TEXT_MAX]) {
    const char *path = app->desk.path, *name = "", *suffix = "";
    const char *in = path[0] != '\0' ? path : app->resources.files.places[PLACE_HOME];
    bool has_own = is_tour(app) && app->tour_editor.path[0] != '\0';
    if (has_own) {
        in = app->tour_editor.path;
        name = desk_name(in);
    } else if (app->sheet == SHEET_RESULT) {
        suffix = use_of(app).suffix;
        name = app->result_part[0] != '\0'     ? app->result_part
               : app->result == RESULT_TOUR    ? "my-tour"
               : app->result == RESULT_TENSORS ? "layer"
                                               : VIEWS[app->settings.view].entry.id;
    } else if (app->sheet == SHEET_SAVE) {
        name = path[0] != '\0' ? desk_name(path) : "attention.headlight";
    }
    snprintf(out, FINDER_TEXT_MAX, "%.*s%s%s", (int)(desk_name(in) - in), in, name, suffix);
}

void path_sheet_open(App *app, int sheet) {
    char path[FINDER_TEXT_MAX];
    const AppFiles *files = &app->resources.files;
    AppDesk *desk = &app->desk;
    Finder *finder = &app->finder;
    bool opens = sheet == SHEET_OPEN || sheet == SHEET_WORDS;
    if (files->read == NULL) {
        app_warn(app, "Files are not available here");
        return;
    }
    if (opens && files->choose != NULL) {
        files->choose();
        return;
    }
    sheet_open(app, (AppSheet)sheet);
    start_path(app, path);
    finder_open(&app->ui, finder, field_id(), path, true);
    if (is_save(app)) {
        /* Select the name without its folder and suffix, so that typing replaces it. */
        const char *name = desk_name(finder->text), *end = strrchr(name, '.');
        finder->edit.anchor = (size_t)(name - finder->text);
        finder->edit.caret = end != NULL ? (size_t)(end - finder->text) : strlen(finder->text);
    } else {
        finder->at = 0;
    }
    if (sheet == SHEET_OPEN)
        desk_find_recents(app);
    for (int i = desk->recent_count; sheet == SHEET_OPEN && i-- > 0;)
        if (!desk->recents[i].is_gone)
            finder->at = i; /* let Enter open the newest file that still exists */
    desk->replaces[0] = '\0';
    desk->is_listed = desk->saves_own = false;
}

/* List the typed folder, unless that list is already there. A folder that cannot be read is shown
 * as empty. */
static void list_folder(App *app, const char *folder) {
    const AppFiles *files = &app->resources.files;
    AppDesk *desk = &app->desk;
    Err err;
    if (desk->is_listed && strcmp(desk->listed, folder) == 0)
        return;
    free(desk->names);
    desk->is_listed = true;
    snprintf(desk->listed, sizeof desk->listed, "%s", folder);
    files->list(&desk->names, folder[0] != '\0' ? folder : "./", &err);
}

static bool has_ending(const App *app, const char *name) {
    bool is_tensors = app->sheet == SHEET_RESULT && app->result == RESULT_TENSORS;
    return desk_has_suffix(name, use_of(app).suffix) ||
           (is_tensors && (desk_has_suffix(name, ".npz") || desk_has_suffix(name, ".json")));
}

static bool is_shown(const App *app, const char *name, const char *typed) {
    size_t bytes = strlen(name), begun = strlen(typed);
    bool is_folder = bytes > 0 && name[bytes - 1] == '/';
    bool is_hidden = name[0] == '.' && typed[0] != '.';
    bool is_one_kind = app->sheet == SHEET_RESULT || app->sheet == SHEET_WORDS;
    bool fits = is_one_kind ? has_ending(app, name) : app_opens(name);
    return !is_hidden && strncmp(name, typed, begun) == 0 && (is_folder || fits);
}

static void list_names(App *app, PathRows *out, const char *typed) {
    const char *at = app->desk.names;
    for (; at != NULL && at[0] != '\0' && out->count < ROWS_MAX; at += strlen(at) + 1)
        if (is_shown(app, at, typed))
            out->at[out->count++] = (PathRow){at, false, false};
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

void path_sheet_ask(App *app, const char *path) {
    snprintf(app->desk.replaces, sizeof app->desk.replaces, "%s", path);
    app->ui.again = true;
}

/* True if path is the own file of the session or the tour that is saved. */
static bool is_own(const App *app, const char *path) {
    bool saves_guest = detour_is_guest(app) && !desk_saves_own(app);
    return is_tour(app)
               ? strcmp(path, app->tour_editor.path) == 0
               : app->sheet == SHEET_SAVE && !saves_guest && strcmp(path, app->desk.path) == 0;
}

static void save_to(App *app, const char *path) {
    const AppFiles *files = &app->resources.files;
    uint64_t stamp = is_tour(app) ? app->tour_editor.stamp : app->desk.stamp;
    bool replaces = is_own(app, path) ? desk_has_changed(app, path, stamp) : files->exists(path);
    if (replaces && strcmp(path, app->desk.replaces) != 0) {
        path_sheet_ask(app, path);
        return;
    }
    if ((app->sheet == SHEET_RESULT ? export_view_save : desk_save_as)(app, path))
        sheet_close(app);
    app->desk.replaces[0] = '\0';
}

/* Accept a row of the list or, if row is -1, the typed path. If this is a folder, only list it.
 * "~/" is the user's folder, and a file to save gets its suffix. */
static void take_path(App *app, int row) {
    static PathRows rows;
    const char *home = app->resources.files.places[PLACE_HOME];
    char typed[FINDER_TEXT_MAX], meant[DOCUMENT_PATH_MAX], path[DOCUMENT_PATH_MAX];
    Err err;
    find_rows(app, &rows);
    row_path(app, &rows, row, typed);
    size_t bytes = strlen(typed);
    if (bytes == 0)
        return;
    if (typed[bytes - 1] == '/') {
        type_path(app, typed);
        return;
    }
    bool in_home = strncmp(typed, "~/", 2) == 0 && home[0] != '\0';
    snprintf(meant, sizeof meant, "%s%s%s", in_home ? home : "", in_home ? typed + 2 : typed,
             is_save(app) && !has_ending(app, typed) ? use_of(app).suffix : "");
    desk_whole_path(app, path, meant);
    if (is_save(app))
        save_to(app, path);
    else if (app->sheet == SHEET_OPEN ? desk_open(app, path)
                                      : app_told(app, missing_words_take(app, path, &err), &err))
        sheet_close(app);
}

static void list_row(void *data, int i, FinderRow *out) {
    const PathRow *row = &((const PathRows *)data)->at[i];
    const char *note = row->is_gone ? "not found" : row->is_recent ? "recent" : "";
    *out = (FinderRow){.label = row->path, .note = note, .is_dim = row->is_gone, .is_path = true};
}

/* Draw what Enter does, and a button that accepts the typed path, or the lit row if the path is a
 * folder. */
static void foot(App *app, Rect rect) {
    Ui *ui = &app->ui;
    const PathUse use = use_of(app);
    Rect button = rect_cut_right(&rect, 100);
    rect_cut_right(&rect, 16);
    if (is_save(app) && app->desk.replaces[0] != '\0')
        text_in(ui, rect, TEXT_BODY | TEXT_WARN | TEXT_PLAIN, "%.200s %s",
                desk_name(app->desk.replaces),
                is_own(app, app->desk.replaces)
                    ? "has changed since it was opened. Press Enter to replace it"
                    : "already exists. Press Enter again to replace it");
    else
        text_in(ui, rect, TEXT_BODY | TEXT_PLAIN, "Tab completes the name, Enter %s", use.enter);
    button = rect_inset(button, 0, (button.h - BUTTON_HEIGHT) / 2);
    if (button_text(ui, ui_id("take path", 0), button, use.button))
        app_do(app, take_path, desk_name(app->finder.text)[0] == '\0' ? app->finder.at : -1);
}

void path_sheet_draw(App *app) {
    static PathRows rows; /* filled in each pass */
    Ui *ui = &app->ui;
    char path[FINDER_TEXT_MAX];
    const PathUse use = use_of(app);
    Rect rest = sheet_finder(app, WIDTH, HEIGHT);
    text_in(ui, rect_cut_top(&rest, 40), TEXT_HEADING, "%s", use.title);
    Rect field = rect_cut_top(&rest, FINDER_FIELD_H);
    FinderEvent event = finder_field(ui, field_id(), field, &app->finder, "The path of a file");
    if (event == FINDER_CHANGED)
        app->desk.replaces[0] = '\0'; /* the user was asked about another file */
    find_rows(app, &rows);
    rect_cut_top(&rest, 8);
    Rect last = rect_cut_bottom(&rest, FOOT_H), empty = rect_inset(rest, 10, 8);
    if (rows.count == 0)
        text_wrap(ui, &empty, TEXT_BODY, use.nothing);
    int clicked = finder_list(ui, field_id(), rest, &app->finder, rows.count, list_row, &rows);
    foot(app, last);
    if (app->sheet == SHEET_NONE)
        return;
    if (event == FINDER_COMPLETE)
        complete(app, &rows);
    if (event == FINDER_ESCAPE) {
        sheet_close(app);
    } else if (clicked >= 0 && is_save(app)) {
        row_path(app, &rows, clicked, path);
        type_path(app, path);
    } else if (clicked >= 0 || event == FINDER_ENTER) {
        app_do(app, take_path, clicked >= 0 ? clicked : app->finder.at);
    }
}
