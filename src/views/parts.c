#include "views/parts.h"

#include <string.h>

#include "base/util.h"
#include "draw/part.h"

#define CELLS "cell(9,2) row(9) column(2)"

const PartRow PARTS[] = {
    {{"heads.matrix.1", "Matrix of head 1", CELLS, "One head's attention, with its names."},
     "view=heads"},
    {{"heads.graph", "Arcs", "token(9) edge(9,2)", "The chosen head as arcs between its tokens."},
     "view=heads"},
    {{"graph.picture", "Graph", "token(9) edge(9,2)", "The tokens and the edges between them."},
     "view=graph"},
    {{"wqk.left", "Left factor", CELLS, "W_Q of the chosen head, or its W_V."}, "view=wqk"},
    {{"wqk.right", "Right factor", CELLS, "W_K of the chosen head, transposed, or its W_O."},
     "view=wqk"},
    {{"wqk.product", "Product", CELLS, "The product of the two factors."}, "view=wqk"},
    {{"wqk.proof", "Proof", "", "Both forms' attention, and the largest difference."}, "view=wqk"},
    {{"wqk.page", "Page", "", "What the tabs of W_QK choose."}, "view=wqk"},
    {{"wqk.sigma", "Singular values", "column(16)", "The product's singular values."},
     "view=wqk&wqk-page=rank"},
    {{"wqk.curve", "Error of rank r", "", "What is lost at each rank."}, "view=wqk&wqk-page=rank"},
    {{"wqk.gauge", "Rotation R", "", "How far R moves both factors."},
     "view=wqk&wqk-page=gauge&wqk-against=gauge"},
    {{"compare.page", "Comparison", "", "What Compare shows below its tools."}, "view=compare"},
    {{"compare.column.1", "Column 1", "", "One scheme's heads, histogram and measures."},
     "view=compare"},
    {{"compare.column.1.heads", "Heads of column 1", "", "The attention of one scheme."},
     "view=compare"},
    {{"compare.column.1.head.1", "Head 1 of column 1", CELLS, "One head of one scheme."},
     "view=compare"},
    {{"compare.column.1.histogram", "Histogram of column 1", "", "The values of one scheme."},
     "view=compare"},
    {{"compare.column.1.measures", "Measures of column 1", "", "One scheme's statistics."},
     "view=compare"},
    {{"steps.matrix.1", "Matrix 1 of the row", CELLS,
      "X, Q, K, V, S, A, Z or Y, by their order from 1."},
     "view=steps"},
    {{"steps.learned.1", "Learned matrices", "", "W_Q, W_K and W_V; 2 is W_O."}, "view=steps"},
    {{"steps.card.1", "Card 1", "", "One of the six steps from a token to one output number."},
     "view=steps"},
    {{"train.loss", "Loss", "step(200)", "The loss on held-out orders by step."}, "view=train"},
    {{"train.score", "Score", "step(200)", "The weight on the keys that the task asks for."},
     "view=train"},
    {{"train.head", "Large head", CELLS, "The chosen head at the step shown."}, "view=train"},
    {{"train.start.1", "Start 1", "", "One start's heads, now and at five steps."}, "view=train"},
    {{"train.norms", "Gradient norms", "", "The gradients' norms by matrix."}, "view=train"},
    {{"inspector.weight", "Where a weight comes from", "", "One weight, from its products up."},
     "view=heads"},
    {{"window.text", "Text field", "", "The tokens, or the text being edited."}, "view=heads"},
    {{"window.settings", "Settings", "", "The row below the text."}, "view=heads"},
    {{"window.views", "Views", "", "The six views, and Why?."}, "view=heads"},
    {{"window.view", "View", "", "All of the view that is open."}, "view=heads"},
    {{"window.weights", "Weights", "", "Where the weights come from."}, "view=heads"},
    {{"window.inspector", "Inspector", "", "All of what is beside the view."}, "view=heads"},
    {{"window.status", "Status", "", "The line at the foot of the window."}, "view=heads"},
};
const Registry PART_REGISTRY = {"parts", "part", PARTS, sizeof PARTS[0], ARRAY_COUNT(PARTS)};

int part_row(const char *id, size_t bytes) {
    char plain[PART_ID_MAX];
    size_t used = 0;
    for (size_t i = 0; i < bytes && used < sizeof plain; i++) {
        bool is_digit = id[i] >= '0' && id[i] <= '9';
        bool continues = i > 0 && id[i - 1] >= '0' && id[i - 1] <= '9';
        if (!is_digit || !continues)
            plain[used++] = is_digit ? '1' : id[i];
    }
    return registry_find(&PART_REGISTRY, plain, used);
}
