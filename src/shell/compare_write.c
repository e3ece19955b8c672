#include "shell/compare_write.h"

#include <stdlib.h>

#include "document/state.h"
#include "lab/study_text.h"

void compare_write_json(TextOut *to, const Study *study, const double *expected_x,
                        const Session *session) {
    StudyTable table = study_table(study, study_text_in_files());
    table.expected_x = expected_x;
    char *state = state_make(session, NULL);
    if (state != NULL)
        study_text_json(to, &table, state);
    to->failed = to->failed || state == NULL;
    free(state);
}

void compare_write_csv(TextOut *to, const Study *study, const double *expected_x,
                       const Session *session) {
    (void)session;
    StudyTable table = study_table(study, study_text_in_files());
    table.expected_x = expected_x;
    study_text_csv(to, &table);
}
