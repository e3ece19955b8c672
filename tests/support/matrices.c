#include "support/matrices.h"

#include <stdio.h>
#include <string.h>

#include "support/test.h"

void keep_picture(Picture *p, const DrawList *list) {
    p->count = drawn_cells_count(list);
    assert_true(p->count <= TILES);
    for (int n = 0; n < p->count; n++) {
        const DrawCells *cells = drawn_cells(list, n);
        assert_true(cells->rows <= SIDE && cells->rows == cells->cols);
        p->rows = cells->rows;
        p->hi[n] = cells->hi;
        for (int i = 0; i < cells->rows; i++)
            memcpy(&p->at[n][i * cells->cols], cells->values + (size_t)i * (size_t)cells->stride,
                   (size_t)cells->cols * sizeof(float));
    }
}

Picture picture_of(const char *more) {
    static Picture p;
    Script s;
    char state[512];
    snprintf(state, sizeof state, "%s%s", STANDARD, more);
    script_open(&s, state);
    keep_picture(&p, &s.list);
    script_end(&s);
    return p;
}
