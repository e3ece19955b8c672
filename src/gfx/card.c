#include "gfx/card.h"

#include <cglm/cglm.h>
#include <epoxy/gl.h>
#include <stdlib.h>

#include "gfx/shader.h"

#define PALETTE_TEXELS    1024
#define INSTANCE_VERTICES 6 /* two triangles, as the shaders count them */

struct Card {
    Shader shaders[PIPELINE_COUNT];
    GLuint vertex_array, word_buffer, word_texture, palettes;
    Batcher batcher;
    CellTextures cells;
    Damage damage;
    int width_px, height_px;
};

static GLuint create_palettes(void) {
    unsigned char *texels = malloc((size_t)PALETTE_COUNT * PALETTE_TEXELS * 4);
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
    bool has_memory = card->palettes != 0;
    has_memory = has_memory && batcher_create(&card->batcher);
    return has_memory || err_fail(err, "drawing", "out of memory");
}

static void bind_unit(ShaderUnit unit, GLenum target, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, texture);
}

/* What every draw call of a frame shares. */
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

/* Nothing is drawn outside of a rectangle of the damage from now on. */
static void scissor(const Card *card, const PixelRect *s) {
    int width = s->right > s->left ? s->right - s->left : 0;
    int height = s->bottom > s->top ? s->bottom - s->top : 0;
    glEnable(GL_SCISSOR_TEST);
    glScissor(s->left, card->height_px - s->bottom, width, height);
}

static void clear(const Card *card, Colour ground) {
    glClearColor((float)(ground >> 24) / 255, (float)(ground >> 16 & 255) / 255,
                 (float)(ground >> 8 & 255) / 255, 1);
    for (int i = 0; i < card->damage.count; i++) {
        scissor(card, &card->damage.rects[i]);
        glClear(GL_COLOR_BUFFER_BIT);
    }
}

static void begin_batches(Card *card) {
    batcher_begin(&card->batcher, (float)card->width_px, (float)card->height_px, card->damage.rects,
                  card->damage.count);
}

bool card_create(Card **out, const char *folder, Err *err) {
    *out = NULL;
    Card *card = calloc(1, sizeof *card);
    if (card == NULL)
        return err_fail(err, "drawing", "out of memory");
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
    cell_textures_release(&card->cells);
    batcher_release(&card->batcher);
    free(card);
}

void card_begin(Card *card, int width_px, int height_px, const Damage *damage, Colour ground) {
    card->width_px = width_px;
    card->height_px = height_px;
    card->damage = *damage;
    set_up(card, width_px, height_px);
    cell_textures_begin(&card->cells);
    begin_batches(card);
    clear(card, ground);
}

CellTextures *card_cells(Card *card) {
    return &card->cells;
}

void card_add(const Painter *painter, const PaintItem *item) {
    Card *card = painter->context;
    if (!batcher_has_room(&card->batcher))
        card_flush(card);
    BatchKey key = {.pipeline = item->pipeline,
                    .texture = item->texture,
                    .before = item->before,
                    .is_clipped = !item->is_cut,
                    .scissor = painter->clip,
                    .bounds = item->bounds};
    batcher_add(&card->batcher, &key, item->words);
}

static PixelRect within(const PixelRect *a, const PixelRect *b) {
    return (PixelRect){a->left > b->left ? a->left : b->left, a->top > b->top ? a->top : b->top,
                       a->right < b->right ? a->right : b->right,
                       a->bottom < b->bottom ? a->bottom : b->bottom};
}

static void draw_batch(const Card *card, const Batch *batch) {
    const Shader *shader = &card->shaders[batch->pipeline];
    bind_unit(SHADER_UNIT_TEXTURE, GL_TEXTURE_2D, batch->texture);
    if (batch->before != 0)
        bind_unit(SHADER_UNIT_BEFORE, GL_TEXTURE_2D, batch->before);
    glUseProgram(shader->program);
    for (int i = 0; i < card->damage.count; i++) {
        const PixelRect *part = &card->damage.rects[i];
        PixelRect shown = batch->is_clipped ? within(part, &batch->scissor) : *part;
        if (batch->count[i] == 0 || shown.right <= shown.left || shown.bottom <= shown.top)
            continue;
        scissor(card, &shown);
        glUniform1i(shader->first, (GLint)batch->first[i]);
        glDrawArrays(GL_TRIANGLES, 0, (GLsizei)batch->count[i] * INSTANCE_VERTICES);
    }
}

void card_flush(void *context) {
    Card *card = context;
    Batcher *batcher = &card->batcher;
    batcher_order(batcher);
    glBindBuffer(GL_TEXTURE_BUFFER, card->word_buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(batcher->ordered_count * sizeof *batcher->ordered),
                 batcher->ordered, GL_STREAM_DRAW);
    for (size_t i = 0; i < batcher->batch_count; i++)
        draw_batch(card, &batcher->batches[i]);
    begin_batches(card);
    glDisable(GL_SCISSOR_TEST);
}
