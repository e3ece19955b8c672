// One short piece of a curve. Texels: its two ends; the normals there; half widths and colours
// there; arc lengths there, of the whole curve, and dash and gap as 16-bit 1/32 pixels.
out float v_side;  // from the middle of the line, pixels
out float v_half;
out float v_along;
out vec4 v_colour;
flat out float v_length;
flat out vec2 v_dash;  // the dash and its period

void main() {
    vec4 ends = numbers(4, 0);
    vec4 normals = numbers(4, 1);
    uvec4 look = words(4, 2);
    uvec4 lengths = words(4, 3);
    bool last = (corner_index() & 1) == 1;
    float half_width = uintBitsToFloat(last ? look.y : look.x);
    float drawn = max(half_width, 0.5);  // a thinner line is a fainter one
    v_half = drawn;
    v_side = (drawn + 1.0) * ((corner_index() >> 1) == 1 ? 1.0 : -1.0);
    v_along = uintBitsToFloat(last ? lengths.y : lengths.x);
    v_length = uintBitsToFloat(lengths.z);
    v_colour = colour(last ? look.w : look.z);
    v_colour.a *= half_width / drawn;
    float on = float(lengths.w & 0xFFFFu) / 32.0;
    v_dash = vec2(on, on + float(lengths.w >> 16) / 32.0);
    place((last ? ends.zw : ends.xy) + v_side * (last ? normals.zw : normals.xy));
}
