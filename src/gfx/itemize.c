#include "gfx/itemize.h"

#include <utf8proc.h>

#include "base/utf8.h"

#define CLUSTER_BYTES_MAX 64
#define VARIATION_TEXT    0xFE0Eu
#define VARIATION_EMOJI   0xFE0Fu

typedef enum Direction {
    DIRECTION_NEUTRAL,
    DIRECTION_LTR,
    DIRECTION_RTL,
    DIRECTION_NUMBER,
} Direction;

typedef struct Cluster {
    size_t at, bytes;
    int face;
    const Script *script;
    Direction direction;
    bool joins_digits; /* a separator, such as the point in 0.5 */
    uint8_t level;     /* odd is right-to-left */
} Cluster;

static const Direction DIRECTIONS[] = {
    [UTF8PROC_BIDI_CLASS_L] = DIRECTION_LTR,     [UTF8PROC_BIDI_CLASS_R] = DIRECTION_RTL,
    [UTF8PROC_BIDI_CLASS_AL] = DIRECTION_RTL,    [UTF8PROC_BIDI_CLASS_EN] = DIRECTION_NUMBER,
    [UTF8PROC_BIDI_CLASS_AN] = DIRECTION_NUMBER, [UTF8PROC_BIDI_CLASS_PDI] = DIRECTION_NEUTRAL,
};

bool itemize_is_ignorable(uint32_t code_point) {
    return utf8proc_get_property((utf8proc_int32_t)code_point)->ignorable;
}

static bool is_control(uint32_t code_point) {
    return code_point < 0x20 || (code_point >= 0x7F && code_point < 0xA0);
}

/* Drawn in colour unless a selector says otherwise: Unicode's Emoji_Presentation, by blocks. */
static bool is_emoji(uint32_t code_point) {
    return code_point >= 0x1F1E6 && code_point <= 0x1FAFF &&
           !(code_point >= 0x1F650 && code_point < 0x1F680) &&
           !(code_point >= 0x1F700 && code_point < 0x1F7E0) &&
           !(code_point >= 0x1F800 && code_point < 0x1F900);
}

/* The bytes of the first cluster and its second code point, 0 for none. A base with more marks
 * than anyone writes is cut, so that no cluster grows without bound. */
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

static Cluster read_cluster(GfxFonts *fonts, Font font, const char *text, size_t bytes, size_t at) {
    uint32_t second;
    size_t length, size = cluster_bytes(text + at, bytes - at, &second);
    uint32_t first = utf8_decode(text + at, bytes - at, 0, &length);
    size_t class = (size_t)utf8proc_get_property((utf8proc_int32_t)first)->bidi_class;
    bool known = class < sizeof DIRECTIONS / sizeof *DIRECTIONS;
    return (Cluster){.at = at,
                     .bytes = size,
                     .face = cluster_face(fonts, font, first, second),
                     .script = script_of(first),
                     .direction = known ? DIRECTIONS[class] : DIRECTION_NEUTRAL,
                     .joins_digits =
                         class == UTF8PROC_BIDI_CLASS_CS || class == UTF8PROC_BIDI_CLASS_ES};
}

/* What has no script of its own takes the one before, at the start the one after. */
static void spread_scripts(Cluster *clusters, int count) {
    const Script *script = &SCRIPT_LATIN;
    for (int i = count; i-- > 0;)
        script = clusters[i].script != NULL ? clusters[i].script : script;
    for (int i = 0; i < count; i++) {
        script = clusters[i].script != NULL ? clusters[i].script : script;
        clusters[i].script = script;
    }
}

/* A number that follows right-to-left text belongs to it, but reads left to right (W7, I1, I2). */
static void resolve_numbers(Cluster *clusters, int count, Direction base) {
    Direction before = base;
    for (int i = 0; i < count; i++) {
        if (clusters[i].direction == DIRECTION_NUMBER && before == DIRECTION_LTR)
            clusters[i].direction = DIRECTION_LTR;
        if (clusters[i].direction == DIRECTION_LTR || clusters[i].direction == DIRECTION_RTL)
            before = clusters[i].direction;
        /* A separator between two digits is part of the number (W4). */
        bool joins = i > 0 && i + 1 < count && clusters[i].joins_digits &&
                     clusters[i - 1].direction == DIRECTION_NUMBER &&
                     clusters[i + 1].direction == DIRECTION_NUMBER;
        if (joins)
            clusters[i].direction = DIRECTION_NUMBER;
    }
}

/* Neutrals between two of one direction take it, others that of the paragraph (N1, N2). */
static void resolve_neutrals(Cluster *clusters, int count, Direction base) {
    Direction before = base;
    for (int i = 0; i < count;) {
        int end = i;
        while (end < count && clusters[end].direction == DIRECTION_NEUTRAL)
            end++;
        Direction after = end < count ? clusters[end].direction : base;
        after = after == DIRECTION_NUMBER ? DIRECTION_RTL : after;
        for (int k = i; k < end; k++)
            clusters[k].direction = before == after ? before : base;
        if (end < count) {
            Direction here = clusters[end].direction;
            before = here == DIRECTION_NUMBER ? DIRECTION_RTL : here;
        }
        i = end + 1;
    }
}

static void resolve_levels(Cluster *clusters, int count) {
    Direction base = DIRECTION_LTR;
    bool has_rtl = false;
    for (int i = count; i-- > 0;) {
        bool is_strong =
            clusters[i].direction == DIRECTION_LTR || clusters[i].direction == DIRECTION_RTL;
        base = is_strong ? clusters[i].direction : base;
        has_rtl |= clusters[i].direction == DIRECTION_RTL;
    }
    if (!has_rtl)
        return;
    resolve_numbers(clusters, count, base);
    resolve_neutrals(clusters, count, base);
    for (int i = 0; i < count; i++) {
        bool is_rtl = clusters[i].direction == DIRECTION_RTL;
        bool is_ltr = clusters[i].direction == DIRECTION_LTR;
        clusters[i].level = is_rtl ? 1 : (is_ltr && base == DIRECTION_LTR ? 0 : 2);
    }
}

/* A long run ends after a space once it is three quarters full, so that no word is cut. */
static bool is_full(const TextRun *run, int run_clusters) {
    bool ends_word = run->text[run->bytes - 1] == ' ';
    return run->clusters >= run_clusters || (ends_word && run->clusters * 4 > run_clusters * 3);
}

static bool continues_run(const TextRun *run, uint8_t level, const Cluster *cluster) {
    return run->face == cluster->face && run->script == cluster->script && level == cluster->level;
}

static int join_clusters(TextRun *runs, uint8_t *levels, const Cluster *clusters, int count,
                         const char *text, Font font, int run_clusters) {
    bool mono = font == FONT_MONO || font == FONT_MONO_BOLD;
    int made = 0;
    for (int i = 0; i < count; i++) {
        const Cluster *c = &clusters[i];
        bool alone = mono && !c->script->is_shaped;
        if (made > 0 && !alone && continues_run(&runs[made - 1], levels[made - 1], c) &&
            !is_full(&runs[made - 1], run_clusters)) {
            runs[made - 1].bytes += c->bytes;
            runs[made - 1].clusters++;
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

/* From the deepest level up, turn around what lies at it or deeper (L2). */
static void order_runs(TextRun *runs, uint8_t *levels, int count) {
    for (uint8_t level = 2; level >= 1; level--) {
        for (int i = 0; i < count;) {
            int end = i;
            while (end < count && levels[end] >= level)
                end++;
            for (int a = i, b = end - 1; a < b; a++, b--) {
                TextRun run = runs[a];
                uint8_t at = levels[a];
                runs[a] = runs[b], levels[a] = levels[b];
                runs[b] = run, levels[b] = at;
            }
            i = end + 1;
        }
    }
}

/* How many of the clusters to take when more text follows: as far as the last blank in the second
 * half, so that no word is cut. */
static int cut_after_blank(const Cluster *clusters, int count, const char *text) {
    for (int i = count; i > count / 2; i--)
        if (text[clusters[i - 1].at] == ' ')
            return i;
    return count;
}

int itemize(TextRun runs[ITEMIZE_CLUSTERS], size_t *taken, GfxFonts *fonts, Font font,
            const char *text, size_t bytes, int run_clusters) {
    Cluster clusters[ITEMIZE_CLUSTERS];
    uint8_t levels[ITEMIZE_CLUSTERS];
    int count = 0;
    size_t at = 0;
    while (at < bytes && count < ITEMIZE_CLUSTERS) {
        clusters[count] = read_cluster(fonts, font, text, bytes, at);
        at += clusters[count++].bytes;
    }
    if (at < bytes) {
        count = cut_after_blank(clusters, count, text);
        at = clusters[count - 1].at + clusters[count - 1].bytes;
    }
    spread_scripts(clusters, count);
    resolve_levels(clusters, count);
    *taken = at;
    int made = join_clusters(runs, levels, clusters, count, text, font, run_clusters);
    order_runs(runs, levels, made);
    return made;
}
