#include "shell/verbs.h"

#include "base/util.h"

const Verb VERBS[] = {
    {{"", "[FILE] [options]", "", "See what multi-head attention does to a text, in a window."},
     "FILE",
     false,
     CALL_STATE | CALL_PICTURE,
     verb_window},
    {{"render", "-o FILE.png [options]", "", "Draw one view to a picture."},
     NULL,
     false,
     CALL_OUTPUT | CALL_STATE | CALL_PICTURE,
     verb_render},
    {{"export", "-o FILE.safetensors [options]", "", "Write every tensor of one pass."},
     NULL,
     false,
     CALL_OUTPUT | CALL_GRAD | CALL_STATE,
     verb_export},
    {{"compare", "-o FILE.json [options]", "",
      "Draw the layer by several schemes over many seeds, and write what comes of it in numbers."},
     NULL,
     false,
     CALL_OUTPUT | CALL_STUDY | CALL_STATE,
     verb_compare},
    {{"bench", "WHAT [options]", "",
      "Time one thing; WHAT is forward, backward, study or frame."},
     "WHAT",
     true,
     CALL_TOKENS | CALL_JSON | CALL_STATE | CALL_PICTURE,
     verb_bench},
    {{"list", "KIND [--json]", "", "Print the ids of one kind, a line each."},
     "KIND",
     true,
     CALL_JSON,
     verb_list},
};
const Registry VERB_REGISTRY = {"verbs", "verb", VERBS, sizeof VERBS[0], ARRAY_COUNT(VERBS)};
