#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/registry.h"
#include "base/utf8.h"
#include "document/state.h"
#include "io/file.h"
#include "shell/assets.h"
#include "shell/bench.h"
#include "shell/cli.h"
#include "shell/film.h"
#include "shell/pool.h"
#include "text/tokenizer.h"

#define AT(member) offsetof(Call, member)

#define SEEDS_MAX 1000000000 /* limit of seeds; if memory allows fewer, the study reports that */

static bool renamed(Err *err, const char *what) {
    snprintf(err->what, sizeof err->what, "%s", what);
    return false;
}

static bool replace_text(Call *call, const char *bytes, size_t size, const char *what, Err *err) {
    return session_edit_text(&call->session, 0, call->session.text->size, bytes, size, err) ||
           renamed(err, what);
}

static bool apply_text(Call *call, const char *value, Err *err) {
    call->text_from[0] = '\0';
    return replace_text(call, value, strlen(value), "--text", err);
}

static bool apply_text_file(Call *call, const char *value, Err *err) {
    char *bytes;
    size_t size;
    if (!file_read(&bytes, &size, value, TOKEN_TEXT_MAX, err))
        return false;
    snprintf(call->text_from, sizeof call->text_from, "--text-file %.120s", value);
    bool replaced = replace_text(call, bytes, size, call->text_from, err);
    free(bytes);
    return replaced;
}

static bool apply_ids(Call *call, const char *value, Err *err) {
    call->text_from[0] = '\0';
    call->has_ids = true;
    call->fixed |= weights_fixed_bit(option_find(&STATE_OPTIONS, "tokenizer", 9));
    return session_set_ids(&call->session, value, strlen(value), err);
}

static bool apply_state(Call *call, const char *value, Err *err) {
    StateExtra extra = settings_extra(&call->settings, assets_weights);
    extra.fixed = &call->fixed;
    call->says_state = true; /* --from, too */
    if (state_read(&call->session, &extra, value, strlen(value), err))
        return true;
    return strncmp(err->what, "--", 2) == 0 ? false
                                            : renamed(err, PRINT("--state %.140s", err->what));
}

static bool apply_edges(Call *call, const char *key, const char *value, Err *err) {
    int row = registry_find(&EDGE_KEYS, key, strlen(key));
    return edges_read(&call->session.edges, edge_key(row), value, strlen(value), err);
}

static bool apply_open(Call *call, const char *value, Err *err) {
    return apply_edges(call, "open", value, err);
}

static bool apply_close(Call *call, const char *value, Err *err) {
    return apply_edges(call, "close", value, err);
}

static bool apply_set(Call *call, const char *value, Err *err) {
    return hand_set_read(&call->session.hand, value, strlen(value), err);
}

static const Entry GROUND_ROWS[] = {{"theme", "", "", ""}, {"none", "", "", ""}};
static const Entry STAGE_ROWS[] = {
    {"tour", "", "", ""}, {"hall", "", "", ""}, {"window", "", "", ""}};
static const Entry CAPTION_ROWS[] = {
    {"burn", "", "", ""}, {"srt", "", "", ""}, {"vtt", "", "", ""}, {"none", "", "", ""}};
static const Entry CAP_ROWS[] = {{"no", "", "", ""}, {"yes", "", "", ""}};
static const Registry GROUNDS = REGISTRY("grounds", "ground", GROUND_ROWS);
static const Registry STAGES = REGISTRY("stages", "stage", STAGE_ROWS);
static const Registry CAPTIONS = REGISTRY("captions", "caption", CAPTION_ROWS);
static const Registry CAPS = REGISTRY("caps", "choice", CAP_ROWS);

static bool apply_reduced_motion(Call *call, const char *value, Err *err) {
    (void)value, (void)err;
    call->settings.motion = registry_find(&MOTION_REGISTRY, "less", strlen("less"));
    return true;
}

static bool add_scheme(Call *call, const char *id, size_t bytes, Err *err) {
    char near[80];
    int scheme = registry_find(&SCHEME_REGISTRY, id, bytes);
    const char *what = PRINT("--schemes %.*s", bytes > 100 ? 100 : (int)bytes, id);
    if (scheme < 0) {
        nearest_entry(near, sizeof near, &SCHEME_REGISTRY, id, bytes);
        if (near[0] != '\0')
            return err_usage(err, what, "no such scheme; did you mean %s?", near);
        return err_usage(err, what, "no such scheme; run headlight list schemes");
    }
    for (int i = 0; i < call->scheme_count; i++)
        if (call->schemes[i] == scheme)
            return err_usage(err, what, "is named twice; name each scheme once");
    call->schemes[call->scheme_count++] = scheme;
    return true;
}

static bool apply_schemes(Call *call, const char *value, Err *err) {
    call->scheme_count = 0;
    for (bool more = true; more;) {
        size_t bytes = strcspn(value, ",");
        if (!add_scheme(call, value, bytes, err))
            return false;
        more = value[bytes] == ',';
        value += bytes + more;
    }
    return true;
}

const CallOption CALL_OPTIONS[] = {
    {{"output", "", "FILE",
      "The file to write; its suffix chooses the format. - is standard output."},
     {CALL_OUTPUT, .word = AT(output), .is_file = true, .letter = 'o'}},
    {{"format", "", "ID", "The format; by default that of the file's suffix."},
     {CALL_OUTPUT, .word = AT(format)}},
    {{"schemes", "", "A,B,C", "The schemes to compare, by id; all of them by default."},
     {CALL_STUDY, .apply = apply_schemes}},
    {{"seeds", "", "N", "Number of seeds (100); the first is --seed."},
     {CALL_STUDY, .whole = AT(seeds), .least = 1, .most = SEEDS_MAX}},
    {{"threads", "", "N",
      "Number of threads; results do not depend on it (one for each processor)."},
     {CALL_STUDY | CALL_FILM, .whole = AT(threads), .least = 1, .most = POOL_THREADS_MAX}},
    {{"tokens", "", "T",
      "Number of tokens in the text used for the timing, 1 to 4096 (16); other texts are ignored."},
     {CALL_TOKENS, .whole = AT(tokens), .least = 1, .most = TOKENS_MAX}},
    {{"grad", "", "", "Also write the gradients of L = Σ G∘Y; G is random, from the seed."},
     {CALL_EXPORT, .flag = AT(grad)}},
    {{"code", "", "ID", "The language of a script: pytorch or numpy (pytorch)."},
     {CALL_EXPORT, .flag = AT(has_code), .whole = AT(code), .choices = &LAYER_CODES}},
    {{"json", "", "", "Print JSON."}, {CALL_JSON, .flag = AT(json)}},
    {{"keys", "", "KEYS",
      "Keys to press, and texts in quotes to type, each with its time in seconds: 'F@1 Ctrl+L@2 "
      "\"king\"@2.5'."},
     {CALL_KEYS, .word = AT(film.keys)}},
    {{"time", "", "S",
      "The time in seconds that the picture shows, 0 to 3600 (when all motion has ended)."},
     {CALL_MOMENT, .real = AT(film.time_s), .least = 0, .most = KEY_SCRIPT_SECONDS}},
    {{"part", "", "ID", "Only this part of the picture. For the ids, run headlight list parts."},
     {CALL_FIGURE | CALL_FILM, .word = AT(figure.part)}},
    {{"ground", "", "ID", "none leaves the background transparent, for pages of any colour."},
     {CALL_FIGURE, .whole = AT(figure.ground), .choices = &GROUNDS}},
    {{"width", "", "MM", "Width of the figure on paper, such as 85mm."},
     {CALL_FIGURE, .real = AT(figure.width_mm), .least = 1, .most = 2000, .unit = "mm"}},
    {{"font-pt", "", "PT",
      "Size of the figure's text on paper in points, as closely as its layout allows; needs "
      "--width."},
     {CALL_FIGURE, .real = AT(figure.font_pt), .least = 1, .most = 100, .unit = "pt"}},
    {{"seconds", "", "S",
      "Length of the film in seconds. Default: the length of the tour, or 1.5 s more than the last "
      "key or motion needs."},
     {CALL_FILM, .real = AT(film.seconds), .least = 0.01, .most = KEY_SCRIPT_SECONDS}},
    {{"from", "", "STR", "The state at which a motion starts; another name for --state."},
     {CALL_FILM, .apply = apply_state}},
    {{"to", "", "STR", "The state at which the motion ends."}, {CALL_FILM, .word = AT(film.to)}},
    {{"over", "", "S", "Seconds from the first state to the state of --to (0.8)."},
     {CALL_FILM, .real = AT(film.over_s), .least = 0.01, .most = KEY_SCRIPT_SECONDS}},
    {{"steps", "", "ID..ID", "Only these steps of the tour, by their ids: first..last."},
     {CALL_FILM, .word = AT(film.steps)}},
    {{"stage", "", "ID", "hall for large letters, window for the usual layout (as the tour says)."},
     {CALL_FILM, .whole = AT(film.stage), .choices = &STAGES}},
    {{"captions", "", "ID",
      "Captions of the tour: burn draws them into the film; srt or vtt writes a file next to it; "
      "none omits them (burn)."},
     {CALL_FILM, .whole = AT(film.captions), .choices = &CAPTIONS}},
    {{"cursor", "", "PX",
      "Draw a pointer of this height in pixels, such as 48, at the cell that is explained (none)."},
     {CALL_FILM, .real = AT(film.cursor_px), .least = 1, .most = 1000, .unit = "px",
      .absent = "none"}},
    {{"caps", "", "ID", "yes shows the pressed keys (no)."},
     {CALL_FILM, .whole = AT(film.has_caps), .choices = &CAPS}},
    {{"fps", "", "N", "Frames per second, 1 to 240 (60; 25 for .gif, 30 for .apng)."},
     {CALL_FILM, .whole = AT(film.fps), .least = 1, .most = 240}},
    {{"tempo", "", "X", "How fast time passes: 0.5 is half as fast (1)."},
     {CALL_FILM, .real = AT(film.tempo), .least = 0.01, .most = 100}},
    {{"text", "", "STR", "The text, UTF-8, of 1 to 4096 tokens and at most 1 MiB."},
     {CALL_STATE, .apply = apply_text}},
    {{"text-file", "", "FILE", "Take the text from a file; - is standard input."},
     {CALL_STATE, .apply = apply_text_file}},
    {{"ids", "", "LIST", "Token ids of a checkpoint in place of the text: 5,17,2."},
     {CALL_STATE, .apply = apply_ids}},
    {{"weights", "", "FILE",
      "Tensors to use instead of random ones, from a .safetensors or .npz file, trained:NAME "
      "(headlight list trained), or a checkpoint, FILE or FOLDER (headlight list architectures)."},
     {CALL_STATE, .word = AT(weights), .is_file = true}},
    {{"state", "", "STR", "Several options at once, as 'text=…&heads=4', percent-encoded."},
     {CALL_STATE, .apply = apply_state}},
    {{"open", "", "EDGES",
      "Opens edges that the mask closes, as QUERY-KEY: 3-5,4..6-1..2 are query 3 with key 5, and "
      "queries 4 to 6 with keys 1 and 2."},
     {CALL_STATE, .apply = apply_open}},
    {{"close", "", "EDGES", "Closes edges in addition to the mask, written as for --open."},
     {CALL_STATE, .apply = apply_close}},
    {{"set", "", "EDITS",
      "Numbers set by hand, as NAME[HEAD](ROW,COLUMN)=VALUE: 'S1(7,5)=5;X(3,1)=0;W_Q2(4,1)=-0.5'. "
      "NAME is X, a weight, a bias, W_QK, S or a head's gain; sigma1(3)=2 sets the third singular "
      "value of head 1's W_QK, after its weights; gain2(1,1)=0 ablates head 2."},
     {CALL_STATE, .apply = apply_set}},
    {{"reduced-motion", "", "", "No animations; the same as motion=less."},
     {CALL_PICTURE, .apply = apply_reduced_motion}},
    {{"lecture", "", "", "Large-type view of one head for a lecture hall, as with the key L."},
     {CALL_LECTURE, .flag = AT(lecture)}},
    {{"fullscreen", "", "", "Start in full screen; F11 switches it."},
     {CALL_WINDOW, .flag = AT(fullscreen)}},
    {{"check", "", "", "Check a tour's states, parts, captions and expectations."},
     {CALL_TOUR, .flag = AT(check)}},
    {{"list", "", "", "Print one line per step: id, seconds, title."},
     {CALL_TOUR, .flag = AT(list)}},
    {{"describe", "", "", "Print every step of a tour."}, {CALL_TOUR, .flag = AT(describe)}},
    {{"present", "", "", "Present a tour to an audience, as with the key F5."},
     {CALL_TOUR, .flag = AT(present)}},
    {{"from", "", "ID", "The step to begin at."}, {CALL_TOUR, .word = AT(from)}},
    {{"minutes", "", "N", "Length of the talk in minutes, for the timer."},
     {CALL_TOUR, .whole = AT(minutes), .least = 1, .most = 600}},
    {{"display", "", "N",
      "The display that the audience sees (the second). The notes are on another."},
     {CALL_TOUR, .whole = AT(display), .least = 1, .most = 16}},
    {{"help", "", "", "Print this help."}, {CALL_GENERAL, .flag = AT(help), .letter = 'h'}},
    {{"version", "", "", "Print the version."}, {CALL_GENERAL, .flag = AT(version)}},
};
const Registry CALL_OPTION_REGISTRY = REGISTRY("options", "option", CALL_OPTIONS);

const Verb VERBS[] = {
    {{"", "[FILE] [options]", "", "See what multi-head attention does to a text, in a window."},
     {verb_window, CALL_STATE | CALL_PICTURE | CALL_LECTURE | CALL_WINDOW, .word = "FILE",
      .prepare = verb_window_prepare}},
    {{"render", "-o FILE.png [options]", "", "Draw one view as a picture."},
     {verb_render, .groups = CALL_OUTPUT | CALL_KEYS | CALL_MOMENT | CALL_FIGURE | CALL_STATE |
                             CALL_PICTURE | CALL_LECTURE}},
    {{"export", "-o FILE.safetensors [options]", "", "Write every tensor of one pass."},
     {verb_export, .groups = CALL_OUTPUT | CALL_EXPORT | CALL_STATE}},
    {{"compare", "-o FILE.json [options]", "",
      "Initialise the layer with several schemes and many seeds, and write the statistics."},
     {verb_compare, .groups = CALL_OUTPUT | CALL_STUDY | CALL_STATE}},
    {{"train", "-o FILE.safetensors [options]", "",
      "Train one layer from the weights that `export` writes, and write its trained weights or its "
      "steps."},
     {verb_train, .groups = CALL_OUTPUT | CALL_TRAIN | CALL_STATE}},
    {{"record", "[FILE.tour] -o FILE.mp4 [options]", "",
      "Record a tour, pressed keys, or the motion from one state to another, as a film or its "
      "frames."},
     {verb_record, CALL_OUTPUT | CALL_FILM | CALL_KEYS | CALL_STATE | CALL_PICTURE | CALL_LECTURE,
      .word = "FILE"}},
    {{"bench", "WHAT [options]", "", "Measure how long one computation takes."},
     {verb_bench, CALL_TOKENS | CALL_JSON | CALL_STATE | CALL_PICTURE, .word = "WHAT",
      .words = &BENCHES, .word_needed = true}},
    {{"tour", "[FILE] [--check | --list | --describe | --present]", "",
      "Play a tour in the window, from a file or by the id of a built-in one; list the built-in "
      "tours."},
     {verb_tour, CALL_TOUR | CALL_PICTURE | CALL_WINDOW, .word = "FILE"}},
    {{"list", "KIND [--json]", "", "Print the ids of one kind, one per line."},
     {verb_list, CALL_JSON, .word = "KIND", .word_needed = true}},
};
const Registry VERB_REGISTRY = REGISTRY("verbs", "verb", VERBS);
