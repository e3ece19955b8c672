#include "io/zip_write.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define VERSION_ZIP64 45
#define VERSION_PLAIN 20
#define DATE          0x0021 /* 1980-01-01 */
#define FULL_32       0xFFFFFFFFu
#define RECORD_MAX    256

/* A record being put together, little-endian. */
typedef struct Record {
    unsigned char bytes[RECORD_MAX];
    size_t size;
} Record;

static void put(Record *record, uint64_t value, int width) {
    assert(record->size + (size_t)width <= RECORD_MAX);
    for (int i = 0; i < width; i++)
        record->bytes[record->size++] = (unsigned char)(value >> (8 * i));
}

static void put_name(Record *record, const char *name) {
    size_t size = strlen(name);
    assert(record->size + size <= RECORD_MAX);
    memcpy(record->bytes + record->size, name, size);
    record->size += size;
}

static bool append(ZipOut *zip, const Record *record, Err *err) {
    zip->at += record->size;
    return file_append(zip->out, record->bytes, record->size, err);
}

static bool is_long(uint64_t value) {
    return value >= FULL_32;
}

/* What a local header and a directory entry have in common, from the version needed on. */
static void put_common(Record *record, const ZipEntry *entry, bool zip64, size_t extra) {
    uint64_t size = is_long(entry->size) ? FULL_32 : entry->size;
    put(record, zip64 ? VERSION_ZIP64 : VERSION_PLAIN, 2);
    put(record, 0, 2); /* flags */
    put(record, 0, 2); /* stored */
    put(record, 0, 2); /* time */
    put(record, DATE, 2);
    put(record, entry->sum, 4);
    put(record, size, 4);
    put(record, size, 4);
    put(record, strlen(entry->name), 2);
    put(record, extra, 2);
}

bool zip_begin_entry(ZipOut *zip, const char *name, uint64_t size, uint32_t sum, Err *err) {
    assert(zip->count < ZIP_ENTRIES_MAX && strlen(name) < ZIP_NAME_MAX);
    ZipEntry *entry = &zip->entries[zip->count++];
    *entry = (ZipEntry){.sum = sum, .size = size, .at = zip->at};
    snprintf(entry->name, sizeof entry->name, "%s", name);
    bool zip64 = is_long(size);
    Record record = {0};
    put(&record, 0x04034b50, 4);
    put_common(&record, entry, zip64, zip64 ? 20 : 0);
    put_name(&record, name);
    if (zip64) {
        put(&record, 1, 2);
        put(&record, 16, 2);
        put(&record, size, 8);
        put(&record, size, 8);
    }
    bool begun = append(zip, &record, err);
    zip->at += size;
    return begun;
}

static bool put_directory_entry(ZipOut *zip, const ZipEntry *entry, Err *err) {
    bool long_size = is_long(entry->size), long_at = is_long(entry->at);
    size_t fields = (long_size ? 16u : 0u) + (long_at ? 8u : 0u);
    Record record = {0};
    put(&record, 0x02014b50, 4);
    put(&record, fields > 0 ? VERSION_ZIP64 : VERSION_PLAIN, 2); /* made by */
    put_common(&record, entry, fields > 0, fields > 0 ? fields + 4 : 0);
    put(&record, 0, 2); /* comment */
    put(&record, 0, 2); /* disk */
    put(&record, 0, 2); /* attributes */
    put(&record, 0, 4);
    put(&record, long_at ? FULL_32 : entry->at, 4);
    put_name(&record, entry->name);
    if (fields > 0) {
        put(&record, 1, 2);
        put(&record, fields, 2);
    }
    if (long_size) {
        put(&record, entry->size, 8);
        put(&record, entry->size, 8);
    }
    if (long_at)
        put(&record, entry->at, 8);
    return append(zip, &record, err);
}

/* The end of an archive that is too long for the plain record alone. */
static bool put_long_end(ZipOut *zip, uint64_t from, Err *err) {
    Record record = {0};
    uint64_t at = zip->at;
    put(&record, 0x06064b50, 4);
    put(&record, 44, 8);
    put(&record, VERSION_ZIP64, 2);
    put(&record, VERSION_ZIP64, 2);
    put(&record, 0, 4);
    put(&record, 0, 4);
    put(&record, (uint64_t)zip->count, 8);
    put(&record, (uint64_t)zip->count, 8);
    put(&record, at - from, 8);
    put(&record, from, 8);
    put(&record, 0x07064b50, 4);
    put(&record, 0, 4);
    put(&record, at, 8);
    put(&record, 1, 4);
    return append(zip, &record, err);
}

bool zip_end(ZipOut *zip, Err *err) {
    uint64_t from = zip->at;
    for (int i = 0; i < zip->count; i++)
        if (!put_directory_entry(zip, &zip->entries[i], err))
            return false;
    uint64_t size = zip->at - from;
    if (is_long(from) && !put_long_end(zip, from, err))
        return false;
    Record record = {0};
    put(&record, 0x06054b50, 4);
    put(&record, 0, 4); /* disks */
    put(&record, (uint64_t)zip->count, 2);
    put(&record, (uint64_t)zip->count, 2);
    put(&record, size, 4);
    put(&record, is_long(from) ? FULL_32 : from, 4);
    put(&record, 0, 2);
    return append(zip, &record, err);
}
