/* Any bytes as an architecture.txt: the names in the result are valid names of tensors. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "check.h"
#include "io/architecture.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Err err = {0};
    Architecture *made = architecture_read((const char *)data, size, &err);
    if (made == NULL) {
        check(err.why[0] != '\0');
        return 0;
    }
    check(architecture_given(made, ARCH_W_Q) != NULL &&
          architecture_given(made, ARCH_W_O) != NULL && made->types == NULL);
    for (ArchTensor t = 0; t < ARCH_TENSOR_COUNT; t++) {
        const char *name = made->names[t] != NULL ? made->names[t] : "";
        check(strlen(name) <= ARCHITECTURE_NAME_MAX);
        check(utf8_first_invalid(name, strlen(name)) == strlen(name));
    }
    free(made);
    return 0;
}
