#include "views/wqk_free.h"

#include <stdlib.h>
#include <string.h>

#include "model/free.h"
#include "model/head_product.h"
#include "views/wqk.h"

#define FRAME_WIDTH 128 /* the singular values of a matrix this wide take 1 ms */
#define SAID_S      0.1
#define BETWEEN_S   (1.0 / 60) /* until the hands are asked again */

/* All that they depend on. */
typedef struct FreeKey {
    AttnShape shape;
    SchemePlan plan;
    int head;
} FreeKey;

typedef struct FreeValues {
    FreeKey key;
    double *sigma; /* count */
    int count;     /* 0: of no key yet */
    bool is_made;  /* else they are on their way, or could not be made */
} FreeValues;

struct WqkFree {
    FreeValues shown, next; /* what a hand works on is the next */
    const JobRunner *runner;
    bool is_working; /* its job has not been seen to end */
    JobWatch watch;
    double since_s;
};

static bool same_key(const FreeKey *a, const FreeKey *b) {
    const AttnShape *s = &a->shape, *t = &b->shape;
    for (int i = 0; i < ATTN_WEIGHT_COUNT; i++)
        if (a->plan.scheme[i] != b->plan.scheme[i])
            return false;
    return a->plan.seed == b->plan.seed && a->plan.depth == b->plan.depth && a->head == b->head &&
           s->D == t->D && s->H == t->H && s->K == t->K && s->V == t->V && s->bias == t->bias;
}

/* Of the matrix that the form `free` would hold. */
static FreeKey key_of(const Session *session) {
    const Options *o = &session->options;
    return (FreeKey){options_shape(o, 1, FORM_FREE), options_plan(o, o->init), o->head - 1};
}

/* Whether it is something beside the head's own product, and not too large. Where the gauge has its
 * place under the factors, its page is that of the rank. */
static bool is_shown(const ViewContext *c, const Session *session) {
    const Options *o = &session->options;
    AttnShape shape = options_shape(o, 1, FORM_FREE);
    int page = c->settings->wqk_page;
    return (page == PAGE_RANK || page == PAGE_GAUGE) && c->settings->wqk_product == PRODUCT_QK &&
           o->form.row != FORM_FREE && attn_input_width(&shape) <= HEAD_PRODUCT_SIGMA_MAX;
}

static bool is_of(const FreeValues *values, const FreeKey *key) {
    return values->count > 0 && same_key(&values->key, key);
}

/* The job. */
static void make(void *data) {
    WqkFree *spectrum = data;
    FreeValues *next = &spectrum->next;
    Err err; /* without them the line is left out */
    next->is_made = free_spectrum(next->sigma, next->key.head, &next->key.shape, &next->key.plan,
                                  &spectrum->watch, &err);
}

/* Whether one of the hands has begun; at once, for the picture waits for it. */
static bool start(WqkFree *spectrum, const ViewContext *c) {
    const JobRunner *hands = c->hands.prompt != NULL ? c->hands.prompt : c->hands.at;
    for (int i = 0; i < c->hands.count && !spectrum->is_working; i++) {
        spectrum->runner = &hands[i];
        spectrum->is_working = spectrum->runner->start(spectrum->runner->context, make, spectrum);
    }
    return spectrum->is_working;
}

static void begin(WqkFree *spectrum, const ViewContext *c, const FreeKey *key) {
    FreeValues *next = &spectrum->next;
    int count = attn_input_width(&key->shape);
    double *sigma = realloc(next->sigma, (size_t)count * sizeof *sigma);
    if (sigma == NULL) {
        ui_fail(c->ui, "memory", "too little for singular values; close other programs");
        return;
    }
    *next = (FreeValues){*key, sigma, count, false};
    job_watch_begin(&spectrum->watch);
    spectrum->since_s = c->ui->time_s;
    if (c->hands.count == 0 || key->shape.D <= FRAME_WIDTH)
        make(spectrum);
    else if (!start(spectrum, c)) {
        next->count = 0;
        ui_wake(c->ui, c->ui->time_s + BETWEEN_S);
    }
}

/* Of a job that was stopped there is nothing; it may be asked for again. */
static void look(WqkFree *spectrum) {
    if (!spectrum->is_working || !spectrum->runner->is_done(spectrum->runner->context))
        return;
    spectrum->is_working = false;
    if (!spectrum->next.is_made && atomic_load(&spectrum->watch.stop))
        spectrum->next.count = 0;
}

/* What the picture before shows stays until it is gone. */
static void show(WqkFree *spectrum, const FreeKey *key) {
    FreeValues before = spectrum->shown;
    if (spectrum->is_working || !is_of(&spectrum->next, key) || !spectrum->next.is_made)
        return;
    spectrum->shown = spectrum->next;
    spectrum->next = before;
}

void wqk_free_update(const ViewContext *c) {
    WqkMemory *memory = &c->memory->wqk;
    if (memory->free == NULL)
        memory->free = calloc(1, sizeof *memory->free);
    WqkFree *spectrum = memory->free;
    if (spectrum == NULL) {
        ui_fail(c->ui, "memory", "too little for singular values; close other programs");
        return;
    }
    look(spectrum);
    FreeKey shown = key_of(c->session), today = key_of(c->today);
    bool wanted = is_shown(c, c->today);
    show(spectrum, &shown);
    if (spectrum->is_working && (!wanted || !is_of(&spectrum->next, &today)))
        atomic_store(&spectrum->watch.stop, true);
    else if (wanted && !is_of(&spectrum->shown, &today) && !is_of(&spectrum->next, &today))
        begin(spectrum, c, &today);
    show(spectrum, &shown);
}

const double *wqk_free_sigma(int *count, const ViewContext *c) {
    const WqkFree *spectrum = c->memory->wqk.free;
    FreeKey key = key_of(c->session);
    bool is_there = spectrum != NULL && is_shown(c, c->session) && is_of(&spectrum->shown, &key);
    *count = is_there ? spectrum->shown.count : 0;
    return is_there ? spectrum->shown.sigma : NULL;
}

bool wqk_free_is_late(const ViewContext *c) {
    const WqkFree *spectrum = c->memory->wqk.free;
    if (spectrum == NULL || !spectrum->is_working || !is_shown(c, c->session))
        return false;
    if (c->ui->time_s < spectrum->since_s + SAID_S)
        ui_wake(c->ui, spectrum->since_s + SAID_S);
    return c->ui->time_s >= spectrum->since_s + SAID_S;
}

bool wqk_free_is_computing(WqkFree *spectrum) {
    if (spectrum != NULL)
        look(spectrum);
    return spectrum != NULL && spectrum->is_working;
}

bool wqk_free_end(WqkFree *spectrum) {
    if (spectrum == NULL || !spectrum->is_working)
        return true;
    atomic_store(&spectrum->watch.stop, true);
    spectrum->is_working = !spectrum->runner->wait(spectrum->runner->context, JOB_PATIENCE_MS);
    return !spectrum->is_working;
}

void wqk_free_release(WqkFree *spectrum) {
    if (spectrum == NULL)
        return;
    free(spectrum->shown.sigma);
    free(spectrum->next.sigma);
    free(spectrum);
}
