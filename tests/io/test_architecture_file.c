#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "io/architecture.h"
#include "io/file.h"
#include "io/weights_file.h"
#include "support/files.h"
#include "support/test.h"

#define MODEL "assets/trained/induction/"

TEST(lines_describe_an_architecture) {
    static const char text[] = "# mine\nlike = llama\nquery = b.{}.q\nquery = b.{}.k\ngate =\n";
    LOCAL(free_at) Architecture *made = architecture_read(text, sizeof text - 1, &told);
    assert_non_null(made);
    assert_string_equal(architecture_given(made, ARCH_W_Q), "b.{}.k");
    assert_string_equal(architecture_given(made, ARCH_W_O), "layers.{}.self_attn.o_proj.weight");
    assert_null(architecture_given(made, ARCH_GATE));
    assert_true(made->rms);
}

TEST(mistakes_are_named_by_line) {
    static const struct {
        const char *text, *why;
    } CASES[] = {
        {"", "needs “like = llama”"},
        {"query = q{}\n", "line 1: “like = llama”"},
        {"like = nothing\n", "line 1: no known architecture comes after “like”"},
        {"like = llama\nlike = bert\n", "line 2: appears twice: “like”"},
        {"like = llama\n\nquestion = x\n", "line 3: no such key: “question”"},
        {"like = llama\nquery\n", "line 2: is not written as key = value"},
        {"like = llama\nquery = q\n", "line 2: must be a name"},
        {"like = llama\nwords = w{}\n", "line 2: must be a name"},
        {"like = llama\nwords = \xff\n", "line 2: must be a name"},
        {"like = llama\nquery =\n", "needs “like = llama”"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(CASES); i++) {
        assert_null(architecture_read(CASES[i].text, strlen(CASES[i].text), &told));
        assert_error(&told, ARCHITECTURE_FILE, CASES[i].why);
    }
}

static char folder[] = "/tmp/headlight-arch-XXXXXX";

static void put(const char *name, const void *bytes, size_t size) {
    char path[80];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    must(size == 0 ? unlink(path) == 0 : file_write_quick(path, bytes, size, &told));
}

/* The same model under other names is read when a file describes them, and else says how to. */
TEST(described_names_are_read) {
    static const char text[] = "like = llama\n"
                               "query = models.{}.self_attn.q_proj.weight\n"
                               "key = models.{}.self_attn.k_proj.weight\n"
                               "value = models.{}.self_attn.v_proj.weight\n"
                               "output = models.{}.self_attn.o_proj.weight\n"
                               "query-bias = models.{}.self_attn.q_proj.bias\n"
                               "key-bias = models.{}.self_attn.k_proj.bias\n"
                               "norm = models.{}.input_layernorm.weight\n";
    char *bytes, *config;
    size_t size, config_size;
    strcpy(folder, "/tmp/headlight-arch-XXXXXX");
    assert_non_null(mkdtemp(folder));
    assert_true(file_read(&bytes, &size, MODEL "model.safetensors", 1 << 20, &told));
    assert_true(file_read(&config, &config_size, MODEL "config.json", 1 << 20, &told));
    for (char *at = bytes;
         (at = memmem(at, size - (size_t)(at - bytes), "model.layers", 12)) != NULL;)
        memcpy(at, "other.models", 12);
    put("model.safetensors", bytes, size);
    put("config.json", config, config_size);
    assert_null(weights_file_load(folder, NULL, &told));
    assert_non_null(strstr(told.why, ARCHITECTURE_FILE));
    put(ARCHITECTURE_FILE, text, sizeof text - 1);
    Weights *w = weights_file_load(folder, NULL, &told);
    Weights *expected = weights_file_load("assets/trained/induction", NULL, &told);
    must(w != NULL);
    assert_int_equal(w->layers, 2);
    const WeightsTensor *a = &w->tensors[WEIGHTS_W_Q], *b = &expected->tensors[WEIGHTS_W_Q];
    assert_memory_equal(a->at, b->at, a->shape[0] * a->shape[1] * a->shape[2] * sizeof *a->at);
    weights_drop(w);
    weights_drop(expected);
    put(ARCHITECTURE_FILE, "like = bert\nquery = x{}\n", 24);
    assert_null(weights_file_load(folder, NULL, &told));
    static const char *const FILES[] = {"model.safetensors", "config.json", ARCHITECTURE_FILE};
    for (size_t i = 0; i < ARRAY_COUNT(FILES); i++)
        put(FILES[i], NULL, 0);
    assert_int_equal(rmdir(folder), 0);
    free(bytes);
    free(config);
}

TEST(a_bias_is_called_like_its_weight) {
    static const char text[] = "like = bert\n"
                               "middle-norm = layers.{}.mix.weight\n"
                               "end-norm-bias = layers.{}.last.shift\n"
                               "end-norm = layers.{}.last.gain\n";
    char name[ARCH_NAME_BYTES];
    LOCAL(free_at) Architecture *read = architecture_read(text, sizeof text - 1, &told);
    assert_non_null(read);
    assert_true(architecture_name(name, read, ARCH_MIDDLE_SHIFT));
    assert_string_equal(name, "layers.{}.mix.bias");
    assert_true(architecture_name(name, read, ARCH_END_SHIFT));
    assert_string_equal(name, "layers.{}.last.shift");
}
