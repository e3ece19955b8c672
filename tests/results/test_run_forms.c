/* How the Results deals with the forms of the weights. */
#include <math.h>

#include "base/util.h"
#include "results/fresh.h"
#include "support/test.h"

/* The form in use is compared with another form, if there is one that must be equal or may
 * differ. */
TEST(forms_are_compared_where_they_can_be) {
    static const struct {
        const char *positions, *form;
        int checked;
        bool must_agree;
        int rank;
    } cases[] = {
        {"none", "separate", FORM_MERGED, true, 16},
        {"none", "merged", FORM_SEPARATE, true, 16},
        {"none", "nested", FORM_SEPARATE, true, 16},
        {"none", "rank:16", FORM_SEPARATE, true, 16},
        {"none", "rank:3", FORM_SEPARATE, false, 3},
        {"none", "free", FORM_UNCHECKED, true, -1},
        {"rope", "separate", FORM_UNCHECKED, true, 16},
        {"rope", "nested", FORM_SEPARATE, true, 16},
    };
    LOCAL(bench_close) Bench b = bench_of("bias=all");
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        set(&b, "positions", "none");
        set(&b, "form", cases[i].form);
        set(&b, "positions", cases[i].positions);
        assert_true(update(&b));
        const LayerResults *layer = &b.run.layers[0];
        assert_true(results_check(&b.run, 0, &b.run.err));
        assert_int_equal(layer->checked, cases[i].checked);
        assert_int_equal(results_rank(&b.run, 0, 0), cases[i].rank);
        if (layer->checked == FORM_UNCHECKED) {
            assert_true(isnan(b.run.layers[0].figures.form_difference_S));
            continue;
        }
        assert_int_equal(layer->must_agree, cases[i].must_agree);
        assert_int_equal(b.run.layers[0].figures.form_difference_S < 1e-4f, cases[i].must_agree);
    }
}

TEST(the_family_of_offsets_is_made_on_request) {
    LOCAL(bench_close) Bench b = bench_of("form=merged");
    assert_true(update(&b) && results_offset_family(&b.run, 0, &told));
    assert_int_equal(b.run.layers[0].W_QK_offset.rows, 0);
    set(&b, "positions", "rope");
    assert_true(update(&b));
    assert_int_equal(b.run.layers[0].W_QK_offset.rows, 0);
    assert_true(results_offset_family(&b.run, 0, &told));
    assert_int_equal(b.run.layers[0].W_QK_offset.rows, 23 * 4 * 64);
    set(&b, "d-model", "4096");
    set(&b, "heads", "64");
    assert_true(update(&b));
    assert_false(results_offset_family(&b.run, 0, &told));
    assert_string_equal(told.what, "W_QK_offset");
}

TEST(options_that_no_form_can_hold_are_refused) {
    LOCAL(bench_close) Bench b = bench_of("form=rank:64");
    assert_false(try_set(&b, "form", "rank:65"));
    assert_false(try_set(&b, "form", "rank:0"));
    assert_false(try_set(&b, "positions", "rope"));
    assert_false(try_set(&b, "d-model", "32"));
    set(&b, "form", "free");
    assert_false(try_set(&b, "positions", "rope"));
    set(&b, "form", "nested");
    set(&b, "d-k", "3");
    assert_false(try_set(&b, "positions", "rope"));
    set(&b, "d-k", "6");
    set(&b, "positions", "rope");
    assert_false(try_set(&b, "d-k", "5"));
    assert_false(try_set(&b, "form", "rank:2"));
    assert_true(update(&b));
}
