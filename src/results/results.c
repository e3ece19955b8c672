#include "results/results.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/util.h"
#include "results/comparison.h"
#include "results/layer.h"

bool results_init(Results *run, Err *err) {
    *run = (Results){.revision = 1};
    run->cache = heap_get_zero(1, sizeof *run->cache);
    if (run->cache == NULL)
        return err_fail(err, "memory", "too little to start; close other programs");
    return true;
}

/* Call visit for every part that a Results and its layers own. */
static void each_part(ResultsCache *cache, void (*visit)(Part **part)) {
    Part **const own[] = {&cache->tokens, &cache->labels, &cache->x,
                          &cache->mask,   &cache->map,    &cache->plain};
    for (size_t i = 0; i < ARRAY_COUNT(own); i++)
        visit(own[i]);
    for (int i = 0; i < RESULTS_LAYERS_MAX; i++) {
        LayerCache *layer = &cache->layers[i];
        visit(&layer->params);
        visit(&layer->offset);
        for (GradientOf of = 0; of < GRADIENT_COUNT; of++) {
            visit(&layer->fold[of]);
            visit(&layer->trace[of]);
            visit(&layer->gradient[of]);
        }
    }
    for (int i = 0; i < PRODUCT_PARTS; i++)
        visit(&cache->product.parts[i]);
}

static void share(Part **part) {
    part_share(*part);
}

bool results_share(Results *out, const Results *run, Err *err) {
    assert(run->cache->next.text == NULL);
    ResultsCache *cache = heap_get(sizeof *cache);
    *out = (Results){0};
    if (cache == NULL)
        return err_fail(err, "memory", "too little for another pass; close other programs");
    *out = *run;
    *cache = *run->cache;
    out->cache = cache;
    each_part(cache, share);
    if (cache->session.text != NULL)
        cache->session = session_share(&cache->session);
    product_analysis_point(&cache->product.analysis);
    out->analysis = run->analysis != NULL ? &cache->product.analysis : NULL;
    results_comparison_share(out);
    return true;
}

void results_release(Results *run) {
    ResultsCache *cache = run->cache;
    if (cache == NULL)
        return;
    each_part(cache, part_release);
    if (cache->session.text != NULL)
        session_release(&cache->session);
    if (cache->next.text != NULL)
        session_release(&cache->next);
    free(cache);
    results_comparison_release(run);
    *run = (Results){0};
}

static Reach reach_between(const Session *before, const Session *now) {
    const Options *a = &before->options, *b = &now->options;
    Reach reach = {0};
    reach.weights = before->weights != now->weights;
    bool same_hand = before->hand == now->hand;
    reach.params = reach.weights ||
                   !(same_hand || hand_set_same_names(before->hand, now->hand, 0, HAND_X - 1));
    reach.input = reach.weights ||
                  !(same_hand || hand_set_same_names(before->hand, now->hand, HAND_X, HAND_X)) ||
                  a->tokenizer != b->tokenizer || before->text != now->text ||
                  a->embedding != b->embedding || a->positions != b->positions ||
                  a->d_model != b->d_model ||
                  ((b->embedding == EMBEDDING_RANDOM || b->positions == POSITION_LEARNED) &&
                   a->seed != b->seed);
    reach.mask = reach.input || a->mask.row != b->mask.row || a->mask.number != b->mask.number ||
                 before->edges != now->edges;
    reach.layers = reach.mask || !same_hand || a->init != b->init || a->beside != b->beside ||
                   a->init_q != b->init_q || a->init_k != b->init_k || a->init_v != b->init_v ||
                   a->init_o != b->init_o || a->depth != b->depth || a->seed != b->seed ||
                   a->heads != b->heads || a->d_k != b->d_k || a->d_v != b->d_v ||
                   a->form.row != b->form.row || a->form.number != b->form.number ||
                   a->bias != b->bias || a->block != b->block || a->scale != b->scale ||
                   a->temperature != b->temperature;
    return reach;
}

bool results_same(const Session *a, const Session *b) {
    return !reach_between(a, b).layers;
}

static Reach reach_of(const Results *run, const Session *now, const ResultsResources *resources,
                      ResultsLimits limits) {
    const ResultsCache *cache = run->cache;
    Reach reach = reach_between(&cache->session, now);
    bool all = !run->valid || cache->limits.tokens_max != limits.tokens_max ||
               cache->resources.text.gpt2 != resources->text.gpt2 ||
               cache->resources.words != resources->words;
    reach.input = reach.input || all;
    reach.mask = reach.mask || all;
    reach.layers = reach.layers || all;
    Session before = cache->session, after = *now;
    before.hand = after.hand = NULL;
    before.edges = after.edges = NULL;
    reach.plain = all || reach_between(&before, &after).layers;
    return reach;
}

bool results_stopped(Results *run) {
    return err_fail(&run->err, "computing", "was stopped");
}

static bool update_layers(Results *run, const Session *session) {
    const Options *o = &session->options;
    ResultsCache *cache = run->cache;
    cache->pass++;
    run->hand_changed_known = false;
    run->next.is_stale = true;
    run->map = (LayerMap){0};
    if (cache->reach.input)
        cache->inputs = cache->pass;
    run->form = (AttnForm)o->form.row;
    run->layer_count = o->beside >= 0 ? 2 : 1;
    for (int i = 0; i < run->layer_count; i++)
        if (!results_layer_update(run, i, session))
            return false;
    return true;
}

static bool update_stages(Results *run, const Session *session, const ResultsResources *resources,
                          ResultsLimits limits) {
    if (!results_input_update(run, session, resources, limits))
        return false;
    if (!job_goes_on(run->cache->job))
        return results_stopped(run);
    return run->T == 0 || !run->cache->reach.layers || update_layers(run, session);
}

static const ResultsResources NO_RESOURCES;

void results_begin(Results *run, const Session *session, const ResultsResources *resources,
                   ResultsLimits limits) {
    assert(limits.tokens_max > 0 && limits.tokens_max <= TOKENS_MAX);
    ResultsCache *cache = run->cache;
    resources = resources != NULL ? resources : &NO_RESOURCES;
    cache->reach = reach_of(run, session, resources, limits);
    cache->next = session_share(session);
    cache->limits = limits;
    cache->resources = *resources;
    if (cache->reach.plain) {
        part_release(&cache->plain);
        cache->plain_logits = NULL;
    }
    run->revision += cache->reach.layers;
}

void results_begin_like(Results *run, const Results *other, const Session *session) {
    results_begin(run, session, &other->cache->resources, other->cache->limits);
}

bool results_make(Results *run, const Job *job) {
    ResultsCache *cache = run->cache;
    cache->job = job;
    for (int i = 0; cache->reach.params && i < RESULTS_LAYERS_MAX; i++)
        cache->layers[i].has_params = false;
    run->valid = update_stages(run, &cache->next, &cache->resources, cache->limits);
    cache->job = NULL;
    return run->valid;
}

void results_end(Results *run) {
    ResultsCache *cache = run->cache;
    if (cache->session.text != NULL)
        session_release(&cache->session);
    cache->session = cache->next;
    cache->next = (Session){0};
}

bool results_update(Results *run, const Session *session, const ResultsResources *resources,
                    ResultsLimits limits) {
    results_begin(run, session, resources, limits);
    results_make(run, NULL);
    results_end(run);
    return run->valid;
}

const Session *results_session(const Results *run) {
    return run->cache->session.text != NULL ? &run->cache->session : NULL;
}

float run_largest_A(const Results *run) {
    double largest = 0;
    for (int i = 0; i < run->layer_count; i++) {
        largest = fmax(largest, (double)run->layers[i].figures.sharpest);
        for (int h = 0; h < run->layers[i].shape[run->form].H; h++) {
            double weight = run->layers[i].figures.stats[h].largest;
            largest = weight > largest ? weight : largest;
        }
    }
    return (float)largest;
}
