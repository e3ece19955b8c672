#include "gfx/renderer.h"

#include <cglm/cglm.h>
#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "gfx/damage.h"
#include "gfx/paint.h"
#include "gfx/paint_ink.h"
#include "gfx/shader.h"

#define PALETTE_TEXELS    1024
#define PART_MOST         0.7 /* of the picture: above it, all of it is drawn */
#define NEW_MOST          1500 /* commands: of more, finding what they touch costs as much as drawing */
#define INSTANCE_VERTICES 6 /* two triangles, as the shaders count them */

/* Of draw calls and instances. llvmpipe keeps up to 64 KB for a call that changes texture or
 * program and a kilobyte for an instance until they are drawn, which it begins when it is waited
 * for: a frame would take tens of megabytes. */
#define CALLS_WAITING     32
#define INSTANCES_WAITING 4096

struct Renderer {
    Shader shaders[PIPELINE_COUNT];
    GLuint vertex_array, word_buffer, word_texture, palettes;
    Batcher batcher;
    Atlas atlas;
    CellTextures cells;
    InkPaint ink;
    bool is_software; /* OpenGL is drawn by the processor */
    size_t calls_waiting, instances_waiting;
    GfxFonts *fonts;
    int height_px;
    DamageMarks marks[2]; /* of the list drawn last and the one in hand, in turn */
    int turn;
    DrawList drawn; /* what of the list drawn last is not in its commands */
    int drawn_width_px, drawn_height_px;
    Damage damage;
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

static bool create_parts(Renderer *renderer, const char *shader_folder, Err *err) {
    for (int i = 0; i < PIPELINE_COUNT; i++)
        if (!shader_create(&renderer->shaders[i], (Pipeline)i, shader_folder, err))
            return false;
    shader_end_compiling();
    glGenVertexArrays(1, &renderer->vertex_array);
    glGenBuffers(1, &renderer->word_buffer);
    glGenTextures(1, &renderer->word_texture);
    glBindBuffer(GL_TEXTURE_BUFFER, renderer->word_buffer);
    glBindTexture(GL_TEXTURE_BUFFER, renderer->word_texture);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, renderer->word_buffer);
    renderer->palettes = create_palettes();
    bool has_memory = renderer->palettes != 0;
    has_memory = has_memory && batcher_create(&renderer->batcher);
    has_memory = has_memory && atlas_create(&renderer->atlas);
    return has_memory || err_fail(err, "drawing", "out of memory");
}

static bool is_software(void) {
    static const char *const names[] = {"llvmpipe", "softpipe", "SWR", "Software"};
    const char *name = (const char *)glGetString(GL_RENDERER);
    for (size_t i = 0; name != NULL && i < ARRAY_COUNT(names); i++)
        if (strstr(name, names[i]) != NULL)
            return true;
    return false;
}

bool renderer_create(Renderer **out, GfxFonts *fonts, const char *shader_folder, Err *err) {
    *out = NULL;
    Renderer *renderer = calloc(1, sizeof *renderer);
    if (renderer == NULL)
        return err_fail(err, "drawing", "out of memory");
    renderer->fonts = fonts;
    renderer->is_software = is_software();
    if (!create_parts(renderer, shader_folder, err)) {
        renderer_release(renderer);
        return false;
    }
    *out = renderer;
    return true;
}

void renderer_release(Renderer *renderer) {
    if (renderer == NULL)
        return;
    for (int i = 0; i < PIPELINE_COUNT; i++)
        shader_release(&renderer->shaders[i]);
    glDeleteVertexArrays(1, &renderer->vertex_array);
    glDeleteBuffers(1, &renderer->word_buffer);
    glDeleteTextures(1, &renderer->word_texture);
    glDeleteTextures(1, &renderer->palettes);
    atlas_release(&renderer->atlas);
    cell_textures_release(&renderer->cells);
    paint_ink_release(&renderer->ink);
    batcher_release(&renderer->batcher);
    for (int i = 0; i < 2; i++)
        damage_marks_release(&renderer->marks[i]);
    free(renderer);
}

static void bind_unit(ShaderUnit unit, GLenum target, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, texture);
}

/* What every draw call of a frame shares. */
static void set_up(const Renderer *renderer, int width_px, int height_px) {
    mat4 projection;
    glm_ortho(0, (float)width_px, (float)height_px, 0, -1, 1, projection);
    for (int i = 0; i < PIPELINE_COUNT; i++) {
        const Shader *shader = &renderer->shaders[i];
        glUseProgram(shader->program);
        glUniformMatrix4fv(shader->projection, 1, GL_FALSE, projection[0]);
    }
    glViewport(0, 0, width_px, height_px);
    glBindVertexArray(renderer->vertex_array);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    bind_unit(SHADER_UNIT_PALETTES, GL_TEXTURE_2D, renderer->palettes);
    bind_unit(SHADER_UNIT_WORDS, GL_TEXTURE_BUFFER, renderer->word_texture);
}

/* Nothing is drawn outside of a rectangle of the damage from now on. */
static void scissor(const Renderer *renderer, const PixelRect *s) {
    int width = s->right > s->left ? s->right - s->left : 0;
    int height = s->bottom > s->top ? s->bottom - s->top : 0;
    glEnable(GL_SCISSOR_TEST);
    glScissor(s->left, renderer->height_px - s->bottom, width, height);
}

static void clear(const Renderer *renderer, Colour ground) {
    glClearColor((float)(ground >> 24) / 255, (float)(ground >> 16 & 255) / 255,
                 (float)(ground >> 8 & 255) / 255, 1);
    for (int i = 0; i < renderer->damage.count; i++) {
        scissor(renderer, &renderer->damage.rects[i]);
        glClear(GL_COLOR_BUFFER_BIT);
    }
}

static PixelRect within(const PixelRect *a, const PixelRect *b) {
    return (PixelRect){a->left > b->left ? a->left : b->left, a->top > b->top ? a->top : b->top,
                       a->right < b->right ? a->right : b->right,
                       a->bottom < b->bottom ? a->bottom : b->bottom};
}

static void draw_instances(Renderer *renderer, size_t count) {
    for (size_t at = 0, part; at < count; at += part) {
        part = count - at < INSTANCES_WAITING ? count - at : INSTANCES_WAITING;
        glDrawArrays(GL_TRIANGLES, (GLint)at * INSTANCE_VERTICES,
                     (GLsizei)part * INSTANCE_VERTICES);
        renderer->calls_waiting++;
        renderer->instances_waiting += part;
        bool is_full = renderer->calls_waiting >= CALLS_WAITING ||
                       renderer->instances_waiting >= INSTANCES_WAITING;
        if (!is_full || !renderer->is_software)
            continue;
        glFinish();
        renderer->calls_waiting = renderer->instances_waiting = 0;
    }
}

static void draw_batch(Renderer *renderer, const Batch *batch) {
    const Shader *shader = &renderer->shaders[batch->pipeline];
    bind_unit(SHADER_UNIT_TEXTURE, GL_TEXTURE_2D, batch->texture);
    if (batch->before != 0)
        bind_unit(SHADER_UNIT_BEFORE, GL_TEXTURE_2D, batch->before);
    glUseProgram(shader->program);
    for (int i = 0; i < renderer->damage.count; i++) {
        const PixelRect *part = &renderer->damage.rects[i];
        PixelRect shown = batch->is_clipped ? within(part, &batch->scissor) : *part;
        if (batch->count[i] == 0 || shown.right <= shown.left || shown.bottom <= shown.top)
            continue;
        scissor(renderer, &shown);
        glUniform1i(shader->first, (GLint)batch->first[i]);
        draw_instances(renderer, batch->count[i]);
    }
}

static void begin_batches(Renderer *renderer, int width_px, int height_px) {
    batcher_begin(&renderer->batcher, (float)width_px, (float)height_px, renderer->damage.rects,
                  renderer->damage.count);
}

/* Draw what was gathered and begin anew. A Painter's flush. */
static void flush(void *context) {
    Renderer *renderer = context;
    Batcher *batcher = &renderer->batcher;
    batcher_order(batcher);
    glBindBuffer(GL_TEXTURE_BUFFER, renderer->word_buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)(batcher->ordered_count * sizeof *batcher->ordered),
                 batcher->ordered, GL_STREAM_DRAW);
    for (size_t i = 0; i < batcher->batch_count; i++)
        draw_batch(renderer, &batcher->batches[i]);
    begin_batches(renderer, (int)batcher->width, (int)batcher->height);
}

static int clamp_pixel(float at, int limit) {
    return (int)fmaxf(0, fminf((float)limit, roundf(at)));
}

static PixelRect clip_of(const DrawCommand *command, float scale, const PixelRect *frame) {
    const Rect *clip = &command->clip;
    return (PixelRect){clamp_pixel(clip->x * scale, frame->right),
                       clamp_pixel(clip->y * scale, frame->bottom),
                       clamp_pixel(rect_right(*clip) * scale, frame->right),
                       clamp_pixel(rect_bottom(*clip) * scale, frame->bottom)};
}

static const DrawTriangle *triangle_at(const DrawList *list, size_t index) {
    bool is_triangle = index < list->command_count && list->commands[index].kind == DRAW_TRIANGLE;
    return is_triangle ? &list->commands[index].as.triangle : NULL;
}

static void paint_command(Painter *painter, size_t index) {
    const DrawList *list = painter->list;
    const DrawCommand *command = &list->commands[index];
    switch (command->kind) {
    case DRAW_BOX:
        paint_box(painter, &command->as.box);
        break;
    case DRAW_CURVE:
        paint_curve(painter, &command->as.curve);
        break;
    case DRAW_TRIANGLE:
        paint_triangle(painter, &command->as.triangle,
                       index > 0 ? triangle_at(list, index - 1) : NULL,
                       triangle_at(list, index + 1));
        break;
    case DRAW_CELLS:
        paint_cells(painter, &command->as.cells);
        break;
    case DRAW_TEXT:
        paint_text(painter, &command->as.text);
        break;
    }
}

/* Paint one command, or rehearse that; its mark gets what it touches. */
static void paint_marked(Painter *painter, DamageMarks *marks, size_t index) {
    const DrawList *list = painter->list;
    painter->clip = clip_of(&list->commands[index], list->scale, &painter->frame);
    painter->touched = (PixelRect){0};
    if (painter->clip.right > painter->clip.left && painter->clip.bottom > painter->clip.top)
        paint_command(painter, index);
    if (index < marks->count)
        marks->at[index].bounds = painter->touched;
}

/* A hash of all that a run of commands shows in the frame, or 0 where there are no marks. */
static uint64_t run_key(const Painter *painter, const DamageMarks *marks, size_t index,
                        size_t count) {
    const float scale = painter->list->scale;
    uint64_t parts[3] = {rng_hash(&scale, sizeof scale),
                         rng_hash(&painter->frame, sizeof painter->frame), 0};
    if (index + count > marks->count)
        return 0;
    for (size_t i = index; i < index + count; i++) {
        parts[2] = marks->at[i].key;
        parts[0] = rng_hash(parts, sizeof parts);
    }
    return parts[0];
}

/* Paint a long run of thin curves as one picture, if there is one at index, where it is wanted:
 * always, or where one of them touches the damage. Each then counts as touching all of its clip.
 * Returns how many commands it is; 0 where they are to be painted one by one. */
static size_t paint_run(Renderer *renderer, Painter *painter, DamageMarks *marks, size_t index,
                        bool is_part) {
    const DrawList *list = painter->list;
    size_t run = renderer->is_software ? paint_ink_run(list, index) : 0;
    bool wanted = !is_part;
    for (size_t i = index; i < index + run && !wanted; i++)
        wanted = damage_touches(&renderer->damage, &marks->at[i].bounds);
    if (run == 0 || !wanted)
        return run;
    painter->clip = clip_of(&list->commands[index], list->scale, &painter->frame);
    bool is_seen =
        painter->clip.right > painter->clip.left && painter->clip.bottom > painter->clip.top;
    if (!is_seen ||
        !paint_ink(painter, &renderer->ink, index, run, run_key(painter, marks, index, run)))
        return 0;
    for (size_t i = index; i < index + run && i < marks->count; i++)
        marks->at[i].bounds = painter->clip;
    return run;
}

/* Whether only a part of the picture is another; renderer->damage is it then. */
static bool find_damage(Renderer *renderer, Painter *painter, DamageMarks *marks) {
    const DrawList *list = painter->list;
    const PixelRect *frame = &painter->frame;
    Damage *damage = &renderer->damage;
    *damage = (Damage){.count = 0};
    damage_compare(damage, marks, &renderer->marks[!renderer->turn]);
    size_t new_count = 0;
    for (size_t i = 0; i < list->command_count; i++)
        new_count += marks->at[i].is_new;
    if (new_count > NEW_MOST)
        return false;
    painter->is_rehearsal = true;
    for (size_t i = 0; i < list->command_count; i++)
        if (marks->at[i].is_new) {
            paint_marked(painter, marks, i);
            damage_add(damage, &marks->at[i].bounds);
        }
    painter->is_rehearsal = false;
    return damage_area(damage) < PART_MOST * (double)frame->right * frame->bottom;
}

static bool is_comparable(const Renderer *renderer, const DrawList *list, int width_px,
                          int height_px) {
    const DrawList *drawn = &renderer->drawn;
    return renderer->drawn_width_px == width_px && renderer->drawn_height_px == height_px &&
           drawn->width == list->width && drawn->height == list->height &&
           drawn->scale == list->scale && drawn->ground == list->ground;
}

static void remember(Renderer *renderer, const DrawList *list, int width_px, int height_px,
                     bool has_marks) {
    renderer->drawn = (DrawList){
        .width = list->width, .height = list->height, .scale = list->scale, .ground = list->ground};
    renderer->drawn_width_px = has_marks ? width_px : 0;
    renderer->drawn_height_px = height_px;
    renderer->turn = !renderer->turn;
}

void renderer_redraw(Renderer *renderer, const DrawList *list, int width_px, int height_px,
                     bool keeps) {
    if (width_px <= 0 || height_px <= 0)
        return;
    DamageMarks *marks = &renderer->marks[renderer->turn];
    renderer->height_px = height_px;
    set_up(renderer, width_px, height_px);
    cell_textures_begin(&renderer->cells);
    Painter painter = {.batcher = &renderer->batcher,
                       .atlas = &renderer->atlas,
                       .cells = &renderer->cells,
                       .fonts = renderer->fonts,
                       .list = list,
                       .frame = {0, 0, width_px, height_px},
                       .flush = flush,
                       .context = renderer};
    renderer->damage = (Damage){.count = 0};
    begin_batches(renderer, width_px, height_px); /* of nothing, while damage is looked for */
    bool has_marks = damage_marks_fill(marks, list);
    marks->count = has_marks ? marks->count : 0;
    bool is_part = keeps && has_marks && is_comparable(renderer, list, width_px, height_px) &&
                   find_damage(renderer, &painter, marks);
    if (!is_part)
        renderer->damage = (Damage){.rects = {painter.frame}, .count = 1};
    begin_batches(renderer, width_px, height_px);
    clear(renderer, list->ground);
    bool has_ink = false;
    for (size_t i = 0; i < list->command_count; i++) {
        size_t run = paint_run(renderer, &painter, marks, i, is_part);
        has_ink |= run > 0;
        if (run > 0)
            i += run - 1;
        else if (!is_part || damage_touches(&renderer->damage, &marks->at[i].bounds))
            paint_marked(&painter, marks, i);
    }
    flush(renderer);
    if (!has_ink) /* some megabytes, which most pictures do not need */
        paint_ink_release(&renderer->ink);
    glDisable(GL_SCISSOR_TEST);
    remember(renderer, list, width_px, height_px, has_marks);
}

void renderer_draw(Renderer *renderer, const DrawList *list, int width_px, int height_px) {
    renderer_redraw(renderer, list, width_px, height_px, false);
}
