#include "ui/layout.h"

#include <assert.h>
#include <math.h>

/* Hide places until the least sizes of the others fit into room, if that is possible. Return true
 * if none is hidden. */
static bool hide_short(bool hidden[], float room, float gap, const Track *tracks, int count) {
    bool all = true;
    for (;;) {
        float need = -gap;
        int first = -1;
        for (int i = 0; i < count; i++) {
            if (hidden[i])
                continue;
            need += tracks[i].least + gap;
            if (tracks[i].hide > 0 && (first < 0 || tracks[i].hide > tracks[first].hide))
                first = i;
        }
        if (need <= room + 0.01f || first < 0)
            return all;
        hidden[first] = true;
        all = false;
    }
}

/* Share room among the places that are not fixed yet. A place whose share is below its least
 * size or above its largest size is fixed at that limit, and the others share the remaining room
 * again. */
static void share_room(float sizes[], bool fixed[], float room, const Track *tracks, int count) {
    for (int pass = 0; pass < 2 * count; pass++) {
        float shares = 0, spare = room;
        bool again = false;
        for (int i = 0; i < count; i++) {
            shares += fixed[i] ? 0 : tracks[i].share;
            spare -= fixed[i] ? sizes[i] : 0;
        }
        for (int i = 0; i < count; i++)
            sizes[i] = fixed[i] ? sizes[i] : fmaxf(spare, 0) * tracks[i].share / shares;
        for (int i = 0; i < count; i++)
            if (!fixed[i] && sizes[i] < tracks[i].least) {
                sizes[i] = tracks[i].least;
                fixed[i] = again = true;
            }
        for (int i = 0; i < count && !again; i++)
            if (!fixed[i] && tracks[i].most > 0 && sizes[i] > tracks[i].most) {
                sizes[i] = tracks[i].most;
                fixed[i] = again = true;
            }
        if (!again)
            return;
    }
}

bool layout_row(Rect places[], Rect area, float gap, const Track tracks[], int count) {
    assert(count <= LAYOUT_MAX);
    bool hidden[LAYOUT_MAX] = {false}, fixed[LAYOUT_MAX];
    float sizes[LAYOUT_MAX], room = area.w;
    bool all = hide_short(hidden, room, gap, tracks, count);
    int seen = 0;
    for (int i = 0; i < count; i++) {
        seen += !hidden[i];
        sizes[i] = hidden[i] ? 0 : tracks[i].least;
        fixed[i] = hidden[i] || tracks[i].share <= 0;
    }
    share_room(sizes, fixed, room - gap * (float)(seen - 1), tracks, count);
    for (int i = 0; i < count; i++) {
        places[i] = (Rect){0};
        if (hidden[i])
            continue;
        places[i] = rect_cut_left(&area, sizes[i]);
        rect_cut_left(&area, gap);
    }
    return all;
}

Rect layout_part(Rect area, float gap, int i, int count) {
    float width = (area.w - gap * (float)(count - 1)) / (float)count;
    return (Rect){area.x + (width + gap) * (float)i, area.y, width, area.h};
}

Rect layout_cell(Rect area, float gap, float row_h, int i, int across) {
    Rect row = {area.x, area.y + row_h * (float)(i / across), area.w, row_h};
    return layout_part(row, gap, i % across, across);
}
