/* zip_read.h: the directory of a zip archive and the bytes of its entries, for archives from
 * anywhere. Strict: the directory must lie right before the archive's end and agree with what
 * stands before each entry. Every number is checked before it is used; memory is bounded by the
 * constants here; nothing is written anywhere, so that a name can do no harm. Source: PKWARE, ".ZIP
 * File Format Specification" (APPNOTE) 6.3.3, with zip64. */
#ifndef HEADLIGHT_IO_ZIP_READ_H
#define HEADLIGHT_IO_ZIP_READ_H

#include <stdint.h>

#include "io/file.h"

#define ZIP_DIRECTORY_MAX ((size_t)1 << 20) /* bytes */

/* The most that packed bytes are inflated to: four times as many and 24 MiB. Floats of half their
 * precision yet take more than a third of their bytes; what takes less than a quarter is nearly all
 * one number, up to a thousandfold, and zlib needs 2 ms for each MB of it: a few kB that end in a
 * NaN would else hold the program up for as long as their author likes. */
uint64_t zip_inflate_most(uint64_t packed);

/* One entry as the directory has it. */
typedef struct ZipMember {
    const char *name; /* owned by the ZipIn, not ended by NUL */
    size_t name_bytes;
    bool deflated; /* else stored as it is */
    uint64_t flags, method;
    uint32_t sum; /* CRC-32 of the data */
    uint64_t packed, size;
    uint64_t local; /* where its local header lies */
    uint64_t at;    /* where its packed data lie, once zip_locate has found that */
} ZipMember;

typedef struct ZipIn {
    const FileIn *file;
    unsigned char *directory; /* owned */
    size_t directory_bytes, next;
    uint64_t directory_at;
} ZipIn;

/* Read the directory of file, which must outlive zip. On failure zip holds nothing. */
bool zip_open(ZipIn *zip, const FileIn *file, Err *err);

/* The next entry. False at the end, where err's kind is ERR_NONE, and on failure. */
bool zip_next(ZipMember *out, ZipIn *zip, Err *err);

/* Check what stands before the entry's data, and whether it can be read at all: neither encrypted
 * nor packed in another way than deflate, nor inflated to more than zip_inflate_most. Fills
 * member->at. */
bool zip_locate(ZipMember *member, const ZipIn *zip, Err *err);

void zip_release(ZipIn *zip);

#endif
