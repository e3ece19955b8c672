#include "views/compare/compare_choices.h"

static const Entry PARTS[COMPARE_PART_COUNT] = {
    [COMPARE_COLUMNS] =
        {"columns", "Columns", "",
         "std S near 1 keeps the softmax soft. Same seed, same tokens, different weights."},
    [COMPARE_DEPTH] = {"depth", "Depth", "",
                       "Every residual layer adds to X, so GPT-2 makes W_O smaller. Signal and "
                       "gradient in a stack."},
    [COMPARE_MAP] =
        {"map", "Map", "",
         "Only σ(W_Q)·σ(W_K) counts. Too large: one token takes all; too small: all get the same."},
    [COMPARE_SCALE] = {"scale", "Scale", "1/√d_k", "What std S and the softmax do as d_k grows."},
    [COMPARE_ROOT] = {"root", "Why √d_k", "σ² = n·σ_q²·σ_k²",
                      "A sum of n products is √n times as wide as one, so divide by √n."},
    [COMPARE_TWICE] = {"twice", "Bank, twice", "",
                       "One word twice: one static vector, two contextual ones."},
    [COMPARE_FUSED] = {"fused", "Fused QKV", "",
                       "Fused, Xavier’s fan-out is too large, so its σ is too small."},
    [COMPARE_QUIZ] = {"bugs", "Spot the bug", "", "Broken initialisations: find what is wrong."},
};
const Registry COMPARE_PARTS = REGISTRY("parts", "part", PARTS);

static const Entry MAPS[] = {
    [MAPS_WEIGHTS] = {"weights", "Weights A", "", "Every column's own weights."},
    [MAPS_DIFFERENCE] =
        {"difference", "Difference", "A − A_{ref}",
         "The difference between each column's weights and those of the reference column."},
    [MAPS_WIPE] =
        {"wipe", "Wipe", "",
         "At the left of a line the reference column's weights, at the right each column's own."},
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
