#include "model/analysis/cost.h"

#include "model/attention/form.h"

#define STEPS_OF_PRODUCT 0.25 /* one multiply-add of a matrix product */
#define STEPS_OF_SCORE   100.0
#define STEPS_OF_SVD     20.0 /* per entry and column of the narrower side */

Cost cost_of_scores(const AttnShape *shape) {
    return FORMS[shape->form].score_cost(shape);
}

Cost cost_of(const AttnShape *shape) {
    Cost scores = cost_of_scores(shape);
    long long T = shape->T, D = shape->D, HV = (long long)shape->H * shape->V;
    long long E = attn_input_width(shape), shared = shape->form == FORM_NESTED ? D * D : 0;
    long long biases = shape->bias == BIAS_NONE ? 0 : D;
    long long values = T * E * HV + T * shared, read = T * T * HV, output = T * HV * D;
    return (Cost){scores.parameters + E * HV + shared + HV * D + biases,
                  scores.multiply_adds + values + read + output};
}

double cost_steps(const AttnShape *shape) {
    double T = shape->T, scores = T * T * shape->H;
    return STEPS_OF_PRODUCT * (double)cost_of(shape).multiply_adds + STEPS_OF_SCORE * scores;
}

double cost_backward_steps(const AttnShape *shape) {
    double T = shape->T, scores = T * T * shape->H;
    return 2 * STEPS_OF_PRODUCT * (double)cost_of(shape).multiply_adds +
           STEPS_OF_SCORE / 2 * scores;
}

double cost_fold_steps(const AttnShape *shape) {
    double E = attn_input_width(shape), HK = (double)shape->H * shape->K;
    double product = E * E * HK * STEPS_OF_PRODUCT;
    switch (shape->form) {
    case FORM_MERGED:
        return product;
    case FORM_RANK:
        return product + STEPS_OF_SVD * E * HK * shape->K;
    case FORM_NESTED:
        return 3 * STEPS_OF_PRODUCT * shape->D * shape->D * HK;
    case FORM_SEPARATE:
    case FORM_FREE:
    case FORM_COUNT:
        break;
    }
    return 0;
}
