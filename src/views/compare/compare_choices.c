#include "views/compare/compare.h"

static const Entry MAPS[] = {
    [MAPS_WEIGHTS] = {"weights", "Weights A", "", "Every column's own weights."},
    [MAPS_DIFFERENCE] =
        {"difference", "Difference", "A − A_{ref}",
         "The difference between each column's weights and those of the reference column."},
    [MAPS_WIPE] = {"wipe", "Wipe", "",
                   "A line divides each map: the reference column's weights at its left, the "
                   "column's own at its "
                   "right."},
    [MAPS_HIDDEN] = {"hidden", "Hidden", "",
                     "No heatmaps, so that there is more room for the measures."},
};
const Registry COMPARE_MAPS = REGISTRY("maps", "kind of map", MAPS);

static const Entry MEASURES[] = {
    [MEASURES_FEW] = {"few", "Few", "", "The five most informative measures."},
    [MEASURES_ALL] = {"all", "All", "", "Every measure, including gradients and effective ranks."},
    [MEASURES_GRADIENTS] = {"gradients", "Gradients", "", "The output Y and the gradients."},
};
const Registry COMPARE_MEASURES = REGISTRY("measures", "choice of measures", MEASURES);

static const Entry MATRICES[] = {
    [MATRICES_ALIKE] = {"alike", "Alike", "", "One scheme initialises all matrices of a column."},
    [MATRICES_EACH] = {"each", "Each", "",
                       "Each of a column's W_Q, W_K, W_V and W_O can have its own scheme."},
};
const Registry COMPARE_MATRICES = REGISTRY("matrices", "choice", MATRICES);

static const Entry COLOURS[] = {
    [COLOUR_ENTROPY] = {"entropy", "Entropy", "", "How widely a query looks."},
    [COLOUR_GRADIENT] = {"gradient", "Gradient", "‖∂L/∂W‖", "Length of the weights' gradient."},
};
const Registry COMPARE_COLOURS = REGISTRY("colours", "choice", COLOURS);

static const Entry RULES[] = {
    [RULE_ON] = {"on", "On", "σ(W_O) = 0.02/√(2·depth)",
                 "In a deeper stack, depth-aware schemes initialise W_O smaller."},
    [RULE_OFF] = {"off", "Off", "σ(W_O) = 0.02",
                  "W_O is sampled like all other matrices of GPT-2."},
};
const Registry COMPARE_RULES = REGISTRY("rules", "choice", RULES);
