#include <math.h>
#include <string.h>

#include "app/examples.h"
#include "app/sheets.h"
#include "base/util.h"
#include "ui/formula.h"
#include "ui/scroll.h"
#include "ui/text.h"

#define WIDTH     720
#define TEXT_SIZE 18
#define NAME_H    32.0f
#define FORMULA_H 36.0f
#define APART     18 /* px between two terms */
#define MARGIN    10 /* px left and right of a term's text */

const Term GLOSSARY[] = {
    {{"adam", "Adam", "W ← W − η·m̂/(√v̂ + ε)",
      "An optimiser. It sets the step of each weight from running means of the gradient and of its "
      "square."},
     {.state = "view=train&train-optimiser=adam"}},
    {{"attention", "Attention", "softmax(QKᵀ/√d_k)V",
      "Each token mixes the values of the tokens that it reads, by weights computed from the "
      "text."},
     {.state = "view=steps&steps-step=1"}},
    {{"attention-weight", "Attention weight", "a_ij = e^{s_ij} / Σ_k e^{s_ik}",
      "The share of token j's value in what token i reads. 0: nothing; 1: all. A row sums to 1."},
     {"view=heads&show=weights", .also = "A|a|Weight|Weights A|Attention A|A_separate|A_merged"}},
    {{"carried", "A·‖v‖", "a_ij·‖v_j‖",
      "The size of what an edge brings to the query: its weight times the length of the value "
      "vector."},
     {.state = "view=graph&graph-value=carried"}},
    {{"backpropagation", "Backpropagation", "",
      "Computes the gradient of the loss for every weight, from the output back to the input."},
     {.state = "view=train"}},
    {{"batch", "Batch", "", "The sequences whose gradients are averaged for one training step."},
     {.state = "view=train"}},
    {{"bias", "Bias", "Q = X·W_Q + b_Q",
      "A learned vector that is added after a product with weights. Biases start at 0."},
     {.state = "view=steps&bias=all&steps-step=2"}},
    {{"causal", "Causal mask", "N(i) = {j : j ≤ i}",
      "Each token reads only itself and earlier tokens. A model that predicts the next word needs "
      "it."},
     {"view=heads&mask=causal", .also = "Causal"}},
    {{"contextual", "Contextual embedding", "",
      "A token's vector after attention. The same word can have different vectors, because it "
      "reads different words."},
     {.state = "view=compare&compare=twice"}},
    {{"cosine", "Cosine", "cos = a·b / (‖a‖·‖b‖)",
      "How alike the directions of two vectors are. 1: the same; 0: at right angles; −1: "
      "opposite."},
     {.state = "view=wqk&wqk-product=qk&wqk-against=merged&wqk-page=plain"}},
    {{"d-k", "d_k", "",
      "Width of one head's queries and keys. The rank of its W_QK is at most d_k."},
     {.state = "view=wqk&wqk-product=qk&wqk-page=rank"}},
    {{"d-model", "d_model", "", "Width of the layer: the number of entries in a token's vector."},
     {.state = "view=steps&steps-step=1"}},
    {{"edge", "Edge", "",
      "A query and a key that it may read. The edge's weight is one entry of A."},
     {"view=graph&graph-value=weights", .also = "edges"}},
    {{"effective-rank", "Effective rank", "e^{H}",
      "How many directions a matrix really uses: exp of the entropy of its singular values, scaled "
      "to sum 1. 1: a single direction."},
     {.state = "view=compare&compare=columns&compare-measures=all"}},
    {{"embedding", "Embedding", "",
      "The vector of a token before attention: a row of a table E, which has one row for each "
      "word."},
     {"view=steps&steps-step=1", .also = "e|E"}},
    {{"energy", "Energy kept", "Σ_{i≤r} σ_i^2 / Σ_i σ_i^2",
      "The share of the squared singular values that the cut to rank r keeps. 100 %: nothing is "
      "lost."},
     {.state = "view=wqk&wqk-product=qk&wqk-page=rank"}},
    {{"entropy", "Entropy", "H = −Σ_j a_ij·log a_ij",
      "How widely a row of A is spread, in nats. 0: one token takes all; log n: even over n "
      "tokens."},
     {"view=heads&show=weights", .also = "Entropy A"}},
    {{"fan-in", "Fan-in", "σ = 1/√n",
      "The number n of inputs that each output of a matrix sums. Many schemes make weights smaller "
      "as it grows."},
     {.state = "view=compare&compare=columns"}},
    {{"fused", "Fused QKV", "",
      "One matrix for Q, K and V. Xavier then counts the outputs of all three and makes the "
      "weights smaller."},
     {"view=compare&compare=fused", .also = "Fused"}},
    {{"gauge", "Gauge", "W_Q·R·R^{−1}·W_Kᵀ = W_Q·W_Kᵀ",
      "A change of W_Q and W_K that changes no attention weight: R and its inverse cancel in the "
      "product."},
     {.state = "view=wqk&wqk-product=qk&wqk-against=gauge&wqk-page=gauge"}},
    {{"gradient", "Gradient", "∂L/∂W",
      "How the loss changes with each weight. Gradient descent steps against it."},
     {"view=train", .also = "∂W_Q|Std of the gradient"}},
    {{"gradient-norm", "Gradient norm", "‖∂L/∂W‖",
      "The length of a matrix's gradient. 0: this matrix does not learn."},
     {.state = "view=train"}},
    {{"head", "Head", "",
      "One attention with its own W_Q, W_K and W_V. A layer has h heads next to each other."},
     {"view=heads&wall=all", .also = "h|heads"}},
    {{"initialisation", "Initialisation", "",
      "How weights are sampled before training. It sets the size of scores, and so how even "
      "attention starts."},
     {"view=compare&compare=columns", .also = "Init|Random weights"}},
    {{"key-vector", "Key", "k_j = x_j·W_K",
      "The vector by which a token is found: its product with a query is the score."},
     {"view=steps&steps-step=2", .also = "K|k|key →"}},
    {{"kl", "KL divergence", "KL = Σ_j p_j·log(p_j/q_j)",
      "How far one row of weights is from another, in nats. 0: equal; there is no upper limit."},
     {"view=wqk&wqk-product=qk&wqk-page=rank", .also = "KL"}},
    {{"layernorm", "LayerNorm", "LN(x) = (x − μ)/√(σ^2 + ε)",
      "Shifts and scales each token's vector to mean 0 and standard deviation 1."},
     {"view=steps&block=pre-norm&steps-step=1", .also = "LN"}},
    {{"learning-rate", "Learning rate", "W ← W − η·g",
      "How far one training step goes. Too small: slow; too large: the loss jumps."},
     {"view=train", .also = "Rate"}},
    {{"logits", "Logits", "",
      "The numbers that enter a softmax. Attention's logits are the scores S; a language model's "
      "choose the next word."},
     {.state = "view=heads&show=scores"}},
    {{"loss", "Loss", "",
      "What training makes small: here the mean squared error against the word vectors that the "
      "task asks for. 0: perfect."},
     {"view=train", .also = "Training loss"}},
    {{"mask", "Mask", "", "Which keys each query may read. A closed pair has weight 0."},
     {.state = "view=heads&mask-panel=show"}},
    {{"merged", "Merged form", "W_QK = W_Q·W_Kᵀ",
      "W_Q and W_K as one matrix. Scores and weights stay the same, up to rounding."},
     {"view=wqk&wqk-product=qk&wqk-against=merged", .also = "Merged"}},
    {{"message-passing", "Message passing", "",
      "Each token receives the weighted sum of its neighbours' values: attention as a graph "
      "network."},
     {"view=graph&graph-flow=flow", .also = "Mix values|Mix"}},
    {{"multi-head", "Multi-head attention", "Y = concat(Z)·W_O",
      "All heads attend at once. W_O joins what they read into one vector for each token."},
     {"view=steps&steps-step=6", .also = "Join heads|Join"}},
    {{"multiply-adds", "Multiply-adds", "",
      "A multiplication followed by an addition: the unit in which the work of matrix products is "
      "counted."},
     {.state = "view=wqk&wqk-product=qk&wqk-page=cost"}},
    {{"neighbours", "N(i)", "",
      "The tokens that token i may read: its neighbourhood in the graph. The mask decides it."},
     {"view=graph&mask=causal", .also = "N"}},
    {{"nat", "Nat", "",
      "The unit of entropy and KL divergence with natural logarithms. One nat is 1.44 bits."},
     {.state = "view=heads&show=weights"}},
    {{"one-hot", "One-hot vector", "x = e_i",
      "A vector with a 1 at the token's number and 0 elsewhere. Multiplied by a table it picks one "
      "row."},
     {"view=steps&embedding=onehot&steps-step=1", .also = "One-hot"}},
    {{"optimiser", "Optimiser", "", "The rule that turns gradients into changes of the weights."},
     {.state = "view=train"}},
    {{"orthogonal", "Orthogonal matrix", "RᵀR = I",
      "A matrix that rotates or reflects. It changes no length and no angle."},
     {"view=wqk&wqk-against=gauge&wqk-gauge=rotation&wqk-page=gauge", .also = "Rotation|R"}},
    {{"pagerank", "PageRank", "r = 0.85·Aᵀr + 0.15/T",
      "The share of time that a random walk along the attention spends at a token."},
     {.state = "view=graph&graph-nodes=pagerank"}},
    {{"parameters", "Parameters", "",
      "The numbers that training changes. They are the same for every text, so attention weights "
      "are not parameters."},
     {.state = "view=wqk&wqk-product=qk&wqk-page=cost"}},
    {{"positions", "Position encoding", "x = e + p",
      "Tells the layer where a token is: a vector added to it, or a rotation of its query and "
      "key."},
     {"view=steps&positions=sinusoidal&steps-step=1", .also = "p|Positions|Token + position"}},
    {{"query-vector", "Query", "q_i = x_i·W_Q",
      "The vector by which a token looks for others: its product with a key is the score."},
     {"view=steps&steps-step=2", .also = "Q|q|query ↓"}},
    {{"rank", "Rank", "",
      "The number of independent directions of a matrix. That of one head's W_QK is at most d_k."},
     {"view=wqk&wqk-product=qk&wqk-page=rank", .also = "Rank cliff|r|At r"}},
    {{"received", "Received attention", "Σ_i a_ij",
      "The weights with which all tokens read this one, added up. 0: no token reads it."},
     {"view=graph&graph-nodes=received", .also = "Received|is read by"}},
    {{"residual", "Residual connection", "Y = X + attention(X)",
      "The input is added to the output, so the layer only has to learn a change."},
     {"view=steps&block=residual&steps-step=6", .also = "Residual"}},
    {{"rmsnorm", "RMSNorm", "x / √(mean(x^2) + ε)",
      "Divides each token's vector by its root mean square. LayerNorm, shown here, also subtracts "
      "the mean."},
     {"view=steps&block=pre-norm&steps-step=1", .also = "rms"}},
    {{"rollout", "Rollout", "",
      "How much of each input token reaches each output: the product of all layers' attention, "
      "each averaged with the identity for the residual."},
     {"view=heads&summary=rollout", .also = "Attention rollout"}},
    {{"rope", "RoPE", "q(t) → q(t)·R(t),  k(t) → k(t)·R(t)",
      "Rotates queries and keys by their positions, so that scores depend on the distance i − j."},
     {"view=wqk&positions=rope&wqk-product=qk&wqk-page=rank", .also = "Rotary"}},
    {{"saturation", "Saturation", "",
      "A softmax with one weight near 1 and the others near 0. Its gradient almost vanishes."},
     {.state = "view=compare&compare=scale"}},
    {{"scale", "Scale", "1/√d_k",
      "Without this division the standard deviation of a score would grow with √d_k."},
     {.state = "view=compare&compare=scale"}},
    {{"score", "Score", "s_ij = q_i·k_j/√d_k",
      "How well a query matches a key. The softmax of a row's scores gives its weights."},
     {"view=heads&show=scores", .also = "S|s|Scores|Scores S"}},
    {{"seed", "Seed", "", "Where the random numbers start. The same seed gives the same weights."},
     {.state = "view=heads"}},
    {{"singular-values", "Singular values", "W = Σ_r σ_r·u_r·v_rᵀ",
      "How far a matrix stretches along its main directions. The rank is how many are above 0. To "
      "set one of W_QK, drag the end of its bar, double-click it, or press Enter on the chart."},
     {"view=wqk&wqk-product=qk&wqk-page=rank", .also = "σ|Largest σ|Smallest kept σ"}},
    {{"softmax", "Softmax", "a_j = e^{s_j} / Σ_k e^{s_k}",
      "Turns scores into shares: all above 0, with sum 1. The largest score gets the largest "
      "share."},
     {.state = "view=steps&steps-step=4"}},
    {{"std", "Standard deviation", "σ = √(mean((x − μ)^2))",
      "How far numbers spread around their mean. 0: all are equal."},
     {"view=compare&compare=columns", .also = "Std|Std of scores|Std of Y"}},
    {{"symmetric-part", "Symmetric part", "(W + Wᵀ)/2",
      "The part of W_QK that gives the pairs (i, j) and (j, i) the same score. If it is all of "
      "W_QK, the order of a pair never matters."},
     {"view=wqk&wqk-product=qk&wqk-page=parts", .also = "Symmetry"}},
    {{"temperature", "Temperature", "softmax(S/τ)",
      "Scores are divided by the temperature before the softmax. Below 1: sharper; above 1: more "
      "even."},
     {.state = "view=heads&temperature=2&show=weights", .also = "Temp."}},
    {{"token", "Token", "",
      "A piece of the text with its own vector: here a word, a part of a word, or a character."},
     {"view=steps&steps-step=1", .also = "tokens"}},
    {{"value", "Value", "v_j = x_j·W_V",
      "The vector that a token passes on to the tokens that read it."},
     {"view=steps&steps-step=2", .also = "V|v"}},
    {{"w-o", "W_O", "Y = concat(Z)·W_O",
      "Maps the joined outputs of all heads to d_model entries. Each head has d_v of its rows."},
     {.state = "view=steps&steps-step=6"}},
    {{"w-qk", "W_QK", "W_QK = W_Q·W_Kᵀ",
      "The product by which a head scores pairs. Without biases and RoPE, nothing else of W_Q and "
      "W_K matters."},
     {.state = "view=wqk&wqk-product=qk&wqk-against=merged"}},
    {{"window-mask", "Window mask", "N(i) = {j : |i − j| ≤ W}",
      "Each token reads keys at most W places away, before and after."},
     {"view=heads&mask=window:2", .also = "Window"}},
    {{"x", "X", "x_i = e_i + p_i",
      "What enters the layer: a row for each token, its embedding with its position."},
     {"view=steps&steps-step=1", .also = "x"}},
    {{"xavier", "Xavier initialisation", "σ^2 = 2/(fan_in + fan_out)",
      "Samples weights so that signal and gradient roughly keep their size."},
     {"view=compare&compare=columns", .also = "Xavier"}},
    {{"y", "Y", "Y = concat(Z)·W_O", "What leaves the layer: a row for each token."},
     {"view=steps&steps-step=6", .also = "y"}},
    {{"z", "Z", "Z = A·V", "What a head reads: for each token the weighted sum of values."},
     {"view=steps&steps-step=5", .also = "z|concat(Z)|concat Z"}},
};

const Registry GLOSSARY_REGISTRY = REGISTRY("glossary", "word", GLOSSARY);

/* Show the place where the word can be seen, as one undo step. The user's layer stays, except for
 * what the place's state sets. */
static void visit(App *app, int term) {
    Err err;
    const char *state = GLOSSARY[term].state;
    Session changed = session_share(&app->session);
    Settings settings = app->settings;
    /* If the user has edited the layer, don't call detour_set, which would forget the edits. */
    bool was_edited = detour_is_edited(app);
    Snapshot before = detour_begin(app);
    bool read = app_read_over(app, &changed, &settings, state, strlen(state), &err);
    bool taken = app_told(app, app_take_session(app, read, &changed, &settings, &err), &err);
    if (taken && !was_edited)
        detour_set_or_end(app, &before, &app->session);
    session_release(&before.session);
}

static UiId term_id(int term) {
    return ui_id("term", term);
}

static float term_height(const App *app, const Entry *entry, float width) {
    return NAME_H + (entry->formula[0] != '\0' ? FORMULA_H : 0) +
           text_wrap_height(&app->ui, TEXT_BODY, entry->help, width - 2 * MARGIN) + APART;
}

static void term_draw(App *app, Rect place, int term) {
    Ui *ui = &app->ui;
    const Entry *entry = &GLOSSARY[term].entry;
    Rect row = {place.x, place.y, place.w, place.h - APART / 2};
    UiState state = ui_control(ui, term_id(term), row, 0);
    ui_name(ui, term_id(term), entry->label);
    if (state.hovered)
        draw_fill(ui->list, row, 6, ui->theme->hover);
    Rect rest = rect_inset(row, MARGIN, 0);
    FormulaStyle formula = {.size = TEXT_SIZE, .colour = ui->theme->text_1};
    text_in(ui, rect_cut_top(&rest, NAME_H), TEXT_STRONG, "%s", entry->label);
    if (entry->formula[0] != '\0')
        formula_label(ui, rect_cut_top(&rest, FORMULA_H), &formula, entry->formula);
    text_wrap(ui, &rest, TEXT_BODY, entry->help);
    ui_focus_ring(ui, term_id(term), rect_inset(row, 2, 2), 6);
    if (state.clicked) {
        sheet_close(app);
        app_do(app, visit, term);
    }
}

void glossary_sheet_draw(App *app) {
    Ui *ui = &app->ui;
    float w = fminf(WIDTH, ui->list->width - 16), h = ui->list->height - 16;
    Rect rest = sheet_ground(app, (Rect){(ui->list->width - w) / 2, 8, w, h}, "Glossary");
    float height = 0, width = rest.w - SCROLL_BAR;
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++)
        height += term_height(app, &GLOSSARY[i].entry, width);
    ScrollArea area = scroll_begin(ui, ui_id("sheet", SHEET_GLOSSARY), rest, &app->sheet_scroll,
                                   (Vec2){rest.w, height});
    Rect place = {area.content.x, area.content.y, width, 0};
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++, place.y += place.h) {
        place.h = term_height(app, &GLOSSARY[i].entry, width);
        term_draw(app, place, i);
    }
    scroll_end(ui, &area);
}

void glossary_open(App *app, int term) {
    sheet_open(app, SHEET_GLOSSARY);
    ui_focus(&app->ui, term_id(term)); /* the sheet scrolls to the term with the focus */
}

/* A word of the window: its other names, the only view in which it has this meaning ("" for all),
 * and the meaning. */
#define WORD(label, others, view, help)                                                            \
    {                                                                                              \
        {label, label, "", help}, {                                                                \
            .state = (view), .also = (others)                                                      \
        }                                                                                          \
    }

const Term WINDOW_WORDS[] = {
    WORD("Headlight", "", "", "Shows every number of a small multi-head attention layer."),
    WORD("Examples", "", "", "Sentences and trained layers to start from."),
    WORD("File", "", "", "New, open, save, copy and export."),
    WORD("Results", "", "", "Copy or save the numbers of this view."),
    WORD("i", "", "", "Facts about this picture, such as words without a vector."),
    WORD("Comes from", "", "", "The layer, weights and choices that made this number."),
    WORD("Strongest", "Pinned|Hovered", "",
         "Which pair is explained: pinned, under the pointer, or else the strongest one."),
    WORD("colour scale", "", "",
         "The number that each colour stands for, in every matrix that shares this scale."),
    WORD("Any R", "Any", "wqk",
         "Any invertible R cancels between the factors; a rotation also keeps their lengths."),
    WORD("He", "", "",
         "He initialisation: a variance of 2 divided by the fan-in, made for layers with ReLU."),
    WORD("W_i^{Q*}", "W_i^Q*", "wqk",
         "The product of W^Q and W_i^Q: one matrix for each head, which implementations store."),
    WORD("Try this", "", "", "The first things to do here; each leaves the list when it is done."),
    WORD("free: one matrix", "– – free|free", "wqk",
         "The singular values of one matrix that is not a product of two factors: they have no "
         "cliff."),
    WORD("even share", "even", "",
         "The weight of each open key if attention were even: 1 divided by the number of open "
         "keys."),
    WORD("Uniform entropy", "", "",
         "The entropy if every open key had the same weight: the largest that is possible."),
    WORD("expected", "expected on this X", "",
         "The value that theory expects for weights that are sampled this way."),
    WORD("measured", "", "",
         "The value measured in this layer, next to the value that theory expects."),
    WORD("Largest weight", "", "",
         "The largest weight of A. 1: one token takes all. If it equals the even share, attention "
         "is flat."),
    WORD("Mean distance", "Distance", "",
         "Average distance, in tokens, between a query and the keys that it reads. 0: each token "
         "reads only itself."),
    WORD("row’s largest score", "max s", "",
         "The largest score of the row. Subtracting it keeps the exponential small and changes no "
         "weight."),
    WORD("largest", "", "", "The terms that contribute most to the sum."),
    WORD("sum", "", "", "All the terms above, added up."),
    WORD("One product", "Divided by|Sum of", "compare",
         "Histograms over all heads and pairs: one product q_m·k_m, the sum of n products, and "
         "that sum divided by √n. The band is one expected σ to either side of 0."),
    WORD("more", "", "steps", "The terms that have no room here, added up."),
    WORD("W", "", "compare",
         "Moves W_Q, W_K, W_V and W_O from the identity matrix (left) to this layer's weights "
         "(right)."),
    WORD("Static", "", "compare",
         "Each word's vector e and, with its position added, x; words of similar meaning lie "
         "together."),
    WORD("Contextual", "", "compare",
         "What attention returns for each token: the same word can lie in two places."),
    WORD("n", "", "compare", "How many of the d_k products of a score are added up."),
    WORD("products", "", "", "The entries of two vectors, multiplied pair by pair."),
    WORD("numbers", "", "", "How many entries the vector has."),
    WORD("norm", "", "", "The length of the vector: the root of the sum of its squares."),
    WORD("reads back", "", "", "Arcs on this side go from a query to an earlier key."),
    WORD("reads ahead", "", "",
         "Arcs on this side go from a query to a later key; a loop goes to the query itself."),
    WORD("reads itself", "", "",
         "A loop goes from a query to itself. The mask leaves out later keys."),
    WORD("reads", "", "", "What this token reads: the largest weights of its row of A."),
    WORD("width", "", "", "The width of a line shows the weight; these are examples."),
    WORD("drawn", "", "", "How many edges the picture draws; the filter leaves out the others."),
    WORD("a row", "", "", "The share of each row's weight that the drawn edges hold."),
    WORD("Hide", "", "",
         "Leave out edges from a token to itself, or all edges to the first token."),
    WORD("First", "", "graph",
         "Edges to the first token, which often gets the attention that no other token needs."),
    WORD("All", "", "graph", "Draw the edges of every head, each in its colour."),
    WORD("Q·K", "", "", "The product W_Q·W_Kᵀ, by which a head scores pairs."),
    WORD("V·O", "", "", "The product W_V·W_O, which turns what a head reads into its output."),
    WORD("equal at", "equal", "",
         "The d_k at which both forms cost the same. With narrower heads two factors are cheaper."),
    WORD("top", "", "", "The heaviest edges of each token, and their share of all weight."),
    WORD("best head", "", "", "The head with the most weight on the keys that the task asks for."),
    WORD("Symmetric and antisymmetric part", "(W", "wqk",
         "Two parts whose sum is the product: the symmetric and the antisymmetric one."),
    WORD("Mutual and one-way", "", "",
         "Mutual: a and b read each other equally. One-way: a reads b more than b reads a."),
    WORD("Y unchanged", "", "", "The outputs of both forms agree up to rounding."),
    WORD("by factors", "by product", "",
         "The same step of training, taken on the two factors or on their product."),
    WORD("folded", "", "", "Two neighbouring matrices of a product, multiplied into one."),
    WORD("µs measured", "", "", "Time that the program measured on this computer."),
    WORD("Tokens", "T tokens", "wqk", "The number of tokens."),
    WORD("What if", "", "", "Other sizes, used only for these costs; the layer does not change."),
    WORD("Scaled", "Not scaled", "",
         "Attention with scores that are divided by √d_k, and with scores that are not."),
    WORD("Colour", "", "", "What the colours of the map show."),
    WORD("Per head", "", "", "Each head's matrix is sampled with its own, smaller fan-out."),
    WORD("Add GPT-2", "", "", "Add GPT-2's scheme, which makes W_O smaller in deeper stacks."),
    WORD("As intended", "As initialised", "",
         "The layer as its scheme intends it, and the layer that the faulty code makes."),
    WORD("Nothing is wrong", "", "compare",
         "The right answer if the code does what its scheme says."),
    WORD("Next", "", "compare", "Go to the next question."),
    WORD("Standard deviation", "σ", "compare",
         "How far the entries spread around their mean. 0: all are equal."),
    WORD("Ends of the scale", "−max|+max|scale limits", "steps",
         "The colours at both ends stand for plus and minus the largest magnitude in a matrix: "
         "the number after ± next to the matrix's name."),
    WORD("Magnify the difference", "", "wqk",
         "Show the difference on a scale of its own, so that rounding is seen."),
    WORD("Merge", "", "wqk",
         "Merge the two factors into one matrix; press again to separate them."),
    WORD("Back to the layer", "", "wqk", "Count with the layer's own sizes again."),
    WORD("Back", "", "compare", "Go to the previous question."),
    WORD("dash", "", "", "A dash marks a negative value, so that its sign needs no colour."),
    WORD("moved", "", "",
         "How much the entries changed: the length of the change divided by the length before."),
    WORD("Difference", "Δ|max |Δ|all heads", "",
         "How far a number of one layer is from the same number of the other. 0: nothing changed."),
    WORD("float32 rounding", "", "",
         "Differences of this size are only rounding errors of 32-bit numbers."),
    WORD("A unchanged", "", "", "The weights of both forms agree up to rounding."),
    WORD("Lost at r", "Lost", "",
         "How far the head's result changes if only rank r of its product is kept."),
    WORD("W", "", "wqk",
         "The length of what the cut removes, divided by the length of the product."),
    WORD("Cost per head", "", "",
         "Parameters and multiply-adds of two thin factors and of one matrix."),
    WORD("overflow", "", "", "The value no longer fits into a 32-bit number."),
    WORD("Add scheme", "", "", "Add a column with another initialisation."),
    WORD("σ = 1", "Normal, σ = 1", "", "All weights from a normal distribution with σ = 1."),
    WORD("He", "", "compare", "He: variance 2/fan-in, made for layers with ReLU."),
    WORD("Fused", "Xavier, fused", "compare",
         "Xavier on one matrix for Q, K and V: its fan-out is three times as large."),
    WORD("Token + position", "Token", "steps",
         "Step 1: a token's embedding and the vector of its position are added."),
    WORD("Project", "", "steps", "Step 2: three learned matrices make a query, a key and a value."),
    WORD("Score", "", "steps", "Step 3: the product of query and key, divided by √d_k."),
    WORD("Softmax", "", "steps", "Step 4: a row of scores becomes shares that sum to 1."),
    WORD("Mix values", "Mix", "steps", "Step 5: the values, each times its weight, are added."),
    WORD("Join heads", "Join", "steps", "Step 6: W_O turns what all heads read into one vector."),
    WORD("Step", "", "steps", "The step that is explained; Space plays all six."),
    WORD("Score", "score", "train",
         "The weight of the key that the task asks for, in the best head. 1: no other key has "
         "weight."),
    WORD("Held-out loss", "", "",
         "The loss on orders of the words that training never uses. 0: perfect."),
    WORD("this text", "", "train",
         "The weight that this head gives the keys that the task asks for, in the sentence above."),
    WORD("at step", "", "", "The training step that the picture shows."),
};
const int WINDOW_WORD_COUNT = ARRAY_COUNT(WINDOW_WORDS);
