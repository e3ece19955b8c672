#include <math.h>

#include "gfx/soft.h"
#include "gfx/soft_mix.h"

#define LANES        8 /* pixels at once */
#define PAIRS        (2 * LANES)
#define EVEN_BYTES   0x00FF00FFu
#define TOLERANCE_PX 0.3f
#define DEPTH_MAX    7 /* a curve is cut into so many halves of halves at most */
#define SOFT_PX      1.0f
#define FAR_PX       64.0f /* from an end of the curve */
#define EDGE_PX      0.45f /* from a pixel's middle to its edge, but for what rounding adds */

/* What grows by as much with every pixel, x·by.x + y·by.y + start. The start of what is 0 within
 * the picture is no larger than the picture, so that no bits are lost. */
typedef struct Growth {
    Vec2 by;
    float start;
} Growth;

/* A straight piece of one width and colour. */
typedef struct Stroke {
    float full;                      /* half of the width that is drawn, and half a pixel */
    float share;                     /* of SOFT_WHOLE, of a pixel that is covered */
    int16_t even[PAIRS], odd[PAIRS]; /* of the colour's bytes */
    Growth side;                     /* how far from its middle line */
    Growth after, before; /* of its first edge and its last, which it shares with its neighbours */
    float after_room, before_room; /* from where these begin to the curve's ends, if it has one */
    Vec2 from;                     /* a point of the middle line */
    Growth along; /* how far along the curve, in periods: whole numbers are middles of dashes */
    float dash_on, period;          /* 0: it has none */
    bool is_plain;                  /* it reaches no end of the curve, and keeps to its box */
    float left, top, right, bottom; /* its box: all it may touch */
} Stroke;

static void set_colour(Stroke *s, Colour colour, float half) {
    float drawn = half > 0.5f ? half : 0.5f; /* a thinner line is a fainter one */
    uint32_t even = soft_pixel(colour) & EVEN_BYTES, odd = soft_pixel(colour) >> 8 & EVEN_BYTES;
    s->full = drawn + 0.5f;
    s->share = (float)(colour & 255) / 255 * half / drawn * (SOFT_WHOLE - 1);
    for (int k = 0; k < LANES; k++) {
        memcpy(&s->even[2 * k], &even, sizeof even);
        memcpy(&s->odd[2 * k], &odd, sizeof odd);
    }
}

static Growth growth_from(Vec2 from, float by_x, float by_y) {
    double start = -((double)from.x * (double)by_x + (double)from.y * (double)by_y);
    return (Growth){{by_x, by_y}, (float)start};
}

/* From a to b, between lines across the curve whose directions there are these; start is how far
 * along the curve that begins. */
static void set_course(Stroke *s, Vec2 a, Vec2 b, Vec2 way_a, Vec2 way_b, float start) {
    Vec2 chord = {b.x - a.x, b.y - a.y};
    float scale = 1 / sqrtf(chord.x * chord.x + chord.y * chord.y), reach = s->full + 1;
    s->side = growth_from(a, -chord.y * scale, chord.x * scale);
    s->after = growth_from(a, way_a.x, way_a.y);
    s->before = growth_from(b, way_b.x, way_b.y);
    if (s->dash_on > 0) {
        float periods = scale / s->period;
        s->along = growth_from(a, chord.x * periods, chord.y * periods);
        s->along.start += (start - 0.5f * s->dash_on) / s->period;
    }
    s->from = a;
    s->left = (a.x < b.x ? a.x : b.x) - reach;
    s->right = (a.x < b.x ? b.x : a.x) + reach;
    s->top = (a.y < b.y ? a.y : b.y) - reach;
    s->bottom = (a.y < b.y ? b.y : a.y) + reach;
}

/* Whether a line across the curve is not so oblique that it would reach beyond the piece's box. */
static bool is_upright(Vec2 way, Vec2 chord) {
    float dot = way.x * chord.x + way.y * chord.y;
    float most = (way.x * way.x + way.y * way.y) * (chord.x * chord.x + chord.y * chord.y);
    return dot > 0 && dot * dot > 0.5f * most;
}

/* Numbers of neighbouring pixels, and for each all bits or none. */
typedef float Lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int32_t Marks __attribute__((vector_size(LANES * sizeof(int32_t))));

static inline Lanes every(float value) {
    return (Lanes){0} + value;
}

static inline Lanes chosen(Marks marks, Lanes yes, Lanes no) {
    return (Lanes)(((Marks)yes & marks) | ((Marks)no & ~marks));
}

static inline Lanes magnitude(Lanes x) {
    return (Lanes)((Marks)x & 0x7FFFFFFF);
}

static inline Lanes unit(Lanes x) {
    x = chosen(x < 1, x, every(1));
    return (Lanes)((Marks)x & (x > 0));
}

/* To whole numbers, of which there are some millions. */
static inline Lanes rounded(Lanes x) {
    const float large = 12582912; /* floats beside it are whole */
    return (x + large) - large;
}

/* At pixels' middles. */
static inline Lanes grown(const Growth *g, Lanes x, Lanes y) {
    return x * g->by.x + (y * g->by.y + g->start);
}

/* soft_dash. */
static inline Lanes in_dash(const Stroke *s, Lanes x, Lanes y) {
    Lanes along = grown(&s->along, x, y);
    return unit(0.5f * s->dash_on + 0.5f - s->period * magnitude(along - rounded(along)));
}

/* How much of a pixel is within the box and the curve's ends. */
static inline Lanes within_ends(const Stroke *s, Lanes after, Lanes before, Lanes x) {
    Lanes from_start = after + s->after_room, to_end = s->before_room - before;
    Lanes inside = unit(chosen(from_start < to_end, from_start, to_end) + 0.5f);
    return (Lanes)((Marks)inside & (x > s->left) & (x < s->right));
}

/* What a piece is asked for at each pixel beside its width: loops are made for each. */
typedef enum Look { LOOK_PLAIN, LOOK_DASHED, LOOK_WITH_ENDS } Look;

/* Of pixels with these middles. */
static inline __attribute__((always_inline)) void
find_shares(int32_t shares[LANES], const Stroke *s, Lanes x, Lanes y, Look look) {
    Lanes after = grown(&s->after, x, y), before = grown(&s->before, x, y);
    Marks is_own = (after >= 0) & (before < 0);
    Lanes inside = unit(s->full - magnitude(grown(&s->side, x, y)));
    Lanes share = s->share * (Lanes)((Marks)inside & is_own);
    if (look == LOOK_WITH_ENDS)
        share *= within_ends(s, after, before, x);
    if (look == LOOK_DASHED || (look == LOOK_WITH_ENDS && s->dash_on > 0))
        share *= in_dash(s, x, y);
    Marks whole = __builtin_convertvector(share + 0.5f, Marks);
    memcpy(shares, &whole, sizeof whole);
}

static inline int16_t mixed(int16_t under, int16_t over, int16_t share) {
    int16_t apart = (int16_t)(over - under);
    return (int16_t)(under + (int16_t)(((apart * share >> 14) + 1) >> 1));
}

/* soft_mixed for each, two channels in a word. */
static inline void lay_shares(uint32_t *restrict pixels, const Stroke *s,
                              const int32_t shares[LANES]) {
    uint32_t even_words[LANES], odd_words[LANES], share_words[LANES];
    int16_t even[PAIRS], odd[PAIRS], share[PAIRS];
    for (int k = 0; k < LANES; k++) {
        even_words[k] = pixels[k] & EVEN_BYTES;
        odd_words[k] = pixels[k] >> 8 & EVEN_BYTES;
        share_words[k] = (uint32_t)shares[k] | (uint32_t)shares[k] << 16;
    }
    memcpy(even, even_words, sizeof even);
    memcpy(odd, odd_words, sizeof odd);
    memcpy(share, share_words, sizeof share);
    for (int k = 0; k < PAIRS; k++)
        even[k] = mixed(even[k], s->even[k], share[k]);
    for (int k = 0; k < PAIRS; k++)
        odd[k] = mixed(odd[k], s->odd[k], share[k]);
    memcpy(even_words, even, sizeof even);
    memcpy(odd_words, odd, sizeof odd);
    for (int k = 0; k < LANES; k++)
        pixels[k] = even_words[k] | odd_words[k] << 8;
}

static inline Lanes middles(int x) {
    return (float)x + (Lanes){0.5f, 1.5f, 2.5f, 3.5f, 4.5f, 5.5f, 6.5f, 7.5f};
}

/* The pixels from left to right, or a little further, but none from end on. */
static inline __attribute__((always_inline)) void lay_row(uint32_t *row, const Stroke *s, int y,
                                                          int left, int right, int end, Look look) {
    int32_t shares[LANES];
    Lanes middle = (Lanes){0} + ((float)y + 0.5f);
    int x = left;
    for (; x < right && x + LANES <= end; x += LANES) {
        find_shares(shares, s, middles(x), middle, look);
        lay_shares(row + x, s, shares);
    }
    if (x >= right)
        return;
    uint32_t last[LANES] = {0};
    for (int k = 0; x + k < end; k++)
        last[k] = row[x + k];
    find_shares(shares, s, middles(x), middle, look);
    lay_shares(last, s, shares);
    for (int k = 0; x + k < end; k++)
        row[x + k] = last[k];
}

typedef uint64_t Two __attribute__((vector_size(16)));
typedef uint64_t Four __attribute__((vector_size(32)));

/* Half as many pixels in each of two rows. */
static inline __attribute__((always_inline)) void lay_pair(uint32_t *upper, uint32_t *lower,
                                                           const Stroke *s, int y, int x_upper,
                                                           int x_lower, Look look) {
    float a = (float)x_upper + 0.5f, b = (float)x_lower + 0.5f, middle = (float)y + 0.5f;
    Lanes x = {a, a + 1, a + 2, a + 3, b, b + 1, b + 2, b + 3};
    Lanes y_each = middle + (Lanes){0, 0, 0, 0, 1, 1, 1, 1};
    int32_t shares[LANES];
    uint32_t pixels[LANES];
    find_shares(shares, s, x, y_each, look);
    Two above, below;
    memcpy(&above, upper + x_upper, sizeof above);
    memcpy(&below, lower + x_lower, sizeof below);
    const Four both = {above[0], above[1], below[0], below[1]};
    memcpy(pixels, &both, sizeof both);
    lay_shares(pixels, s, shares);
    memcpy(upper + x_upper, pixels, sizeof pixels / 2);
    memcpy(lower + x_lower, pixels + LANES / 2, sizeof pixels / 2);
}

static inline int clamped(float at, int least, int most) {
    return at < (float)least ? least : at > (float)most ? most : (int)at;
}

/* Where a piece's rows lie, and in a row what is near enough to its middle line. */
typedef struct Span {
    int top, bottom;
    float at, slope, half; /* the middle line's x in row 0, and by how much it grows */
    float left, right;
} Span;

static Span span_of(const Stroke *s, const PixelRect *clip) {
    bool is_level = fabsf(s->side.by.x) < 1e-3f;
    Span span = {.top = clamped(s->top, clip->top, clip->bottom),
                 .bottom = clamped(s->bottom + 1, clip->top, clip->bottom),
                 .half = INFINITY,
                 .left = s->left,
                 .right = s->right};
    if (is_level)
        return span;
    span.slope = -s->side.by.y / s->side.by.x;
    span.half = s->full / fabsf(s->side.by.x);
    span.at = s->from.x + (0.5f - s->from.y) * span.slope;
    return span;
}

static inline __attribute__((always_inline)) void lay_rows(const SoftPicture *picture,
                                                           const PixelRect *clip, const Stroke *s,
                                                           const Span *span, Look look) {
    for (int y = span->top; y < span->bottom; y++) {
        float at = span->at + (float)y * span->slope;
        float left = at - span->half, right = at + span->half;
        left = left > span->left ? left : span->left;
        right = right < span->right ? right : span->right;
        lay_row(picture->pixels + (size_t)y * (size_t)picture->width, s, y,
                clamped(left + EDGE_PX, clip->left, clip->right),
                clamped(right + 1 - EDGE_PX, clip->left, clip->right), clip->right, look);
    }
}

/* Whether no row has more than half the lanes, within the clip. */
static bool is_narrow(const Span *span, const PixelRect *clip) {
    return 2 * span->half + 1 - 2 * EDGE_PX < LANES / 2 && span->left >= (float)clip->left &&
           span->right + LANES / 2 < (float)clip->right;
}

/* The same for a narrow piece, of which an odd row is left. */
static inline __attribute__((always_inline)) void
lay_pairs(const SoftPicture *picture, const Stroke *s, Span *span, Look look) {
    size_t width = (size_t)picture->width;
    float first = span->at - span->half + EDGE_PX, least = span->left;
    for (; span->top + 1 < span->bottom; span->top += 2) {
        uint32_t *row = picture->pixels + (size_t)span->top * width;
        float upper = first + (float)span->top * span->slope, lower = upper + span->slope;
        upper = upper > least ? upper : least;
        lower = lower > least ? lower : least;
        lay_pair(row, row + width, s, span->top, (int)upper, (int)lower, look);
    }
}

static inline __attribute__((always_inline)) void
lay_whole_rows(const SoftPicture *picture, const PixelRect *clip, const Stroke *s, Look look) {
    Span span = span_of(s, clip);
    if (is_narrow(&span, clip))
        lay_pairs(picture, s, &span, look);
    lay_rows(picture, clip, s, &span, look);
}

static void lay_stroke(const SoftPicture *picture, const PixelRect *clip, const Stroke *s) {
    if (s->is_plain && !(s->dash_on > 0)) {
        lay_whole_rows(picture, clip, s, LOOK_PLAIN);
    } else if (s->is_plain) {
        lay_whole_rows(picture, clip, s, LOOK_DASHED);
    } else {
        Span span = span_of(s, clip);
        lay_rows(picture, clip, s, &span, LOOK_WITH_ENDS);
    }
}

/* A part of a curve, with its directions at both ends; one of length 0 is nowhere. */
typedef struct Course {
    Vec2 at[4], way_a, way_b;
    float start;            /* how far along the curve it begins, where that has dashes */
    bool is_first, is_last; /* it has an end of the curve */
} Course;

typedef struct Drawing {
    const SoftPicture *picture;
    const PixelRect *clip;
    Stroke stroke;
} Drawing;

static Vec2 halfway(Vec2 a, Vec2 b) {
    return (Vec2){0.5f * (a.x + b.x), 0.5f * (a.y + b.y)};
}

static Vec2 from_to(Vec2 a, Vec2 b) {
    return (Vec2){b.x - a.x, b.y - a.y};
}

static float length_of(Vec2 v) {
    return sqrtf(v.x * v.x + v.y * v.y);
}

/* How much of a course is within the clip. */
typedef enum Sight { SIGHT_NONE, SIGHT_PART, SIGHT_ALL } Sight;

static Sight sight_of(const Drawing *d, const Vec2 at[4]) {
    float left = at[0].x, right = left, top = at[0].y, bottom = top;
    float reach = d->stroke.full + SOFT_PX;
    const PixelRect *clip = d->clip;
    for (int i = 1; i < 4; i++) {
        left = at[i].x < left ? at[i].x : left;
        right = at[i].x > right ? at[i].x : right;
        top = at[i].y < top ? at[i].y : top;
        bottom = at[i].y > bottom ? at[i].y : bottom;
    }
    if (!(left - reach < (float)clip->right && right + reach > (float)clip->left &&
          top - reach < (float)clip->bottom && bottom + reach > (float)clip->top))
        return SIGHT_NONE;
    return left >= (float)clip->left && right <= (float)clip->right && top >= (float)clip->top &&
                   bottom <= (float)clip->bottom
               ? SIGHT_ALL
               : SIGHT_PART;
}

static Vec2 unit_of(Vec2 v) {
    float scale = 1 / length_of(v);
    return (Vec2){v.x * scale, v.y * scale};
}

/* At an end of the curve there is room beyond it for its soft edge. */
static void lay_course(Drawing *d, const Course *course) {
    Stroke *s = &d->stroke;
    Vec2 a = course->at[0], b = course->at[3], way_a = course->way_a, way_b = course->way_b;
    s->after_room = s->before_room = FAR_PX;
    if (course->is_first) {
        way_a = unit_of(way_a);
        a = (Vec2){a.x - way_a.x * SOFT_PX, a.y - way_a.y * SOFT_PX};
        s->after_room = -SOFT_PX;
    }
    if (course->is_last) {
        way_b = unit_of(way_b);
        b = (Vec2){b.x + way_b.x * SOFT_PX, b.y + way_b.y * SOFT_PX};
        s->before_room = -SOFT_PX;
    }
    Vec2 chord = from_to(a, b);
    if (!(length_of(chord) > 0))
        return;
    set_course(s, a, b, way_a, way_b, course->is_first ? -SOFT_PX : course->start);
    s->is_plain = !course->is_first && !course->is_last && is_upright(way_a, chord) &&
                  is_upright(way_b, chord);
    lay_stroke(d->picture, d->clip, s);
}

static float bend(Vec2 a, Vec2 b, Vec2 c) {
    float x = a.x - 2 * b.x + c.x, y = a.y - 2 * b.y + c.y;
    return x * x + y * y;
}

/* curve_pieces is at most 1. */
static bool is_straight(const Vec2 at[4]) {
    const float most = TOLERANCE_PX / 0.75f;
    return bend(at[0], at[1], at[2]) <= most * most && bend(at[1], at[2], at[3]) <= most * most;
}

typedef float Fours __attribute__((vector_size(4 * sizeof(float))));

/* How long a course is, by the rule of Gauss and Legendre with four points, whose places and
 * weights from 0 to 1 these are: of half a curve that is drawn here, to within a small part of a
 * pixel. */
static float course_length(const Vec2 at[4]) {
    const Fours t = {0.06943184f, 0.33000948f, 0.66999052f, 0.93056816f}, u = 1 - t;
    const Fours weight = {0.17392742f, 0.32607258f, 0.32607258f, 0.17392742f};
    const Fours a = 3 * u * u, b = 6 * u * t, c = 3 * t * t;
    const Fours x = a * (at[1].x - at[0].x) + b * (at[2].x - at[1].x) + c * (at[3].x - at[2].x);
    const Fours y = a * (at[1].y - at[0].y) + b * (at[2].y - at[1].y) + c * (at[3].y - at[2].y);
    const Fours square = x * x + y * y;
    float length = 0;
    for (int i = 0; i < 4; i++)
        length += weight[i] * sqrtf(square[i]);
    return length;
}

/* Both halves until they are straight, but what is not seen is not looked into; what a half is does
 * not depend on that. */
static void lay_halves(Drawing *d, const Course *course, Sight sight, int depth) {
    const Vec2 *at = course->at;
    sight = sight == SIGHT_ALL ? sight : sight_of(d, at);
    if (sight == SIGHT_NONE)
        return;
    if (depth == 0 || is_straight(at)) {
        lay_course(d, course);
        return;
    }
    Vec2 l1 = halfway(at[0], at[1]), r2 = halfway(at[2], at[3]), top = halfway(at[1], at[2]);
    Vec2 l2 = halfway(l1, top), r1 = halfway(top, r2), middle = halfway(l2, r1);
    Vec2 way = from_to(l2, r1);
    way = way.x == 0 && way.y == 0 ? from_to(at[0], at[3]) : way;
    Course first = {{at[0], l1, l2, middle}, course->way_a,    way,
                    course->start,           course->is_first, false};
    Course last = {{middle, r1, r2, at[3]}, way,   course->way_b,
                   course->start,           false, course->is_last};
    if (d->stroke.dash_on > 0)
        last.start += course_length(first.at);
    lay_halves(d, &first, sight, depth - 1);
    lay_halves(d, &last, sight, depth - 1);
}

/* The direction in which a curve leaves its first point; 0 where it goes nowhere. */
static Vec2 way_out(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
    const Vec2 tries[] = {from_to(a, b), from_to(a, c), from_to(a, d)};
    for (int i = 0; i < 3; i++)
        if (length_of(tries[i]) > 1e-3f)
            return tries[i];
    return (Vec2){0, 0};
}

void soft_whole_curve(const SoftPicture *picture, const PixelRect *clip, const PaintItem *item) {
    float number[12];
    for (int i = 0; i < 12; i++)
        number[i] = soft_number(item->words[i]);
    Drawing d = {.picture = picture, .clip = clip};
    Course all = {.is_first = true, .is_last = true};
    for (int i = 0; i < 4; i++)
        all.at[i] = (Vec2){number[2 * i], number[2 * i + 1]};
    const Vec2 *at = all.at;
    Vec2 back = way_out(at[3], at[2], at[1], at[0]);
    all.way_a = way_out(at[0], at[1], at[2], at[3]);
    all.way_b = (Vec2){-back.x, -back.y};
    set_colour(&d.stroke, item->words[9], number[8]);
    d.stroke.dash_on = number[10];
    d.stroke.period = number[10] + number[11];
    if (!(length_of(all.way_a) > 0 && length_of(all.way_b) > 0))
        return;
    lay_halves(&d, &all, SIGHT_PART, DEPTH_MAX);
}
