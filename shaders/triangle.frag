// Texels: two corners; the third, and the first moved outwards to make room for soft edges; the
// others moved; the colours, and a bit for each edge that a neighbour shares, which is not soft.
float cross_of(vec2 a, vec2 b) {
    return a.x * b.y - a.y * b.x;
}

vec4 triangle_colour() {
    vec4 ab = numbers(0);
    vec2 a = ab.xy, b = ab.zw, c = numbers(1).xy;
    uvec4 look = words(3);
    // Barycentric coordinates, and the distances from the edges.
    vec3 share = vec3(cross_of(c - b, v_at - b), cross_of(a - c, v_at - c), cross_of(b - a, v_at - a));
    float area = cross_of(b - a, c - a);
    share /= area;
    vec3 inside = share * abs(area) / vec3(distance(b, c), distance(c, a), distance(a, b));
    inside += vec3((uvec3(look.w) >> uvec3(0u, 1u, 2u)) & 1u) * 1e6;
    share = max(share, 0.0);
    share /= share.x + share.y + share.z;
    vec4 straight = share.x * colour(look.x) + share.y * colour(look.y) + share.z * colour(look.z);
    return premultiply(straight) * coverage(min(inside.x, min(inside.y, inside.z)));
}
