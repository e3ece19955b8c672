#include "base/util.h"
#include "views/compare/compare.h"
#include "views/graph/graph.h"
#include "views/heads/heads.h"
#include "views/shared/heatmap.h"
#include "views/steps/steps.h"
#include "views/train/train.h"
#include "views/view.h"
#include "views/wqk/wqk.h"

/* Rows in the order of the keys 1 to 6. */
const View VIEWS[] = {
    {.entry = {"heads", "Heads", "", "Every head as a heatmap, and the chosen one as a graph."},
     .subtitle = "Each row is one token asking “whom do I read?”",
     .subtitle_short = "A row asks, columns answer.",
     .icon = ICON_HEADS,
     .frame = heads_frame,
     .tools_w = 310,
     .request = heads_request,
     .making = &SHOWN_MAKING,
     .has_focus = true},
    {.entry = {"graph", "Graph", "", "One head as a directed graph of the tokens."},
     .subtitle = "Attention is a graph. Arrows point at what is read.",
     .subtitle_short = "Attention is a graph.",
     .icon = ICON_GRAPH,
     .frame = graph_frame,
     .tools_w = 310,
     .inspector = graph_inspector,
     .scratch_bytes = graph_scratch_bytes,
     .making = &GRAPH_MAKING,
     .has_focus = true,
     .press = graph_press,
     .subtitle_of = graph_subtitle},
    {.entry = {"wqk", "One matrix or two?", "W_QK",
               "Why two matrices, if only their product is used?"},
     .subtitle = "They only ever meet as a product.",
     .subtitle_short = "Two factors, one product.",
     .icon = ICON_WQK,
     .frame = wqk_frame,
     .tools_w = 440,
     .inspector = wqk_inspector,
     .scratch_bytes = wqk_scratch_bytes,
     .request = wqk_request},
    {.entry = {"compare", "Compare", "",
               "Initialisation schemes side by side, theory next to measurement."},
     .subtitle = "Same seed, same tokens, different initial weights.",
     .subtitle_short = "Same seed, same tokens.",
     .icon = ICON_COMPARE,
     .frame = compare_frame,
     .tools_w = 440,
     .request = compare_request,
     .is_wide = true,
     .results = compare_results},
    {.entry = {"steps", "Steps", "", "One output number followed back through the layer."},
     .subtitle = "Follow one output number back through the layer.",
     .subtitle_short = "One number, step by step.",
     .icon = ICON_STEPS,
     .frame = steps_frame,
     .tools_w = 310,
     .scratch_bytes = steps_scratch_bytes,
     .is_wide = true,
     .has_focus = true,
     .results = steps_results,
     .press = steps_press,
     .fills_height = true},
    {.entry = {"train", "Train", "", "The columns of Compare trained side by side, step by step."},
     .subtitle = "",
     .subtitle_short = "",
     .icon = ICON_TRAIN,
     .frame = train_frame,
     .tools_w = 440,
     .is_wide = true,
     .results = train_results,
     .subtitle_of = train_subtitle,
     .press = train_press,
     .position = &TRAIN_POSITION},
};

const Registry VIEW_REGISTRY = {"views", "view", VIEWS, sizeof VIEWS[0], ARRAY_COUNT(VIEWS)};
