#include "gfx/card.h"

#include <cglm/cglm.h>
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/util.h"
#include "gen/shaders.h"
#include "gfx/paint.h"

/* Words of an item in the shaders, with its header. */
#define ITEM_WORDS    (4 + PAINT_WORDS)
#define ITEM_VERTICES 6 /* two triangles cover an item */
/* Maximum items of one flush: OpenGL 3.3 drivers allow a buffer texture of 65536 texels. */
#define ITEMS_MAX      (65536 / (ITEM_WORDS / 4))
#define RUNS_MAX       512
#define MATRICES_MAX   512
#define MATRICES_KEPT  96 /* textures of matrices to keep, unless more are in use */
#define MATRICES_BYTES ((size_t)4 << 20)

/* The texture units of the shaders' samplers. */
typedef enum Unit {
    UNIT_WORDS,
    UNIT_PLAIN,
    UNIT_COLOURED,
    UNIT_PALETTES,
    UNIT_VALUES,
    UNIT_BEFORE,
    UNIT_COUNT
} Unit;

typedef struct Matrix {
    GLuint texture;
    uint64_t hash;
    size_t bytes;
    uint64_t used; /* Card.flushes at the last use */
} Matrix;

/* Consecutive items that one call can draw, because they use at most one matrix. */
typedef struct Run {
    int first, count;
    GLuint values, before; /* 0 for none */
} Run;

struct Card {
    GLuint program, vertex_array, word_buffer;
    GLint first, projection; /* uniforms */
    GLuint textures[UNIT_VALUES];
    unsigned additions; /* atlas.additions when the textures were uploaded */
    GfxFonts *fonts;    /* borrowed */
    Atlas atlas;
    Matrix matrices[MATRICES_MAX];
    int matrix_count;
    size_t matrix_bytes; /* bytes of all matrices */
    uint64_t flushes;    /* counts flushes and pictures */
    uint32_t *words;     /* owned: words of the items since the last flush */
    int item_count, run_count;
    Run runs[RUNS_MAX];
};

static void bind_unit(Unit unit, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(unit == UNIT_WORDS ? GL_TEXTURE_BUFFER : GL_TEXTURE_2D, texture);
}

static void bind_new(Unit unit, GLuint texture, GLint filter) {
    bind_unit(unit, texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

/* Fails with the compiler's first message. */
static bool add_shader(GLuint program, GLenum stage, const char *const *sources, int count,
                       Err *err) {
    GLuint shader = glCreateShader(stage);
    GLint compiled = 0;
    char log[256] = "";
    glShaderSource(shader, count, sources, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    glAttachShader(program, shader);
    glDeleteShader(shader); /* takes effect when no program needs the shader */
    log[strcspn(log, "\r\n")] = '\0';
    return compiled ||
           err_fail(err, "shaders", "the graphics driver does not compile them: %s", log);
}

static bool create_program(Card *card, Err *err) {
    static const char *const vertex[] = {SHADER_ITEM_VERT};
    static const char *const fragment[] = {
        SHADER_PRELUDE_FRAG, SHADER_BOX_FRAG,  SHADER_CURVE_FRAG, SHADER_TRIANGLE_FRAG,
        SHADER_CELLS_FRAG,   SHADER_TEXT_FRAG, SHADER_MAIN_FRAG};
    static const char *const samplers[UNIT_COUNT] = {
        [UNIT_WORDS] = "u_words",       [UNIT_PLAIN] = "u_plain",   [UNIT_COLOURED] = "u_coloured",
        [UNIT_PALETTES] = "u_palettes", [UNIT_VALUES] = "u_values", [UNIT_BEFORE] = "u_before"};
    GLuint program = card->program = glCreateProgram();
    GLint linked = 0;
    if (!add_shader(program, GL_VERTEX_SHADER, vertex, ARRAY_COUNT(vertex), err) ||
        !add_shader(program, GL_FRAGMENT_SHADER, fragment, ARRAY_COUNT(fragment), err))
        return false;
    glLinkProgram(program);
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (!linked)
        return err_fail(err, "shaders", "the graphics driver does not link them");
    glUseProgram(program);
    for (int unit = 0; unit < UNIT_COUNT; unit++)
        glUniform1i(glGetUniformLocation(program, samplers[unit]), unit);
    card->first = glGetUniformLocation(program, "u_first");
    card->projection = glGetUniformLocation(program, "u_projection");
    /* Let the driver free its compiler, which takes some megabytes. */
    if (epoxy_gl_version() >= 41 || epoxy_has_gl_extension("GL_ARB_ES2_compatibility"))
        glReleaseShaderCompiler();
    return true;
}

bool card_create(Card **out, GfxFonts *fonts, Err *err) {
    *out = NULL;
    Card *card = heap_get_zero(1, sizeof *card);
    Colour *palettes = paint_palettes();
    bool created = card != NULL && palettes != NULL && atlas_create(&card->atlas) &&
                   (card->words = heap_get(sizeof *card->words * ITEM_WORDS * ITEMS_MAX)) != NULL;
    if (!created)
        err_fail(err, "drawing", "out of memory");
    if (created && (created = create_program(card, err))) {
        card->fonts = fonts;
        glGenVertexArrays(1, &card->vertex_array);
        glGenBuffers(1, &card->word_buffer);
        glGenTextures(UNIT_VALUES, card->textures);
        glBindBuffer(GL_TEXTURE_BUFFER, card->word_buffer);
        bind_unit(UNIT_WORDS, card->textures[UNIT_WORDS]);
        glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32UI, card->word_buffer);
        bind_new(UNIT_PALETTES, card->textures[UNIT_PALETTES], GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, PAINT_TEXELS, PALETTE_COUNT, 0, GL_RGBA,
                     GL_UNSIGNED_INT_8_8_8_8, palettes);
        *out = card;
    }
    free(palettes);
    if (!created)
        card_release(card);
    return created;
}

void card_release(Card *card) {
    if (card == NULL)
        return;
    for (int i = 0; i < card->matrix_count; i++)
        glDeleteTextures(1, &card->matrices[i].texture);
    glDeleteTextures(UNIT_VALUES, card->textures);
    glDeleteBuffers(1, &card->word_buffer);
    glDeleteVertexArrays(1, &card->vertex_array);
    glDeleteProgram(card->program);
    atlas_release(&card->atlas);
    free(card->words);
    free(card);
}

static void upload_sheets(Card *card) {
    static const struct {
        Unit unit;
        GLint internal;
        GLenum format;
    } textures[ATLAS_SHEETS] = {[ATLAS_PLAIN] = {UNIT_PLAIN, GL_R8, GL_RED},
                                [ATLAS_COLOURED] = {UNIT_COLOURED, GL_RGBA8, GL_RGBA}};
    for (int i = 0; card->additions != card->atlas.additions && i < ATLAS_SHEETS; i++) {
        if (card->atlas.sheets[i].pixels == NULL)
            continue;
        bind_new(textures[i].unit, card->textures[textures[i].unit], GL_LINEAR);
        glTexImage2D(GL_TEXTURE_2D, 0, textures[i].internal, ATLAS_SIZE, ATLAS_SIZE, 0,
                     textures[i].format, GL_UNSIGNED_BYTE, card->atlas.sheets[i].pixels);
    }
    card->additions = card->atlas.additions;
}

/* The Painter's function `flush`. */
static void flush(void *context) {
    Card *card = context;
    upload_sheets(card);
    glBindBuffer(GL_TEXTURE_BUFFER, card->word_buffer);
    glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)sizeof *card->words * ITEM_WORDS * card->item_count,
                 card->words, GL_STREAM_DRAW);
    for (Unit unit = 0; unit < UNIT_VALUES; unit++)
        bind_unit(unit, card->textures[unit]);
    for (int i = 0; i < card->run_count; i++) {
        const Run *run = &card->runs[i];
        bind_unit(UNIT_VALUES, run->values);
        bind_unit(UNIT_BEFORE, run->before);
        glUniform1i(card->first, run->first);
        glDrawArrays(GL_TRIANGLES, 0, run->count * ITEM_VERTICES);
    }
    card->run_count = card->item_count = 0;
    card->flushes++;
}

/* Return a free slot or, if there are many, the one unused for the longest time; NULL if all were
 * used since the last flush. */
static Matrix *find_place(Card *card) {
    Matrix *oldest = NULL;
    for (int i = 0; i < card->matrix_count; i++) {
        Matrix *m = &card->matrices[i];
        if (m->used < card->flushes && (oldest == NULL || m->used < oldest->used))
            oldest = m;
    }
    bool are_enough = card->matrix_count >= MATRICES_KEPT || card->matrix_bytes >= MATRICES_BYTES;
    if (card->matrix_count == MATRICES_MAX || (are_enough && oldest != NULL))
        return oldest;
    Matrix *m = &card->matrices[card->matrix_count++];
    glGenTextures(1, &m->texture);
    return m;
}

/* Find a matrix's texture by its hash, or upload it. Return 0 if too many textures are in use; the
 * caller must then flush and try again. */
static GLuint matrix_texture(Card *card, uint64_t hash, const float *values, int rows, int cols,
                             int stride) {
    Matrix *m = NULL;
    for (int i = 0; i < card->matrix_count && m == NULL; i++)
        m = card->matrices[i].hash == hash ? &card->matrices[i] : NULL;
    if (m == NULL && (m = find_place(card)) != NULL) {
        card->matrix_bytes -= m->bytes;
        m->bytes = (size_t)rows * (size_t)cols * sizeof *values;
        card->matrix_bytes += m->bytes;
        m->hash = hash;
        bind_new(UNIT_VALUES, m->texture, GL_NEAREST);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, stride);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, cols, rows, 0, GL_RED_INTEGER, GL_UNSIGNED_INT,
                     values);
        glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    }
    if (m != NULL)
        m->used = card->flushes;
    return m != NULL ? m->texture : 0;
}

/* Return false if matrix_texture returns 0. */
static bool find_textures(Run *run, Card *card, const DrawCells *c) {
    run->values = matrix_texture(card, c->hash, c->values, c->rows, c->cols, c->stride);
    if (c->before != NULL)
        run->before = matrix_texture(card, c->before_hash, c->before, c->rows, c->cols, c->cols);
    return run->values != 0 && (c->before == NULL || run->before != 0);
}

/* The Painter's function `add`. Flush first if there is no room. */
static void add_item(void *context, const PaintItem *item) {
    Card *card = context;
    Run wanted = {0};
    if (card->item_count == ITEMS_MAX || card->run_count == RUNS_MAX)
        flush(card);
    if (item->kind == DRAW_CELLS && !find_textures(&wanted, card, item->cells)) {
        flush(card);
        find_textures(&wanted, card, item->cells);
    }
    Run *run = card->run_count > 0 ? &card->runs[card->run_count - 1] : NULL;
    bool joins = run != NULL && (wanted.values == 0 || run->values == 0 ||
                                 (run->values == wanted.values && run->before == wanted.before));
    if (!joins) {
        run = &card->runs[card->run_count++];
        *run = (Run){.first = card->item_count};
    }
    if (wanted.values != 0) {
        run->values = wanted.values;
        run->before = wanted.before;
    }
    run->count++;
    uint32_t *words = card->words + (size_t)card->item_count++ * ITEM_WORDS;
    const PixelRect *clip = &item->clip;
    words[0] = item->kind;
    words[1] = (uint32_t)clip->left | (uint32_t)clip->top << 16;
    words[2] = (uint32_t)clip->right | (uint32_t)clip->bottom << 16;
    memcpy(words + 4, item->as.words, (size_t)PAINT_WORD_COUNTS[item->kind] * sizeof *words);
}

void card_draw(Card *card, const DrawList *list, int width_px, int height_px) {
    Painter painter = {.atlas = &card->atlas,
                       .fonts = card->fonts,
                       .list = list,
                       .frame = {0, 0, width_px, height_px},
                       .add = add_item,
                       .flush = flush,
                       .context = card};
    Colour ground = list->ground;
    mat4 projection;
    glm_ortho(0, (float)width_px, (float)height_px, 0, -1, 1, projection);
    glUseProgram(card->program);
    glUniformMatrix4fv(card->projection, 1, GL_FALSE, projection[0]);
    glViewport(0, 0, width_px, height_px);
    glBindVertexArray(card->vertex_array);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glEnable(GL_BLEND);
    glBlendFuncSeparate(GL_ONE, GL_ONE_MINUS_SRC_ALPHA, GL_ZERO, GL_ONE);
    glClearColor((float)(ground >> 24) / 255, (float)(ground >> 16 & 255) / 255,
                 (float)(ground >> 8 & 255) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    card->flushes++;
    paint_list(&painter);
    flush(card);
}
