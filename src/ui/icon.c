#include "ui/icon.h"

#include <math.h>

#include "ui/label.h"

/* Coordinates of every icon are in a square from -1 to 1, y downwards. */
typedef struct Stamp {
    Ui *ui;
    Vec2 centre;
    float half;
    Colour colour;
} Stamp;

static Vec2 place(const Stamp *s, float x, float y) {
    return (Vec2){s->centre.x + x * s->half, s->centre.y + y * s->half};
}

static Rect area(const Stamp *s, float x, float y, float w, float h) {
    Vec2 at = place(s, x, y);
    return (Rect){at.x, at.y, w * s->half, h * s->half};
}

static void line(const Stamp *s, float x0, float y0, float x1, float y1) {
    float width = fmaxf(1.4f, s->half * 0.2f);
    draw_line(s->ui->list, place(s, x0, y0), place(s, x1, y1), width, s->colour);
}

static void ring(const Stamp *s, float x, float y, float w, float h, float radius) {
    draw_ring(s->ui->list, area(s, x, y, w, h), radius * s->half, fmaxf(1.4f, s->half * 0.18f),
              s->colour);
}

static void dot(const Stamp *s, float x, float y, float r) {
    draw_fill(s->ui->list, area(s, x - r, y - r, 2 * r, 2 * r), r * s->half, s->colour);
}

static void icon_heads(const Stamp *s) {
    static const float at[] = {-0.95f, 0.1f};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (i == 0 && j == 0)
                draw_fill(s->ui->list, area(s, at[j], at[i], 0.85f, 0.85f), s->half * 0.15f,
                          s->colour);
            else
                ring(s, at[j], at[i], 0.85f, 0.85f, 0.15f);
}

static void icon_graph(const Stamp *s) {
    line(s, -0.55f, 0.35f, -0.15f, -0.4f);
    line(s, 0.55f, 0.35f, 0.15f, -0.4f);
    line(s, -0.4f, 0.6f, 0.4f, 0.6f);
    ring(s, -0.3f, -0.95f, 0.6f, 0.6f, 0.3f);
    ring(s, -0.95f, 0.3f, 0.6f, 0.6f, 0.3f);
    ring(s, 0.35f, 0.3f, 0.6f, 0.6f, 0.3f);
}

/* Two falling curves. */
static void icon_train(const Stamp *s) {
    Vec2 first[] = {{-0.9f, -0.85f}, {-0.75f, -0.1f}, {-0.35f, 0.4f}, {0.2f, 0.62f}, {0.9f, 0.7f}};
    Vec2 other[] = {{-0.9f, -0.85f}, {-0.3f, -0.4f}, {0.3f, -0.12f}, {0.9f, 0.02f}};
    for (int i = 1; i < 5; i++)
        line(s, first[i - 1].x, first[i - 1].y, first[i].x, first[i].y);
    for (int i = 1; i < 4; i++)
        line(s, other[i - 1].x, other[i - 1].y, other[i].x, other[i].y);
}

/* A tall and a wide factor, and their product. */
static void icon_wqk(const Stamp *s) {
    ring(s, -0.95f, -0.95f, 0.5f, 1.9f, 0.1f);
    draw_fill(s->ui->list, area(s, -0.3f, -0.95f, 1.25f, 0.5f), s->half * 0.1f, s->colour);
    ring(s, -0.3f, -0.3f, 1.25f, 1.25f, 0.1f);
}

/* Bars of four heights. */
static void icon_compare(const Stamp *s) {
    static const float top[] = {0.1f, -0.9f, -0.3f, 0.35f};
    for (int i = 0; i < 4; i++)
        draw_fill(s->ui->list, area(s, -0.95f + 0.5f * (float)i, top[i], 0.38f, 0.95f - top[i]),
                  s->half * 0.08f, s->colour);
}

/* Three things in a row, and an arrow along them: the steps of a computation. */
static void icon_steps(const Stamp *s) {
    draw_fill(s->ui->list, area(s, -0.95f, -0.75f, 0.5f, 0.65f), s->half * 0.1f, s->colour);
    ring(s, -0.25f, -0.75f, 0.5f, 0.65f, 0.1f);
    ring(s, 0.45f, -0.75f, 0.5f, 0.65f, 0.1f);
    line(s, -0.95f, 0.5f, 0.8f, 0.5f);
    line(s, 0.45f, 0.15f, 0.88f, 0.53f);
    line(s, 0.45f, 0.85f, 0.88f, 0.47f);
}

static void icon_theme(const Stamp *s) {
    Rect whole = area(s, -0.9f, -0.9f, 1.8f, 1.8f);
    ring(s, -0.9f, -0.9f, 1.8f, 1.8f, 0.9f);
    Rect right = whole;
    rect_cut_left(&right, whole.w / 2);
    Rect clip = draw_clip(s->ui->list, right);
    draw_fill(s->ui->list, whole, whole.w / 2, s->colour);
    draw_clip_restore(s->ui->list, clip);
}

/* A screen on its foot. */
static void icon_present(const Stamp *s) {
    ring(s, -1.05f, -0.9f, 2.1f, 1.35f, 0.2f);
    line(s, 0, 0.45f, 0, 0.9f);
    line(s, -0.6f, 0.88f, 0.6f, 0.88f);
}

static void icon_help(const Stamp *s) {
    LabelStyle style = {FONT_SANS_BOLD, s->half * 2, s->colour, LABEL_CENTRE};
    label_draw(s->ui, area(s, -1, -1, 2, 2), &style, "?");
}

static void icon_dice(const Stamp *s) {
    ring(s, -0.9f, -0.9f, 1.8f, 1.8f, 0.35f);
    for (int i = -1; i <= 1; i += 2)
        for (int j = -1; j <= 1; j += 2)
            dot(s, 0.4f * (float)i, 0.4f * (float)j, 0.17f);
    dot(s, 0, 0, 0.17f);
}

static void icon_chevron(const Stamp *s) {
    line(s, -0.7f, -0.3f, 0.05f, 0.45f);
    line(s, -0.05f, 0.45f, 0.7f, -0.3f);
}

static void icon_copy(const Stamp *s) {
    ring(s, -0.35f, -0.35f, 1.2f, 1.2f, 0.2f);
    line(s, -0.85f, 0.3f, -0.85f, -0.85f);
    line(s, -0.85f, -0.85f, 0.3f, -0.85f);
}

static void icon_tick(const Stamp *s) {
    line(s, -0.9f, 0.05f, -0.3f, 0.65f);
    line(s, -0.35f, 0.65f, 0.9f, -0.65f);
}

static void icon_close(const Stamp *s) {
    line(s, -0.6f, -0.6f, 0.6f, 0.6f);
    line(s, -0.6f, 0.6f, 0.6f, -0.6f);
}

static void icon_plus(const Stamp *s) {
    line(s, -0.7f, 0, 0.7f, 0);
    line(s, 0, -0.7f, 0, 0.7f);
}

static void icon_play(const Stamp *s) {
    draw_triangle(s->ui->list,
                  &(DrawTriangle){place(s, -0.6f, -0.8f), place(s, 0.85f, 0), place(s, -0.6f, 0.8f),
                                  s->colour, s->colour, s->colour});
}

/* A triangle that points to the right, from its base to its tip; mirrored where it is to the left.
 */
static void pointer(const Stamp *s, float base, float tip) {
    draw_triangle(s->ui->list,
                  &(DrawTriangle){place(s, base, -0.7f), place(s, tip, 0), place(s, base, 0.7f),
                                  s->colour, s->colour, s->colour});
}

static void icon_forward(const Stamp *s) {
    pointer(s, -0.45f, 0.65f);
}

static void icon_back(const Stamp *s) {
    pointer(s, 0.45f, -0.65f);
}

static void icon_last(const Stamp *s) {
    pointer(s, -0.75f, 0.4f);
    draw_fill(s->ui->list, area(s, 0.45f, -0.7f, 0.28f, 1.4f), 1, s->colour);
}

static void icon_first(const Stamp *s) {
    pointer(s, 0.75f, -0.4f);
    draw_fill(s->ui->list, area(s, -0.73f, -0.7f, 0.28f, 1.4f), 1, s->colour);
}

static void icon_pause(const Stamp *s) {
    draw_fill(s->ui->list, area(s, -0.65f, -0.75f, 0.45f, 1.5f), 1, s->colour);
    draw_fill(s->ui->list, area(s, 0.2f, -0.75f, 0.45f, 1.5f), 1, s->colour);
}

static void icon_stop(const Stamp *s) {
    draw_fill(s->ui->list, area(s, -0.65f, -0.65f, 1.3f, 1.3f), 2, s->colour);
}

static void icon_menu(const Stamp *s) {
    for (int i = -1; i <= 1; i++)
        line(s, -0.8f, 0.55f * (float)i, 0.8f, 0.55f * (float)i);
}

static void icon_inspect(const Stamp *s) {
    ring(s, -0.95f, -0.85f, 1.9f, 1.7f, 0.25f);
    line(s, 0.25f, -0.8f, 0.25f, 0.8f);
}

static void icon_arrow(const Stamp *s) {
    line(s, -0.9f, 0, 0.8f, 0);
    line(s, 0.35f, -0.45f, 0.85f, 0.03f);
    line(s, 0.35f, 0.45f, 0.85f, -0.03f);
}

/* A speech bubble with a question mark. */
static void icon_ask(const Stamp *s) {
    ring(s, -0.95f, -0.9f, 1.9f, 1.5f, 0.4f);
    line(s, -0.5f, 0.55f, -0.5f, 0.95f);
    line(s, -0.5f, 0.95f, -0.05f, 0.55f);
    LabelStyle style = {FONT_SANS_BOLD, s->half * 1.3f, s->colour, LABEL_CENTRE};
    label_draw(s->ui, area(s, -1, -0.95f, 2, 1.6f), &style, "?");
}

/* A page with a folded corner. */
static void icon_file(const Stamp *s) {
    line(s, -0.7f, -0.95f, 0.2f, -0.95f);
    line(s, 0.2f, -0.95f, 0.7f, -0.4f);
    line(s, 0.7f, -0.4f, 0.7f, 0.95f);
    line(s, 0.7f, 0.95f, -0.7f, 0.95f);
    line(s, -0.7f, 0.95f, -0.7f, -0.95f);
    line(s, 0.15f, -0.95f, 0.15f, -0.35f);
    line(s, 0.15f, -0.35f, 0.7f, -0.35f);
}

/* An arrow that turns back, for undo (way -1, to the left) and redo (way 1). */
static void turning_arrow(const Stamp *s, float way) {
    static const Vec2 bend[] = {{-0.8f, -0.3f}, {0.3f, -0.3f},  {0.7f, -0.1f}, {0.8f, 0.25f},
                                {0.6f, 0.6f},   {0.25f, 0.75f}, {-0.3f, 0.75f}};
    for (int i = 1; i < 7; i++)
        line(s, -way * bend[i - 1].x, bend[i - 1].y, -way * bend[i].x, bend[i].y);
    line(s, way * 0.8f, -0.3f, way * 0.35f, -0.75f);
    line(s, way * 0.8f, -0.3f, way * 0.35f, 0.15f);
}

static void icon_undo(const Stamp *s) {
    turning_arrow(s, -1);
}

static void icon_redo(const Stamp *s) {
    turning_arrow(s, 1);
}

static void icon_pencil(const Stamp *s) {
    line(s, -0.5f, 0.75f, -0.85f, 0.85f);
    line(s, -0.85f, 0.85f, -0.75f, 0.5f);
    line(s, -0.75f, 0.5f, 0.5f, -0.75f);
    line(s, -0.5f, 0.75f, 0.75f, -0.5f);
    line(s, 0.5f, -0.75f, 0.75f, -0.5f);
}

void icon_draw(Ui *ui, Icon icon, Vec2 centre, float side, Colour colour) {
    static void (*const draw[])(const Stamp *) = {
        [ICON_HEADS] = icon_heads,     [ICON_WQK] = icon_wqk,         [ICON_STEPS] = icon_steps,
        [ICON_TRAIN] = icon_train,     [ICON_GRAPH] = icon_graph,     [ICON_THEME] = icon_theme,
        [ICON_PRESENT] = icon_present, [ICON_HELP] = icon_help,       [ICON_DICE] = icon_dice,
        [ICON_CHEVRON] = icon_chevron, [ICON_COPY] = icon_copy,       [ICON_TICK] = icon_tick,
        [ICON_CLOSE] = icon_close,     [ICON_MENU] = icon_menu,       [ICON_INSPECT] = icon_inspect,
        [ICON_ARROW] = icon_arrow,     [ICON_COMPARE] = icon_compare, [ICON_PLUS] = icon_plus,
        [ICON_PLAY] = icon_play,       [ICON_PAUSE] = icon_pause,     [ICON_STOP] = icon_stop,
        [ICON_ASK] = icon_ask,         [ICON_BACK] = icon_back,       [ICON_FORWARD] = icon_forward,
        [ICON_FIRST] = icon_first,     [ICON_LAST] = icon_last,       [ICON_FILE] = icon_file,
        [ICON_UNDO] = icon_undo,       [ICON_REDO] = icon_redo,       [ICON_PENCIL] = icon_pencil,
    };
    draw[icon](&(Stamp){ui, centre, side / 2, colour});
}
