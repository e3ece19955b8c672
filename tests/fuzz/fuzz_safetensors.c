#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "choices.h"
#include "io/safetensors_read.h"

#define HEADER_MAX 8192
#define DATA_MAX   16384

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* Mostly mutate the header or the data behind it, and keep the header's length right. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size_t header = size >= 8 ? (size_t)data[0] | (size_t)data[1] << 8 : 0;
    if (size < 8 || header > size - 8 || seed % 8 == 0)
        return LLVMFuzzerMutate(data, size, most);
    if (seed % 8 == 1)
        return 8 + header +
               LLVMFuzzerMutate(data + 8 + header, size - 8 - header, most - 8 - header);
    uint8_t *text = malloc(most);
    size_t behind = size - 8 - header, room = most - 8 - behind;
    if (text == NULL)
        return size;
    memcpy(text, data + 8, header);
    size_t length = LLVMFuzzerMutate(text, header, room < 0xFFFF ? room : 0xFFFF);
    memmove(data + 8 + length, data + 8 + header, behind);
    memcpy(data + 8, text, length);
    data[0] = (uint8_t)length;
    data[1] = (uint8_t)(length >> 8);
    free(text);
    return 8 + length + behind;
}

/* Append the header's entry of one tensor, mostly a valid one that begins at *end, the end of the
 * last. Its name is its number. */
static size_t write_tensor(char *out, size_t room, int64_t *end, Choices *choices, int number) {
    unsigned oddity = choices_take(choices), type = choices_take(choices) % SAFETENSORS_TYPE_COUNT;
    unsigned rank = choices_take(choices) % (oddity == 255 ? 10 : 4);
    const char *name = oddity == 254 ? "F33" : SAFETENSORS_TYPES[type].name;
    const char *digit = strpbrk(name, "123468");
    int64_t size = digit == NULL ? 1 : strtol(digit, NULL, 10) / 8;
    size_t used = (size_t)snprintf(out, room, "%s\"t%d\":{\"dtype\":\"%s\",\"shape\":[",
                                   number > 0 ? "," : "", number, name);
    for (unsigned i = 0; i < rank; i++) {
        int64_t dimension = oddity > 250 ? choices_number(choices) : choices_take(choices) % 5;
        size = oddity > 250 ? 0 : size * dimension;
        used +=
            (size_t)snprintf(out + used, room - used, "%s%" PRId64, i > 0 ? "," : "", dimension);
    }
    int64_t follow = *end >= 0 && *end < DATA_MAX ? *end : 0;
    int64_t begin = oddity > 240 ? choices_number(choices) : follow;
    *end = oddity > 240 ? choices_number(choices) : begin + size;
    return used + (size_t)snprintf(out + used, room - used,
                                   "],\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", begin, *end);
}

/* A header in the right form about tensors that may be impossible. */
static size_t write_header(char out[HEADER_MAX], int64_t *end, Choices *choices) {
    unsigned tensors = choices_take(choices) % 8;
    size_t used = 0;
    out[used++] = '{';
    for (unsigned i = 0; i < tensors; i++)
        used += write_tensor(out + used, HEADER_MAX - used, end, choices, (int)i);
    out[used++] = '}';
    if (choices_take(choices) > 240)
        out[choices_take(choices) % used] = (char)choices_take(choices);
    return used;
}

static void check_tensors(const Safetensors *file, const uint8_t *data, size_t size) {
    const uint8_t *at = file->count > 0 ? file->tensors[0].data : data + size;
    for (int i = 0; i < file->count; i++) {
        const SafetensorsTensor *tensor = &file->tensors[i];
        size_t entries = 1;
        for (int k = 0; k < tensor->rank; k++)
            entries *= tensor->shape[k];
        bool sound = tensor->data == at && entries == tensor->count &&
                     tensor->bytes <= (size_t)(data + size - at) &&
                     safetensors_find(file, tensor->name) == tensor;
        if (!sound)
            abort();
        at += tensor->bytes;
    }
    if (at != data + size)
        abort();
}

/* The tensors of an accepted file cover its data without a gap; a refused file gives one complete
 * message. */
static void check(const uint8_t *data, size_t size) {
    Safetensors file;
    Err err = {0};
    if (safetensors_open(&file, "fuzz", data, size, &err)) {
        check_tensors(&file, data, size);
        safetensors_release(&file);
    } else if (err.kind != ERR_FAILED || err.why[0] == '\0' ||
               utf8_first_invalid(err.why, strlen(err.why)) != strlen(err.why)) {
        abort();
    }
}

/* Read the bytes as a file, and as choices for a header that chance would hardly find. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(data, size);
    char header[HEADER_MAX];
    Choices choices = {data, size};
    int64_t end = 0;
    size_t length = write_header(header, &end, &choices);
    size_t data_bytes =
        end >= 0 && end < DATA_MAX && choices_take(&choices) < 250 ? (size_t)end : 64;
    uint8_t *file = calloc(1, 8 + length + data_bytes);
    if (file == NULL)
        return 0;
    file[0] = (uint8_t)length;
    file[1] = (uint8_t)(length >> 8);
    memcpy(file + 8, header, length);
    check(file, 8 + length + data_bytes);
    free(file);
    return 0;
}
