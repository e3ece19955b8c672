/* view.h: what a view is given and what it is. Each view is one file with one frame function;
 * to add one, write the file and give it a row of VIEWS in views.c. */
#ifndef HEADLIGHT_VIEWS_VIEW_H
#define HEADLIGHT_VIEWS_VIEW_H

#include "base/job.h"
#include "base/text_out.h"
#include "document/edit.h"
#include "model/init/scheme.h"
#include "results/request.h"
#include "text/display.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/number_field.h"
#include "ui/transport.h"
#include "views/memory.h"
#include "views/settings.h"

/* A place in the layer that can be lit or pinned: one weight A[query][key] of one head. All from
 * 0; -1 where there is none. */
typedef struct AttnCell {
    int layer, head, query, key;
} AttnCell;

#define VIEW_SUBTITLE_MAX 256
#define VIEW_VEIL         0.45f /* how much of what is not of today is taken away */

/* How a weight is computed, behind its name: softmax_terms has the numbers. */
#define VIEW_WEIGHT_FORMULA "e^{s − \"max\"} / Σ e^{s − \"max\"}"

#define ATTN_CELL_NONE ((AttnCell){-1, -1, -1, -1})

static inline bool attn_cell_is_set(AttnCell s) {
    return s.query >= 0 && s.key >= 0;
}

/* What the pointer rests on: the same thing is lit in every panel. Views draw `lit` and set
 * `next`; where the two differ the frame is built once more. */
typedef struct Hover {
    AttnCell lit, next;
    bool lit_is_row, next_is_row; /* it lights up from a row of the inspector's, which stays */
} Hover;

/* What can leave a view: its numbers, the schemes they are of, and its picture. */
typedef enum ViewResult {
    RESULT_NONE,
    RESULT_CSV,
    RESULT_JSON,
    RESULT_PYTORCH,
    RESULT_PNG,
    RESULT_SVG,
    RESULT_WEIGHTS, /* a trained layer, which is then put in use */
    RESULT_COUNT
} ViewResult;

/* A trained layer, for the App to save under a name that is asked for, and to put in use. */
typedef struct ViewTrained {
    bool is_there;
    Weights *weights; /* owned, its path empty; NULL where err says why there are none */
    char note[160];   /* how it was trained, for a person */
    Err err;
} ViewTrained;

typedef struct ViewContext {
    Ui *ui;
    const Session *session; /* what is shown */
    const Session *today;   /* what is asked for, which is another while that is being made */
    const Results *run;     /* valid, and T > 0 */
    EditQueue *edits;
    Hover *hover;
    const Settings *settings;
    ViewMemory *memory;
    double (*now_s)(void); /* a clock, for measuring; NULL in a rendered picture */
    JobHands hands;        /* whom work of many parts is shared out to */
    Arena *scratch;        /* for this pass, with view_scratch_bytes of room */
    float window_width;    /* logical pixels: what the layout reflows by */
    Rect beside_title;     /* what the view's title leaves of its line; w 0 where there is none */
    bool is_late;          /* what the view asks for has been missing for long enough to be said */
    bool waits;            /* what it makes is being made, or takes too long for a frame */
    ViewResult *save;      /* set for having it saved, under a name that is asked for */
    ViewTrained *trained;  /* likewise; its weights become the App's */
} ViewContext;

/* What a view makes of a Results before it draws. With a JobRunner a job makes it: until that is
 * done the view draws what it made before. */
typedef struct ViewMaking {
    /* True if nothing is missing. */
    bool (*is_made)(const ViewContext *context);
    /* Whether there is something of this Results to draw meanwhile. */
    bool (*is_there)(const ViewContext *context);
    /* In three parts, the second for any thread, with a context that has no more than session,
     * Results, settings and memory; it fails where the watch said to stop, and take is told.
     * is_shown: the Results is the one that is shown, else one that is yet to be made. */
    bool (*begin)(const ViewContext *context, bool is_shown);
    bool (*make)(const ViewContext *context, JobWatch *watch);
    void (*take)(const ViewContext *context, bool is_made);
} ViewMaking;

/* How far what a view shows has come, as a setting that playing moves on: wherever it is moved to
 * is one step of undo. An edit after which it restarts takes it back to 0. */
typedef struct ViewPosition {
    const char *key;
    bool (*restarts)(const Session *before, const Settings *settings_before, const Session *after,
                     const Settings *settings_after);
} ViewPosition;

typedef struct View {
    Entry entry;
    const char *subtitle, *subtitle_short;
    Icon icon;
    void (*frame)(const ViewContext *context, Rect area);
    void (*inspector)(const ViewContext *context, Rect area); /* NULL for that of a cell */
    size_t (*scratch_bytes)(const Results *run); /* beside view_scratch_bytes; NULL for none */
    /* What it asks of the Results beside what every Results has; NULL for nothing. wish is all
     * zero. A frame may come when what was made is of an earlier wish of the same Results: see
     * run->merge->wish. */
    void (*request)(ResultsRequest *request, const Session *session, const Settings *settings,
                    const ViewMemory *memory);
    const ViewMaking *making; /* fraction of a wheel notch not used yet */
    bool is_wide;             /* takes the inspector's place too, which then is a drawer */
    bool has_focus;           /* where nothing is pinned it shows what the focus option says */
    /* Write what it shows as CSV, JSON or PyTorch; false where there is nothing yet, or for want of
     * memory. NULL for a view without: then only its picture can be saved. */
    bool (*results)(const ViewContext *context, ViewResult result, TextOut *out);
    /* The subtitle where it depends on what is chosen, or a short one; NULL for those above. */
    void (*subtitle_of)(char out[VIEW_SUBTITLE_MAX], const Session *session,
                        const Settings *settings, bool is_short);
    /* What plays is told what Space, Home, End, Left and Right ask for, the last two with Shift as
     * well; false where it has no such button. Then, and in a view that does not play (NULL), the
     * arrows move the pin. */
    bool (*press)(const ViewContext *context, TransportButton button);
    const ViewPosition *position; /* of what goes on by itself; NULL for none */
} View;

extern const View VIEWS[];
extern const Registry VIEW_REGISTRY;

/* The room that a pass over that view may take from the scratch arena. */
size_t view_scratch_bytes(const View *view, const Results *run);

/* Set an option of STATE_OPTIONS or PICTURE_OPTIONS by its key, after this pass; edits of one
 * serial are one step of undo, 0 is a step of its own. Asserts that the key is known. */
void view_set(const ViewContext *context, const char *key, const char *value, uint64_t serial);
void view_set_number(const ViewContext *context, const char *key, double number, uint64_t serial);

/* What a number field asked for, as that option of PICTURE_OPTIONS, whose steps lead to stepped. */
void view_take_number(const ViewContext *context, const char *key, const NumberChange *change,
                      double stepped);

/* The pinned cell, or ATTN_CELL_NONE; its layer is 0 and its head the chosen one. */
AttnCell view_pin(const ViewContext *context);

/* What is looked at while the pointer is on nothing: the pinned cell, else in a view that has a
 * focus the strongest of the chosen head, unless all its weights are alike, tokens are selected, or
 * Escape has ended it. */
AttnCell view_rest(const ViewContext *context);

/* What is looked at: the lit cell, or else view_rest. */
AttnCell view_focus(const ViewContext *context);

/* Pin a cell and choose its head, or unpin it where it is pinned already. */
void view_toggle_pin(const ViewContext *context, AttnCell spot);

/* The token that is lit by itself, or -1. */
int view_lit_token(const ViewContext *context);

/* Pin a token as the query, with the key that is pinned or else the one it reads most; or as the
 * key, with the query that is pinned or else the one that reads it most. */
void view_pin_token(const ViewContext *context, int token, bool as_key);

/* What is shown for token i: valid UTF-8, at most TOKEN_DISPLAY_MAX bytes, not ended by NUL. */
const char *view_token(const ViewContext *context, int i, size_t *bytes);

/* The same for a sentence, ended by NUL: at most that many bytes of it, in whole characters, and an
 * ellipsis where there are more. One that reads from right to left turns nothing else around. */
#define VIEW_NAME_MAX 72
void view_token_name(char out[VIEW_NAME_MAX], const ViewContext *context, int i, size_t most);

/* "query → key", so many bytes of each. */
#define VIEW_PAIR_MAX (2 * (TOKEN_DISPLAY_MAX + 16))
void view_pair_name(char out[VIEW_PAIR_MAX], const ViewContext *context, int query, int key,
                    size_t most);

/* Its whole name where it is cut in a room of that width, while hovered says that the pointer is on
 * its place. */
void view_token_tip(const ViewContext *context, UiId owner, Rect place, bool hovered,
                    const LabelStyle *style, float room, int token);

/* Where the pointer rests over a cell or an edge, say so. */
void view_light(const ViewContext *context, AttnCell spot);

/* The same from a row that the inspector lists: it goes on with what it lists, or the row would be
 * gone from under the pointer. */
void view_light_row(const ViewContext *context, AttnCell spot);

/* One head's weights as they are drawn, (T, T): closed pairs are DRAW_CELL_MASKED. Borrowed from
 * the Results, or from scratch where a mask is in force. */
Mat view_weights(const ViewContext *context, int layer, int head);

/* The row of PALETTES for values that have a sign, or that have none. */
int view_palette(const ViewContext *context, bool is_signed);

/* A matrix as cells without gaps, coloured from 0, or from −hi where it is signed, to hi. */
DrawCells view_cells_of(const ViewContext *context, Rect rect, const Mat *m, float hi,
                        bool is_signed);

/* Draw a matrix whose colours pass to new values: left to right after another seed, and at once
 * while something is dragged or where a cell is no larger than a pixel. id is the matrix's own in
 * this view. */
void view_cells(const ViewContext *context, UiId id, const DrawCells *cells);

Colour view_head_colour(const ViewContext *context, int head);

/* Whether every query of a head gives all its open keys the same. */
bool view_is_uniform(const ViewContext *context, int layer, int head);

/* A value as pills say it: every digit of the float where it is exact, else two decimals. */
void view_value_text(char text[32], float value, bool exact);

/* Words on a fill, their middle at a point, kept inside bounds; how large that is; and a value so.
 */
void view_pill(const ViewContext *context, Vec2 middle, Rect bounds, const char *text);
Vec2 view_pill_size(const ViewContext *context, const char *text);
void view_value_pill(const ViewContext *context, Vec2 middle, Rect bounds, float value, bool exact);

/* The upper end of a scale for A whose largest is most: a multiple of 0.05; 1 where there is none.
 */
float view_scale_end(float most);

/* That of the scale that all heads share. */
float view_scale_top(const ViewContext *context);

#endif
