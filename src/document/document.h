/* document.h: a session as a file: the pairs of the state string, one per line, so that a person
 * can read and edit them. Only '%' and characters that a line cannot hold are percent-encoded.
 * Pure: no file is opened here. */
#ifndef HEADLIGHT_DOCUMENT_DOCUMENT_H
#define HEADLIGHT_DOCUMENT_DOCUMENT_H

#include "document/state.h"

#define DOCUMENT_SUFFIX     ".headlight"
#define DOCUMENT_BYTES_MAX  ((size_t)16 << 20)
#define DOCUMENT_FAULTS_MAX 24 /* limit of listed faults */
#define DOCUMENT_PATH_MAX   4096

/* Lines that were skipped: err names the key. count may exceed DOCUMENT_FAULTS_MAX. */
typedef struct DocumentFaults {
    struct {
        int line;
        Err err;
    } at[DOCUMENT_FAULTS_MAX];
    int count;
    bool is_cut; /* true if Headlight wrote the file, and the last line is missing */
} DocumentFaults;

/* Data that only an autosave has, in addition to the session. */
typedef struct DocumentKept {
    char file[DOCUMENT_PATH_MAX]; /* the path of the session's own file, or "" */
    uint64_t stamp;               /* AppFiles.stamp of `file` when it was opened or saved */
    /* Owned: the state string on screen, if a question or a tour had set the state and the user
     * then edited it; otherwise NULL. */
    char *shown;
} DocumentKept;

/* Return the contents of the file in memory that the caller frees. Return NULL and set err if
 * memory runs out. kept is NULL for a file that is no autosave. */
char *document_write(size_t *bytes, const Session *session, const StateExtra *extra,
                     const DocumentKept *kept, Err *err);

/* Read a file over the default session. Values of extra that the file does not name stay. Invalid
 * lines, and lines that contradict others, are skipped and listed in faults. kept may be NULL; it
 * is overwritten, and the caller frees kept->shown.
 *
 * Fails, and leaves session and extra unchanged, if the bytes are not UTF-8 or contain NUL, or if
 * memory runs out. Also fails if no line sets anything, and a line is invalid or Headlight's last
 * line is missing. */
bool document_read(Session *session, const StateExtra *extra, DocumentKept *kept, const char *bytes,
                   size_t size, DocumentFaults *faults, Err *err);

#endif
