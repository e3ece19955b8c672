#include "ui/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/button.h"
#include "ui/label.h"
#include "ui/skin.h"

#define BAR      6
#define STOP_W   72
#define NUMBER_W 60
#define GAP      14

bool progress(Ui *ui, UiId id, Rect rect, const char *what, float share) {
    LabelStyle words = {FONT_SANS, SKIN_TEXT, ui->theme->text_1, LABEL_LEFT};
    LabelStyle number = {FONT_MONO, SKIN_TEXT, ui->theme->text_1, LABEL_RIGHT};
    float done = fminf(fmaxf(share, 0), 1); /* NaN, an unknown share, becomes 0 */
    Rect stop = rect_cut_right(&rect, STOP_W);
    rect_cut_right(&rect, GAP);
    char text[16] = "…";
    if (!isnan(share))
        snprintf(text, sizeof text, "%d %%", (int)(done * 100));
    label_draw(ui, rect_cut_right(&rect, NUMBER_W), &number, text);
    rect_cut_right(&rect, GAP);
    float width = label_text_width(ui, &words, what) + 1;
    label_draw(ui, rect_cut_left(&rect, fminf(width, rect.w * 0.6f)), &words, what);
    rect_cut_left(&rect, GAP);
    Rect bar = {rect.x, rect.y + (rect.h - BAR) / 2, rect.w, BAR};
    draw_fill(ui->list, bar, BAR / 2, ui->theme->hover);
    bar.w *= done;
    draw_fill(ui->list, bar, fminf(BAR / 2, bar.w / 2), ui->theme->beam);
    return button_text(ui, id, stop, "Stop");
}
