#include "shell/cli.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/desk.h"
#include "base/registry.h"
#include "base/utf8.h"
#include "io/weights_file.h"
#include "shell/assets.h"
#include "shell/output.h"

/* The words of the command line; those before index `at` were read. */
typedef struct Reader {
    char *const *words;
    int count, at;
    bool options_ended;
} Reader;

/* An option as written: "--key=value", "--key value", "-ovalue" or "-o value". */
typedef struct Written {
    const char *shown; /* the option with its dashes */
    size_t shown_bytes;
    const char *key;
    size_t key_bytes;
    const char *value; /* NULL if the value is in the next word, or absent */
} Written;

static bool take_value(const char **value, const Written *w, Reader *reader, Err *err) {
    *value = w->value;
    if (*value == NULL && reader->at < reader->count)
        *value = reader->words[reader->at++];
    return *value != NULL ||
           err_usage(err, PRINT("%.*s", (int)w->shown_bytes, w->shown), "needs a value");
}

static bool apply_own(Call *call, const CallOption *option, const Written *w, Reader *reader,
                      Err *err) {
    const char *value = "";
    bool takes_value = option->entry.formula[0] != '\0';
    if (takes_value && !take_value(&value, w, reader, err))
        return false;
    if (!takes_value && w->value != NULL)
        return err_usage(err, PRINT("--%s", option->entry.id), "takes no value");
    if (option->apply != NULL)
        return option->apply(call, value, err);
    if (option->is_file && value[0] == '\0')
        return err_usage(err, option->letter == 'o' ? "-o" : PRINT("--%s", option->entry.id),
                         "needs the name of a file");
    OptionRow row = {.entry = option->entry,
                     .kind = option->choices != NULL ? OPTION_CHOICE
                             : option->whole > 0     ? OPTION_INT
                                                     : OPTION_REAL,
                     .offset = option->whole + option->real,
                     .least = option->least,
                     .most = option->most,
                     .choices = option->choices,
                     .absent = option->absent};
    size_t bytes = strlen(value), unit = option->unit != NULL ? strlen(option->unit) : 0;
    if (unit > 0 && bytes > unit && strcmp(value + bytes - unit, option->unit) == 0)
        bytes -= unit;
    if (option->flag > 0)
        *(bool *)((char *)call + option->flag) = true;
    if (option->word > 0)
        *(const char **)(void *)((char *)call + option->word) = value;
    return row.offset == 0 || option_set(call, &row, value, bytes, err);
}

static bool apply_row(void *target, const OptionRow *row, const Written *w, Reader *reader,
                      Err *err) {
    const char *value;
    return take_value(&value, w, reader, err) && option_set(target, row, value, strlen(value), err);
}

const Entry *call_option(int *index, const Verb *verb) {
    unsigned groups = verb->groups | CALL_GENERAL;
    int own = CALL_OPTION_REGISTRY.count, state = own + STATE_OPTIONS.count, i;
    while ((i = (*index)++) < state + PICTURE_OPTIONS.count) {
        if (i < own && (CALL_OPTIONS[i].group & groups) != 0)
            return &CALL_OPTIONS[i].entry;
        if (i >= own && i < state && (groups & CALL_STATE) != 0)
            return &STATE_OPTIONS.rows[i - own].entry;
        if (i >= state && call_has_picture(groups, &PICTURE_OPTIONS.rows[i - state]))
            return &PICTURE_OPTIONS.rows[i - state].entry;
    }
    return NULL;
}

static bool refuse_option(const Call *call, const Written *w, bool elsewhere, Err *err) {
    const char *name = PRINT("%.*s", w->shown_bytes > 70 ? 70 : (int)w->shown_bytes, w->shown);
    Nearest nearest = nearest_begin(w->key, w->key_bytes);
    const char *verb = call->verb->entry.id, *space = verb[0] == '\0' ? "" : " ";
    if (elsewhere)
        return err_usage(err, name, "is not an option of headlight%s%s; see its --help", space,
                         verb);
    const Entry *option;
    int at = 0;
    while ((option = call_option(&at, call->verb)) != NULL)
        nearest_try(&nearest, option->id);
    if (nearest.best[0] != '\0')
        return err_usage(err, name, "no such option; did you mean --%s?", nearest.best);
    return err_usage(err, name, "no such option; run headlight%s%s --help", space, verb);
}

/* Return the option with this key, or with this letter; NULL if there is none. If several options
 * match, prefer one in these groups. */
static const CallOption *own_option(const char *key, size_t bytes, bool is_letter,
                                    unsigned groups) {
    const CallOption *found = NULL;
    for (int i = 0; i < CALL_OPTION_REGISTRY.count; i++) {
        const CallOption *option = &CALL_OPTIONS[i];
        const char *id = option->entry.id;
        if (is_letter ? option->letter != key[0]
                      : strlen(id) != bytes || memcmp(id, key, bytes) != 0)
            continue;
        if (found == NULL || (option->group & groups) != 0)
            found = option;
    }
    return found;
}

static bool read_option(Call *call, const Written *w, bool is_letter, Reader *reader, Err *err) {
    unsigned groups = call->verb->groups | CALL_GENERAL;
    const CallOption *own = own_option(w->key, w->key_bytes, is_letter, groups);
    if (own != NULL && (own->group & groups) != 0) {
        call->says_state |= (own->group & CALL_STATE) != 0;
        return apply_own(call, own, w, reader, err);
    }
    const OptionRow *state = is_letter ? NULL : option_find(&STATE_OPTIONS, w->key, w->key_bytes);
    if (state != NULL && (groups & CALL_STATE) != 0) {
        call->fixed |= weights_fixed_bit(state);
        call->says_state = true;
        return apply_row(&call->session.options, state, w, reader, err);
    }
    const OptionRow *shown = is_letter ? NULL : option_find(&PICTURE_OPTIONS, w->key, w->key_bytes);
    if (shown != NULL && call_has_picture(groups, shown)) {
        call->says_state |= !settings_remembers(shown);
        call->says_theme |= strcmp(shown->entry.id, "theme") == 0;
        return apply_row(&call->settings, shown, w, reader, err);
    }
    return refuse_option(call, w, own != NULL || state != NULL || shown != NULL, err);
}

static bool read_word(Call *call, Reader *reader, Err *err) {
    const char *word = reader->words[reader->at++];
    bool dash = word[0] == '-' && word[1] != '\0' && !reader->options_ended;
    if (!dash && (call->verb->word == NULL || call->word != NULL))
        return err_usage(err, call_name(word),
                         "is one argument too many; put a text with blanks in quotes");
    if (!dash)
        call->word = word;
    reader->options_ended |= dash && strcmp(word, "--") == 0;
    if (!dash || reader->options_ended)
        return true;
    if (word[1] == '-') {
        size_t bytes = strcspn(word, "=");
        Written w = {word, bytes, word + 2, bytes - 2,
                     word[bytes] == '=' ? word + bytes + 1 : NULL};
        return read_option(call, &w, false, reader, err);
    }
    Written w = {word, 2, word + 1, 1, word[2] != '\0' ? word + 2 : NULL};
    return read_option(call, &w, true, reader, err);
}

/* Read the verb: the first word, unless it is an option or looks like a file. */
static bool read_verb(Call *call, Reader *reader, Err *err) {
    call->verb = &VERBS[0];
    if (reader->count == 0 || reader->words[0][0] == '-')
        return true;
    const char *word = reader->words[0];
    int found = word[0] == '\0' ? -1 : registry_find(&VERB_REGISTRY, word, strlen(word));
    if (found >= 0) {
        call->verb = &VERBS[found];
        reader->at = 1;
        return true;
    }
    if (strpbrk(word, "./") != NULL || file_exists(word))
        return true;
    char near[80], verbs[160];
    nearest_entry(near, sizeof near, &VERB_REGISTRY, word, strlen(word));
    registry_ids(&VERB_REGISTRY, verbs, sizeof verbs);
    if (near[0] != '\0')
        return err_usage(err, call_name(word), "no such verb or file; did you mean %s?", near);
    return err_usage(err, call_name(word), "no such verb or file; the verbs are%s", verbs + 1);
}

static bool check_call(const Call *call, Err *err) {
    if (call->help || call->version)
        return true;
    const char *verb = call->verb->entry.id;
    if (call->verb->word_needed && call->word == NULL)
        return err_usage(err, verb, "needs %s; run headlight %s --help", call->verb->word, verb);
    if ((call->verb->groups & CALL_OUTPUT) != 0 && call->output == NULL)
        return err_usage(err, "-o", "is missing; say where to write, as in -o FILE");
    if (call->figure.font_pt > 0 && call->figure.width_mm == 0)
        return err_usage(err, "--font-pt", "needs --width, the figure's width on paper");
    if (call->has_ids && !session_streams(&call->session))
        return err_usage(err, "--ids", "needs --weights with a checkpoint that has an embedding");
    return session_check(&call->session, err);
}

/* Load the file of --weights or, without a verb, the weights file that is the argument. Called
 * after all options were read, because their values must not contradict the file. */
static bool load_weights(Call *call, Err *err) {
    bool opens = call->verb == &VERBS[0] && call->word != NULL && weights_file_is(call->word);
    if (opens && call->weights != NULL)
        return err_usage(err, call->word, "is a second file of weights; give only one");
    if (opens)
        call->weights = call->word;
    if (call->weights == NULL || call->help || call->version)
        return true;
    WeightsRequest request = weights_request(&call->session.options, call->fixed);
    Weights *weights = assets_weights(call->weights, &request, err);
    return weights != NULL && session_set_weights(&call->session, weights, call->fixed, err);
}

/* True if a word asks for help or the version. Then no file is needed. */
static bool only_tells(int count, char *const *words) {
    bool tells = false;
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
        tells = tells || strcmp(words[i], "--help") == 0 || strcmp(words[i], "-h") == 0 ||
                strcmp(words[i], "--version") == 0;
    return tells;
}

bool call_parse(Call *call, int count, char *const *words, Err *err) {
    *call = (Call){.verb = &VERBS[0], .film = {.time_s = -1, .tempo = 1}};
    Reader reader = {.words = words, .count = count};
    option_set_standard(&call->settings, &PICTURE_OPTIONS);
    if (!session_init(&call->session, err) || !read_verb(call, &reader, err))
        return false;
    if (call->verb->prepare != NULL && !only_tells(count, words))
        call->verb->prepare(&call->settings);
    while (reader.at < reader.count)
        if (!read_word(call, &reader, err))
            return false;
    return load_weights(call, err) && check_call(call, err);
}

const char *call_name(const char *word) {
    return word[0] != '\0' ? word : "\"\"";
}

void call_release(Call *call) {
    session_release(&call->session);
}

static bool call_run(const Call *call, Err *err) {
    if (call->help)
        return help_print(call->verb, err);
    if (call->version)
        return help_print_version(err);
    /* VERBS[0] is the window, which shows no progress on standard error */
    if (call->verb != &VERBS[0])
        progress_begin(call->verb->entry.id);
    bool done = call->verb->run(call, err);
    progress_end();
    if (!done && call->text_from[0] != '\0' && strcmp(err->what, "--text") == 0)
        memcpy(err->what, call->text_from, sizeof err->what);
    return done;
}

/* True if the error names an option that is not on the command line: its invalid value comes from a
 * default or a state string. */
static bool names_absent_option(const char *what, int argc, char *const *argv) {
    size_t bytes = strcspn(what, " ");
    bool absent = strncmp(what, "--", 2) == 0;
    for (int i = 1; i < argc; i++)
        absent = absent && (strncmp(argv[i], what, bytes) != 0 ||
                            (argv[i][bytes] != '\0' && argv[i][bytes] != '='));
    return absent;
}

int cli_main(int argc, char *const *argv) {
    Call call;
    Err err = {0};
    output_take_crashes();
    /* Only completion scripts of a shell use this verb. */
    if (argc > 1 && strcmp(argv[1], "complete") == 0)
        return complete_print(argc - 2, argv + 2, &err) ? EXIT_SUCCESS : EXIT_FAILURE;
    char *help[] = {argc > 2 ? argv[2] : "--help", "--help"};
    bool helps = argc > 1 && argc < 4 && strcmp(argv[1], "help") == 0;
    bool done = (helps ? call_parse(&call, argc - 1, help, &err)
                       : call_parse(&call, argc > 0 ? argc - 1 : 0, argv + 1, &err)) &&
                call_run(&call, &err);
    call_release(&call);
    if (done)
        return EXIT_SUCCESS;
    assert(err.kind != ERR_NONE);
    const char *what = err.what + (names_absent_option(err.what, argc, argv) ? 2 : 0);
    fprintf(stderr, "headlight: %s: %s\n", what, err.why);
    return err.kind == ERR_USAGE ? 2 : 1;
}
