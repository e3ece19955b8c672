/* document.h: a session as a file: the pairs of the state string, one per line, so that a person
 * can read and edit it. Only what a line cannot hold is percent-encoded. Pure: no file is opened
 * here. */
#ifndef HEADLIGHT_DOCUMENT_DOCUMENT_H
#define HEADLIGHT_DOCUMENT_DOCUMENT_H

#include "document/state.h"

#define DOCUMENT_SUFFIX     ".headlight"
#define DOCUMENT_BYTES_MAX  ((size_t)16 << 20)
#define DOCUMENT_FAULTS_MAX 24 /* most faults that are kept */
#define DOCUMENT_PATH_MAX   4096

/* What was skipped: err names the key. count may exceed the number of faults that are kept. */
typedef struct DocumentFaults {
    struct {
        int line;
        Err err;
    } at[DOCUMENT_FAULTS_MAX];
    int count;
    bool is_cut; /* Headlight wrote the file, and its last line is missing */
} DocumentFaults;

/* Return the whole file in memory that the caller frees, or NULL and err if memory runs out. file,
 * or NULL, is the path of the session whose unsaved changes these are. */
char *document_write(size_t *bytes, const Session *session, const StateExtra *extra,
                     const char *file, Err *err);

/* Read a file over the default session; values of extra that the file does not name stay. An
 * invalid line is skipped and listed in faults, and so is one that contradicts the others. file, or
 * NULL, has room for DOCUMENT_PATH_MAX bytes and gets the path that the file names, or "". Fails,
 * and changes nothing, if the bytes are no session at all, or an empty one without Headlight's last
 * line. */
bool document_read(Session *session, const StateExtra *extra, char *file, const char *bytes,
                   size_t size, DocumentFaults *faults, Err *err);

#endif
