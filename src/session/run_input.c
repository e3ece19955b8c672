#include <assert.h>
#include <string.h>

#include "model/position.h"
#include "session/run_layer.h"

/* Tokens that are embedded one by one; of more, those alike are looked up among each other. */
#define FEW_TOKENS 16

/* The names of the rows of a given X. */
static void take_names(Run *run, const Weights *weights, RunLimits limits) {
    run->text = weights->names;
    run->token_total = weights->size[WEIGHTS_T];
    run->T = run->token_total < limits.tokens_max ? run->token_total : limits.tokens_max;
    memcpy(run->tokens, weights->tokens, (size_t)run->T * sizeof *run->tokens);
    for (int i = 0; i < run->T; i++)
        run->notes[i] = (EmbedNote){EMBED_OWN, -1};
}

/* From a seam on, before which there are so many tokens. */
static bool split_text(Run *run, const Session *session, const RunResources *resources,
                       RunLimits limits, size_t seam, int before) {
    const Tokenizer *tokenizer = &TOKENIZERS[session->options.tokenizer];
    const Text *text = session->text;
    TokenList list = {.at = run->tokens + before, .capacity = limits.tokens_max - before};
    run->text = text;
    if (!tokenizer->split(&list, text->bytes + seam, text->size - seam, &resources->text,
                          &run->err))
        return false;
    run->token_total = before + list.total;
    run->T = run->token_total < limits.tokens_max ? run->token_total : limits.tokens_max;
    for (int i = before; i < run->T; i++)
        run->tokens[i].at += (uint32_t)seam;
    return true;
}

static size_t common_bytes(const Text *a, const Text *b) {
    size_t most = a->size < b->size ? a->size : b->size, same = 0;
    while (same < most && a->bytes[same] == b->bytes[same])
        same++;
    return same;
}

/* How many tokens stay where they are in a text that begins as the one before, and the seam after
 * them. */
static int tokens_before_seam(const Run *run, const Session *session, size_t *seam) {
    int count = run->T;
    *seam = token_seam(session->text->bytes, common_bytes(run->text, session->text));
    while (count > 0 && run->tokens[count - 1].at >= *seam)
        count--;
    *seam = count > 0 ? *seam : 0;
    return count;
}

static bool push_tokens(Run *run, RunLimits limits) {
    size_t room = (size_t)limits.tokens_max;
    Arena *arena = &run->cache->tokens_arena;
    if (!arena_reserve(arena, arena_padded(room * sizeof(Token)) + room * sizeof(EmbedNote),
                       &run->err))
        return false;
    run->tokens = arena_push(arena, room * sizeof(Token));
    run->notes = arena_push_zero(arena, room * sizeof(EmbedNote));
    return true;
}

/* *kept gets how many tokens are what they were without being looked at again. */
static bool update_tokens(Run *run, const Session *session, const RunResources *resources,
                          RunLimits limits, int *kept) {
    Reach reach = run->cache->reach;
    size_t seam = 0;
    *kept = 0;
    if (!reach.all_tokens && run->T == run->token_total)
        *kept = tokens_before_seam(run, session, &seam);
    else if (!push_tokens(run, limits))
        return false;
    if (weights_has(session->weights, WEIGHTS_X))
        take_names(run, session->weights, limits);
    else if (!split_text(run, session, resources, limits, seam, *kept))
        return false;
    if (run->T == 0)
        return true;
    run->labels =
        labels_make(&run->cache->labels_arena, run->text->bytes, run->tokens, run->T, &run->err);
    return run->labels != NULL;
}

/* Sines and cosines take longer than the rest of a token: they are kept, for a quarter more. */
static bool update_positions(Run *run, const Options *o) {
    RunCache *cache = run->cache;
    if (cache->positions.rows >= run->T && cache->positions.cols == o->d_model &&
        cache->positions_kind == o->positions && cache->positions_seed == o->seed)
        return true;
    int rows = run->T + run->T / 4;
    cache->positions = (Mat){0};
    if (!arena_reserve(&cache->position_arena, mat_bytes(rows, o->d_model), &run->err))
        return false;
    Mat positions = mat_push(&cache->position_arena, rows, o->d_model);
    memset(positions.at, 0, (size_t)rows * (size_t)o->d_model * sizeof *positions.at);
    position_add(&positions, (PositionKind)o->positions, o->seed);
    cache->positions = positions;
    cache->positions_kind = o->positions;
    cache->positions_seed = o->seed;
    return true;
}

static void add_positions(Mat *x, const Mat *positions) {
    for (int t = 0; t < x->rows; t++) {
        float *row = mat_row(x, t);
        const float *position = mat_row(positions, t);
        for (int c = 0; c < x->cols; c++)
            row[c] += position[c];
    }
}

EmbedInput run_embed_input(const Run *run, const Options *options, const WordVectors *words) {
    return (EmbedInput){.kind = (EmbeddingKind)options->embedding,
                        .words = words,
                        .text = run->text->bytes,
                        .text_bytes = run->text->size,
                        .tokens = run->tokens,
                        .cuts_words = TOKENIZERS[options->tokenizer].cuts_words,
                        .seed = options->seed};
}

/* X of every token, beside that of before, with room for a quarter more and one row. */
static bool fill_x(Run *run, const Session *session, const WordVectors *words) {
    const Options *o = &session->options;
    RunCache *cache = run->cache;
    Arena *arena = &cache->x_arena[cache->x_turn ^= 1];
    cache->x_room = run->T + run->T / 4;
    if (!arena_reserve(arena, mat_bytes(cache->x_room + 1, o->d_model), &run->err))
        return false;
    Mat room = mat_push(arena, cache->x_room + 1, o->d_model);
    run->X = mat_rows(&room, 0, run->T);
    if (weights_has(session->weights, WEIGHTS_X)) {
        Mat given = {session->weights->tensors[WEIGHTS_X].at, run->T, o->d_model, o->d_model};
        mat_copy(&run->X, &given);
        return true;
    }
    EmbedInput in = run_embed_input(run, o, words);
    if (!embed(&run->X, run->notes, &in, &run->err))
        return false;
    add_positions(&run->X, &cache->positions);
    return true;
}

/* X of the tokens after those that are kept, in its place; inputs (T) get which rows are others
 * than of T_before. */
static void fill_rest(Run *run, const Session *session, const WordVectors *words, int T_before,
                      int kept, uint8_t *inputs) {
    const RunCache *cache = run->cache;
    EmbedInput in = run_embed_input(run, &session->options, words);
    Mat room = {run->X.at, cache->x_room + 1, run->X.cols, run->X.stride};
    Mat beside = mat_rows(&room, cache->x_room, 1);
    for (int t = kept; t < run->T; t++) {
        Mat row = mat_rows(&room, t, 1), position = mat_rows(&cache->positions, t, 1);
        embed_some(&beside, &run->notes[t], &in, t);
        add_positions(&beside, &position);
        size_t bytes = (size_t)row.cols * sizeof *row.at;
        inputs[t] = t >= T_before || memcmp(row.at, beside.at, bytes) != 0;
        if (inputs[t])
            mat_copy(&row, &beside);
    }
    run->X = mat_rows(&room, 0, run->T);
}

/* known->inputs stays NULL where all of X was made. */
static bool update_x(Run *run, const Session *session, const WordVectors *words, int T_before,
                     int kept, RunKnown *known) {
    const Options *o = &session->options;
    RunCache *cache = run->cache;
    bool in_place = !cache->reach.all_x && kept > 0 && run->T - kept <= FEW_TOKENS &&
                    run->T <= cache->x_room && o->embedding != EMBEDDING_ONEHOT;
    if (!update_positions(run, o))
        return false;
    if (in_place) {
        uint8_t *inputs = arena_push_zero(&cache->change_arena, (size_t)run->T);
        fill_rest(run, session, words, T_before, kept, inputs);
        known->inputs = inputs;
    } else if (!fill_x(run, session, words))
        return false;
    run->missing = 0;
    for (int i = 0; i < run->T; i++)
        run->missing += run->notes[i].source == EMBED_HASHED;
    return true;
}

static bool update_mask(Run *run, const Session *session) {
    const Options *o = &session->options;
    RunCache *cache = run->cache;
    Arena *arena = &cache->mask_arena[cache->mask_turn ^= 1];
    if (!arena_reserve(arena, mask_bytes(run->T), &run->err))
        return false;
    run->mask = mask_push(arena, run->T, (MaskKind)o->mask.row, o->mask.number);
    run->edges_edited = edges_apply(&run->mask, session->edges);
    return true;
}

bool run_input_update(Run *run, const Session *session, const RunResources *resources,
                      RunLimits limits, RunKnown *known) {
    Reach reach = run->cache->reach;
    int T_before = run->valid ? run->T : 0, kept = 0;
    *known = (RunKnown){.mask = !reach.all_mask};
    if (reach.tokens && !update_tokens(run, session, resources, limits, &kept))
        return false;
    if (run->T == 0)
        return true;
    if (!arena_reserve(&run->cache->change_arena, change_bytes(run->T), &run->err))
        return false;
    if (reach.x && !update_x(run, session, resources->words, T_before, kept, known))
        return false;
    bool same = known->mask && run->T == T_before;
    return !reach.mask || same || update_mask(run, session);
}
