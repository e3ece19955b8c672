#include "model/position.h"

#include <assert.h>
#include <math.h>

#include "base/util.h"

typedef struct PositionRow {
    Entry entry;
    void (*add)(Mat *x);
} PositionRow;

static void add_nothing(Mat *x) {
    (void)x;
}

static void add_sinusoidal(Mat *x) {
    for (int c = 0; c < x->cols; c++) {
        double frequency = pow(10000, -(double)(c - c % 2) / x->cols);
        double (*wave)(double) = c % 2 == 0 ? sin : cos;
        for (int t = 0; t < x->rows; t++)
            mat_row(x, t)[c] += (float)wave(t * frequency);
    }
}

static const PositionRow POSITION_ROWS[] = {
    [POSITION_NONE] = {{"none", "None", "",
                        "Nothing is added: without a mask the layer cannot tell one order of the "
                        "tokens from another."},
                       add_nothing},
    [POSITION_SINUSOIDAL] =
        {{"sinusoidal", "Sinusoidal",
          "p(t, 2i) = sin(t / 10000^(2i/D)), p(t, 2i+1) = cos(t / 10000^(2i/D))",
          "Each pair of columns is a wave of the position: one turn in about 6 tokens in "
          "the first pair, ever slower ones after it."},
         add_sinusoidal},
};
static_assert(ARRAY_COUNT(POSITION_ROWS) == POSITION_KIND_COUNT, "one row for each kind");

const Registry POSITIONS = {"positions", "position encoding", POSITION_ROWS, sizeof(PositionRow),
                            POSITION_KIND_COUNT};

void position_add(Mat *x, PositionKind kind) {
    assert((int)kind >= 0 && kind < POSITION_KIND_COUNT);
    POSITION_ROWS[kind].add(x);
}
