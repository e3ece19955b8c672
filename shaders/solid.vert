// Texels: left, top, right, bottom; colour.
// Premultiplied here and not in the fragment shader: llvmpipe's short path for plain fills (seen in
// Mesa 22.3.6, in windows) takes the colour for its alpha there.
flat out vec4 v_premultiplied;

void main() {
    vec4 quad = numbers(2, 0);
    vec4 straight = colour(words(2, 1).x);
    v_premultiplied = vec4(straight.rgb * straight.a, straight.a);
    place(mix(quad.xy, quad.zw, corner()));
}
