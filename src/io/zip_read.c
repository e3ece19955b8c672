#include "io/zip_read.h"

#include <stdlib.h>
#include <string.h>

#define END_BYTES       22
#define COMMENT_MAX     65535
#define LOCATOR_BYTES   20
#define LONG_END_BYTES  56
#define DIRECTORY_BYTES 46
#define LOCAL_BYTES     30
#define INFLATE_TIMES   4
#define INFLATE_EXTRA   ((uint64_t)24 << 20)
#define FULL_16         0xFFFFu
#define FULL_32         0xFFFFFFFFu
#define ENCRYPTED       0x2041u /* flags: encrypted, strongly, or with a hidden directory */
#define SIZES_FOLLOW    0x0008u /* flag: sum and sizes stand behind the data */

static uint64_t number(const unsigned char *at, int width) {
    uint64_t value = 0;
    for (int i = width; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

/* What the end of the archive says of the directory. */
typedef struct ZipEnd {
    uint64_t disks, count, count_here, bytes, at;
    uint64_t ends_at; /* where the directory must end */
} ZipEnd;

/* The end record in the file's last bytes: the last one whose comment reaches to the end. */
static bool find_end(const unsigned char **end, const unsigned char *tail, size_t size,
                     const FileIn *file, Err *err) {
    for (size_t at = size - END_BYTES + 1; at-- > 0;)
        if (number(tail + at, 4) == 0x06054b50 &&
            number(tail + at + 20, 2) == size - at - END_BYTES) {
            *end = tail + at;
            return true;
        }
    return err_fail(err, file->name,
                    "has no end record of a zip archive; it is none, or was cut off");
}

/* The end record of zip64, where a locator stands before the plain one. */
static bool read_long_end(ZipEnd *end, uint64_t locator_at, const FileIn *file, Err *err) {
    unsigned char bytes[LONG_END_BYTES], locator[LOCATOR_BYTES];
    if (!file_read_at(locator, file, locator_at, LOCATOR_BYTES, err))
        return false;
    if (number(locator, 4) != 0x07064b50)
        return true;
    uint64_t at = number(locator + 8, 8);
    if (locator_at < LONG_END_BYTES || at > locator_at - LONG_END_BYTES)
        return err_fail(err, file->name,
                        "the zip64 locator at byte %llu points to byte %llu, past itself",
                        (unsigned long long)locator_at, (unsigned long long)at);
    if (!file_read_at(bytes, file, at, LONG_END_BYTES, err))
        return false;
    if (number(bytes, 4) != 0x06064b50 || number(bytes + 4, 8) != locator_at - at - 12)
        return err_fail(err, file->name, "there is no sound zip64 end record at byte %llu",
                        (unsigned long long)at);
    *end = (ZipEnd){.disks = number(bytes + 16, 4) | number(bytes + 20, 4) | number(locator + 4, 4),
                    .count_here = number(bytes + 24, 8),
                    .count = number(bytes + 32, 8),
                    .bytes = number(bytes + 40, 8),
                    .at = number(bytes + 48, 8),
                    .ends_at = at};
    return true;
}

static bool read_end(ZipEnd *out, const FileIn *file, Err *err) {
    size_t size = END_BYTES + COMMENT_MAX;
    size = file->size < size ? (size_t)file->size : size;
    if (size < END_BYTES)
        return err_fail(err, file->name, "is too short for a zip archive (%zu bytes)", size);
    unsigned char *tail = malloc(size);
    const unsigned char *end = NULL;
    bool found = tail != NULL ? file_read_at(tail, file, file->size - size, size, err) &&
                                    find_end(&end, tail, size, file, err)
                              : err_fail(err, "memory", "too little to read %.100s", file->name);
    if (found) {
        uint64_t at = file->size - size + (uint64_t)(end - tail);
        *out = (ZipEnd){.disks = number(end + 4, 2) | number(end + 6, 2),
                        .count_here = number(end + 8, 2),
                        .count = number(end + 10, 2),
                        .bytes = number(end + 12, 4),
                        .at = number(end + 16, 4),
                        .ends_at = at};
        if (at >= LOCATOR_BYTES)
            found = read_long_end(out, at - LOCATOR_BYTES, file, err);
    }
    free(tail);
    return found;
}

static bool check_end(const ZipEnd *end, const FileIn *file, Err *err) {
    if (end->disks != 0 || end->count != end->count_here)
        return err_fail(err, file->name, "is one part of an archive of several; join them first");
    if (end->bytes > ZIP_DIRECTORY_MAX)
        return err_fail(err, file->name, "its directory of %llu bytes is past the limit of 1 MiB",
                        (unsigned long long)end->bytes);
    if (end->at > end->ends_at || end->ends_at - end->at != end->bytes)
        return err_fail(err, file->name,
                        "its directory (byte %llu, %llu bytes) does not lie right before its end "
                        "record at byte %llu",
                        (unsigned long long)end->at, (unsigned long long)end->bytes,
                        (unsigned long long)end->ends_at);
    if (end->count > end->bytes / DIRECTORY_BYTES)
        return err_fail(err, file->name, "its directory of %llu bytes cannot hold %llu entries",
                        (unsigned long long)end->bytes, (unsigned long long)end->count);
    return true;
}

bool zip_open(ZipIn *zip, const FileIn *file, Err *err) {
    ZipEnd end = {0};
    *zip = (ZipIn){.file = file};
    if (!read_end(&end, file, err) || !check_end(&end, file, err))
        return false;
    zip->directory_at = end.at;
    zip->directory_bytes = (size_t)end.bytes;
    zip->directory = malloc(zip->directory_bytes + 1);
    bool read = zip->directory != NULL
                    ? file_read_at(zip->directory, file, end.at, zip->directory_bytes, err)
                    : err_fail(err, "memory", "too little to read %.100s", file->name);
    if (!read)
        zip_release(zip);
    return read;
}

void zip_release(ZipIn *zip) {
    free(zip->directory);
    *zip = (ZipIn){0};
}

static bool entry_fail(const ZipIn *zip, uint64_t at, const char *why, Err *err) {
    return err_fail(err, zip->file->name, "the directory entry at byte %llu %s",
                    (unsigned long long)at, why);
}

/* Numbers that do not fit the plain fields, in the order in which zip64 has them. */
static bool read_long_fields(ZipMember *out, const unsigned char *extra, size_t bytes) {
    uint64_t *const fields[] = {&out->size, &out->packed, &out->local};
    for (size_t at = 0; at + 4 <= bytes;) {
        size_t length = (size_t)number(extra + at + 2, 2), used = 0;
        if (length > bytes - at - 4)
            return false;
        for (int i = 0; number(extra + at, 2) == 1 && i < 3; i++) {
            if (*fields[i] != FULL_32)
                continue;
            if (length - used < 8)
                return false;
            *fields[i] = number(extra + at + 4 + used, 8);
            used += 8;
        }
        at += 4 + length;
    }
    return true;
}

bool zip_next(ZipMember *out, ZipIn *zip, Err *err) {
    const unsigned char *entry = zip->directory + zip->next;
    size_t left = zip->directory_bytes - zip->next;
    uint64_t at = zip->directory_at + zip->next;
    *err = (Err){0};
    if (left == 0)
        return false;
    if (left < DIRECTORY_BYTES || number(entry, 4) != 0x02014b50)
        return entry_fail(zip, at, "is none", err);
    size_t name = (size_t)number(entry + 28, 2), extra = (size_t)number(entry + 30, 2);
    size_t bytes = DIRECTORY_BYTES + name + extra + (size_t)number(entry + 32, 2);
    if (bytes > left)
        return entry_fail(zip, at, "reaches past the directory's end", err);
    *out = (ZipMember){.name = (const char *)entry + DIRECTORY_BYTES,
                       .name_bytes = name,
                       .flags = number(entry + 8, 2),
                       .method = number(entry + 10, 2),
                       .deflated = number(entry + 10, 2) == 8,
                       .sum = (uint32_t)number(entry + 16, 4),
                       .packed = number(entry + 20, 4),
                       .size = number(entry + 24, 4),
                       .local = number(entry + 42, 4)};
    if (!read_long_fields(out, entry + DIRECTORY_BYTES + name, extra))
        return entry_fail(zip, at, "has zip64 fields that are cut off", err);
    zip->next += bytes;
    return true;
}

static bool member_fail(const ZipMember *member, const ZipIn *zip, const char *why, Err *err) {
    int shown = member->name_bytes > 60 ? 60 : (int)member->name_bytes;
    return err_fail(err, zip->file->name, "entry “%.*s” (byte %llu) %s", shown, member->name,
                    (unsigned long long)member->local, why);
}

uint64_t zip_inflate_most(uint64_t packed) {
    uint64_t most = packed > UINT64_MAX / INFLATE_TIMES ? UINT64_MAX : packed * INFLATE_TIMES;
    return most > UINT64_MAX - INFLATE_EXTRA ? UINT64_MAX : most + INFLATE_EXTRA;
}

static bool check_sizes(const ZipMember *member, const ZipIn *zip, Err *err) {
    if (member->method != 0 && !member->deflated)
        return member_fail(member, zip, "is packed in a way other than deflate", err);
    if (!member->deflated && member->packed != member->size)
        return member_fail(member, zip, "is stored and yet of two sizes", err);
    if (member->deflated && member->size > zip_inflate_most(member->packed))
        return member_fail(member, zip,
                           "would inflate to more than four times its bytes and 24 MiB; save it "
                           "without compression",
                           err);
    return true;
}

/* Whether the local header says what the directory says; sizes may stand behind the data, or in
 * zip64's fields. */
static bool agrees(const ZipMember *member, const unsigned char *local) {
    uint64_t flags = number(local + 6, 2), method = number(local + 8, 2);
    uint64_t sum = number(local + 14, 4), packed = number(local + 18, 4);
    uint64_t size = number(local + 22, 4);
    bool later = (flags & SIZES_FOLLOW) != 0;
    return method == member->method && number(local + 26, 2) == member->name_bytes &&
           (later || sum == member->sum) &&
           (later || packed == FULL_32 || packed == member->packed) &&
           (later || size == FULL_32 || size == member->size);
}

bool zip_locate(ZipMember *member, const ZipIn *zip, Err *err) {
    unsigned char local[LOCAL_BYTES];
    char name[FULL_16];
    if (!check_sizes(member, zip, err))
        return false;
    if (member->local > zip->directory_at || zip->directory_at - member->local < LOCAL_BYTES)
        return member_fail(member, zip, "lies past the archive's directory", err);
    if (!file_read_at(local, zip->file, member->local, LOCAL_BYTES, err))
        return false;
    if (number(local, 4) != 0x04034b50)
        return member_fail(member, zip, "has no header there", err);
    if (((number(local + 6, 2) | member->flags) & ENCRYPTED) != 0)
        return member_fail(member, zip, "is encrypted; save it without a password", err);
    if (!agrees(member, local))
        return member_fail(member, zip, "is another there than in the directory", err);
    member->at = member->local + LOCAL_BYTES + number(local + 26, 2) + number(local + 28, 2);
    if (member->at > zip->directory_at || zip->directory_at - member->at < member->packed)
        return member_fail(member, zip, "reaches past the start of the directory", err);
    if (!file_read_at(name, zip->file, member->local + LOCAL_BYTES, member->name_bytes, err))
        return false;
    return memcmp(name, member->name, member->name_bytes) == 0
               ? true
               : member_fail(member, zip, "has another name there than in the directory", err);
}
