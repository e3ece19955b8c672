/* zip_write.h: an archive of entries that are stored as they are, written from front to back, so
 * that it can go to any file. All dates are 1980-01-01: the same entries are the same bytes.
 * Source: PKWARE, ".ZIP File Format Specification" (APPNOTE) 6.3.3; zip64 where a size asks for it.
 */
#ifndef HEADLIGHT_IO_ZIP_WRITE_H
#define HEADLIGHT_IO_ZIP_WRITE_H

#include <stdint.h>

#include "io/file.h"

#define ZIP_ENTRIES_MAX 128
#define ZIP_NAME_MAX    64 /* bytes, its end included */

typedef struct ZipEntry {
    char name[ZIP_NAME_MAX];
    uint32_t sum; /* CRC-32 of the data */
    uint64_t size, at;
} ZipEntry;

/* Begin with out and all else 0. */
typedef struct ZipOut {
    FileOut *out;
    uint64_t at;
    int count;
    ZipEntry entries[ZIP_ENTRIES_MAX];
} ZipOut;

/* Begin an entry; exactly size bytes with that CRC-32 must then be appended to zip->out. Asserts
 * that there are not too many. Fails, having given zip->out up, as file_append does. */
bool zip_begin_entry(ZipOut *zip, const char *name, uint64_t size, uint32_t sum, Err *err);

/* Write the directory that ends the archive. Fails in the same way. */
bool zip_end(ZipOut *zip, Err *err);

#endif
