/* Any bytes as a file of word vectors, and as the words of a valid one. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"
#include "choices.h"
#include "io/words_file.h"
#include "memory_file.h"

#define BYTES_MAX 2048

/* Every word of an accepted file is found, with the same number of finite entries. */
static void check_file(const void *bytes, size_t size) {
    WordsFile file;
    Err err = {0};
    if (!words_file_load(&file, memory_file(".safetensors", bytes, size), &err)) {
        size_t why = strlen(err.why);
        check(err.kind == ERR_FAILED && why > 0 && utf8_first_invalid(err.why, why) == why);
        return;
    }
    const WordVectors *vectors = &file.vectors;
    for (int i = 0; i < vectors->count; i++) {
        const char *word = vectors->words + vectors->word_at[i];
        size_t word_bytes = vectors->word_at[i + 1] - vectors->word_at[i] - 1;
        check(words_find(vectors, word, word_bytes) == i);
    }
    words_file_release(&file);
}

/* Numbers that mostly agree with the words, which are the rest of the bytes. */
static size_t write_file(char *out, size_t room, Choices *choices) {
    unsigned width = 1 + choices_take(choices) % 3, oddity = choices_take(choices);
    const char *words = (const char *)choices->at;
    size_t bytes = choices->left < BYTES_MAX ? choices->left : BYTES_MAX, count = 0;
    for (size_t i = 0; i < bytes; i++)
        count += words[i] == '\n';
    count += oddity == 255;
    width = oddity == 254 ? 0 : width;
    size_t halves = count * width * 2;
    int header = snprintf(out + 8, room - 8,
                          "{\"vectors\":{\"dtype\":\"%s\",\"shape\":[%zu,%u],\"data_offsets\":[0,"
                          "%zu]},\"words\":{\"dtype\":\"U8\",\"shape\":[%zu%s],\"data_offsets\":["
                          "%zu,%zu]}}",
                          oddity == 253 ? "I16" : "F16", count, width, halves, bytes,
                          oddity == 252 ? ",1" : "", halves, halves + bytes);
    if (header % 2 != 0 && oddity != 251) /* so that the entries begin at an even byte */
        out[8 + header++] = ' ';
    memset(out, 0, 8);
    out[0] = (char)(header & 255);
    out[1] = (char)(header >> 8);
    for (size_t i = 0; i < halves; i++)
        out[8 + (size_t)header + i] = (char)(oddity == 250 ? 0x7C : i % 60);
    memcpy(out + 8 + header + halves, words, bytes);
    return 8 + (size_t)header + halves + bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static char file[BYTES_MAX * 8];
    Choices choices = {data, size};
    check_file(data, size);
    check_file(file, write_file(file, sizeof file, &choices));
    return 0;
}
