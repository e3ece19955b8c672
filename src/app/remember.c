#include "app/desk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/examples.h"
#include "base/number.h"
#include "base/pairs.h"
#include "base/utf8.h"

#define REMEMBER_S 1.0
/* Beginning of the key of a tour; its value is the step at which the user left the tour. */
#define TOUR_KEY_BEGIN  "tour."
#define HINTS_KEY       "hints"    /* key of the hints that are done */
#define CAPTION_KEY     "caption." /* beginning of the key of a caption of lecture mode */
#define SETTINGS_HEADER "# Headlight: settings that a window starts with.\n"
#define FILE_MOST       ((size_t)1 << 20)

static const char *const REMEMBERED[] = {"theme",    "palette", "signed-palette", "motion",
                                         "ui-scale", "size",    "statistics"};

bool settings_remembers(const OptionRow *row) {
    for (size_t i = 0; i < sizeof REMEMBERED / sizeof *REMEMBERED; i++)
        if (strcmp(REMEMBERED[i], row->entry.id) == 0)
            return true;
    return false;
}

/* Copy the settings that are remembered and whose value differs from `seen`. Return true if there
 * are any. */
static bool copy_remembered(Settings *to, const Settings *from, const Settings *seen) {
    bool copied = false;
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        Err err;
        char text[OPTION_TEXT_MAX];
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        if (!settings_remembers(row) || option_value_equal(row, seen, from))
            continue;
        option_get(text, row, from);
        option_set(to, row, text, strlen(text), &err);
        copied = true;
    }
    return copied;
}

void settings_keep_remembered(Settings *settings, const Settings *now) {
    const Settings seen = *settings;
    copy_remembered(settings, now, &seen);
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
    settings->focus = 1; /* no cell is explained */
}

static void add_fault(DocumentFaults *faults, int line, const Err *err) {
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

static bool same_value(const Pair *a, const Pair *b) {
    return a->value != NULL && b->value != NULL && a->value_bytes == b->value_bytes &&
           memcmp(a->value, b->value, a->value_bytes) == 0;
}

/* Read a line with the step at which the user left a shipped tour. */
static void read_left(App *app, const Pair *pair) {
    long long step;
    size_t begin = strlen(TOUR_KEY_BEGIN);
    int free = 0, tour = registry_find(&TOUR_REGISTRY, pair->key + begin, pair->key_bytes - begin);
    while (free < TOURS_LEFT_MAX && app->tour.left[free].id[0] != '\0')
        free++;
    if (free == TOURS_LEFT_MAX || tour < 0 ||
        !number_parse_int(&step, pair->value, pair->value_bytes) || step < 1 ||
        step > TOUR_STEPS_MAX)
        return;
    snprintf(app->tour.left[free].id, sizeof app->tour.left[free].id, "%s", TOURS[tour].id);
    app->tour.left[free].step = (int)step - 1;
}

/* Read a caption that the user wrote in a lecture. Its key is the subject; its value is the number
 * that the caption quotes, a '|' and the text. */
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

void settings_read(App *app, Settings *settings, const char *bytes, size_t size,
                   DocumentFaults *faults) {
    Pairs pairs = {.bytes = bytes, .size = size};
    Pair pair;
    while (pairs_next(&pairs, &pair)) {
        Err err;
        char name[80];
        long long done;
        const OptionRow *row = option_find(&PICTURE_OPTIONS, pair.key, pair.key_bytes);
        bool set = pair_name(name, &pair, &err), is_hints = pair_is(&pair, HINTS_KEY);
        bool is_tour = begins(&pair, TOUR_KEY_BEGIN), is_caption = begins(&pair, CAPTION_KEY);
        if (set && (is_hints || is_tour || is_caption)) {
            if (app != NULL && is_tour)
                read_left(app, &pair);
            else if (app != NULL && is_caption)
                read_caption(app, &pair);
            else if (app != NULL && number_parse_int(&done, pair.value, pair.value_bytes) &&
                     done >= 0 && done < HINTS_ALL)
                app->hints.done = (unsigned)done;
            continue;
        }
        if (set && (row == NULL || !settings_remembers(row)))
            set = err_usage(&err, name, "is not a setting of this file; remove the line");
        if (!set || !option_set(settings, row, pair.value, pair.value_bytes, &err))
            add_fault(faults, pairs.line, &err);
    }
}

void app_read_settings(Settings *settings, const char *bytes, size_t size) {
    DocumentFaults faults = {.count = 0};
    settings_read(NULL, settings, bytes, size, &faults);
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

static char *read_place(App *app, FilePlace place, size_t *size) {
    const AppFiles *files = &app->resources.files;
    const char *path = files->places[place];
    Err err;
    if (path[0] == '\0' || !files->exists(path))
        return NULL;
    char *bytes = desk_read(app, path, FILE_MOST, size, &err);
    if (bytes == NULL)
        app_say_err(app, &err);
    return bytes;
}

/* Return the lines that this window would write if it were the only one. */
static TextOut own_settings(const App *app) {
    TextOut text = {0};
    for (int i = 0; i < PICTURE_OPTIONS.count; i++) {
        const OptionRow *row = &PICTURE_OPTIONS.rows[i];
        char value[OPTION_TEXT_MAX];
        option_get(value, row, &app->desk.remembered);
        if (settings_remembers(row) && !option_is_standard(row, &app->desk.remembered))
            text_out(&text, "%s = %s\n", row->entry.id, value);
    }
    if (app->hints.is_on && app->hints.done != HINTS_ALL)
        text_out(&text, HINTS_KEY " = %u\n", app->hints.done);
    for (int i = 0; i < TOURS_LEFT_MAX; i++) {
        const char *id = app->tour.left[i].id;
        if (app->tour.left[i].step > 0 && registry_find(&TOUR_REGISTRY, id, strlen(id)) >= 0)
            text_out(&text, TOUR_KEY_BEGIN "%s = %d\n", id, app->tour.left[i].step + 1);
    }
    for (int i = 0; i < CAPTIONS_MAX; i++) {
        const OwnCaption *own = &app->lecture.own[(app->lecture.own_next + i) % CAPTIONS_MAX];
        const LectureSubject *a = &own->about;
        if (own->text[0] != '\0')
            text_out(&text, CAPTION_KEY "%d.%d.%d.%d.%d.%llx = %s|%s\n", a->head, a->query, a->key,
                     a->show, a->minus, (unsigned long long)a->tokens, a->value, own->text);
    }
    return text;
}

void remember_begin(App *app) {
    size_t size;
    DocumentFaults of_settings = {.count = 0}, of_keys = {.count = 0};
    option_set_standard(&app->desk.remembered, &PICTURE_OPTIONS);
    char *bytes = read_place(app, PLACE_SETTINGS, &size);
    if (bytes != NULL) {
        app->hints.done = HINTS_ALL;
        for (int i = 0; i < HINTS_COUNT; i++)
            app->hints.done_s[i] = -INFINITY;
        settings_read(app, &app->desk.remembered, bytes, size, &of_settings);
    }
    free(bytes);
    bytes = read_place(app, PLACE_KEYS, &size);
    if (bytes != NULL)
        read_keys(app, bytes, size, &of_keys);
    free(bytes);
    desk_say_faults(app, app->resources.files.places[PLACE_SETTINGS], &of_settings);
    desk_say_faults(app, app->resources.files.places[PLACE_KEYS], &of_keys);
    app->desk.seen = app->settings;
    app->desk.remembered_text = own_settings(app);
}

void remember_soon(App *app) {
    if (app->resources.files.read != NULL && isinf(app->desk.remember_due_s))
        app->desk.remember_due_s = app->time_s + REMEMBER_S;
}

/* Don't remember the first size of the window, which the user did not choose, nor the size of a
 * maximised window. */
void remember_frame(App *app) {
    AppDesk *desk = &app->desk;
    bool is_sized = desk->window.first != 0, was_sized = desk->window_seen.first != 0;
    if (is_sized && was_sized && !option_pair_equal(&desk->window, &desk->window_seen)) {
        desk->remembered.size = desk->window;
        remember_soon(app);
    }
    if (is_sized)
        desk->window_seen = desk->window;
    if (copy_remembered(&desk->remembered, &app->settings, &desk->seen))
        remember_soon(app);
    app->desk.seen = app->settings;
    if (desk->remember_due_s <= app->time_s)
        remember_write(app);
    app->effects.next_frame_s = fmin(app->effects.next_frame_s, desk->remember_due_s);
}

static bool write_place(App *app, FilePlace place, TextOut *text) {
    const AppFiles *files = &app->resources.files;
    Err err;
    bool wrote = !text->failed && app_told(app,
                                           files->write(files->context, files->places[place],
                                                        text->at, text->used, false, &err),
                                           &err);
    text_out_release(text);
    return wrote;
}

/* Find the pair with the key of `like`. A caption must also have the same value: several captions
 * may have the same key, and each quotes another number. */
static bool find_pair(Pair *out, const TextOut *text, const Pair *like) {
    Pairs pairs = {.bytes = text->at, .size = text->used};
    while (pairs_next(&pairs, out))
        if (out->key_bytes == like->key_bytes &&
            memcmp(out->key, like->key, like->key_bytes) == 0 &&
            (!begins(like, CAPTION_KEY) || same_value(out, like)))
            return true;
    return false;
}

/* If `changed`, append the pairs of `from` that this window changed since it read or wrote the
 * file; otherwise append those that it did not change. */
static void add_pairs(TextOut *out, const TextOut *from, const TextOut *before, const TextOut *now,
                      bool changed) {
    Pairs pairs = {.bytes = from->at, .size = from->used};
    Pair pair, was, is;
    while (pairs_next(&pairs, &pair)) {
        bool had = find_pair(&was, before, &pair), has = find_pair(&is, now, &pair);
        if ((had != has || (had && !same_value(&was, &is))) != changed)
            continue;
        text_out_bytes(out, pair.key, pair.key_bytes);
        if (pair.value != NULL) {
            text_out(out, " = ");
            text_out_bytes(out, pair.value, pair.value_bytes);
        }
        text_out(out, "\n");
    }
}

/* Write the settings' file: the lines that this window changed, and all others as the file has them
 * now, because another window may have written to it. What could not be written counts as changed
 * until the next attempt. */
void remember_write(App *app) {
    bool due = !isinf(app->desk.remember_due_s);
    app->desk.remember_due_s = INFINITY;
    if (!due || app->resources.files.places[PLACE_SETTINGS][0] == '\0')
        return;
    const AppFiles *files = &app->resources.files;
    TextOut now, all = {0}, file = {0}, *before = &app->desk.remembered_text;
    file.at = read_place(app, PLACE_SETTINGS, &file.used);
    if (file.at == NULL && files->exists(files->places[PLACE_SETTINGS]))
        return; /* writing would lose other windows' settings, which cannot be read now */
    now = own_settings(app);
    text_out(&all, SETTINGS_HEADER);
    add_pairs(&all, file.at != NULL ? &file : &now, before, &now, false);
    add_pairs(&all, &now, before, &now, true);
    all.failed = all.failed || now.failed;
    free(file.at);
    if (write_place(app, PLACE_SETTINGS, &all)) {
        text_out_release(before);
        *before = now;
    } else {
        text_out_release(&now);
    }
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
        recent->is_gone = !files->exists(recent->path);
    }
}

void recent_add(App *app, const char *path) {
    const RecentFile *recents = app->desk.recents;
    TextOut text = {0};
    read_recents(app);
    if (strchr(path, '\n') != NULL || app->resources.files.places[PLACE_RECENT][0] == '\0')
        return;
    text_out(&text, "%s\n", path);
    for (int i = 0, kept = 1; i < app->desk.recent_count && kept < RECENT_MAX; i++)
        if (strcmp(recents[i].path, path) != 0) {
            text_out(&text, "%s\n", recents[i].path);
            kept++;
        }
    write_place(app, PLACE_RECENT, &text);
}
