in vec3 v_share;
flat in vec3 v_height;
flat in vec3 v_bias;
flat in vec4 v_colour_a, v_colour_b, v_colour_c;

void main() {
    vec3 inside = v_share * v_height + v_bias;
    vec3 share = max(v_share, 0.0);
    share /= share.x + share.y + share.z;
    vec4 straight = share.x * v_colour_a + share.y * v_colour_b + share.z * v_colour_c;
    out_colour = premultiply(straight) * coverage(min(inside.x, min(inside.y, inside.z)));
}
