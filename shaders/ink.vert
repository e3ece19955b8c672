// Texels: left, top, right, bottom; colour. A texel of the picture, which begins at the quad's
// corner, is a pixel of the frame.
out vec2 v_at;
flat out vec4 v_premultiplied;

void main() {
    vec4 quad = numbers(2, 0);
    vec4 straight = colour(words(2, 1).x);
    v_premultiplied = vec4(straight.rgb * straight.a, straight.a);
    vec2 at = mix(quad.xy, quad.zw, corner());
    v_at = at - quad.xy;
    place(at);
}
