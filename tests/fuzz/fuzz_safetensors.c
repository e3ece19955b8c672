/* Any bytes as a safetensors file: never a crash, and every tensor lies within the bytes. */
#include <stdint.h>
#include <stdlib.h>

#include "io/safetensors_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Err err;
    Safetensors file;
    volatile unsigned sum = 0;
    if (!safetensors_open(&file, "fuzz", data, size, &err))
        return 0;
    for (int i = 0; i < file.count; i++)
        for (size_t b = 0; b < file.tensors[i].bytes; b++)
            sum += file.tensors[i].data[b];
    safetensors_release(&file);
    return 0;
}
