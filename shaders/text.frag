uniform sampler2D u_texture;
in vec2 v_uv;
flat in vec4 v_premultiplied;

void main() {
    out_colour = texture(u_texture, v_uv) * v_premultiplied;
}
