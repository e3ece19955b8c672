/* What is taken off the matrices of the wall: a head, another form, what was kept. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"
#include "support/matrices.h"
#include "support/test.h"
#include "views/shared/heatmap.h"

static void differences_are_of_what_is_shown(void **state) {
    Picture A = picture_of(""), less = picture_of("&minus=head:1");
    Picture form = picture_of("&minus=form");
    assert_int_equal(A.count, 2);
    for (int i = 0; i < entries(&A); i++) {
        assert_true(less.at[0][i] == 0);
        assert_true(less.at[1][i] == A.at[1][i] - A.at[0][i]);
        assert_true(fabsf(form.at[0][i]) < 1e-5f && fabsf(form.at[1][i]) < 1e-5f);
    }
}

/* Every quantity less that of the form beside is what the two show when each is in use; G is the
 * same in all. */
static void another_form_is_taken_off_every_quantity(void **state) {
    static const char *const forms[][2] = {
        {"separate", "merged"}, {"merged", "separate"}, {"rank:2", "separate"}, {"nested", NULL}};
    for (size_t f = 0; f < ARRAY_COUNT(forms); f++)
        for (int show = 0; show < SHOWS.count; show++) {
            char line[160];
            const char *id = registry_entry(&SHOWS, show)->id;
            snprintf(line, sizeof line, "&mask=causal&form=%s&show=%s", forms[f][0], id);
            Picture used = picture_of(line);
            strcat(line, "&minus=form");
            Picture less = picture_of(line), other = used;
            if (forms[f][1] != NULL) {
                snprintf(line, sizeof line, "&mask=causal&form=%s&show=%s", forms[f][1], id);
                other = picture_of(line);
            }
            for (int i = 0; i < entries(&used); i++) {
                float a = used.at[1][i], b = other.at[1][i], d = less.at[1][i];
                if (forms[f][1] != NULL)
                    assert_true(a == DRAW_CELL_MASKED ? d == DRAW_CELL_MASKED : d == a - b);
                else
                    assert_true(a == DRAW_CELL_MASKED || fabsf(d) < 1e-4f);
            }
        }
    Picture none = picture_of("&form=free&show=grad-a&minus=form");
    assert_int_equal(none.count, 0);
}

static void what_changes_after_a_state_was_kept_is_the_difference(void **state) {
    Script s;
    Picture A, B, difference;
    script_begin(&s, STANDARD "&motion=less", 1728, 1080);
    keep_picture(&A, &s.list);
    script_key(&s, 'k', 0);
    script_key(&s, 'r', 0);
    script_frame(&s);
    keep_picture(&B, &s.list);
    script_end(&s);
    script_begin(&s, STANDARD "&motion=less&minus=kept", 1728, 1080);
    assert_int_equal(drawn_cells_count(&s.list), 0);
    assert_non_null(drawn_beginning(&s.list, "No state is kept"));
    script_key(&s, 'k', 0);
    script_frame(&s);
    keep_picture(&difference, &s.list);
    for (int i = 0; i < entries(&difference); i++)
        assert_true(difference.at[1][i] == 0);
    script_key(&s, 'r', 0);
    script_frame(&s);
    keep_picture(&difference, &s.list);
    for (int i = 0; i < entries(&A); i++)
        assert_true(difference.at[1][i] == B.at[1][i] - A.at[1][i]);
    script_end(&s);
}

/* Of every quantity that is shown: what was kept is taken off what is there now. */
static void every_quantity_is_kept(void **state) {
    for (int show = 0; show < SHOWS.count; show++) {
        Script s;
        char line[256];
        Picture before, after, difference;
        snprintf(line, sizeof line, "%s&mask=causal&motion=less&show=%s", STANDARD,
                 registry_entry(&SHOWS, show)->id);
        script_begin(&s, line, 1728, 1080);
        keep_picture(&before, &s.list);
        script_key(&s, 'k', 0);
        script_key(&s, 'r', 0);
        script_frame(&s);
        keep_picture(&after, &s.list);
        script_click_text(&s, "Subtract", 0);
        script_click_text(&s, "the kept state", 0);
        script_frame(&s);
        keep_picture(&difference, &s.list);
        float most = 0;
        for (int i = 0; i < entries(&after); i++) {
            float a = after.at[1][i], b = before.at[1][i], less = difference.at[1][i];
            assert_true(a == DRAW_CELL_MASKED ? less == DRAW_CELL_MASKED : less == a - b);
            most = fmaxf(most, a == DRAW_CELL_MASKED ? 0 : fabsf(less));
        }
        assert_true(most > 0);
        assert_non_null(strstr(script_state(&s), "minus=kept"));
        script_end(&s);
    }
}

/* Kept while the weights were shown; the gradients are there all the same. */
static void gradients_are_kept_with_the_weights(void **state) {
    Script s;
    Picture difference;
    script_begin(&s, STANDARD "&motion=less", 1728, 1080);
    script_key(&s, 'k', 0);
    script_key(&s, 'r', 0);
    const char *line = STANDARD "&seed=2&show=grad-a&minus=kept";
    script_paste(&s, line, strlen(line));
    script_frame(&s);
    keep_picture(&difference, &s.list);
    assert_int_equal(difference.count, 2);
    script_end(&s);
}
int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_of_what_is_shown),
        cmocka_unit_test(another_form_is_taken_off_every_quantity),
        cmocka_unit_test(what_changes_after_a_state_was_kept_is_the_difference),
        cmocka_unit_test(every_quantity_is_kept),
        cmocka_unit_test(gradients_are_kept_with_the_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
