#include "app/chrome.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/commands.h"
#include "app/desk.h"
#include "app/examples.h"
#include "base/utf8.h"
#include "draw/part.h"
#include "model/attention/task.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"
#include "views/compare/compare.h"
#include "views/train/train.h"

#define NAME_STYLE   (TEXT_STRONG | TEXT_PLAIN)
#define PAD          14
#define ICON_W       32
#define APART        25 /* px between two commands, with a line in the middle */
#define COMMANDS_MAX 4
#define OPEN_TRAINED "open-trained"
#define NAME_BYTES   28

/* The words of the chip: the origin of the weights on screen, in bold; its meaning; and the
 * commands that change the weights. */
typedef struct Origin {
    Icon icon;
    char name[96], meaning[128]; /* meaning may be "" */
    unsigned meaning_style; /* of text.h; with TEXT_PLAIN for a file's words, in which _ begins no
                               subscript */
    struct {
        const char *label, *command;
    } at[COMMANDS_MAX];
    int count;
} Origin;

static void add_command(Origin *out, const char *label, const char *command) {
    out->at[out->count].label = label;
    out->at[out->count++].command = command;
}

void weights_file_name(char out[WEIGHTS_NAME_MAX], const Weights *weights) {
    const char *name = desk_name(weights->path);
    size_t bytes = strlen(name),
           shown = utf8_floor(name, bytes, bytes < NAME_BYTES ? bytes : NAME_BYTES);
    size_t repairs, used = utf8_repair(out, WEIGHTS_NAME_MAX - 4, name, shown, &repairs);
    snprintf(out + used, WEIGHTS_NAME_MAX - used, "%s", shown < bytes ? "…" : "");
}

static void file_origin(Origin *out, const Session *session) {
    const Weights *weights = session->weights;
    char file[WEIGHTS_NAME_MAX];
    weights_file_name(file, weights);
    out->icon = ICON_FILE;
    bool ships = strncmp(file, "trained:", strlen("trained:")) == 0;
    snprintf(out->name, sizeof out->name, "%s%s", ships ? "" : "From ", file);
    if (!weights_give_all(weights)) {
        /* Some tensors are not in the file and are sampled, so list those in it. */
        size_t used = 0;
        for (WeightsPart p = 0; p < WEIGHTS_PART_COUNT; p++)
            if (weights_has(weights, p))
                used += (size_t)snprintf(out->meaning + used, sizeof out->meaning - used, "%s%s",
                                         used > 0 ? ", " : "", WEIGHTS_PARTS[p].name);
        snprintf(out->meaning + used, sizeof out->meaning - used, "; the others are random");
    } else if (weights->note != NULL) {
        out->meaning_style |= TEXT_PLAIN;
        snprintf(out->meaning, sizeof out->meaning, "%.90s%s", weights->note,
                 weights->layer == 0        ? ""
                 : session_streams(session) ? ""
                                            : ", on random X, not its own");
    }
    add_command(out, "Close", "close-weights");
}

static void scheme_origin(Origin *out, const Session *session, bool has_columns, bool trains) {
    int fixed = options_fixed_scheme(&session->options);
    if (fixed >= 0 && !has_columns) {
        snprintf(out->name, sizeof out->name, "%s weights", SCHEMES[fixed].entry.label);
        snprintf(out->meaning, sizeof out->meaning, "W_Q, W_K and W_V are set, not random");
    } else {
        snprintf(out->name, sizeof out->name, "Random weights, seed %llu",
                 (unsigned long long)session->options.seed);
        char file[WEIGHTS_NAME_MAX];
        if (weights_give_all(session->weights)) {
            weights_file_name(file, session->weights);
            out->meaning_style |= TEXT_PLAIN;
            snprintf(out->meaning, sizeof out->meaning, "one scheme a column; other views show %s",
                     file);
        } else {
            snprintf(out->meaning, sizeof out->meaning, "%s",
                     has_columns ? "one scheme a column" : "patterns mean nothing yet");
        }
        add_command(out, "Reroll", "reroll");
    }
    add_command(out, "Train", trains ? "play" : "view-6");
    add_command(out, "Open a trained layer", OPEN_TRAINED);
}

static void trained_origin(Origin *out, const Settings *settings) {
    const char *task = TASKS[settings->train.task].entry.label;
    out->icon = ICON_TRAIN;
    snprintf(out->name, sizeof out->name, "Trained");
    snprintf(out->meaning, sizeof out->meaning, "%c%s, step %d", tolower((unsigned char)*task),
             task + 1, settings->train.step);
    add_command(out, "Rewind", "first");
    add_command(out, "Train on", "play");
}

/* Return the origin of the weights on screen. A view with a sampled layer in each column says so:
 * most pages of Compare, and Train unless a file gives all tensors. */
static Origin origin_of(App *app) {
    Origin out = {.icon = ICON_DICE, .meaning_style = TEXT_BODY};
    const Session *session = app_shown_session(app);
    const Settings *settings = app_shown_settings(app);
    const View *view = &VIEWS[app_view(app)];
    bool trains = view->frame == train_frame;
    bool shows_own =
        settings->compare.part == COMPARE_ROOT || settings->compare.part == COMPARE_TWICE;
    bool has_columns = (view->frame == compare_frame && !shows_own) ||
                       (trains && !weights_give_all(session->weights));
    if (trains && settings->train.step > 0)
        trained_origin(&out, settings);
    else if (session->weights != NULL && !has_columns)
        file_origin(&out, session);
    else
        scheme_origin(&out, session, has_columns, trains);
    if (detour_is_on(app))
        add_command(&out, "Back to my layer", "back");
    return out;
}

static float chip_width(const App *app, const Origin *of) {
    const Ui *ui = &app->ui;
    float width = PAD + ICON_W + text_width(ui, NAME_STYLE, "%s", of->name) + PAD;
    if (of->meaning[0] != '\0')
        width += text_width(ui, of->meaning_style, "%s", of->meaning) + 12;
    for (int i = 0; i < of->count; i++)
        width += APART + text_width(ui, NAME_STYLE, "%s", of->at[i].label);
    return width;
}

static void drop_command(Origin *of, int at) {
    memmove(of->at + at, of->at + at + 1, (size_t)(--of->count - at) * sizeof *of->at);
}

/* Omit parts that do not fit: first the commands that the menu Examples also has, then the meaning,
 * then the commands from the left. Never omit the way back, because no other control has it. */
static float chip_fit(const App *app, Origin *of, float room) {
    for (int i = of->count - 1; i >= 0 && chip_width(app, of) > room; i--)
        if (strcmp(of->at[i].command, OPEN_TRAINED) == 0)
            drop_command(of, i);
    if (chip_width(app, of) > room)
        of->meaning[0] = '\0';
    while (of->count > detour_is_on(app) && chip_width(app, of) > room)
        drop_command(of, 0);
    return chip_width(app, of);
}

static void command_draw(App *app, Rect *rest, const char *label, const char *command) {
    Ui *ui = &app->ui;
    UiId id = ui_id(command, UI_LAYER_TIP);
    Rect line = rect_cut_left(rest, APART);
    draw_fill(ui->list, (Rect){line.x + 12, line.y + 10, 1, line.h - 20}, 0, ui->theme->control);
    Rect place = rect_cut_left(rest, text_width(ui, NAME_STYLE, "%s", label));
    Rect button = rect_inset(place, -8, 4);
    UiState state = button_ground(ui, id, button, 6, COLOUR_CLEAR);
    place.w += 1;
    text_in(ui, place, NAME_STYLE, "%s", label);
    tip_command(app, id, button, command);
    if (state.clicked)
        command_run(app, command);
}

float weights_chip_draw(App *app, Rect area) {
    Ui *ui = &app->ui;
    Origin of = origin_of(app);
    float width = chip_fit(app, &of, area.w);
    if (width > area.w)
        return 0;
    area.w = width;
    draw_part(ui->list, PART_RECT(area), "window.weights");
    Rect rest = area;
    draw_fill(ui->list, area, 8, ui->theme->raised);
    rect_cut_left(&rest, PAD);
    Rect icon = rect_cut_left(&rest, ICON_W);
    icon_draw(ui, of.icon, (Vec2){icon.x + 10, rect_centre(icon).y}, 18, ui->theme->text_2);
    rect_cut_left(&rest, text_in(ui, rest, NAME_STYLE, "%s", of.name));
    if (of.meaning[0] != '\0') {
        rect_cut_left(&rest, text_in(ui, rest, NAME_STYLE, ":") + 6);
        rect_cut_left(&rest, text_in(ui, rest, of.meaning_style, "%s", of.meaning));
    }
    const Weights *weights = app_shown_session(app)->weights;
    Rect words = {area.x, area.y, rest.x - area.x, area.h};
    if (of.icon == ICON_FILE && weights->card != NULL)
        tooltip_over(ui, ui_id("weights card", 0), words, "About this file", weights->card);
    for (int i = 0; i < of.count; i++)
        command_draw(app, &rest, of.at[i].label, of.at[i].command);
    return area.w;
}
