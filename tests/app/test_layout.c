#include <math.h>

#include "app/layout.h"
#include "base/util.h"
#include "support/test.h"

TEST(the_automatic_scale_follows_the_smaller_side) {
    static const struct {
        float width, height, density, person, scale;
    } cases[] = {
        {1728, 1080, 0, 1, 1},      {3840, 2160, 1, 1, 2},         {1024, 768, 1, 1, 0.83f},
        {1440, 900, 1, 1, 0.8333f}, {1920, 1080, 0, 1.5f, 1.5f},   {1728, 2000, 1, 1, 1},
        {100, 100, 0, 1, 0.83f},    {1920, 1080, 1, 0.75f, 0.75f}, {3840, 2160, 2, 1, 2},
        {1920, 1080, 2, 1, 1.66f},  {2048, 1536, 2, 1, 1.66f},     {2048, 1536, 2, 0.75f, 1.245f}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_float_equal(
            layout_scale(cases[i].width, cases[i].height, cases[i].density, cases[i].person),
            cases[i].scale, 1e-3);
}

TEST(widths_reflow_at_their_borders) {
    static const struct {
        float width;
        LayoutWidth expected;
    } cases[] = {{1728, LAYOUT_WIDE},   {1727.6f, LAYOUT_WIDE}, {1727, LAYOUT_MEDIUM},
                 {1360, LAYOUT_MEDIUM}, {1359, LAYOUT_DRAWER},  {1000, LAYOUT_DRAWER},
                 {999, LAYOUT_NARROW},  {430, LAYOUT_NARROW}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++)
        assert_int_equal(layout_of(cases[i].width, 1000, 0, false, false).width, cases[i].expected);
    assert_true(layout_of(1728, 819, 0, false, false).state_folded);
    assert_false(layout_of(1728, 820, 0, false, false).state_folded);
    assert_false(layout_of(1728, 599, 0, false, false).has_title);
    assert_true(layout_of(1728, 1080, 0, false, false).has_title);
    assert_true(layout_of(399, 1000, 0, false, false).too_small);
    assert_true(layout_of(1000, 279, 0, false, false).too_small);
    assert_false(layout_of(400, 280, 0, false, false).too_small);
}

static bool apart(Rect a, Rect b) {
    Rect both = rect_intersect(a, b);
    return both.w <= 0 || both.h <= 0;
}

static void check_parts(float width, float height, bool drawer) {
    Layout l = layout_of(width, height, 0, false, drawer);
    const Rect parts[] = {l.text_row, l.state_row, l.rail, l.view, l.status, l.inspector};
    bool over = l.width > LAYOUT_MEDIUM; /* the drawer covers the view */
    double area = 0;
    for (size_t i = 0; i < ARRAY_COUNT(parts); i++) {
        Rect p = parts[i];
        assert_true(p.w >= 0 && p.h >= 0 && p.x >= 0 && p.y >= 0);
        assert_true(rect_right(p) <= width + 1e-2f && rect_bottom(p) <= height + 1e-2f);
        for (size_t k = 0; k < i; k++)
            if (!apart(p, parts[k]) && !(over && i == 5))
                fail_msg("%.0f × %.0f: parts %zu and %zu overlap", (double)width, (double)height, k,
                         i);
        area += over && i == 5 ? 0 : (double)p.w * (double)p.h;
    }
    assert_true(fabs(area - (double)width * (double)height) < 1); /* nothing is left over */
    assert_int_equal(l.inspector.w > 0, !over || drawer);
}

TEST(parts_fill_the_window_and_never_overlap) {
    for (float width = 0; width < 4000; width += 37)
        for (float height = 0; height < 2400; height += 53) {
            check_parts(width, height, false);
            if (width > 0 && height > 200)
                check_parts(width, height, true);
        }
}
