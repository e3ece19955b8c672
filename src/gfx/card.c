#include "gfx/card.h"

#include <cglm/cglm.h>
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "gfx/cell_textures.h"
#include "gfx/paint.h"
#include "gfx/shader.h"

#define PALETTE_TEXELS    1024
#define INSTANCE_VERTICES 6           /* two triangles, as the shaders expect */
#define WORDS_MAX         (65536 * 4) /* every OpenGL 3.3 allows that many in a texture buffer */
#define BATCHES_MAX       1024
#define LOOK_BACK         16 /* batches that an item may join, if no later one covers it */

/* Items that are drawn by one call. */
typedef struct CardBatch {
    Pipeline pipeline;
    GLuint texture, before; /* 0 if the pipeline has none */
    bool is_clipped;
    PixelRect clip, bounds;
    int word_count, first_word; /* first_word is set after sorting */
} CardBatch;

struct Card {
    Shader shaders[PIPELINE_COUNT];
    GLuint vertex_array, word_buffer, word_texture, palettes;
    GLuint sheets[ATLAS_SHEETS]; /* textures; 0 before they are created */
    unsigned additions;          /* additions to the atlas that the textures include */
    GfxFonts *fonts;             /* borrowed */
    Atlas atlas;
    CellTextures cells;
    CardBatch batches[BATCHES_MAX];
    int batch_count, word_count;
    uint32_t *words, *sorted; /* owned: in the order of adding, and sorted by batches */
    uint16_t *batch_of;       /* owned: the batch of each four words */
    int height_px;
};

static GLuint create_palettes(void) {
    unsigned char *texels = heap_get((size_t)PALETTE_COUNT * PALETTE_TEXELS * 4);
    if (texels == NULL)
        return 0;
    unsigned char *out = texels;
    for (int palette = 0; palette < PALETTE_COUNT; palette++)
        for (int i = 0; i < PALETTE_TEXELS; i++, out += 4) {
            Colour colour = palette_colour(palette, (float)i / (PALETTE_TEXELS - 1));
            for (int channel = 0; channel < 4; channel++)
                out[channel] = (unsigned char)(colour >> (24 - 8 * channel));
        }
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, PALETTE_TEXELS, PALETTE_COUNT, 0, GL_RGBA,
                 GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    free(texels);
    return texture;
}

static bool create_parts(Card *card, const char *folder, Err *err) {
    for (int i = 0; i < PIPELINE_COUNT; i++)
        if (!shader_create(&card->shaders[i], (Pipeline)i, folder, err))
            return false;
    shader_end_compiling();
    glGenVertexArrays(1, &card->vertex_array);
    glGenBuffers(1, &card->word_buffer);
    glGenTextures(1, &card->word_texture);
    glBindBuffer(GL_TEXTURE_BUFFER, card->word_buffer);
    glBindTexture(GL_TEXTURE_BUFFER, card->word_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, card->word_buffer);
    card->palettes = create_palettes();
    card->words = heap_get(WORDS_MAX * sizeof *card->words);
    card->sorted = heap_get(WORDS_MAX * sizeof *card->sorted);
    card->batch_of = heap_get(WORDS_MAX / 4 * sizeof *card->batch_of);
    return (card->palettes != 0 && card->words != NULL && card->sorted != NULL &&
            card->batch_of != NULL && atlas_create(&card->atlas)) ||
           err_fail(err, "drawing", "out of memory");
}

static void bind_unit(ShaderUnit unit, GLenum target, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, texture);
}

/* The state of a frame for all its draw calls. */
static void set_up(const Card *card, int width_px, int height_px) {
    mat4 projection;
    glm_ortho(0, (float)width_px, (float)height_px, 0, -1, 1, projection);
    for (int i = 0; i < PIPELINE_COUNT; i++) {
        const Shader *shader = &card->shaders[i];
        glUseProgram(shader->program);
        glUniformMatrix4fv(shader->projection, 1, GL_FALSE, projection[0]);
    }
    glViewport(0, 0, width_px, height_px);
    glBindVertexArray(card->vertex_array);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    bind_unit(SHADER_UNIT_PALETTES, GL_TEXTURE_2D, card->palettes);
    bind_unit(SHADER_UNIT_WORDS, GL_TEXTURE_BUFFER, card->word_texture);
}

bool card_create(Card **out, GfxFonts *fonts, const char *folder, Err *err) {
    *out = NULL;
    Card *card = heap_get_zero(1, sizeof *card);
    if (card == NULL)
        return err_fail(err, "drawing", "out of memory");
    card->fonts = fonts;
    if (!create_parts(card, folder, err)) {
        card_release(card);
        return false;
    }
    *out = card;
    return true;
}

void card_release(Card *card) {
    if (card == NULL)
        return;
    for (int i = 0; i < PIPELINE_COUNT; i++)
        shader_release(&card->shaders[i]);
    glDeleteVertexArrays(1, &card->vertex_array);
    glDeleteBuffers(1, &card->word_buffer);
    glDeleteTextures(1, &card->word_texture);
    glDeleteTextures(1, &card->palettes);
    glDeleteTextures(ATLAS_SHEETS, card->sheets);
    cell_textures_release(&card->cells);
    atlas_release(&card->atlas);
    free(card->words);
    free(card->sorted);
    free(card->batch_of);
    free(card);
}

/* Upload the atlas to its textures. */
static void upload_sheets(Card *card) {
    static const GLint same[] = {GL_RED, GL_RED, GL_RED, GL_RED};
    if (card->additions == card->atlas.additions)
        return;
    card->additions = card->atlas.additions;
    for (int i = 0; i < ATLAS_SHEETS; i++) {
        bool is_plain = i == ATLAS_PLAIN;
        if (card->atlas.sheets[i].pixels == NULL)
            continue;
        if (card->sheets[i] == 0)
            glGenTextures(1, &card->sheets[i]);
        bind_unit(SHADER_UNIT_TEXTURE, GL_TEXTURE_2D, card->sheets[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, is_plain ? GL_R8 : GL_RGBA8, ATLAS_SIZE, ATLAS_SIZE, 0,
                     is_plain ? GL_RED : GL_RGBA, GL_UNSIGNED_BYTE, card->atlas.sheets[i].pixels);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        if (is_plain) /* in premultiplied white all four channels are equal */
            glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_RGBA, same);
    }
}

/* The texture of a sheet exists only after it was uploaded. */
static GLuint texture_of(const Card *card, const CardBatch *batch) {
    return batch->pipeline == PIPELINE_TEXT ? card->sheets[batch->texture] : batch->texture;
}

static void draw_batch(const Card *card, const CardBatch *batch) {
    const Shader *shader = &card->shaders[batch->pipeline];
    const PixelRect *clip = &batch->clip;
    bind_unit(SHADER_UNIT_TEXTURE, GL_TEXTURE_2D, texture_of(card, batch));
    bind_unit(SHADER_UNIT_BEFORE, GL_TEXTURE_2D, batch->before);
    if (batch->is_clipped) {
        glEnable(GL_SCISSOR_TEST);
        glScissor(clip->left, card->height_px - clip->bottom, clip->right - clip->left,
                  clip->bottom - clip->top);
    }
    glUseProgram(shader->program);
    glUniform1i(shader->first, batch->first_word / 4);
    glDrawArrays(GL_TRIANGLES, 0,
                 batch->word_count / PAINT_WORD_COUNTS[batch->pipeline] * INSTANCE_VERTICES);
    glDisable(GL_SCISSOR_TEST);
}

static void sort_words(Card *card) {
    int at[BATCHES_MAX], next = 0;
    for (int i = 0; i < card->batch_count; i++) {
        at[i] = card->batches[i].first_word = next;
        next += card->batches[i].word_count;
    }
    for (int i = 0; i < card->word_count; i += 4) {
        int *to = &at[card->batch_of[i / 4]];
        memcpy(card->sorted + *to, card->words + i, 4 * sizeof *card->words);
        *to += 4;
    }
}

/* Draw everything so far: a Painter's flush. */
static void flush(void *context) {
    Card *card = context;
    upload_sheets(card);
    sort_words(card);
    glBindBuffer(GL_TEXTURE_BUFFER, card->word_buffer);
    glBufferData(GL_TEXTURE_BUFFER, card->word_count * (GLsizeiptr)sizeof *card->sorted,
                 card->sorted, GL_STREAM_DRAW);
    for (int i = 0; i < card->batch_count; i++)
        draw_batch(card, &card->batches[i]);
    card->batch_count = card->word_count = 0;
    cell_textures_begin(&card->cells);
}

static bool is_same(const PixelRect *a, const PixelRect *b) {
    return a->left == b->left && a->top == b->top && a->right == b->right && a->bottom == b->bottom;
}

static PixelRect around(const PixelRect *a, const PixelRect *b) {
    return (PixelRect){a->left < b->left ? a->left : b->left, a->top < b->top ? a->top : b->top,
                       a->right > b->right ? a->right : b->right,
                       a->bottom > b->bottom ? a->bottom : b->bottom};
}

/* Return the index of the batch that an item joins: a recent one of its kind that no later one
 * covers, or a new one. */
static int find_batch(Card *card, const CardBatch *wanted) {
    int least = card->batch_count > LOOK_BACK ? card->batch_count - LOOK_BACK : 0;
    for (int i = card->batch_count; i-- > least;) {
        CardBatch *batch = &card->batches[i];
        bool is_own = batch->pipeline == wanted->pipeline && batch->texture == wanted->texture &&
                      batch->before == wanted->before && batch->is_clipped == wanted->is_clipped &&
                      (!wanted->is_clipped || is_same(&batch->clip, &wanted->clip));
        PixelRect common = pixel_rect_within(&batch->bounds, &wanted->bounds);
        if (is_own) {
            batch->bounds = around(&batch->bounds, &wanted->bounds);
            return i;
        }
        if (!pixel_rect_is_empty(&common))
            break;
    }
    card->batches[card->batch_count] = *wanted;
    return card->batch_count++;
}

/* Set the textures of a matrix. Return false if too many are in use; then draw first. */
static bool find_cells(CardBatch *batch, Card *card, const DrawCells *cells) {
    DrawCells before = *cells;
    before.values = cells->before;
    before.hash = cells->before_hash;
    before.stride = cells->cols;
    batch->texture = cell_textures_find(&card->cells, cells);
    batch->before = cells->before != NULL ? cell_textures_find(&card->cells, &before) : 0;
    return batch->texture != 0 && (cells->before == NULL || batch->before != 0);
}

/* Add an item: a Painter's add. */
static void add_item(const Painter *painter, const PaintItem *item) {
    Card *card = painter->context;
    int count = PAINT_WORD_COUNTS[item->pipeline];
    CardBatch wanted = {.pipeline = item->pipeline,
                        .is_clipped = item->is_clipped,
                        .clip = painter->clip,
                        .bounds = item->clip};
    if (card->batch_count == BATCHES_MAX || card->word_count + count > WORDS_MAX)
        flush(card);
    if (item->sheet != NULL)
        wanted.texture = (GLuint)(item->sheet - card->atlas.sheets);
    if (item->cells != NULL && !find_cells(&wanted, card, item->cells)) {
        flush(card);
        find_cells(&wanted, card, item->cells);
    }
    int batch = find_batch(card, &wanted);
    memcpy(card->words + card->word_count, item->words, (size_t)count * sizeof *card->words);
    for (int i = 0; i < count; i += 4)
        card->batch_of[(card->word_count + i) / 4] = (uint16_t)batch;
    card->batches[batch].word_count += count;
    card->word_count += count;
}

void card_draw(Card *card, const DrawList *list, int width_px, int height_px) {
    Painter painter = {.atlas = &card->atlas,
                       .fonts = card->fonts,
                       .list = list,
                       .frame = {0, 0, width_px, height_px},
                       .add = add_item,
                       .flush = flush,
                       .context = card};
    Colour ground = list->ground;
    card->height_px = height_px;
    set_up(card, width_px, height_px);
    cell_textures_begin(&card->cells);
    glClearColor((float)(ground >> 24) / 255, (float)(ground >> 16 & 255) / 255,
                 (float)(ground >> 8 & 255) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    paint_list(&painter);
    flush(card);
}
