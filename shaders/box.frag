// Texels: the box's edges; radius, border, dash, gap; fill, fill at the right, stroke, alpha.

// Signed distance to a rectangle with round corners, negative inside.
float distance_to_box(vec2 at, vec2 half_size, float radius) {
    vec2 beyond = abs(at) - half_size + radius;
    return length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - radius;
}

// Dashes along the middle of the border. Their number is whole, and one is centred at the top.
float outline_dashes(vec2 at, vec2 half_size, float radius, float on, float period) {
    vec2 straight = half_size - radius;
    vec2 here = abs(at);
    float arc = 1.5707963 * radius;
    float quarter = straight.x + arc + straight.y;
    vec2 beyond = here - straight;
    float along;
    if (beyond.x > 0.0 && beyond.y > 0.0)
        along = straight.x + radius * atan(beyond.x, beyond.y);
    else if (beyond.y > beyond.x)
        along = min(here.x, straight.x);
    else
        along = straight.x + arc + straight.y - min(here.y, straight.y);
    float position = at.y < 0.0 ? along : 2.0 * quarter - along;
    position = at.x < 0.0 ? 4.0 * quarter - position : position;
    float count = max(1.0, floor(4.0 * quarter / period + 0.5));
    float fitted = 4.0 * quarter / count;
    return dash_coverage(position + 0.5 * on * fitted / period, on * fitted / period, fitted);
}

vec4 box_colour() {
    vec4 edges = numbers(0), shape = numbers(1);
    uvec4 look = words(2);
    vec2 half_size = 0.5 * (edges.zw - edges.xy), at = v_at - 0.5 * (edges.xy + edges.zw);
    float radius = shape.x, border = shape.y, on = shape.z, off = shape.w;
    float inside = -distance_to_box(at, half_size, radius), alpha = uintBitsToFloat(look.w);
    vec4 result = mix(colour(look.x), colour(look.y), (v_at.x - edges.x) / (edges.z - edges.x));
    result = premultiply(result) * alpha;
    if (border > 0.0) {
        float stroke = coverage(border - inside) * alpha;
        if (on > 0.0)
            stroke *= outline_dashes(at, half_size - 0.5 * border, max(0.0, radius - 0.5 * border),
                                     on, on + off);
        vec4 over = premultiply(colour(look.z)) * stroke;
        result = over + result * (1.0 - over.a);
    }
    return result * coverage(inside);
}
