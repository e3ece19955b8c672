#include "io/json_read.h"

#include <assert.h>
#include <string.h>

#include "base/utf8.h"

/* A text that is being checked. */
typedef struct Check {
    const char *at, *end;
    JsonWrong *wrong; /* knows what entries it is in */
} Check;

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static const char *after_blanks(const char *at, const char *end) {
    while (at < end && is_blank(*at))
        at++;
    return at;
}

static bool take(Check *check, char c) {
    bool there = check->at < check->end && *check->at == c;
    check->at += there;
    return there;
}

/* −1 for what is no digit. */
static int hex_digit(char c) {
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The four digits at `at`; −1 where they are not there. */
static int32_t hex_unit(const char *at, const char *end) {
    int32_t unit = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(at[i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

/* The code point of the \u escape whose digits are at `at`, with the escape after it where two make
 * one, and in *bytes how many it takes; −1 for none, or a NUL. */
static int32_t escaped_point(const char *at, const char *end, int *bytes) {
    int32_t unit = hex_unit(at, end);
    *bytes = 4;
    if (unit >= 0xDC00 && unit < 0xE000)
        return -1;
    if (unit < 0xD800 || unit >= 0xE000)
        return unit > 0 ? unit : -1;
    bool pair = end - at >= 10 && at[4] == '\\' && at[5] == 'u';
    int32_t low = pair ? hex_unit(at + 6, end) : -1;
    *bytes = 10;
    return low >= 0xDC00 && low < 0xE000 ? 0x10000 + (unit - 0xD800) * 0x400 + (low - 0xDC00) : -1;
}

/* What a backslash and c stand for; 0 for nothing. */
static char escaped_char(char c) {
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    const char *found = c != 0 ? strchr(from, c) : NULL;
    return found != NULL ? to[found - from] : 0;
}

/* After the backslash. */
static bool check_escape(Check *check) {
    int bytes;
    if (!take(check, 'u')) {
        bool known = check->at < check->end && escaped_char(*check->at) != 0;
        check->at += known;
        return known;
    }
    if (escaped_point(check->at, check->end, &bytes) < 0)
        return false;
    check->at += bytes;
    return true;
}

static bool check_text(Check *check) {
    if (!take(check, '"'))
        return false;
    while (check->at < check->end) {
        char c = *check->at;
        if ((unsigned char)c < 0x20)
            return false;
        check->at++;
        if (c == '"')
            return true;
        if (c == '\\' && !check_escape(check))
            return false;
    }
    return false;
}

static bool check_digits(Check *check) {
    const char *first = check->at;
    while (check->at < check->end && is_digit(*check->at))
        check->at++;
    return check->at > first;
}

static bool check_number(Check *check) {
    take(check, '-');
    if (!take(check, '0') && !check_digits(check))
        return false;
    if (take(check, '.') && !check_digits(check))
        return false;
    if (take(check, 'e') || take(check, 'E')) {
        if (!take(check, '+'))
            take(check, '-');
        return check_digits(check);
    }
    return true;
}

static bool check_word(Check *check) {
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i]);
        if ((size_t)(check->end - check->at) >= size && memcmp(check->at, words[i], size) == 0) {
            check->at += size;
            return true;
        }
    }
    return false;
}

/* A value that holds no others. */
static bool check_plain(Check *check) {
    if (check->at < check->end && *check->at == '"')
        return check_text(check);
    if (check->at < check->end && (*check->at == '-' || is_digit(*check->at)))
        return check_number(check);
    return check_word(check);
}

static void pass_blanks(Check *check) {
    check->at = after_blanks(check->at, check->end);
}

/* The entry at that depth ends, and with it those within it. */
static void leave(Check *check, int depth) {
    for (int d = depth - 1; d < JSON_WITHIN; d++)
        check->wrong->within[d].size = 0;
}

static bool check_name(Check *check, int depth) {
    pass_blanks(check);
    const char *name = check->at + 1;
    if (!check_text(check))
        return false;
    if (depth <= JSON_WITHIN) {
        check->wrong->within[depth - 1].at = name;
        check->wrong->within[depth - 1].size = (size_t)(check->at - 1 - name);
    }
    pass_blanks(check);
    return take(check, ':');
}

/* The end of what the last bracket opened, or the comma before its next entry: with a name where
 * that is an object's. The depth goes down by each end. */
static bool check_after(Check *check, const char *closing, int *depth) {
    for (;; --*depth) {
        pass_blanks(check);
        if (*depth == 0)
            return check->at == check->end;
        bool more = take(check, ',');
        if (more || (check->at < check->end && *check->at == closing[*depth - 1]))
            leave(check, *depth);
        if (more)
            return closing[*depth - 1] == ']' || check_name(check, *depth);
        if (!take(check, closing[*depth - 1]))
            return false;
    }
}

/* Any value and what must follow it; the depth is 0 after the last. */
static bool check_value(Check *check, char *closing, int *depth) {
    pass_blanks(check);
    bool object = check->at < check->end && *check->at == '{';
    if (!object && (check->at == check->end || *check->at != '['))
        return check_plain(check) && check_after(check, closing, depth);
    if (*depth == JSON_DEPTH_MAX)
        return false;
    closing[(*depth)++] = object ? '}' : ']';
    check->at++;
    pass_blanks(check);
    if (take(check, closing[*depth - 1])) {
        --*depth;
        return check_after(check, closing, depth);
    }
    return !object || check_name(check, *depth);
}

bool json_check(JsonWrong *wrong, const char *text, size_t size) {
    size_t valid = utf8_first_invalid(text, size);
    Check check = {text, text + valid, wrong};
    *wrong = (JsonWrong){.within = {{"", 0}, {"", 0}}};
    char closing[JSON_DEPTH_MAX];
    int depth = 0;
    bool sound;
    do
        sound = check_value(&check, closing, &depth);
    while (sound && depth > 0);
    wrong->at = (size_t)(check.at - text);
    return sound && valid == size;
}

static void pass(JsonIn *in) {
    in->at += after_blanks(in->at, in->end) - in->at;
}

bool json_enter(JsonIn *in, char bracket) {
    pass(in);
    bool there = in->at < in->end && *in->at == bracket;
    in->at += there;
    return there;
}

bool json_next(JsonIn *in, char bracket) {
    pass(in);
    assert(in->at < in->end);
    bool last = *in->at == bracket;
    in->at += last || *in->at == ',';
    return !last;
}

/* Write what the escape at *at, after its backslash, stands for; returns the bytes written. */
static size_t decode_escape(char *out, const char **at, const char *end) {
    char c = *(*at)++;
    int bytes;
    if (c != 'u') {
        *out = escaped_char(c);
        return 1;
    }
    int32_t point = escaped_point(*at, end, &bytes);
    assert(point > 0);
    *at += bytes;
    return utf8_encode(out, (uint32_t)point);
}

bool json_text(JsonText *out, JsonIn *in) {
    pass(in);
    if (in->at == in->end || *in->at != '"')
        return false;
    const char *from = in->at + 1;
    char *to = in->at;
    *out = (JsonText){to, 0};
    while (*from != '"') {
        const char *first = from;
        while (*from != '"' && *from != '\\')
            from++;
        memmove(to, first, (size_t)(from - first));
        to += from - first;
        if (*from == '\\') {
            from++;
            to += decode_escape(to, &from, in->end);
        }
    }
    in->at += from + 1 - in->at;
    *to = '\0';
    out->size = (size_t)(to - out->bytes);
    return true;
}

bool json_name(JsonText *out, JsonIn *in) {
    if (!json_text(out, in))
        return false;
    pass(in);
    assert(in->at < in->end && *in->at == ':');
    in->at++;
    return true;
}

bool json_whole(uint64_t *out, JsonIn *in) {
    pass(in);
    uint64_t value = 0;
    const char *at = in->at;
    for (; at < in->end && is_digit(*at); at++) {
        uint64_t digit = (uint64_t)(*at - '0');
        if (value > (INT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    if (at == in->at || (at < in->end && (*at == '.' || *at == 'e' || *at == 'E')))
        return false;
    in->at += at - in->at;
    *out = value;
    return true;
}

/* Past a text, without decoding it. */
static void skip_text(JsonIn *in) {
    for (in->at++; *in->at != '"'; in->at++)
        in->at += *in->at == '\\';
    in->at++;
}

void json_skip(JsonIn *in) {
    int depth = 0;
    pass(in);
    do {
        assert(in->at < in->end);
        char c = *in->at;
        if (c == '"') {
            skip_text(in);
            continue;
        }
        depth += (c == '{' || c == '[') - (c == '}' || c == ']');
        in->at++;
        if (depth == 0 && c != '}' && c != ']')
            while (in->at < in->end && strchr(",]} \t\n\r", *in->at) == NULL)
                in->at++;
    } while (depth > 0);
}
