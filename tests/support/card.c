#include "support/card.h"

#include <stdio.h>

#include "io/file.h"
#include "io/safetensors_read.h"
#include "shell/assets.h"
#include "support/test.h"

char *read_asset(size_t *size, const char *name) {
    char path[FILE_PATH_BYTES], *bytes;
    must(assets_find(path, sizeof path, name, &told));
    must(file_read(&bytes, size, path, 4 << 20, &told));
    return bytes;
}

void read_card(char out[CARD_BYTES], const char *name, const char *key) {
    size_t size;
    LOCAL(free_at) char *bytes = read_asset(&size, name);
    LOCAL(safetensors_release) Safetensors file;
    must(safetensors_open(&file, name, bytes, size, &told));
    const char *text = safetensors_metadata(&file, key);
    assert_non_null(text);
    snprintf(out, CARD_BYTES, "%s", text);
}
