#include "gfx/shader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/util.h"
#include "gen/shaders.h"

#define SHADER_BYTES_MAX 65536

typedef struct Source {
    const char *name; /* name of its file */
    const char *text;
} Source;

enum { STAGE_VERTEX, STAGE_FRAGMENT, STAGE_COUNT };

static const Source PRELUDES[STAGE_COUNT] = {
    {"prelude.vert", SHADER_PRELUDE_VERT},
    {"prelude.frag", SHADER_PRELUDE_FRAG},
};

/* The preprocessor symbol of a pipeline that shares its sources with another. */
static const char *const DEFINES[PIPELINE_COUNT] = {
    [PIPELINE_CELLS_FADE] = "#define FADE\n",
};

static const Source SOURCES[PIPELINE_COUNT][STAGE_COUNT] = {
    [PIPELINE_SOLID] = {{"solid.vert", SHADER_SOLID_VERT}, {"solid.frag", SHADER_SOLID_FRAG}},
    [PIPELINE_BOX] = {{"box.vert", SHADER_BOX_VERT}, {"box.frag", SHADER_BOX_FRAG}},
    [PIPELINE_CURVE] = {{"curve.vert", SHADER_CURVE_VERT}, {"curve.frag", SHADER_CURVE_FRAG}},
    [PIPELINE_TRIANGLE] = {{"triangle.vert", SHADER_TRIANGLE_VERT},
                           {"triangle.frag", SHADER_TRIANGLE_FRAG}},
    [PIPELINE_CELLS] = {{"cells.vert", SHADER_CELLS_VERT}, {"cells.frag", SHADER_CELLS_FRAG}},
    [PIPELINE_CELLS_FADE] = {{"cells.vert", SHADER_CELLS_VERT}, {"cells.frag", SHADER_CELLS_FRAG}},
    [PIPELINE_TEXT] = {{"text.vert", SHADER_TEXT_VERT}, {"text.frag", SHADER_TEXT_FRAG}},
};

/* Return a source's text, owned: a copy of the embedded one, or the file with its name in folder.
 * */
static char *load_source(const Source *source, const char *folder, Err *err) {
    if (folder == NULL) {
        char *copy = heap_copy(source->text, strlen(source->text));
        if (copy == NULL)
            err_fail(err, source->name, "out of memory");
        return copy;
    }
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, source->name);
    FILE *file = fopen(path, "rb");
    char *text = heap_get_zero(1, SHADER_BYTES_MAX + 1);
    bool read = file != NULL && text != NULL;
    if (read)
        read = fread(text, 1, SHADER_BYTES_MAX, file) > 0 && feof(file) != 0;
    if (file != NULL)
        fclose(file);
    if (!read) {
        free(text);
        err_fail(err, path, "cannot be read as a shader of at most %d bytes", SHADER_BYTES_MAX);
        return NULL;
    }
    return text;
}

/* Cut a log after its first line, for an error message. */
static void cut_line(char *log) {
    log[strcspn(log, "\r\n")] = '\0';
}

static GLuint compile_stage(int stage, Pipeline pipeline, const char *folder, Err *err) {
    const Source *source = &SOURCES[pipeline][stage];
    const char *define = DEFINES[pipeline] != NULL ? DEFINES[pipeline] : "";
    char *prelude = load_source(&PRELUDES[stage], folder, err);
    char *body = prelude != NULL ? load_source(source, folder, err) : NULL;
    if (body == NULL) {
        free(prelude);
        return 0;
    }
    const char *parts[] = {prelude, define, "#line 1\n", body};
    GLuint shader = glCreateShader(stage == STAGE_VERTEX ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
    glShaderSource(shader, ARRAY_COUNT(parts), parts, NULL);
    glCompileShader(shader);
    free(prelude);
    free(body);
    GLint compiled = 0;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    if (compiled)
        return shader;
    char log[256] = "";
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    cut_line(log);
    err_fail(err, source->name, "the graphics driver does not compile it: %s", log);
    glDeleteShader(shader);
    return 0;
}

static bool link_program(GLuint program, const char *name, Err *err) {
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked)
        return true;
    char log[256] = "";
    glGetProgramInfoLog(program, sizeof log, NULL, log);
    cut_line(log);
    return err_fail(err, name, "the graphics driver does not link it: %s", log);
}

static void find_uniforms(Shader *shader) {
    GLuint program = shader->program;
    shader->first = glGetUniformLocation(program, "u_first");
    shader->projection = glGetUniformLocation(program, "u_projection");
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "u_words"), SHADER_UNIT_WORDS);
    glUniform1i(glGetUniformLocation(program, "u_texture"), SHADER_UNIT_TEXTURE);
    glUniform1i(glGetUniformLocation(program, "u_palettes"), SHADER_UNIT_PALETTES);
    glUniform1i(glGetUniformLocation(program, "u_before"), SHADER_UNIT_BEFORE);
}

bool shader_create(Shader *out, Pipeline pipeline, const char *folder, Err *err) {
    *out = (Shader){0};
    GLuint stages[STAGE_COUNT] = {0};
    for (int stage = 0; stage < STAGE_COUNT; stage++) {
        stages[stage] = compile_stage(stage, pipeline, folder, err);
        if (stages[stage] == 0) {
            glDeleteShader(stages[STAGE_VERTEX]);
            return false;
        }
    }
    out->program = glCreateProgram();
    for (int stage = 0; stage < STAGE_COUNT; stage++)
        glAttachShader(out->program, stages[stage]);
    bool linked = link_program(out->program, SOURCES[pipeline][STAGE_VERTEX].name, err);
    for (int stage = 0; stage < STAGE_COUNT; stage++) {
        glDetachShader(out->program,
                       stages[stage]); /* otherwise it would be kept until the program ends */
        glDeleteShader(stages[stage]);
    }
    if (linked)
        find_uniforms(out);
    else
        shader_release(out);
    return linked;
}

void shader_release(Shader *shader) {
    glDeleteProgram(shader->program);
    *shader = (Shader){0};
}

void shader_end_compiling(void) {
    if (epoxy_gl_version() >= 41 || epoxy_has_gl_extension("GL_ARB_ES2_compatibility"))
        glReleaseShaderCompiler();
}
