#include "app/sheets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/desk.h"
#include "app/tour_editor.h"
#include "base/utf8.h"
#include "document/layer_code.h"
#include "views/compare/compare.h"
#include "views/train/train.h"

const ExportKind EXPORTS[RESULT_COUNT] = {
    [RESULT_NONE] = {"", ""},
    [RESULT_CSV] = {".csv", "Save the numbers as"},
    [RESULT_JSON] = {".json", "Save the numbers as"},
    [RESULT_PYTORCH] = {".py", "Save the schemes as"},
    [RESULT_PNG] = {".png", "Save the picture as"},
    [RESULT_SVG] = {".svg", "Save the picture as"},
    [RESULT_TOUR] = {TOUR_SUFFIX, "Save the tour as"},
    [RESULT_TENSORS] = {".safetensors", "Export all tensors as .safetensors, .npz or .json"},
};

void export_view_ask(App *app, int result) {
    const View *view = &VIEWS[app_view(app)];
    bool has_schemes = view->frame == compare_frame || view->frame == train_frame;
    if (result == RESULT_PYTORCH && !has_schemes) {
        app_warn(app, "%s has no schemes to save; open Compare or Train", view->entry.label);
        return;
    }
    app->result = (ViewResult)result;
    app->result_part[0] = '\0';
    path_sheet_open(app, SHEET_RESULT);
}

/* Save a trained layer in a file of its own, without asking for a name. Fails if no file can be
 * written. */
static bool keep_trained(App *app, const ViewTrained *trained, char path[DOCUMENT_PATH_MAX],
                         Err *err) {
    const AppFiles *files = &app->resources.files;
    const char *folder = files->places[PLACE_TRAINED];
    if (trained->weights == NULL) {
        *err = trained->err;
        return false;
    }
    if (app->resources.save_weights == NULL || folder == NULL || folder[0] == '\0')
        return err_fail(err, trained->name, "cannot be written here");
    snprintf(path, DOCUMENT_PATH_MAX, "%s%s.safetensors", folder, trained->name);
    for (int i = 2; files->exists(path); i++)
        snprintf(path, DOCUMENT_PATH_MAX, "%s%s-%d.safetensors", folder, trained->name, i);
    return app->resources.save_weights(path, trained->weights, trained->note, err);
}

/* Use the layer that a view offered in this pass, if there is one. The layer is read back from its
 * file, so that it equals the layer that a saved session will load. */
static void use_trained(App *app) {
    ViewTrained trained = app->trained;
    char path[DOCUMENT_PATH_MAX];
    Err err;
    app->trained = (ViewTrained){0};
    if (!trained.is_there)
        return;
    if (!keep_trained(app, &trained, path, &err))
        app_say_err(app, &err);
    else if (desk_open(app, path))
        app_say(app, "Every view now uses %s; Ctrl Z restores the old weights", trained.name);
    weights_drop(trained.weights);
}

void export_view_wanted(App *app) {
    ViewResult wanted = app->wanted;
    app->wanted = RESULT_NONE;
    use_trained(app);
    if (wanted != RESULT_NONE)
        export_view_ask(app, (int)wanted);
}

void app_picture_saved(App *app, const Err *err) {
    if (err == NULL && app->effects.picture == NULL)
        app_say(app, "Copied %s", app->part_menu.part);
    else if (err == NULL)
        app_say(app, "Saved %s", app->picture_now);
    else
        app_say_err(app, err);
    app->effects.next_frame_s = app->time_s;
}

bool app_write_csv(App *app, TextOut *out) {
    const View *view = &VIEWS[app_view(app)];
    return view->results(app_context(app), RESULT_CSV, out);
}

static bool write_numbers(App *app, const char *path, Err *err) {
    const AppFiles *files = &app->resources.files;
    ViewContext context = *app_context(app);
    TextOut out = {0};
    bool wrote = VIEWS[app_view(app)].results(&context, app->result, &out)
                     ? files->write(files->context, path, out.at, out.used, false, err)
                     : err_fail(err, desk_name(path),
                                "there are no numbers yet; wait until they are computed");
    text_out_release(&out);
    return wrote;
}

bool export_view_save(App *app, const char *path) {
    ViewResult result = app->result;
    bool is_numbers = result == RESULT_CSV || result == RESULT_JSON || result == RESULT_PYTORCH,
         wrote;
    Err err;
    if (result == RESULT_TOUR)
        return tour_editor_save_as(app, path);
    if (result == RESULT_TENSORS && app->resources.save_tensors == NULL) {
        wrote = err_fail(&err, desk_name(path), "cannot be written here");
    } else if (result == RESULT_TENSORS) {
        wrote = app->resources.save_tensors(path, &app->run, &err);
    } else if (is_numbers && app->result_part[0] == '\0') {
        wrote = write_numbers(app, path, &err);
    } else {
        snprintf(app->picture_path, sizeof app->picture_path, "%s", path);
        return true;
    }
    if (wrote)
        app_say(app, "Saved %s", path);
    else
        app_say_err(app, &err);
    return wrote;
}

void export_view_frame(App *app) {
    if (app->picture_path[0] == '\0' || app->sheet != SHEET_NONE)
        return;
    snprintf(app->picture_now, sizeof app->picture_now, "%s", app->picture_path);
    app->picture_path[0] = '\0';
    app->effects.picture = app->picture_now;
    app->effects.result = (int)app->result;
    app->effects.part = app->result_part[0] != '\0' ? app->result_part : NULL;
}

void state_copy(App *app, int unused) {
    StateExtra extra = settings_extra(&app->settings, NULL);
    (void)unused;
    char *state = state_make(&app->session, &extra);
    bool fits = state != NULL && strlen(state) < (size_t)APP_STATE_MAX * 4;
    if (fits) { /* an empty state cannot be pasted, so write one option */
        const char *one = PRINT("seed=%s", option_row("seed")->standard);
        const char *copied = state[0] != '\0' ? state : one;
        app_copy(app, copied, strlen(copied));
        app->copied_until_s = app->time_s + 1.2;
        app->ui.again = true;
    } else {
        app_warn(app, "The state string is too long to copy; shorten the text");
    }
    free(state);
}

void layer_copy(App *app, int code) {
    TextOut text = {0};
    layer_code(&text, &app->session, (LayerCode)code, "layer.safetensors", false);
    if (!text.failed)
        app_copy(app, text.at, text.used);
    if (text.failed)
        app_warn(app, "Too little memory to copy");
    else
        app_say(app, "Script copied. Run the command in its second line to export the tensors");
    text_out_release(&text);
}
