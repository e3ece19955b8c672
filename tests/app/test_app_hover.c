/* Settings, heads and texts change while the pointer stays in a view: no assert fails, no command
 * is lost, every text is valid UTF-8. TEST_SEED=n runs another sequence, TEST_EVENTS=n a longer
 * one, TEST_TRACE=1 prints each event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "document/options.h"
#include "support/script.h"
#include "support/test.h"
#include "views/settings.h"

#define EVENTS      1200
#define EVENTS_EACH 150 /* of one App */

typedef struct Driver {
    Script script;
    Rng rng;
    uint64_t drawn; /* random numbers drawn so far */
    char what[512]; /* the last event in words */
    bool clicks;    /* true if views are also clicked, dragged and zoomed */
} Driver;

static unsigned pick(Driver *d, unsigned count) {
    return (unsigned)((rng_bits(d->rng, d->drawn++) >> 32) % count);
}

/* Print each event before it happens, so that an assert is preceded by its cause. */
static void told(const Driver *d) {
    if (getenv("TEST_TRACE") != NULL)
        fprintf(stderr, "%s\n", d->what);
}

static const char *const TEXTS[] = {
    "a",
    "the the",
    "the cat sat on the mat because it was tired",
    "مرحبا بالعالم كيف حالك",
    "👩\u200D👧 🎉 x 👍🏽",
    "king queen dog",
    "a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t",
    "x y",
};

static size_t choice_value(Driver *d, const OptionRow *row, char *out, size_t size) {
    unsigned at = pick(d, (unsigned)row->choices->count + 1);
    const char *text = (int)at < row->choices->count ? option_choice_text(row, (int)at)
                       : row->absent != NULL         ? row->absent
                                                     : row->standard;
    return (size_t)snprintf(out, size, "%s", text);
}

static size_t number_value(Driver *d, const OptionRow *row, char *out, size_t size) {
    static const char *const wholes[] = {"1", "2", "3", "4", "8", "16", "30", "64"};
    static const char *const reals[] = {"1", "0", "0.5", "1e-6", "1e-30", "1e30", "0.05", "3"};
    if (row->absent != NULL && pick(d, 4) == 0)
        return (size_t)snprintf(out, size, "%s", row->absent);
    if (row->kind == OPTION_REAL)
        return (size_t)snprintf(out, size, "%s", reals[pick(d, 8)]);
    return (size_t)snprintf(out, size, "%s", wholes[pick(d, 8)]);
}

static size_t any_value(Driver *d, const OptionRow *row, char *out, size_t size) {
    switch (row->kind) {
    case OPTION_CHOICE:
        return choice_value(d, row, out, size);
    case OPTION_SEED:
    case OPTION_REAL:
    case OPTION_INT:
        return number_value(d, row, out, size);
    case OPTION_CELL:
        if (pick(d, 4) == 0)
            return (size_t)snprintf(out, size, "none");
        return (size_t)snprintf(out, size, "%u,%u", 1 + pick(d, 12), 1 + pick(d, 12));
    default:
        return (size_t)snprintf(out, size, "%s", row->standard);
    }
}

static bool left_alone(const OptionRow *row) {
    static const char *const keys[] = {"size", "ui-scale", "motion", "window"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(row->entry.id, keys[i]) == 0)
            return true;
    return false;
}

/* A state string of one to three settings. */
static void change_state(Driver *d) {
    char state[400];
    size_t used = 0;
    unsigned items = 1 + pick(d, 3);
    for (unsigned i = 0; i < items && used < 300; i++) {
        const OptionTable *table = pick(d, 2) == 0 ? &STATE_OPTIONS : &PICTURE_OPTIONS;
        const OptionRow *row = &table->rows[pick(d, (unsigned)table->count)];
        if (left_alone(row))
            continue;
        used += (size_t)snprintf(state + used, sizeof state - used, "%s%s=", used > 0 ? "&" : "",
                                 row->entry.id);
        used += any_value(d, row, state + used, sizeof state - used);
    }
    if (used == 0)
        used = (size_t)snprintf(state, sizeof state, "text=%u", pick(d, 4));
    snprintf(d->what, sizeof d->what, "paste %s", state);
    told(d);
    script_paste(&d->script, state, used);
}

static void change_text(Driver *d) {
    char state[400];
    const char *text = TEXTS[pick(d, sizeof TEXTS / sizeof TEXTS[0])];
    int size = snprintf(state, sizeof state, "text=%s", text);
    snprintf(d->what, sizeof d->what, "paste %s", state);
    told(d);
    script_paste(&d->script, state, (size_t)size);
}

/* Return a point in the view or the inspector, sometimes close to the pointer. */
static Vec2 some_place(Driver *d) {
    const DrawList *list = &d->script.list;
    float scale = list->scale > 0 ? list->scale : 1;
    float width = d->script.width_px / scale, height = d->script.height_px / scale;
    if (pick(d, 3) == 0) {
        Vec2 near = d->script.pointer;
        near.x += (float)pick(d, 41) - 20;
        near.y += (float)pick(d, 41) - 20;
        if (near.x > 0 && near.y > 0 && near.x < width && near.y < height)
            return near;
    }
    return (Vec2){width * (0.1f + 0.9f * (float)pick(d, 1000) / 1000),
                  height * (0.12f + 0.82f * (float)pick(d, 1000) / 1000)};
}

/* A drag while another value changes. */
static void drag(Driver *d, Vec2 at, unsigned held) {
    script_move(&d->script, at);
    script_press(&d->script, at, held, 1);
    script_move(&d->script, some_place(d));
    if (pick(d, 2) == 0)
        change_text(d);
    if (pick(d, 2) == 0)
        change_state(d);
    script_release(&d->script, some_place(d), held);
}

static void use_pointer(Driver *d) {
    Vec2 at = some_place(d);
    unsigned how = d->clicks ? pick(d, 10) : 0;
    snprintf(d->what, sizeof d->what, "pointer %u at %.0f, %.0f", how, (double)at.x, (double)at.y);
    told(d);
    static const unsigned mods[] = {0, 0, 0, KEY_MOD_SHIFT, KEY_MOD_COMMAND};
    switch (how) {
    case 0:
    case 1:
    case 2:
    case 3:
        script_move(&d->script, at);
        break;
    case 4:
    case 5:
        script_click_with(&d->script, at, mods[pick(d, 5)]);
        break;
    case 6:
        script_double_click(&d->script, at);
        break;
    case 7:
        script_wheel(&d->script, at, (float)pick(d, 7) - 3, mods[pick(d, 5)]);
        break;
    default:
        drag(d, at, mods[pick(d, 5)]);
    }
}

static void use_key(Driver *d) {
    static const uint32_t keys[] = {
        '1',      '2',       '3',    '4',      '[',        ']',     'f',       'r', 'm', 's', 'k',
        KEY_LEFT, KEY_RIGHT, KEY_UP, KEY_DOWN, KEY_ESCAPE, KEY_TAB, KEY_ENTER, ' ', 'n', 'i'};
    uint32_t key = keys[pick(d, sizeof keys / sizeof keys[0])];
    unsigned undo = pick(d, 8);
    snprintf(d->what, sizeof d->what, "key %#x", undo == 0 ? 'z' : key);
    told(d);
    script_key(&d->script, undo == 0 ? 'z' : key, undo == 0 ? KEY_MOD_COMMAND : 0);
}

static void run_events(uint64_t seed, uint64_t part) {
    static Driver d;
    d = (Driver){.rng = rng_stream(seed, part), .clicks = part % 2 == 0};
    static const float sizes[][2] = {{1728, 1080}, {1024, 768}, {1366, 700}, {700, 500}};
    script_begin(&d.script, "", 1728, 1080);
    const float *size = sizes[pick(&d, 4)];
    script_size(&d.script, size[0], size[1]);
    script_key(&d.script, (uint32_t)('1' + part / 2 % 4), 0);
    for (int i = 0; i < EVENTS_EACH; i++) {
        unsigned kind = pick(&d, 16);
        if (kind < 8)
            use_pointer(&d);
        else if (kind < 11)
            change_state(&d);
        else if (kind < 13)
            change_text(&d);
        else
            use_key(&d);
        d.script.time_s += pick(&d, 4) == 0 ? 3 : 0.02;
    }
    script_end(&d.script);
}

TEST(whatever_changes_under_the_pointer) {
    const char *seed = getenv("TEST_SEED"), *events = getenv("TEST_EVENTS");
    uint64_t from = seed != NULL ? strtoull(seed, NULL, 10) : 1;
    unsigned long count = events != NULL ? strtoul(events, NULL, 10) : EVENTS;
    for (unsigned long part = 0; part * EVENTS_EACH < count; part++) {
        print_message("# seed %llu, part %lu\n", (unsigned long long)from, part);
        run_events(from, part);
    }
}

TEST(a_row_of_the_inspector_stays_under_the_pointer) {
    static const struct {
        const char *state, *heading;
    } cases[] = {{"view=graph", "is read by"}, {"focus=nothing", "Reads most"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        LOCAL(script_end) Script s;
        script_begin(&s, cases[i].state, 1920, 1080);
        const DrawCommand *heading = drawn_text(&s.list, cases[i].heading, 0);
        assert_non_null(heading);
        Vec2 row = drawn_middle(&s.list, heading);
        row.y += 40;
        uint64_t before = draw_hash(&s.list);
        script_move(&s, row);
        for (int frame = 0; frame < 3; frame++) {
            assert_non_null(drawn_text(&s.list, cases[i].heading, 0));
            assert_true(draw_hash(&s.list) != before); /* it is lit */
            script_frame(&s);
        }
    }
}

/* The cell under the pointer belongs to no token any more, but its row is the pin's. */
TEST(a_cell_of_a_longer_text_is_let_go) {
    LOCAL(script_end) Script s;
    script_begin(&s, "text=a%20b%20c%20d%20e%20f%20g%20h&heads=2&pin=3,2", 1920, 1080);
    const DrawCells *wall = drawn_cells(&s.list, 0);
    assert_non_null(wall);
    assert_int_equal(wall->rows, 8);
    script_move(&s, drawn_cell(wall, 2, 7));
    static const char shorter[] = "text=a%20b%20c&heads=2&pin=3,2";
    script_paste(&s, shorter, sizeof shorter - 1);
    assert_int_equal(drawn_cells(&s.list, 0)->rows, 3);
}
