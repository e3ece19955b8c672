#include "gfx/ink.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "draw/curve.h"

#define PIECES_MAX   64
#define TOLERANCE_PX 0.25f

void ink_release(Ink *ink) {
    free(ink->cover);
    free(ink->coverage);
    *ink = (Ink){0};
}

static size_t pixel_count(const PixelRect *area) {
    return (size_t)(area->right - area->left) * (size_t)(area->bottom - area->top);
}

static bool make_room(Ink *ink, size_t count) {
    if (count <= ink->capacity)
        return true;
    ink_release(ink);
    ink->cover = malloc(count * sizeof *ink->cover);
    ink->coverage = malloc(count);
    ink->capacity = count;
    if (ink->cover != NULL && ink->coverage != NULL)
        return true;
    ink_release(ink);
    return false;
}

bool ink_begin(Ink *ink, const PixelRect *area) {
    size_t count = pixel_count(area);
    if (!make_room(ink, count))
        return false;
    ink->area = *area;
    memset(ink->cover, 0, count * sizeof *ink->cover);
    return true;
}

static int least(int a, int b) {
    return a < b ? a : b;
}

static int most(int a, int b) {
    return a > b ? a : b;
}

/* A straight piece, by its major axis u, along which it grows by slope across, v. */
typedef struct Piece {
    float u0, v0, slope;
    float reach, cosine; /* half the width and the soft edge, across; of the angle to the axis */
    float full, alpha;   /* half the width and half a pixel; of the whole */
    int across_first, across_end;    /* of the area */
    ptrdiff_t along, across, corner; /* from pixel to pixel, and from that of 0 to the first */
} Piece;

/* The pixels of lines first..end-1, each across the piece. */
static void cover_lines(float *cover, const Piece *p, int first, int end) {
    for (int u = first; u < end; u++) {
        float v = p->v0 + ((float)u + 0.5f - p->u0) * p->slope;
        int from = most((int)(v - p->reach + 0.5f), p->across_first); /* a small minus gives 0 */
        int to = least((int)(v + p->reach + 0.5f), p->across_end);
        float *pixel = cover + (u * p->along + from * p->across - p->corner);
        for (int w = from; w < to; w++, pixel += p->across) {
            float inside = p->full - fabsf((float)w + 0.5f - v) * p->cosine;
            inside = inside < 0 ? 0 : inside > 1 ? 1 : inside;
            *pixel += p->alpha * inside * (1 - *pixel);
        }
    }
}

/* Between two points. Along an axis every line of pixels belongs to one piece alone. */
static void cover_piece(Ink *ink, Vec2 a, Vec2 b, float half, float alpha) {
    const PixelRect *area = &ink->area;
    int width = area->right - area->left;
    float dx = b.x - a.x, dy = b.y - a.y, length = sqrtf(dx * dx + dy * dy);
    bool steep = fabsf(dy) > fabsf(dx);
    if (!(length > 1e-4f))
        return;
    float u0 = steep ? a.y : a.x, u1 = steep ? b.y : b.x, v0 = steep ? a.x : a.y;
    float drawn = fmaxf(half, 0.5f);
    Piece p = {.u0 = u0, .v0 = v0, .slope = steep ? dx / dy : dy / dx};
    p.cosine = fabsf(steep ? dy : dx) / length;
    p.full = drawn + 0.5f;
    p.reach = p.full / p.cosine;
    p.alpha = alpha * half / drawn; /* a thinner line is a fainter one */
    p.across_first = steep ? area->left : area->top;
    p.across_end = steep ? area->right : area->bottom;
    p.along = steep ? width : 1;
    p.across = steep ? 1 : width;
    p.corner = (ptrdiff_t)area->top * width + area->left;
    int first = (int)ceilf(fminf(u0, u1) - 0.5f), end = (int)ceilf(fmaxf(u0, u1) - 0.5f);
    cover_lines(ink->cover, &p, most(first, steep ? area->top : area->left),
                least(end, steep ? area->bottom : area->right));
}

/* A curve that is not finite has none. */
static int piece_count(const DrawCurve *c) {
    float pieces = ceilf(curve_pieces(c, TOLERANCE_PX));
    return isfinite(pieces) ? (int)fmaxf(1, fminf(PIECES_MAX, pieces)) : 0;
}

PixelRect ink_reach(const DrawCurve *c, const PixelRect *clip) {
    float reach = fmaxf(c->width_from, c->width_to) + 2;
    float left = fminf(fminf(c->from.x, c->to.x), fminf(c->control_1.x, c->control_2.x)) - reach;
    float right = fmaxf(fmaxf(c->from.x, c->to.x), fmaxf(c->control_1.x, c->control_2.x)) + reach;
    float top = fminf(fminf(c->from.y, c->to.y), fminf(c->control_1.y, c->control_2.y)) - reach;
    float bottom = fmaxf(fmaxf(c->from.y, c->to.y), fmaxf(c->control_1.y, c->control_2.y)) + reach;
    if (piece_count(c) == 0)
        return (PixelRect){0};
    return (PixelRect){most(clip->left, (int)fmaxf(fminf(left, 1e6f), -1)),
                       most(clip->top, (int)fmaxf(fminf(top, 1e6f), -1)),
                       least(clip->right, (int)fmaxf(fminf(right, 1e6f), -1) + 1),
                       least(clip->bottom, (int)fmaxf(fminf(bottom, 1e6f), -1) + 1)};
}

void ink_curve(Ink *ink, const DrawCurve *c) {
    int pieces = piece_count(c);
    Vec2 before = c->from;
    float alpha = (float)(c->colour_from & 255) / 255;
    for (int i = 1; i <= pieces; i++) {
        Vec2 at = curve_point(c, (float)i / (float)pieces);
        cover_piece(ink, before, at, 0.5f * c->width_from, alpha);
        before = at;
    }
}

void ink_end(Ink *ink) {
    size_t count = pixel_count(&ink->area);
    for (size_t i = 0; i < count; i++)
        ink->coverage[i] = (uint8_t)(ink->cover[i] * 255 + 0.5f);
}
