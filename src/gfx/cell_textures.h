/* cell_textures.h: keeps the values of matrices as textures and finds them by their hash. Needs a
 * current OpenGL 3.3 core context. */
#ifndef HEADLIGHT_GFX_CELL_TEXTURES_H
#define HEADLIGHT_GFX_CELL_TEXTURES_H

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stdint.h>

#include "draw/draw.h"

#define CELL_TEXTURES_MAX   512
#define CELL_TEXTURES_KEPT  96 /* most textures kept, if no more are in use */
#define CELL_TEXTURES_BYTES ((size_t)4 << 20)

typedef struct CellTexture {
    GLuint texture;
    uint64_t hash;
    size_t bytes;
    uint64_t used; /* number of the frame that used it last */
} CellTexture;

/* The textures. All zero is empty. */
typedef struct CellTextures {
    CellTexture entries[CELL_TEXTURES_MAX];
    int count;
    size_t bytes; /* bytes of all textures */
    uint64_t frame;
} CellTextures;

void cell_textures_release(CellTextures *textures);

/* Begin a frame: textures used before may be replaced from now on. */
void cell_textures_begin(CellTextures *textures);

/* Return the texture of cells' values, uploaded if it is new. Return 0 if all are in use: then
 * draw, begin a frame and ask again. */
GLuint cell_textures_find(CellTextures *textures, const DrawCells *cells);

#endif
