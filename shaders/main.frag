// Goes after the functions of all kinds of items.
void main() {
    uvec4 head = texelFetch(u_words, v_item * 6);
    vec2 first = vec2(head.y & 0xFFFFu, head.y >> 16), end = vec2(head.z & 0xFFFFu, head.z >> 16);
    vec4 shown = vec4(0.0);
    switch (int(head.x)) {  // a DrawKind of src/draw/draw.h
    case 0: shown = box_colour(); break;
    case 1: shown = curve_colour(); break;
    case 2: shown = triangle_colour(); break;
    case 3: shown = cells_colour(); break;
    case 4: shown = text_colour(); break;
    }
    bool is_inside = all(greaterThan(v_at, first)) && all(lessThan(v_at, end));
    out_colour = is_inside ? shown : vec4(0.0);
}
