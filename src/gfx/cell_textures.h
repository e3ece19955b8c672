/* cell_textures.h: the values of matrices as textures, found again by their hash.
 * Needs a current OpenGL 3.3 core context. */
#ifndef HEADLIGHT_GFX_CELL_TEXTURES_H
#define HEADLIGHT_GFX_CELL_TEXTURES_H

#include <epoxy/gl.h>
#include <stdbool.h>
#include <stdint.h>

#include "draw/draw.h"

#define CELL_TEXTURES_MAX   512
#define CELL_TEXTURES_KEPT  96 /* as long as no more are in use, nor more bytes than these */
#define CELL_TEXTURES_BYTES ((size_t)4 << 20)

typedef struct CellTexture {
    GLuint texture;
    uint64_t hash;
    size_t bytes;
    uint64_t used; /* in this frame */
} CellTexture;

/* All zero is empty. */
typedef struct CellTextures {
    CellTexture entries[CELL_TEXTURES_MAX];
    int count;
    size_t bytes; /* of all */
    uint64_t frame;
} CellTextures;

void cell_textures_release(CellTextures *textures);

/* What was used before this call may be replaced from now on. */
void cell_textures_begin(CellTextures *textures);

/* The texture of cells' values, uploaded if it is new. 0 if all are in use: draw, begin and ask
 * again. */
GLuint cell_textures_find(CellTextures *textures, const DrawCells *cells);

#endif
