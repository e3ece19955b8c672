#include "gfx/renderer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "gfx/card.h"
#include "gfx/paint.h"
#include "gfx/soft_queue.h"

#define PART_MOST 0.7  /* of the picture: above it, all of it is drawn */
#define NEW_MOST  1500 /* commands: of more, finding what they touch costs as much as drawing it */

struct Renderer {
    Card *card;       /* NULL where the processor draws */
    Colour *palettes; /* there; see SoftPicture */
    SoftQueue queue;  /* likewise */
    Atlas atlas;
    GfxFonts *fonts;
    DamageMarks marks[2]; /* of the list drawn last and the one in hand, in turn */
    int turn;
    DrawList drawn;      /* what of the list drawn last is not in its commands */
    const Target *where; /* and where it was drawn */
    Damage damage;
};

static bool create_palettes(Renderer *renderer) {
    Colour *texel = malloc((size_t)PALETTE_COUNT * SOFT_TEXELS * sizeof *texel);
    renderer->palettes = texel;
    for (int palette = 0; texel != NULL && palette < PALETTE_COUNT; palette++)
        for (int i = 0; i < SOFT_TEXELS; i++)
            *texel++ = palette_colour(palette, (float)i / (SOFT_TEXELS - 1));
    return renderer->palettes != NULL;
}

static bool create_parts(Renderer *renderer, TargetKind kind, const char *shader_folder, Err *err) {
    bool is_soft = kind == TARGET_SOFT;
    if (!is_soft && !card_create(&renderer->card, shader_folder, err))
        return false;
    bool has_memory = atlas_create(&renderer->atlas, is_soft);
    if (is_soft)
        has_memory = has_memory && create_palettes(renderer) && soft_queue_create(&renderer->queue);
    return has_memory || err_fail(err, "drawing", "out of memory");
}

bool renderer_create(Renderer **out, TargetKind kind, GfxFonts *fonts, const char *shader_folder,
                     Err *err) {
    *out = NULL;
    Renderer *renderer = calloc(1, sizeof *renderer);
    if (renderer == NULL)
        return err_fail(err, "drawing", "out of memory");
    renderer->fonts = fonts;
    if (!create_parts(renderer, kind, shader_folder, err)) {
        renderer_release(renderer);
        return false;
    }
    *out = renderer;
    return true;
}

void renderer_release(Renderer *renderer) {
    if (renderer == NULL)
        return;
    card_release(renderer->card);
    soft_queue_release(&renderer->queue);
    free(renderer->palettes);
    atlas_release(&renderer->atlas);
    for (int i = 0; i < 2; i++)
        damage_marks_release(&renderer->marks[i]);
    free(renderer);
}

static PixelRect within(const PixelRect *a, const PixelRect *b) {
    return (PixelRect){a->left > b->left ? a->left : b->left, a->top > b->top ? a->top : b->top,
                       a->right < b->right ? a->right : b->right,
                       a->bottom < b->bottom ? a->bottom : b->bottom};
}

/* All pixels that a rectangle has a part of. */
static PixelRect pixels_of(Rect r) {
    return (PixelRect){(int)floorf(r.x), (int)floorf(r.y), (int)ceilf(rect_right(r)),
                       (int)ceilf(rect_bottom(r))};
}

/* A Painter's add, where the processor draws. */
static void soft_add(const Painter *painter, const PaintItem *item) {
    Renderer *renderer = painter->context;
    PixelRect bounds = pixels_of(item->bounds), clip = within(&painter->clip, &bounds);
    for (int i = 0; i < renderer->damage.count; i++) {
        PixelRect part = within(&clip, &renderer->damage.rects[i]);
        if (part.right > part.left && part.bottom > part.top)
            soft_queue_draw(&renderer->queue, &part, item);
    }
}

static void soft_flush(void *context) {
    Renderer *renderer = context;
    soft_queue_run(&renderer->queue);
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
    painter->is_rehearsal = true;
    for (size_t i = 0; i < list->command_count; i++)
        if (marks->at[i].is_new) {
            if (new_count > NEW_MOST) /* then all that they may touch has to do */
                marks->at[i].bounds = clip_of(&list->commands[i], list->scale, frame);
            else
                paint_marked(painter, marks, i);
            damage_add(damage, &marks->at[i].bounds);
        }
    painter->is_rehearsal = false;
    return damage_area(damage) < PART_MOST * (double)frame->right * frame->bottom;
}

static bool is_comparable(const Renderer *renderer, const DrawList *list, const Target *target) {
    const DrawList *drawn = &renderer->drawn;
    return target->is_drawn && renderer->where == target && drawn->width == list->width &&
           drawn->height == list->height && drawn->scale == list->scale &&
           drawn->ground == list->ground;
}

static void remember(Renderer *renderer, const DrawList *list, Target *target, bool has_marks) {
    renderer->drawn = (DrawList){
        .width = list->width, .height = list->height, .scale = list->scale, .ground = list->ground};
    renderer->where = target;
    renderer->turn = !renderer->turn;
    target->is_drawn = has_marks && target->kind != TARGET_NONE;
}

/* The framebuffer is bound where OpenGL draws: the window's own where there is no memory for the
 * target. */
static bool prepare(Renderer *renderer, Target *target, int width_px, int height_px) {
    bool is_soft = renderer->card == NULL;
    bool fits = target_fit(target, is_soft ? TARGET_SOFT : TARGET_CARD, width_px, height_px);
    if (!is_soft)
        glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    renderer->queue.picture =
        (SoftPicture){target->pixels, target->width_px, target->height_px, renderer->palettes};
    return fits || !is_soft;
}

static Painter painter_of(Renderer *renderer, const DrawList *list, int width_px, int height_px) {
    bool is_soft = renderer->card == NULL;
    return (Painter){.atlas = &renderer->atlas,
                     .cells = is_soft ? NULL : card_cells(renderer->card),
                     .fonts = renderer->fonts,
                     .list = list,
                     .frame = {0, 0, width_px, height_px},
                     .add = is_soft ? soft_add : card_add,
                     .cuts_curves = !is_soft,
                     .flush = is_soft ? soft_flush : card_flush,
                     .context = is_soft ? (void *)renderer : (void *)renderer->card};
}

/* Lay the ground of what is to be drawn. */
static void begin(Renderer *renderer, const Painter *painter, Target *target) {
    const Damage *damage = &renderer->damage;
    const PixelRect *frame = &painter->frame;
    Colour ground = painter->list->ground;
    if (renderer->card != NULL) {
        card_begin(renderer->card, frame->right, frame->bottom, damage, ground);
        return;
    }
    for (int i = 0; i < damage->count; i++) {
        soft_queue_fill(&renderer->queue, &damage->rects[i], ground);
        damage_add(&target->unshown, &damage->rects[i]);
    }
}

static void paint_all(Renderer *renderer, Painter *painter, DamageMarks *marks, bool is_part) {
    for (size_t i = 0; i < painter->list->command_count; i++)
        if (!is_part || damage_touches(&renderer->damage, &marks->at[i].bounds))
            paint_marked(painter, marks, i);
    painter->flush(painter->context);
}

bool renderer_draw(Renderer *renderer, const DrawList *list, Target *target, int width_px,
                   int height_px) {
    if (width_px <= 0 || height_px <= 0)
        return true;
    DamageMarks *marks = &renderer->marks[renderer->turn];
    if (!prepare(renderer, target, width_px, height_px))
        return false;
    Painter painter = painter_of(renderer, list, width_px, height_px);
    atlas_begin_picture(&renderer->atlas);
    bool has_marks = damage_marks_fill(marks, list);
    marks->count = has_marks ? marks->count : 0;
    bool is_part = has_marks && is_comparable(renderer, list, target) &&
                   find_damage(renderer, &painter, marks);
    if (!is_part)
        renderer->damage = (Damage){.rects = {painter.frame}, .count = 1};
    begin(renderer, &painter, target);
    paint_all(renderer, &painter, marks, is_part);
    remember(renderer, list, target, has_marks);
    return true;
}
