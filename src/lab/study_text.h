/* study_text.h: the results of a study as CSV or JSON, layer by layer. Pure. */
#ifndef HEADLIGHT_LAB_STUDY_TEXT_H
#define HEADLIGHT_LAB_STUDY_TEXT_H

#include "base/text_out.h"
#include "lab/study.h"

typedef struct StudyTable {
    const StudyPlan *plan;
    const char *const *names; /* names of the schemes; NULL for their ids */
    int seeds;                /* number of finished seeds */
    uint32_t stats;           /* a bit for each StudyStat to write */
    /* Results of theory_on_study, by scheme, layer and statistic; may be NULL. */
    const double *expected_x;
    const void *context;
    StudySummary (*summary)(const void *context, int scheme, int layer, StudyStat stat);
} StudyTable;

/* Return the statistics that `compare` writes, as bits. */
uint32_t study_text_in_files(void);

StudyTable study_table(const Study *study, uint32_t stats);

/* Write CSV with the columns scheme,layer,stat,mean,sd,expected,expected_x. */
void study_text_csv(TextOut *out, const StudyTable *table);

/* Write JSON: {"state", "seeds", "schemes": [{"id", "stats"}]}. With several layers stats is a list
 * of layers. */
void study_text_json(TextOut *out, const StudyTable *table, const char *state);

#endif
