#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/utf8.h"
#include "base/util.h"
#include "io/checkpoint_layer.h"
#include "io/npy.h"
#include "io/weights_file.h"
#include "support/files.h"
#include "support/test.h"

/* A file may well be that large, with holes; its values are never looked at. */
TEST(a_layer_beyond_memory_is_refused) {
    static const char header[] = "{\"W_QK\":{\"dtype\":\"F32\",\"shape\":[64,4096,4096],"
                                 "\"data_offsets\":[0,4294967296]}}";
    char path[MADE_PATH_BYTES];
    made_path(path, ".safetensors");
    made_write_safetensors(path, header, NULL, 0);
    assert_int_equal(truncate(path, (off_t)(8 + sizeof header - 1 + 4294967296)), 0);
    assert_null(weights_file_load(path, NULL, &told));
    unlink(path);
    assert_error(&told, path, "tensor “W_QK”: shape makes a layer");
}

TEST(a_file_that_is_cut_off_in_use_is_reported) {
    enum { COUNT = 1 << 14 };
    static const char header[] =
        "{\"w\":{\"dtype\":\"F32\",\"shape\":[16384],\"data_offsets\":[0,65536]}}      ";
    static float values[COUNT];
    char path[MADE_PATH_BYTES];
    LOCAL(checkpoint_close) Checkpoint c;
    FileMap kept;
    LayerRoom room = {0};
    Err err;
    Layer l = {.c = &c, .room = &room, .err = &err};
    CheckpointTensor w = {.name = "w"};
    values[COUNT - 1] = 3;
    made_path(path, ".safetensors");
    made_write_safetensors(path, header, values, sizeof values);
    assert_true(checkpoint_open(&c, path, path, &err));
    assert_true(file_map(&kept, &c.in, 0, (size_t)c.in.size));
    c.map = &kept;
    assert_true(checkpoint_find(&c, &w, &err));
    const volatile float *at = layer_values(&l, &w, 0, COUNT);
    assert_true(at[COUNT - 1] == 3);
    assert_ptr_equal(room.at[0].mapped, at); /* not a copy */
    assert_true(layer_clear_room(&l, NULL));
    at = layer_values(&l, &w, 0, COUNT);
    assert_int_equal(truncate(path, 4096), 0);
    assert_true(at[COUNT - 1] == 0);
    assert_false(layer_clear_room(&l, NULL));
    assert_error(&err, path, "was cut off while it was read");
    layer_release_room(&room);
    file_unmap(&kept);
    unlink(path);
}

TEST(only_regular_files_of_known_endings) {
    assert_null(weights_file_load("/tmp/no-such-file.npz", NULL, &told));
    assert_int_equal(told.kind, ERR_FAILED);
    assert_null(weights_file_load("/dev/null", NULL, &told));
    assert_int_equal(told.kind, ERR_USAGE);
    assert_true(weights_file_is("A.NPZ") && weights_file_is("b.safetensors"));
    assert_false(weights_file_is(".npz") || weights_file_is("npz") || weights_file_is("a.zip"));
}

/* An array without data: only its header, deflated, and the zeros that are read with it. */
typedef struct Claim {
    const char *name, *type, *shape;
    size_t entry_bytes; /* of all entries */
} Claim;

#define CLAIMS_MAX 4
typedef struct Archive {
    unsigned char *bytes;
    size_t size, local[CLAIMS_MAX], packed[CLAIMS_MAX], whole[CLAIMS_MAX];
} Archive;

static void put(Archive *out, size_t value, int width) {
    for (int i = 0; i < width; i++, value >>= 8)
        out->bytes[out->size++] = (unsigned char)value;
}

/* The header of a stored block of this number of bytes, which deflate copies. */
static void put_block(Archive *out, size_t bytes) {
    put(out, 0, 1), put(out, bytes, 2), put(out, ~bytes, 2);
}

/* Its size when it is inflated is as its shape has it. */
static void put_data(Archive *out, int i, const Claim *claim) {
    unsigned char header[NPY_HEADER_MAX] = {0};
    size_t bytes = made_array(header,
                              PRINT("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n",
                                    claim->type, claim->shape),
                              NULL, 0);
    put_block(out, sizeof header);
    memcpy(out->bytes + out->size, header, sizeof header);
    out->size += sizeof header;
    out->packed[i] = 5 + sizeof header;
    out->whole[i] = bytes + claim->entry_bytes;
}

/* The fields from "version needed to unpack" on, which the local header and the directory share. */
static void put_fields(Archive *out, int i, const Claim *claim) {
    put(out, 20, 2), put(out, 0, 2), put(out, 8, 2), put(out, 0, 8);
    put(out, out->packed[i], 4), put(out, out->whole[i], 4);
    put(out, strlen(claim->name), 2), put(out, 0, 2);
}

static void put_name(Archive *out, const Claim *claim) {
    memcpy(out->bytes + out->size, claim->name, strlen(claim->name));
    out->size += strlen(claim->name);
}

/* With this number of empty blocks after all arrays. If there are any, each array extends to their
 * end, over the headers of the arrays after it. */
static void put_archive(Archive *out, const Claim *claims, int count, size_t blocks) {
    enum { BEFORE = 30 };
    for (int i = 0; i < count; i++) {
        if (blocks > 0 && i > 0)
            put_block(out, BEFORE + strlen(claims[i].name));
        out->local[i] = out->size;
        out->size += BEFORE;
        put_name(out, &claims[i]);
        put_data(out, i, &claims[i]);
    }
    for (size_t k = 0; k < blocks; k++)
        put_block(out, 0);
    size_t directory = out->size;
    for (int i = 0; i < count; i++) {
        if (blocks > 0)
            out->packed[i] = directory - out->local[i] - BEFORE - strlen(claims[i].name);
        out->size = out->local[i];
        put(out, 0x04034b50, 4), put_fields(out, i, &claims[i]);
    }
    out->size = directory;
    for (int i = 0; i < count; i++) {
        put(out, 0x02014b50, 4), put(out, 20, 2), put_fields(out, i, &claims[i]);
        put(out, 0, 10), put(out, out->local[i], 4), put_name(out, &claims[i]);
    }
    size_t bytes = out->size - directory;
    put(out, 0x06054b50, 4), put(out, 0, 4), put(out, (size_t)count, 2), put(out, (size_t)count, 2);
    put(out, bytes, 4), put(out, directory, 4), put(out, 0, 2);
}

/* 16 MiB each. */
#define WEIGHT(name)                                                                               \
    { name ".npy", "<f4", "4, 1024, 1024", 1 << 24 }
#define INPUT                                                                                      \
    { "X.npy", "<f4", "4096, 1024", 1 << 24 }
#define NAMES                                                                                      \
    { "tokens.npy", "<U1024", "4096,", 1 << 24 }

TEST(arrays_share_what_they_may_inflate_to) {
    static const char too_much[] = "would decompress to ", alone[] = "tensor “";
    static const struct {
        Claim claims[CLAIMS_MAX];
        int count;
        size_t blocks;
        const char *why;
    } cases[] = {{{WEIGHT("W_Q")}, 1, 0, alone},
                 {{WEIGHT("W_Q"), WEIGHT("W_K")}, 2, 0, too_much},
                 {{WEIGHT("W_Q"), WEIGHT("W_K")}, 2, 600000, alone},
                 {{WEIGHT("W_Q"), WEIGHT("W_K"), WEIGHT("W_V")}, 3, 600000, too_much},
                 {{WEIGHT("W_V"), WEIGHT("no such")}, 2, 0, alone},
                 {{WEIGHT("W_V"), NAMES}, 2, 0, alone},
                 {{INPUT, NAMES}, 2, 0, too_much}};
    char path[MADE_PATH_BYTES];
    made_path(path, ".npz");
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        Archive archive = {.bytes = malloc((4 << 20))};
        assert_non_null(archive.bytes);
        put_archive(&archive, cases[i].claims, cases[i].count, cases[i].blocks);
        made_write(path, archive.bytes, archive.size);
        assert_null(weights_file_load(path, NULL, &told));
        assert_error(&told, path, cases[i].why);
        free(archive.bytes);
    }
    unlink(path);
}
