/* The places that a tour's step names in the picture, and the check of a step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/tour.h"
#include "base/utf8.h"
#include "draw/part.h"
#include "views/tour_numbers.h"

static const char *word_at(const char **rest, size_t *bytes) {
    *rest += strspn(*rest, " ");
    const char *word = *rest;
    *bytes = strcspn(word, " ");
    *rest += *bytes;
    return word;
}

/* Return the part for an address that names no part: the first part that has cells. */
static const DrawPart *first_with_cells(const DrawList *list) {
    for (size_t i = 0; i < list->part_count; i++)
        if (list->parts[i].rows > 0)
            return &list->parts[i];
    return NULL;
}

int tour_places(Rect *out, int most, const DrawList *list, const char *parts,
                const char **missing) {
    const DrawPart *part = NULL;
    const char *rest = parts != NULL ? parts : "";
    size_t bytes;
    int count = 0;
    /* true if out[count - 1] is a whole part, which the next address may replace by a cell */
    bool is_whole = false;
    *missing = NULL;
    for (const char *word; (word = word_at(&rest, &bytes)), bytes > 0 && count < most;) {
        if (memchr(word, '(', bytes) == NULL) {
            part = part_find(list, word, bytes);
            is_whole = part != NULL;
            if (is_whole)
                out[count++] = part->rect;
            else
                *missing = word;
            continue;
        }
        const DrawPart *in = part != NULL ? part : first_with_cells(list);
        Rect at;
        if (in == NULL || !part_address(&at, list, in, word, bytes)) {
            *missing = word;
            continue;
        }
        count -= is_whole;
        is_whole = false;
        out[count++] = at;
    }
    return count;
}

/* Dim the area in rows of rectangles. No hole begins or ends inside a row. */
void tour_dim(App *app, Rect area, const Rect *holes, int count, float alpha) {
    float y[2 * TOUR_HOLES_MAX + 2] = {area.y, rect_bottom(area)};
    int rows = 2;
    for (int i = 0; i < count; i++) {
        y[rows++] = fminf(fmaxf(holes[i].y, area.y), rect_bottom(area));
        y[rows++] = fminf(fmaxf(rect_bottom(holes[i]), area.y), rect_bottom(area));
    }
    for (int i = 1; i < rows; i++)
        for (int k = i; k > 0 && y[k] < y[k - 1]; k--) {
            float lower = y[k];
            y[k] = y[k - 1];
            y[k - 1] = lower;
        }
    Colour veil = colour_fade(app->ui.theme->canvas, alpha);
    for (int i = 0; i + 1 < rows; i++) {
        float middle = (y[i] + y[i + 1]) / 2, x = area.x, end = rect_right(area);
        while (x < end && y[i + 1] > y[i]) {
            /* Beginning and end of the nearest hole that ends after x. */
            float next = end, past = end;
            for (int h = 0; h < count; h++)
                if (middle > holes[h].y && middle < rect_bottom(holes[h]) &&
                    rect_right(holes[h]) > x && holes[h].x < next) {
                    next = fmaxf(holes[h].x, x);
                    past = rect_right(holes[h]);
                }
            if (next > x)
                draw_fill(app->ui.list, (Rect){x, y[i], next - x, y[i + 1] - y[i]}, 0, veil);
            x = past;
        }
    }
}

void tour_check_words(App *app, const char *key, const char *words, TourFaults *faults) {
    char why[560];
    Err err;
    if (words == NULL)
        return;
    tour_fill(app, words, &err);
    snprintf(why, sizeof why, "%s %s", err.what, err.why);
    if (app->tour.lacks || err.kind != ERR_NONE)
        tour_fault(faults, tour_line(&app->tour.tour, words), key,
                   err.kind != ERR_NONE ? why : "a number is not computed in this step");
}

static void check_parts(App *app, const char *key, const char *parts, TourFaults *faults) {
    Rect places[16];
    const char *missing;
    tour_places(places, 16, app->ui.list, parts, &missing);
    if (missing == NULL)
        return;
    tour_fault(faults, tour_line(&app->tour.tour, parts), key,
               PRINT("%.*s is not in the picture of this step; run headlight list parts",
                     (int)strcspn(missing, " "), missing));
}

static void check_goal(App *app, const char *key, const char *goal, TourFaults *faults) {
    Err err;
    int query, cell;
    if (goal == NULL)
        return;
    bool is_guess = strcmp(key, "guess") == 0;
    int line = tour_line(&app->tour.tour, goal);
    tour_goal_met(app, goal, &err);
    if (is_guess && !tour_place(&query, &cell, goal))
        tour_fault(faults, line, key, "must be written as A(9,*) : words");
    else if (err.kind != ERR_NONE)
        tour_fault(faults, line, key, err.why);
}

static void check_cues(App *app, const TourStep *step, TourFaults *faults) {
    for (int i = step->cue; i < step->cue + step->cue_count; i++) {
        const TourCue *cue = &app->tour.tour.cues[i];
        uint32_t key;
        unsigned mods;
        if (cue->kind == TOUR_SET && strcmp(cue->key, "caption") == 0)
            tour_check_words(app, "caption", cue->value, faults);
        else if (cue->kind == TOUR_SET && strcmp(cue->key, "state") != 0)
            check_parts(app, cue->key, cue->value, faults);
        else if (cue->kind == TOUR_KEY && !key_read(&key, &mods, cue->value, strlen(cue->value)))
            tour_fault(faults, cue->line, "key", "is not a key; write it as Ctrl+R, F5 or R");
    }
}

/* Report words that are shown for less time than it takes to read them. */
static void check_time(App *app, const char *words, double shown_s, TourFaults *faults) {
    Err err;
    if (words == NULL)
        return;
    double needed_s = tour_reading_s(tour_fill(app, words, &err));
    if (err.kind != ERR_NONE)
        return;
    if (shown_s < needed_s)
        tour_note(faults, tour_line(&app->tour.tour, words), "caption",
                  PRINT("is shown for %.1f s, but takes %.1f s to read", shown_s, needed_s));
}

/* Check the captions of a step that sets its duration. Other steps last as long as their words
 * need. */
static void check_hold(App *app, const TourStep *step, TourFaults *faults) {
    const char *words = step->caption;
    double since_s = 0;
    if (step->hold_s <= 0)
        return;
    for (int i = step->cue; i < step->cue + step->cue_count; i++) {
        const TourCue *cue = &app->tour.tour.cues[i];
        if (cue->kind != TOUR_SET || strcmp(cue->key, "caption") != 0)
            continue;
        check_time(app, words, cue->at_s - since_s, faults);
        words = cue->value;
        since_s = cue->at_s;
    }
    check_time(app, words, step->hold_s - since_s, faults);
}

void tour_check_step(App *app, int index, TourFaults *faults) {
    const TourStep *step = &app->tour.tour.steps[index];
    Err err;
    if (!app_has_picture(app)) {
        tour_fault(faults, step->line, step->id, "its state gives no picture");
        return;
    }
    tour_check_words(app, "caption", step->caption, faults);
    tour_check_words(app, "say", step->say, faults);
    tour_check_words(app, "ask", step->ask.words, faults);
    tour_check_words(app, "guess", step->guess.words, faults);
    tour_check_words(app, "hint", step->hint, faults);
    check_parts(app, "light", step->light, faults);
    check_parts(app, "frame", step->frame, faults);
    check_goal(app, "ask", step->ask.goal, faults);
    check_goal(app, "guess", step->guess.goal, faults);
    check_cues(app, step, faults);
    check_hold(app, step, faults);
    if (step->expect != NULL && !tour_holds(app_context(app), step->expect, &err))
        tour_fault(faults, tour_line(&app->tour.tour, step->expect), "expect", err.why);
}
