
#include "shell/bench.h"

const Verb VERBS[] = {
    {{"", "[FILE] [options]", "", "See what multi-head attention does to a text, in a window."},
     {verb_window, CALL_STATE | CALL_PICTURE | CALL_LECTURE | CALL_WINDOW, .word = "FILE",
      .prepare = verb_window_prepare}},
    {{"render", "-o FILE.png [options]", "", "Draw one view as a picture."},
     {verb_render, .groups = CALL_OUTPUT | CALL_KEYS | CALL_MOMENT | CALL_FIGURE | CALL_STATE |
                             CALL_PICTURE | CALL_LECTURE}},
    {{"export", "-o FILE.safetensors [options]", "", "Write every tensor of one pass."},
     {verb_export, .groups = CALL_OUTPUT | CALL_EXPORT | CALL_STATE}},
    {{"compare", "-o FILE.json [options]", "",
      "Initialise the layer with several schemes and many seeds, and write the statistics."},
     {verb_compare, .groups = CALL_OUTPUT | CALL_STUDY | CALL_STATE}},
    {{"train", "-o FILE.safetensors [options]", "",
      "Train one layer, starting from the weights that export writes, and write its weights or its "
      "steps."},
     {verb_train, .groups = CALL_OUTPUT | CALL_TRAIN | CALL_STATE}},
    {{"record", "[FILE.tour] -o FILE.mp4 [options]", "",
      "Record a tour, pressed keys, or the motion from one state to another, as a film or its "
      "frames."},
     {verb_record, CALL_OUTPUT | CALL_FILM | CALL_KEYS | CALL_STATE | CALL_PICTURE | CALL_LECTURE,
      .word = "FILE"}},
    {{"bench", "WHAT [options]", "", "Measure how long one computation takes."},
     {verb_bench, CALL_TOKENS | CALL_JSON | CALL_STATE | CALL_PICTURE, .word = "WHAT",
      .words = &BENCHES, .word_needed = true}},
    {{"tour", "[FILE] [--check | --list | --describe | --present]", "",
      "Play a tour in the window, from a file or by the id of a built-in one; list the built-in "
      "tours."},
     {verb_tour, CALL_TOUR | CALL_PICTURE | CALL_WINDOW, .word = "FILE"}},
    {{"list", "KIND [--json]", "", "Print the ids of one kind, one per line."},
     {verb_list, CALL_JSON, .word = "KIND", .word_needed = true}},
};
const Registry VERB_REGISTRY = REGISTRY("verbs", "verb", VERBS);
