// Texels: the edges of an image; its place in its sheet; the point that the text turns about, cosine
// and sine; colour and sheet.
uniform sampler2D u_plain;     // images in the text's colour: one channel, the coverage
uniform sampler2D u_coloured;  // images with colours of their own

vec4 text_colour() {
    vec4 edges = numbers(0), texels = numbers(1), turn = numbers(2);
    uvec4 look = words(3);
    vec2 away = v_at - turn.xy;
    vec2 at = vec2(turn.z * away.x + turn.w * away.y, turn.z * away.y - turn.w * away.x);
    if (any(lessThan(at, edges.xy)) || any(greaterThanEqual(at, edges.zw)))
        return vec4(0.0);
    vec2 uv = mix(texels.xy, texels.zw, (at - edges.xy) / (edges.zw - edges.xy));
    uv /= vec2(textureSize(u_plain, 0));
    vec4 image = look.y == 0u ? textureLod(u_plain, uv, 0.0).rrrr : textureLod(u_coloured, uv, 0.0);
    return image * premultiply(colour(look.x));
}
