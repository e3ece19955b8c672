// Texels: the quad to draw, which may be a part of the box; the box; radius, border, dash, gap;
// fill, fill at the right, stroke, alpha.
out vec2 v_at;  // from the middle of the box
out vec4 v_fill;
flat out vec2 v_half;
flat out vec4 v_shape;
flat out vec4 v_stroke;

void main() {
    vec4 quad = numbers(4, 0);
    vec4 box = numbers(4, 1);
    uvec4 colours = words(4, 3);
    float alpha = uintBitsToFloat(colours.w);
    vec2 at = mix(quad.xy, quad.zw, corner());
    v_half = 0.5 * (box.zw - box.xy);
    v_at = at - 0.5 * (box.xy + box.zw);
    v_shape = numbers(4, 2);
    v_fill = mix(colour(colours.x), colour(colours.y), (at.x - box.x) / (box.z - box.x));
    v_fill.a *= alpha;
    v_stroke = colour(colours.z);
    v_stroke.a *= alpha;
    place(at);
}
