#include "app/part_menu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/part_numbers.h"
#include "app/sheets.h"
#include "base/number.h"
#include "base/utf8.h"
#include "base/util.h"
#include "ui/dropdown.h"
#include "views/compare/compare.h"
#include "views/parts.h"
#include "views/shared/number_editor.h"
#include "views/train/train.h"

/* The kind of part to which a row of the menu applies. */
typedef enum PartKind {
    PART_CUT, /* any part that can be saved as a picture of its own */
    PART_NUMBER,
    PART_ROW, /* a row of a matrix that can be edited */
    PART_COLUMN,
    PART_HEAD, /* the matrix of a head that is neither zeroed nor averaged */
    PART_HEAD_MEAN,
    PART_HEAD_SET, /* the matrix of a head that is zeroed or averaged */
    PART_PIN,      /* any part, if there is a pair of tokens under the pointer */
    PART_FOLLOW,
    PART_VALUE,
    PART_MATRIX,
    PART_TERM,   /* any part that the glossary explains */
    PART_FRAME,  /* any part, while a tour is edited */
    PART_FRAMED, /* any part, if a part already fills the stage in the current step */
} PartKind;

typedef struct PartCommand {
    Entry entry;
    PartKind kind;
    ViewResult result;
    /* for PART_CUT: true to copy to the clipboard, false to save to a file */
    bool copies;
    MatrixCode code;
} PartCommand;

static const PartCommand COMMANDS_OF_PART[] = {
    {.entry = {"edit", "Edit this number…", "", "Replace this number by another one."},
     .kind = PART_NUMBER},
    {.entry = {"pin", "Pin this pair", "", "Keep it highlighted in every view."}, .kind = PART_PIN},
    {.entry = {"follow", "Follow in Steps", "", "See where this weight comes from, step by step."},
     .kind = PART_FOLLOW},
    {.entry = {"copy-number", "Copy this number", "", "Copy the number with all its digits."},
     .kind = PART_VALUE},
    {.entry = {"zero-row", "Zero this row", "", "Set every number in this row to 0."},
     .kind = PART_ROW},
    {.entry = {"zero-column", "Zero this column", "", "Set every number in this column to 0."},
     .kind = PART_COLUMN},
    {.entry = {"zero", "Zero this head", "", "A zeroed head adds nothing to the output."},
     .kind = PART_HEAD},
    {.entry = {"average", "Average this head", "",
               "An averaged head outputs the same for every token."},
     .kind = PART_HEAD_MEAN},
    {.entry = {"restore", "Restore this head", "", "Restore the output that the layer computes."},
     .kind = PART_HEAD_SET},
    {.entry = {"explain", "Explain", "", "Show its meaning in the glossary."}, .kind = PART_TERM},
    {.entry = {"fill", "Show only this part in this step", "",
               "When the tour is presented, this part fills the screen."},
     .kind = PART_FRAME},
    {.entry = {"unfill", "Show the whole view in this step", "",
               "When the tour is presented, the whole view is shown."},
     .kind = PART_FRAMED},
    {.entry = {"copy-picture", "Copy picture", "", "Copy this part as a PNG picture."},
     .result = RESULT_PNG,
     .copies = true},
    {.entry = {"copy-svg", "Copy SVG", "", "Copy this part as lines and text."},
     .result = RESULT_SVG,
     .copies = true},
    {.entry = {"copy-numbers", "Copy numbers (CSV)", "", "Copy the numbers that this part shows."},
     .result = RESULT_CSV,
     .copies = true},
    {.entry = {"copy-numpy", "Copy as NumPy", "", "Copy this matrix as an array for Python."},
     .kind = PART_MATRIX,
     .code = MATRIX_NUMPY},
    {.entry = {"copy-pytorch", "Copy as PyTorch", "", "Copy this matrix as a tensor for Python."},
     .kind = PART_MATRIX,
     .code = MATRIX_PYTORCH},
    {.entry = {"copy-latex", "Copy as LaTeX", "",
               "Copy this matrix for a paper, with three decimals."},
     .kind = PART_MATRIX,
     .code = MATRIX_LATEX},
    {.entry = {"save-picture", "Save picture as…", "", "Save this part as a PNG picture."},
     .result = RESULT_PNG},
    {.entry = {"save-svg", "Save SVG as…", "", "Save this part as lines and text."},
     .result = RESULT_SVG},
    {.entry = {"save-numbers", "Save numbers as…", "",
               "Save the numbers that this part shows as CSV."},
     .result = RESULT_CSV},
};
#define ROWS ((int)ARRAY_COUNT(COMMANDS_OF_PART))

/* Return the head, from 0, whose matrix is the part; -1 if it is not a head's matrix. The matrices
 * of Steps and of the product belong to the chosen head. */
static int head_of(const App *app) {
    const char *part = app->part_menu.part;
    int head = 0;
    sscanf(part, "heads.matrix.%d", &head);
    bool is_chosen = app->part_menu.has_number &&
                     (strncmp(part, "steps.", 6) == 0 || strncmp(part, "wqk.", 4) == 0);
    return is_chosen ? app->session.options.head - 1 : head - 1;
}

/* Return the edit that sets the row or the column of the number under the pointer to 0. The edit
 * has 0 rows if that number is in no editable matrix, or if it would set more than HAND_SET_MAX
 * numbers. */
static HandPaint line_of(const App *app, PartKind kind) {
    const HandNumber *n = &app->memory.editor.offer.place;
    int rows, cols;
    HandPaint none = {.rows = 0};
    if (!app->part_menu.has_number || hand_name_is_list(n->name) || n->name >= HAND_GAIN)
        return none;
    hand_name_size(&rows, &cols, n->name, &app->run.layers[0].shape[app->run.form]);
    bool is_row = kind == PART_ROW;
    HandPaint paint = {
        .first = *n, .rows = is_row ? 1 : rows, .cols = is_row ? cols : 1, .keep = true};
    paint.first.value = 0;
    if (is_row)
        paint.first.col = 0;
    else
        paint.first.row = 0;
    return rows > 1 && paint.rows * paint.cols <= HAND_SET_MAX ? paint : none;
}

static bool is_set_by_hand(const App *app, int head, int name) {
    return hand_set_find(app->session.hand, &(HandNumber){.name = name, .head = head}) != NULL;
}

static int term_of(const App *app) {
    const char *id = app->part_menu.part, *token = strstr(id, ".token.");
    int row = part_row(id, token != NULL ? (size_t)(token - id) : strlen(id));
    const char *term = row >= 0 && PARTS[row].term != NULL ? PARTS[row].term : "";
    return registry_find(&GLOSSARY_REGISTRY, term, strlen(term));
}

/* False for the views that may show other weights than the session's own. */
static bool shows_own(const App *app) {
    const View *view = &VIEWS[app_view(app)];
    return view->frame != compare_frame && view->frame != train_frame;
}

static Registry rows_of(PartCommand out[ROWS], const App *app) {
    int head = head_of(app), count = 0;
    bool is_set = is_set_by_hand(app, head, HAND_GAIN) || is_set_by_hand(app, head, HAND_MEAN);
    bool has_pair = attn_cell_is_set(app->part_menu.cell);
    const bool applies[] = {[PART_CUT] = app->resources.cuts_parts,
                            [PART_NUMBER] = app->part_menu.has_number,
                            [PART_ROW] = line_of(app, PART_ROW).rows > 0,
                            [PART_COLUMN] = line_of(app, PART_COLUMN).rows > 0,
                            [PART_HEAD] = head >= 0 && !is_set,
                            [PART_HEAD_MEAN] = head >= 0 && !is_set,
                            [PART_HEAD_SET] = head >= 0 && is_set,
                            [PART_PIN] = has_pair,
                            [PART_FOLLOW] = has_pair && shows_own(app),
                            [PART_VALUE] = app->part_menu.number[0] != '\0',
                            [PART_MATRIX] = part_has_matrix(app->ui.list, app->part_menu.part),
                            [PART_TERM] = term_of(app) >= 0,
                            [PART_FRAME] = tour_editor_is_shown(app),
                            [PART_FRAMED] = tour_editor_is_shown(app) &&
                                            app->tour.tour.steps[app->tour.step].frame != NULL};
    for (int i = 0; i < ROWS; i++)
        if (applies[COMMANDS_OF_PART[i].kind])
            out[count++] = COMMANDS_OF_PART[i];
    return (Registry){"commands", "command", out, sizeof *out, count};
}

static void copy_matrix(App *app, const PartCommand *command) {
    TextOut out = {0};
    bool made = part_matrix_write(&out, app->ui.list, app->part_menu.part, command->code);
    if (made && !out.failed)
        app_copy(app, out.at, out.used);
    if (!made)
        app_warn(app, "The matrix is no longer shown");
    else if (out.failed)
        app_warn(app, "Too little memory to copy the matrix");
    else
        app_say(app, "Copied the matrix");
    text_out_release(&out);
}

/* Return the pair of tokens under the pointer: the pair of an editable score, or else the
 * highlighted pair; in the inspector, the explained pair. */
static AttnCell cell_under(App *app) {
    const HandNumber *n = &app->memory.editor.offer.place;
    if (app->part_menu.has_number && n->name == HAND_S)
        return (AttnCell){0, n->head, n->row, n->col};
    if (strcmp(app->part_menu.part, "inspector.weight") == 0) {
        return view_focus(app_context(app));
    }
    return app->hover.lit_is_row ? ATTN_CELL_NONE : app->hover.lit;
}

static const DrawCells *cells_under(const Ui *ui, Vec2 at) {
    const DrawList *list = ui->list;
    for (size_t i = list->command_count; i-- > 0;) {
        const DrawCommand *c = &list->commands[i];
        if (c->kind == DRAW_CELLS && c->as.cells.rows > 0 && c->as.cells.cols > 0 &&
            rect_contains(rect_intersect(c->as.cells.rect, c->clip), at))
            return &c->as.cells;
    }
    return NULL;
}

/* Copy a number that is written on screen, without its commas. Return false if the words are not a
 * number. */
static bool number_written(char out[40], const char *words) {
    size_t used = 0;
    double value;
    for (; *words != '\0' && used < 39; words++)
        if (*words != ',')
            out[used++] = *words;
    out[used] = '\0';
    bool is_number = number_parse_real(&value, out, used);
    out[is_number ? used : 0] = '\0';
    return is_number;
}

/* Write the number under the pointer: the value of a cell or an edge, or a number written on
 * screen; "" if there is none. */
static void number_under(char out[40], const App *app, Vec2 at) {
    const Ui *ui = &app->ui;
    const DrawCells *cells = cells_under(ui, at);
    AttnCell pair = app->part_menu.cell;
    float value = NAN;
    out[0] = '\0';
    if (cells != NULL) {
        int row = (int)((at.y - cells->rect.y) / cells->rect.h * (float)cells->rows);
        int col = (int)((at.x - cells->rect.x) / cells->rect.w * (float)cells->cols);
        if (row >= 0 && col >= 0 && row < cells->rows && col < cells->cols)
            value = cells->values[row * cells->stride + col];
    } else if (number_written(out, ui->pointed.text)) {
        return;
    } else if (attn_cell_is_set(pair) && pair.query < app->run.T && pair.key < app->run.T) {
        Mat A = results_weights(&app->run, 0, pair.head);
        value = mat_row(&A, pair.query)[pair.key];
    }
    if (isfinite(value))
        number_format_exact(out, 40, value);
}

static void run(App *app, int row) {
    PartCommand rows[ROWS];
    rows_of(rows, app);
    const PartCommand *command = &rows[row];
    const NumberOffer *offer = &app->memory.editor.offer;
    if (command->kind == PART_HEAD ||
        (command->kind == PART_HEAD_SET && is_set_by_hand(app, head_of(app), HAND_GAIN))) {
        hand_zero_head(app, head_of(app));
    } else if (command->kind == PART_HEAD_MEAN || command->kind == PART_HEAD_SET) {
        hand_mean_head(app, head_of(app));
    } else if (command->kind == PART_VALUE) {
        app_copy(app, app->part_menu.number, strlen(app->part_menu.number));
        app_say(app, "Copied %s", app->part_menu.number);
    } else if (command->kind == PART_ROW || command->kind == PART_COLUMN) {
        app_apply(app, &(Edit){.is_by_hand = true, .hand = line_of(app, command->kind)});
    } else if (command->kind == PART_MATRIX) {
        copy_matrix(app, command);
    } else if (command->kind == PART_TERM) {
        glossary_open(app, term_of(app));
    } else if (command->kind == PART_PIN || command->kind == PART_FOLLOW) {
        app->hover.lit = app->part_menu.cell;
        pin_here(app, 0);
        if (command->kind == PART_FOLLOW)
            app_set_key(app, "view", "steps");
    } else if (command->kind == PART_FRAME || command->kind == PART_FRAMED) {
        tour_editor_commit(app);
        tour_edit_frame(app, command->kind == PART_FRAME);
    } else if (command->kind == PART_NUMBER) {
        number_editor_open(app_context(app), offer->place, offer->cell, offer->row);
    } else if (command->copies) {
        app->part_menu.copy = command->result;
    } else {
        app->result = command->result;
        snprintf(app->result_part, sizeof app->result_part, "%s", app->part_menu.part);
        path_sheet_open(app, SHEET_RESULT);
    }
}

static void open(App *app, UiId id, const DrawPart *part, AttnCell pair) {
    Ui *ui = &app->ui;
    AppPartMenu *menu = &app->part_menu;
    PartCommand rows[ROWS];
    menu->has_number = app->memory.editor.offer.frame == ui->frame;
    snprintf(menu->part, sizeof menu->part, "%s", part != NULL ? part->id : "");
    menu->cell = attn_cell_is_set(pair) ? pair : cell_under(app);
    number_under(menu->number, app, menu->at);
    if (part != NULL && rows_of(rows, app).count > 0)
        dropdown_open(ui, id, -1);
}

/* Return the part that shows the pinned cell. Prefer a square matrix of the chosen head, then any
 * square matrix, then the graph or the product, then the whole view. */
static const DrawPart *part_of_head(const App *app, int head) {
    const DrawList *list = app->ui.list;
    const DrawPart *best = part_find(list, "window.view", strlen("window.view"));
    const char *end = PRINT(".%d", head + 1);
    int best_score = 0;
    for (size_t i = 0; i < list->part_count; i++) {
        const DrawPart *part = &list->parts[i];
        const char *dot = strrchr(part->id, '.');
        bool is_square = part->rows == app->run.T && part->cols == app->run.T;
        /* the numbers in the ids of Steps are not heads */
        bool is_steps = strncmp(part->id, "steps.", 6) == 0;
        bool is_picture =
            strcmp(part->id, "graph.picture") == 0 || strcmp(part->id, "wqk.product") == 0;
        int score = is_picture                                          ? 1
                    : !is_square                                        ? 0
                    : !is_steps && dot != NULL && strcmp(dot, end) == 0 ? 3
                                                                        : 2;
        if (score > best_score) {
            best = part;
            best_score = score;
        }
    }
    return best;
}

NumberOffer part_menu_offer(const App *app, AttnCell pair) {
    const DrawPart *part = part_of_head(app, pair.head);
    NumberOffer offer = {
        .place = {.name = HAND_S, .head = pair.head, .row = pair.query, .col = pair.key},
        .frame = app->ui.frame};
    const char *address = PRINT("cell(%d,%d)", pair.query + 1, pair.key + 1);
    if (attn_cell_is_set(pair) && part != NULL && part->rows == app->run.T &&
        part->cols == app->run.T && strncmp(part->id, "wqk.", 4) != 0 &&
        part_address(&offer.cell, app->ui.list, part, address, strlen(address)))
        offer.row = (Rect){part->rect.x, offer.cell.y, part->rect.w, offer.cell.h};
    return offer;
}

/* Open the menu at the pinned cell. Its score can be edited. */
static void open_pinned(App *app, UiId id) {
    AttnCell pin = view_rest(app_context(app));
    const DrawPart *part = part_of_head(app, app->session.options.head - 1);
    if (part == NULL)
        return;
    NumberOffer offer = part_menu_offer(app, pin);
    app->part_menu.at = rect_centre(offer.row.w > 0 ? offer.cell : part->rect);
    if (offer.row.w > 0 && shows_own(app))
        app->memory.editor.offer = offer;
    open(app, id, part, pin);
}

void part_menu_ask(App *app, int argument) {
    (void)argument;
    app->part_menu.is_asked = true;
    app->ui.again = true;
}

void part_menu_draw(App *app) {
    Ui *ui = &app->ui;
    UiId id = ui_id("part menu", 0);
    bool is_over = app->sheet == SHEET_NONE && !ui->is_plain && ui->first_pass;
    bool is_offered = is_over && app->memory.editor.offer.frame == ui->frame;
    bool is_asked = app->part_menu.is_asked && app->sheet == SHEET_NONE && !ui->is_plain;
    app->part_menu.is_asked = false;
    if (is_offered || (is_over && ui_pressed_right(ui, (UiState){.hovered = true}))) {
        app->part_menu.at = ui->pointer;
        open(app, id, part_at(ui->list, ui->pointer), ATTN_CELL_NONE);
    } else if (is_asked && app->run.valid && app->run.T > 0)
        open_pinned(app, id);
    else if (ui->popup == id) {
        UiState state;
        PartCommand commands[ROWS];
        Registry rows = rows_of(commands, app);
        DropdownChoices choices = {.registry = &rows, .label = app->part_menu.part};
        Vec2 at = app->part_menu.at;
        int row = dropdown_under(ui, id, (Rect){at.x, at.y, 1, 1}, &choices, -1, &state);
        if (row >= 0)
            app_do(app, run, row);
    }
}

void part_menu_frame(App *app) {
    AppPartMenu *menu = &app->part_menu;
    if (menu->copy == RESULT_NONE)
        return;
    app->effects.part = menu->part;
    app->effects.result = (int)menu->copy;
    menu->copy = RESULT_NONE;
}
