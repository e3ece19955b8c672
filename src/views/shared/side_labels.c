#include "views/shared/side_labels.h"

#include <math.h>
#include <stdlib.h>

#define LINE     1.1f  /* minimum distance of two lines of text, as a multiple of the letter size */
#define PAD      0.38f /* how far a background extends beyond its name, in letter sizes */
#define CAP_HALF 0.36f /* half a capital's height, in letter sizes */
#define RADIUS   6.0f

static bool are_columns(const SideLabels *l) {
    return l->angle_rad > 0;
}

static int token_at(const SideLabels *l, int place) {
    return l->at != NULL ? l->at[place] : place;
}

static float pitch_of(const SideLabels *l) {
    return l->cell * (are_columns(l) ? sinf(l->angle_rad) : 1);
}

/* Return the minimum distance from a line with a background to the next line. */
static float clear_of(const SideLabels *l) {
    return (l->pill + l->size) / 2;
}

/* Set *middle to the centre of a place, measured along the matrix's side. Return false if the place
 * is not visible. */
static bool is_seen(const SideLabels *l, int place, float *middle) {
    *middle = ((float)place + 0.5f - l->first) * l->cell;
    return *middle > 0 && *middle < (are_columns(l) ? l->matrix.w : l->matrix.h);
}

static bool is_marked(const SideLabels *l, int place) {
    bool is_selected = l->selected != NULL && l->selected[token_at(l, place)];
    return place == l->lit || place == l->bold || is_selected;
}

/* True if the name is shown in this pass. The first pass shows unmarked names that touch no marked
 * name. The second pass (`marked`) shows the lit name and other marked names that do not overlap.
 * before: the place of the marked name shown last, or -1. */
static bool is_shown(const SideLabels *l, int place, bool marked, int before) {
    float pitch = pitch_of(l), clear = clear_of(l);
    if (is_marked(l, place) != marked)
        return false;
    if (marked)
        return place == l->lit || ((before < 0 || (float)(place - before) * pitch >= clear) &&
                                   (l->lit < 0 || (float)abs(place - l->lit) * pitch >= clear));
    bool shown = place % (int)ceilf(l->size * LINE / pitch) == 0;
    for (int d = 1; shown && (float)d * pitch < clear; d++)
        shown = !(place >= d && is_marked(l, place - d)) &&
                !(place + d < l->count && is_marked(l, place + d));
    return shown;
}

static LabelStyle style_of(const SideLabels *l, int place) {
    const Theme *theme = l->context->ui->theme;
    bool marked = is_marked(l, place), faint = l->faint != NULL && l->faint[token_at(l, place)];
    return (LabelStyle){marked ? FONT_SANS_BOLD : FONT_SANS, l->size,
                        place == l->bold && place != l->lit ? theme->text_1
                        : marked                            ? theme->text_on_fill
                        : faint                             ? theme->control
                                                            : theme->text_2,
                        LABEL_RIGHT};
}

static ViewName name_of(const SideLabels *l, int place) {
    LabelStyle style = style_of(l, place);
    return view_name(l->context, &style, l->names[token_at(l, place)], l->most);
}

static void upright(const SideLabels *l, int place, float right, float y) {
    Ui *ui = l->context->ui;
    LabelStyle style = style_of(l, place);
    ViewName name = name_of(l, place);
    float pad = PAD * l->size;
    if (style.colour == ui->theme->text_on_fill)
        draw_fill(ui->list,
                  (Rect){right - name.width - pad, y - l->pill / 2, name.width + 2 * pad, l->pill},
                  RADIUS, ui->theme->fill);
    label_draw(ui, (Rect){right - name.width - 1, y - l->size, name.width + 1, 2 * l->size}, &style,
               name.text);
}

static Vec2 foot_of(const SideLabels *l, float middle) {
    return (Vec2){l->matrix.x + middle, l->matrix.y - l->gap};
}

/* Return the point that is at distance `along` from the foot of a column's name, and `across` to
 * the right of the name's line. */
static Vec2 on(const SideLabels *l, Vec2 foot, float along, float across) {
    float x = cosf(l->angle_rad), y = sinf(l->angle_rad);
    return (Vec2){foot.x + x * along + y * across, foot.y - y * along + x * across};
}

static bool leaves(const SideLabels *l, Vec2 foot, float width) {
    return on(l, foot, width, 0).x + l->pill > rect_right(l->context->ui->list->clip);
}

/* Return the right end of a horizontal name, which is centred at x if there is room. */
static float upright_end(const SideLabels *l, float x, float width) {
    float pad = PAD * l->size, right = rect_right(l->context->ui->list->clip) - pad;
    return fmaxf(fminf(x + width / 2, right), l->left + width + pad);
}

void side_labels_upright(const SideLabels *l, float y) {
    float middle;
    if (l->lit >= 0 && is_seen(l, l->lit, &middle))
        upright(l, l->lit, upright_end(l, l->matrix.x + middle, name_of(l, l->lit).width),
                y + l->pill / 2);
}

/* Draw a column's name. Its background, rotated like the name, is made of two bars and four
 * discs. */
static void column_label(const SideLabels *l, int place, float middle) {
    Ui *ui = l->context->ui;
    LabelStyle style = style_of(l, place);
    ViewName name = name_of(l, place);
    Vec2 foot = foot_of(l, middle);
    if (leaves(l, foot, name.width)) {
        if (place == l->lit)
            side_labels_upright(l, foot.y - l->pill);
        return;
    }
    if (is_marked(l, place)) {
        Colour fill = ui->theme->fill;
        float start = -PAD * l->size, end = name.width - start, side = l->pill / 2 - RADIUS;
        draw_line(ui->list, on(l, foot, start, 0), on(l, foot, end, 0), 2 * side, fill);
        draw_line(ui->list, on(l, foot, start + RADIUS, 0), on(l, foot, end - RADIUS, 0), l->pill,
                  fill);
        for (int i = 0; i < 4; i++) {
            Vec2 at = on(l, foot, i % 2 == 0 ? start + RADIUS : end - RADIUS, i < 2 ? side : -side);
            draw_disc(ui->list, at, RADIUS, fill, 0, 0);
        }
    }
    label_turned(ui, on(l, foot, 0, CAP_HALF * l->size), -l->angle_rad, &style, name.text);
}

void side_labels_draw(const SideLabels *l) {
    int first = (int)l->first;
    float middle, covered = INFINITY; /* the x from which on a horizontal name covers others */
    if (are_columns(l) && l->lit >= 0 && is_seen(l, l->lit, &middle)) {
        float width = name_of(l, l->lit).width;
        if (leaves(l, foot_of(l, middle), width))
            covered = upright_end(l, l->matrix.x + middle, width) - width - 2 * l->pill;
    }
    /* Marked names come last, because their backgrounds cover other names. */
    for (int pass = 0; pass < 2; pass++)
        for (int place = first, before = -1; place < l->count; place++) {
            bool seen = is_seen(l, place, &middle);
            if (!seen && place > first)
                break;
            if (!seen || !is_shown(l, place, pass == 1, before) ||
                (pass == 0 && l->matrix.x + middle > covered))
                continue;
            before = place;
            if (are_columns(l))
                column_label(l, place, middle);
            else
                upright(l, place, l->matrix.x - l->gap, l->matrix.y + middle);
        }
}

int side_labels_pointer(const SideLabels *l, UiId id, Rect strip, UiState *state) {
    Ui *ui = l->context->ui;
    Vec2 at = ui->pointer;
    float rise = fmaxf(l->matrix.y - l->gap - at.y, 0);
    float along =
        are_columns(l) ? at.x - rise / tanf(l->angle_rad) - l->matrix.x : at.y - l->matrix.y;
    int place = (int)floorf(along / l->cell + l->first);
    float middle;
    if (!ui_over(ui, strip) || place < 0 || place >= l->count || !is_seen(l, place, &middle))
        return -1;
    *state = ui_control(ui, id, strip, UI_NO_FOCUS);
    return state->hovered ? token_at(l, place) : -1;
}
