/* One reviewed picture a view, and the laws of a picture in states that no other test opens. */
#include "base/util.h"
#include "support/script.h"
#include "support/test.h"
#include "support/words.h"

/* Compare each view at 1080p with its reviewed draw list. `make golden` writes the lists. Places by
 * force amplify rounding, so Graph shows another layout. */
TEST(each_view_is_its_reviewed_picture) {
    static const char *const pictures[][2] = {
        {"heads", "pin=4,8&head=2"},
        {"graph", "view=graph&graph-layout=arc&mask=causal&pin=3,2"},
        {"wqk", "view=wqk&wqk-against=rank&wqk-entry=25,52"},
        {"compare",
         "view=compare&compare-schemes=xavier_uniform,normal_002"}, /* He amplifies rounding layer
                                                                       by layer */
        {"steps", "view=steps&steps-step=4"},
        {"train", "view=train&train-step=24"}, /* later, training has multiplied rounding */
        {"empty", "text="},
        {"light", "theme=light&form=merged"},
    };
    for (size_t i = 0; i < ARRAY_COUNT(pictures); i++) {
        SCRIPT(s, script_begin_typical, pictures[i][1], 1920, 1080);
        drawn_golden(&s.list, pictures[i][0]);
    }
    SCRIPT(s, script_begin_typical, "pin=9,2", 1920, 1080);
    script_key(&s, 'l', 0);
    drawn_golden(&s.list, "lecture");
}

/* No word overlaps another or is half covered, and every command is valid. */
TEST(words_have_room_in_combined_states) {
    static char states[][128] = {
        "mask=causal&pin=3,5",
        "beside=normal&pin=4,8",
        "show=scores&mask=causal&numbers=fit&range=each",
        "summary=both&mask-panel=show&mask=window:1&order=weight",
        "wall=one&warp=log&clamp=90&pin=2,3",
        "text=a%20a&positions=none&d-model=8&heads=2",
        "text=a%20b&d-model=8&heads=2&close=1..2-1..2",
        "temperature=1e-06&init=normal",
        "view=graph&mask=causal&pin=3,2&depth=3&graph-layout=layered",
        "view=graph&mask=causal&pin=3,2&depth=3&graph-layout=bipartite",
        "view=graph&mask=causal&pin=3,2&depth=3&graph-layout=circle",
        "view=graph&text=same%20same&positions=none",
        "view=graph&close=1..3-1..3&text=a%20b%20c",
        "view=graph&init=normal&temperature=0.01&text=a%20b%20c%20d",
        "view=wqk&form=merged&wqk-against=rank",
        "view=wqk&wqk-product=ov&wqk-against=rank&wqk-page=parts",
        "view=wqk&bias=all&wqk-against=rank&wqk-page=cost",
        "view=wqk&positions=rope&wqk-offset=2",
        "view=wqk&heads=64&wqk-against=rank&wqk-page=nested",
        "view=wqk&init=zeros&wqk-against=rank",
        "view=wqk&init=identity&heads=1&wqk-against=rank",
        "view=compare&compare=scale&scale=none",
        "view=compare&compare=depth&block=residual",
        "view=steps&text=alone&steps-step=3",
        "view=steps&mask=causal&pin=3,7&steps-step=4",
        "view=steps&form=merged&steps-step=3",
        "view=steps&block=post-norm&bias=all&steps-step=6",
        "view=steps&block=pre-norm&steps-step=2",
        "view=train&text=alone&train-step=0",
        "view=train&mask=causal&pin=9,2&train-step=24",
        "view=train&form=merged&theme=light&train-step=24",
        "view=train&train-optimiser=sgd&train-rate=0.1&train-step=40",
    };
    static const float sizes[][2] = {{1920, 1080}, {1024, 768}};
    for (size_t i = 0; i < ARRAY_COUNT(states) * ARRAY_COUNT(sizes); i++) {
        const float *size = sizes[i % ARRAY_COUNT(sizes)];
        char *name = states[i / ARRAY_COUNT(sizes)];
        int count;
        SCRIPT(s, script_begin_typical, name, size[0], size[1]);
        assert_null(drawn_fault(&s.list));
        const Word *words = words_of(&s.list, &s.measure, &count);
        assert_true(count > 10);
        words_check(&s.list, words, count, words_fail, name);
    }
}
