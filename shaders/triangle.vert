// Texels: two corners, the third and the edges' biases; the same three corners moved outwards to
// make room for soft edges; the three colours. An edge shared with a neighbour is not soft: its
// bias, in bits 0 to 2, keeps it from fading.
out vec3 v_share;  // barycentric coordinates
flat out vec3 v_height;
flat out vec3 v_bias;
flat out vec4 v_colour_a, v_colour_b, v_colour_c;

float cross_of(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

void main() {
    vec4 ab = numbers(5, 0), drawn_ab = numbers(5, 2), drawn_c = numbers(5, 3);
    vec2 a = ab.xy, b = ab.zw, c = numbers(5, 1).xy;
    uint shared_edges = words(5, 1).z;
    uvec4 colours = words(5, 4);
    // Three corners are enough: the fourth repeats the third, and the second triangle is empty.
    int index = corner_index();
    vec2 at = index == 0 ? drawn_ab.xy : (index == 1 ? drawn_ab.zw : drawn_c.xy);
    float area = cross_of(b - a, c - a);
    v_share = vec3(cross_of(c - b, at - b), cross_of(a - c, at - c), cross_of(b - a, at - a)) / area;
    v_height = abs(area) / vec3(distance(b, c), distance(c, a), distance(a, b));
    v_bias = vec3((uvec3(shared_edges) >> uvec3(0u, 1u, 2u)) & 1u) * 1e6;
    v_colour_a = colour(colours.x);
    v_colour_b = colour(colours.y);
    v_colour_c = colour(colours.z);
    place(at);
}
