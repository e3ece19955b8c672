#include "model/attention/cost.h"

#include "model/attention/form.h"

Cost cost_of_scores(const AttnShape *shape) {
    return FORMS[shape->form].score_cost(shape);
}

Cost cost_of(const AttnShape *shape) {
    Cost scores = cost_of_scores(shape);
    long long T = shape->T, D = shape->D, HV = (long long)shape->H * shape->V;
    long long E = attn_input_width(shape), shared = shape->form == FORM_NESTED ? D * D : 0;
    long long biases = shape->bias == BIAS_NONE ? 0 : D;
    long long values = T * E * HV + T * shared, read = T * T * HV, output = T * HV * D;
    int key_heads = shape->traits.key_heads;
    bool has_keys = shape->form == FORM_SEPARATE || (shape->form == FORM_MERGED && shape->rope);
    /* Number of heads that use the weights of another head. */
    long long copies = key_heads > 0 ? shape->H - key_heads : 0;
    scores.parameters -= copies * E * (shape->V + (has_keys ? shape->K : 0));
    return (Cost){scores.parameters + E * HV + shared + HV * D + biases,
                  scores.multiply_adds + values + read + output};
}
