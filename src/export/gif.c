#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "export/film_format.h"

/* Writes a GIF, which loops for ever. Each picture after the first is the rectangle that changed,
 * with a palette of its own; its unchanged pixels are transparent. Source: GIF89a specification;
 * for the compression, appendix F, and Welch 1984. */

#define CLEAR     0 /* index of the transparent colour */
#define DELAY_MAX 65535
#define CODES     4096

#define COLOUR_CUT_MAX 256

typedef struct CutColour {
    uint32_t colour, count; /* count 0: a free slot */
    /* after colour_cut: index of the colour that replaces this one */
    uint8_t index;
} CutColour;

/* The colours of a picture, each with its number of pixels. All zero: no colours. */
typedef struct ColourCut {
    CutColour *slots; /* owned: a hash table */
    CutColour **list; /* owned: pointers to the slots in use; after colour_cut sorted by box */
    size_t used, capacity;
} ColourCut;

/* A box of colours: a range in the list of colours. */
typedef struct CutBox {
    size_t from, count;
    int axis; /* bit shift of the colour channel along which the box is cut */
    double mean;
    double error; /* sum of squared distances from the mean along the axis; if it is 0, the box is
                     not cut */
} CutBox;

static size_t slot_of(const ColourCut *cut, uint32_t colour) {
    size_t at = (colour * 0x9E3779B1u >> 8) % cut->capacity;
    while (cut->slots[at].count > 0 && cut->slots[at].colour != colour)
        at = (at + 1) % cut->capacity;
    return at;
}

static bool grow(ColourCut *cut) {
    ColourCut larger = {.capacity = cut->capacity > 0 ? 2 * cut->capacity : 4096};
    larger.slots = heap_get_zero(larger.capacity, sizeof *larger.slots);
    if (larger.slots == NULL)
        return false;
    for (size_t i = 0; i < cut->capacity; i++)
        if (cut->slots[i].count > 0)
            larger.slots[slot_of(&larger, cut->slots[i].colour)] = cut->slots[i];
    free(cut->slots);
    cut->slots = larger.slots;
    cut->capacity = larger.capacity;
    return true;
}

static void colour_cut_begin(ColourCut *cut) {
    if (cut->slots != NULL)
        memset(cut->slots, 0, cut->capacity * sizeof *cut->slots);
    cut->used = 0;
}

static bool colour_cut_add(ColourCut *cut, uint32_t colour) {
    if (2 * cut->used >= cut->capacity && !grow(cut))
        return false;
    CutColour *slot = &cut->slots[slot_of(cut, colour)];
    cut->used += slot->count == 0;
    slot->colour = colour;
    slot->count++;
    return true;
}

static CutBox measured(const ColourCut *cut, size_t from, size_t count) {
    CutBox box = {.from = from, .count = count};
    for (int axis = 0; axis <= 16; axis += 8) {
        double n = 0, sum = 0, squares = 0;
        for (size_t i = from; i < from + count; i++) {
            double value = cut->list[i]->colour >> axis & 255, weight = cut->list[i]->count;
            n += weight;
            sum += weight * value;
            squares += weight * value * value;
        }
        double error = squares - sum * sum / n;
        if (error > box.error)
            box = (CutBox){from, count, axis, sum / n, error};
    }
    return box;
}

/* Move the colours whose value along the axis is at most the mean to the front of the box. Return
 * their number. */
static size_t divide(ColourCut *cut, const CutBox *box) {
    size_t low = box->from;
    for (size_t i = box->from; i < box->from + box->count; i++) {
        CutColour *colour = cut->list[i];
        if ((colour->colour >> box->axis & 255) > box->mean)
            continue;
        cut->list[i] = cut->list[low];
        cut->list[low++] = colour;
    }
    return low - box->from;
}

/* Return the colour that replaces a box: the colour of more than half of its pixels, if there is
 * one, so that uniform areas keep their colour; otherwise the mean. */
static uint32_t name_box(ColourCut *cut, const CutBox *box, int index) {
    const CutColour *most = cut->list[box->from];
    uint64_t all = 0, sums[3] = {0};
    uint32_t mean = 0;
    for (size_t i = box->from; i < box->from + box->count; i++) {
        CutColour *colour = cut->list[i];
        colour->index = (uint8_t)index;
        most = colour->count > most->count ? colour : most;
        all += colour->count;
        for (int axis = 0; axis < 3; axis++)
            sums[axis] += (uint64_t)colour->count * (colour->colour >> 8 * axis & 255);
    }
    assert(all > 0);
    for (int axis = 0; axis < 3; axis++)
        mean |= (uint32_t)((sums[axis] + all / 2) / all) << 8 * axis;
    return 2 * (uint64_t)most->count > all ? most->colour : mean;
}

static bool make_list(ColourCut *cut) {
    size_t used = 0;
    CutColour **list = heap_resize(cut->list, (cut->used + 1) * sizeof *list);
    if (list == NULL)
        return false;
    cut->list = list;
    for (size_t i = 0; i < cut->capacity; i++)
        if (cut->slots[i].count > 0)
            list[used++] = &cut->slots[i];
    return true;
}

/* Choose at most `most` colours that replace all colours, and return their number; 0 if memory ran
 * out. Source: Heckbert 1982, median cut. Boxes are cut at their mean, the box with the largest
 * squared error first, as in Wu 1991. */
static int colour_cut(uint32_t out[COLOUR_CUT_MAX], ColourCut *cut, int most) {
    CutBox boxes[COLOUR_CUT_MAX];
    int count = 1, worst = 0;
    if (cut->used == 0 || !make_list(cut))
        return 0;
    for (boxes[0] = measured(cut, 0, cut->used); count < most; count++) {
        worst = 0;
        for (int i = 1; i < count; i++)
            worst = boxes[i].error > boxes[worst].error ? i : worst;
        if (!(boxes[worst].error > 0) || boxes[worst].count < 2)
            break;
        size_t from = boxes[worst].from, all = boxes[worst].count, low = divide(cut, &boxes[worst]);
        boxes[worst] = measured(cut, from, low);
        boxes[count] = measured(cut, from + low, all - low);
    }
    for (int i = 0; i < count; i++)
        out[i] = name_box(cut, &boxes[i], i);
    return count;
}

static int colour_cut_index(const ColourCut *cut, uint32_t colour) {
    return cut->slots[slot_of(cut, colour)].index;
}

static void colour_cut_release(ColourCut *cut) {
    free(cut->slots);
    free(cut->list);
    *cut = (ColourCut){0};
}

typedef struct Gif {
    ColourCut cut;
    int symbol_bits; /* bits of a symbol, 2 to 8: symbols are below 1 << symbol_bits */
    /* next[code][symbol]: the code of the string of `code` followed by the symbol, or 0. */
    uint16_t next[CODES][256];
    int code;             /* code of the current string; -1 for none */
    int count, code_bits; /* number of codes in use; bits of a code */
    uint32_t bits;        /* bits not yet written */
    int bit_count;
    unsigned char block[256]; /* block[0]: number of bytes after it, not yet written */
} Gif;

static void release(FilmWriter *w) {
    colour_cut_release(&((Gif *)w->state)->cut);
}

#define LOW(value)  ((unsigned char)(value))
#define HIGH(value) ((unsigned char)((value) >> 8))
#define WORD(value) LOW(value), HIGH(value)

static bool begin(FilmWriter *w, Err *err) {
    const unsigned char size[] = {WORD(w->shape.width), WORD(w->shape.height), 0x70, 0, 0};
    static const unsigned char loop[] = "\x21\xFF\x0BNETSCAPE2.0\x03\x01\x00\x00";
    return film_put(w, "GIF89a", 6, err) && film_put(w, size, sizeof size, err) &&
           film_put(w, loop, sizeof loop, err);
}

/* Write the waiting bytes if there are at least `least`. */
static bool put_block(FilmWriter *w, int least, Err *err) {
    Gif *gif = w->state;
    if (gif->block[0] < least)
        return true;
    bool put = film_put(w, gif->block, 1 + (size_t)gif->block[0], err);
    gif->block[0] = 0;
    return put;
}

static bool put_code(FilmWriter *w, int code, Err *err) {
    Gif *gif = w->state;
    bool put = true;
    gif->bits |= (uint32_t)code << gif->bit_count;
    for (gif->bit_count += gif->code_bits; gif->bit_count >= 8; gif->bit_count -= 8) {
        gif->block[++gif->block[0]] = LOW(gif->bits);
        gif->bits >>= 8;
        put = put_block(w, 255, err) && put;
    }
    return put;
}

/* Write the code that empties the table of strings. The first two codes after the symbols mean
 * "clear" and "end". */
static bool clear(FilmWriter *w, Err *err) {
    Gif *gif = w->state;
    int symbols = 1 << gif->symbol_bits;
    bool put = put_code(w, symbols, err);
    memset(gif->next, 0, (size_t)symbols * sizeof gif->next[0]);
    gif->count = symbols + 2;
    gif->code_bits = gif->symbol_bits + 1;
    return put;
}

/* Add a symbol to the current string. If the longer string is not in the table, write the code of
 * the current string and add the longer one to the table. */
static bool put_symbol(FilmWriter *w, int symbol, Err *err) {
    Gif *gif = w->state;
    int before = gif->code, known = before < 0 ? symbol : gif->next[before][symbol];
    gif->code = known;
    if (before < 0 || known != 0)
        return true;
    gif->code = symbol;
    bool put = put_code(w, before, err);
    if (gif->count == CODES)
        return clear(w, err) && put;
    if (gif->count == 1 << gif->code_bits)
        gif->code_bits++;
    memset(gif->next[gif->count], 0, sizeof gif->next[0]);
    gif->next[before][symbol] = (uint16_t)gif->count++;
    return put;
}

/* Return the index, in the whole picture, of pixel i of the rectangle p->rect. */
static size_t place(const FilmWriter *w, const FilmPicture *p, int i) {
    int y = p->rect.y + i / p->rect.width, x = p->rect.x + i % p->rect.width;
    return (size_t)y * (size_t)w->shape.width + (size_t)x;
}

static bool stays(const FilmPicture *p, size_t at) {
    return p->before != NULL && p->before[at] == p->pixels[at];
}

/* Choose the colours for the changed pixels, and write the picture's header with them. Index 0 is
 * the transparent colour. */
static bool put_palette(FilmWriter *w, const FilmPicture *p, Err *err) {
    Gif *gif = w->state;
    uint32_t colours[COLOUR_CUT_MAX];
    unsigned char palette[3 * COLOUR_CUT_MAX] = {0};
    colour_cut_begin(&gif->cut);
    bool added = true;
    for (int i = 0; i < p->rect.width * p->rect.height && added; i++) {
        size_t at = place(w, p, i);
        added = stays(p, at) || colour_cut_add(&gif->cut, p->pixels[at]);
    }
    int count = added ? colour_cut(colours, &gif->cut, COLOUR_CUT_MAX - 1) : 0;
    if (count == 0)
        return err_fail(err, "memory", "too little for a GIF; use a smaller --size");
    for (gif->symbol_bits = 2; 1 << gif->symbol_bits < count + 1;)
        gif->symbol_bits++;
    for (int i = 0; i < count; i++)
        for (int channel = 0; channel < 3; channel++)
            palette[3 * (i + 1) + channel] = LOW(colours[i] >> (16 - 8 * channel));
    const FilmRect *r = &p->rect;
    const unsigned char head[] = {
        0x2C,           WORD(r->x),      WORD(r->y),
        WORD(r->width), WORD(r->height), LOW(0x80 | (gif->symbol_bits - 1))};
    const unsigned char bits = LOW(gif->symbol_bits);
    return film_put(w, head, sizeof head, err) &&
           film_put(w, palette, (size_t)3 << gif->symbol_bits, err) && film_put(w, &bits, 1, err);
}

static bool put_pixels(FilmWriter *w, const FilmPicture *p, Err *err) {
    Gif *gif = w->state;
    gif->code = -1;
    gif->code_bits = gif->symbol_bits + 1;
    bool put = clear(w, err);
    for (int i = 0; i < p->rect.width * p->rect.height && put; i++) {
        size_t at = place(w, p, i);
        put = put_symbol(w, stays(p, at) ? CLEAR : 1 + colour_cut_index(&gif->cut, p->pixels[at]),
                         err);
    }
    put = put && put_code(w, gif->code, err);
    if (gif->count == 1 << gif->code_bits && gif->code_bits < 12)
        /* A reader adds a string after the last code, so the end code is one bit longer. */
        gif->code_bits++;
    put = put && put_code(w, (1 << gif->symbol_bits) + 1, err);
    if (gif->bit_count > 0)
        gif->block[++gif->block[0]] = LOW(gif->bits);
    gif->bits = 0;
    gif->bit_count = 0;
    return put && put_block(w, 1, err) && film_put(w, "", 1, err);
}

/* Return the time of a frame in hundredths of a second. It is computed from the frame's number, so
 * that rounding errors do not accumulate. */
static long hundredths(const FilmWriter *w, long frame) {
    return (frame * 100 + w->shape.fps / 2) / w->shape.fps;
}

static bool put_picture(FilmWriter *w, const FilmPicture *p, long delay, Err *err) {
    const unsigned char control[] = {0x21,        0xF9,  4, LOW(1 << 2 | (p->before != NULL)),
                                     WORD(delay), CLEAR, 0};
    return film_put(w, control, sizeof control, err) && put_palette(w, p, err) &&
           put_pixels(w, p, err);
}

static bool show(FilmWriter *w, const FilmPicture *p, Err *err) {
    long delay = hundredths(w, p->first + p->count) - hundredths(w, p->first);
    bool put = put_picture(w, p, delay < DELAY_MAX ? delay : DELAY_MAX, err);
    /* A longer delay continues in pictures that repeat one pixel. */
    const FilmPicture pixel = {.pixels = p->pixels, .rect = {0, 0, 1, 1}};
    while (put && (delay -= DELAY_MAX) > 0)
        put = put_picture(w, &pixel, delay < DELAY_MAX ? delay : DELAY_MAX, err);
    return put;
}

static bool end(FilmWriter *w, Err *err) {
    return film_put(w, "\x3B", 1, err);
}

const FilmFormat FILM_GIF = {
    .fps = 25,
    .fps_most = 50,
    .state_bytes = sizeof(Gif),
    .begin = begin,
    .show = show,
    .end = end,
    .release = release,
};
