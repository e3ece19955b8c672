/* document.h: a session as a file: the pairs of the state string, one per line, so that a person
 * can read and edit them. Only characters that a line cannot hold are percent-encoded. Pure: no
 * file is opened here. */
#ifndef HEADLIGHT_DOCUMENT_DOCUMENT_H
#define HEADLIGHT_DOCUMENT_DOCUMENT_H

#include "document/state.h"

#define DOCUMENT_SUFFIX     ".headlight"
#define DOCUMENT_BYTES_MAX  ((size_t)16 << 20)
#define DOCUMENT_FAULTS_MAX 24 /* most faults that are listed */
#define DOCUMENT_PATH_MAX   4096

/* Lines that were skipped: err names the key. count may exceed the number of faults that are
 * listed. */
typedef struct DocumentFaults {
    struct {
        int line;
        Err err;
    } at[DOCUMENT_FAULTS_MAX];
    int count;
    bool is_cut; /* Headlight wrote the file, and its last line is missing */
} DocumentFaults;

/* Return the contents of the file in memory that the caller frees, or NULL and err if memory runs
 * out. `file`: for an autosave, the session's own file, as app/desk.c names it; otherwise NULL. */
char *document_write(size_t *bytes, const Session *session, const StateExtra *extra,
                     const char *file, Err *err);

/* Read a file over the default session. Values of extra that the file does not name stay. Invalid
 * lines, and lines that contradict others, are skipped and listed in faults. `file` is NULL, or has
 * room for DOCUMENT_PATH_MAX bytes and gets the path that the file names, or "". Fails, and changes
 * nothing, if the bytes are not UTF-8. It also fails if no line sets anything and a line is invalid
 * or Headlight's last line is missing. */
bool document_read(Session *session, const StateExtra *extra, char *file, const char *bytes,
                   size_t size, DocumentFaults *faults, Err *err);

#endif
