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
    return (Vec2){camera->at.x + p.x * camera->zoom, camera->at.y + p.y * camera->zoom};
}

Rect camera_rect(const Camera *camera, Rect r) {
    Vec2 corner = moved(camera, (Vec2){r.x, r.y});
    return (Rect){corner.x, corner.y, r.w * camera->zoom, r.h * camera->zoom};
}

static void move_box(DrawBox *box, const Camera *camera) {
    box->rect = camera_rect(camera, box->rect);
    box->radius *= camera->zoom;
    box->border *= camera->zoom;
    box->dash_on *= camera->zoom;
    box->dash_off *= camera->zoom;
}

static void move_curve(DrawCurve *curve, const Camera *camera) {
    Vec2 *points[] = {&curve->from, &curve->control_1, &curve->control_2, &curve->to};
    for (int i = 0; i < 4; i++)
        *points[i] = moved(camera, *points[i]);
    curve->width_from *= camera->zoom;
    curve->width_to *= camera->zoom;
    curve->dash_on *= camera->zoom;
    curve->dash_off *= camera->zoom;
}

static void move_command(DrawCommand *c, const Camera *camera) {
    switch (c->kind) {
    case DRAW_BOX:
        move_box(&c->as.box, camera);
        break;
    case DRAW_CURVE:
        move_curve(&c->as.curve, camera);
        break;
    case DRAW_TRIANGLE:
        c->as.triangle.a = moved(camera, c->as.triangle.a);
        c->as.triangle.b = moved(camera, c->as.triangle.b);
        c->as.triangle.c = moved(camera, c->as.triangle.c);
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
        move_command(c, camera);
        c->clip = rect_intersect(camera_rect(camera, c->clip), to);
    }
    for (size_t i = 0; i < list->part_count; i++) {
        DrawPart *part = &list->parts[i];
        part->rect = rect_intersect(camera_rect(camera, part->rect), to);
        part->cells = camera_rect(camera, part->cells);
    }
}
