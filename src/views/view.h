/* view.h: the inputs of a view, and the interface that it implements. Each view is a folder with
 * one frame function. To add a view, write it and add a row to VIEWS in views.c. */
#ifndef HEADLIGHT_VIEWS_VIEW_H
#define HEADLIGHT_VIEWS_VIEW_H

#include "base/job.h"
#include "base/number.h"
#include "base/text_out.h"
#include "document/edit.h"
#include "model/init/scheme.h"
#include "results/cell_story.h"
#include "results/request.h"
#include "text/display.h"
#include "ui/icon.h"
#include "ui/label.h"
#include "ui/number_field.h"
#include "ui/scale_bar.h"
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

/* The cell under the pointer, which is marked in every panel. Views draw `lit` and set `next`. If
 * the two differ afterwards, the frame is built again. */
typedef struct Hover {
    AttnCell lit, next;
    /* True if the pointer is on the cell's row in the inspector; the rows then stay in place. */
    bool lit_is_row, next_is_row;
} Hover;

/* The kinds of files that a view can export. */
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

/* A layer that a view has trained, or whose nested projections it has multiplied into single
 * matrices. The App saves it in a file, and then uses that file. */
typedef struct ViewTrained {
    bool is_there;
    Weights *weights; /* owned, with an empty path; NULL if that failed, and err says why */
    char name[48];    /* name of the file, without folder and suffix */
    char note[160];   /* how it was trained, in words */
    Err err;
} ViewTrained;

typedef struct ViewContext {
    Ui *ui;
    const Session *session; /* the session that the results on screen belong to */
    const Session *today;   /* the current session, whose results may not be ready yet */
    const Results *run;     /* valid, and T > 0 */
    /* The Results before the last undo step that changed them; NULL if unknown. */
    const Results *before;
    EditQueue *edits;
    Hover *hover;
    const Settings *settings;
    ViewMemory *memory;
    double (*now_s)(void); /* a clock for measuring; NULL in a rendered picture */
    const JobPool *pool;   /* the pool that runs the jobs of this view */
    double *wait_ms;       /* milliseconds that this frame can still wait for jobs */
    Arena *scratch;        /* scratch memory for this frame, of view_scratch_bytes */
    float window_width;    /* width of the window in logical pixels, on which the layout depends */
    Rect beside_title;     /* the free part of the title’s line; w is 0 if there is none */
    bool is_hall;          /* true for a lecture hall: one subject, in large letters */
    bool is_late;          /* true if the view should say that it is still computing */
    bool waits; /* true while the view must draw its previous data, because a job computes new ones
                 */
    /* The view sets this to the kind of file to save; the App asks the user for its name. */
    ViewResult *save;
    /* The view fills this to have the App use a new layer; the App then owns its weights. */
    ViewTrained *trained;
    /* The pair of tokens that the example's seed was chosen for, or ATTN_CELL_NONE. */
    AttnCell chosen;
    const char *why_chosen;
} ViewContext;

/* The data that a view computes from the Results before it can draw. If there are threads, a job
 * computes them; until it is finished the view draws its previous data. */
typedef struct ViewMaking {
    /* True if nothing needs to be computed. */
    bool (*is_made)(const ViewContext *context);
    /* True if the previous data belong to these Results, so that they can be drawn while new data
     * are computed. */
    bool (*is_there)(const ViewContext *context);
    /* Compute the data in three steps. make may run in any thread, with a context that has only
     * session, Results, settings and memory; it fails if the job is cancelled. take gets the result
     * of make. begin may be NULL. is_shown: true if these Results are on screen; false if they are
     * still being computed. */
    void (*begin)(const ViewContext *context, bool is_shown);
    bool (*make)(const ViewContext *context, const Job *job);
    void (*take)(const ViewContext *context, bool is_made);
} ViewMaking;

/* The setting that playing advances, such as a step. Each position is an undo step. If an edit
 * restarts what is played, the setting becomes 0. */
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
    /* Return the bytes that the view needs in addition to view_scratch_bytes; NULL for none. */
    uint64_t (*scratch_bytes)(const Results *run);
    /* Fill the request with what the view needs in addition to the layer itself; NULL for nothing.
     * request is all zero at first. The results on screen may be of an earlier request: see
     * run->analysis->request. */
    void (*request)(ResultsRequest *request, const Session *session, const Settings *settings);
    const ViewMaking *making; /* NULL if the view computes no data of its own */
    /* True if the view uses its full height, so that the source of the weights is written next to
     * the title instead of in a row of its own. */
    bool fills_height;
    float tools_w; /* px that the controls of the view need next to the title */
    /* Px that the controls need at least: a subtitle that leaves less is omitted. */
    float tools_least_w;
    /* True if the view also takes the inspector's place; the inspector then opens over the view. */
    bool is_wide;
    /* True if the view, without a pin, explains the cell that the option `focus` chooses. */
    bool has_focus;
    /* Write the view's numbers as CSV, JSON or, if the view has schemes, PyTorch. Return false if
     * there is nothing to write yet, or if memory runs out. */
    bool (*results)(const ViewContext *context, ViewResult result, TextOut *out);
    /* Write a subtitle that depends on the settings; if is_short, a short version. NULL if the view
     * has the fixed `subtitle` and `subtitle_short`. */
    void (*subtitle_of)(char out[VIEW_SUBTITLE_MAX], const Session *session,
                        const Settings *settings, bool is_short);
    /* Handle the keys of a view that plays: Space, Home, End, Left and Right (the last two also
     * with Shift). Return false if the view has no such button now. In that case, and if press is
     * NULL, the arrow keys move the pin. */
    bool (*press)(const ViewContext *context, TransportButton button);
    /* The setting that playing advances; NULL if the view does not play. */
    const ViewPosition *position;
} View;

extern const View VIEWS[];
extern const Registry VIEW_REGISTRY;

/* Return the number of bytes that a frame of this view takes at most from the scratch arena. */
uint64_t view_scratch_bytes(const View *view, const Results *run);

/* Start a job and wait for it for at most *context->wait_ms. */
void view_job_start(const ViewContext *context, Job *job);

/* True while the job works. Then another frame is requested soon. */
bool view_job_is_working(const ViewContext *context, Job *job);

/* Play the steps of a view, or stop. */
void view_player_set(const ViewContext *context, Player *player, bool plays);

/* True if the next step is due. Stop playing at the end, or if the view was hidden. Call once a
 * pass. */
bool view_player_is_due(const ViewContext *context, Player *player, bool is_at_end);

/* Return the step, from least to last, to which a button leads. TRANSPORT_FIRST leads to step 1. */
int view_player_step(TransportButton button, int step, int least, int last);

/* Set an option of STATE_OPTIONS or PICTURE_OPTIONS, named by its key, after this frame. Edits with
 * the same serial are one undo step; serial 0 is always a step of its own. Asserts that the key
 * exists. */
void view_set(const ViewContext *context, const char *key, const char *value, uint64_t serial);
void view_set_number(const ViewContext *context, const char *key, double number, uint64_t serial);

/* Set a choice to this row of its registry, as an undo step of its own. */
void view_set_row(const ViewContext *context, const char *key, int row);

/* Apply the change of a number field to an option of PICTURE_OPTIONS. stepped: the new value if the
 * change is a step. */
void view_take_number(const ViewContext *context, const char *key, const NumberChange *change,
                      double stepped);

/* Return the pinned cell (layer 0, chosen head), or ATTN_CELL_NONE. */
AttnCell view_pin(const ViewContext *context);

/* Return the cell that is explained while the pointer is on none: the pinned cell or, in a view
 * with has_focus and unless the option `focus` is nothing, the strongest cell of the chosen head.
 * Return ATTN_CELL_NONE if there is neither, if all weights are equal, or if tokens are
 * selected. */
AttnCell view_rest(const ViewContext *context);

/* Return the cell under the pointer or, if there is none, view_rest. */
AttnCell view_focus(const ViewContext *context);

/* Return the cell under the pointer in a head's (T, T) matrix that is drawn in the rectangle
 * `cells`, or ATTN_CELL_NONE. */
AttnCell view_cell_under(const ViewContext *context, Rect cells, int T, int head);

/* Draw a ring around the focused cell, if any, in a (T, T) matrix that is drawn in the rectangle
 * `cells`. */
void view_ring_focus(const ViewContext *context, Rect cells, int T);

/* Pin a cell and choose its head, or unpin it if it is pinned. */
void view_toggle_pin(const ViewContext *context, AttnCell cell);

/* While the user edits a number, return a row of A as it was before the edit, otherwise NULL.
 * Borrowed. */
const float *view_row_before(const ViewContext *context, int head, int query);

/* Return the token under the pointer, or -1 if the pointer is on a pair of tokens or on none. */
int view_lit_token(const ViewContext *context);

/* Pin a token as the query, together with the pinned key or, without one, the key that it reads
 * most. If as_key, pin it as the key, together with the pinned query or the query that reads it
 * most. */
void view_pin_token(const ViewContext *context, int token, bool as_key);

/* A token's name, cut to a width at its letter size. */
typedef struct ViewName {
    char text[LABEL_CUT_MAX];
    float width;
} ViewName;
ViewName view_name(const ViewContext *context, const LabelStyle *style, TokenLabel name,
                   float most);

/* Return the width of the widest token name, at most `most`. In a long text only the first tokens
 * count. */
float view_names_width(const ViewContext *context, Font font, float size, float most);

/* Write the token's text for use in a sentence. A text of more than `most` bytes is cut at a whole
 * character and gets an ellipsis. Right-to-left text gets invisible characters that isolate it. */
#define VIEW_NAME_MAX 72
const char *view_token_name(char out[VIEW_NAME_MAX], const ViewContext *context, int i,
                            size_t most);
#define TOKEN_NAME(context, i, most) view_token_name((char[VIEW_NAME_MAX]){0}, context, i, most)

/* Write "query → key". A text of more than `most` bytes is cut as in view_token_name. */
#define VIEW_PAIR_MAX (2 * (TOKEN_DISPLAY_MAX + 24))
const char *view_pair_name(char out[VIEW_PAIR_MAX], const ViewContext *context, int query, int key,
                           size_t most);
#define PAIR_NAME(context, query, key, most)                                                       \
    view_pair_name((char[VIEW_PAIR_MAX]){0}, context, query, key, most)

/* Write a pair with positions, "7 query → 5 key", which distinguish equal words. */
const char *view_pair_numbered(char out[VIEW_PAIR_MAX], const ViewContext *context, int query,
                               int key, size_t most);

/* If hovered is true and the name is wider than room, show the whole name in a tooltip. */
void view_token_tip(const ViewContext *context, UiId owner, Rect place, bool hovered,
                    const LabelStyle *style, float room, int token);

/* Mark this cell as the one under the pointer. */
void view_light(const ViewContext *context, AttnCell cell);

/* Mark the cell of an inspector row that is under the pointer. The inspector then keeps its list,
 * so that the row stays under the pointer. */
void view_light_row(const ViewContext *context, AttnCell cell);

/* Return one head's weights (T, T) for drawing: closed pairs are DRAW_CELL_MASKED. Borrowed from
 * the Results or, if a pair may be closed, from scratch. */
Mat view_weights(const ViewContext *context, int layer, int head);

/* Return the index in PALETTES of the palette for signed, or for unsigned, values. */
int view_palette(const ViewContext *context, bool is_signed);

/* Return a matrix as cells without gaps, on a colour scale from 0 (if signed, from −hi) to hi. */
DrawCells view_cells_of(const ViewContext *context, Rect rect, const Mat *m, float hi,
                        bool is_signed);

/* Draw a matrix whose colours fade to new values. After a change of the seed they fade from left to
 * right. They change at once while a control is held down, or if cells are at most a pixel. id
 * identifies the matrix in this view. */
void view_cells(const ViewContext *context, UiId id, const DrawCells *cells);

/* Return the number of tokens that are selected in Heads, as queries or as keys. */
int view_selected_tokens(const ViewContext *context);

/* Return the number of consecutive heads that share their keys and values; 1 if none do. */
int view_heads_sharing(const ViewContext *context);

Colour view_head_colour(const ViewContext *context, int head);

/* True if every query of a head gives all its open keys nearly the same weight, and some query has
 * more than one. */
bool view_is_uniform(const ViewContext *context, int layer, int head);

/* Write a value for a pill: with all digits of the float if exact, otherwise with two decimals. */
const char *view_value_text(char text[NUMBER_TEXT], float value, bool exact);
#define VALUE_TEXT(value, exact) view_value_text((char[NUMBER_TEXT]){0}, value, exact)

/* Draw words on a pill (a filled, rounded background), which is centred at a point but kept inside
 * bounds. view_pill_size returns the pill's size; view_value_pill draws a value. */
void view_pill(const ViewContext *context, Vec2 middle, Rect bounds, const char *text);
Vec2 view_pill_size(const ViewContext *context, const char *text);
void view_value_pill(const ViewContext *context, Vec2 middle, Rect bounds, float value, bool exact);

/* Return a colour scale from 0 (if signed, from −hi) to hi, without a name and a mark. */
ScaleBar view_scale_of(const ViewContext *context, float hi, bool is_signed);

/* Show in area why there is no picture, and report it as this pass's failure. */
void view_fail(const ViewContext *context, Rect area, const char *what, const char *why);

/* Return the upper end of a colour scale for weights up to `most`: the next multiple of 0.05, at
 * most 1; or 1 if most is 0. */
float view_scale_end(float most);

/* Return an even share, 1/n for n tokens: the weight of each key in a query that prefers none.
 * Return 0 if there is only one token, or a mask, because the number of open keys may then differ
 * from query to query. */
float view_even_share(const ViewContext *context);

/* Return the upper end of the colour scale that all heads share. */
float view_scale_top(const ViewContext *context);

#endif
