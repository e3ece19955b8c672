// Texels: the quad to draw; the whole matrix; rows, columns, lo, hi; ground, masked, its stroke,
// wrong; gap, palette row, how a minus is shown, thickness of a dash. With FADE: way, sweep, and
// lo and hi of the values before.
#ifdef FADE
const int TEXELS = 6;
flat out vec4 v_fade;
#else
const int TEXELS = 5;
#endif
out vec2 v_at;
flat out vec4 v_rect;
flat out vec4 v_scale;
flat out vec4 v_rule;
flat out vec4 v_ground, v_masked, v_stroke, v_wrong;

void main() {
    vec4 quad = numbers(TEXELS, 0);
    uvec4 colours = words(TEXELS, 3);
    v_at = mix(quad.xy, quad.zw, corner());
    v_rect = numbers(TEXELS, 1);
    v_scale = numbers(TEXELS, 2);
    v_rule = numbers(TEXELS, 4);
    v_ground = colour(colours.x);
    v_masked = colour(colours.y);
    v_stroke = colour(colours.z);
    v_wrong = colour(colours.w);
#ifdef FADE
    v_fade = numbers(TEXELS, 5);
#endif
    place(v_at);
}
