#include "gfx/text.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <utf8proc.h>

#include "base/rng.h"
#include "base/utf8.h"
#include "base/util.h"
#include "draw/bidi.h"
#include "gfx/width_cache.h"

/* Maximum number of clusters of a run. CLUSTER_BYTES_MAX times this fits into TEXT_RUN_BYTES. */
#define RUN_CLUSTERS  48
#define RUN_WIDTH_PX  1600  /* px: largest width of a run's image that fits an atlas well */
#define BITMAP_HEIGHT 1.12f /* height of colour emoji as a multiple of the text's size */

int text_size_px(float size_px) {
    return (int)fminf(FONTS_SIZE_MAX, fmaxf(1, roundf(size_px)));
}

void text_copy_run(char *out, size_t capacity, const TextRun *run) {
    size_t used = 0, length;
    for (size_t at = 0; at < run->bytes && used + 5 <= capacity; at += length) {
        uint32_t code_point = utf8_decode(run->text, run->bytes, at, &length);
        if (code_point >= 0x20)
            used += utf8_encode(out + used, code_point);
    }
    out[used] = '\0';
}

void text_shape_for(TTF_Font *ttf, const TextRun *run) {
    TTF_SetFontDirection(ttf, run->is_rtl ? TTF_DIRECTION_RTL : TTF_DIRECTION_LTR);
    TTF_SetFontScriptName(ttf, run->script->code);
}

float text_bitmap_scale(TTF_Font *ttf, int size_px) {
    int height = TTF_FontHeight(ttf);
    return height > 0 ? BITMAP_HEIGHT * (float)size_px / (float)height : 0;
}

bool text_size(TTF_Font *ttf, const char *text, int *width, int *height) {
    bool done = TTF_SizeUTF8(ttf, text, width, height) == 0;
    /* A shaper that runs out of memory reports a width of 0 and no error, so measure again. */
    if (done && *width <= 0)
        done = TTF_SizeUTF8(ttf, text, width, height) == 0;
    return done;
}

static uint64_t cache_key(uint64_t kind, uint64_t a, uint64_t b, const char *text, size_t bytes) {
    uint64_t parts[4] = {kind, a, b, rng_hash(text, bytes)};
    uint64_t key = rng_hash(parts, sizeof parts);
    return key != 0 ? key : 1;
}

/* Measure between two spaces, without the overhang of letters. Return false if memory ran out. */
static bool find_advance(float *advance, TTF_Font *ttf, const TextRun *run) {
    char text[TEXT_RUN_BYTES + 8] = " ";
    int spaces = 0, width = 0;
    text_copy_run(text + 1, TEXT_RUN_BYTES, run);
    size_t bytes = strlen(text);
    text[bytes] = ' ', text[bytes + 1] = '\0';
    text_shape_for(ttf, run);
    bool done = text_size(ttf, "  ", &spaces, NULL) && text_size(ttf, text, &width, NULL);
    *advance = fmaxf(0, (float)(width - spaces));
    return done;
}

static float unit_width(GfxFonts *fonts, const TextRun *run) {
    if (run->face == FONTS_NO_FACE)
        return TEXT_BOX_ADVANCE * (float)run->clusters;
    WidthCache *cache = fonts_width_cache(fonts);
    uint64_t face = (uint64_t)run->face << 1 | run->is_rtl;
    uint64_t key = cache_key(0, face, 0, run->text, run->bytes);
    float width = 0;
    if (width_cache_find(cache, &width, key))
        return width;
    TTF_Font *ttf = fonts_open(fonts, run->face, FONTS_REFERENCE_PX);
    if (ttf == NULL)
        return TEXT_BOX_ADVANCE * (float)run->clusters;
    bool is_bitmap = fonts_is_bitmap(fonts, run->face);
    float unit = is_bitmap ? text_bitmap_scale(ttf, 1) : 1.0f / FONTS_REFERENCE_PX;
    bool done = find_advance(&width, ttf, run);
    fonts_note_shortage(fonts);
    if (!done) {
        fonts_note_failure(fonts);
        return TEXT_BOX_ADVANCE * (float)run->clusters;
    }
    width *= unit;
    width_cache_add(cache, key, width);
    return width;
}

float text_layout(GfxFonts *fonts, Font font, int size_px, const char *text, size_t bytes,
                  TextDirection direction, TextRunFn run_fn, void *context) {
    TextRun runs[ITEMIZE_CLUSTERS];
    bool is_mono = font == FONT_MONO || font == FONT_MONO_BOLD;
    int run_clusters = RUN_WIDTH_PX / size_px;
    run_clusters =
        run_clusters < 1 ? 1 : (run_clusters > RUN_CLUSTERS ? RUN_CLUSTERS : run_clusters);
    float x = 0;
    for (size_t at = 0, taken; at < bytes; at += taken) {
        int count =
            itemize(runs, &taken, fonts, font, text + at, bytes - at, direction, run_clusters);
        for (int i = 0; i < count; i++) {
            float width = unit_width(fonts, &runs[i]) * (float)size_px;
            width = is_mono ? roundf(width) : width;
            if (run_fn != NULL)
                run_fn(context, &runs[i], x, width);
            x += width;
        }
    }
    return x;
}

static float measure_width(void *context, Font font, float size_px, const char *text,
                           size_t bytes) {
    GfxFonts *fonts = context;
    int size = text_size_px(size_px);
    if (bytes == 0)
        return 0;
    uint64_t key = cache_key(1, (uint64_t)font, (uint64_t)size, text, bytes);
    float width;
    if (width_cache_find(fonts_width_cache(fonts), &width, key))
        return width;
    width = text_layout(fonts, font, size, text, bytes, TEXT_AUTO, NULL, NULL);
    width_cache_add(fonts_width_cache(fonts), key, width);
    return width;
}

static FontMetrics measure_metrics(void *context, Font font, float size_px) {
    return fonts_metrics(context, font, (float)text_size_px(size_px));
}

static uint32_t first_missing(void *context, const char *text, size_t bytes) {
    size_t length;
    for (size_t at = 0; at < bytes; at += length) {
        uint32_t code_point = utf8_decode(text, bytes, at, &length);
        bool shows = code_point > 0x20 && !(code_point >= 0x7F && code_point <= 0xA0) &&
                     !itemize_is_ignorable(code_point);
        if (shows && fonts_face(context, FONT_SANS, code_point, false) == FONTS_NO_FACE)
            return code_point;
    }
    return 0;
}

TextMeasure text_measure(GfxFonts *fonts) {
    return (TextMeasure){fonts, measure_width, measure_metrics, first_missing};
}

#define CLUSTER_BYTES_MAX 64
#define VARIATION_TEXT    0xFE0Eu
#define VARIATION_EMOJI   0xFE0Fu

typedef struct Cluster {
    size_t at, bytes;
    int face;
    const Script *script;
    uint8_t level; /* bidi_levels; odd: from right to left */
} Cluster;

bool itemize_is_ignorable(uint32_t code_point) {
    return utf8proc_get_property((utf8proc_int32_t)code_point)->ignorable;
}

/* True for emoji that are in colour unless a selector says otherwise. Source: Unicode's
 * Emoji_Presentation, by blocks. */
static bool is_emoji(uint32_t code_point) {
    return code_point >= 0x1F1E6 && code_point <= 0x1FAFF &&
           !(code_point >= 0x1F650 && code_point < 0x1F680) &&
           !(code_point >= 0x1F700 && code_point < 0x1F7E0) &&
           !(code_point >= 0x1F800 && code_point < 0x1F900);
}

/* Return the bytes of the first cluster. *second: its second code point, or 0. A base character
 * with too many marks is cut, so that clusters stay short. */
static size_t cluster_bytes(const char *text, size_t bytes, uint32_t *second) {
    size_t length, at;
    utf8proc_int32_t state = 0;
    uint32_t before = utf8_decode(text, bytes, 0, &at);
    *second = 0;
    while (at < bytes && at < CLUSTER_BYTES_MAX) {
        uint32_t here = utf8_decode(text, bytes, at, &length);
        if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)before, (utf8proc_int32_t)here,
                                             &state))
            break;
        *second = *second != 0 ? *second : here;
        before = here;
        at += length;
    }
    return at;
}

static int cluster_face(GfxFonts *fonts, Font font, uint32_t first, uint32_t second) {
    if (is_control(first))
        return FONTS_NO_FACE;
    bool wants_colour = second == VARIATION_EMOJI || (is_emoji(first) && second != VARIATION_TEXT);
    int face = wants_colour ? fonts_face(fonts, font, first, true) : FONTS_NO_FACE;
    if (face == FONTS_NO_FACE)
        face = fonts_face(fonts, font, first, false);
    if (face == FONTS_NO_FACE && itemize_is_ignorable(first))
        face = fonts_face(fonts, font, ' ', false);
    return face;
}

/* Give a cluster without a script that of the previous cluster; at the start of the text, that of
 * the next cluster with a script. If no cluster has one, use Latin. */
static void spread_scripts(Cluster *clusters, int count) {
    const Script *script = &SCRIPT_LATIN;
    for (int i = count; i-- > 0;)
        script = clusters[i].script != NULL ? clusters[i].script : script;
    for (int i = 0; i < count; i++) {
        script = clusters[i].script != NULL ? clusters[i].script : script;
        clusters[i].script = script;
    }
}

/* Join neighbouring clusters of one face, script and level to runs, in logical order. */
static int join_clusters(TextRun *runs, uint8_t *levels, const Cluster *clusters, int count,
                         const char *text, Font font, int run_clusters) {
    bool mono = font == FONT_MONO || font == FONT_MONO_BOLD;
    int made = 0;
    for (int i = 0; i < count; i++) {
        const Cluster *c = &clusters[i];
        TextRun *run = made > 0 ? &runs[made - 1] : NULL;
        bool joins = run != NULL && (!mono || c->script->is_shaped) && run->face == c->face &&
                     run->script == c->script && levels[made - 1] == c->level;
        /* End after a space if the run is more than three quarters full, so that no word is cut. */
        bool is_full =
            joins && (run->clusters >= run_clusters ||
                      (run->text[run->bytes - 1] == ' ' && run->clusters * 4 > run_clusters * 3));
        if (joins && !is_full) {
            run->bytes += c->bytes;
            run->clusters++;
            continue;
        }
        levels[made] = c->level;
        runs[made++] = (TextRun){.text = text + c->at,
                                 .bytes = c->bytes,
                                 .face = c->face,
                                 .clusters = 1,
                                 .is_rtl = c->level % 2 == 1,
                                 .script = c->script};
    }
    return made;
}

static int find_clusters(Cluster clusters[ITEMIZE_CLUSTERS], GfxFonts *fonts, Font font,
                         const char *text, size_t bytes) {
    int count = 0, end = ITEMIZE_CLUSTERS;
    size_t at = 0;
    while (at < bytes && count < ITEMIZE_CLUSTERS) {
        uint32_t second;
        size_t length, size = cluster_bytes(text + at, bytes - at, &second);
        uint32_t first = utf8_decode(text + at, bytes - at, 0, &length);
        clusters[count++] = (Cluster){.at = at,
                                      .bytes = size,
                                      .face = cluster_face(fonts, font, first, second),
                                      .script = script_of(first)};
        at += size;
    }
    if (at == bytes)
        return count;
    /* More text follows: end after the last blank in the second half, so that no word is cut. */
    while (end > ITEMIZE_CLUSTERS / 2 && text[clusters[end - 1].at] != ' ')
        end--;
    return end > ITEMIZE_CLUSTERS / 2 ? end : count;
}

int itemize(TextRun runs[ITEMIZE_CLUSTERS], size_t *taken, GfxFonts *fonts, Font font,
            const char *text, size_t bytes, TextDirection direction, int run_clusters) {
    Cluster clusters[ITEMIZE_CLUSTERS];
    TextRun logical[ITEMIZE_CLUSTERS];
    uint8_t levels[ITEMIZE_CLUSTERS * (CLUSTER_BYTES_MAX + 4)];
    int order[ITEMIZE_CLUSTERS], count = find_clusters(clusters, fonts, font, text, bytes);
    *taken = count > 0 ? clusters[count - 1].at + clusters[count - 1].bytes : 0;
    assert(*taken <= sizeof levels);
    spread_scripts(clusters, count);
    if (direction != TEXT_RTL && !bidi_is_needed(text, *taken))
        return join_clusters(runs, levels, clusters, count, text, font, run_clusters);
    bidi_levels(levels, text, *taken, direction);
    for (int i = 0; i < count; i++)
        clusters[i].level = levels[clusters[i].at];
    count = join_clusters(logical, levels, clusters, count, text, font, run_clusters);
    bidi_order(order, levels, count);
    for (int i = 0; i < count; i++)
        runs[i] = logical[order[i]];
    return count;
}

typedef struct ScriptBlock {
    uint32_t first, last;
    Script script;
} ScriptBlock;

const Script SCRIPT_LATIN = {"Latn", false};

/* Sorted by code points. */
static const ScriptBlock BLOCKS[] = {
    {0x0041, 0x005A, {"Latn", false}},   {0x0061, 0x007A, {"Latn", false}},
    {0x00C0, 0x02AF, {"Latn", false}},   {0x0370, 0x03FF, {"Grek", false}},
    {0x0400, 0x052F, {"Cyrl", false}},   {0x0530, 0x058F, {"Armn", false}},
    {0x0591, 0x05FF, {"Hebr", true}},    {0x0600, 0x06FF, {"Arab", true}},
    {0x0700, 0x074F, {"Syrc", true}},    {0x0750, 0x077F, {"Arab", true}},
    {0x0780, 0x07BF, {"Thaa", true}},    {0x07C0, 0x07FF, {"Nkoo", true}},
    {0x0840, 0x085F, {"Mand", true}},    {0x0860, 0x086F, {"Syrc", true}},
    {0x0870, 0x08FF, {"Arab", true}},    {0x0900, 0x097F, {"Deva", true}},
    {0x0980, 0x09FF, {"Beng", true}},    {0x0A00, 0x0A7F, {"Guru", true}},
    {0x0A80, 0x0AFF, {"Gujr", true}},    {0x0B00, 0x0B7F, {"Orya", true}},
    {0x0B80, 0x0BFF, {"Taml", true}},    {0x0C00, 0x0C7F, {"Telu", true}},
    {0x0C80, 0x0CFF, {"Knda", true}},    {0x0D00, 0x0D7F, {"Mlym", true}},
    {0x0D80, 0x0DFF, {"Sinh", true}},    {0x0E00, 0x0E7F, {"Thai", true}},
    {0x0E80, 0x0EFF, {"Laoo", true}},    {0x0F00, 0x0FFF, {"Tibt", true}},
    {0x1000, 0x109F, {"Mymr", true}},    {0x10A0, 0x10FF, {"Geor", false}},
    {0x1100, 0x11FF, {"Hang", true}},    {0x1200, 0x139F, {"Ethi", false}},
    {0x13A0, 0x13FF, {"Cher", false}},   {0x1780, 0x17FF, {"Khmr", true}},
    {0x1800, 0x18AF, {"Mong", true}},    {0x1C80, 0x1C8F, {"Cyrl", false}},
    {0x1E00, 0x1EFF, {"Latn", false}},   {0x1F00, 0x1FFF, {"Grek", false}},
    {0x2DE0, 0x2DFF, {"Cyrl", false}},   {0x2E80, 0x2FDF, {"Hani", false}},
    {0x3041, 0x309F, {"Hira", false}},   {0x30A0, 0x30FF, {"Kana", false}},
    {0x3100, 0x312F, {"Bopo", false}},   {0x3130, 0x318F, {"Hang", true}},
    {0x31F0, 0x31FF, {"Kana", false}},   {0x3400, 0x4DBF, {"Hani", false}},
    {0x4E00, 0x9FFF, {"Hani", false}},   {0xA640, 0xA69F, {"Cyrl", false}},
    {0xA720, 0xA7FF, {"Latn", false}},   {0xA8E0, 0xA8FF, {"Deva", true}},
    {0xA960, 0xA97F, {"Hang", true}},    {0xAC00, 0xD7FF, {"Hang", true}},
    {0xF900, 0xFAFF, {"Hani", false}},   {0xFB00, 0xFB06, {"Latn", false}},
    {0xFB13, 0xFB17, {"Armn", false}},   {0xFB1D, 0xFB4F, {"Hebr", true}},
    {0xFB50, 0xFDFF, {"Arab", true}},    {0xFE70, 0xFEFE, {"Arab", true}},
    {0xFF21, 0xFF5A, {"Latn", false}},   {0xFF66, 0xFF9F, {"Kana", false}},
    {0x10900, 0x1091F, {"Phnx", false}}, {0x1E900, 0x1E95F, {"Adlm", true}},
    {0x1EE00, 0x1EEFF, {"Arab", true}},  {0x20000, 0x323AF, {"Hani", false}},
};

const Script *script_of(uint32_t code_point) {
    size_t low = 0, high = ARRAY_COUNT(BLOCKS);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code_point > BLOCKS[middle].last)
            low = middle + 1;
        else
            high = middle;
    }
    bool inside = low < ARRAY_COUNT(BLOCKS) && code_point >= BLOCKS[low].first;
    return inside ? &BLOCKS[low].script : NULL;
}
