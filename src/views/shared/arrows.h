/* arrows.h: edges as arrows on screen, for Heads and Graph. */
#ifndef HEADLIGHT_VIEWS_SHARED_ARROWS_H
#define HEADLIGHT_VIEWS_SHARED_ARROWS_H

#include "draw/curve.h"
#include "views/shared/edges.h"
#include "views/view.h"

typedef struct Arrow {
    Edge edge;
    Arc arc; /* its colour is that of an arrow that is not lit */
} Arrow;

/* The arguments of arrows_draw that concern all arrows. */
typedef struct ArrowsStyle {
    float largest; /* the weight whose arrow is drawn with the full contrast */
    float fade;    /* opacity of arrows that are not lit; below 1 if there are many */
    int token;     /* the token whose arrows are lit (drawn last, with full contrast), or -1 */
    /* Colour of the arrows from that token; 0: their own colour. Arrows to it keep their own. */
    Colour reads;
    AttnCell apart; /* an edge to leave out, because the caller draws it; or ATTN_CELL_NONE */
} ArrowsStyle;

/* Draw an arrow; it is dashed if its weight is negative. */
void arrow_draw(const ViewContext *context, const Arrow *arrow, Colour colour);
void arrows_draw(const ViewContext *context, const Arrow *arrows, int count,
                 const ArrowsStyle *style);

/* Return the arrow nearest to the pointer, or -1 if none is close enough. */
int arrow_at_pointer(const ViewContext *context, const Arrow *arrows, int count);

#endif
