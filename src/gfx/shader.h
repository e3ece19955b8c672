/* shader.h: compiles the program of each pipeline, from the sources in shaders/, which are embedded
 * at build time or read from a folder. Needs a current OpenGL 3.3 core context. */
#ifndef HEADLIGHT_GFX_SHADER_H
#define HEADLIGHT_GFX_SHADER_H

#include <epoxy/gl.h>
#include <stdbool.h>

#include "base/err.h"
#include "gfx/paint.h"

/* The texture units of the shaders' samplers. */
typedef enum ShaderUnit {
    SHADER_UNIT_WORDS,
    SHADER_UNIT_TEXTURE,
    SHADER_UNIT_PALETTES,
    SHADER_UNIT_BEFORE
} ShaderUnit;

typedef struct Shader {
    GLuint program;
    GLint first, projection; /* locations of uniforms */
} Shader;

/* Build one pipeline's program. folder is NULL for the embedded sources. Fails with the compiler's
 * first message. Release with shader_release. */
bool shader_create(Shader *out, Pipeline pipeline, const char *folder, Err *err);
void shader_release(Shader *shader);

/* Let the driver free the memory of its compiler, some megabytes, until it compiles again. */
void shader_end_compiling(void);

#endif
