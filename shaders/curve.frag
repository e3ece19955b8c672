// One short piece of a curve. Texels: its two ends; the normals there; half widths and colours
// there; arc lengths there and of the whole curve, and the dash; the period of dashes.
vec4 curve_colour() {
    vec4 ends = numbers(0), normals = numbers(1), lengths = numbers(3);
    uvec4 look = words(2);
    vec2 widths = uintBitsToFloat(look.xy), drawn = max(widths, 0.5); // thinner lines are fainter
    vec2 way = normalize(ends.zw - ends.xy), from_start = v_at - ends.xy;
    float from_a = dot(from_start, vec2(normals.y, -normals.x));
    float from_b = dot(v_at - ends.zw, vec2(normals.w, -normals.z));
    float t = clamp(from_a / (from_a - from_b), 0.0, 1.0);
    float side = abs(dot(from_start, vec2(-way.y, way.x)));
    float to_ends = min(lengths.x + from_a, lengths.z - lengths.y - from_b);
    float inside = coverage(mix(drawn.x, drawn.y, t) - side) * coverage(to_ends);
    if (lengths.w > 0.0)
        inside *= dash_coverage(mix(lengths.x, lengths.y, t), lengths.w, numbers(4).x);
    vec4 first = colour(look.z), last = colour(look.w);
    first.a *= widths.x / drawn.x;
    last.a *= widths.y / drawn.y;
    return premultiply(mix(first, last, t)) * inside;
}
