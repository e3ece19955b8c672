uniform usampler2D u_texture;  // the values' bits, so that NaN and infinity arrive as they are
uniform sampler2D u_palettes;  // one palette a row
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

vec4 palette(float value) {
    float t = clamp((value - v_scale.z) / (v_scale.w - v_scale.z), 0.0, 1.0);
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

vec4 value_cell(float value, vec2 from_corner, vec2 size) {
    vec4 shown = palette(value);
    if (value >= 0.0 || v_rule.z == 0.0)
        return shown;
    if (v_rule.z == MINUS_HALF)
        return in_bar(from_corner, size, vec2(size.x, max(1.0, floor(0.5 * size.y + 0.5))))
                   ? shown : v_ground;
    bool marked = value <= MINUS_FROM * v_scale.z &&
                  in_bar(from_corner, size, vec2(floor(0.5 * size.x + 0.5), v_rule.w));
    return marked ? v_ground : shown;
}

void main() {
    vec2 extent = v_rect.zw - v_rect.xy;
    vec3 column = cell_along(v_at.x, v_rect.x, extent.x, v_scale.y, v_rule.x);
    vec3 row = cell_along(v_at.y, v_rect.y, extent.y, v_scale.x, v_rule.x);
    uint bits = texelFetch(u_texture, ivec2(int(column.x), int(row.x)), 0).r;
    vec2 from_corner = v_at - vec2(column.y, row.y);
    vec2 size = vec2(column.z - column.y, row.z - row.y);
    vec2 from_middle = from_corner - 0.5 * size;
    float smaller = min(size.x, size.y);
    vec4 shown;
    if (any(greaterThan(from_corner, size)))
        shown = v_ground;
    else if (bits == 0xFF800000u)
        shown = masked_cell(from_middle, smaller);
    else if ((bits & 0x7F800000u) == 0x7F800000u)
        shown = wrong_cell(from_middle, smaller);
    else
        shown = value_cell(uintBitsToFloat(bits), from_corner, size);
    out_colour = premultiply(shown);
}
