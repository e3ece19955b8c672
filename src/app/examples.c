#include "app/examples.h"

#include <string.h>

#include "app/hint.h"
#include "base/util.h"

const Example EXAMPLES[] = {
    {{"reference", "What “it” stands for", "",
      "Which word does the row “it” read most? Nothing is trained yet: press R, and it may "
      "change."},
     SESSION_TEXT_STANDARD},
    {{"ambiguity", "Two kinds of bank", "",
      "Both “bank” have one word vector. Set Positions to none: their rows become the same."},
     "she sat on the river bank before she went to the bank for money"},
    {{"repetition", "A phrase that comes again", "",
      "Repeated words have similar columns: compare the four “the”. Finding what followed a word "
      "earlier takes a second layer."},
     "the cat sat on the mat and the cat sat on the rug"},
    {{"negation", "Good, not bad", "",
      "“good” and “bad” have similar vectors (cosine 0.69). Random weights hide it: press 3, and "
      "the page W = I shows the cosines."},
     "the film was not bad but the book was good"},
    {{"similarity", "King, queen, dog", "",
      "“king” and “queen” have similar vectors (cosine 0.73), “queen” and “dog” do not (0.23). "
      "Random weights hide it: press 3, set W = I, and attention shows it."},
     "king queen man woman dog cat"},
    {{"agreement", "Far apart, yet they agree", "",
      "“are” agrees with “keys”, nine words back. Set Mask to Window 2: it can no longer see it."},
     "the keys to the old wooden cabinet near the door are missing"},
};

const Registry EXAMPLE_REGISTRY = {"examples", "example", EXAMPLES, sizeof EXAMPLES[0],
                                   ARRAY_COUNT(EXAMPLES)};

void example_show(App *app, int example) {
    const char *text = EXAMPLES[example].text;
    if (app_edit_text(app, 0, app->session.text->size, text, strlen(text), 0))
        hint_say(app, EXAMPLES[example].entry.help, app->session.text);
}

int example_shown(const App *app) {
    const Text *text = app->session.text;
    for (int i = 0; i < EXAMPLE_REGISTRY.count; i++)
        if (text->size == strlen(EXAMPLES[i].text) &&
            memcmp(text->bytes, EXAMPLES[i].text, text->size) == 0)
            return i;
    return -1;
}
