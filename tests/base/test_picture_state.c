/* The state inside picture files, whole and damaged. */
#include <stdlib.h>
#include <string.h>

#include "base/picture_state.h"
#include "support/test.h"

#define MARK "\x89PNG\r\n\x1A\n"
#define IHDR "\0\0\0\x0DIHDRxxxxxxxxxxxxxcrc!"
#define TEXT "\0\0\0\x20iTXtheadlight-state\0\0\0en\0key\0heads=8crc!"

#define BYTES(literal) (literal), sizeof(literal) - 1

static const char PNG[] = MARK IHDR TEXT "\0\0\0\0IENDcrc!";
static const char SVG[] =
    "<svg><metadata><state xmlns=\"urn:headlight:state\">text=a%20b&amp;heads=8"
    "&lt;&gt;&quot;</state></metadata></svg>";
static const char PDF[] = "%PDF-1.5\n<< /Title (x) /Keywords (text=\\(a\\)&heads=8) >>\n%%EOF";

static void assert_state(const char *bytes, size_t size, const char *expected) {
    LOCAL(free_at) char *state;
    must(picture_state_find(&state, bytes, size, &told));
    assert_string_equal(state, expected);
}

TEST(each_kind_has_its_state) {
    assert_state(BYTES(PNG), "heads=8");
    assert_state(BYTES(SVG), "text=a%20b&heads=8<>\"");
    assert_state(BYTES(PDF), "text=(a)&heads=8");
}

TEST(other_files_have_none) {
    static const struct {
        const char *bytes;
        size_t size;
    } none[] = {{BYTES("")},
                {BYTES(MARK)},
                {BYTES(MARK IHDR "\0\0\0\0IENDcrc!")},
                {BYTES("<svg></svg>")},
                {BYTES("%PDF-1.5\n")},
                {BYTES(MARK "\xFF\xFF\xFF\xFFiTXtheadlight-state\0\0\0\0\0x")},
                {BYTES(MARK "\0\0\0\x10iTXtheadlight-state\0crc!")},
                {BYTES(MARK "\0\0\0\x13iTXtheadlight-state\0\x01\0\0crc!")}};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        char *found;
        Err err = {0};
        assert_false(picture_state_find(&found, none[i].bytes, none[i].size, &err));
        assert_null(found);
        assert_int_equal(err.kind, ERR_FAILED);
    }
}

/* In memory of just that size, so that a sanitizer sees every byte read past it. */
static void try_bytes(const char *bytes, size_t size, const char *whole) {
    LOCAL(free_at) char *copy = malloc(size > 0 ? size : 1);
    LOCAL(free_at) char *state;
    assert_non_null(copy);
    memcpy(copy, bytes, size);
    if (picture_state_find(&state, copy, size, &told) && whole != NULL)
        assert_string_equal(state, whole);
}

TEST(a_file_that_is_cut_off_has_all_or_none) {
    for (size_t size = 0; size < sizeof PNG; size++)
        try_bytes(PNG, size, "heads=8");
    for (size_t size = 0; size < sizeof SVG; size++)
        try_bytes(SVG, size, "text=a%20b&heads=8<>\"");
    for (size_t size = 0; size < sizeof PDF; size++)
        try_bytes(PDF, size, "text=(a)&heads=8");
}

TEST(any_byte_may_be_wrong) {
    static const struct {
        const char *bytes;
        size_t size;
    } files[] = {{BYTES(PNG)}, {BYTES(SVG)}, {BYTES(PDF)}};
    for (size_t i = 0; i < 3; i++)
        for (size_t at = 0; at < files[i].size; at++)
            for (int value = 0; value < 256; value += 17) {
                char copy[sizeof SVG + sizeof PNG];
                memcpy(copy, files[i].bytes, files[i].size);
                copy[at] = (char)value;
                try_bytes(copy, files[i].size, NULL);
            }
}
