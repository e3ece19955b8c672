/* A state's picture does not depend on what the window showed before: no form, text or mask is left
 * over; and states may change while the pointer is in a view. TEST_SEED=n runs another sequence,
 * TEST_EVENTS=n a longer one. Compare is excluded, because it keeps the room that longer words
 * took. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/util.h"
#include "document/state.h"
#include "support/chance.h"
#include "support/drawn.h"
#include "support/opened.h"
#include "support/script.h"
#include "support/test.h"

#define STATES      500
#define EVENTS_EACH 150 /* in one window */
#define STATE_MAX   4096
#define AGAIN       3 /* out of ten choices, this many change for the next state */

/* "" leaves the option at its default. */
static const struct {
    const char *key, *values[8];
} CHOICES[] = {
    {"view", {"heads", "graph", "wqk", "wqk", "wqk", "steps", "heads", "train"}},
    {"text",
     {"one%20two", "the%20cat%20sat%20on%20the%20mat", "a", "%20", "so%20it%20was%20too",
      "مرحبا%20بالعالم%20كيف%20حالك", "👩\u200D👧%20🎉%20x",
      "a%20b%20c%20d%20e%20f%20g%20h%20i%20j%20k%20l%20m%20n%20o%20p%20q%20r%20s%20t"}},
    {"tokenizer", {"words", "words", "chars"}},
    {"embedding", {"", "random", "onehot"}},
    {"positions", {"", "", "none", "rope", "learned"}},
    {"d-model", {"16", "64", "64", "8"}},
    {"heads", {"1", "2", "4", "4"}},
    {"d-k", {"", "", "5", "20"}},
    {"d-v", {"", "", "5", "20"}},
    {"scale", {"", "", "none"}},
    {"temperature", {"", "", "0.5"}},
    {"mask", {"", "", "causal", "window:1"}},
    {"open", {"", "", "1-2"}},
    {"close", {"", "", "1-1", "2-1..9"}},
    {"bias", {"", "", "output", "all"}},
    {"block", {"", "", "residual", "post-norm", "pre-norm"}},
    {"form", {"separate", "merged", "rank:3", "free", "nested", "rank:9"}},
    {"init", {"", "", "zeros", "he_normal", "identity", "mimetic"}},
    {"init-q", {"", "", "identity", "zeros"}},
    {"beside", {"", "", "", "normal"}},
    {"seed", {"1", "1", "2"}},
    {"head", {"1", "1", "2"}},
    {"pin", {"", "", "1,1", "2,1", "3,2"}},
    {"focus", {"strongest", "strongest", "nothing"}},
    {"theme", {"dark", "light", "projector"}},
    {"ui-scale", {"1", "1", "0.75", "1.5"}},
    {"edges", {"3", "1", "6"}},
    {"graph-layout", {"circle", "arc", "bipartite", "layered", "force"}},
    {"graph-value", {"weights", "scores", "carried"}},
    {"graph-filter", {"top", "above", "mass"}},
    {"graph-nodes", {"received", "pagerank", "plain"}},
    {"graph-heads", {"one", "all"}},
    {"graph-self", {"shown", "hidden"}},
    {"graph-first", {"shown", "hidden"}},
    {"graph-rest", {"as-is", "renormalised"}},
    {"wqk-product", {"qk", "qk", "ov"}},
    {"wqk-against", {"merged", "rank", "gauge"}},
    {"wqk-page", {"rank", "cost", "training", "parts", "nested", "plain", "gauge"}},
    {"wqk-rank", {"auto", "2", "5"}},
    {"wqk-turn", {"0", "0.5", "1"}},
    {"wqk-gauge", {"rotation", "any"}},
    {"wqk-offset", {"0", "0", "2", "-1"}},
    {"wqk-entry", {"none", "3,4"}},
    {"show", {"weights", "weights", "scores", "masked", "grad-a", "grad-s"}},
    {"minus", {"none", "none", "head:1", "form", "head:2"}},
    {"second", {"", "a cat", "it sat"}},
    {"warp", {"linear", "linear", "root", "log"}},
    {"range", {"all", "each"}},
    {"clamp", {"100", "100", "90"}},
    {"order", {"position", "position", "weight", "pinned"}},
    {"summary", {"none", "none", "mean", "rollout", "both"}},
    {"mask-panel", {"hide", "show"}},
    {"wall", {"all", "all", "one"}},
    {"numbers", {"large", "fit"}},
    {"steps-output", {"1", "3"}},
    {"train-task", {"previous", "first"}},
    {"train-step", {"0", "3"}},
};

static int count_of(const char *const *values) {
    int count = 0;
    while (count < (int)ARRAY_COUNT(CHOICES[0].values) && values[count] != NULL)
        count++;
    return count;
}

static bool holds(const char *state) {
    Settings settings;
    StateExtra extra = settings_extra(&settings, NULL);
    option_set_standard(&settings, &PICTURE_OPTIONS);
    LOCAL(session_release) Session session = session_opened("");
    bool read = state_read(&session, &extra, state, strlen(state), &told);
    return read;
}

/* Random choices, and the current value of each. */
typedef struct Lots {
    Rng rng;
    uint64_t drawn;
    int chosen[ARRAY_COUNT(CHOICES)];
} Lots;

static int below(Lots *lots, int count) {
    return (int)(rng_bits(lots->rng, lots->drawn++) % (uint64_t)count);
}

static void write_state(char out[STATE_MAX], const Lots *lots) {
    size_t used = 0;
    for (size_t i = 0; i < ARRAY_COUNT(CHOICES); i++) {
        const char *value = CHOICES[i].values[lots->chosen[i]];
        if (value[0] != '\0')
            used += (size_t)snprintf(out + used, STATE_MAX - used, "%s%s=%s", used > 0 ? "&" : "",
                                     CHOICES[i].key, value);
        assert_true(used < STATE_MAX);
    }
}

static void next_state(char out[STATE_MAX], Lots *lots) {
    do {
        for (size_t i = 0; i < ARRAY_COUNT(CHOICES); i++)
            if (below(lots, 10) < AGAIN)
                lots->chosen[i] = below(lots, count_of(CHOICES[i].values));
        write_state(out, lots);
    } while (!holds(out));
}

static void check_as_fresh(Script *s, const char *before) {
    char state[2 * STATE_MAX], what[4 * STATE_MAX];
    snprintf(state, sizeof state, "%s", script_state(s));
    SCRIPT(fresh, script_begin, state, s->width_px, s->height_px);
    fresh.time_s = s->time_s;
    script_frame(&fresh);
    snprintf(what, sizeof what, "%s\nafter %s", state, before);
    if (draw_hash(&fresh.list) != draw_hash(&s->list))
        drawn_fail_difference(&fresh.list, &s->list, what);
}

TEST(nothing_stays_of_what_was) {
    Lots lots = {.rng = rng_stream(chance_number("TEST_SEED", 1), 0)};
    char before[STATE_MAX], now[STATE_MAX];
    next_state(now, &lots);
    SCRIPT(s, script_open, now);
    for (unsigned long i = 0; i < chance_number("TEST_EVENTS", STATES); i++) {
        memcpy(before, now, sizeof before);
        next_state(now, &lots);
        script_paste(&s, now, strlen(now));
        s.time_s += 20; /* until messages about it have ended */
        script_frame(&s);
        check_as_fresh(&s, before);
    }
}

/* States change while the pointer and keys act in a view: no assert fails, no command is lost. */
TEST(whatever_changes_under_the_pointer) {
    static uint8_t bytes[EVENTS_EACH * CHANCE_EVENT_BYTES];
    Lots lots = {.rng = rng_stream(chance_number("TEST_SEED", 1), 1)};
    char given[STATE_MAX];
    for (size_t i = 0; i < chance_number("TEST_EVENTS", 8); i++) {
        SCRIPT(s, script_open, "");
        chance_fill(bytes, sizeof bytes, chance_number("TEST_SEED", 1), i);
        Chance chance = {.at = bytes, .left = sizeof bytes, .width_px = 1728, .height_px = 1080};
        Input input;
        InputEvent event;
        while (chance_next(&chance, &input, &event)) {
            s.width_px = chance.width_px, s.height_px = chance.height_px;
            s.pointer =
                (Vec2){chance.pointer_px.x / s.list.scale, chance.pointer_px.y / s.list.scale};
            s.inside = chance.inside, s.time_s = chance.time_s;
            script_events(&s, &event, input.event_count);
            next_state(given, &lots);
            if (below(&lots, 3) == 0)
                script_paste(&s, given, strlen(given));
        }
    }
}
