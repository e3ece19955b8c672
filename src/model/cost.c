#include "model/cost.h"

#include "model/form.h"

Cost cost_of_scores(const AttnShape *shape) {
    Cost head = FORMS[shape->form].head_cost(shape);
    return (Cost){shape->H * head.parameters, shape->H * head.multiply_adds};
}

Cost cost_of(const AttnShape *shape) {
    Cost scores = cost_of_scores(shape);
    long long T = shape->T, D = shape->D, HV = (long long)shape->H * shape->V;
    long long values = T * D * HV, read = T * T * HV, output = T * HV * D;
    return (Cost){scores.parameters + 2 * D * HV, scores.multiply_adds + values + read + output};
}
