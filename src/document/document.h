/* document.h: a session as a file: the pairs of the state string, one a line, with only what a
 * line cannot hold percent-encoded, so that a person can read and write it. Pure: no file is
 * opened here. */
#ifndef HEADLIGHT_DOCUMENT_DOCUMENT_H
#define HEADLIGHT_DOCUMENT_DOCUMENT_H

#include "document/state.h"

#define DOCUMENT_SUFFIX     ".headlight"
#define DOCUMENT_BYTES_MAX  ((size_t)16 << 20)
#define DOCUMENT_FAULTS_MAX 24 /* that are told of */
#define DOCUMENT_PATH_MAX   4096

/* What was passed over: err names the key. count may be larger than what is kept. */
typedef struct DocumentFaults {
    struct {
        int line;
        Err err;
    } at[DOCUMENT_FAULTS_MAX];
    int count;
    bool is_cut; /* Headlight wrote the file, and its last line is missing */
} DocumentFaults;

/* The whole file in memory that the caller frees, NULL and err for want of it. file, where it is
 * not NULL, is the path of the session that this is an unsaved state of. */
char *document_write(size_t *bytes, const Session *session, const StateExtra *extra,
                     const char *file, Err *err);

/* Read a file over the default session; extra's values stay where the file does not name them.
 * A line that is wrong is passed over and told in faults, and so is one that disagrees with the
 * others. file, of DOCUMENT_PATH_MAX bytes where it is not NULL, gets the path that it names, or
 * "". Fails, and changes nothing, where the bytes are no session at all, or an empty one that does
 * not end as Headlight ends a file. */
bool document_read(Session *session, const StateExtra *extra, char *file, const char *bytes,
                   size_t size, DocumentFaults *faults, Err *err);

#endif
