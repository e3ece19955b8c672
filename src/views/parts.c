#include "views/parts.h"

#include <string.h>

#include "draw/part.h"

#define CELLS "cell(9,2) row(9) column(2)"

const PartRow PARTS[] = {
    {.entry = {"heads.matrix.1", "Matrix of head 1", CELLS,
               "One head's attention, with its names."},
     .state = "view=heads",
     .term = "attention-weight"},
    {.entry = {"heads.graph", "Arcs", "token(9) edge(9,2)",
               "The chosen head as arcs between its tokens."},
     .state = "view=heads",
     .term = "edge"},
    {.entry = {"graph.picture", "Graph", "token(9) edge(9,2)",
               "The tokens and the edges between them."},
     .state = "view=graph",
     .term = "edge"},
    {.entry = {"wqk.left", "Left factor", CELLS, "W_Q of the chosen head, or its W_V."},
     .state = "view=wqk",
     .term = "merged"},
    {.entry = {"wqk.right", "Right factor", CELLS,
               "W_K of the chosen head, transposed, or its W_O."},
     .state = "view=wqk",
     .term = "merged"},
    {.entry = {"wqk.product", "Product", CELLS, "The product of the two factors."},
     .state = "view=wqk",
     .term = "merged"},
    {.entry = {"wqk.proof", "Proof", "", "Both forms' attention, and the largest difference."},
     .state = "view=wqk",
     .term = "merged"},
    {.entry = {"wqk.page", "Page", "", "What the tabs of W_QK choose."}, .state = "view=wqk"},
    {.entry = {"wqk.sigma", "Singular values", "column(16)", "The product's singular values."},
     .state = "view=wqk&wqk-page=rank",
     .term = "singular-values"},
    {.entry = {"wqk.curve", "Error of rank r", "", "What is lost at each rank."},
     .state = "view=wqk&wqk-page=rank",
     .term = "rank"},
    {.entry = {"wqk.gauge", "Rotation R", "", "How far R moves both factors."},
     .state = "view=wqk&wqk-page=gauge&wqk-against=gauge",
     .term = "gauge"},
    {.entry = {"compare.page", "Comparison", "", "What Compare shows below its tools."},
     .state = "view=compare"},
    {.entry = {"compare.column.1", "Column 1", "", "One scheme's heads, histogram and measures."},
     .state = "view=compare",
     .term = "initialisation"},
    {.entry = {"compare.column.1.heads", "Heads of column 1", "", "The attention of one scheme."},
     .state = "view=compare",
     .term = "attention-weight"},
    {.entry = {"compare.column.1.head.1", "Head 1 of column 1", CELLS, "One head of one scheme."},
     .state = "view=compare",
     .term = "attention-weight"},
    {.entry = {"compare.column.1.histogram", "Histogram of column 1", "",
               "The values of one scheme."},
     .state = "view=compare",
     .term = "std"},
    {.entry = {"compare.column.1.measures", "Measures of column 1", "", "One scheme's statistics."},
     .state = "view=compare"},
    {.entry = {"steps.matrix.1", "Matrix 1 of the row", CELLS,
               "X, Q, K, V, S, A, Z or Y, by their order from 1."},
     .state = "view=steps",
     .term = "attention"},
    {.entry = {"steps.learned.1", "Learned matrices", "", "W_Q, W_K and W_V; 2 is W_O."},
     .state = "view=steps",
     .term = "parameters"},
    {.entry = {"steps.card.1", "Card 1", "",
               "One of the six steps from a token to one output number."},
     .state = "view=steps",
     .term = "attention"},
    {.entry = {"train.loss", "Loss", "step(200)", "The loss on held-out orders by step."},
     .state = "view=train",
     .term = "loss"},
    {.entry = {"train.score", "Score", "step(200)",
               "The weight on the keys that the task asks for."},
     .state = "view=train"},
    {.entry = {"train.head", "Large head", CELLS, "The chosen head at the step shown."},
     .state = "view=train",
     .term = "attention-weight"},
    {.entry = {"train.start.1", "Start 1", "", "One start's heads, now and at five steps."},
     .state = "view=train",
     .term = "initialisation"},
    {.entry = {"train.norms", "Gradient norms", "", "The gradients' norms by matrix."},
     .state = "view=train",
     .term = "gradient-norm"},
    {.entry = {"inspector.weight", "Where a weight comes from", "",
               "One weight, from its products up."},
     .state = "view=heads",
     .term = "softmax"},
    {.entry = {"window.text", "Text field", "", "The tokens, or the text being edited."},
     .state = "view=heads",
     .term = "token"},
    {.entry = {"window.settings", "Settings", "", "The row below the text."},
     .state = "view=heads"},
    {.entry = {"window.views", "Views", "", "The six views, and Why?."}, .state = "view=heads"},
    {.entry = {"window.view", "View", "", "All of the view that is open."}, .state = "view=heads"},
    {.entry = {"window.weights", "Weights", "", "Where the weights come from."},
     .state = "view=heads",
     .term = "initialisation"},
    {.entry = {"window.inspector", "Inspector", "", "All of what is beside the view."},
     .state = "view=heads"},
    {.entry = {"window.status", "Status", "", "The line at the foot of the window."},
     .state = "view=heads"},
};
const Registry PART_REGISTRY = REGISTRY("parts", "part", PARTS);

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
