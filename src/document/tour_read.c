/* Reads a .tour file. The strings of a Tour are the file's own bytes; each end is overwritten by a
 * NUL. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/number.h"
#include "base/pairs.h"
#include "base/utf8.h"
#include "base/util.h"
#include "document/options.h"
#include "document/tour.h"

#define ID_MAX 32

typedef struct Reading {
    Tour tour;
    const OptionTable *options;
    TourFaults *faults;
    int line;
} Reading;

void tour_fault(TourFaults *faults, int line, const char *key, const char *why) {
    char name[96], what[128];
    size_t repairs;
    name[utf8_repair(name, sizeof name - 1, key, strlen(key), &repairs)] = '\0';
    snprintf(what, sizeof what, "line %d: %s", line, name);
    if (faults->count < TOUR_FAULTS_MAX) {
        faults->at[faults->count].line = line;
        faults->at[faults->count].is_note = false;
        err_fail(&faults->at[faults->count].err, what, "%s", why);
    }
    faults->count++;
    faults->errors++;
}

void tour_note(TourFaults *faults, int line, const char *key, const char *why) {
    tour_fault(faults, line, key, why);
    faults->errors--;
    if (faults->count <= TOUR_FAULTS_MAX)
        faults->at[faults->count - 1].is_note = true;
}

static void wrong(Reading *r, const char *key, const char *why) {
    tour_fault(r->faults, r->line, key, why);
}

static void unknown(Reading *r, const char *key) {
    tour_note(r->faults, r->line, key, "no such key; it is skipped");
}

/* Cut the next word off *rest; "" at the end. */
static char *next_word(char **rest) {
    *rest += strspn(*rest, " \t");
    char *word = *rest;
    *rest += strcspn(*rest, " \t");
    if (**rest != '\0')
        *(*rest)++ = '\0';
    return word;
}

static bool is_id(const char *id) {
    size_t bytes = strlen(id);
    return bytes > 0 && bytes <= ID_MAX &&
           strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == bytes;
}

/* Read "== id: Title". */
static void take_step(Reading *r, char *line) {
    char *id = line + 2 + strspn(line + 2, " \t"), *colon = strchr(id, ':');
    if (colon == NULL) {
        wrong(r, "==", "a step must begin as “== id: Title”");
        return;
    }
    char *title = colon + 1 + strspn(colon + 1, " \t");
    do
        *colon-- = '\0';
    while (colon > id && (*colon == ' ' || *colon == '\t'));
    if (!is_id(id))
        wrong(r, "==", "an id must have 1 to 32 characters: a to z, 0 to 9 and -");
    else if (tour_find(&r->tour, id, strlen(id)) >= 0)
        wrong(r, id, "another step has this id");
    else if (title[0] == '\0')
        wrong(r, id, "the step has no title");
    else if (r->tour.step_count >= TOUR_STEPS_MAX)
        wrong(r, id, "a tour has at most 1,000 steps");
    else
        r->tour.steps[r->tour.step_count++] =
            (TourStep){.id = id, .title = title, .cue = r->tour.cue_count, .line = r->line};
}

static bool take_seconds(Reading *r, double *out, const char *key, const char *value) {
    double seconds;
    if (!number_parse_real(&seconds, value, strlen(value)) || seconds < 0 ||
        seconds > TOUR_SECONDS) {
        wrong(r, key, "needs seconds from 0 to 3600");
        return false;
    }
    *out = seconds;
    return true;
}

/* Read "goal : words". */
static void take_task(Reading *r, TourTask *task, const char *key, char *value) {
    char *colon = strstr(value, " : ");
    if (colon == NULL) {
        wrong(r, key, "must be written as “goal : words”");
        return;
    }
    *colon = '\0';
    *task = (TourTask){value, colon + 3 + strspn(colon + 3, " ")};
}

static void take_branch(Reading *r, TourStep *step, char *value) {
    char *colon = strstr(value, " : "), *rest = value;
    if (colon != NULL)
        *colon = '\0';
    step->branch_key = next_word(&rest);
    step->branch_id = next_word(&rest);
    step->branch_words = colon != NULL ? colon + 3 : NULL;
    if (!is_id(step->branch_id) || next_word(&rest)[0] != '\0' || colon == NULL) {
        wrong(r, "branch", "must be written as “KEY id : words”");
        step->branch_id = NULL;
    }
}

static const struct {
    const char *key;
    size_t offset;
} STRINGS[] = {
    {"state", offsetof(TourStep, state)}, {"frame", offsetof(TourStep, frame)},
    {"light", offsetof(TourStep, light)}, {"caption", offsetof(TourStep, caption)},
    {"note", offsetof(TourStep, note)},   {"say", offsetof(TourStep, say)},
    {"hint", offsetof(TourStep, hint)},   {"expect", offsetof(TourStep, expect)},
    {"move", offsetof(TourStep, move)},
};

static void take_step_key(Reading *r, TourStep *step, const char *key, char *value) {
    for (size_t i = 0; i < ARRAY_COUNT(STRINGS); i++)
        if (strcmp(STRINGS[i].key, key) == 0) {
            *(const char **)((char *)step + STRINGS[i].offset) = value;
            return;
        }
    if (strcmp(key, "+state") == 0) {
        step->state = value;
        step->is_over_last = true;
        if (r->tour.step_count == 1)
            wrong(r, key, "+state needs a step before it; write state instead");
    } else if (strcmp(key, "hold") == 0) {
        take_seconds(r, &step->hold_s, key, value);
    } else if (strcmp(key, "ask") == 0) {
        take_task(r, &step->ask, key, value);
    } else if (strcmp(key, "guess") == 0) {
        take_task(r, &step->guess, key, value);
    } else if (strcmp(key, "branch") == 0) {
        take_branch(r, step, value);
    } else {
        unknown(r, key);
    }
}

static void take_header(Reading *r, const char *key, char *value) {
    Tour *tour = &r->tour;
    if (strcmp(key, "title") == 0) {
        tour->title = value;
    } else if (strcmp(key, "state") == 0) {
        tour->state = value;
    } else if (strcmp(key, "scale") == 0) {
        tour->scale = value;
    } else if (strcmp(key, "stage") == 0) {
        tour->is_hall = strcmp(value, "hall") == 0;
        if (!tour->is_hall && strcmp(value, "window") != 0)
            wrong(r, key, "must be hall or window");
    } else if (strcmp(key, "tempo") == 0) {
        double tempo;
        if (!number_parse_real(&tempo, value, strlen(value)) || tempo < 0.1 || tempo > 10)
            wrong(r, key, "must be a number from 0.1 to 10");
        else
            tour->tempo = tempo;
    } else {
        unknown(r, key);
    }
}

/* Read "train-step 0..400 over 8 by change", which follows the word "play". */
static void take_play(Reading *r, TourCue *cue, char *rest) {
    cue->kind = TOUR_PLAY;
    cue->key = next_word(&rest);
    char *from = next_word(&rest), *to = strstr(from, "..");
    bool has_over = strcmp(next_word(&rest), "over") == 0;
    char *over = next_word(&rest), *by = next_word(&rest);
    cue->by_change = strcmp(by, "by") == 0 && strcmp(next_word(&rest), "change") == 0;
    bool is_whole = to != NULL && has_over && (by[0] == '\0' || cue->by_change);
    if (!is_whole || !number_parse_real(&cue->from, from, (size_t)(to - from)) ||
        !number_parse_real(&cue->to, to + 2, strlen(to + 2)))
        wrong(r, "play",
              "must be written as “play option 0..1 over 3.5”, with or without “by change” at the "
              "end");
    else
        take_seconds(r, &cue->over_s, "play", over);
    const OptionRow *row = option_find(&STATE_OPTIONS, cue->key, strlen(cue->key));
    if (row == NULL)
        row = option_find(r->options, cue->key, strlen(cue->key));
    cue->is_whole = row != NULL && row->kind == OPTION_INT;
    if (row == NULL || (row->kind != OPTION_INT && row->kind != OPTION_REAL))
        wrong(r, cue->key[0] != '\0' ? cue->key : "play", "is not an option with a number");
}

/* Read the rest of a cue after the word "type": words in quotes, a rate such as 9/s, and perhaps
 * "word". */
static void take_type(Reading *r, TourCue *cue, char *rest) {
    static const char *const why =
        "must be written as “type \"words\" 9/s”, with or without “word” at the end";
    double rate = 0;
    char *text = strchr(rest, '"'), *end = text != NULL ? strrchr(text + 1, '"') : NULL;
    cue->kind = TOUR_TYPE;
    cue->value = "";
    if (end == NULL || strspn(rest, " \t") != (size_t)(text - rest)) {
        wrong(r, "type", why);
        return;
    }
    *end = '\0';
    cue->value = text + 1;
    rest = end + 1;
    char *speed = next_word(&rest), *unit = strstr(speed, "/s"), *word = next_word(&rest);
    cue->by_word = strcmp(word, "word") == 0;
    bool is_read =
        unit != NULL && unit[2] == '\0' && number_parse_real(&rate, speed, (size_t)(unit - speed));
    if (!is_read || rate < 0.1 || rate > 1000 || (word[0] != '\0' && !cue->by_word))
        wrong(r, "type", why);
    else
        cue->over_s = (double)strlen(cue->value) / rate;
}

static void take_set(Reading *r, TourCue *cue, const char *verb, char *rest) {
    static const char *const keys[] = {"caption", "light", "frame", "state"};
    rest += strspn(rest, " \t");
    char *value = rest + 1 + (rest[0] == '=' ? strspn(rest + 1, " \t") : 0);
    cue->kind = TOUR_SET;
    cue->key = verb;
    cue->value = "";
    for (size_t i = 0; i < ARRAY_COUNT(keys); i++)
        if (strcmp(keys[i], verb) == 0 && rest[0] == '=') {
            cue->value = value;
            return;
        }
    wrong(r, verb, "a cue must be play, type or key, or caption, light, frame or state with =");
}

/* Read a cue such as "at 2.5 play …"; rest is the text after "at". */
static void take_cue(Reading *r, TourStep *step, char *rest) {
    TourCue cue = {.line = r->line};
    if (step->cue_count >= TOUR_CUES_MAX) {
        wrong(r, "at", "a step has at most 64 cues");
        return;
    }
    if (!take_seconds(r, &cue.at_s, "at", next_word(&rest)))
        return;
    if (step->cue_count > 0 && cue.at_s < r->tour.cues[r->tour.cue_count - 1].at_s)
        wrong(r, "at", "is earlier than the cue above it; put cues in order");
    rest += strspn(rest, " \t");
    char *verb = rest;
    rest += strcspn(rest, " \t=");
    if (*rest == ' ' || *rest == '\t')
        *rest++ = '\0';
    if (strcmp(verb, "play") == 0) {
        take_play(r, &cue, rest);
    } else if (strcmp(verb, "type") == 0) {
        take_type(r, &cue, rest);
    } else if (strcmp(verb, "key") == 0) {
        cue.kind = TOUR_KEY;
        cue.value = next_word(&rest);
        if (cue.value[0] == '\0')
            wrong(r, "key", "names no key");
    } else {
        /* If the line is "caption=words", make room for the NUL after "caption". */
        bool is_tight = *rest == '=';
        if (is_tight) {
            memmove(verb - 1, verb, (size_t)(rest - verb));
            verb--;
            rest[-1] = '\0';
        }
        take_set(r, &cue, verb, rest);
    }
    r->tour.cues[r->tour.cue_count++] = cue;
    step->cue_count++;
}

/* Read a line, which ends with NUL and has no blanks at its ends. */
static void take_line(Reading *r, const Pair *pair) {
    char *line = r->tour.bytes + (pair->key - r->tour.bytes);
    TourStep *step = r->tour.step_count > 0 ? &r->tour.steps[r->tour.step_count - 1] : NULL;
    if (strncmp(line, "==", 2) == 0) {
        take_step(r, line);
        return;
    }
    if (strncmp(line, "at", 2) == 0 && (line[2] == ' ' || line[2] == '\t')) {
        if (step != NULL)
            take_cue(r, step, line + 3);
        else
            wrong(r, "at", "no step has begun; write “== id: Title” above it");
        return;
    }
    if (pair->value == NULL) {
        line[pair->key_bytes < 60 ? pair->key_bytes : utf8_floor(line, pair->key_bytes, 60)] = '\0';
        wrong(r, line, "is not written as key = value");
        return;
    }
    line[pair->key_bytes] = '\0';
    char *value = r->tour.bytes + (pair->value - r->tour.bytes);
    if (step != NULL)
        take_step_key(r, step, line, value);
    else
        take_header(r, line, value);
}

/* Check the size of all states together: with +state it may grow with the square of the file's
 * size. */
static void check_states(Reading *r) {
    const Tour *tour = &r->tour;
    size_t base = tour->state != NULL ? strlen(tour->state) : 0, whole = 0, sum = 0;
    for (int i = 0; i < tour->step_count && sum <= TOUR_STATES_MAX; i++) {
        const TourStep *step = &tour->steps[i];
        whole =
            (step->is_over_last ? whole : base) + (step->state != NULL ? strlen(step->state) : 0);
        sum += whole;
        r->line = step->line;
    }
    if (sum > TOUR_STATES_MAX)
        wrong(r, "state",
              "the states of the steps up to here take more than 16 MiB; use shorter ones");
}

static void check_whole(Reading *r) {
    r->line = 1;
    if (r->tour.title == NULL)
        wrong(r, "title", "is missing");
    if (r->tour.step_count == 0)
        wrong(r, "==", "the tour has no step");
    for (int i = 0; i < r->tour.step_count; i++) {
        const TourStep *step = &r->tour.steps[i];
        r->line = step->line;
        if (step->branch_id != NULL &&
            tour_find(&r->tour, step->branch_id, strlen(step->branch_id)) < 0)
            wrong(r, step->branch_id, "branch: no step has this id");
    }
    check_states(r);
}

/* Return the first line with a control character, which could control a terminal; 0 for none. */
static int control_line(const char *bytes, size_t size) {
    int line = 1;
    for (size_t at = 0, length; at < size; at += length) {
        uint32_t c = utf8_decode(bytes, size, at, &length);
        line += c == '\n';
        if (is_control(c) && c != '\n' && c != '\r' && c != '\t')
            return line;
    }
    return 0;
}

bool tour_read(Tour *out, const char *bytes, size_t size, const OptionTable *options,
               TourFaults *faults, Err *err) {
    Reading r = {.tour = {.tempo = 1}, .options = options, .faults = faults};
    *faults = (TourFaults){.count = 0};
    if (size > TOUR_BYTES_MAX)
        return err_fail(err, "tour", "is larger than 1 MiB, the limit");
    if (memchr(bytes, '\0', size) != NULL || utf8_first_invalid(bytes, size) < size)
        return err_fail(err, "tour", "is not text in UTF-8; choose a .tour file");
    int line = control_line(bytes, size);
    if (line > 0)
        return err_fail(err, "tour", "line %d holds a control character; remove it", line);
    r.tour.bytes = heap_get(2 * (size + 1));
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += bytes[i] == '\n';
    r.tour.steps = heap_get_zero(TOUR_STEPS_MAX, sizeof *r.tour.steps);
    r.tour.cues = heap_get_zero(lines, sizeof *r.tour.cues);
    if (r.tour.bytes == NULL || r.tour.steps == NULL || r.tour.cues == NULL) {
        tour_release(&r.tour);
        return err_fail(err, "memory", "too little to read the tour");
    }
    for (int i = 0; i < 2; i++) {
        memcpy(r.tour.bytes + (size_t)i * (size + 1), bytes, size);
        r.tour.bytes[(size_t)i * (size + 1) + size] = '\0';
    }
    r.tour.size = size;
    Pairs pairs = {.bytes = r.tour.bytes, .size = size};
    Pair pair;
    while (pairs_next(&pairs, &pair)) {
        r.line = pairs.line;
        const char *end =
            pair.value != NULL ? pair.value + pair.value_bytes : pair.key + pair.key_bytes;
        r.tour.bytes[end - r.tour.bytes] = '\0';
        take_line(&r, &pair);
    }
    check_whole(&r);
    *out = r.tour;
    return true;
}
