#include "gfx/itemize.h"

#include <assert.h>
#include <utf8proc.h>

#include "base/control.h"
#include "base/utf8.h"
#include "draw/bidi.h"

#define CLUSTER_BYTES_MAX 64
#define VARIATION_TEXT    0xFE0Eu
#define VARIATION_EMOJI   0xFE0Fu

typedef struct Cluster {
    size_t at, bytes;
    int face;
    const Script *script;
    uint8_t level; /* level of the bidirectional algorithm; odd levels read from right to left */
} Cluster;

bool itemize_is_ignorable(uint32_t code_point) {
    return utf8proc_get_property((utf8proc_int32_t)code_point)->ignorable;
}

/* True for emoji that are shown in colour unless a selector says otherwise. Source: Unicode's
 * Emoji_Presentation, by blocks. */
static bool is_emoji(uint32_t code_point) {
    return code_point >= 0x1F1E6 && code_point <= 0x1FAFF &&
           !(code_point >= 0x1F650 && code_point < 0x1F680) &&
           !(code_point >= 0x1F700 && code_point < 0x1F7E0) &&
           !(code_point >= 0x1F800 && code_point < 0x1F900);
}

/* Return the number of bytes of the first cluster, and its second code point, 0 for none. A base
 * character with too many marks is cut, so that clusters stay short. */
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

/* Give each cluster without a script the script of the previous cluster; at the start of the text,
 * that of the next one. */
static void spread_scripts(Cluster *clusters, int count) {
    const Script *script = &SCRIPT_LATIN;
    for (int i = count; i-- > 0;)
        script = clusters[i].script != NULL ? clusters[i].script : script;
    for (int i = 0; i < count; i++) {
        script = clusters[i].script != NULL ? clusters[i].script : script;
        clusters[i].script = script;
    }
}

/* Join neighbouring clusters of one face, script and level to runs, in logical order, and set the
 * levels of the runs. */
static int join_clusters(TextRun *runs, uint8_t *levels, const Cluster *clusters, int count,
                         const char *text, Font font, int run_clusters) {
    bool mono = font == FONT_MONO || font == FONT_MONO_BOLD;
    int made = 0;
    for (int i = 0; i < count; i++) {
        const Cluster *c = &clusters[i];
        TextRun *run = made > 0 ? &runs[made - 1] : NULL;
        bool joins = run != NULL && (!mono || c->script->is_shaped) && run->face == c->face &&
                     run->script == c->script && levels[made - 1] == c->level;
        /* End a run after a space if it is more than three quarters full, so that no word is
         * cut. */
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

/* Find the clusters at the beginning of text. Return their number. */
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
    /* Text follows after these clusters: end after the last blank in the second half, so that no
     * word is cut. */
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
