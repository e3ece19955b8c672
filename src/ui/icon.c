#include "ui/icon.h"

#include <math.h>

#include "ui/label.h"

#define SHAPES_MAX 6
#define POINTS_MAX 5

typedef enum ShapeKind {
    END,
    PATH,  /* lines through `size` points */
    FILL,  /* a box: its corner, its size and its corner radius */
    BAR,   /* a box whose radius is in px */
    RING,  /* the outline of a box */
    HALF,  /* the right half of a filled box */
    POINT, /* a triangle: the lower end of its vertical side, and its tip at half the height */
    SIGN,  /* a question mark of this size in the middle of a box */
} ShapeKind;

/* A part of an icon. Coordinates are in a square from -1 to 1, y downwards. */
typedef struct Shape {
    ShapeKind kind;
    float size;
    Vec2 at[POINTS_MAX];
} Shape;

static const Shape ICONS[][SHAPES_MAX] = {
    [ICON_HEADS] = {{FILL, 0.15f, {{-0.95f, -0.95f}, {0.85f, 0.85f}}},
                    {RING, 0.15f, {{0.1f, -0.95f}, {0.85f, 0.85f}}},
                    {RING, 0.15f, {{-0.95f, 0.1f}, {0.85f, 0.85f}}},
                    {RING, 0.15f, {{0.1f, 0.1f}, {0.85f, 0.85f}}}},
    [ICON_GRAPH] = {{PATH, 2, {{-0.55f, 0.35f}, {-0.15f, -0.4f}}},
                    {PATH, 2, {{0.55f, 0.35f}, {0.15f, -0.4f}}},
                    {PATH, 2, {{-0.4f, 0.6f}, {0.4f, 0.6f}}},
                    {RING, 0.3f, {{-0.3f, -0.95f}, {0.6f, 0.6f}}},
                    {RING, 0.3f, {{-0.95f, 0.3f}, {0.6f, 0.6f}}},
                    {RING, 0.3f, {{0.35f, 0.3f}, {0.6f, 0.6f}}}},
    /* Two falling curves. */
    [ICON_TRAIN] =
        {{PATH, 5, {{-0.9f, -0.85f}, {-0.75f, -0.1f}, {-0.35f, 0.4f}, {0.2f, 0.62f}, {0.9f, 0.7f}}},
         {PATH, 4, {{-0.9f, -0.85f}, {-0.3f, -0.4f}, {0.3f, -0.12f}, {0.9f, 0.02f}}}},
    /* The icon of W_QK: a tall matrix times a wide one, and their product. */
    [ICON_WQK] = {{RING, 0.1f, {{-0.95f, -0.95f}, {0.5f, 1.9f}}},
                  {FILL, 0.1f, {{-0.3f, -0.95f}, {1.25f, 0.5f}}},
                  {RING, 0.1f, {{-0.3f, -0.3f}, {1.25f, 1.25f}}}},
    /* Bars of four heights. */
    [ICON_COMPARE] = {{FILL, 0.08f, {{-0.95f, 0.1f}, {0.38f, 0.95f - 0.1f}}},
                      {FILL, 0.08f, {{-0.45f, -0.9f}, {0.38f, 0.95f + 0.9f}}},
                      {FILL, 0.08f, {{0.05f, -0.3f}, {0.38f, 0.95f + 0.3f}}},
                      {FILL, 0.08f, {{0.55f, 0.35f}, {0.38f, 0.95f - 0.35f}}}},
    /* The icon of Steps: three boxes in a row, with an arrow below. */
    [ICON_STEPS] = {{FILL, 0.1f, {{-0.95f, -0.75f}, {0.5f, 0.65f}}},
                    {RING, 0.1f, {{-0.25f, -0.75f}, {0.5f, 0.65f}}},
                    {RING, 0.1f, {{0.45f, -0.75f}, {0.5f, 0.65f}}},
                    {PATH, 2, {{-0.95f, 0.5f}, {0.8f, 0.5f}}},
                    {PATH, 2, {{0.45f, 0.15f}, {0.88f, 0.53f}}},
                    {PATH, 2, {{0.45f, 0.85f}, {0.88f, 0.47f}}}},
    [ICON_THEME] = {{RING, 0.9f, {{-0.9f, -0.9f}, {1.8f, 1.8f}}},
                    {HALF, 0.9f, {{-0.9f, -0.9f}, {1.8f, 1.8f}}}},
    /* A screen on its foot. */
    [ICON_PRESENT] = {{RING, 0.2f, {{-1.05f, -0.9f}, {2.1f, 1.35f}}},
                      {PATH, 2, {{0, 0.45f}, {0, 0.9f}}},
                      {PATH, 2, {{-0.6f, 0.88f}, {0.6f, 0.88f}}}},
    [ICON_HELP] = {{SIGN, 2, {{-1, -1}, {2, 2}}}},
    [ICON_DICE] = {{RING, 0.35f, {{-0.9f, -0.9f}, {1.8f, 1.8f}}},
                   {FILL, 0.17f, {{-0.57f, -0.57f}, {0.34f, 0.34f}}},
                   {FILL, 0.17f, {{-0.57f, 0.23f}, {0.34f, 0.34f}}},
                   {FILL, 0.17f, {{0.23f, -0.57f}, {0.34f, 0.34f}}},
                   {FILL, 0.17f, {{0.23f, 0.23f}, {0.34f, 0.34f}}},
                   {FILL, 0.17f, {{-0.17f, -0.17f}, {0.34f, 0.34f}}}},
    [ICON_CHEVRON] = {{PATH, 2, {{-0.7f, -0.3f}, {0.05f, 0.45f}}},
                      {PATH, 2, {{-0.05f, 0.45f}, {0.7f, -0.3f}}}},
    [ICON_COPY] = {{RING, 0.2f, {{-0.35f, -0.35f}, {1.2f, 1.2f}}},
                   {PATH, 3, {{-0.85f, 0.3f}, {-0.85f, -0.85f}, {0.3f, -0.85f}}}},
    [ICON_TICK] = {{PATH, 2, {{-0.9f, 0.05f}, {-0.3f, 0.65f}}},
                   {PATH, 2, {{-0.35f, 0.65f}, {0.9f, -0.65f}}}},
    [ICON_CLOSE] = {{PATH, 2, {{-0.6f, -0.6f}, {0.6f, 0.6f}}},
                    {PATH, 2, {{-0.6f, 0.6f}, {0.6f, -0.6f}}}},
    [ICON_PLAY] = {{POINT, 0, {{-0.6f, 0.8f}, {0.85f, 0}}}},
    [ICON_FORWARD] = {{POINT, 0, {{-0.45f, 0.7f}, {0.65f, 0}}}},
    [ICON_BACK] = {{POINT, 0, {{0.45f, 0.7f}, {-0.65f, 0}}}},
    [ICON_LAST] = {{POINT, 0, {{-0.75f, 0.7f}, {0.4f, 0}}},
                   {BAR, 1, {{0.45f, -0.7f}, {0.28f, 1.4f}}}},
    [ICON_FIRST] = {{POINT, 0, {{0.75f, 0.7f}, {-0.4f, 0}}},
                    {BAR, 1, {{-0.73f, -0.7f}, {0.28f, 1.4f}}}},
    [ICON_PAUSE] = {{BAR, 1, {{-0.65f, -0.75f}, {0.45f, 1.5f}}},
                    {BAR, 1, {{0.2f, -0.75f}, {0.45f, 1.5f}}}},
    [ICON_STOP] = {{BAR, 2, {{-0.65f, -0.65f}, {1.3f, 1.3f}}}},
    [ICON_MENU] = {{PATH, 2, {{-0.8f, -0.55f}, {0.8f, -0.55f}}},
                   {PATH, 2, {{-0.8f, 0}, {0.8f, 0}}},
                   {PATH, 2, {{-0.8f, 0.55f}, {0.8f, 0.55f}}}},
    [ICON_INSPECT] = {{RING, 0.25f, {{-0.95f, -0.85f}, {1.9f, 1.7f}}},
                      {PATH, 2, {{0.25f, -0.8f}, {0.25f, 0.8f}}}},
    [ICON_ARROW] = {{PATH, 2, {{-0.9f, 0}, {0.8f, 0}}},
                    {PATH, 2, {{0.35f, -0.45f}, {0.85f, 0.03f}}},
                    {PATH, 2, {{0.35f, 0.45f}, {0.85f, -0.03f}}}},
    /* A speech bubble with a question mark. */
    [ICON_ASK] = {{RING, 0.4f, {{-0.95f, -0.9f}, {1.9f, 1.5f}}},
                  {PATH, 3, {{-0.5f, 0.55f}, {-0.5f, 0.95f}, {-0.05f, 0.55f}}},
                  {SIGN, 1.3f, {{-1, -0.95f}, {2, 1.6f}}}},
    /* A page with a folded corner. */
    [ICON_FILE] = {{PATH, 4, {{-0.7f, -0.95f}, {0.2f, -0.95f}, {0.7f, -0.4f}, {0.7f, 0.95f}}},
                   {PATH, 3, {{0.7f, 0.95f}, {-0.7f, 0.95f}, {-0.7f, -0.95f}}},
                   {PATH, 3, {{0.15f, -0.95f}, {0.15f, -0.35f}, {0.7f, -0.35f}}}},
    [ICON_UNDO] = {{PATH, 4, {{-0.8f, -0.3f}, {0.3f, -0.3f}, {0.7f, -0.1f}, {0.8f, 0.25f}}},
                   {PATH, 4, {{0.8f, 0.25f}, {0.6f, 0.6f}, {0.25f, 0.75f}, {-0.3f, 0.75f}}},
                   {PATH, 3, {{-0.35f, -0.75f}, {-0.8f, -0.3f}, {-0.35f, 0.15f}}}},
    [ICON_REDO] = {{PATH, 4, {{0.8f, -0.3f}, {-0.3f, -0.3f}, {-0.7f, -0.1f}, {-0.8f, 0.25f}}},
                   {PATH, 4, {{-0.8f, 0.25f}, {-0.6f, 0.6f}, {-0.25f, 0.75f}, {0.3f, 0.75f}}},
                   {PATH, 3, {{0.35f, -0.75f}, {0.8f, -0.3f}, {0.35f, 0.15f}}}},
    [ICON_PENCIL] = {{PATH, 4, {{-0.5f, 0.75f}, {-0.85f, 0.85f}, {-0.75f, 0.5f}, {0.5f, -0.75f}}},
                     {PATH, 2, {{-0.5f, 0.75f}, {0.75f, -0.5f}}},
                     {PATH, 2, {{0.5f, -0.75f}, {0.75f, -0.5f}}}},
};

void icon_draw(Ui *ui, Icon icon, Vec2 centre, float side, Colour colour) {
    const float half = side / 2;
    for (const Shape *s = ICONS[icon]; s < ICONS[icon] + SHAPES_MAX && s->kind != END; s++) {
        Vec2 at[POINTS_MAX];
        for (int i = 0; i < POINTS_MAX; i++)
            at[i] = vec2_along(centre, s->at[i], half);
        Rect box = {at[0].x, at[0].y, s->at[1].x * half, s->at[1].y * half}, right = box;
        LabelStyle sign = {FONT_SANS_BOLD, s->size * half, colour, LABEL_CENTRE};
        Vec2 above = {at[0].x, centre.y - s->at[0].y * half};
        switch (s->kind) {
        case PATH:
            for (int i = 1; i < (int)s->size; i++)
                draw_line(ui->list, at[i - 1], at[i], fmaxf(1.4f, half * 0.2f), colour);
            break;
        case FILL:
            draw_fill(ui->list, box, s->size * half, colour);
            break;
        case BAR:
            draw_fill(ui->list, box, s->size, colour);
            break;
        case RING:
            draw_ring(ui->list, box, s->size * half, fmaxf(1.4f, half * 0.18f), colour);
            break;
        case HALF:
            rect_cut_left(&right, right.w / 2);
            right = draw_clip(ui->list, right);
            draw_fill(ui->list, box, s->size * half, colour);
            draw_clip_restore(ui->list, right);
            break;
        case POINT:
            draw_fill_triangle(ui->list, above, at[1], at[0], colour);
            break;
        case SIGN:
            label_draw(ui, box, &sign, "?");
            break;
        case END:
            break;
        }
    }
}
