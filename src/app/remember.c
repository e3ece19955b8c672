#include "app/remember.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/desk.h"
#include "app/tours.h"
#include "base/heap.h"
#include "base/number.h"
#include "base/pairs.h"
#include "base/utf8.h"

#define REMEMBER_S     1.0
#define TOUR_KEY_BEGIN "tour."    /* starts the key of the step at which a tour was left */
#define HINTS_KEY      "hints"    /* key of the hints that are done */
#define CAPTION_KEY    "caption." /* starts the key of a caption of Lecture */
#define FILE_MOST      ((size_t)1 << 20)

static const char *const REMEMBERED[] = {"theme",    "palette", "signed-palette", "motion",
                                         "ui-scale", "size",    "statistics"};

bool settings_remembers(const OptionRow *row) {
    for (size_t i = 0; i < sizeof REMEMBERED / sizeof *REMEMBERED; i++)
        if (strcmp(REMEMBERED[i], row->entry.id) == 0)
            return true;
    return false;
}

void settings_keep_remembered(Settings *settings, const Settings *now) {
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        Err err;
        char own[OPTION_TEXT_MAX];
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        option_get(own, row, now);
        if (settings_remembers(row))
            option_set(settings, row, own, strlen(own), &err);
    }
}

Settings settings_fresh(const App *app) {
    Settings fresh = app->settings;
    option_set_standard(&fresh, &PICTURE_OPTIONS);
    settings_keep_remembered(&fresh, &app->settings);
    return fresh;
}

void settings_open(const App *app, Settings *settings) {
    if (!app->hints.is_on)
        return;
    settings->wall = WALL_ONE;
    settings->focus = 1; /* nothing */
}

static void add_fault(DocumentFaults *faults, int line, const Err *err) {
    if (faults == NULL)
        return;
    if (faults->count < DOCUMENT_FAULTS_MAX) {
        faults->at[faults->count].line = line;
        faults->at[faults->count].err = *err;
    }
    faults->count++;
}

static bool pair_name(char name[80], const Pair *pair, Err *err) {
    size_t repairs;
    name[utf8_repair(name, 79, pair->key, pair->key_bytes, &repairs)] = '\0';
    return pair->value != NULL || err_usage(err, name, "is not written as key = value");
}

static bool begins(const Pair *pair, const char *with) {
    return pair->key_bytes > strlen(with) && memcmp(pair->key, with, strlen(with)) == 0;
}

void settings_read(Settings *settings, const char *bytes, size_t size, DocumentFaults *faults) {
    Pairs pairs = {.bytes = bytes, .size = size};
    Pair pair;
    while (pairs_next(&pairs, &pair)) {
        Err err;
        char name[80];
        const OptionRow *row = option_find(&PICTURE_OPTIONS, pair.key, pair.key_bytes);
        bool set = pair_name(name, &pair, &err);
        bool is_own = begins(&pair, TOUR_KEY_BEGIN) || begins(&pair, CAPTION_KEY);
        if (set && (is_own || pair_is(&pair, HINTS_KEY)))
            continue; /* read_others reads it */
        if (set && (row == NULL || !settings_remembers(row)))
            set = err_usage(&err, name, "is no setting that is remembered");
        if (!set || !option_set(settings, row, pair.value, pair.value_bytes, &err))
            add_fault(faults, pairs.line, &err);
    }
}

/* Read a file of remembered settings, keys or paths. Return NULL if it does not exist. */
static char *read_place(App *app, FilePlace place, size_t *size) {
    const AppFiles *files = &app->resources.files;
    const char *path = files->places[place];
    char *bytes = NULL;
    Err err;
    if (path[0] == '\0' || !files->exists(files->context, path))
        return NULL;
    if (files->read(files->context, &bytes, size, path, FILE_MOST, &err))
        return bytes;
    app_say_err(app, &err);
    return NULL;
}

/* Read the line with the step at which a shipped tour was left. */
static void read_left(App *app, const Pair *pair) {
    long long step;
    size_t begin = strlen(TOUR_KEY_BEGIN);
    int free = 0;
    while (free < TOURS_LEFT_MAX && app->tour.left[free].id[0] != '\0')
        free++;
    if (free == TOURS_LEFT_MAX ||
        registry_find(&TOUR_REGISTRY, pair->key + begin, pair->key_bytes - begin) < 0 ||
        !number_parse_int(&step, pair->value, pair->value_bytes) || step < 1 ||
        step > TOUR_STEPS_MAX)
        return;
    snprintf(app->tour.left[free].id, sizeof app->tour.left[free].id, "%.*s",
             (int)(pair->key_bytes - begin), pair->key + begin);
    app->tour.left[free].step = (int)step - 1;
}

/* Read the line of a caption that the user wrote in Lecture: its subject in the key, then the
 * quoted number and the text. */
static void read_caption(App *app, const Pair *pair) {
    OwnCaption own = {0};
    LectureSubject *a = &own.about;
    char key[128];
    unsigned long long tokens;
    int used = 0;
    const char *bar = memchr(pair->value, '|', pair->value_bytes);
    if (bar == NULL || pair->key_bytes >= sizeof key)
        return;
    size_t value = (size_t)(bar - pair->value), text = pair->value_bytes - value - 1;
    snprintf(key, sizeof key, "%.*s", (int)pair->key_bytes, pair->key);
    int fields = sscanf(key, CAPTION_KEY "%9d.%9d.%9d.%9d.%9d.%16llx%n", &a->head, &a->query,
                        &a->key, &a->show, &a->minus, &tokens, &used);
    if (fields != 6 || key[used] != '\0' || value >= sizeof a->value || text >= sizeof own.text ||
        utf8_first_invalid(bar + 1, text) != text)
        return;
    a->tokens = tokens;
    memcpy(a->value, pair->value, value);
    memcpy(own.text, bar + 1, text);
    app->lecture.own[app->lecture.own_next] = own;
    app->lecture.own_next = (app->lecture.own_next + 1) % CAPTIONS_MAX;
}

/* Read the lines that are no settings. Without a line of hints, all hints are done. */
static void read_others(App *app, const char *bytes, size_t size) {
    Pairs pairs = {.bytes = bytes, .size = size};
    Pair pair;
    long long done;
    app->hints.done = HINTS_ALL;
    for (int i = 0; i < HINTS_COUNT; i++)
        app->hints.done_s[i] = -INFINITY;
    while (pairs_next(&pairs, &pair)) {
        if (pair.value == NULL)
            continue;
        if (begins(&pair, TOUR_KEY_BEGIN))
            read_left(app, &pair);
        else if (begins(&pair, CAPTION_KEY))
            read_caption(app, &pair);
        else if (pair_is(&pair, HINTS_KEY) &&
                 number_parse_int(&done, pair.value, pair.value_bytes) && done >= 0 &&
                 done < HINTS_ALL)
            app->hints.done = (unsigned)done;
    }
}

static size_t write_left(const App *app, char *out, size_t capacity) {
    size_t used = 0;
    if (app->hints.is_on && app->hints.done != HINTS_ALL)
        used = (size_t)snprintf(out, capacity, HINTS_KEY " = %u\n", app->hints.done);
    for (int i = 0; i < TOURS_LEFT_MAX && used + 80 < capacity; i++) {
        const char *id = app->tour.left[i].id;
        if (app->tour.left[i].step > 0 && registry_find(&TOUR_REGISTRY, id, strlen(id)) >= 0)
            used += (size_t)snprintf(out + used, capacity - used, TOUR_KEY_BEGIN "%.40s = %d\n", id,
                                     app->tour.left[i].step + 1);
    }
    return used;
}

static size_t write_captions(const App *app, char *out, size_t capacity) {
    size_t used = 0;
    for (int i = 0; i < CAPTIONS_MAX; i++) {
        const OwnCaption *own = &app->lecture.own[(app->lecture.own_next + i) % CAPTIONS_MAX];
        const LectureSubject *a = &own->about;
        if (own->text[0] != '\0')
            used += (size_t)snprintf(out + used, capacity - used,
                                     CAPTION_KEY "%d.%d.%d.%d.%d.%llx = %s|%s\n", a->head, a->query,
                                     a->key, a->show, a->minus, (unsigned long long)a->tokens,
                                     a->value, own->text);
    }
    return used;
}

static void read_keys(App *app, const char *bytes, size_t size, DocumentFaults *faults) {
    Pairs pairs = {.bytes = bytes, .size = size};
    KeyMap own = {.count = 0};
    Pair pair;
    while (pairs_next(&pairs, &pair)) {
        Err err;
        char name[80];
        if (!pair_name(name, &pair, &err) || !keymap_set(&app->keys, &own, pair.key, pair.key_bytes,
                                                         pair.value, pair.value_bytes, &err))
            add_fault(faults, pairs.line, &err);
    }
}

void settings_seen(App *app) {
    app->desk.seen = app->settings;
}

void remember_begin(App *app) {
    size_t size;
    DocumentFaults faults = {.count = 0};
    char *bytes = read_place(app, PLACE_SETTINGS, &size);
    option_set_standard(&app->desk.remembered, &PICTURE_OPTIONS);
    if (bytes != NULL) {
        settings_read(&app->desk.remembered, bytes, size, &faults);
        read_others(app, bytes, size);
    }
    desk_say_faults(app, app->resources.files.places[PLACE_SETTINGS], &faults);
    free(bytes);
    faults.count = 0;
    bytes = read_place(app, PLACE_KEYS, &size);
    if (bytes != NULL)
        read_keys(app, bytes, size, &faults);
    desk_say_faults(app, app->resources.files.places[PLACE_KEYS], &faults);
    free(bytes);
    settings_seen(app);
}

/* Copy the settings that the user changed. Return true if there were any. */
static bool note_changes(App *app) {
    bool changed = false;
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        Err err;
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        char seen[OPTION_TEXT_MAX], now[OPTION_TEXT_MAX];
        if (!settings_remembers(row))
            continue;
        option_get(seen, row, &app->desk.seen);
        option_get(now, row, &app->settings);
        if (strcmp(seen, now) == 0)
            continue;
        changed = true;
        option_set(&app->desk.remembered, row, now, strlen(now), &err);
    }
    settings_seen(app);
    return changed;
}

static void note_window(App *app) {
    AppDesk *desk = &app->desk;
    if (desk->window.first == 0)
        return;                                   /* a maximised window has no size of its own */
    bool is_first = desk->window_seen.first == 0; /* the initial size was not chosen by the user */
    bool changed = desk->window.first != desk->window_seen.first ||
                   desk->window.second != desk->window_seen.second;
    desk->window_seen = desk->window;
    if (!changed || is_first)
        return;
    desk->remembered.size = desk->window;
    if (isinf(desk->remember_due_s))
        desk->remember_due_s = app->time_s + REMEMBER_S;
}

void remember_soon(App *app) {
    if (app->resources.files.read != NULL && isinf(app->desk.remember_due_s))
        app->desk.remember_due_s = app->time_s + REMEMBER_S;
}

void remember_frame(App *app) {
    AppDesk *desk = &app->desk;
    note_window(app);
    if (note_changes(app) && isinf(desk->remember_due_s))
        desk->remember_due_s = app->time_s + REMEMBER_S;
    if (desk->remember_due_s <= app->time_s)
        remember_write(app);
    if (desk->remember_due_s < app->effects.next_frame_s)
        app->effects.next_frame_s = desk->remember_due_s;
}

void remember_write(App *app) {
    const AppFiles *files = &app->resources.files;
    const char *path = files->places[PLACE_SETTINGS];
    char text[2048 + CAPTIONS_MAX * (CAPTION_MAX + 160)] =
        "# Headlight: settings that a window starts with.\n";
    Err err;
    bool due = !isinf(app->desk.remember_due_s);
    app->desk.remember_due_s = INFINITY;
    if (!due || path[0] == '\0')
        return;
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        char value[OPTION_TEXT_MAX];
        size_t used = strlen(text);
        if (!settings_remembers(row) || option_is_standard(row, &app->desk.remembered))
            continue;
        option_get(value, row, &app->desk.remembered);
        snprintf(text + used, sizeof text - used, "%s = %s\n", row->entry.id, value);
    }
    size_t used = strlen(text);
    used += write_left(app, text + used, sizeof text - used);
    used += write_captions(app, text + used, sizeof text - used);
    if (!files->write(files->context, path, text, used, false, &err))
        app_say_err(app, &err);
}

static void read_recents(App *app) {
    AppDesk *desk = &app->desk;
    size_t size;
    free(desk->recent_bytes);
    desk->recent_bytes = read_place(app, PLACE_RECENT, &size);
    desk->recent_count = 0;
    for (char *at = desk->recent_bytes; at != NULL && desk->recent_count < RECENT_MAX;) {
        char *end = strchr(at, '\n');
        if (end != NULL)
            *end = '\0';
        if (*at != '\0' && utf8_first_invalid(at, strlen(at)) == strlen(at))
            desk->recents[desk->recent_count++] = (RecentFile){at, false};
        at = end != NULL ? end + 1 : NULL;
    }
}

void desk_find_recents(App *app) {
    const AppFiles *files = &app->resources.files;
    read_recents(app);
    for (int i = 0; i < app->desk.recent_count; i++) {
        RecentFile *recent = &app->desk.recents[i];
        recent->is_gone = !files->exists(files->context, recent->path);
    }
}

void recent_add(App *app, const char *path) {
    const AppFiles *files = &app->resources.files;
    const RecentFile *recents = app->desk.recents;
    size_t room = strlen(path) + 2, used;
    Err err;
    read_recents(app);
    for (int i = 0; i < app->desk.recent_count; i++)
        room += strlen(recents[i].path) + 1;
    char *text = heap_get(room);
    if (text == NULL || strchr(path, '\n') != NULL || files->places[PLACE_RECENT][0] == '\0') {
        free(text);
        return;
    }
    used = (size_t)snprintf(text, room, "%s\n", path);
    for (int i = 0, kept = 1; i < app->desk.recent_count && kept < RECENT_MAX; i++)
        if (strcmp(recents[i].path, path) != 0) {
            used += (size_t)snprintf(text + used, room - used, "%s\n", recents[i].path);
            kept++;
        }
    if (!files->write(files->context, files->places[PLACE_RECENT], text, used, false, &err))
        app_say_err(app, &err);
    free(text);
}
