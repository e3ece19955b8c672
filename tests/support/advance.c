#include "support/advance.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "base/utf8.h"
#include "support/test.h"

#define ELLIPSIS "…"
#define SAID_MAX 400 /* most faults that are printed */

/* Thousandths of an em, from the blank to the tilde; none for the faces of one width. */
static const uint16_t ADVANCES[FONT_COUNT][95] = {
    [FONT_SANS] = {281, 278, 403, 631, 638, 812, 639, 222, 362, 362, 500, 659, 280, 460, 276, 357,
                   625, 464, 605, 636, 642, 608, 624, 571, 616, 624, 276, 280, 659, 659, 659, 507,
                   936, 676, 651, 727, 719, 598, 587, 743, 740, 264, 543, 652, 562, 889, 753, 761,
                   635, 761, 639, 638, 642, 741, 676, 949, 642, 665, 625, 362, 357, 362, 469, 452,
                   497, 564, 621, 558, 621, 582, 361, 609, 591, 237, 237, 544, 237, 869, 585, 597,
                   609, 609, 372, 523, 364, 581, 557, 812, 540, 557, 541, 362, 327, 362, 659},
    [FONT_SANS_BOLD] = {248, 309, 396, 643, 649, 844, 663, 213, 393, 393, 543, 673, 295, 466,
                        290, 379, 667, 481, 621, 652, 666, 632, 648, 587, 646, 648, 290, 295,
                        673, 673, 673, 544, 999, 724, 657, 744, 724, 608, 586, 755, 744, 275,
                        561, 677, 566, 906, 741, 775, 643, 776, 651, 649, 660, 734, 724, 1007,
                        690, 705, 653, 393, 379, 393, 481, 468, 497, 575, 630, 577, 630, 593,
                        377, 625, 613, 261, 261, 569, 261, 898, 610, 608, 625, 625, 397, 549,
                        380, 608, 576, 837, 562, 576, 562, 393, 358, 393, 673},
    [FONT_MATH] = {250, 333, 408, 500, 500, 747, 778, 180, 333, 333, 500, 685, 250, 333, 250, 278,
                   500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 685, 685, 685, 444,
                   921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 373, 722, 611, 889, 722, 722,
                   557, 722, 667, 556, 611, 722, 722, 944, 722, 722, 612, 333, 278, 333, 469, 500,
                   333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
                   500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541},
    [FONT_MATH_ITALIC] = {250, 333, 420, 501, 500, 755, 778, 214, 333, 333, 500, 675, 250, 333,
                          250, 278, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 333, 333,
                          675, 675, 675, 500, 920, 611, 611, 667, 722, 611, 611, 722, 722, 333,
                          444, 667, 556, 833, 667, 722, 611, 722, 611, 500, 556, 722, 611, 833,
                          611, 556, 556, 389, 278, 389, 422, 500, 333, 501, 500, 444, 500, 444,
                          278, 500, 500, 278, 278, 444, 278, 722, 500, 500, 504, 500, 389, 389,
                          278, 500, 444, 667, 444, 444, 389, 400, 275, 400, 541},
};

static float width_of(Font font, const char *text, size_t bytes) {
    size_t length;
    float width = 0;
    for (size_t at = 0; at < bytes; at += length) {
        uint32_t c = utf8_decode(text, bytes, at, &length);
        unsigned known = c >= 32 && c < 127 ? ADVANCES[font][c - 32] : 0;
        width += known > 0 ? (float)known / 1000 : 0.6f;
    }
    return width;
}

static bool ends_cut(const char *text, size_t bytes) {
    size_t end = strlen(ELLIPSIS);
    return bytes >= end && memcmp(text + bytes - end, ELLIPSIS, end) == 0;
}

/* A text that is the start of the previous one and an ellipsis is an attempt to cut that one. */
static void notice_cut(Advance *a, const char *text, size_t bytes) {
    size_t kept = bytes - strlen(ELLIPSIS);
    if (kept == 0 || strncmp(text, a->whole, kept) != 0 || strlen(a->whole) <= kept)
        return;
    for (int i = 0; i < a->cut_count; i++)
        if (strcmp(a->cuts[i], a->whole) == 0)
            return;
    if (a->cut_count < ADVANCE_CUTS)
        memcpy(a->cuts[a->cut_count++], a->whole, sizeof a->whole);
}

static float measure(void *context, Font font, float size_px, const char *text, size_t bytes) {
    Advance *a = context;
    if (ends_cut(text, bytes))
        notice_cut(a, text, bytes);
    else
        snprintf(a->whole, sizeof a->whole, "%.*s", (int)bytes, text);
    return size_px * width_of(font, text, bytes);
}

static FontMetrics metrics(void *context, Font font, float size_px) {
    (void)context, (void)font;
    return (FontMetrics){0.97f * size_px, 0.24f * size_px, 0.73f * size_px, 0.55f * size_px};
}

static uint32_t missing(void *context, const char *text, size_t bytes) {
    (void)context, (void)text, (void)bytes;
    return 0;
}

TextMeasure advance_measure(Advance *advance) {
    return (TextMeasure){advance, measure, metrics, missing};
}

static long failures;

void sight_fault(void *data, const char *what, const Word *w, const Word *on) {
    const Sight *sight = data;
    const Script *s = sight->script;
    if (failures++ < SAID_MAX)
        print_error("%.0f × %.0f at %g, %.320s: “%.*s” %s%s%.*s\n", (double)s->width_px,
                    (double)s->height_px, (double)s->app->settings.ui_scale, sight->state, w->bytes,
                    w->text, what, on != NULL ? " " : "", on != NULL ? on->bytes : 0,
                    on != NULL ? on->text : "");
}

void sight_check_cuts(Sight *sight, const Advance *a) {
    for (int i = 0; i < a->cut_count; i++)
        if (strstr(script_sentence(sight->script), a->cuts[i]) == NULL &&
            strstr(a->cuts[i], "text=") == NULL)
            sight_fault(sight, "is cut short",
                        &(Word){.text = a->cuts[i], .bytes = (int)strlen(a->cuts[i])}, NULL);
}

int sight_check(void **state) {
    (void)state;
    bool failed = failures > 0;
    failures = 0;
    return failed;
}
