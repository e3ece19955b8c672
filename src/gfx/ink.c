#include "gfx/ink.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "draw/curve.h"

#define PIECES_MAX   64
#define TOLERANCE_PX 0.25f
#define LANES        8 /* pixels at once, and as many across the widest piece at any angle */

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
    ink->cover = malloc((count + LANES) * sizeof *ink->cover);
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
    memset(ink->cover, 0, (count + LANES) * sizeof *ink->cover);
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

static inline float middle_at(const Piece *p, int u) {
    return p->v0 + ((float)u + 0.5f - p->u0) * p->slope;
}

/* The first pixel of a line; one beyond the area's first edge is not told from that on it. */
static inline int from_at(const Piece *p, float v) {
    return (int)(v - p->reach + 0.5f);
}

static inline int to_at(const Piece *p, float v) {
    return (int)(v + p->reach + 0.5f);
}

/* What a pixel whose middle is so far from the piece's has after it. */
static inline float covered(float before, const Piece *p, float away, float alpha) {
    float inside = p->full - fabsf(away) * p->cosine;
    inside = 0 > inside ? 0 : inside;
    inside = inside < 1 ? inside : 1;
    return before + alpha * inside * (1 - before);
}

/* The pixels of lines first..end-1, each across the piece, where they lie within the area. */
static void cover_clipped(float *cover, const Piece *p, int first, int end) {
    for (int u = first; u < end; u++) {
        float v = middle_at(p, u);
        int from = most(from_at(p, v), p->across_first);
        int to = least(to_at(p, v), p->across_end);
        float *pixel = cover + (u * p->along + from * p->across - p->corner);
        for (int w = from; w < to; w++, pixel += p->across)
            *pixel = covered(*pixel, p, (float)w + 0.5f - v, p->alpha);
    }
}

/* The same, to the bit, where all of them do, several at a time. Here a line's pixels lie side by
 * side. */
static void cover_steep(float *cover, const Piece *p, int first, int end) {
    for (int u = first; u < end; u++) {
        float v = middle_at(p, u);
        int from = from_at(p, v), count = to_at(p, v) - from;
        float *pixel = cover + (u * p->along + from - p->corner);
        for (int k = 0; k < LANES; k++)
            pixel[k] = covered(pixel[k], p, (float)(from + k) + 0.5f - v, k < count ? p->alpha : 0);
    }
}

/* Here those of neighbouring lines do. */
static void cover_shallow(float *cover, const Piece *p, int first, int end) {
    for (int u = first; u < end; u += LANES) {
        float v[LANES];
        int from[LANES], to[LANES], last = least(LANES, end - u) - 1;
        for (int k = 0; k < LANES; k++) {
            v[k] = middle_at(p, u + k);
            from[k] = from_at(p, v[k]);
            to[k] = k <= last ? to_at(p, v[k]) : 0;
        }
        for (int w = least(from[0], from[last]); w < most(to[0], to[last]); w++) {
            float *pixel = cover + (u + w * p->across - p->corner);
            for (int k = 0; k < LANES; k++) {
                bool is_within = w >= from[k] && w < to[k];
                pixel[k] = covered(pixel[k], p, (float)w + 0.5f - v[k], is_within ? p->alpha : 0);
            }
        }
    }
}

static void cover_lines(float *cover, const Piece *p, int first, int end) {
    float v0 = middle_at(p, first), v1 = middle_at(p, end - 1);
    bool is_inside = 2 * p->reach <= LANES && fminf(v0, v1) - p->reach >= (float)p->across_first &&
                     fmaxf(v0, v1) + p->reach + 2 < (float)p->across_end;
    if (!is_inside)
        cover_clipped(cover, p, first, end);
    else if (p->across == 1)
        cover_steep(cover, p, first, end);
    else
        cover_shallow(cover, p, first, end);
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
    first = most(first, steep ? area->top : area->left);
    end = least(end, steep ? area->bottom : area->right);
    if (first < end)
        cover_lines(ink->cover, &p, first, end);
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
