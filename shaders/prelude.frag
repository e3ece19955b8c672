#version 330 core
// Goes before the functions of all kinds of items, which return the colour of the pixel at v_at.
// Colours leave premultiplied, which blends straight-alpha colours without dark fringes.
uniform usamplerBuffer u_words;
flat in int v_item;
in vec2 v_at;
out vec4 out_colour;

uvec4 words(int index) {
    return texelFetch(u_words, v_item * 6 + 1 + index);
}

vec4 numbers(int index) {
    return uintBitsToFloat(words(index));
}

// 0xRRGGBBAA, straight alpha.
vec4 colour(uint packed_colour) {
    return vec4((uvec4(packed_colour) >> uvec4(24u, 16u, 8u, 0u)) & 255u) / 255.0;
}

vec4 premultiply(vec4 straight) {
    return vec4(straight.rgb * straight.a, straight.a);
}

// How much of a pixel lies inside an edge at this distance from its middle, positive inside.
float coverage(float distance_px) {
    return clamp(distance_px + 0.5, 0.0, 1.0);
}

// As coverage, of dashes that begin at position 0.
float dash_coverage(float position, float on, float period) {
    float from_middle = mod(position - 0.5 * on + 0.5 * period, period) - 0.5 * period;
    return coverage(0.5 * on - abs(from_middle));
}
