/* gpt2_resources.h: GPT-2's merges for the tests that need them; run from the project's root. */
#ifndef HEADLIGHT_TESTS_TEXT_GPT2_RESOURCES_H
#define HEADLIGHT_TESTS_TEXT_GPT2_RESOURCES_H

#include <assert.h>

#include "io/bpe_file.h"
#include "text/tokenizer.h"

/* Load the merges; free them with bpe_file_release. */
static inline TextResources gpt2_resources(BpeFile *file) {
    Err err;
    bool loaded = bpe_file_load(file, "assets/gpt2/gpt2.safetensors", &err);
    assert(loaded);
    return (TextResources){.gpt2 = &file->bpe};
}

#endif
