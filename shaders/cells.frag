uniform usampler2D u_texture;  // the values' bits, so that NaN and infinity arrive as they are
uniform sampler2D u_palettes;  // one palette a row
#ifdef FADE
uniform usampler2D u_before;  // the values that the cells pass from
flat in vec4 v_fade;
#endif
in vec2 v_at;
flat in vec4 v_rect;
flat in vec4 v_scale;
flat in vec4 v_rule;
flat in vec4 v_ground, v_masked, v_stroke, v_wrong;

const float MINUS_DASH = 1.0, MINUS_HALF = 2.0;
const float MINUS_FROM = 0.12;  // of the scale; below it the dash would be noise

// Where a cell begins, on a whole pixel.
float border_of(float index, float start, float extent, float count) {
    return floor(start + index * extent / count + 0.5);
}

// The cell at a pixel along one axis: its index and its first and last border without the gap.
vec3 cell_along(float at, float start, float extent, float count, float gap) {
    float index = floor((at - start) * count / extent);
    index += step(border_of(index + 1.0, start, extent, count), at);
    index -= 1.0 - step(border_of(index, start, extent, count), at);
    index = clamp(index, 0.0, count - 1.0);
    float end = border_of(index + 1.0, start, extent, count);
    end -= index < count - 1.0 ? gap : 0.0;
    return vec3(index, border_of(index, start, extent, count), end);
}

vec4 palette(float value, vec2 scale) {
    float t = clamp((value - scale.x) / (scale.y - scale.x), 0.0, 1.0);
    ivec2 size = textureSize(u_palettes, 0);
    return texelFetch(u_palettes, ivec2(int(t * float(size.x - 1) + 0.5), int(v_rule.y)), 0);
}

// A short stroke that rises to the right.
vec4 masked_cell(vec2 from_middle, float extent) {
    float across = abs(from_middle.x + from_middle.y) * 0.70711;
    float along = abs(from_middle.x - from_middle.y) * 0.70711;
    float inside = coverage(0.06 * extent + 0.2 - across) * coverage(0.26 * extent - along);
    return mix(v_masked, v_stroke, extent < 6.0 ? 0.0 : inside);
}

// Where a cross would not be seen, the whole cell is in its colour.
vec4 wrong_cell(vec2 from_middle, float extent) {
    float across = abs(abs(from_middle.x) - abs(from_middle.y)) * 0.70711;
    float reach = max(abs(from_middle.x), abs(from_middle.y));
    float inside = coverage(0.07 * extent + 0.3 - across) * coverage(0.26 * extent - reach);
    return mix(v_ground, v_wrong, extent < 5.0 ? 1.0 : inside);
}

// Whether a pixel belongs to the mark of a minus: a bar in the middle of the cell.
bool in_bar(vec2 from_corner, vec2 size, vec2 bar) {
    vec2 first = floor(0.5 * (size - bar));
    return all(greaterThan(from_corner, first)) && all(lessThan(from_corner, first + bar));
}

// The ground's colour, or zero's where that is more than twice as far from the cell's: palette_dash
// in draw/palette.h.
vec4 dash_colour(vec4 shown) {
    const vec3 LUMA = vec3(0.2126, 0.7152, 0.0722);
    ivec2 size = textureSize(u_palettes, 0);
    vec4 zero = texelFetch(u_palettes, ivec2((size.x - 1) / 2, int(v_rule.y)), 0);
    float from_ground = abs(dot(v_ground.rgb - shown.rgb, LUMA));
    return 2.0 * from_ground >= abs(dot(zero.rgb - shown.rgb, LUMA)) ? v_ground : zero;
}

vec4 value_cell(float value, vec2 scale, vec2 from_corner, vec2 size) {
    vec4 shown = palette(value, scale);
    if (value >= 0.0 || v_rule.z == 0.0)
        return shown;
    if (v_rule.z == MINUS_HALF)
        return in_bar(from_corner, size, vec2(size.x, max(1.0, floor(0.5 * size.y + 0.5))))
                   ? shown : v_ground;
    bool marked = value <= MINUS_FROM * scale.x &&
                  in_bar(from_corner, size, vec2(floor(0.5 * size.x + 0.5), v_rule.w));
    return marked ? dash_colour(shown) : shown;
}

vec4 cell(uint bits, vec2 scale, vec2 from_corner, vec2 size) {
    vec2 from_middle = from_corner - 0.5 * size;
    float smaller = min(size.x, size.y);
    if (bits == 0xFF800000u)
        return masked_cell(from_middle, smaller);
    if ((bits & 0x7F800000u) == 0x7F800000u)
        return wrong_cell(from_middle, smaller);
    return value_cell(uintBitsToFloat(bits), scale, from_corner, size);
}

void main() {
    vec2 extent = v_rect.zw - v_rect.xy;
    vec3 column = cell_along(v_at.x, v_rect.x, extent.x, v_scale.y, v_rule.x);
    vec3 row = cell_along(v_at.y, v_rect.y, extent.y, v_scale.x, v_rule.x);
    ivec2 place = ivec2(int(column.x), int(row.x));
    vec2 from_corner = v_at - vec2(column.y, row.y);
    vec2 size = vec2(column.z - column.y, row.z - row.y);
    vec4 shown = cell(texelFetch(u_texture, place, 0).r, v_scale.zw, from_corner, size);
#ifdef FADE
    vec4 before = cell(texelFetch(u_before, place, 0).r, v_fade.zw, from_corner, size);
    float start = v_fade.y * (column.x + 0.5) / v_scale.y;  // as cell_way in draw/draw.h
    shown = mix(before, shown, clamp(v_fade.x * (1.0 + v_fade.y) - start, 0.0, 1.0));
#endif
    out_colour = premultiply(any(greaterThan(from_corner, size)) ? v_ground : shown);
}
