#include "ui/gallery.h"

#include <math.h>
#include <stdio.h>

#include "base/util.h"
#include "ui/bars.h"
#include "ui/button.h"
#include "ui/chart.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/number_field.h"
#include "ui/scale_bar.h"
#include "ui/scroll.h"
#include "ui/slider.h"
#include "ui/text_field.h"
#include "ui/toast.h"
#include "ui/tooltip.h"
#include "ui/transport.h"

/* The values that the widgets change; one of each is enough. */
static struct {
    float slide;
    int segment;
    Scroll scroll;
    float rank;
    bool on;
    int choice, number;
    bool plays;
    char text[64], copied[64];
    LineEdit edit;
} at;

void gallery_reset(void) {
    at.slide = 1;
    at.segment = 1;
    at.scroll = (Scroll){0};
    at.rank = 8;
    at.on = true;
    at.choice = 0;
    at.number = 64;
    at.plays = false;
    at.edit = (LineEdit){0};
    snprintf(at.text, sizeof at.text, "the animal");
}

static void build_button(Ui *ui, UiId id, Rect rect, bool wrong) {
    (void)wrong;
    button_text(ui, id, rect, "Use rank 8");
}

static void build_icon(Ui *ui, UiId id, Rect rect, bool wrong) {
    (void)wrong;
    button_icon(ui, id, rect, ICON_DICE);
}

static void build_segments(Ui *ui, UiId id, Rect rect, bool wrong) {
    static const char *const labels[] = {"Separate", "Merged", "Rank r"};
    (void)wrong;
    int chosen = segmented(ui, id, rect, labels, ARRAY_COUNT(labels), at.segment);
    at.segment = chosen >= 0 ? chosen : at.segment;
    ui->again |= chosen >= 0;
}

static void build_slider(Ui *ui, UiId id, Rect rect, bool wrong) {
    (void)wrong;
    ui->again |= slider(ui, id, rect, &(SliderRange){0.1f, 10, 0, 1, true}, &at.slide);
}

static void build_scroll(Ui *ui, UiId id, Rect rect, bool wrong) {
    static const char *const lines[] = {"the", "animal", "didn’t", "cross", "the", "street"};
    LabelStyle style = {FONT_SANS, 18, ui->theme->text_2, LABEL_LEFT};
    (void)wrong;
    ScrollArea area = scroll_begin(ui, id, rect, &at.scroll, (Vec2){0, 36 * ARRAY_COUNT(lines)});
    Rect rest = area.content;
    for (size_t i = 0; i < ARRAY_COUNT(lines); i++)
        label_draw(ui, rect_cut_top(&rest, 36), &style, lines[i]);
    scroll_end(ui, &area);
}

static void build_lines(Ui *ui, UiId id, Rect rect, bool wrong) {
    static const float he[] = {2, 5, 10, 18, 30, 55, 90, 160, 300, 600, 1300, 2930};
    static const float xavier[] = {1,   .97f, .95f, .93f, .9f, .85f,
                                   .8f, .78f, .75f, .72f, .7f, .68f};
    static const float normal[] = {80, 4880, 297000, INFINITY, INFINITY};
    static const float fused[] = {.7f,  .5f,  .35f, .22f, .15f,  .09f,
                                  .06f, .04f, NAN,  .02f, .014f, .011f};
    const Colour *colour = ui->theme->heads;
    const ChartSeries series[] = {{.y = he,
                                   .x_first = 1,
                                   .count = ARRAY_COUNT(he),
                                   .name = "He",
                                   .colour = colour[2],
                                   .mark = MARK_SQUARE},
                                  {.y = xavier,
                                   .x_first = 1,
                                   .count = ARRAY_COUNT(xavier),
                                   .name = "Xavier",
                                   .colour = colour[0],
                                   .mark = MARK_CIRCLE},
                                  {.y = normal,
                                   .x_first = 1,
                                   .count = ARRAY_COUNT(normal),
                                   .name = "Normal",
                                   .leaves = "×61 a layer, overflow at 12",
                                   .colour = colour[1],
                                   .mark = MARK_TRIANGLE},
                                  {.y = fused,
                                   .x_first = 1,
                                   .count = ARRAY_COUNT(fused),
                                   .name = "Fused",
                                   .colour = colour[3],
                                   .mark = MARK_DIAMOND}};
    const ChartLine one = {1, false, NULL, ui->theme->text_2};
    (void)wrong;
    chart_draw(ui, id, rect,
               &(Chart){.x = {1, 12, false, true},
                        .y = {1e-2f, 1e4f, true, false},
                        .series = series,
                        .series_count = ARRAY_COUNT(series),
                        .lines = &one,
                        .line_count = 1,
                        .marked_x = NAN,
                        .names = true});
}

static void build_handle(Ui *ui, UiId id, Rect rect, bool wrong) {
    static const float error[] = {1,    .93f, .86f, .8f,  .74f, .67f, .6f, .52f, .44f, .38f, .33f,
                                  .28f, .23f, .19f, .15f, .1f,  0,    0,   0,    0,    0};
    static const float most[] = {.44f, .25f, .26f, .3f,  .2f,  .19f, .17f, .2f, .18f, .06f, .09f,
                                 .06f, .07f, .05f, .05f, .03f, 0,    0,    0,   0,    0};
    const ChartSeries series[] = {
        {.y = error, .count = ARRAY_COUNT(error), .colour = ui->theme->beam},
        {.y = most, .count = ARRAY_COUNT(most), .colour = ui->theme->heads[3], .dashed = true}};
    const ChartLine cliff = {16, true, "Rank cliff", ui->theme->text_2};
    (void)wrong;
    ChartState state = chart_draw(ui, id, rect,
                                  &(Chart){.x = {0, 20, false, true},
                                           .y = {0, 1, false, false},
                                           .series = series,
                                           .series_count = ARRAY_COUNT(series),
                                           .lines = &cliff,
                                           .line_count = 1,
                                           .marked_x = at.rank,
                                           .readout = true,
                                           .draggable = true});
    at.rank = state.moved ? state.x : at.rank;
    ui->again |= state.moved;
}

static void build_histogram(Ui *ui, UiId id, Rect rect, bool wrong) {
    enum { BINS = 36, PLACES = 61 };
    float counts[BINS], expected[PLACES];
    (void)wrong;
    for (int i = 0; i < BINS; i++)
        counts[i] = (float)(120 / (1 + (i - 15) * (i - 15) / 20) + i % 5);
    for (int i = 0; i < PLACES; i++)
        expected[i] = 120 / (1 + (float)((i - 30) * (i - 30)) / 90);
    histogram_draw(ui, id, rect,
                   &(Histogram){counts, BINS, -4.6f, 4.6f, expected, PLACES, -1, 1,
                                ui->theme->heads[0], false, 1000, NULL});
}

static void build_tooltip(Ui *ui, UiId id, Rect rect, bool wrong) {
    button_text(ui, id, rect, "Form");
    tooltip_on(ui, id, rect, ui->hot == id,
               &(Tooltip){.title = "Form",
                          .text = "How W_Q and W_K are held: apart, or as their product, which "
                                  "gives the same attention.",
                          .key = "F"});
    if (wrong)
        tooltip_warn(ui, rect, "64 is not divisible by 5");
}

static void build_main(Ui *ui, UiId id, Rect rect, bool wrong) {
    (void)wrong;
    button_main(ui, id, rect, "Use rank 8");
}

static void build_toggle(Ui *ui, UiId id, Rect rect, bool wrong) {
    (void)wrong;
    bool change = button_toggle(ui, id, rect, "Show scores", at.on);
    at.on ^= change;
    ui->again |= change;
}

static const Entry SCHEME_ROWS[] = {{"xavier", "Xavier uniform", "", "Glorot and Bengio 2010."},
                                    {"he", "He normal", "", "He and others 2015."},
                                    {"zeros", "Zeros", "", "Everything starts at 0."}};
static const Registry SCHEMES_OF_TWO = {"schemes", "scheme", SCHEME_ROWS, sizeof SCHEME_ROWS[0],
                                        ARRAY_COUNT(SCHEME_ROWS)};

static void build_dropdown(Ui *ui, UiId id, Rect rect, bool wrong) {
    DropdownChoices choices = {.registry = &SCHEMES_OF_TWO, .wrong = wrong};
    int row = dropdown(ui, id, rect, &choices, at.choice);
    at.choice = row >= 0 ? row : at.choice;
    ui->again |= row >= 0;
}

static void build_number(Ui *ui, UiId id, Rect rect, bool wrong) {
    char text[16];
    snprintf(text, sizeof text, "%d", at.number);
    NumberChange change = number_field(ui, id, rect, text, FONT_MONO, wrong);
    at.number += change.kind == NUMBER_STEP ? change.step : 0;
    ui->again |= change.kind == NUMBER_STEP;
}

static void build_text_field(Ui *ui, UiId id, Rect rect, bool wrong) {
    TextField field = {{at.text, at.copied, sizeof at.text, &at.edit},
                       "Type a sentence",
                       wrong ? "No file of that name" : NULL};
    text_field(ui, id, rect, &field);
}

static void build_progress(Ui *ui, UiId id, Rect rect, bool wrong) {
    (void)wrong;
    button_progress(ui, id, rect, "64 seeds", 0.42f);
}

static void build_toast(Ui *ui, UiId id, Rect rect, bool wrong) {
    toast(ui, id, rect,
          &(Toast){.text = "Saved one.headlight", .warning = wrong, .passes = true, .until_s = 8});
}

static void build_scale(Ui *ui, UiId id, Rect rect, bool wrong) {
    (void)id, (void)wrong;
    scale_bar(ui, rect, &(ScaleBar){.hi = 0.6f, .name = "A", .marked = 0.31f});
}

static void build_transport(Ui *ui, UiId id, Rect rect, bool wrong) {
    (void)wrong;
    Transport t = {.plays = at.plays, .at_last = true, .with_last = true};
    TransportButton clicked = transport(ui, id, transport_card(ui, rect), &t);
    at.plays ^= clicked == TRANSPORT_PLAY;
    ui->again |= clicked != TRANSPORT_NONE;
}

const GalleryItem GALLERY[] = {
    {"main", 140, 36, true, false, build_main},
    {"toggle", 170, 36, true, true, build_toggle},
    {"dropdown", 200, 36, true, true, build_dropdown},
    {"number", 90, 36, true, true, build_number},
    {"text field", 240, 36, true, true, build_text_field},
    {"progress", 380, 36, true, false, build_progress},
    {"toast", 320, 36, true, false, build_toast},
    {"scale", 340, 48, false, false, build_scale},
    {"button", 140, 36, true, false, build_button},
    {"icon", 36, 36, true, false, build_icon},
    {"segments", 300, 36, true, true, build_segments},
    {"slider", 220, 36, true, true, build_slider},
    {"scroll", 200, 120, true, true, build_scroll},
    {"lines", 560, 240, false, false, build_lines},
    {"handle", 420, 240, true, true, build_handle},
    {"histogram", 380, 130, false, false, build_histogram},
    {"transport", 292, 68, true, false, build_transport},
    {"tooltip", 100, 36, true, false, build_tooltip},
};
const int GALLERY_COUNT = ARRAY_COUNT(GALLERY);
