#include "gfx/soft.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "gfx/soft_items.h"

#define NO_LINK (-1)
/* maximum number of tiles that one thread draws alone, because waking another takes longer */
#define ALONE_MOST 3

/* A list of the items that touch a tile, in drawing order. */
typedef struct SoftLink {
    int item, next; /* next: a link, or NO_LINK */
} SoftLink;

typedef struct SoftTile {
    int first; /* a link; NO_LINK if no item touches the tile */
    /* Hash of the items in this frame, and of the items that the pixels show. */
    uint64_t hash, drawn;
    bool has_ground; /* this frame draws the tile's background */
    bool is_changed; /* true if the tile was drawn since soft_mark_shown */
} SoftTile;

struct Soft {
    GfxFonts *fonts; /* borrowed */
    Atlas atlas;
    Colour *palettes; /* owned */
    SoftPicture picture;
    SoftTile *tiles; /* owned */
    int tile_columns, tile_count;
    PaintItem *items; /* owned */
    int item_count, link_count;
    size_t item_capacity, link_capacity;
    SoftLink *links; /* owned */
    int *stale;      /* owned: indices of the tiles to draw; has room for tile_count */
    int stale_count;
    Colour ground;
    /* The atlas was cleared in this frame, so hashes do not show which items changed. */
    bool is_split;
    bool lacks_memory; /* an item of this frame is missing */
    JobPool pool;      /* its threads share the tiles */
};

bool soft_create(Soft **out, GfxFonts *fonts, JobPool pool, Err *err) {
    Soft *soft = *out = heap_get_zero(1, sizeof *soft);
    if (soft != NULL && atlas_create(&soft->atlas) && (soft->palettes = paint_palettes()) != NULL) {
        soft->fonts = fonts;
        soft->pool = pool;
        return true;
    }
    soft_release(soft);
    *out = NULL;
    return err_fail(err, "drawing", "out of memory");
}

void soft_release(Soft *soft) {
    if (soft == NULL)
        return;
    atlas_release(&soft->atlas);
    free(soft->palettes);
    free(soft->picture.pixels);
    free(soft->tiles);
    free(soft->stale);
    free(soft->items);
    free(soft->links);
    free(soft);
}

static bool fit(Soft *soft, int width, int height, Err *err) {
    if (width < 1 || height < 1 || width > SOFT_SIDE_MAX || height > SOFT_SIDE_MAX)
        return err_fail(err, "size", "%dx%d is outside 1x1 to %dx%d", width, height, SOFT_SIDE_MAX,
                        SOFT_SIDE_MAX);
    if (soft->picture.width == width && soft->picture.height == height)
        return true;
    int columns = (width + SOFT_TILE_WIDTH - 1) / SOFT_TILE_WIDTH;
    int count = columns * ((height + SOFT_TILE_HEIGHT - 1) / SOFT_TILE_HEIGHT);
    free(soft->picture.pixels);
    free(soft->tiles);
    free(soft->stale);
    soft->picture =
        (SoftPicture){.pixels = heap_get((size_t)width * (size_t)height * sizeof(uint32_t)),
                      .width = width,
                      .height = height,
                      .palettes = soft->palettes,
                      .sheets = soft->atlas.sheets};
    soft->tiles = heap_get_zero((size_t)count, sizeof *soft->tiles);
    soft->stale = heap_get((size_t)count * sizeof *soft->stale);
    soft->tile_columns = columns;
    soft->tile_count = count;
    if (soft->picture.pixels != NULL && soft->tiles != NULL && soft->stale != NULL)
        return true;
    soft->picture.width = soft->picture.height = soft->tile_count = 0;
    return err_fail(err, "size", "there is no memory for %dx%d pixels", width, height);
}

/* The Painter's function `add`. */
static void add_item(void *context, const PaintItem *item) {
    Soft *soft = context;
    PaintItem *items =
        heap_grow(soft->items, &soft->item_capacity, (size_t)soft->item_count + 1, sizeof *items);
    if (items == NULL) {
        soft->lacks_memory = true;
        return;
    }
    soft->items = items;
    items[soft->item_count++] = *item;
}

static uint64_t hash_word(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static uint64_t item_hash(const Soft *soft, const PaintItem *item) {
    uint64_t hash =
        hash_word((uint64_t)item->kind, (uint64_t)item->clip.left << 32 | (uint64_t)item->clip.top);
    hash = hash_word(hash, (uint64_t)item->clip.right << 32 | (uint64_t)item->clip.bottom);
    for (int i = 0; i < PAINT_WORD_COUNTS[item->kind]; i += 2)
        hash = hash_word(hash, (uint64_t)item->as.words[i] << 32 | item->as.words[i + 1]);
    /* after a clearing, the same place in the atlas shows another run */
    if (item->kind == DRAW_TEXT)
        hash = hash_word(hash, soft->atlas.clearings);
    if (item->kind == DRAW_CELLS)
        hash = hash_word(hash_word(hash, item->cells->hash), item->cells->before_hash);
    return hash;
}

/* Build the list of each tile. Start with the last item, because a link is added at the front. */
static void sort_items(Soft *soft) {
    for (int i = 0; i < soft->tile_count; i++)
        soft->tiles[i].first = NO_LINK;
    for (int i = soft->item_count; i-- > 0;) {
        const PixelRect *clip = &soft->items[i].clip;
        uint64_t hash = item_hash(soft, &soft->items[i]);
        int right = (clip->right - 1) / SOFT_TILE_WIDTH;
        int bottom = (clip->bottom - 1) / SOFT_TILE_HEIGHT;
        for (int y = clip->top / SOFT_TILE_HEIGHT; y <= bottom; y++)
            for (int x = clip->left / SOFT_TILE_WIDTH; x <= right; x++) {
                SoftTile *tile = &soft->tiles[y * soft->tile_columns + x];
                tile->hash = hash_word(tile->hash, hash);
                SoftLink *links = heap_grow(soft->links, &soft->link_capacity,
                                            (size_t)soft->link_count + 1, sizeof *links);
                if (links == NULL) {
                    soft->lacks_memory = true;
                    return;
                }
                soft->links = links;
                links[soft->link_count] = (SoftLink){i, tile->first};
                tile->first = soft->link_count++;
            }
    }
}

static PixelRect tile_rect(const Soft *soft, int index) {
    int x = index % soft->tile_columns * SOFT_TILE_WIDTH;
    int y = index / soft->tile_columns * SOFT_TILE_HEIGHT;
    PixelRect rect = {x, y, x + SOFT_TILE_WIDTH, y + SOFT_TILE_HEIGHT};
    return pixel_rect_within(&rect, &(PixelRect){0, 0, soft->picture.width, soft->picture.height});
}

/* Several threads call this for different tiles. */
static void draw_tile(const void *context, int nth) {
    static SoftItemFn *const draws[] = {
        [DRAW_BOX] = soft_box,     [DRAW_CURVE] = soft_curve, [DRAW_TRIANGLE] = soft_triangle,
        [DRAW_CELLS] = soft_cells, [DRAW_TEXT] = soft_text,
    };
    const Soft *soft = context;
    SoftTile *tile = &soft->tiles[soft->stale[nth]];
    PixelRect rect = tile_rect(soft, soft->stale[nth]);
    SoftColour ground = soft_colour(soft->ground | 0xFFu);
    for (int y = rect.top; !tile->has_ground && y < rect.bottom; y++)
        soft_lay(soft_row(&soft->picture, y), rect.left, rect.right, ground);
    for (int i = tile->first; i != NO_LINK; i = soft->links[i].next) {
        const PaintItem *item = &soft->items[soft->links[i].item];
        PixelRect clip = pixel_rect_within(&rect, &item->clip);
        draws[item->kind](&soft->picture, &clip, item);
    }
    tile->has_ground = tile->is_changed = true;
}

/* Draw the items added so far, in tiles whose pixels do not show them yet. */
static void draw_tiles(Soft *soft) {
    sort_items(soft);
    soft->stale_count = 0;
    for (int i = 0; i < soft->tile_count; i++) {
        SoftTile *tile = &soft->tiles[i];
        if (tile->hash != tile->drawn || soft->is_split)
            soft->stale[soft->stale_count++] = i;
        tile->drawn = soft->is_split || soft->lacks_memory ? 0 : tile->hash;
    }
    if (soft->stale_count > ALONE_MOST)
        job_share(&soft->pool, draw_tile, soft, soft->stale_count);
    else
        for (int i = 0; i < soft->stale_count; i++)
            draw_tile(soft, i);
    soft->item_count = soft->link_count = 0;
}

/* The Painter's function `flush`. Later items are drawn on top. */
static void flush(void *context) {
    Soft *soft = context;
    soft->is_split = true;
    draw_tiles(soft);
}

bool soft_draw(Soft *soft, const DrawList *list, int width_px, int height_px, Err *err) {
    if (!fit(soft, width_px, height_px, err))
        return false;
    Painter painter = {.atlas = &soft->atlas,
                       .fonts = soft->fonts,
                       .list = list,
                       .frame = {0, 0, width_px, height_px},
                       .add = add_item,
                       .flush = flush,
                       .context = soft};
    soft->ground = list->ground;
    soft->is_split = soft->lacks_memory = false;
    for (int i = 0; i < soft->tile_count; i++) {
        soft->tiles[i].hash = hash_word(0, ~(uint64_t)list->ground);
        soft->tiles[i].has_ground = false;
    }
    paint_list(&painter);
    draw_tiles(soft);
    return !(painter.lacks_memory || soft->lacks_memory) ||
           err_fail(err, "memory", "too little to draw all of the picture; close other programs");
}

uint32_t *soft_pixels(Soft *soft, int *width_px, int *height_px) {
    *width_px = soft->picture.width;
    *height_px = soft->picture.height;
    return soft->picture.pixels;
}

int soft_changes(PixelRect changes[SOFT_CHANGES_MAX], const Soft *soft) {
    int count = 0, row = -1;
    for (int i = 0; i < soft->tile_count; i++) {
        if (!soft->tiles[i].is_changed)
            continue;
        PixelRect rect = tile_rect(soft, i);
        if (i / soft->tile_columns == row)
            changes[count - 1].right = rect.right;
        else
            changes[count++] = rect;
        row = i / soft->tile_columns;
    }
    return count;
}

void soft_mark_shown(Soft *soft) {
    for (int i = 0; i < soft->tile_count; i++)
        soft->tiles[i].is_changed = false;
}

void soft_read(const Soft *soft, unsigned char *rgba) {
    const uint32_t *pixels = soft->picture.pixels;
    size_t count = (size_t)soft->picture.width * (size_t)soft->picture.height;
    for (size_t i = 0; i < count; i++, rgba += 4) {
        rgba[0] = (unsigned char)(pixels[i] >> 16);
        rgba[1] = (unsigned char)(pixels[i] >> 8);
        rgba[2] = (unsigned char)pixels[i];
        rgba[3] = 255;
    }
}
