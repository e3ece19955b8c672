flat in vec4 v_premultiplied;

void main() {
    out_colour = v_premultiplied;
}
