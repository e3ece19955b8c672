#include "io/words_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/utf8.h"
#include "io/file.h"
#include "io/safetensors_read.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "word vectors are used as they are in the file, so this needs a little-endian machine"
#endif

#define COUNT_MAX (1u << 22)
#define WIDTH_MAX 4096

static const SafetensorsTensor *find(const Safetensors *file, const char *path, const char *name,
                                     const char *type, int rank, Err *err) {
    const SafetensorsTensor *tensor = safetensors_find(file, name);
    if (tensor != NULL && strcmp(tensor->type->name, type) == 0 && tensor->rank == rank)
        return tensor;
    return err_null(err, path, "word vectors need a tensor “%s” of type %s with %d dimension%s",
                    name, type, rank, rank == 1 ? "" : "s");
}

static bool take_vectors(WordsFile *out, const SafetensorsTensor *tensor, const char *path,
                         Err *err) {
    if (tensor->shape[0] < 1 || tensor->shape[0] > COUNT_MAX || tensor->shape[1] < 1 ||
        tensor->shape[1] > WIDTH_MAX)
        return err_fail(err, path, "“vectors” must be 1 to %u rows of 1 to %d columns", COUNT_MAX,
                        WIDTH_MAX);
    if ((uintptr_t)tensor->data % sizeof(uint16_t) != 0)
        return err_fail(err, path, "“vectors” must begin at an even byte; pad the header");
    out->vectors.halves = (const uint16_t *)(const void *)tensor->data;
    out->vectors.count = (int)tensor->shape[0];
    out->vectors.width = (int)tensor->shape[1];
    /* A value that is not finite has an exponent of ones, so adding one to the exponent carries
     * into the sign bit. This test needs no branch. */
    uint16_t carried = 0;
    for (size_t i = 0; i < tensor->count; i++)
        carried |= (uint16_t)((out->vectors.halves[i] & 0x7C00u) + 0x0400u);
    if ((carried & 0x8000u) != 0)
        return err_fail(err, path, "“vectors” holds entries that are not finite numbers");
    return true;
}

static bool take_words(WordsFile *out, const SafetensorsTensor *tensor, const char *path,
                       Err *err) {
    const char *words = (const char *)tensor->data;
    size_t count = (size_t)out->vectors.count, found = 0, at = 0;
    if (tensor->bytes > UINT32_MAX || utf8_first_invalid(words, tensor->bytes) < tensor->bytes)
        return err_fail(err, path, "“words” is not UTF-8");
    out->word_at = heap_get((count + 1) * sizeof *out->word_at);
    if (out->word_at == NULL)
        return err_fail(err, path, "memory for the list of words ran out");
    while (at < tensor->bytes && found < count) {
        const char *end = memchr(words + at, '\n', tensor->bytes - at);
        if (end == NULL || end == words + at)
            return err_fail(err, path, "“words”: word %zu is empty or has no line end", found + 1);
        out->word_at[found++] = (uint32_t)at;
        at = (size_t)(end - words) + 1;
    }
    if (found != count || at != tensor->bytes)
        return err_fail(err, path, "“words” and “vectors” do not have the same number of rows");
    out->word_at[count] = (uint32_t)at;
    out->vectors.words = words;
    out->vectors.word_at = out->word_at;
    return true;
}

static bool build_slots(WordsFile *out, const char *path, Err *err) {
    WordVectors *vectors = &out->vectors;
    uint32_t slots = 2;
    while (slots < 2 * (uint32_t)vectors->count)
        slots *= 2;
    out->slots = heap_get_zero(slots, sizeof *out->slots);
    if (out->slots == NULL)
        return err_fail(err, path, "memory for the table of words ran out");
    vectors->slots = out->slots;
    vectors->slot_count = slots;
    for (uint32_t i = 0; i < (uint32_t)vectors->count; i++) {
        const char *word = vectors->words + vectors->word_at[i];
        size_t bytes = vectors->word_at[i + 1] - vectors->word_at[i] - 1;
        uint32_t at = words_slot(vectors, word, bytes);
        if (at == slots)
            return err_fail(err, path, "“words”: too many words have similar hashes");
        if (out->slots[at] != 0)
            return err_fail(err, path, "“words”: “%.*s” appears twice", (int)bytes, word);
        out->slots[at] = i + 1;
    }
    return true;
}

bool words_file_load(WordsFile *out, const char *path, Err *err) {
    Safetensors file;
    *out = (WordsFile){0};
    if (!file_read(&out->bytes, &out->size, path, WORDS_FILE_MAX, err))
        return false;
    bool ok = safetensors_open(&file, path, out->bytes, out->size, err);
    if (ok) {
        const SafetensorsTensor *vectors = find(&file, path, "vectors", "F16", 2, err);
        ok = vectors != NULL && take_vectors(out, vectors, path, err);
        const SafetensorsTensor *words = ok ? find(&file, path, "words", "U8", 1, err) : NULL;
        ok = words != NULL && take_words(out, words, path, err) && build_slots(out, path, err);
        safetensors_release(&file);
    }
    if (!ok)
        words_file_release(out);
    return ok;
}

void words_file_release(WordsFile *file) {
    free(file->bytes);
    free(file->word_at);
    free(file->slots);
    *file = (WordsFile){0};
}
