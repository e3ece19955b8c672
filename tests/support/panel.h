/* panel.h: widgets on their own: a Ui with its draw list, driven by events frame by frame, with
 * as many passes as an App would make. */
#ifndef HEADLIGHT_TESTS_SUPPORT_PANEL_H
#define HEADLIGHT_TESTS_SUPPORT_PANEL_H

#include "support/drawn.h"
#include "ui/ui.h"

typedef struct Panel Panel;
struct Panel {
    Ui ui;
    DrawList list;
    TextMeasure measure;
    float scale;  /* device pixels in a logical one */
    Vec2 pointer; /* logical pixels */
    bool inside;
    unsigned mods; /* held */
    double time_s;
    void (*build)(Panel *panel); /* called for every pass; draws the widgets */
    void *data;                  /* build's own */
    int passes;                  /* of the last frame */
};

/* 800 × 600, dark, its first frame drawn. */
void panel_open(Panel *panel, void (*build)(Panel *panel), void *data);
void panel_close(Panel *panel);

/* Close the panel that is the first member of a structure. */
void panel_end(void *desk);

/* Declare a structure that begins with a panel and ends with its block, and open it. */
#define PANEL_IN(Type, name, open, ...)                                                            \
    LOCAL(panel_end) Type name;                                                                    \
    open(&(name), __VA_ARGS__)

/* Open a structure that begins with a panel before each test of a program, and close it after. */
#define PANEL_EACH(desk, open)                                                                     \
    static int each_begin(void **state) {                                                          \
        open(&(desk));                                                                             \
        return 0;                                                                                  \
    }                                                                                              \
    static int each_end(void **state) {                                                            \
        panel_end(&(desk));                                                                        \
        return 0;                                                                                  \
    }                                                                                              \
    TEST_EACH(each_begin, each_end)

/* A panel without widgets, whose Ui draws to its empty list. */
void panel_blank(Panel *panel);

/* Declare such a panel, which is closed with its block. */
#define PANEL(name)                                                                                \
    LOCAL(panel_close) Panel name;                                                                 \
    panel_blank(&(name))

void panel_events(Panel *panel, const InputEvent *events, int count);
void panel_move(Panel *panel, float x, float y);
void panel_press(Panel *panel, float x, float y, unsigned mods, int clicks);
void panel_release(Panel *panel, float x, float y);
void panel_click(Panel *panel, float x, float y);
void panel_wheel(Panel *panel, float x, float y, float notches, unsigned mods);
void panel_key(Panel *panel, uint32_t key, unsigned mods);

/* Keys and typed texts, divided by blanks: "Ctrl+K 'lecture' Enter". */
void panel_keys(Panel *panel, const char *keys);

/* Convert the first of these keys to an event, whose text is in word. False if no key is left. */
#define KEYS_WORD 128
bool keys_next(const char **keys, InputEvent *event, char word[KEYS_WORD]);

void panel_text(Panel *panel, InputKind kind, const char *text);

#endif
