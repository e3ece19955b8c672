#include "draw/camera.h"

#include <math.h>

#include "draw/part.h"

Camera camera_of(Rect from, Rect to) {
    Camera camera = {.zoom = fminf(to.w / fmaxf(from.w, 1), to.h / fmaxf(from.h, 1))};
    Vec2 a = rect_centre(from), b = rect_centre(to);
    camera.at = (Vec2){b.x - a.x * camera.zoom, b.y - a.y * camera.zoom};
    return camera;
}

static Vec2 moved(const Camera *camera, Vec2 p) {
    return vec2_along(camera->at, p, camera->zoom);
}

Rect camera_rect(const Camera *camera, Rect r) {
    Vec2 corner = moved(camera, (Vec2){r.x, r.y});
    return (Rect){corner.x, corner.y, r.w * camera->zoom, r.h * camera->zoom};
}

DrawCurve camera_curve(const Camera *camera, const DrawCurve *c) {
    return (DrawCurve){.from = moved(camera, c->from),
                       .control_1 = moved(camera, c->control_1),
                       .control_2 = moved(camera, c->control_2),
                       .to = moved(camera, c->to),
                       .width_from = c->width_from * camera->zoom,
                       .width_to = c->width_to * camera->zoom,
                       .dash_on = c->dash_on * camera->zoom,
                       .dash_off = c->dash_off * camera->zoom,
                       .colour_from = c->colour_from,
                       .colour_to = c->colour_to};
}

void camera_move(const Camera *camera, DrawCommand *c) {
    DrawBox *box = &c->as.box;
    DrawTriangle *triangle = &c->as.triangle;
    switch (c->kind) {
    case DRAW_BOX:
        box->rect = camera_rect(camera, box->rect);
        box->radius *= camera->zoom;
        box->border *= camera->zoom;
        box->dash_on *= camera->zoom;
        box->dash_off *= camera->zoom;
        break;
    case DRAW_CURVE:
        c->as.curve = camera_curve(camera, &c->as.curve);
        break;
    case DRAW_TRIANGLE:
        triangle->a = moved(camera, triangle->a);
        triangle->b = moved(camera, triangle->b);
        triangle->c = moved(camera, triangle->c);
        break;
    case DRAW_CELLS:
        c->as.cells.rect = camera_rect(camera, c->as.cells.rect);
        c->as.cells.gap *= camera->zoom;
        break;
    case DRAW_TEXT:
        c->as.text.at = moved(camera, c->as.text.at);
        c->as.text.size *= camera->zoom;
        break;
    }
}

void camera_apply(DrawList *list, size_t from_command, const Camera *camera, Rect to) {
    for (size_t i = from_command; i < list->command_count; i++) {
        DrawCommand *c = &list->commands[i];
        camera_move(camera, c);
        c->clip = rect_intersect(camera_rect(camera, c->clip), to);
    }
    for (size_t i = 0; i < list->part_count; i++) {
        DrawPart *part = &list->parts[i];
        part->rect = rect_intersect(camera_rect(camera, part->rect), to);
        part->cells = camera_rect(camera, part->cells);
    }
}

#define SIZES_MAX 400 /* draw_text_size counts only sizes below this; unit: half a pixel */

/* True if the command is an opaque box that covers all of rect. */
static bool is_ground(const DrawCommand *command, Rect rect) {
    const DrawBox *box = &command->as.box;
    return command->kind == DRAW_BOX && (box->fill & 0xFF) == 0xFF &&
           box->fill == box->fill_right &&
           rect_equal(rect_intersect(rect_intersect(box->rect, command->clip), rect), rect);
}

static Rect around(const Vec2 *points, int count, float reach) {
    Rect all = {points[0].x, points[0].y, 0, 0};
    for (int i = 1; i < count; i++)
        all = rect_union(all, (Rect){points[i].x, points[i].y, 0, 0});
    return rect_inset(all, -reach, -reach);
}

Rect draw_bounds(const DrawList *list, const TextMeasure *measure, const DrawCommand *command) {
    const DrawCurve *c = &command->as.curve;
    const DrawTriangle *t = &command->as.triangle;
    const DrawText *text = &command->as.text;
    switch (command->kind) {
    case DRAW_BOX:
        return command->as.box.rect;
    case DRAW_CURVE:
        return around((Vec2[]){c->from, c->control_1, c->control_2, c->to}, 4,
                      fmaxf(c->width_from, c->width_to));
    case DRAW_TRIANGLE:
        return around((Vec2[]){t->a, t->b, t->c}, 3, 0);
    case DRAW_CELLS:
        return command->as.cells.rect;
    case DRAW_TEXT:
        break;
    }
    float width = measure->width(measure->context, text->font, text->size,
                                 list->text + text->text_at, text->text_bytes);
    if (text->angle_rad == 0)
        return (Rect){text->at.x, text->at.y - text->size, width, 1.35f * text->size};
    Vec2 end = {text->at.x + width * cosf(text->angle_rad),
                text->at.y + width * sinf(text->angle_rad)};
    return around((Vec2[]){text->at, end}, 2, text->size);
}

void draw_crop(DrawList *list, const TextMeasure *measure, Rect rect, float margin) {
    const Camera camera = {1, {margin - rect.x, margin - rect.y}};
    size_t kept = 0;
    for (size_t i = 0; i < list->command_count; i++) {
        DrawCommand command = list->commands[i];
        if (is_ground(&command, rect)) {
            list->ground = command.as.box.fill;
            kept = 0; /* the box covers all earlier commands */
            continue;
        }
        command.clip = rect_intersect(command.clip, rect);
        Rect seen = rect_intersect(command.clip, draw_bounds(list, measure, &command));
        if (!(seen.w > 0 && seen.h > 0))
            continue;
        command.clip = camera_rect(&camera, command.clip);
        camera_move(&camera, &command);
        list->commands[kept++] = command;
    }
    list->command_count = kept;
    for (size_t i = 0; i < list->part_count; i++) {
        list->parts[i].rect = camera_rect(&camera, list->parts[i].rect);
        list->parts[i].cells = camera_rect(&camera, list->parts[i].cells);
    }
    list->width = rect.w + 2 * margin;
    list->height = rect.h + 2 * margin;
    list->clip = (Rect){0, 0, list->width, list->height};
}

float draw_text_size(const DrawList *list) {
    size_t letters[SIZES_MAX] = {0}, most = 0;
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawText *text = &list->commands[i].as.text;
        int size = list->commands[i].kind == DRAW_TEXT ? (int)(2 * text->size + 0.5f) : 0;
        if (size > 0 && size < SIZES_MAX)
            letters[size] += text->text_bytes;
    }
    for (size_t size = 1; size < SIZES_MAX; size++)
        most = letters[size] > letters[most] ? size : most;
    return (float)most / 2;
}
