#include "views/shared/matrix_results.h"

#include <stdlib.h>

#include "base/util.h"
#include "document/state.h"

void matrix_csv_name(TextOut *out, TokenLabel name) {
    text_out(out, "\"");
    for (size_t i = 0; i < name.size; i++)
        text_out(out, name.bytes[i] == '"' ? "\"\"" : "%c", name.bytes[i]);
    text_out(out, "\"");
}

static void put_header(TextOut *out, const Results *run, bool are_tokens, const int *order,
                       int index) {
    int token = order != NULL ? order[index] : index;
    if (!are_tokens)
        text_out(out, "%d", index + 1);
    else if (token >= 0)
        matrix_csv_name(out, results_token_text(run, token));
}

void matrix_csv(TextOut *out, const Results *run, const NamedMatrix *m) {
    for (int col = 0; col < m->cols; col++) {
        text_out(out, ",");
        put_header(out, run, m->col_tokens, m->col_order, col);
    }
    text_out(out, "\n");
    for (int row = 0; row < m->rows; row++) {
        put_header(out, run, m->row_tokens, m->row_order, row);
        for (int col = 0; col < m->cols; col++) {
            text_out(out, ",");
            text_out_number(out, (double)m->values[row * m->stride + col], "");
        }
        text_out(out, "\n");
    }
}

static void put_matrix(TextOut *out, const NamedMatrix *m) {
    text_out(out, ",\n");
    text_out_quoted(out, m->name);
    text_out(out, ": [");
    for (int row = 0; row < m->rows; row++) {
        text_out(out, "%s\n [", row > 0 ? "," : "");
        for (int col = 0; col < m->cols; col++) {
            text_out(out, "%s", col > 0 ? ", " : "");
            text_out_number(out, (double)m->values[row * m->stride + col], "null");
        }
        text_out(out, "]");
    }
    text_out(out, "]");
}

void results_json(TextOut *out, const ViewContext *context) {
    char *state = state_make(context->session, NULL);
    out->failed = out->failed || state == NULL;
    text_out(out, "{\"state\": ");
    text_out_quoted(out, state != NULL ? state : "");
    free(state);
}

static void put_json(TextOut *out, const ViewContext *c, const NamedMatrix *matrices, int count) {
    results_json(out, c);
    text_out(out, ",\n\"head\": %d,\n\"tokens\": [", c->session->options.head);
    for (int i = 0; i < c->run->T; i++) {
        TokenLabel name = results_token_text(c->run, i);
        text_out(out, "%s", i > 0 ? ", " : "");
        text_out_quoted_bytes(out, name.bytes, name.size);
    }
    text_out(out, "]");
    for (int i = 0; i < count; i++)
        put_matrix(out, &matrices[i]);
    text_out(out, "}\n");
}

bool matrix_results(TextOut *out, const ViewContext *c, ViewResult result,
                    const NamedMatrix *matrices, int count) {
    if (result == RESULT_CSV)
        matrix_csv(out, c->run, &matrices[0]);
    else if (result == RESULT_JSON)
        put_json(out, c, matrices, count);
    return !out->failed && (result == RESULT_CSV || result == RESULT_JSON);
}

bool head_results(const ViewContext *c, ViewResult result, TextOut *out) {
    int head = c->session->options.head - 1;
    if (!c->run->valid || c->run->T == 0)
        return false;
    Mat A = results_weights(c->run, 0, head), S = results_scores(c->run, 0, head);
    const NamedMatrix matrices[] = {{"A", A.at, A.rows, A.cols, A.stride, true, true, NULL, NULL},
                                    {"S", S.at, S.rows, S.cols, S.stride, true, true, NULL, NULL}};
    return matrix_results(out, c, result, matrices, ARRAY_COUNT(matrices));
}
