// Texels: the point the text turns about, cosine, sine; the quad from there, unturned; the same
// quad in the atlas, texels; colour.
uniform sampler2D u_texture;
out vec2 v_uv;
flat out vec4 v_premultiplied;

void main() {
    vec4 turn = numbers(4, 0);
    vec4 quad = numbers(4, 1);
    vec4 uv = numbers(4, 2);
    vec2 local = mix(quad.xy, quad.zw, corner());
    v_uv = mix(uv.xy, uv.zw, corner()) / vec2(textureSize(u_texture, 0));
    vec4 straight = colour(words(4, 3).x);
    v_premultiplied = vec4(straight.rgb * straight.a, straight.a);
    place(turn.xy + vec2(turn.z * local.x - turn.w * local.y, turn.w * local.x + turn.z * local.y));
}
