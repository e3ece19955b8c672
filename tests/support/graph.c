#include "support/graph.h"

#include <stdio.h>

#include "support/test.h"

void graph_open(Script *s, const char *more) {
    char line[256];
    snprintf(line, sizeof line, "view=graph&%s", more);
    script_begin(s, line, GRAPH_W, GRAPH_H);
}

Vec2 graph_node(const Script *s, int number) {
    char text[12];
    snprintf(text, sizeof text, "%d", number);
    for (int nth = 0;; nth++) {
        const DrawCommand *c = drawn_text(&s->list, text, nth);
        assert_non_null(c);
        Vec2 at = drawn_middle(&s->list, c);
        if (at.y > 160 && at.x > 400 && at.x < 1150) /* not a chip, nor in the inspector */
            return at;
    }
}
