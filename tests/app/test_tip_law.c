/* The law of tooltips: in every view and in the sheets of settings and keys, whatever word the
 * pointer rests on, a tooltip opens or the window says something else about it. Covered by rule:
 * captions of four words or more or the end of a sentence, the text's own tokens, and numbers. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/app_state.h"
#include "app/commands.h"
#include "base/util.h"
#include "support/script.h"
#include "support/test.h"
#include "support/words.h"

#define WORD_MAX_BYTES 96
#define CAPTION_BLANKS 3 /* blanks from which words are a caption */

/* A word of the picture, kept while later frames are drawn. */
typedef struct Visit {
    char text[WORD_MAX_BYTES];
    Vec2 at;
} Visit;

static int lacking;
static long visited;

/* Return a sum over all words of a picture, whatever their order. */
static uint64_t words_sum(const DrawList *list) {
    uint64_t sum = 0;
    for (size_t i = 0; i < list->command_count; i++) {
        const DrawText *t = &list->commands[i].as.text;
        uint64_t hash = 14695981039346656037u;
        if (list->commands[i].kind != DRAW_TEXT)
            continue;
        for (uint32_t k = 0; k < t->text_bytes; k++)
            hash = (hash ^ (unsigned char)list->text[t->text_at + k]) * 1099511628211u;
        sum += hash;
    }
    return sum;
}

/* True for numbers: 16 of 64, 1.2e−7. */
static bool is_number(const char *words) {
    for (const char *at = words; *at != '\0'; at += strncmp(at, " of ", 4) == 0 ? 4 : 1)
        if (isalpha((unsigned char)*at) &&
            (*at != 'e' || at == words || !isdigit((unsigned char)at[-1])))
            return false;
    return true;
}

static bool is_caption(const char *words) {
    int blanks = 0;
    size_t bytes = strlen(words);
    for (size_t i = 0; i < bytes; i++)
        blanks += words[i] == ' ';
    return blanks >= CAPTION_BLANKS || (bytes > 0 && words[bytes - 1] == '.');
}

static bool is_token(const Script *s, const char *words) {
    const Results *run = &s->app->run;
    for (int i = 0; i < run->T; i++)
        if (strlen(words) == run->tokens[i].bytes &&
            memcmp(words, results_token(run, i), run->tokens[i].bytes) == 0)
            return true;
    return false;
}

/* Rest the pointer on a word. Return true if the window then says something about it. */
static bool is_explained(Script *s, const Visit *v, uint64_t at_rest) {
    s->inside = false;
    for (int i = 0; i < 2; i++) { /* the tooltip before closes */
        script_wait(s, 1);
    }
    assert_false(s->app->ui.tip.shown);
    script_move(s, v->at);
    script_wait(s, 1);
    const char *whole = s->app->ui.pointed.text;
    return s->app->ui.tip.shown || words_sum(&s->list) != at_rest || is_token(s, v->text) ||
           is_number(whole[0] != '\0' ? whole : v->text) || is_caption(whole);
}

/* The words of the picture, or of the sheet over it. */
static int visits_of(Visit *out, const Script *s) {
    int count, visits = 0, layer = 0;
    const Word *words = words_of(&s->list, &s->measure, &count);
    for (int i = 0; i < count && s->app->sheet != SHEET_NONE; i++)
        layer = words[i].layer > layer ? words[i].layer : layer;
    for (int i = 0; i < count; i++) {
        Rect seen = rect_intersect(words[i].around, words[i].clip);
        if (seen.w < 1 || seen.h < 1 || words[i].layer < layer)
            continue;
        out[visits].at = rect_centre(seen);
        snprintf(out[visits++].text, WORD_MAX_BYTES, "%.*s", words[i].bytes, words[i].text);
    }
    return visits;
}

/* True if this word was explained at an earlier size of the same state; record it. */
static bool is_known(const char *state, const Visit *v) {
    static char known[WORDS_MAX][WORD_MAX_BYTES], of[96];
    static int count;
    if (strcmp(state, of) != 0) {
        snprintf(of, sizeof of, "%s", state);
        count = 0;
    }
    for (int i = 0; i < count; i++)
        if (strcmp(known[i], v->text) == 0)
            return true;
    if (count < WORDS_MAX)
        snprintf(known[count++], WORD_MAX_BYTES, "%s", v->text);
    return false;
}

/* Visit the words of a state, or, if only_new, those that no earlier size of it has. */
static void visit_size(const char *state, const char *command, float width, float height,
                       bool only_new) {
    static Visit visits[WORDS_MAX];
    Script s;
    script_begin_typical(&s, state, width, height);
    if (command != NULL)
        command_run(s.app, command);
    script_frame(&s);
    int count = visits_of(visits, &s);
    uint64_t at_rest = words_sum(&s.list);
    for (int i = command != NULL; i < count; i++) { /* the first is the title of the sheet */
        bool was_known = is_known(state, &visits[i]);
        if ((only_new && was_known) || is_explained(&s, &visits[i], at_rest))
            continue;
        lacking++;
        print_error("%s at %.0f: “%s” in “%s” has no tooltip\n", command != NULL ? command : state,
                    (double)width, visits[i].text, s.app->ui.pointed.text);
    }
    visited += count;
    script_end(&s);
}

static void visit_state(const char *state, const char *command, float width, float height) {
    visit_size(state, command, width, height, false);
}

/* The law leaves numbers out, but those of a colour scale have a tooltip. */
TEST(a_scale_is_explained) {
    static const char *const numbers[][2] = {{"view=heads&pin=7,5", "0"},
                                             {"view=steps&pin=7,5", "+max"},
                                             {"view=train&train-step=0", "0"},
                                             {"view=wqk", "0"}};
    for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
        SCRIPT(s, script_begin_typical, numbers[i][0], 1366, 768);
        bool is_found = false;
        for (int nth = 0; drawn_text(&s.list, numbers[i][1], nth) != NULL && !is_found; nth++) {
            script_move(&s, drawn_middle(&s.list, drawn_text(&s.list, numbers[i][1], nth)));
            script_wait(&s, 2);
            is_found = s.app->ui.tip.shown && strcmp(s.app->ui.pointed.text, "colour scale") == 0;
        }
        if (!is_found)
            fail_msg("%s: the scale has no tooltip", numbers[i][0]);
    }
}

TEST(every_word_is_explained) {
    static const char *const pages[] = {"wqk&wqk-page=cost",
                                        "wqk&wqk-page=training",
                                        "wqk&wqk-page=parts",
                                        "wqk&wqk-page=nested",
                                        "wqk&wqk-page=plain",
                                        "wqk&wqk-product=ov",
                                        "compare&compare=depth",
                                        "compare&compare=map",
                                        "compare&compare=scale",
                                        "compare&compare=fused",
                                        "compare&compare=bugs",
                                        "compare&compare=root",
                                        "compare&compare=twice&compare-blend=0.5"};
    char text[96];
    for (int i = 0; i < VIEW_REGISTRY.count; i++) {
        snprintf(text, sizeof text, "view=%s", VIEWS[i].entry.id);
        visit_state(text, NULL, 1920, 1080);
        visit_size(text, NULL, 1366, 768, true); /* names may be shorter */
        visit_size(text, NULL, 1024, 768, true);
        visit_size(text, NULL, 3840, 2160, true);
    }
    for (size_t i = 0; i < ARRAY_COUNT(pages); i++) {
        snprintf(text, sizeof text, "view=%s", pages[i]);
        visit_state(text, NULL, 1920, 1080);
        visit_size(text, NULL, 1366, 768, true);
        visit_size(text, NULL, 1024, 768, true);
        visit_size(text, NULL, 3840, 2160, true);
    }
    visit_state("view=heads&statistics=show", NULL, 1920, 1080);
    visit_state("view=graph&statistics=show", NULL, 1920, 1080);
    visit_state("view=heads", "options", 1920, 1080);
    visit_state("view=heads", "keys", 1920, 1080);
    assert_in_range(visited, 2000, 100000);
    assert_int_equal(lacking, 0);
}
