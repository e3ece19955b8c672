#include "app/glossary_sheet.h"

#include <math.h>

#include "app/chrome.h"
#include "app/glossary.h"
#include "ui/formula.h"
#include "ui/label.h"
#include "ui/prose.h"
#include "ui/scroll.h"
#include "ui/text.h"

#define WIDTH     720
#define TEXT_SIZE 18
#define NAME_H    32.0f
#define FORMULA_H 36.0f
#define APART     18 /* px between two terms */
#define MARGIN    10 /* px left and right of a term's words */

static UiId term_id(int term) {
    return ui_id("term", term);
}

static LabelStyle help_style(const App *app) {
    return (LabelStyle){FONT_SANS, TEXT_SIZE, app->ui.theme->text_2, LABEL_LEFT};
}

static float term_height(const App *app, const Entry *entry, float width) {
    LabelStyle style = help_style(app);
    int lines = prose_lines(&app->ui, &style, entry->help, width - 2 * MARGIN);
    return NAME_H + (entry->formula[0] != '\0' ? FORMULA_H : 0) +
           (float)lines * TEXT_SIZE * LABEL_LINE + APART;
}

static void term_draw(App *app, Rect place, int term) {
    Ui *ui = &app->ui;
    const Entry *entry = &GLOSSARY[term].entry;
    Rect row = {place.x, place.y, place.w, place.h - APART / 2};
    UiState state = ui_control(ui, term_id(term), row, 0);
    ui_name(ui, term_id(term), entry->label);
    if (state.hovered)
        draw_fill(ui->list, row, 6, ui->theme->hover);
    Rect rest = rect_inset(row, MARGIN, 0);
    LabelStyle help = help_style(app);
    FormulaStyle formula = {.size = TEXT_SIZE, .colour = ui->theme->text_1};
    text_in(ui, rect_cut_top(&rest, NAME_H), TEXT_STRONG, "%s", entry->label);
    if (entry->formula[0] != '\0')
        formula_label(ui, rect_cut_top(&rest, FORMULA_H), &formula, entry->formula);
    prose_wrap(ui, rest, &help, entry->help);
    ui_focus_ring(ui, term_id(term), rect_inset(row, 2, 2), 6);
    if (state.clicked) {
        app->sheet = SHEET_NONE;
        ui->focus = 0;
        app_do(app, glossary_visit, term);
    }
}

void glossary_sheet_draw(App *app) {
    Ui *ui = &app->ui;
    float w = fminf(WIDTH, ui->list->width - 16), h = ui->list->height - 16;
    Rect rest = sheet_ground(app, (Rect){(ui->list->width - w) / 2, 8, w, h}, "Glossary");
    float height = 0, width = rest.w - SCROLL_BAR;
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++)
        height += term_height(app, &GLOSSARY[i].entry, width);
    ScrollArea area = scroll_begin(ui, ui_id("sheet", SHEET_GLOSSARY), rest, &app->sheet_scroll,
                                   (Vec2){rest.w, height});
    Rect place = {area.content.x, area.content.y, width, 0};
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++, place.y += place.h) {
        place.h = term_height(app, &GLOSSARY[i].entry, width);
        term_draw(app, place, i);
    }
    scroll_end(ui, &area);
}

void glossary_open(App *app, int term) {
    app->sheet = SHEET_GLOSSARY;
    app->sheet_scroll = (Scroll){0};
    ui_focus(&app->ui, term_id(term)); /* the focus scrolls it into view */
    app->ui.again = true;
}
