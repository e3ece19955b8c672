/* study_run.h: an initialisation study on several threads. Results do not depend on how many. */
#ifndef HEADLIGHT_SHELL_STUDY_RUN_H
#define HEADLIGHT_SHELL_STUDY_RUN_H

#include "lab/study.h"

#define STUDY_THREADS_MAX 64

/* Asked on the calling thread, some ten times a second, whether to go on; the study may be read
 * meanwhile. */
typedef struct StudyWatch {
    bool (*go_on)(void *context, const Study *study);
    void *context;
} StudyWatch;

/* As many threads as there are processors. */
int study_threads(void);

/* Compute what is left of the study and return when it is done, or soon after watch said to stop:
 * study->in tells which. Fails where a unit does, or where memory or threads run out; what was
 * computed stays. */
bool study_run(Study *study, int threads, StudyWatch watch, Err *err);

#endif
