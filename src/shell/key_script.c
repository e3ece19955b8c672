#include "shell/key_script.h"

#include <string.h>

#include "app/keymap.h"
#include "base/number.h"
#include "base/utf8.h"
#include "ui/input.h"

typedef struct Word {
    const char *at;
    size_t bytes; /* bytes of the key or of the text without its quotes */
    bool is_text;
    double time_s;
} Word;

static bool refuse(const char *at, size_t bytes, const char *why, Err *err) {
    return err_usage(err, PRINT("--keys %.*s", (int)(bytes < 60 ? bytes : 60), at), "%s", why);
}

static bool read_time(double *time_s, const char *at, size_t bytes) {
    return number_parse_real(time_s, at, bytes) && *time_s >= 0 && *time_s <= KEY_SCRIPT_SECONDS;
}

/* If a word has an @ after its first character, read the time after the last @ into word->time_s.
 * Fail if it is not a time. */
static bool split_time(Word *word, Err *err) {
    size_t bytes = word->bytes, at = bytes;
    while (at > 0 && word->at[at - 1] != '@')
        at--;
    if (at < 2) /* "@" itself is a key */
        return true;
    if (!read_time(&word->time_s, word->at + at, bytes - at))
        return refuse(word->at, bytes,
                      "has no time after the @; write a key as F@1.5, from 0 to 3600 seconds", err);
    word->bytes = at - 1;
    return true;
}

/* Read a text in quotes, and the time after it. Return the rest of the line, or NULL on failure. */
static const char *take_text(Word *word, const char *from, Err *err) {
    const char *end = strchr(from + 1, '"');
    if (end == NULL) {
        refuse(from, strlen(from), "has no second quote", err);
        return NULL;
    }
    size_t time_bytes = strcspn(end + 1, " ");
    *word = (Word){from + 1, (size_t)(end - from) - 1, true, word->time_s};
    if (time_bytes > 0 && (end[1] != '@' || !read_time(&word->time_s, end + 2, time_bytes - 1))) {
        refuse(from, strlen(from), "has no time after it; write a text as \"king\"@1.5", err);
        return NULL;
    }
    return end + 1 + time_bytes;
}

static bool add(KeyScript *script, const KeyPress *press, Err *err) {
    if (script->count == KEY_SCRIPT_MAX)
        return err_usage(err, "--keys", "has more than %d keys; use fewer", KEY_SCRIPT_MAX);
    int at = script->count++;
    for (; at > 0 && script->at[at - 1].time_s > press->time_s; at--)
        script->at[at] = script->at[at - 1];
    script->at[at] = *press;
    return true;
}

static bool add_typed(KeyScript *script, const Word *word, Err *err) {
    int typed = 0;
    if (utf8_first_invalid(word->at, word->bytes) < word->bytes)
        return refuse(word->at, word->bytes, "is not valid UTF-8", err);
    for (size_t at = 0, length; at < word->bytes; at += length) {
        uint32_t c = utf8_decode(word->at, word->bytes, at, &length);
        KeyPress press = {.time_s = word->time_s + KEY_SCRIPT_TYPED_S * typed++,
                          .key = c >= 'A' && c <= 'Z' ? c + 32 : c};
        memcpy(press.text, word->at + at, length);
        if (!add(script, &press, err))
            return false;
    }
    return true;
}

static bool add_key(KeyScript *script, const Word *word, Err *err) {
    KeyPress press = {.time_s = word->time_s};
    if (!key_read(&press.key, &press.mods, word->at, word->bytes))
        return refuse(word->at, word->bytes,
                      "is not a key; write it as F, Ctrl+Shift+K or PageUp, or a text in quotes",
                      err);
    if (press.key < KEY_ESCAPE && (press.mods & ~(unsigned)KEY_MOD_SHIFT) == 0)
        utf8_encode(press.text, press.key);
    return add(script, &press, err);
}

bool key_script_read(KeyScript *script, const char *text, Err *err) {
    Word word = {.time_s = 0};
    script->count = 0;
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        if (*text == '"') {
            text = take_text(&word, text, err);
            if (text == NULL || !add_typed(script, &word, err))
                return false;
            continue;
        }
        word = (Word){text, strcspn(text, " "), false, word.time_s};
        text += word.bytes;
        if (!split_time(&word, err) || !add_key(script, &word, err))
            return false;
    }
    return true;
}
