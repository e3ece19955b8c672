// Texels: the edges of the whole matrix; rows, columns, palette, how a minus is shown; colours of
// the ground, masked cells, their stroke, and a cross; the scale, and that of the values before;
// way and sweep from these, gap, thickness of a dash.
uniform usampler2D u_values;   // the values' bits, so that NaN and infinity arrive as they are
uniform usampler2D u_before;   // the values that the cells pass from, if way < 1
uniform sampler2D u_palettes;  // one palette a row

const uint MINUS_PLAIN = 0u, MINUS_HALF = 2u;
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

// The colour at a share of the cells' palette.
vec4 palette(float t) {
    ivec2 size = textureSize(u_palettes, 0);
    return texelFetch(u_palettes, ivec2(int(t * float(size.x - 1) + 0.5), int(words(1).z)), 0);
}

// A short stroke that rises to the right.
vec4 masked_cell(vec2 from_middle, float extent) {
    float across = abs(from_middle.x + from_middle.y) * 0.70711;
    float along = abs(from_middle.x - from_middle.y) * 0.70711;
    float inside = coverage(0.06 * extent + 0.2 - across) * coverage(0.26 * extent - along);
    return mix(colour(words(2).y), colour(words(2).z), extent < 6.0 ? 0.0 : inside);
}

// Where a cross would not be seen, the whole cell is in its colour.
vec4 wrong_cell(vec2 from_middle, float extent) {
    float across = abs(abs(from_middle.x) - abs(from_middle.y)) * 0.70711;
    float reach = max(abs(from_middle.x), abs(from_middle.y));
    float inside = coverage(0.07 * extent + 0.3 - across) * coverage(0.26 * extent - reach);
    return mix(colour(words(2).x), colour(words(2).w), extent < 5.0 ? 1.0 : inside);
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
    vec4 ground = colour(words(2).x), zero = palette(0.4995);
    float from_ground = abs(dot(ground.rgb - shown.rgb, LUMA));
    return 2.0 * from_ground >= abs(dot(zero.rgb - shown.rgb, LUMA)) ? ground : zero;
}

vec4 value_cell(float value, vec2 scale, vec2 from_corner, vec2 size) {
    vec4 shown = palette(clamp((value - scale.x) / (scale.y - scale.x), 0.0, 1.0));
    uint minus = words(1).w;
    if (value >= 0.0 || minus == MINUS_PLAIN)
        return shown;
    if (minus == MINUS_HALF)
        return in_bar(from_corner, size, vec2(size.x, max(1.0, floor(0.5 * size.y + 0.5))))
                   ? shown : colour(words(2).x);
    bool marked = value <= MINUS_FROM * scale.x &&
                  in_bar(from_corner, size, vec2(floor(0.5 * size.x + 0.5), numbers(4).w));
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

vec4 cells_colour() {
    vec4 edges = numbers(0), scales = numbers(3), motion = numbers(4);
    vec2 extent = edges.zw - edges.xy, count = vec2(words(1).yx);
    vec3 column = cell_along(v_at.x, edges.x, extent.x, count.x, motion.z);
    vec3 row = cell_along(v_at.y, edges.y, extent.y, count.y, motion.z);
    ivec2 place = ivec2(int(column.x), int(row.x));
    vec2 from_corner = v_at - vec2(column.y, row.y);
    vec2 size = vec2(column.z - column.y, row.z - row.y);
    vec4 shown = cell(texelFetch(u_values, place, 0).r, scales.xy, from_corner, size);
    if (motion.x < 1.0) {
        vec4 before = cell(texelFetch(u_before, place, 0).r, scales.zw, from_corner, size);
        float start = motion.y * (column.x + 0.5) / count.x;  // as cell_way in draw/draw.h
        shown = mix(before, shown, clamp(motion.x * (1.0 + motion.y) - start, 0.0, 1.0));
    }
    return premultiply(any(greaterThan(from_corner, size)) ? colour(words(2).x) : shown);
}
