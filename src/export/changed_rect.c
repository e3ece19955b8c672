#include "export/changed_rect.h"

#include <stddef.h>
#include <string.h>

ChangedRect changed_rect(const uint32_t *before, const uint32_t *now, int width, int height) {
    int top = -1, bottom = 0, left = width, right = 0;
    for (int y = 0; y < height; y++) {
        const uint32_t *a = before + (size_t)y * (size_t)width, *b = now + (a - before);
        if (memcmp(a, b, (size_t)width * sizeof *a) == 0)
            continue;
        top = top < 0 ? y : top;
        bottom = y + 1;
        int from = 0, to = width;
        while (a[from] == b[from])
            from++;
        while (a[to - 1] == b[to - 1])
            to--;
        left = from < left ? from : left;
        right = to > right ? to : right;
    }
    if (top < 0)
        return (ChangedRect){0};
    return (ChangedRect){left, top, right - left, bottom - top};
}
