#include "ui/mark.h"

static void triangle(Ui *ui, Vec2 a, Vec2 b, Vec2 c, Colour colour) {
    draw_triangle(ui->list, &(DrawTriangle){a, b, c, colour, colour, colour});
}

void mark_draw(Ui *ui, Mark mark, Vec2 at, float size, Colour colour) {
    float half = size / 2, side = size * 0.89f, reach = size * 0.63f;
    switch (mark) {
    case MARK_NONE:
        break;
    case MARK_CIRCLE:
        draw_fill(ui->list, (Rect){at.x - half, at.y - half, size, size}, half, colour);
        break;
    case MARK_SQUARE:
        draw_fill(ui->list, (Rect){at.x - side / 2, at.y - side / 2, side, side}, 1, colour);
        break;
    case MARK_TRIANGLE:
        triangle(ui, (Vec2){at.x, at.y - reach}, (Vec2){at.x + reach, at.y + half},
                 (Vec2){at.x - reach, at.y + half}, colour);
        break;
    case MARK_DIAMOND:
        triangle(ui, (Vec2){at.x, at.y - reach}, (Vec2){at.x + reach, at.y},
                 (Vec2){at.x - reach, at.y}, colour);
        triangle(ui, (Vec2){at.x, at.y + reach}, (Vec2){at.x + reach, at.y},
                 (Vec2){at.x - reach, at.y}, colour);
        break;
    }
}
