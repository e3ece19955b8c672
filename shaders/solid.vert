// Texels: left, top, right, bottom; colour.
flat out vec4 v_colour;

void main() {
    vec4 quad = numbers(2, 0);
    v_colour = colour(words(2, 1).x);
    place(mix(quad.xy, quad.zw, corner()));
}
