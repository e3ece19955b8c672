#version 330 core
// Goes before every vertex shader. An instance is a few texels of four words in one buffer. Its
// vertices are told apart by number alone: drawing instances of four vertices each would leave
// most of a graphics card, and of a software renderer's vector lanes, idle. Coordinates are device
// pixels, y downwards.
uniform usamplerBuffer u_words;
uniform int u_first;  // the first texel of the batch
uniform mat4 u_projection;

uvec4 words(int stride, int index) {
    return texelFetch(u_words, u_first + gl_VertexID / 6 * stride + index);
}

vec4 numbers(int stride, int index) {
    return uintBitsToFloat(words(stride, index));
}

// 0xRRGGBBAA, straight alpha.
vec4 colour(uint packed_colour) {
    return vec4((uvec4(packed_colour) >> uvec4(24u, 16u, 8u, 0u)) & 255u) / 255.0;
}

// Which corner of its quad a vertex is: 0 to 3, rows first; the two triangles are 012 and 213.
int corner_index() {
    return (0x312210 >> (4 * (gl_VertexID % 6))) & 3;
}

// 0 or 1 along each axis.
vec2 corner() {
    return vec2(corner_index() & 1, corner_index() >> 1);
}

void place(vec2 at) {
    gl_Position = u_projection * vec4(at, 0.0, 1.0);
}
