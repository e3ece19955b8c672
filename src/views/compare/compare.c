#include "views/compare/compare.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "draw/part.h"
#include "ui/button.h"
#include "ui/text.h"
#include "ui/tooltip.h"

#define TOOL_GAP       20
#define TOOL_GAP_TIGHT 12
#define TOOLS_WIDE     1700 /* px: a view at least this wide has wide gaps between its controls */
#define ASIDE_GAP      24
#define ADD_W          124
/* Px: minimum height of the Depth page in a view narrower than DEPTH_WORDS_W. */
#define DEPTH_LEAST   620
#define DEPTH_WORDS_W 1200
#define PART_LEAST    300 /* px: minimum height of a part; if there is less room, the view scrolls */
#define GPT2_WIDTH    768 /* GPT-2's d_model */
#define GPT2_HEADS    12
#define APART         18 /* px between the statistics of X and the buttons after them */
#define SCALE_W       300
#define SCALE_DOWN    4 /* px from the top of a line of controls to the colour scale in it */
#define HALL_MARGIN   20

void compare_clear(CompareMemory *memory, const JobPool *pool) {
    arena_release(&memory->differences_arena);
    for (int i = 0; i < COMPARE_JOB_COUNT; i++) {
        job_drop(pool, memory->jobs[i].now);
        job_drop(pool, memory->jobs[i].before);
    }
    if (memory->unit.text != NULL)
        session_release(&memory->unit);
}

void compare_subtitle(char out[VIEW_SUBTITLE_MAX], const Session *session, const Settings *settings,
                      bool is_short) {
    const char *help = registry_entry(&COMPARE_PARTS, settings->compare.part)->help;
    (void)session;
    snprintf(out, VIEW_SUBTITLE_MAX, "%.*s",
             is_short ? (int)strcspn(help, ".") + 1 : VIEW_SUBTITLE_MAX, help);
}

/* Draw the controls of the seeds: their number, buttons to pause and stop, and the measure whose
 * distribution is shown instead of the histogram. */
static void seeds_tool(const ViewContext *c, Tools *tools) {
    CompareJob *seeds = &c->memory->compare->jobs[COMPARE_SEEDS];
    const Study *study = (const Study *)seeds->now;
    tool_count(c, tools, "compare-seeds", "Seeds");
    if (c->settings->compare.seeds == 1 || study == NULL)
        return;
    bool running = !study_is_over(study);
    tools->x -= tools->gap - 6;
    if (running && button_icon(c->ui, ui_id("compare pause", 0), tools_place(tools, 36),
                               seeds->is_paused ? ICON_PLAY : ICON_PAUSE)) {
        seeds->is_paused = !seeds->is_paused;
        c->ui->again = true;
    }
    if (running && button_icon(c->ui, ui_id("compare stop", 0), tools_place(tools, 36), ICON_STOP))
        view_set_number(c, "compare-seeds", fmax(study_seeds_in(study), 1), 0);
    text_in(c->ui, tools_place(tools, 84), TEXT_CAPTION, running ? "%d in" : "all %d in",
            study_seeds_in(study));
    DropdownChoices measures = {.registry = &STUDY_STAT_REGISTRY, .absent = "No measure"};
    int picked = tool_dropdown(c, tools, ui_id("compare over", 0), "Spread of", &measures,
                               c->settings->compare.over);
    if (picked != DROPDOWN_UNCHANGED)
        view_set(c, "compare-over", picked < 0 ? "none" : STUDY_STATS[picked].entry.id, 0);
}

static bool take(Session *session, const Session *kept, Err *err) {
    (void)err;
    Session next = session_share(kept);
    session_release(session);
    *session = next;
    return true;
}

static bool same_word(const Results *run, int i, int j) {
    if (run->tokens[i].bytes != run->tokens[j].bytes)
        return false;
    const char *a = results_token(run, i), *b = results_token(run, j);
    for (uint32_t k = 0; k < run->tokens[i].bytes; k++)
        if (tolower((unsigned char)a[k]) != tolower((unsigned char)b[k]))
            return false;
    return true;
}

/* Delete repeated words and the blanks before them, starting with the last word. */
static bool cut_repeats(Session *session, const Results *run, Err *err) {
    for (int i = run->T - 1; i > 0; i--) {
        size_t from = run->tokens[i].at, to = from + run->tokens[i].bytes;
        bool is_repeat = false;
        for (int j = 0; j < i; j++)
            is_repeat = is_repeat || same_word(run, i, j);
        while (from > 0 && run->text->bytes[from - 1] == ' ')
            from--;
        if (is_repeat && !session_edit_text(session, from, to, "", 0, err))
            return false;
    }
    return true;
}

static bool set_option(Session *session, const char *key, const char *value, Err *err) {
    return session_set(session, option_find(&STATE_OPTIONS, key, strlen(key)), value, strlen(value),
                       err);
}

/* Set an X like the one that theory assumes, in one undo step. */
static void make_unit(const ViewContext *c) {
    Session *unit = &c->memory->compare->unit;
    Err err;
    if (unit->text != NULL)
        session_release(unit);
    *unit = session_share(c->session);
    if (cut_repeats(unit, c->run, &err) && set_option(unit, "embedding", "random", &err) &&
        set_option(unit, "positions", "none", &err) && set_option(unit, "block", "attention", &err))
        edit_push_change(c->edits, take, unit);
}

/* Draw the statistics of X, and two buttons that make X more like the X that theory assumes: random
 * vectors without positions or repeated words, or a layer normalisation. */
static void input_draw(const ViewContext *c, Tools *tools) {
    const TheoryOnInput *theory = &compare_comparison(c)->theory[0];
    bool normed = c->session->options.block == BLOCK_PRE_NORM;
    const char *name = !normed ? "X" : c->session->options.traits.norm.rms ? "RMSNorm(X)" : "LN(X)";
    const char *words = PRINT(c->run->T > 1 ? "%s: rms %s, mean cosine %s" : "%s: rms %s", name,
                              FIXED(theory->rms, 2), FIXED(theory->common, 2));
    float unit_w = text_width(c->ui, TEXT_BODY, "Unit X") + 32;
    float normal_w = toggle_width(c->ui, "LayerNorm");
    UiId unit = ui_id("unit X", 0), normal = ui_id("layer norm", 0);
    Rect line = tools_place(tools, text_width(c->ui, TEXT_CAPTION | TEXT_PLAIN, "%s", words) +
                                       unit_w + normal_w + 2 * APART + 1);
    text_left(c->ui, &line, TEXT_CAPTION | TEXT_PLAIN | TEXT_BRIGHT, "%s", words);
    rect_cut_left(&line, APART - TEXT_GAP);
    Rect place = rect_cut_left(&line, unit_w);
    bool was = ui_disable(c->ui, (compare_x_is_unit(c) && !normed) || session_gives_x(c->session));
    if (button_text(c->ui, unit, place, "Unit X"))
        make_unit(c);
    ui_disable(c->ui, was);
    tooltip(c->ui, unit, place, "Unit X",
            "Make X as theory assumes it: random vectors, no positions, no repeated words.");
    rect_cut_left(&line, APART);
    if (line.w < normal_w) /* the menu of blocks also has the choice that this button makes */
        return;
    place = rect_cut_left(&line, normal_w);
    if (button_toggle(c->ui, normal, place, "LayerNorm", normed))
        view_set(c, "block", normed ? "attention" : "pre-norm", 0);
    tooltip(c->ui, normal, place, "LayerNorm",
            "Normalise each row of X before attention (pre-norm), as real layers do. X "
            "then has rms 1, but keeps most of what the tokens have in common.");
}

static void columns_tools(const ViewContext *c, Tools *tools) {
    const CompareSettings *chosen = &c->settings->compare;
    if (tools->area.w < TOOLS_WIDE) /* start a new row for all of these controls */
        tools_keep(tools, tools->area.w);
    tool_choice(c, tools, "compare-maps", "Maps");
    if (chosen->maps == MAPS_DIFFERENCE || chosen->maps == MAPS_WIPE)
        tool_count(c, tools, "compare-against", "against");
    tool_choice(c, tools, "compare-spread", "Histogram");
    seeds_tool(c, tools);
    tool_choice(c, tools, "compare-measures", "Measures");
    tool_choice(c, tools, "compare-matrices", "Matrices");
    input_draw(c, tools);
}

/* Set GPT-2's shape and a residual block in one undo step. GPT-2's standard deviations suit this
 * shape and block. */
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

static void depth_tools(const ViewContext *c, Tools *tools) {
    const CompareSettings *chosen = &c->settings->compare;
    tool_choice(c, tools, "block", "Block");
    tool_count(c, tools, "compare-depth", "Layers");
    tool_choice(c, tools, "compare-rule", "Depth rule");
    int gpt2 = compare_scheme("gpt2");
    bool has = false;
    for (int i = 0; i < chosen->schemes.count; i++)
        has = has || chosen->schemes.rows[i] == gpt2;
    if (!has && chosen->schemes.count < COMPARISON_MAX &&
        button_text(c->ui, ui_id("compare add gpt2", 0), tools_place(tools, ADD_W), "Add GPT-2"))
        column_add(c, gpt2);
    if (c->session->options.d_model != GPT2_WIDTH &&
        button_text(c->ui, ui_id("compare gpt2 shape", 0), tools_place(tools, 172),
                    "GPT-2's shape"))
        edit_push_change(c->edits, take_gpt2_shape, NULL);
}

static void scale_tools(const ViewContext *c, Tools *tools) {
    static const char *const labels[] = {"Scaled", "Not scaled"};
    UiId id = ui_id("compare scale", 0);
    Rect place = tools_place(tools, segmented_width(c->ui, labels, 2));
    int chosen = segmented(c->ui, id, place, labels, 2, c->session->options.scale);
    if (chosen >= 0)
        view_set(c, "scale", registry_entry(&SCALES, chosen)->id, ui_wheel_serial(c->ui, id));
}

static void map_tools(const ViewContext *c, Tools *tools) {
    tool_choice(c, tools, "compare-colour", "Colour");
}

static void case_tools(const ViewContext *c, Tools *tools) {
    tool_choice(c, tools, "compare-spread", "Histogram");
}

/* The parts of the view. has_scale: true if the part shows heatmaps of heads. */
static const struct {
    Entry entry;
    void (*draw)(const ViewContext *c, Rect area);
    void (*tools)(const ViewContext *c, Tools *tools); /* NULL for none */
    ComparisonKind kind;                               /* the comparison that the part needs */
    bool has_scale;
} PAGES[COMPARE_PART_COUNT] = {
    [COMPARE_COLUMNS] =
        {{"columns", "Columns", "",
          "std S near 1 keeps the softmax soft. Same seed, same tokens, different weights."},
         compare_columns_draw,
         columns_tools,
         COMPARISON_COLUMNS,
         true},
    [COMPARE_DEPTH] = {{"depth", "Depth", "",
                        "Every residual layer adds to X, so GPT-2 makes W_O smaller. See signal "
                        "and gradient in a stack."},
                       compare_depth_draw,
                       depth_tools,
                       COMPARISON_NONE,
                       false},
    [COMPARE_MAP] = {{"map", "Map", "",
                      "Only σ(W_Q)·σ(W_K) counts. Too large: one token takes all; too small: all "
                      "get the same."},
                     compare_map_draw,
                     map_tools,
                     COMPARISON_NONE,
                     false},
    [COMPARE_SCALE] = {{"scale", "Scale", "1/√d_k", "What std S and the softmax do as d_k grows."},
                       compare_scale_draw,
                       scale_tools,
                       COMPARISON_COLUMNS,
                       true},
    [COMPARE_ROOT] = {{"root", "Why √d_k", "σ² = n·σ_q²·σ_k²",
                       "A sum of n products is √n times as wide as one, so divide by √n."},
                      compare_root_draw,
                      NULL,
                      COMPARISON_COLUMNS,
                      false},
    [COMPARE_TWICE] = {{"twice", "Bank, twice", "",
                        "A repeated word has one static, two contextual vectors."},
                       compare_twice_draw,
                       NULL,
                       COMPARISON_NONE,
                       false},
    [COMPARE_FUSED] = {{"fused", "Fused QKV", "",
                        "Xavier’s fan-out is too large for fused matrices, so its σ is too small."},
                       compare_fused_draw,
                       case_tools,
                       COMPARISON_CASES,
                       true},
    [COMPARE_QUIZ] = {{"bugs", "Spot the bug", "", "Broken initialisations: find what is wrong."},
                      compare_quiz_draw,
                      case_tools,
                      COMPARISON_BROKEN,
                      true},
};
const Registry COMPARE_PARTS = REGISTRY("parts", "part", PAGES);

ComparisonKind compare_kind(const Settings *settings) {
    return PAGES[settings->compare.part].kind;
}

static bool can_add(const ViewContext *c) {
    const CompareSettings *chosen = &c->settings->compare;
    return chosen->part == COMPARE_COLUMNS && chosen->schemes.count < COMPARISON_MAX;
}

static float aside_width(const ViewContext *c) {
    return results_menu_width(c) + (can_add(c) ? ADD_W + ASIDE_GAP : 0) +
           (PAGES[c->settings->compare.part].has_scale ? SCALE_W + ASIDE_GAP : 0);
}

/* Draw the button that adds a scheme, the menu of results, and the scale of the heatmaps, which is
 * the same in every column. */
static void aside_draw(const ViewContext *c, Tools *tools) {
    bool is_difference = compare_maps_kind(c) == MAPS_DIFFERENCE;
    if (can_add(c) &&
        button_text(c->ui, ui_id("compare add", 0), tools_place(tools, ADD_W), "Add scheme"))
        column_add(c, -1);
    results_menu_draw(c, tools_place(tools, results_menu_width(c)));
    if (!PAGES[c->settings->compare.part].has_scale || compare_maps_kind(c) == MAPS_HIDDEN)
        return;
    Rect place = tools_place(tools, SCALE_W);
    ScaleBar bar =
        view_scale_of(c, view_scale_end(compare_comparison(c)->largest_A), is_difference);
    bar.name = is_difference ? "\"Difference\" A − A_{\"ref\"}" : "\"Attention\" A";
    place.y += SCALE_DOWN;
    rect_cut_right(&place, 22); /* half of the last number extends beyond the scale */
    scale_bar(c->ui, place, &bar);
}

static void tools_draw(const ViewContext *c, Rect *area, bool has_aside) {
    Tools tools = tools_in(*area, area->w < TOOLS_WIDE ? TOOL_GAP_TIGHT : TOOL_GAP);
    if (tool_segments_width(c, "compare") <= tools.area.w)
        tool_switch(c, &tools, "compare", "");
    else
        tool_choice(c, &tools, "compare", "Show");
    if (PAGES[c->settings->compare.part].tools != NULL)
        PAGES[c->settings->compare.part].tools(c, &tools);
    if (has_aside)
        aside_draw(c, &tools);
    rect_cut_top(area, tools.y - area->y + TOOL_ROW + 8);
}

static void part_draw(const ViewContext *c, Rect area) {
    int part = c->settings->compare.part;
    Err err;
    if (PAGES[part].has_scale && !compare_maps_make(c, &err)) {
        view_fail(c, area, err.what, err.why);
        return;
    }
    draw_part(c->ui->list, PART_RECT(area), "compare.page");
    PAGES[part].draw(c, area);
}

/* Draw the controls and the part. In a low window both scroll together, so that the part has enough
 * room. */
static void page_draw(const ViewContext *c, Rect area) {
    CompareMemory *m = c->memory->compare;
    float tools_h = m->tools_h;
    bool has_words = c->settings->compare.part == COMPARE_DEPTH && area.w < DEPTH_WORDS_W;
    float least = has_words ? DEPTH_LEAST : PART_LEAST;
    bool low = tools_h > 0 && area.h - tools_h < least;
    bool is_beside = c->beside_title.w >= aside_width(c) + ASIDE_GAP;
    Rect line = c->beside_title;
    ScrollArea scroll;
    if (is_beside) {
        Tools aside = tools_in(rect_cut_right(&line, aside_width(c)), ASIDE_GAP);
        aside_draw(c, &aside);
    }
    if (low) {
        scroll = scroll_begin(c->ui, ui_id("compare view", 0), area, &m->view_scroll,
                              (Vec2){area.w, tools_h + least});
        area = scroll.content;
    }
    float top = area.y;
    tools_draw(c, &area, !is_beside);
    m->tools_h = area.y - top;
    c->ui->again = c->ui->again || m->tools_h != tools_h;
    part_draw(c, area);
    if (low)
        scroll_end(c->ui, &scroll);
}

void compare_frame(const ViewContext *asked, Rect area) {
    Settings settings;
    ViewContext shown = compare_shown(asked, &settings);
    const ViewContext *c = &shown;
    if (c->settings->compare.part == COMPARE_COLUMNS) {
        compare_stack_run(c);
        compare_seeds_run(c);
    }
    if (c->is_hall)
        part_draw(c, rect_inset(area, HALL_MARGIN, HALL_MARGIN / 2.0f));
    else
        page_draw(c, area);
    compare_jobs_stop_others(c);
}
