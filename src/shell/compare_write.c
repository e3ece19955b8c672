#include "shell/compare_write.h"

#include <stdlib.h>

#include "lab/study_text.h"
#include "session/state.h"

static bool write_out(FILE *to, TextOut *out) {
    bool wrote = !out->failed && fwrite(out->at, 1, out->used, to) == out->used;
    text_out_release(out);
    return wrote;
}

bool compare_write_json(FILE *to, const Study *study, const double *expected_x,
                        const Session *session) {
    TextOut out = {0};
    StudyTable table = study_table(study, study_text_in_files());
    table.expected_x = expected_x;
    char *state = state_make(session);
    if (state != NULL)
        study_text_json(&out, &table, state);
    out.failed = out.failed || state == NULL;
    free(state);
    return write_out(to, &out);
}

bool compare_write_csv(FILE *to, const Study *study, const double *expected_x,
                       const Session *session) {
    (void)session;
    TextOut out = {0};
    StudyTable table = study_table(study, study_text_in_files());
    table.expected_x = expected_x;
    study_text_csv(&out, &table);
    return write_out(to, &out);
}
