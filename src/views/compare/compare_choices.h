/* compare_choices.h: the choices of the Compare view, as registries. */
#ifndef HEADLIGHT_VIEWS_COMPARE_COMPARE_CHOICES_H
#define HEADLIGHT_VIEWS_COMPARE_COMPARE_CHOICES_H

#include "base/registry.h"

#define COMPARE_SEEDS_MAX  10000
#define COMPARE_LAYERS_MAX 48

typedef enum ComparePart {
    COMPARE_COLUMNS,
    COMPARE_DEPTH,
    COMPARE_MAP,
    COMPARE_SCALE,
    COMPARE_ROOT,
    COMPARE_TWICE,
    COMPARE_FUSED,
    COMPARE_QUIZ,
    COMPARE_PART_COUNT
} ComparePart;
typedef enum CompareMaps { MAPS_WEIGHTS, MAPS_DIFFERENCE, MAPS_WIPE, MAPS_HIDDEN } CompareMaps;
typedef enum CompareMeasures { MEASURES_FEW, MEASURES_ALL, MEASURES_GRADIENTS } CompareMeasures;
typedef enum CompareMatrices { MATRICES_ALIKE, MATRICES_EACH } CompareMatrices;
typedef enum CompareColour { COLOUR_ENTROPY, COLOUR_GRADIENT } CompareColour;
typedef enum CompareRule { RULE_ON, RULE_OFF } CompareRule;

extern const Registry COMPARE_PARTS, COMPARE_MAPS, COMPARE_MEASURES, COMPARE_MATRICES;
extern const Registry COMPARE_COLOURS, COMPARE_RULES;

#endif
