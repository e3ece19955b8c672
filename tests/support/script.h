/* script.h: scripted input to an App: every call is one frame, or two for a click. Positions are
 * logical pixels, as in the draw list. A script fails the test if a frame lost a command or drew an
 * invalid number or text. */
#ifndef HEADLIGHT_TESTS_SUPPORT_SCRIPT_H
#define HEADLIGHT_TESTS_SUPPORT_SCRIPT_H

#include "app/app.h"
#include "base/utf8.h"
#include "draw/part.h"
#include "support/disk.h"
#include "support/drawn.h"
#include "support/test.h"

typedef struct Script {
    App *app;
    DrawList list; /* of the last frame */
    TextMeasure measure;
    long measured; /* texts measured so far: how much building a frame took */
    float width_px, height_px;
    Vec2 pointer; /* logical */
    bool inside;
    unsigned held; /* keys that are held while the pointer moves */
    double time_s;
} Script;

/* Declare a Script that ends with its block, and begin it with a function below, or one that calls
 * it: SCRIPT(s, script_begin, "view=train", 1920, 1080). */
#define SCRIPT(name, begin, ...)                                                                   \
    LOCAL(script_end) Script name;                                                                 \
    begin(&(name), __VA_ARGS__)

/* An App whose word vectors hold no word, its first frame drawn. state is a state string of both
 * tables, "" for the default. The Script must not be moved while in use. */
void script_begin(Script *s, const char *state, float width_px, float height_px);

/* The same in a window of 1728 × 1080 px. */
void script_open(Script *s, const char *state);

/* script_begin with words about as wide as in the window (measure_typical_width). */
void script_begin_typical(Script *s, const char *state, float width_px, float height_px);

/* script_begin with animations, by time_s. */
void script_begin_moving(Script *s, const char *state, float width_px, float height_px);

/* script_begin with files, restoring the session of an earlier window. The second function uses
 * those of `disk`. */
void script_begin_with(Script *s, const char *state, const AppFiles *files);
void script_open_disk(Script *s, const char *state);

/* script_begin with a pool that runs long jobs. */
void script_begin_jobs(Script *s, const char *state, JobPool pool);

/* script_begin without word vectors, in a window of that size, with a function that reads a file of
 * them. */
void script_begin_wordless(Script *s, const char *state, Vec2 size_px, const AppFiles *files,
                           const AppWords *words);

/* script_begin with resources of an App, except for words and their measure. */
void script_begin_given(Script *s, const char *state, const AppResources *resources);

/* Close the window. script_end also empties `disk`; script_close keeps its files for the next
 * window of a test. */
void script_end(Script *s);
void script_close(Script *s);

/* TEST_IN(name, begin, …) { … } defines a test in a window: begin(s, …) opens it, and it is closed
 * at the end. */
#define TEST_IN(name, begin, ...)                                                                  \
    static void in_##name(Script *s);                                                              \
    TEST(name) {                                                                                   \
        LOCAL(script_end) Script window;                                                           \
        begin(&window, __VA_ARGS__);                                                               \
        in_##name(&window);                                                                        \
    }                                                                                              \
    static void in_##name(Script *s)

void script_frame(Script *s);
void script_events(Script *s, const InputEvent *events, int count);
void script_size(Script *s, float width_px, float height_px);

void script_move(Script *s, Vec2 to);
void script_press(Script *s, Vec2 at, unsigned mods, int clicks);
void script_release(Script *s, Vec2 at, unsigned mods);
void script_click(Script *s, Vec2 at);
void script_click_with(Script *s, Vec2 at, unsigned mods);
void script_double_click(Script *s, Vec2 at);

/* Press, move there and release. */
void script_drag(Script *s, Vec2 from, Vec2 to);
void script_wheel(Script *s, Vec2 at, float notches, unsigned mods);

void script_key(Script *s, uint32_t key, unsigned mods);
void script_type(Script *s, const char *text);

/* Keys and typed texts, divided by blanks: "Ctrl+K 'lecture' Enter". */
void script_keys(Script *s, const char *keys);

/* Play a scene: keys and typed texts as for script_keys, and between them, divided by blanks:
 *   {words}   a text is these words; {words*} begins with them; {*words*} contains them
 *   <words>   a click on the first text with these words; <words#1> on the second
 *   =state    the state string is this; ~part contains this part
 *   :{words}  the sentence is this; #4 matrices are drawn
 *   !typing   an effect of the frame: typing, quit, paste (wants one) or idle (no next frame)
 *   drop:path a dropped file; move:x,y the pointer; size:WxH the window; @2 a frame after 2 s; |
 * one A - before a check negates it: -{words} if no text is these words. */
void script_play(Script *s, const char *scene);

/* Type the keys, and check that they give this state. */
void script_gives(Script *s, const char *keys, const char *state);

/* Choose what the command list finds by these words. */
void script_command(Script *s, const char *words);

/* A frame that many seconds later. */
void script_wait(Script *s, double seconds);

void script_drop(Script *s, const char *path);
void script_paste(Script *s, const char *text, size_t bytes);

/* Click the nth text equal to this. Fails if there is none. */
void script_click_text(Script *s, const char *words, int nth);

/* True if a text is exactly these words. */
bool script_says(const Script *s, const char *words);
/* True if the state string contains this part. */
bool script_state_has(const Script *s, const char *part);
/* A frame at this time. */
void script_at(Script *s, double time_s);
/* True if a text begins with these words. */
bool script_says_first(const Script *s, const char *beginning);

/* True if some text contains the words. */
bool script_shows(const Script *s, const char *words);

/* A part of the picture; fails if it is not there. */
const DrawPart *script_part(const Script *s, const char *id);

/* Append `count` words to a state, w0, w1 and so on, which begin again after `different` ones.
 * Return it, in a buffer of the script's own until the next call. */
const char *script_with_words(const char *state, int count, int different);

/* The sentence, and the middle of the chip of the first of its tokens that is this word. */
const char *script_sentence(const Script *s);
Vec2 script_chip(const Script *s, const char *word);

/* Check that this state is in force. */
void script_check(const Script *s, const char *state);

/* The state string in force, in a buffer of the script's own until the next call. */
const char *script_state(const Script *s);

#endif
