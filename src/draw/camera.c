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
