#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

#include "base/util.h"
#include "io/tensors.h"
#include "io/weights_file.h"
#include "results/results.h"
#include "support/files.h"
#include "support/test.h"

static char safetensors[MADE_PATH_BYTES], npz[MADE_PATH_BYTES];

static int setup(void **state) {
    made_path(safetensors, ".safetensors");
    made_path(npz, ".npz");
    return 0;
}

static int teardown(void **state) {
    return unlink(safetensors) + unlink(npz);
}

static Weights *load(const char *path) {
    Weights *weights = weights_file_load(path, NULL, &told);
    must(weights != NULL);
    return weights;
}

/* Assert that the file is refused, with these words in the error. */
static void refused(const char *path, const char *words, const char *also) {
    Err err = {0};
    Weights *weights = weights_file_load(path, NULL, &err);
    if (weights != NULL)
        fail_msg("was taken, though “%s”", words);
    assert_int_equal(err.kind, ERR_FAILED);
    assert_error(&err, path, words);
    assert_error(&err, path, also);
}

/* Every float type holds these values exactly. */
TEST(float_types_become_float32) {
    static const float expected[] = {1, -2.5F, 0};
    static const unsigned char data[] = {
        0,    0x3C, 0,    0xC1, 0,    0,                         /* float16 */
        0x80, 0x3F, 0x20, 0xC0, 0,    0,                         /* bfloat16 */
        0,    0,    0x80, 0x3F, 0,    0, 0x20, 0xC0, 0, 0, 0, 0, /* float32 */
        0,    0,    0,    0,    0,    0, 0xF0, 0x3F, 0, 0, 0, 0,
        0,    0,    4,    0xC0, 0,    0, 0,    0,    0, 0, 0, 0, /* float64 */
        0x38, 0xC2, 0,    0x3C, 0xC1, 0};                        /* both of float8 */
    made_write_safetensors(
        safetensors,
        "{\"X\":{\"dtype\":\"F16\",\"shape\":[1,3],\"data_offsets\":[0,6]},"
        "\"b_O\":{\"dtype\":\"BF16\",\"shape\":[3],\"data_offsets\":[6,12]},"
        "\"other\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[12,24]},"
        "\"W_O\":{\"dtype\":\"F64\",\"shape\":[1,3],\"data_offsets\":[24,48]},"
        "\"W_V\":{\"dtype\":\"F8_E4M3\",\"shape\":[1,3,1],\"data_offsets\":[48,51]},"
        "\"W_Q\":{\"dtype\":\"F8_E5M2\",\"shape\":[1,3,1],\"data_offsets\":[51,54]}}",
        data, sizeof data);
    Weights *weights = load(safetensors);
    assert_memory_equal(weights->tensors[WEIGHTS_X].at, expected, sizeof expected);
    assert_memory_equal(weights->tensors[WEIGHTS_B_O].at, expected, sizeof expected);
    assert_memory_equal(weights->tensors[WEIGHTS_W_O].at, expected, sizeof expected);
    assert_memory_equal(weights->tensors[WEIGHTS_W_V].at, expected, sizeof expected);
    assert_memory_equal(weights->tensors[WEIGHTS_W_Q].at, expected, sizeof expected);
    assert_int_equal(weights->tokens[0].bytes, 1);
    assert_string_equal(weights->names->bytes, "1");
    weights_drop(weights);
}

TEST(the_metadata_names_the_rows) {
    const float x[4] = {1, 2, 3, 4};
    made_write_safetensors(safetensors,
                           "{\"__metadata__\":{\"tokens\":\"[\\\"naïve\\\",\\\"\\\"]\"},"
                           "\"X\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}",
                           x, sizeof x);
    Weights *weights = load(safetensors);
    assert_string_equal(weights->names->bytes, "naïve2");
    assert_int_equal(weights->tokens[1].at, 6);
    weights_drop(weights);
}

#define X_HEAD(more) "{" more "\"X\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}"

TEST(unsound_safetensors_are_refused) {
    static const float data[4] = {1, 2, 3, 4};
    static const struct {
        const char *header, *words, *also;
        size_t bytes;
    } cases[] = {
        {"{}", "holds none of X", "its 0 names", 0},
        {"[]", "must be a JSON object", "", 0},
        {"{\"X\":{\"dtype\":\"I32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}", "dtype is I32",
         "is needed", 8},
        {"{\"X\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}", "rank 1;", "“X”", 8},
        {"{\"X\":{\"dtype\":\"F32\",\"shape\":[],\"data_offsets\":[0,4]}}", "rank 0;", "“X”", 4},
        {"{\"X\":{\"dtype\":\"F32\",\"shape\":[0,2],\"data_offsets\":[0,0]}}", "shape[0] is 0",
         "“X”", 0},
        {"{\"X\":{\"dtype\":\"F32\",\"shape\":[5000,0],\"data_offsets\":[0,0]}}",
         "shape[0] is 5000", "1 to 4096", 0},
        {X_HEAD("\"__metadata__\":{\"tokens\":\"[1]\"},") "}", "JSON array of texts", "tokens", 8},
        {X_HEAD("\"__metadata__\":{\"tokens\":\"[\\\"a\\\\u0000\\\"]\"},") "}",
         "JSON array of texts", "tokens", 8},
        {X_HEAD("\"__metadata__\":{\"tokens\":\"[\\\"a\\\",\\\"b\\\"]\"},") "}", "has 2 names",
         "“X” has 1 row", 8},
        {X_HEAD("") ",\"X\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", "duplicate",
         "X", 8},
        {X_HEAD("") ",\"b_O\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[8,12]}}",
         "d_model of “X” is 2", "“b_O”: shape[0] is 1", 12},
        {X_HEAD("") "}", "belongs to no tensor", "", 12},
        {"{\"X\":{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}",
         "duplicate object key", "dtype", 8},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        made_write_safetensors(safetensors, cases[i].header, data, cases[i].bytes);
        refused(safetensors, cases[i].words, cases[i].also);
    }
    made_write(safetensors, "short", 5);
    refused(safetensors, "too short", "");
    made_write(safetensors, "\xff\xff\xff\xff\xff\xff\xff\xff{}", 10);
    refused(safetensors, "more than 16 MiB", "");
    made_write(safetensors, "\x09\0\0\0\0\0\0\0{}", 10);
    refused(safetensors, "past the end", "");
}

/* NaN, infinity, and a double that is too large: the error names the entry and its byte. */
TEST(values_must_be_finite) {
    static const char header[] =
        "{\"W_V\":{\"dtype\":\"F32\",\"shape\":[1,2,2],\"data_offsets\":[0,16]}}";
    float data[4] = {1, 2, 3, 4};
    const uint32_t odd[] = {0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001};
    for (size_t i = 0; i < ARRAY_COUNT(odd); i++) {
        memcpy(&data[2], &odd[i], sizeof odd[i]);
        made_write_safetensors(safetensors, header, data, sizeof data);
        refused(safetensors, "“W_V”: entry [0, 1, 0] is not finite", "");
    }
    const double large[2] = {3.4028235677973366e38, 1};
    static const char doubles[] =
        "{\"b_O\":{\"dtype\":\"F64\",\"shape\":[2],\"data_offsets\":[0,16]}}";
    made_write_safetensors(safetensors, doubles, large, sizeof large);
    refused(safetensors, "“b_O”: entry [0]", "too large for float32");
    const double most[2] = {3.4028234663852886e38, 1e-300};
    made_write_safetensors(safetensors, doubles, most, sizeof most);
    weights_drop(load(safetensors));
}

/* One array of an archive: a dictionary, and data. */
typedef struct Array {
    const char *name, *dictionary;
    const void *data;
    size_t bytes;
} Array;

static void write_npz(const Array *arrays, size_t count) {
    static unsigned char bytes[8][2048];
    zip_t *zip = zip_open(npz, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_true(zip != NULL && count <= ARRAY_COUNT(bytes));
    for (size_t i = 0; i < count; i++) {
        size_t size = made_array(bytes[i], arrays[i].dictionary, arrays[i].data, arrays[i].bytes);
        zip_source_t *source = zip_source_buffer(zip, bytes[i], size, 0);
        assert_true(zip_file_add(zip, arrays[i].name, source, 0) == (zip_int64_t)i);
        assert_int_equal(zip_set_file_compression(zip, i, ZIP_CM_STORE, 0), 0);
    }
    assert_int_equal(zip_close(zip), 0);
}

#define DICT(descr, fortran, shape)                                                                \
    "{'descr': '" descr "', 'fortran_order': " fortran ", 'shape': " shape ", }\n"

TEST(arrays_of_any_order_are_read) {
    const float c_order[] = {1, 2, 3, 4, 5, 6}, fortran[] = {1, 4, 2, 5, 3, 6};
    const unsigned char big[] = {0x3F, 0x80, 0, 0, 0x40, 0, 0, 0, 0x40, 0x40, 0, 0};
    const unsigned char text[] = {'a', 0, 0, 0, 'b', 0, 0, 0, 0xE9, 0, 0, 0, 0, 0, 0, 0};
    const Array arrays[] = {
        {"X.npy", DICT("<f4", "True", "(2, 3)"), fortran, sizeof fortran},
        {"b_O.npy", "{\"shape\": (3L,), \"descr\": \">f4\", \"fortran_order\": False}", big,
         sizeof big},
        {"tokens.npy", DICT("<U2", "False", "(2,)"), text, sizeof text},
        {"labels.npy", DICT("|O", "False", "(2,)"), "pickle", 6},
        {"../W_Q.npy", DICT("<f4", "False", "(2,)"), text, 8},
    };
    write_npz(arrays, ARRAY_COUNT(arrays));
    Weights *weights = load(npz);
    assert_memory_equal(weights->tensors[WEIGHTS_X].at, c_order, sizeof c_order);
    assert_memory_equal(weights->tensors[WEIGHTS_B_O].at, c_order, sizeof big);
    assert_string_equal(weights->names->bytes, "abé");
    assert_int_equal(weights->tokens[0].bytes, 2);
    assert_false(weights_has(weights, WEIGHTS_W_Q));
    weights_drop(weights);
}

TEST(unsound_arrays_are_refused) {
    static const float data[4] = {1, 2, 3, 4};
    static const struct {
        const char *dictionary, *words;
        size_t bytes;
    } cases[] = {
        {DICT("|O", "False", "(2, 2)"), "pickled", 16},
        {DICT("O", "False", "(2, 2)"), "pickled", 16},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 2), }", "structured", 16},
        {DICT("<i4", "False", "(2, 2)"), "float16, float32 or float64", 16},
        {DICT("<f16", "False", "(1, 1)"), "float16, float32 or float64", 16},
        {DICT("<q4", "False", "(2, 2)"), "not a known type", 16},
        {DICT("<f4", "0", "(2, 2)"), "True or False", 16},
        {DICT("<f4", "False", "[2, 2]"), "must be a tuple", 16},
        {DICT("<f4", "False", "(4)"), "no comma", 16},
        {DICT("<f4", "False", "(2, -2)"), "whole numbers", 16},
        {DICT("<f4", "False", "(2, 1+1)"), "whole numbers", 16},
        {DICT("<f4", "False", "(2, 2,,)"), "whole numbers", 16},
        {DICT("<f4", "False", "(2 2)"), "whole numbers", 16},
        {DICT("<f4", "False", "(99999999999999999999, 2)"), "more entries than memory", 16},
        {DICT("<f4", "False", "(4611686018427387904, 4)"), "more entries than memory", 16},
        {DICT("<f4", "False", "(1,1,1,1,1,1,1,1,4)"), "at most 8 numbers", 16},
        {DICT("<f4", "False", "(2, 3)"), "need 24 bytes of data, but it has 16", 16},
        {DICT("<f4", "False", "(2, 1)"), "need 8 bytes of data, but it has 16", 16},
        {DICT("<f4", "False", "(4,)"), "rank 1;", 16},
        {DICT("<f4", "False", "()"), "rank 0;", 4},
        {"{'descr': '<f4', 'shape': (2, 2), }", "each once", 16},
        {"{'fortran_order': False, 'shape': (2, 2), }", "each once", 16},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}", "each once",
         16},
        {"{'descr': '<f4', 'descr': '<f4', 'fortran_order': False}", "must be a tuple", 16},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), 'more': 1}", "each once", 16},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), } x", "each once", 16},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)", "each once", 16},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2}", "whole numbers", 16},
        {"__import__('os')", "each once", 16},
        {"", "each once", 16},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        const Array array = {"X.npy", cases[i].dictionary, data, cases[i].bytes};
        write_npz(&array, 1);
        refused(npz, cases[i].words, "“X”");
    }
    const Array twice[] = {{"X.npy", DICT("<f4", "False", "(2, 2)"), data, 16},
                           {"x.npy", DICT("<f4", "False", "(2, 2)"), data, 16}};
    char *bytes;
    size_t size;
    write_npz(twice, 2);
    must(file_read(&bytes, &size, npz, 1 << 20, &told));
    for (size_t i = 0; i + 5 < size; i++)
        if (memcmp(bytes + i, "x.npy", 5) == 0)
            bytes[i] = 'X';
    made_write(npz, bytes, size);
    free(bytes);
    refused(npz, "two entries of the same name", "");
    const Array named[] = {{"X.npy", DICT("<f4", "False", "(2, 2)"), data, 16},
                           {"tokens.npy", DICT("<f4", "False", "(2,)"), data, 8}};
    write_npz(named, 2);
    refused(npz, "texts in one dimension", "“tokens”");
}

/* Changes of a number in the archive of one array X. */
TEST(unsound_archives_are_refused) {
    enum { END = 22, ENTRY = 22 + 46 + 5 };
    static const struct {
        int from_end, at; /* counts from the end of the file if from_end > 0 */
        unsigned char byte;
        const char *words;
    } cases[] = {
        {END, 0, 'Q', ""},    {END, 4, 1, ""},     {END, 8, 2, ""},     {END, 12, 99, ""},
        {END, 14, 99, ""},    {END, 16, 1, ""},    {END, 20, 9, ""},    {ENTRY, 0, 'Q', ""},
        {ENTRY, 8, 1, ""},    {ENTRY, 10, 8, ""},  {ENTRY, 10, 99, ""}, {ENTRY, 16, 99, ""},
        {ENTRY, 20, 99, ""},  {ENTRY, 28, 99, ""}, {ENTRY, 42, 9, ""},  {ENTRY, 45, 99, ""},
        {ENTRY, 46, 'Y', ""}, {0, 0, 'Q', ""},     {0, 8, 12, ""},      {0, 14, 99, ""},
        {0, 26, 4, ""},       {0, 28, 255, ""},    {0, 30, 'Y', ""},    {0, 35, 'x', ""},
        {0, 41, 9, ""},       {0, 150, 1, ""},
    };
    static const float data[16] = {1, 2, 3, 4};
    const Array array = {"X.npy", DICT("<f4", "False", "(4, 4)"), data, sizeof data};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        LOCAL(free_at) char *bytes;
        size_t size;
        write_npz(&array, 1);
        must(file_read(&bytes, &size, npz, 1 << 20, &told));
        size_t at =
            (cases[i].from_end > 0 ? size - (size_t)cases[i].from_end : 0) + (size_t)cases[i].at;
        bytes[at] = (char)cases[i].byte;
        made_write(npz, bytes, size);
        refused(npz, cases[i].words, "");
        for (size_t cut = 0; i == 0 && cut < size; cut++) {
            made_write(npz, bytes, cut);
            refused(npz, "", "");
        }
    }
}

/* Each would be tried with the whole directory. */
TEST(many_end_records_are_refused) {
    static const float data[4] = {1, 2, 3, 4};
    const Array array = {"X.npy", DICT("<f4", "False", "(2, 2)"), data, sizeof data};
    LOCAL(free_at) char *bytes;
    size_t size;
    write_npz(&array, 1);
    must(file_read(&bytes, &size, npz, 1 << 20, &told));
    LOCAL(free_at) char *many = malloc(size + 8 * 22);
    assert_non_null(many);
    memcpy(many, bytes, size);
    for (int i = 0; i < 8; i++)
        memcpy(many + size + i * 22, bytes + size - 22, 22);
    made_write(npz, many, size + 8 * 22);
    refused(npz, "9 end records", "");
}

static bool save(const char *path, const Session *session, Err *err) {
    Results run;
    TensorView tensors[TENSORS_MAX];
    FileOut out;
    const TokenLabel names[] = {{"a", 1}, {"", 0}, {"b", 1}};
    const TensorNote notes[] = {{.key = "tokens", .list = names, .count = 3}};
    assert_true(results_init(&run, err) && results_update(&run, session, NULL, (ResultsLimits){8}));
    int count = tensors_of_run(tensors, &run, 0);
    bool saved =
        file_begin(&out, path, err) &&
        (path == npz ? npz_write : safetensors_write)(&out, tensors, count, notes, 1, err) &&
        file_commit(&out, err);
    results_release(&run);
    return saved;
}

static void set(Session *session, const char *key, const char *value) {
    must(session_set(session, option_find(&STATE_OPTIONS, key, strlen(key)), value, strlen(value),
                     &told));
}

static Session session_of(const char *form, const char *bias) {
    Session session;
    must(session_init(&session, &told));
    must(session_edit_text(&session, 0, session.text->size, "one two three", 13, &told));
    static const char *const values[][2] = {
        {"embedding", "random"}, {"d-k", "4"}, {"d-v", "5"}, {"d-model", "6"}, {"heads", "2"}};
    for (size_t i = 0; i < ARRAY_COUNT(values); i++)
        set(&session, values[i][0], values[i][1]);
    set(&session, "form", form);
    set(&session, "bias", bias);
    return session;
}

/* Every tensor of a pass, saved and read as weights, gives the same pass to the bit. */
TEST(a_saved_pass_comes_back) {
    static const char *const forms[] = {"separate", "merged", "rank:2", "free", "nested"};
    static const char *const biases[] = {"none", "output", "all"};
    for (size_t i = 0; i < ARRAY_COUNT(forms) * ARRAY_COUNT(biases) * 2; i++) {
        const char *form = forms[i / 6], *path = i % 2 == 0 ? safetensors : npz;
        LOCAL(session_release) Session saved = session_of(form, biases[i / 2 % 3]);
        LOCAL(session_release) Session loaded;
        Err err = {0};
        Results before, after;
        assert_true(save(path, &saved, &err) && session_init(&loaded, &err));
        set(&loaded, "seed", "99");
        if (!session_set_weights(&loaded, load(path), 0, &err))
            fail_msg("%s, %s: %s: %s", form, biases[i / 2 % 3], err.what, err.why);
        if (strcmp(form, "nested") != 0)
            set(&loaded, "form", form);
        set(&loaded, "d-k", "4"); /* which W_QK alone does not determine */
        assert_true(results_init(&before, &err) &&
                    results_update(&before, &saved, NULL, (ResultsLimits){8}));
        assert_true(results_init(&after, &err) &&
                    results_update(&after, &loaded, NULL, (ResultsLimits){8}));
        assert_int_equal(after.T, 3);
        assert_memory_equal(results_token(&after, 1), "2", 1);
        const AttnTrace was = *results_trace(&before, 0), is = *results_trace(&after, 0);
        float off = mat_max_difference(&was.Y, &is.Y);
        if (!(strcmp(form, "nested") == 0 ? off < 1e-5F : off == 0))
            fail_msg("%s, %s: Y differs by %g", form, biases[i / 2 % 3], (double)off);
        results_release(&before);
        results_release(&after);
    }
}

/* deflate's best: a megabyte of zeros in a thousand bytes, and an archive that promises more. */
TEST(deflated_arrays_have_a_limit) {
    static unsigned char bytes[128 + 512 * 512 * 4];
    size_t whole =
               made_array(bytes, DICT("<f4", "False", "(1, 512, 512)"), NULL, 0) + 512 * 512 * 4,
           size;
    LOCAL(free_at) char *file;
    zip_t *zip = zip_open(npz, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    assert_non_null(zip);
    assert_int_equal(zip_file_add(zip, "W_QK.npy", zip_source_buffer(zip, bytes, whole, 0), 0), 0);
    assert_int_equal(zip_close(zip), 0);
    weights_drop(load(npz));
    must(file_read(&file, &size, npz, 1 << 20, &told));
    size_t entry = size - 22 - 46 - 8;
    const struct {
        uint32_t claimed;
        const char *words;
    } lies[] = {{0xF0000000u, "bytes of data"},
                {(uint32_t)whole + 4, "bytes of data"},
                {(uint32_t)whole - 4, "bytes of data"},
                {(uint32_t)whole, "read as a zip archive"}};
    for (size_t lie = 0; lie < ARRAY_COUNT(lies); lie++) {
        memcpy(file + 22, &lies[lie].claimed, 4);
        memcpy(file + entry + 24, &lies[lie].claimed, 4);
        if (lie == 3)
            memset(file + 30 + 8, 0xff, 8);
        made_write(npz, file, size);
        refused(npz, lies[lie].words, "“W_QK");
    }
}

TEST_EACH(setup, teardown)
