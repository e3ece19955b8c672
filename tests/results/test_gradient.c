/* The gradients that a Results makes on request, and the names that files know them by. */
#include <stdio.h>
#include <string.h>

#include "io/tensors.h"
#include "model/attention/params.h"
#include "results/fresh.h"
#include "support/test.h"

static void made(Bench *b) {
    assert_true(update(b));
    must(results_offset_family(&b->run, 0, &told));
    must(results_gradient(&b->run, 0, &told));
}

static const TensorView *find(const TensorView *tensors, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(tensors[i].name, name) == 0)
            return &tensors[i];
    return NULL;
}

/* Every gradient has the name and shape of a tensor of the pass; no name occurs twice. */
static void check_names(const TensorView *tensors, int count, int forward) {
    assert_true(count <= TENSORS_MAX);
    assert_string_equal(tensors[forward].name, "G");
    for (int i = forward + 1; i < count; i++) {
        assert_int_equal(strncmp(tensors[i].name, "grad.", 5), 0);
        assert_ptr_equal(find(tensors, count, tensors[i].name), &tensors[i]);
        const TensorView *of = find(tensors, forward, tensors[i].name + 5);
        if (of == NULL)
            fail_msg("%s is of nothing", tensors[i].name);
        assert_int_equal(tensors[i].rank, of->rank);
        assert_memory_equal(tensors[i].shape, of->shape, (size_t)of->rank * sizeof of->shape[0]);
    }
}

/* True if a tensor of the pass has a gradient: X, and each parameter that no other replaces. */
static bool is_wanted(const TensorView *tensor, const char *form, bool rope) {
    static const char *const factors[] = {"W_Q", "W_K", "b_Q", "b_K"};
    static const char *const folded[] = {"W_Q", "W_K", "W_V"};
    const char *name = tensor->name;
    bool products = strcmp(form, "merged") == 0 || strncmp(form, "rank", strlen("rank")) == 0;
    bool param = registry_find(&PARAM_REGISTRY, name, strlen(name)) >= 0;
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
        param = param && !(products && strcmp(name, factors[i]) == 0);
    for (size_t i = 0; i < sizeof folded / sizeof *folded; i++)
        param = param && !(strcmp(form, "nested") == 0 && strcmp(name, folded[i]) == 0);
    return param || strcmp(name, "X") == 0 || strcmp(name, "A") == 0 || strcmp(name, "S") == 0 ||
           (rope && products && strcmp(name, "W_QK_offset") == 0);
}

static void check_form(const char *form, const char *bias, const char *positions) {
    LOCAL(bench_close)
    Bench b =
        bench_of("embedding=random&positions=%s&form=%s&bias=%s&d-v=3", positions, form, bias);
    TensorView tensors[TENSORS_MAX];
    made(&b);
    int forward = tensors_of_run(tensors, &b.run, 0);
    int count = forward + tensors_of_gradient(tensors + forward, &b.run, 0);
    check_names(tensors, count, forward);
    for (int i = 0; i < forward; i++) {
        char name[40];
        snprintf(name, sizeof name, "grad.%.30s", tensors[i].name);
        bool wanted = is_wanted(&tensors[i], form, strcmp(positions, "rope") == 0);
        if (wanted != (find(tensors, count, name) != NULL))
            fail_msg("%s, biases %s: %s is %s", form, bias, name, wanted ? "missing" : "unasked");
    }
}

TEST(every_parameter_has_its_gradient_under_its_name) {
    static const char *const forms[] = {"separate", "merged", "rank:3", "free", "nested"};
    static const char *const biases[] = {"none", "output", "all"};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t i = 0; i < sizeof biases / sizeof *biases; i++)
            check_form(forms[f], biases[i], "none");
    for (size_t i = 0; i < sizeof biases / sizeof *biases; i++) {
        check_form("separate", biases[i], "rope");
        check_form("merged", biases[i], "rope");
        check_form("nested", biases[i], "rope");
    }
}

/* And its memory is used again. */
TEST(gradients_end_with_the_update) {
    LOCAL(bench_close) Bench b = bench_of("embedding=random");
    assert_true(update(&b));
    assert_int_equal(b.run.layers[0].gradient.G.rows, 0);
    made(&b);
    const GradientResults *gradient = &b.run.layers[0].gradient;
    const float *at = gradient->back.X.at;
    float before = at[0];
    assert_int_equal(gradient->G.rows, b.run.T);
    set(&b, "temperature", "2");
    assert_true(update(&b));
    assert_int_equal(gradient->G.rows, 0);
    made(&b);
    assert_ptr_equal(gradient->back.X.at, at);
    assert_true(at[0] != before);
    set(&b, "temperature", "1");
    made(&b);
    assert_true(at[0] == before);
}

/* Each layer has its own, given the same G. */
TEST(the_scheme_beside_has_its_own) {
    LOCAL(bench_close) Bench b = bench_of("embedding=random&beside=orthogonal");
    made(&b);
    assert_int_equal(b.run.layers[1].gradient.G.rows, 0);
    must(results_gradient(&b.run, 1, &told));
    const GradientResults *one = &b.run.layers[0].gradient, *other = &b.run.layers[1].gradient;
    assert_float_equal(mat_max_difference(&one->G, &other->G), 0, 0);
    assert_true(mat_max_difference(&one->back.X, &other->back.X) > 0.01F);
}

/* The gradients are those of a pass of its own. */
static void check_plain(const Bench *b) {
    const LayerResults *layer = &b->run.layers[0];
    const AttnShape *shape = &layer->shape[b->run.form];
    const GradientResults *kept = &layer->gradient;
    ARENA(arena, attn_grads_bytes(shape) + attn_back_bytes(shape));
    AttnParams grads = attn_grads_push(&arena, shape);
    AttnBack back = attn_back_push(&arena, shape);
    const AttnTrace whole = *results_trace(&b->run, 0);
    attn_backward(&grads, &back, shape, &layer->params, &whole, &b->run.X, &kept->G);
    assert_true(mat_max_difference(&back.X, &kept->back.X) == 0);
    assert_true(mat_max_difference(&back.Z, &kept->back.Z) == 0);
    assert_true(mat_max_difference(&grads.p[ATTN_W_V], &kept->params.p[ATTN_W_V]) == 0);
}

/* Gradients are those of the current weights, to the bit. */
TEST(gradients_follow_the_weights) {
    static const char *const changes[][2] = {
        {"text", "one two three"},
        {"seed", "5"},
        {"form", "nested"},
        {"form", "merged"},
        {"form", "separate"},
        {"d-model", "60"},
        {"d-v", "3"},
        {"bias", "all"},
        {"seed", "6"},
        {"init", "t5"},
        {"form", "free"},
        {"heads", "2"},
    };
    LOCAL(bench_close) Bench b = bench_of("embedding=random&d-k=4");
    made(&b);
    check_plain(&b);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *value = changes[i][1];
        if (strcmp(changes[i][0], "text") == 0)
            must(session_edit_text(&b.session, 0, 0, value, strlen(value), &told));
        else
            set(&b, changes[i][0], value);
        made(&b);
        check_plain(&b);
    }
}

TEST(another_seed_draws_another_G) {
    LOCAL(bench_close) Bench b = bench_of("embedding=onehot");
    made(&b);
    float first = b.run.layers[0].gradient.G.at[0];
    set(&b, "seed", "2");
    made(&b);
    assert_true(b.run.layers[0].gradient.G.at[0] != first);
    set(&b, "seed", "1");
    made(&b);
    assert_true(b.run.layers[0].gradient.G.at[0] == first);
}
