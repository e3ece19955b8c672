flat in vec4 v_colour;

void main() {
    out_colour = premultiply(v_colour);
}
