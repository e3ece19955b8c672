in float v_side;
in float v_half;
in float v_along;
in vec4 v_colour;
flat in float v_length;
flat in vec2 v_dash;

void main() {
    float inside = coverage(v_half - abs(v_side)) * coverage(min(v_along, v_length - v_along));
    if (v_dash.x > 0.0)
        inside *= dash_coverage(v_along, v_dash.x, v_dash.y);
    out_colour = premultiply(v_colour) * inside;
}
