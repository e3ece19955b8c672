/* The same state is the same picture to the byte: in every locale, and again. */
#include <locale.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shell/figure.h"
#include "support/opened.h"
#include "support/test.h"
#include "views/view.h"

#define STATE                                                                                      \
    "text=the%20cat%20sat&d-model=12&heads=2&embedding=random&temperature=0.3&size=400x280"

static char folder[] = "/tmp/headlight-locales-XXXXXX";

typedef struct Picture {
    TextOut png, svg;
} Picture;

static Picture draw(const Session *session, const Settings *settings) {
    Picture picture = {0};
    Stage stage;
    must(stage_begin(&stage, session, settings, (StageOptions){0}, &told));
    stage_frame(&stage, NULL, 0, 0);
    must(figure_encode(&picture.png, figure_png, &stage, &(CallFigure){0}, &told));
    must(figure_encode(&picture.svg, figure_svg, &stage, &(CallFigure){0}, &told));
    stage_end(&stage);
    return picture;
}

static Picture draw_view(int view) {
    char state[256];
    Session session;
    Settings settings;
    snprintf(state, sizeof state, "%s&view=%s", STATE, registry_entry(&VIEW_REGISTRY, view)->id);
    session = picture_opened(&settings, state, NULL);
    Picture picture = draw(&session, &settings);
    session_release(&session);
    return picture;
}

static void release(Picture *picture) {
    text_out_release(&picture->png);
    text_out_release(&picture->svg);
}

static void expect_same(Picture a, Picture *b) {
    assert_int_equal(a.png.used, b->png.used);
    assert_memory_equal(a.png.at, b->png.at, a.png.used);
    assert_string_equal(a.svg.at, b->svg.at);
    release(b);
}

static int setup(void **state) {
    return mkdtemp(folder) == NULL ? -1 : setenv("LOCPATH", folder, 1);
}

static int teardown(void **state) {
    char command[64];
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* Use a locale, which the folder gets first; false if the system has no source of it. The C library
 * remembers which it has not found. */
static bool take_locale(const char *name) {
    char command[256], path[64];
    snprintf(path, sizeof path, "%s/%s.UTF-8", folder, name);
    snprintf(command, sizeof command, "localedef --no-archive -i %s -f UTF-8 %s >/dev/null 2>&1",
             name, path);
    if (access(path, F_OK) != 0 && system(command) == -1) /* a warning is a status */
        return false;
    return setlocale(LC_ALL, strrchr(path, '/') + 1) != NULL;
}

static void check_locale(const char *name) {
    if (!take_locale(name))
        skip();
    for (int view = 0; view < VIEW_REGISTRY.count; view++) {
        setlocale(LC_ALL, "C");
        LOCAL(release) Picture plain = draw_view(view);
        assert_true(take_locale(name));
        Picture there = draw_view(view);
        expect_same(plain, &there);
    }
}

TEST(a_decimal_comma_changes_nothing) {
    check_locale("de_DE");
}

TEST(a_turkish_i_changes_nothing) {
    check_locale("tr_TR");
}

TEST(japanese_changes_nothing) {
    check_locale("ja_JP");
}

#ifdef __linux__
TEST(one_processor_draws_what_all_do) {
    cpu_set_t all, one;
    CPU_ZERO(&one);
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    for (size_t cpu = 0; CPU_COUNT(&one) == 0; cpu++)
        if (CPU_ISSET(cpu, &all))
            CPU_SET(cpu, &one);
    for (int view = 0; view < VIEW_REGISTRY.count; view += 3) {
        LOCAL(release) Picture of_all = draw_view(view);
        assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
        Picture of_one = draw_view(view);
        assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
        expect_same(of_all, &of_one);
    }
}
#endif

TEST_ALL(setup, teardown)
