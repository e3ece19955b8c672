/* view.h: the inputs of a view and the interface that it implements. Each view is a folder with one
 * frame function; to add a view, write it and give it a row of VIEWS in views.c. */
#ifndef HEADLIGHT_VIEWS_VIEW_H
#define HEADLIGHT_VIEWS_VIEW_H

#include "base/job.h"
#include "base/text_out.h"
#include "document/edit.h"
#include "model/init/scheme.h"
#include "results/cell_story.h"
#include "results/request.h"
#include "text/display.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/number_field.h"
#include "ui/transport.h"
#include "views/memory.h"
#include "views/settings.h"

#define VIEW_SUBTITLE_MAX 256
#define VIEW_VEIL         0.45f /* opacity of the veil over stale results */

/* The formula of a weight; softmax_terms computes its numbers. */
#define VIEW_WEIGHT_FORMULA "e^{s − \"max\"} / Σ e^{s − \"max\"}"

#define ATTN_CELL_NONE ((AttnCell){-1, -1, -1, -1})

static inline bool attn_cell_is_set(AttnCell s) {
    return s.query >= 0 && s.key >= 0;
}

static inline bool attn_cell_equal(AttnCell a, AttnCell b) {
    return a.layer == b.layer && a.head == b.head && a.query == b.query && a.key == b.key;
}

/* The cell under the pointer, which lights up in every panel. Views draw `lit` and set `next`; if
 * the two differ, the frame is built once more. */
typedef struct Hover {
    AttnCell lit, next;
    bool lit_is_row, next_is_row; /* set from a row of the inspector, which stays in place */
} Hover;

/* What a view can export: numbers, schemes, its picture, and files made in it. */
typedef enum ViewResult {
    RESULT_NONE,
    RESULT_CSV,
    RESULT_JSON,
    RESULT_PYTORCH,
    RESULT_PNG,
    RESULT_SVG,
    RESULT_TOUR,    /* a tour made in the window; see app/tour_editor.h */
    RESULT_TENSORS, /* all tensors of the layer */
    RESULT_COUNT
} ViewResult;

/* A trained layer that the App keeps in a file, and then uses. */
typedef struct ViewTrained {
    bool is_there;
    Weights *weights; /* owned, with an empty path; NULL if err says why it failed */
    char name[48];    /* of its file, without folder and suffix */
    char note[160];   /* how it was trained, in words */
    Err err;
} ViewTrained;

typedef struct ViewContext {
    Ui *ui;
    const Session *session; /* the session of the results on screen */
    const Session *today;   /* the current session, whose results may still be computed */
    const Results *run;     /* valid, and T > 0 */
    const Results *before;  /* those before the last undo step that changed any; NULL if unknown */
    EditQueue *edits;
    Hover *hover;
    const Settings *settings;
    ViewMemory *memory;
    double (*now_s)(void); /* a clock for measuring; NULL in a rendered picture */
    const JobPool *pool;   /* runs the jobs of this view */
    double *wait_ms;       /* how long this frame can still wait for jobs */
    Arena *scratch;        /* for this frame, with view_scratch_bytes of room */
    float window_width;    /* logical pixels; the layout depends on it */
    Rect beside_title;     /* the free part of the title’s line; w is 0 if none */
    bool is_hall;          /* the hall form, for a room: one subject, in large letters */
    bool is_late;          /* true if the view should say that it is still computing */
    bool waits;            /* a job is running, or the work is too long for this frame */
    ViewResult *save;      /* set to save a file under a name that the App asks for */
    ViewTrained *trained;  /* set to use a trained layer; the App takes over its weights */
    AttnCell chosen;       /* the pair that a seed was chosen for, or ATTN_CELL_NONE, */
    const char *why_chosen;
} ViewContext;

/* What a view computes from the Results before it can draw. With threads, a job computes it, and
 * the view draws its previous data until then. */
typedef struct ViewMaking {
    /* True if nothing must be computed. */
    bool (*is_made)(const ViewContext *context);
    /* True if there are data of these Results that can be drawn until then. */
    bool (*is_there)(const ViewContext *context);
    /* Compute the data in three steps. make runs in any thread, with a context that has only
     * session, Results, settings and memory; it fails if the job is cancelled, and take gets its
     * result. is_shown: these Results are on screen; otherwise they are still being computed. */
    bool (*begin)(const ViewContext *context, bool is_shown);
    bool (*make)(const ViewContext *context, const Job *job);
    void (*take)(const ViewContext *context, bool is_made);
} ViewMaking;

/* The setting that playing advances. Each position is an undo step. If an edit restarts what is
 * played, the setting is reset to 0. */
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
    void (*inspector)(const ViewContext *context, Rect area); /* NULL for the inspector of a cell */
    uint64_t (*scratch_bytes)(
        const Results *run); /* bytes in addition to view_scratch_bytes; NULL for none */
    /* Fill the request for what the view needs in addition to the layer itself; NULL for nothing.
     * request is all zero at first. A frame may be built while the results are of an earlier
     * request: see run->analysis->request. */
    void (*request)(ResultsRequest *request, const Session *session, const Settings *settings,
                    const ViewMemory *memory);
    const ViewMaking *making; /* NULL for nothing */
    bool fills_height;        /* the view uses every line: the weights chip gets none of its own */
    float tools_w;            /* px that the view's tools need next to the title */
    bool is_wide;             /* the view takes the inspector's place, which becomes a drawer */
    bool has_focus;           /* without a pin, it shows the cell that the focus option chooses */
    /* Write the view's numbers as CSV, JSON or, if it has schemes, PyTorch. Return false if there
     * is nothing yet or memory runs out. */
    bool (*results)(const ViewContext *context, ViewResult result, TextOut *out);
    /* Write the subtitle if it depends on the settings, or a short form of it; NULL for the
     * constant subtitles above. */
    void (*subtitle_of)(char out[VIEW_SUBTITLE_MAX], const Session *session,
                        const Settings *settings, bool is_short);
    /* Handle Space, Home, End, Left and Right (the last two also with Shift) in a view that plays.
     * Return false if there is no such button; then, and if press is NULL, the arrows move the pin.
     */
    bool (*press)(const ViewContext *context, TransportButton button);
    const ViewPosition *position; /* what playing advances; NULL for none */
} View;

extern const View VIEWS[];
extern const Registry VIEW_REGISTRY;

/* Return the most bytes that a frame of this view takes from the scratch arena. */
uint64_t view_scratch_bytes(const View *view, const Results *run);

/* Start a job and wait for it as long as this frame can. */
void view_job_start(const ViewContext *context, Job *job);

/* True while the job works. Then another frame is requested soon. */
bool view_job_is_working(const ViewContext *context, Job *job);

/* Set an option of STATE_OPTIONS or PICTURE_OPTIONS by its key after this frame. Edits with one
 * serial are one undo step; serial 0 is always a step of its own. Asserts that the key exists. */
void view_set(const ViewContext *context, const char *key, const char *value, uint64_t serial);
void view_set_number(const ViewContext *context, const char *key, double number, uint64_t serial);

/* Apply a number field's change to an option of PICTURE_OPTIONS. stepped: the value after the
 * field's + or − is pressed. */
void view_take_number(const ViewContext *context, const char *key, const NumberChange *change,
                      double stepped);

/* Return the pinned cell (layer 0, chosen head), or ATTN_CELL_NONE. */
AttnCell view_pin(const ViewContext *context);

/* Return the cell explained while nothing is hovered: the pinned cell or, in a view with a focus,
 * the strongest cell of the chosen head. Return none if all weights are equal, tokens are selected,
 * or Escape was pressed. */
AttnCell view_rest(const ViewContext *context);

/* Return the lit cell, or else that of view_rest. */
AttnCell view_focus(const ViewContext *context);

/* Return the cell of a drawn (T, T) matrix of a head under the pointer, or ATTN_CELL_NONE. */
AttnCell view_cell_under(const ViewContext *context, Rect cells, int T, int head);

/* Draw a ring around the focused cell, if any, in a drawn (T, T) matrix. */
void view_ring_focus(const ViewContext *context, Rect cells, int T);

/* Pin a cell and choose its head, or unpin it if it is pinned. */
void view_toggle_pin(const ViewContext *context, AttnCell cell);

/* While a number is edited return a row of A as it was before, otherwise NULL. Borrowed. */
const float *view_row_before(const ViewContext *context, int head, int query);

/* Return the token that is lit without another one, or -1. */
int view_lit_token(const ViewContext *context);

/* Pin a token as the query, with the pinned key or the key it reads most; or as the key, with the
 * pinned query or the query that reads it most. */
void view_pin_token(const ViewContext *context, int token, bool as_key);

/* Return the text shown for token i: valid UTF-8, at most TOKEN_DISPLAY_MAX bytes, without a final
 * NUL. */
const char *view_token(const ViewContext *context, int i, size_t *bytes);

/* Write the token's text for use in a sentence: whole characters of at most VIEW_NAME_MAX bytes
 * with NUL, and an ellipsis if it is longer. Right-to-left text is isolated. */
#define VIEW_NAME_MAX 72
void view_token_name(char out[VIEW_NAME_MAX], const ViewContext *context, int i, size_t most);

/* Write "query → key". */
#define VIEW_PAIR_MAX (2 * (TOKEN_DISPLAY_MAX + 24))
void view_pair_name(char out[VIEW_PAIR_MAX], const ViewContext *context, int query, int key,
                    size_t most);

/* Write "7 query → 5 key": positions tell equal words apart. */
void view_pair_numbered(char out[VIEW_PAIR_MAX], const ViewContext *context, int query, int key,
                        size_t most);

/* Show the whole name in a tooltip if it does not fit the width and hovered is true. */
void view_token_tip(const ViewContext *context, UiId owner, Rect place, bool hovered,
                    const LabelStyle *style, float room, int token);

/* Light the cell under the pointer. */
void view_light(const ViewContext *context, AttnCell cell);

/* Light a cell from a row of the inspector. The inspector keeps its list, so that the row stays
 * under the pointer. */
void view_light_row(const ViewContext *context, AttnCell cell);

/* Return one head's weights as drawn, (T, T): closed pairs are DRAW_CELL_MASKED. Borrowed from the
 * Results, or from scratch if there is a mask. */
Mat view_weights(const ViewContext *context, int layer, int head);

/* Return the row of PALETTES for signed or unsigned values. */
int view_palette(const ViewContext *context, bool is_signed);

/* Return a matrix as cells without gaps, coloured from 0 (from −hi if signed) to hi. */
DrawCells view_cells_of(const ViewContext *context, Rect rect, const Mat *m, float hi,
                        bool is_signed);

/* Draw a matrix whose colours fade to new values: from left to right after another seed, at once
 * while something is dragged or if cells are at most a pixel. id identifies the matrix in this
 * view. */
void view_cells(const ViewContext *context, UiId id, const DrawCells *cells);

/* Return the number of tokens that are selected in Heads, as queries or as keys. */
int view_selected_tokens(const ViewContext *context);

/* Return the number of heads in a row that share their keys and values; 1 for none. */
int view_heads_sharing(const ViewContext *context);

Colour view_head_colour(const ViewContext *context, int head);

/* True if every query of a head gives all its open keys the same weight. */
bool view_is_uniform(const ViewContext *context, int layer, int head);

/* Write a value for a pill: every digit of the float if exact, otherwise two decimals. */
void view_value_text(char text[32], float value, bool exact);

/* Draw words on a filled pill that is centred at a point and kept inside bounds. The second
 * function returns the pill's size, the third draws a value. */
void view_pill(const ViewContext *context, Vec2 middle, Rect bounds, const char *text);
Vec2 view_pill_size(const ViewContext *context, const char *text);
void view_value_pill(const ViewContext *context, Vec2 middle, Rect bounds, float value, bool exact);

/* Return the upper end of a scale for weights up to `most`: a multiple of 0.05, or 1 if most is 0.
 * */
float view_scale_end(float most);

/* Return 1/n for n tokens, the weight of each key if a query favours none; 0 if a mask leaves
 * queries different numbers of keys, or there is one token. */
float view_even_share(const ViewContext *context);

/* Return the upper end of the scale that all heads share. */
float view_scale_top(const ViewContext *context);

#endif
