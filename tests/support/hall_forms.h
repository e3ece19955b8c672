/* hall_forms.h: a tour with every view in the hall form. */
#ifndef HEADLIGHT_TESTS_SUPPORT_HALL_FORMS_H
#define HEADLIGHT_TESTS_SUPPORT_HALL_FORMS_H

static const char HALL_FORMS[] = "# Headlight tour 1\n"
                                 "title = Forms\n"
                                 "stage = hall\n"
                                 "state = text=the animal didn't cross the street\n"
                                 "== one: A matrix\nstate = view=heads&wall=one&pin=4,2\n"
                                 "caption = One.\n"
                                 "== all: All heads\nstate = view=heads&wall=all\ncaption = All.\n"
                                 "== graph: Graph\nstate = view=graph&pin=4,2\ncaption = Graph.\n"
                                 "== wqk: Two matrices\nstate = view=wqk\ncaption = Two.\n"
                                 "== merged: One matrix\nstate = view=wqk&form=merged\n"
                                 "caption = One.\n"
                                 "== free: No factors\nstate = view=wqk&form=free\ncaption = W.\n"
                                 "== compare: Compare\nstate = view=compare\ncaption = Starts.\n"
                                 "== root: Root\nstate = view=compare&compare=root\n"
                                 "caption = Root.\n"
                                 "== score: Score\nstate = view=steps&steps-step=3\n"
                                 "caption = Score.\n"
                                 "== mix: Mix\nstate = view=steps&steps-step=5\ncaption = Mix.\n"
                                 "== train: Train\nstate = view=train&train-step=20\n"
                                 "caption = Train.\n";

/* Width and height. */
static const int HALL_SIZES[][2] = {{1024, 768}, {1280, 720}, {1920, 1080}, {3840, 2160}};

#endif
