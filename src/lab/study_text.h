/* study_text.h: what a study found as CSV or JSON, layer by layer. Pure. */
#ifndef HEADLIGHT_LAB_STUDY_TEXT_H
#define HEADLIGHT_LAB_STUDY_TEXT_H

#include "base/text_out.h"
#include "lab/study.h"

/* Which numbers, and where they come from. */
typedef struct StudyTable {
    const StudyPlan *plan;
    const char *const *names; /* of its schemes; NULL for their ids */
    int seeds;                /* that are in */
    uint32_t stats;           /* bits by StudyStat */
    const double *expected_x; /* by scheme, layer, statistic: on the X at hand; NULL for none */
    const void *context;
    StudySummary (*summary)(const void *context, int scheme, int layer, StudyStat stat);
} StudyTable;

/* Those of STUDY_STATS that `compare` writes. */
uint32_t study_text_in_files(void);

/* All that a study has of them. */
StudyTable study_table(const Study *study, uint32_t stats);

/* scheme,layer,stat,mean,sd,expected,expected_x: a row for each. */
void study_text_csv(TextOut *out, const StudyTable *table);

/* {"state", "seeds", "schemes": [{"id", "stats"}]}; with several layers stats is a list of layers.
 */
void study_text_json(TextOut *out, const StudyTable *table, const char *state);

#endif
