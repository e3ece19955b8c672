#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "document/session.h"
#include "document/state.h"
#include "support/opened.h"
#include "support/test.h"

TEST(one_set_has_one_text) {
    static const struct {
        const char *given, *written;
    } cases[] = {
        {"set=S1(7,5)=5", "set=S1(7,5)=5"},
        {"set=S1(7,5)=5;X(3,1)=0", "set=X(3,1)=0;S1(7,5)=5"},
        {"set=W_Q2(4,1)=-0.5;W_O(64,64)=1e-30", "set=W_Q2(4,1)=-0.5;W_O(64,64)=1e-30"},
        {"set=S1(7,5)=5;S1(7,5)=6", "set=S1(7,5)=6"},
        {"set=S1(7,5)=5&set=S1(1,1)=2", "set=S1(1,1)=2"},
        {"set=S1(7,5)=5&set=none", ""},
        {"set=", ""},
        {"set=S1(7,5)=5;sigma2(16)=0.5;W_O(1,1)=2", "set=W_O(1,1)=2;sigma2(16)=0.5;S1(7,5)=5"},
        {"form=free&set=sigma1(64)=0", "form=free&set=sigma1(64)=0"},
        {"set=S4(4096,4096)=0.1", "set=S4(4096,4096)=0.1"},
        {"form=merged&set=W_QK1(64,64)=2", "form=merged&set=W_QK1(64,64)=2"},
        {"form=nested&set=W_Q_full(1,2)=2;W_Q_head4(1,1)=3",
         "form=nested&set=W_Q_full(1,2)=2;W_Q_head4(1,1)=3"},
        {"bias=all&set=b_Q1(1,16)=1;b_O(1,64)=2", "bias=all&set=b_Q1(1,16)=1;b_O(1,64)=2"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(cases); i++) {
        LOCAL(session_release) Session session = session_opened(cases[i].given);
        check_session(&session, cases[i].written);
    }
}

TEST(no_bytes_are_an_empty_set) {
    HandSet *set = NULL;
    must(hand_set_read(&set, NULL, 0, &told));
    assert_null(set);
}

TEST(what_is_no_list_is_refused_and_changes_nothing) {
    static const char *const wrong[] = {
        "S1(7,5)",       "S(7,5)=1",     "S1(7,5)=nan",  "S1(7,5)=inf", "S1(7,5)=1e39",
        "X1(1,1)=0",     "X(1,0)=1",     "X(1)=1",       "X(1,1)=1;",   ";X(1,1)=1",
        "X(1,1)=1,2",    "Q1(1,1)=1",    "A1(1,1)=1",    "S0(1,1)=1",   "S5(1,1)=1",
        "X(1,65)=1",     "X(4097,1)=1",  "W_QK1(1,1)=1", "b_Q1(1,1)=1", "W_Q_full(1,1)=1",
        "X(1,1) =1",     "X( 1,1)=1",    "S1(-1,1)=1",   "S1(1,1)==1",  "X(99999999999,1)=1",
        "sigma1(3,1)=1", "sigma1(17)=1", "sigma1(3)=-1", "sigma(3)=1",  "sigma5(3)=1",
        "sigma1()=1",    "W_O1(1,1)=1",  "W_Q(1,1)=1",   "s1(1,1)=1",   "X(1,1)=",
        "W_Q1(65,1)=1",
    };
    LOCAL(session_release) Session session = session_opened("set=X(1,1)=7");
    for (size_t i = 0; i < ARRAY_COUNT(wrong); i++) {
        char string[128] = "set=";
        Err err = {0};
        strcat(string, wrong[i]);
        if (state_read(&session, NULL, string, strlen(string), &err))
            fail_msg("%s was taken", string);
        assert_int_equal(err.kind, ERR_USAGE);
        assert_int_equal(strncmp(err.what, "--set", 5), 0);
        check_session(&session, "set=X(1,1)=7");
    }
}

TEST(numbers_leave_with_what_they_name) {
    Session session = session_opened("set=W_Q4(1,1)=1;W_Q1(1,1)=1;sigma4(1)=2;X(1,64)=2");
    const OptionRow *heads = option_find(&STATE_OPTIONS, "heads", 5);
    assert_true(session_set(&session, heads, "2", 1, &told));
    assert_true(session_fit_numbers(&session, &told));
    check_session(&session, "heads=2&set=W_Q1(1,1)=1;X(1,64)=2");
    session_release(&session);
    session = session_opened("set=W_Q4(1,1)=1&heads=4");
    must(state_read(&session, NULL, "heads=2", 7, &told));
    check_session(&session, "heads=2");
    session_release(&session);
}

TEST(numbers_move_with_their_tokens) {
    Session session =
        session_opened("set=W_Q1(2,2)=9;X(1,1)=1;X(2,1)=2;X(3,1)=3;S1(1,3)=4;S1(2,3)=5");
    const int places[] = {1, -1, 0};
    must(hand_set_move(&session.hand, places, 3, &told));
    check_session(&session, "set=W_Q1(2,2)=9;X(1,1)=3;X(2,1)=1;S1(2,1)=4");
    session_release(&session);
}
