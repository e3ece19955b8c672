#include "views/compare/compare.h"
#include "ui/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/util.h"
#include "draw/part.h"
#include "model/attention/block.h"
#include "ui/button.h"
#include "ui/dropdown.h"
#include "ui/label.h"
#include "ui/number_field.h"
#include "ui/scale_bar.h"

#define TOOL_GAP       20
#define TOOL_GAP_TIGHT 12
#define TOOLS_WIDE     1700 /* a view this wide has wide gaps between its controls */
#define SCALE_RISE     4    /* px: the scale moves up if it is in the title's line */
#define ASIDE_GAP      24
#define TOOL_ROW       44
#define ADD_W          124 /* width of the button that adds a scheme */
#define DEPTH_LEAST    620 /* least height of the Depth page in a view narrower than DEPTH_WORDS_W */
#define DEPTH_WORDS_W  1200
#define PART_LEAST     300 /* least height of a part; if it has less, the view scrolls */
#define GPT2_WIDTH     768 /* GPT-2's d_model */
#define GPT2_HEADS     12
#define SCALE_W        300
#define HALL_MARGIN    20

void compare_memory_release(CompareMemory *memory, const JobPool *pool) {
    if (memory == NULL)
        return;
    arena_release(&memory->differences_arena);
    for (int i = 0; i < COMPARE_JOB_COUNT; i++) {
        job_drop(pool, memory->jobs[i].now);
        job_drop(pool, memory->jobs[i].before);
    }
    text_out_release(&memory->copy);
    if (memory->unit.text != NULL)
        session_release(&memory->unit);
    free(memory);
}

/* One scale for A in every column. */
static void scale_draw(const ViewContext *c, Rect place) {
    ScaleBar bar = {.palette = c->settings->palette,
                    .lo = 0,
                    .hi = view_scale_end(compare_comparison(c)->largest_A),
                    .name = "\"Attention\" A",
                    .marked = NAN};
    if (compare_maps_kind(c) == MAPS_DIFFERENCE) {
        bar.palette = c->ui->theme->signed_palette;
        bar.lo = -bar.hi;
        bar.name = "\"Difference\" A − A_{\"ref\"}";
    }
    place.y += 8;
    rect_cut_right(&place, 22); /* half the width of the last number */
    scale_bar(c->ui, place, &bar);
}

/* Controls from left to right, in rows. */
typedef struct Flow {
    Rect area;
    float x, y, gap;
} Flow;

/* Start a new row if controls of this width, which belong together, do not fit into the current
 * one. */
static void flow_keep(Flow *flow, float width) {
    if (flow->x > flow->area.x && flow->x + width > rect_right(flow->area)) {
        flow->x = flow->area.x;
        flow->y += TOOL_ROW;
    }
}

static Rect flow_place(Flow *flow, float width) {
    flow_keep(flow, width);
    Rect place = {flow->x, flow->y, fminf(width, flow->area.w), BUTTON_HEIGHT};
    flow->x += width + flow->gap;
    return place;
}

static void label_tool(const ViewContext *c, Flow *flow, const char *text, float with) {
    float width = text_width(c->ui, TEXT_BODY, "%s", text);
    Rect place = flow_place(flow, width + 10 + with);
    text_in(c->ui, place, TEXT_BODY | TEXT_FAINT, "%s", text);
    flow->x -= with + flow->gap;
}

static void choice_tool(const ViewContext *c, Flow *flow, const char *key, const char *label,
                        int chosen) {
    const OptionRow *row = option_find(&PICTURE_OPTIONS, key, strlen(key));
    DropdownChoices choices = {.registry = row->choices};
    float width = dropdown_width(c->ui, &choices, chosen);
    label_tool(c, flow, label, width);
    int picked = dropdown(c->ui, ui_id(key, 0), flow_place(flow, width), &choices, chosen);
    if (picked != DROPDOWN_UNCHANGED)
        view_set(c, key, registry_entry(row->choices, picked)->id, 0);
}

/* The parts as segments, or as a list if they do not fit. */
static void parts_tool(const ViewContext *c, Flow *flow) {
    const char *labels[COMPARE_PART_COUNT];
    for (int i = 0; i < COMPARE_PART_COUNT; i++)
        labels[i] = registry_entry(&COMPARE_PARTS, i)->label;
    float width = segmented_width(c->ui, labels, COMPARE_PART_COUNT);
    if (width > flow->area.w) {
        choice_tool(c, flow, "compare", "Show", c->settings->compare.part);
        return;
    }
    Rect place = flow_place(flow, width);
    int chosen = segmented(c->ui, ui_id("compare part", 0), place, labels, COMPARE_PART_COUNT,
                           c->settings->compare.part);
    if (chosen >= 0)
        view_set(c, "compare", registry_entry(&COMPARE_PARTS, chosen)->id, 0);
}

static void number_tool(const ViewContext *c, Flow *flow, const char *key, const char *label,
                        int value) {
    char text[32];
    label_tool(c, flow, label, 76);
    snprintf(text, sizeof text, "%d", value);
    NumberChange change =
        number_field(c->ui, ui_id(key, 0), flow_place(flow, 76), text, FONT_MONO, false);
    view_take_number(c, key, &change, value + change.step);
}

/* Choose the measure whose distribution over the seeds replaces the histogram. A click on its row
 * does the same. */
static void over_tool(const ViewContext *c, Flow *flow) {
    DropdownChoices choices = {.registry = &STUDY_STAT_REGISTRY, .absent = "No measure"};
    int chosen = c->settings->compare.over;
    float width = dropdown_width(c->ui, &choices, chosen);
    label_tool(c, flow, "Spread of", width);
    int picked =
        dropdown(c->ui, ui_id("compare over", 0), flow_place(flow, width), &choices, chosen);
    if (picked != DROPDOWN_UNCHANGED)
        view_set(c, "compare-over", picked < 0 ? "none" : STUDY_STATS[picked].entry.id, 0);
}

/* The number of seeds, with buttons that pause, continue or stop. */
static void seeds_tool(const ViewContext *c, Flow *flow) {
    CompareJob *seeds = &c->memory->compare->jobs[COMPARE_SEEDS];
    const Study *study = (const Study *)seeds->now;
    number_tool(c, flow, "compare-seeds", "Seeds", c->settings->compare.seeds);
    if (c->settings->compare.seeds == 1 || study == NULL)
        return;
    bool running = !study_is_over(study);
    flow->x -= flow->gap - 6;
    if (running && button_icon(c->ui, ui_id("compare pause", 0), flow_place(flow, 36),
                               seeds->is_paused ? ICON_PLAY : ICON_PAUSE)) {
        seeds->is_paused = !seeds->is_paused;
        c->ui->again = true;
    }
    if (running && button_icon(c->ui, ui_id("compare stop", 0), flow_place(flow, 36), ICON_STOP))
        view_set_number(c, "compare-seeds", fmax(study_seeds_in(study), 1), 0);
    text_in(c->ui, flow_place(flow, 84), TEXT_CAPTION, running ? "%d in" : "all %d in",
            study_seeds_in(study));
    over_tool(c, flow);
}

static const DropdownChoices RESULTS = {.registry = &COMPARE_LEAVING, .label = "Results"};

static void export_view_tool(const ViewContext *c, Rect place) {
    int picked = dropdown(c->ui, ui_id("compare copy", 0), place, &RESULTS, -1);
    if (picked >= COMPARE_SAVES)
        *c->save = (ViewResult)(RESULT_CSV + picked - COMPARE_SAVES);
    else if (picked >= 0)
        compare_copy(c, (ViewResult)(RESULT_CSV + picked));
}

static void columns_tools(const ViewContext *c, Flow *flow) {
    const CompareSettings *chosen = &c->settings->compare;
    if (flow->area.w < TOOLS_WIDE) /* a row of their own, so that not only the last ones wrap */
        flow_keep(flow, flow->area.w);
    choice_tool(c, flow, "compare-maps", "Maps", chosen->maps);
    if (chosen->maps == MAPS_DIFFERENCE || chosen->maps == MAPS_WIPE)
        number_tool(c, flow, "compare-against", "against", chosen->against);
    choice_tool(c, flow, "compare-spread", "Histogram", chosen->spread);
    seeds_tool(c, flow);
    choice_tool(c, flow, "compare-measures", "Measures", chosen->measures);
    choice_tool(c, flow, "compare-matrices", "Matrices", chosen->matrices);
    compare_input_draw(c, flow_place(flow, compare_input_width(c)));
}

static void block_tool(const ViewContext *c, Flow *flow) {
    DropdownChoices choices = {.registry = &ATTN_BLOCKS};
    int block = c->session->options.block;
    float width = dropdown_width(c->ui, &choices, block);
    label_tool(c, flow, "Block", width);
    int picked =
        dropdown(c->ui, ui_id("compare block", 0), flow_place(flow, width), &choices, block);
    if (picked >= 0)
        view_set(c, "block", registry_entry(&ATTN_BLOCKS, picked)->id, 0);
}

/* Set the layer to the shape that GPT-2's standard deviations are meant for, in one undo step. */
static bool take_gpt2_shape(Session *session, const Session *kept, Err *err) {
    (void)kept;
    (void)err;
    Options *o = &session->options;
    o->d_model = GPT2_WIDTH;
    o->heads = GPT2_HEADS;
    o->d_k = o->d_v = 0;
    o->block = BLOCK_RESIDUAL;
    return true;
}

/* Buttons that show the effect of the depth rule. */
static void gpt2_tools(const ViewContext *c, Flow *flow) {
    const OptionList *schemes = &c->settings->compare.schemes;
    int gpt2 = registry_find(&SCHEME_REGISTRY, "gpt2", strlen("gpt2"));
    bool has = false;
    for (int i = 0; i < schemes->count; i++)
        has = has || schemes->rows[i] == gpt2;
    if (!has && schemes->count < COMPARISON_MAX &&
        button_text(c->ui, ui_id("compare add gpt2", 0), flow_place(flow, ADD_W), "Add GPT-2"))
        column_add(c, gpt2);
    if (c->session->options.d_model != GPT2_WIDTH &&
        button_text(c->ui, ui_id("compare gpt2 shape", 0), flow_place(flow, 172), "GPT-2's shape"))
        edit_push_change(c->edits, take_gpt2_shape, NULL);
}

static void depth_tools(const ViewContext *c, Flow *flow) {
    const CompareSettings *chosen = &c->settings->compare;
    block_tool(c, flow);
    number_tool(c, flow, "compare-depth", "Layers", chosen->layers);
    choice_tool(c, flow, "compare-rule", "Depth rule", chosen->rule);
    gpt2_tools(c, flow);
}

/* Draw the switch of the layer's scale (1/√d_k or none). */
static void scale_tool(const ViewContext *c, Flow *flow) {
    static const char *const labels[] = {"Scaled", "Not scaled"};
    Rect place = flow_place(flow, segmented_width(c->ui, labels, 2));
    int chosen =
        segmented(c->ui, ui_id("compare scale", 0), place, labels, 2, c->session->options.scale);
    if (chosen >= 0)
        view_set(c, "scale", registry_entry(&SCALES, chosen)->id,
                 ui_wheel_serial(c->ui, ui_id("compare scale", 0)));
}

/* Controls at the right of the title, or after the tools if they do not fit there. */
typedef struct Aside {
    bool has_scale, can_add;
    Rect add, results, scale; /* width 0: the control stands after the tools */
} Aside;

static Aside aside_of(const ViewContext *c) {
    ComparePart part = (ComparePart)c->settings->compare.part;
    Rect line = c->beside_title;
    Aside out = {.has_scale = part != COMPARE_DEPTH && part != COMPARE_MAP &&
                              part != COMPARE_ROOT && part != COMPARE_TWICE,
                 .can_add = part == COMPARE_COLUMNS &&
                            c->settings->compare.schemes.count < COMPARISON_MAX};
    float widths[] = {out.has_scale ? SCALE_W : 0, dropdown_width(c->ui, &RESULTS, 0),
                      out.can_add ? ADD_W : 0};
    Rect *const places[] = {&out.scale, &out.results, &out.add};
    for (size_t i = 0; i < ARRAY_COUNT(places); i++) {
        if (widths[i] == 0)
            continue;
        if (line.w < widths[i] + ASIDE_GAP)
            break;
        *places[i] = rect_cut_right(&line, widths[i]);
        rect_cut_right(&line, ASIDE_GAP);
    }
    out.scale.y -= SCALE_RISE;
    out.results.h = out.add.h = BUTTON_HEIGHT;
    return out;
}

static void add_tool(const ViewContext *c, Rect place) {
    if (button_text(c->ui, ui_id("compare add", 0), place, "Add scheme"))
        column_add(c, -1);
}

static void part_tools(const ViewContext *c, Flow *flow) {
    switch ((ComparePart)c->settings->compare.part) {
    case COMPARE_COLUMNS:
        columns_tools(c, flow);
        break;
    case COMPARE_DEPTH:
        depth_tools(c, flow);
        break;
    case COMPARE_MAP:
        choice_tool(c, flow, "compare-colour", "Colour", c->settings->compare.colour);
        break;
    case COMPARE_SCALE:
        scale_tool(c, flow);
        break;
    case COMPARE_ROOT:
    case COMPARE_TWICE:
        break;
    case COMPARE_FUSED:
    case COMPARE_QUIZ:
        choice_tool(c, flow, "compare-spread", "Histogram", c->settings->compare.spread);
        break;
    case COMPARE_PART_COUNT:
        assert(false);
    }
}

/* Draw the tools. Return the place of the colour scale, which the part on screen determines. */
static Rect tools_draw(const ViewContext *c, Rect *area, const Aside *aside) {
    Flow flow = {.area = *area,
                 .x = area->x,
                 .y = area->y,
                 .gap = area->w < TOOLS_WIDE ? TOOL_GAP_TIGHT : TOOL_GAP};
    Rect scale = aside->scale;
    parts_tool(c, &flow);
    part_tools(c, &flow);
    if (aside->can_add && aside->add.w == 0)
        add_tool(c, flow_place(&flow, ADD_W));
    if (aside->results.w == 0)
        export_view_tool(c, flow_place(&flow, dropdown_width(c->ui, &RESULTS, 0)));
    if (aside->has_scale && scale.w == 0) {
        float width = fminf(SCALE_W, area->w);
        scale = flow_place(&flow, width);
        if (scale.x > area->x)
            scale.x = rect_right(*area) - width;
    }
    rect_cut_top(area, flow.y - area->y + TOOL_ROW + 8);
    return scale;
}

/* Draw the part on screen. Return true if it needs a colour scale. */
static bool part_draw(const ViewContext *c, Rect area, bool has_scale) {
    void (*const parts[COMPARE_PART_COUNT])(const ViewContext *, Rect) = {
        [COMPARE_COLUMNS] = c->is_hall ? compare_hall_draw : compare_columns_draw,
        [COMPARE_DEPTH] = compare_depth_draw,
        [COMPARE_MAP] = compare_map_draw,
        [COMPARE_SCALE] = compare_scale_draw,
        [COMPARE_ROOT] = compare_root_draw,
        [COMPARE_TWICE] = compare_twice_draw,
        [COMPARE_FUSED] = compare_fused_draw,
        [COMPARE_QUIZ] = compare_quiz_draw,
    };
    Err err;
    LabelStyle style = {FONT_SANS, 20, c->ui->theme->text_2, LABEL_LEFT};
    if (has_scale && !compare_maps_make(c, &err)) {
        label_wrap(c->ui, area, &style, err.why);
        ui_fail(c->ui, err.what, err.why);
        return false;
    }
    draw_part(c->ui->list, PART_RECT(area), "compare.page");
    parts[c->settings->compare.part](c, area);
    return has_scale && compare_maps_kind(c) != MAPS_HIDDEN;
}

void compare_frame(const ViewContext *asked, Rect area) {
    Settings settings;
    ViewContext shown = compare_shown(asked, &settings);
    const ViewContext *c = &shown;
    if (c->memory->compare == NULL)
        c->memory->compare = heap_get_zero(1, sizeof *c->memory->compare);
    CompareMemory *m = c->memory->compare;
    LabelStyle style = {FONT_SANS, 20, c->ui->theme->text_2, LABEL_LEFT};
    if (m == NULL) {
        label_wrap(c->ui, area, &style, "Too little memory to compare; close other programs.");
        ui_fail(c->ui, "memory", "too little to compare; close other programs");
        return;
    }
    if (c->settings->compare.part == COMPARE_COLUMNS) {
        compare_stack_run(c);
        compare_seeds_run(c);
    }
    /* In a low window the tools scroll too, so that the part has enough room. */
    float tools_h = m->tools_h;
    bool has_words = c->settings->compare.part == COMPARE_DEPTH && area.w < DEPTH_WORDS_W;
    float least = has_words ? DEPTH_LEAST : PART_LEAST;
    if (c->is_hall) {
        part_draw(c, rect_inset(area, HALL_MARGIN, HALL_MARGIN / 2.0f), true);
        compare_jobs_stop_others(c);
        return;
    }
    bool low = tools_h > 0 && area.h - tools_h < least;
    ScrollArea scroll;
    Aside aside = aside_of(c);
    if (aside.can_add && aside.add.w > 0)
        add_tool(c, aside.add);
    if (aside.results.w > 0)
        export_view_tool(c, aside.results);
    if (low) {
        scroll = scroll_begin(c->ui, ui_id("compare view", 0), area, &m->view_scroll,
                              (Vec2){area.w, tools_h + least});
        area = scroll.content;
    }
    float top = area.y;
    Rect scale = tools_draw(c, &area, &aside);
    m->tools_h = area.y - top;
    c->ui->again = c->ui->again || m->tools_h != tools_h;
    bool is_drawn = part_draw(c, area, aside.has_scale), is_beside = aside.scale.w > 0;
    if (is_drawn && !is_beside)
        scale_draw(c, scale);
    if (low)
        scroll_end(c->ui, &scroll);
    if (is_drawn && is_beside)
        scale_draw(c, scale);
    compare_jobs_stop_others(c);
}
