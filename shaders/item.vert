#version 330 core
// An item is six texels of four words in one buffer: its kind and the pixels that it may change, in
// 16 bits each, then its words as in src/gfx/paint.h. Its vertices are told apart by number alone:
// drawing instances of four vertices each would leave most of a graphics card idle. Coordinates are
// device pixels, y downwards.
const int CURVE = 1, TRIANGLE = 2;
uniform usamplerBuffer u_words;
uniform int u_first;  // the first item of the run
uniform mat4 u_projection;
flat out int v_item;
out vec2 v_at;

vec4 numbers(int index) {
    return uintBitsToFloat(texelFetch(u_words, v_item * 6 + 1 + index));
}

void main() {
    v_item = u_first + gl_VertexID / 6;
    // Which corner of its quad a vertex is, rows first; the two triangles are 012 and 213.
    int corner = (0x312210 >> (4 * (gl_VertexID % 6))) & 3;
    uvec4 head = texelFetch(u_words, v_item * 6);
    bvec2 last = bvec2((corner & 1) == 1, corner >> 1 == 1);
    uvec2 place = uvec2(last.x ? head.z : head.y, last.y ? head.z : head.y);
    v_at = vec2(place.x & 0xFFFFu, place.y >> 16);
    if (int(head.x) == CURVE) {
        vec4 ends = numbers(0), normals = numbers(1), look = numbers(2);
        float side = max(last.x ? look.y : look.x, 0.5) + 1.0;
        v_at = (last.x ? ends.zw : ends.xy) +
               (last.y ? side : -side) * (last.x ? normals.zw : normals.xy);
    } else if (int(head.x) == TRIANGLE) {
        // Three corners are enough: the fourth repeats the third, and the second triangle is empty.
        vec4 others = numbers(2);
        v_at = corner == 0 ? numbers(1).zw : (corner == 1 ? others.xy : others.zw);
    }
    gl_Position = u_projection * vec4(v_at, 0.0, 1.0);
}
