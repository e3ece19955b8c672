/* A session as a file: every state is restored, and a broken line affects no other. */
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "document/document.h"
#include "support/opened.h"
#include "support/test.h"

static Session from_text(const char *text, DocumentFaults *faults) {
    Session session = session_opened("seed=99");
    must(document_read(&session, NULL, NULL, text, strlen(text), faults, &told));
    return session;
}

TEST(every_state_comes_back) {
    static const char *const states[] = {"",
                                         "text=one%20two&heads=2",
                                         "text=%20%20a%20%20",
                                         "text=",
                                         "text=%0A%09%25%26%3D%23",
                                         "text=%23%20no%20comment",
                                         "text=%E9%8D%B5&pin=1,1",
                                         "mask=window:3&open=3-5&close=1-1",
                                         "set=X(3,1)=0;S1(7,5)=5",
                                         "temperature=0.25&form=rank:3&seed=18446744073709551615"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        size_t bytes;
        DocumentFaults faults;
        DocumentKept kept = {.file = " /a b%/é ",
                             .stamp = 0xfedcba9876543210,
                             .shown = "text=%0A%25&heads=2"},
                     read;
        LOCAL(session_release)
        Session before = session_opened(states[i]), after = session_opened("seed=99");
        LOCAL(free_at) char *file = document_write(&bytes, &before, NULL, &kept, &told);
        assert_non_null(file);
        must(document_read(&after, NULL, &read, file, bytes, &faults, &told));
        assert_int_equal(faults.count, 0);
        assert_string_equal(read.file, kept.file);
        assert_true(read.stamp == kept.stamp);
        assert_string_equal(read.shown, kept.shown);
        free(read.shown);
        check_session(&after, states[i]);
    }
}

/* Each beginning of a written file is refused, or known to be cut. */
TEST(a_cut_file_is_known) {
    static const char *const states[] = {"", "text=one%20two&heads=2"};
    for (size_t i = 0; i < ARRAY_COUNT(states); i++) {
        size_t bytes;
        DocumentFaults faults;
        LOCAL(session_release)
        Session before = session_opened(states[i]), after = session_opened("");
        LOCAL(free_at) char *file = document_write(&bytes, &before, NULL, NULL, &told);
        assert_non_null(file);
        must(document_read(&after, NULL, NULL, file, bytes, &faults, &told));
        assert_false(faults.is_cut);
        for (size_t cut = 0; cut < bytes - 1; cut++) {
            bool read = document_read(&after, NULL, NULL, file, cut, &faults, &told);
            assert_true(!read || faults.is_cut);
            assert_true(!read || states[i][0] != '\0');
        }
    }
}

TEST(a_person_can_write_it) {
    DocumentFaults faults;
    Session s =
        from_text("# mine\r\n\r\n heads = 2 \r\n\ttext = the cat sat\nmask=causal", &faults);
    assert_int_equal(faults.count, 0);
    check_session(&s, "text=the%20cat%20sat&heads=2&mask=causal");
    session_release(&s);
    s = from_text("\xEF\xBB\xBFheads = 2\n", &faults); /* as some editors begin a file */
    assert_int_equal(faults.count, 0);
    check_session(&s, "heads=2");
    session_release(&s);
}

TEST(a_broken_line_spoils_no_other) {
    static const struct {
        const char *text, *state, *what;
        int line, count;
    } cases[] = {{"heads=2\nmask=cow\nseed=4", "heads=2&seed=4", "mask", 2, 1},
                 {"seed=4\nwhat=5", "seed=4", "what", 2, 1},
                 {"seed=4\nheads", "seed=4", "heads", 2, 1},
                 {"\n\nseed=4\ntext=%G0", "seed=4", "text", 4, 1},
                 {"heads=5\nseed=4", "seed=4", "heads", 1, 1},
                 {"d-model=60\nheads=5\nseed=4", "d-model=60&heads=5&seed=4", "", 0, 0},
                 {"d-model=60\nheads=7\nseed=4", "d-model=60&seed=4", "heads", 2, 1},
                 {"head=9\nheads=8", "heads=8", "head", 1, 1},
                 {"heads=2\nset=W_Q4(1,1)=1;W_Q1(1,1)=1", "heads=2&set=W_Q1(1,1)=1", "set", 2, 1},
                 /* the first line contradicts the other two, and is skipped */
                 {"positions=rope\nform=free\nd-k=3", "d-k=3&form=free", "positions", 1, 1}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        DocumentFaults faults;
        LOCAL(session_release) Session s = from_text(cases[i].text, &faults);
        check_session(&s, cases[i].state);
        assert_int_equal(faults.count, cases[i].count);
        if (faults.count == 1) {
            assert_int_equal(faults.at[0].line, cases[i].line);
            assert_non_null(strstr(faults.at[0].err.what, cases[i].what));
        }
    }
}

/* A list takes long to read, so a file has one of each. */
TEST(a_list_is_read_once) {
    DocumentFaults faults;
    Session session = from_text("open=1-1\nclose=2-2\nopen=3-3\nset=X(1,1)=1\nset=X(1,1)=2\n"
                                "seed=2\nseed=3\n# end\n",
                                &faults);
    check_session(&session, "seed=3&open=1-1&close=2-2&set=X(1,1)=1");
    assert_int_equal(faults.count, 2);
    assert_int_equal(faults.at[0].line, 3);
    assert_string_equal(faults.at[0].err.what, "open");
    assert_string_equal(faults.at[1].err.what, "set");
    session_release(&session);
}

TEST(a_broken_path_is_none) {
    DocumentFaults faults;
    DocumentKept kept;
    const char text[] = "file=/a/b%4\nseed=4";
    LOCAL(session_release) Session s = session_opened("");
    memset(&kept, 'x', sizeof kept);
    must(document_read(&s, NULL, &kept, text, strlen(text), &faults, &told));
    assert_string_equal(kept.file, "");
    assert_null(kept.shown);
    check_session(&s, "seed=4");
}

TEST(what_is_no_session_changes_nothing) {
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {{"\x89PNG", 4}, {"a\0b", 3}, {"hello\nthere\n", 12}};
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        DocumentFaults faults;
        LOCAL(session_release) Session s = session_opened("seed=99");
        assert_false(document_read(&s, NULL, NULL, cases[i].bytes, cases[i].size, &faults, &told));
        check_session(&s, "seed=99");
    }
}

TEST(a_stamp_ends_with_its_line) {
    DocumentFaults faults;
    DocumentKept kept;
    static const char text[] = "seed=4\nstamp=f00";
    LOCAL(session_release) Session s = session_opened("");
    must(document_read(&s, NULL, &kept, text, strlen(text) - 2, &faults, &told));
    assert_int_equal(kept.stamp, 0xf);
}
