#include "views/settings.h"

#include <stddef.h>

#include "base/util.h"
#include "document/options.h"
#include "draw/palette.h"
#include "draw/theme.h"
#include "lab/comparison.h"
#include "lab/race.h"
#include "lab/study_stats.h"
#include "model/analysis/head_product.h"
#include "results/results.h"
#include "text/tokenizer.h"
#include "views/compare/compare.h"
#include "views/graph/graph.h"
#include "views/shared/edges.h"
#include "views/shared/heatmap.h"
#include "views/train/train.h"
#include "views/view.h"
#include "views/wqk/wqk.h"

#define AT(member) offsetof(Settings, member)

static const Entry MOTION_ROWS[] = {
    {"full", "Full", "", "Colours, rings and panels change gradually."},
    {"less", "Less", "", "Everything changes at once."},
};
const Registry MOTION_REGISTRY = REGISTRY("motions", "motion", MOTION_ROWS);

static const Entry FOCUS_ROWS[] = {
    {"strongest", "The strongest edge", "", "The largest weight of the chosen head."},
    {"nothing", "Nothing", "", "No edge is marked or explained."},
};
const Registry FOCUSES = REGISTRY("focuses", "focus", FOCUS_ROWS);

static const Entry RANGE_ROWS[] = {
    [RANGE_ALL] = {"all", "One for all", "",
                   "All matrices have the same colour scale. It stays the same if the temperature "
                   "or the mask changes."},
    [RANGE_EACH] =
        {"each", "One each", "",
         "Each matrix has its own scale, so colours of two matrices cannot be compared."},
    [RANGE_UNIT] = {"unit", "0 to 1", "", "The colour scale of weights is always 0 to 1."},
};
const Registry SCALE_RANGES = REGISTRY("ranges", "range", RANGE_ROWS);

static const Entry ORDER_ROWS[] = {
    [ORDER_POSITION] = {"position", "Position", "", "Tokens in the order of the text."},
    [ORDER_WEIGHT] = {"weight", "Weight", "",
                      "Tokens ordered by the weight that they receive in the chosen head."},
    [ORDER_PINNED] = {"pinned", "Pinned", "",
                      "Keys ordered by the weight that the pinned query gives them, queries by the "
                      "weight that they give the pinned key."},
};
const Registry ORDERS = REGISTRY("orders", "order", ORDER_ROWS);

static const Entry SUMMARY_ROWS[] = {
    [SUMMARY_NONE] = {"none", "None", "", "The heads alone."},
    [SUMMARY_MEAN] = {"mean", "Mean", "", "The mean over the heads, shown after the last head."},
    [SUMMARY_ROLLOUT] = {"rollout", "Rollout", "",
                         "Attention rollout (half the mean weights, half the residual), shown "
                         "after the last head."},
    [SUMMARY_BOTH] = {"both", "Both", "", "The mean, and attention rollout."},
};
const Registry SUMMARIES = REGISTRY("summaries", "summary", SUMMARY_ROWS);

static const Entry NUMBER_ROWS[] = {
    {"large", "Large cells", "", "Cells that are at least 44 pixels wide show their number."},
    {"fit", "All that fit", "", "Cells that are at least 20 pixels wide show their number."},
};
const Registry CELL_NUMBERS = REGISTRY("numbers", "number", NUMBER_ROWS);

static const Entry STATISTICS_ROWS[] = {
    {"fold", "Folded", "", "The statistics of the head are hidden until you press More."},
    {"show", "Shown", "", "The statistics of the head are listed."},
};
const Registry STATISTICS = REGISTRY("statistics", "statistics", STATISTICS_ROWS);

static const Entry MASK_ROWS[] = {
    {"hide", "Hidden", "", "The mask is visible only in the heads."},
    {"show", "Shown", "", "The mask is shown after the heads; click or drag in it to edit edges."},
};
const Registry MASKS_SHOWN = REGISTRY("mask panels", "mask panel", MASK_ROWS);

static const Entry WALL_ROWS[] = {
    [WALL_ALL] = {"all", "All heads", "", "Every head at once."},
    [WALL_ONE] = {"one", "One head", "", "The chosen head fills the view."},
    [WALL_LAYERS] = {"layers", "All layers", "", "Every head of every layer of a checkpoint."},
};
const Registry WALLS = REGISTRY("walls", "wall", WALL_ROWS);

#define CHOICE(key, name, help, registry, member, standard)                                        \
    {                                                                                              \
        {key, name, "ID", help}, {                                                                 \
            OPTION_CHOICE, AT(member), standard, .choices = &(registry)                            \
        }                                                                                          \
    }

/* A row for a whole number from 1 to `end`. */
#define NUMBER(id, label, help, member, end, standard)                                             \
    {                                                                                              \
        {id, label, "N", help}, {                                                                  \
            OPTION_INT, AT(member), standard, .least = 1, .most = (end)                            \
        }                                                                                          \
    }

static const OptionRow ROWS[] = {
    CHOICE("view", "View", "Which view is shown.", VIEW_REGISTRY, view, "heads"),
    CHOICE("theme", "Theme", "Colours of the window.", THEME_REGISTRY, theme, "dark"),
    CHOICE("palette", "Palette", "Colour scale of the weights.", PALETTE_REGISTRY, palette,
           "cividis"),
    CHOICE("signed-palette", "Signed colours", "Colour scale of values that can be negative.",
           SIGNED_PALETTE_REGISTRY, signed_palette, "theme"),
    CHOICE("motion", "Motion", "Whether changes are animated; --reduced-motion sets motion=less.",
           MOTION_REGISTRY, motion, "full"),
    CHOICE("focus", "Focus", "The cell that is explained while nothing is pinned.", FOCUSES, focus,
           "strongest"),
    {{"edges", "Edges", "N", "Number of edges that the graph draws for each token."},
     {OPTION_INT, AT(edges), "3", .least = 1, .most = EDGES_PER_TOKEN_MAX}},
    CHOICE("graph-layout", "Layout", "How the Graph view places the tokens.", GRAPH_LAYOUTS,
           graph_layout, "circle"),
    CHOICE("graph-value", "Edges show", "What the edges of the Graph view show.", GRAPH_VALUES,
           graph.value, "weights"),
    CHOICE("graph-filter", "Show", "Which edges the Graph view draws.", EDGE_FILTERS, graph.filter,
           "mass"),
    CHOICE("graph-nodes", "Nodes", "What the size of a node shows.", GRAPH_NODE_SIZES, graph.nodes,
           "received"),
    CHOICE("graph-flow", "Arrows", "Which way the arrows of the Graph view point.", GRAPH_FLOWS,
           graph_flow, "reads"),
    CHOICE("graph-heads", "Heads in the graph", "Whether the Graph view shows one head or all.",
           GRAPH_HEADS, graph.heads, "one"),
    CHOICE("graph-step", "Message",
           "The step of message passing, from the keys to the pinned query, that the Graph view "
           "shows.",
           GRAPH_STEPS, graph_step, "none"),
    CHOICE("graph-self", "Self", "Edges from a token to itself.", GRAPH_HIDING, graph.self,
           "shown"),
    CHOICE("graph-first", "First token",
           "Edges to the first token, which often gets the attention that no other token needs.",
           GRAPH_HIDING, graph.first, "shown"),
    CHOICE("graph-rest", "Hidden edges",
           "Whether the shown weights of a row are scaled to sum to 1.", GRAPH_RESTS, graph.rest,
           "as-is"),
    {{"graph-above", "Least weight", "X",
      "The smallest weight that is drawn if graph-filter is set to above."},
     {OPTION_REAL, AT(graph.above), "0.05", .most = 1}},
    {{"graph-mass", "Share of a row", "X",
      "The share of each row's weight that is drawn if graph-filter is set to mass."},
     {OPTION_REAL, AT(graph.mass), "0.8", .most = 1}},
    CHOICE("wqk-product", "Product", "Which two matrices the W_QK view multiplies.", PRODUCTS,
           wqk_product, "qk"),
    CHOICE("wqk-against", "Compare with", "What the W_QK view compares the head with.", WQK_AGAINST,
           wqk_against, "merged"),
    CHOICE("wqk-delta", "Scale of ΔA", "Which colour scale the difference ΔA has in the W_QK view.",
           WQK_DELTAS, wqk_delta, "same"),
    CHOICE("wqk-page", "Page", "The page below the matrices in the W_QK view.", WQK_PAGES, wqk_page,
           "rank"),
    {{"wqk-rank", "Cut to rank", "R", "The rank that the W_QK view cuts the product to."},
     {OPTION_INT, AT(wqk_rank), "auto", .least = 1, .most = OPTION_WIDTH_MAX + 1,
      .absent = "auto"}},
    CHOICE("wqk-gauge", "R",
           "Which kind of matrix R the W_QK view puts between the factors, with its inverse.",
           WQK_TRANSFORMS, wqk_transform, "rotation"),
    {{"wqk-turn", "Rotate by R", "X", "How far R is from the identity, 0 to 1."},
     {OPTION_REAL, AT(wqk_turn), "0", .most = 1}},
    {{"merge", "Merge", "X",
      "How far W_Q and W_K are merged in the W_QK view, 0 to 1. From 0 to 0.7, products of a "
      "column "
      "and a row are added one by one; above 0.7, the factors move together. At 0 the layer's "
      "own form is shown."},
     {OPTION_REAL, AT(merge), "0", .most = 1}},
    {{"wqk-gauge-seed", "Seed of R", "N", "The seed that R is sampled with."},
     {OPTION_INT, AT(wqk_transform_seed), "1", .most = 99999}},
    {{"wqk-offset", "Distance", "N",
      "With RoPE, the distance of query and key whose matrix is shown."},
     {OPTION_INT, AT(wqk_offset), "0", .least = -TOKENS_MAX, .most = TOKENS_MAX}},
    {{"wqk-rate", "Rate", "X", "The learning rate of the training step in the W_QK view."},
     {OPTION_REAL, AT(wqk_rate), "0.1", .least = 1e-6, .most = 1e3}},
    {{"wqk-entry", "Entry", "I,J", "The pinned entry of the product."},
     {OPTION_CELL, AT(wqk_entry), "none", .least = 1, .most = OPTION_WIDTH_MAX + 1,
      .absent = "none"}},
    {{"wqk-p", "Cost at T", "N", "Number of tokens for which the costs are counted."},
     {OPTION_INT, AT(wqk_p), "auto", .least = 1, .most = 4096, .absent = "auto"}},
    {{"wqk-n", "Cost at d_model", "N", "d_model for which the costs are counted."},
     {OPTION_INT, AT(wqk_n), "auto", .least = 1, .most = OPTION_WIDTH_MAX, .absent = "auto"}},
    {{"wqk-m", "Cost at d_k", "N", "d_k for which the costs are counted."},
     {OPTION_INT, AT(wqk_m), "auto", .least = 1, .most = OPTION_WIDTH_MAX, .absent = "auto"}},
    CHOICE("show", "Show", "What the matrices of Heads show.", SHOWS, maps.show, "weights"),
    {{"minus", "Subtract", "ID", "What is subtracted from the matrices of Heads."},
     {OPTION_CHOICE, AT(maps.minus), "none", .choices = &MINUSES, .least = 1,
      .most = OPTION_HEADS_MAX, .numbered = "head:1"}},
    {{"second", "Second sentence", "TEXT",
      "A sentence that Heads shows next to the text, with the difference of their matrices."},
     {OPTION_LINE, AT(maps.second), "", .least = 0}},
    CHOICE("warp", "Colours", "How values are spread over the colours.", WARPS, warp, "linear"),
    CHOICE("range", "Range", "Whether all matrices share a scale.", SCALE_RANGES, maps.range,
           "all"),
    {{"clamp", "Clamp", "P", "Percentile of the values at which the scale ends."},
     {OPTION_REAL, AT(maps.clamp), "100", .least = 50, .most = 100}},
    CHOICE("order", "Order", "Order of the tokens.", ORDERS, maps.order, "position"),
    CHOICE("summary", "Combined maps", "Matrices that combine all heads.", SUMMARIES, maps.summary,
           "none"),
    CHOICE("numbers", "Numbers", "Which cells show their number.", CELL_NUMBERS, numbers, "large"),
    CHOICE("statistics", "Statistics", "Whether the inspector lists a head's statistics.",
           STATISTICS, statistics, "fold"),
    CHOICE("mask-panel", "Mask panel", "Whether the mask is shown as a matrix of its own.",
           MASKS_SHOWN, maps.mask_shown, "hide"),
    CHOICE("wall", "Heads shown", "All heads, the chosen one, or all layers.", WALLS, wall, "all"),
    CHOICE("compare", "Compare", "What the Compare view shows.", COMPARE_PARTS, compare.part,
           "columns"),
    {{"compare-schemes", "Schemes", "ID,ID",
      "The schemes that the Compare view shows side by side."},
     {OPTION_LIST, AT(compare.schemes), "xavier_uniform,he_uniform,normal,xavier_fused",
      .choices = &SCHEME_REGISTRY, .least = 2, .most = OPTION_LIST_MAX}},
    {{"compare-q", "W_Q of schemes", "ID,ID",
      "The scheme of W_Q in each column of Compare, instead of the column's own scheme."},
     {OPTION_LIST, AT(compare.own[ATTN_W_Q]), "auto", .least = 1, .most = OPTION_LIST_MAX,
      .choices = &SCHEME_REGISTRY, .absent = "auto"}},
    {{"compare-k", "W_K of schemes", "ID,ID",
      "The scheme of W_K in each column of Compare, instead of the column's own scheme."},
     {OPTION_LIST, AT(compare.own[ATTN_W_K]), "auto", .least = 1, .most = OPTION_LIST_MAX,
      .choices = &SCHEME_REGISTRY, .absent = "auto"}},
    {{"compare-v", "W_V of schemes", "ID,ID",
      "The scheme of W_V in each column of Compare, instead of the column's own scheme."},
     {OPTION_LIST, AT(compare.own[ATTN_W_V]), "auto", .least = 1, .most = OPTION_LIST_MAX,
      .choices = &SCHEME_REGISTRY, .absent = "auto"}},
    {{"compare-o", "W_O of schemes", "ID,ID",
      "The scheme of W_O in each column of Compare, instead of the column's own scheme."},
     {OPTION_LIST, AT(compare.own[ATTN_W_O]), "auto", .least = 1, .most = OPTION_LIST_MAX,
      .choices = &SCHEME_REGISTRY, .absent = "auto"}},
    CHOICE("compare-spread", "Histogram",
           "The quantity whose values the histograms of Compare count.", SPREADS, compare.spread,
           "scores"),
    CHOICE("compare-maps", "Maps", "What the Compare view's heatmaps show.", COMPARE_MAPS,
           compare.maps, "weights"),
    CHOICE("compare-measures", "Measures", "The measures in the table of Compare.",
           COMPARE_MEASURES, compare.measures, "few"),
    CHOICE("compare-matrices", "Matrices",
           "Whether a column has one scheme, or one for each matrix.", COMPARE_MATRICES,
           compare.matrices, "alike"),
    CHOICE("compare-rule", "Depth rule", "Whether depth-aware schemes use the depth of the stack.",
           COMPARE_RULES, compare.rule, "on"),
    NUMBER("compare-against", "Reference column",
           "The reference column: differences and the wipe compare the others with it.",
           compare.against, COMPARISON_MAX, "1"),
    {{"compare-over", "Over seeds", "ID",
      "The measure whose values over many seeds replace the histogram."},
     {OPTION_CHOICE, AT(compare.over), "none", .choices = &STUDY_STAT_REGISTRY, .absent = "none"}},
    NUMBER("compare-seeds", "Seeds", "The number of seeds that the Compare view samples.",
           compare.seeds, COMPARE_SEEDS_MAX, "1"),
    CHOICE("compare-colour", "Map", "What the colours of the map in Compare show.", COMPARE_COLOURS,
           compare.colour, "entropy"),
    {{"compare-sigma-q", "σ of W_Q", "X",
      "σ of W_Q at the chosen point of the map; auto is that of the scheme in use."},
     {OPTION_REAL, AT(compare.sigma_q), "auto", .least = 1e-3, .most = 10, .absent = "auto"}},
    {{"compare-sigma-k", "σ of W_K", "X",
      "σ of W_K at the chosen point of the map; auto is that of the scheme in use."},
     {OPTION_REAL, AT(compare.sigma_k), "auto", .least = 1e-3, .most = 10, .absent = "auto"}},
    NUMBER("compare-bug", "Question no.", "The question on the page Spot the bug.", compare.bug, 9,
           "1"),
    NUMBER("compare-depth", "Layers", "The number of layers that the Compare view stacks.",
           compare.layers, COMPARE_LAYERS_MAX, "12"),
    NUMBER("compare-terms", "Products added",
           "The number of products of q and k that the page Why √d_k adds up.", compare.terms, 4096,
           "1"),
    {{"compare-blend", "I to W", "X",
      "The weights on the page Bank, twice: 0 is W = I, 1 is this layer's weights."},
     {OPTION_REAL, AT(compare.blend), "1", .least = 0, .most = 1}},
    NUMBER("steps-step", "Step", "The step that the Steps view shows, 1 to 6.", steps_step, 6, "1"),
    {{"steps-output", "Output column", "N",
      "The column of Y whose number the Steps view follows; auto is the largest."},
     {OPTION_INT, AT(steps_output), "auto", .least = 1, .most = OPTION_WIDTH_MAX,
      .absent = "auto"}},
    CHOICE("train-task", "Task", "What the layer is trained to do.", TASK_REGISTRY, train.task,
           "previous"),
    CHOICE("train-optimiser", "Optimiser", "The rule that changes the weights by their gradients.",
           OPTIMISER_REGISTRY, train.optimiser, "adam"),
    {{"train-rate", "Rate", "X", "The learning rate; auto is the optimiser's default."},
     {OPTION_REAL, AT(train.rate), "auto", .least = 1e-6, .most = 1e3, .absent = "auto"}},
    CHOICE("train-data", "Train on", "What each step is trained on.", RACE_DATA, train.data,
           "orders"),
    NUMBER("train-batch", "Batch",
           "Number of sequences per step; always 1 if training is on the text itself.", train.batch,
           RACE_BATCH_MAX, "16"),
    CHOICE("train-embedding", "Embedding", "Whether the word vectors are trained too.", RACE_WORDS,
           train.words, "fixed"),
    CHOICE("train-seeds", "Seeds", "Whether each column is trained with one seed or with ten.",
           TRAIN_SEEDS, train.seeds, "1"),
    NUMBER("train-start", "Start",
           "The column, counted from 1, whose chosen head the Train view shows large.", train.start,
           COMPARISON_MAX, "1"),
    NUMBER("train-steps", "Steps", "Number of training steps.", train.steps, RACE_STEPS_MAX, "400"),
    {{"train-step", "Step", "N", "The step that the Train view shows; 0 is before the first."},
     {OPTION_INT, AT(train.step), "0", .most = RACE_STEPS_MAX}},
    CHOICE("train-speed", "Speed", "How fast the Train view plays.", TRAIN_PACES, train.pace, "8"),
    {{"ui-scale", "UI scale", "X", "Scale of the interface, multiplied by the automatic scale."},
     {OPTION_REAL, AT(ui_scale), "1", .least = 0.75, .most = 3}},
    {{"size", "Size", "WxH", "Size in pixels of a picture or a new window."},
     {OPTION_SIZE, AT(size), "1920x1080", .least = 64, .most = 16384}},
    CHOICE("layer-order", "Order of heads", "The order of the map of all layers.", LAYER_ORDERS,
           layer_order, "place"),
};

const OptionTable PICTURE_OPTIONS = {ROWS, ARRAY_COUNT(ROWS)};

StateExtra settings_extra(Settings *settings, WeightsLoad load) {
    return (StateExtra){.table = &PICTURE_OPTIONS,
                        .values = settings,
                        .values_bytes = sizeof *settings,
                        .load = load};
}
