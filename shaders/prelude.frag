#version 330 core
// Goes before every fragment shader. Colours leave premultiplied, which blends straight-alpha
// colours without dark fringes.
out vec4 out_colour;

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
