// Texels: the quad to draw; the whole matrix; rows, columns, lo, hi; ground, masked, its stroke,
// wrong; gap, palette row, how a minus is shown, thickness of a dash.
out vec2 v_at;
flat out vec4 v_rect;
flat out vec4 v_scale;
flat out vec4 v_rule;
flat out vec4 v_ground, v_masked, v_stroke, v_wrong;

void main() {
    vec4 quad = numbers(5, 0);
    uvec4 colours = words(5, 3);
    v_at = mix(quad.xy, quad.zw, corner());
    v_rect = numbers(5, 1);
    v_scale = numbers(5, 2);
    v_rule = numbers(5, 4);
    v_ground = colour(colours.x);
    v_masked = colour(colours.y);
    v_stroke = colour(colours.z);
    v_wrong = colour(colours.w);
    place(v_at);
}
