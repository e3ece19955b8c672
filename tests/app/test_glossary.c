/* The glossary: sorted, short, typeset; each word's place opens, from the sheet and by Ctrl K. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "app/app_state.h"
#include "app/chrome.h"
#include "app/sheets.h"
#include "base/utf8.h"
#include "support/script.h"
#include "support/test.h"
#include "support/words.h"

#define SENTENCE_WORDS 25

TEST(words_are_sorted_and_unique) {
    assert_in_range(GLOSSARY_REGISTRY.count, 55, 90);
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++) {
        const Entry *entry = &GLOSSARY[i].entry;
        for (int k = 0; k < i; k++)
            assert_string_not_equal(GLOSSARY[k].entry.id, entry->id);
        if (i > 0 && strcasecmp(GLOSSARY[i - 1].entry.label, entry->label) >= 0)
            fail_msg("%s comes after %s", entry->label, GLOSSARY[i - 1].entry.label);
    }
}

/* Fail if a sentence is too long, or the text does not end like one. */
static void check_sentences(const Entry *entry) {
    int words = 1, sentences = 0;
    for (const char *at = entry->help; *at != '\0'; at++) {
        bool ends = *at == '.' && (at[1] == ' ' || at[1] == '\0');
        words += *at == ' ';
        if (words > SENTENCE_WORDS)
            fail_msg("%s: a sentence has more than %d words", entry->label, SENTENCE_WORDS);
        sentences += ends;
        words = ends ? 0 : words;
    }
    if (sentences < 1 || sentences > 3 || entry->help[strlen(entry->help) - 1] != '.')
        fail_msg("%s: %d sentences", entry->label, sentences);
}

TEST(explanations_are_short) {
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++)
        check_sentences(&GLOSSARY[i].entry);
    for (int i = 0; i < WINDOW_WORD_COUNT; i++)
        check_sentences(&WINDOW_WORDS[i].entry);
}

/* Each place is a view that draws a picture, and Undo returns from it. */
TEST_IN(every_place_opens, script_open, "") {
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++) {
        char before[8192];
        snprintf(before, sizeof before, "%s", script_state(s));
        script_keys(s, "Ctrl+K");
        glossary_open(s->app, i);
        script_play(s, "| Enter |");
        const char *view = PRINT("view=%s", VIEWS[app_view(s->app)].entry.id);
        if (strncmp(GLOSSARY[i].state, view, strlen(view)) != 0 || s->app->message_count != 0 ||
            view_place_absent(s->app) != NULL)
            fail_msg("%s does not open", GLOSSARY[i].entry.label);
        if (strcmp(before, script_state(s)) != 0)
            app_undo(s->app, -1);
        script_frame(s);
        assert_string_equal(before, script_state(s));
    }
}

/* The sheet shows every word, its formulas without a sign of their notation. */
TEST_IN(the_sheet_shows_every_word, script_begin_typical, "", 1728, 1080) {
    script_keys(s, "Ctrl+K");
    for (int i = 0; i < GLOSSARY_REGISTRY.count; i++) {
        glossary_open(s->app, i);
        script_frame(s);
        int count, seen = 0;
        const Word *words = words_of(&s->list, &s->measure, &count);
        for (int k = 0; k < count; k++) {
            const Word *w = &words[k];
            Rect visible = rect_intersect(w->around, w->clip);
            if (w->layer != UI_LAYER_DRAWER)
                continue;
            assert_null(memchr(w->text, '^', (size_t)w->bytes));
            assert_null(memchr(w->text, '_', (size_t)w->bytes));
            seen += visible.h >= w->around.h - WORDS_SLACK;
        }
        assert_true(seen > 20);
        const Ui *ui = &s->app->ui;
        assert_true(ui->focus == ui_id("term", i));
    }
    script_play(s, "Enter |");
    assert_int_equal(s->app->sheet, SHEET_NONE);
    assert_string_equal(VIEWS[app_view(s->app)].entry.id,
                        "steps"); /* the view that shows the last term */
}

TEST_IN(ctrl_k_finds_a_word, script_open, "") {
    script_keys(s, "Ctrl+K 'word kl' Enter");
    assert_int_equal(s->app->sheet, SHEET_GLOSSARY);
    script_play(s, "| <KL divergence> |");
    assert_int_equal(s->app->sheet, SHEET_NONE);
    assert_string_equal(VIEWS[app_view(s->app)].entry.id, "wqk");
}

TEST_IN(a_tooltip_leads_to_its_word, script_open, "view=train") {
    const DrawCommand *text = drawn_text(&s->list, "Gradient norm", 0);
    assert_non_null(text);
    script_move(s, drawn_middle(&s->list, text));
    script_wait(s, 1);
    assert_true(s->app->ui.tip.shown);
    script_click(s, rect_centre(s->app->ui.tip.place));
    assert_int_equal(s->app->sheet, SHEET_GLOSSARY);
    assert_false(s->app->ui.tip.shown);
}
