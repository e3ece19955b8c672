/* Values on the edges of the Graph view. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "ui/label.h"
#include "views/graph.h"

#define VALUE_SIZE 18
#define VALUE_H    24

static bool overlaps(Rect a, Rect b) {
    Rect both = rect_intersect(a, b);
    return both.w > 0 && both.h > 0;
}

/* Nodes are asked for a square inside of them: a corner of the ground may touch one. */
static bool is_free(const Scene *s, const GraphValues *values, Rect ground) {
    for (int i = 0; i < values->count; i++)
        if (overlaps(ground, values->at[i]))
            return false;
    for (int node = 0; node < s->columns * s->T; node++) {
        float r = s->radius[node % s->T] * 0.7f;
        if (overlaps(ground, (Rect){s->at[node].x - r, s->at[node].y - r, 2 * r, 2 * r}))
            return false;
    }
    for (int i = 0; i < SCENE_CORNERS; i++)
        if (overlaps(ground, s->corners[i]))
            return false;
    return true;
}

/* Near the middle first, then further along either way. */
static bool find_place(const Scene *s, const GraphValues *values, const Edge *edge, const Arc *arc,
                       float width, Rect *ground) {
    static const float along[] = {0.5f, 0.42f, 0.58f, 0.34f, 0.66f, 0.27f, 0.73f, 0.2f, 0.8f};
    bool is_loop = edge->query == edge->key && s->columns == 1;
    for (size_t i = 0; i < sizeof along / sizeof *along && !(is_loop && i > 0); i++) {
        Vec2 at = i == 0 ? scene_value_place(s, edge, arc) : curve_point(&arc->curve, along[i]);
        *ground = (Rect){at.x - width / 2 - 4, at.y - VALUE_H / 2, width + 8, VALUE_H};
        if (is_free(s, values, *ground))
            return true;
    }
    return false;
}

void graph_value(const ViewContext *c, const Scene *s, GraphValues *values, const Edge *edge,
                 const Arc *arc) {
    char text[32];
    Rect ground;
    number_format_fixed(text, sizeof text, (double)edge->weight, 2);
    const char *shown = strncmp(text, "0.", 2) == 0 ? text + 1 : text;
    LabelStyle style = {FONT_MONO, VALUE_SIZE, c->ui->theme->text_1, LABEL_CENTRE};
    float width = label_width(c->ui, style.font, style.size, shown, strlen(shown));
    if (values->count == GRAPH_VALUES_MAX || !find_place(s, values, edge, arc, width, &ground))
        return;
    values->at[values->count++] = ground;
    draw_fill(c->ui->list, ground, 4, c->ui->theme->canvas);
    label_draw(c->ui, ground, &style, shown);
}
