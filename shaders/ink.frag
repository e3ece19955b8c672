uniform sampler2D u_texture;
in vec2 v_at;
flat in vec4 v_premultiplied;

void main() {
    out_colour = texelFetch(u_texture, ivec2(v_at), 0) * v_premultiplied;
}
