/* icon.h: the icons of controls, drawn from boxes, lines and triangles. */
#ifndef HEADLIGHT_UI_ICON_H
#define HEADLIGHT_UI_ICON_H

#include "ui/ui.h"

typedef enum Icon {
    ICON_HEADS,
    ICON_COMPARE,
    ICON_GRAPH,
    ICON_WQK,
    ICON_STEPS,
    ICON_TRAIN,
    ICON_THEME,
    ICON_PRESENT,
    ICON_HELP,
    ICON_DICE,
    ICON_CHEVRON,
    ICON_COPY,
    ICON_TICK,
    ICON_CLOSE,
    ICON_PLAY,
    ICON_PAUSE,
    ICON_STOP,
    ICON_BACK,
    ICON_FORWARD,
    ICON_FIRST,
    ICON_LAST,
    ICON_MENU,
    ICON_INSPECT,
    ICON_ARROW,
    ICON_ASK,
    ICON_FILE,
    ICON_UNDO,
    ICON_REDO,
    ICON_PENCIL,
} Icon;

/* Draw the icon in a square with this side and centre. */
void icon_draw(Ui *ui, Icon icon, Vec2 centre, float side, Colour colour);

#endif
