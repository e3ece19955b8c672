/* verbs.h: the functions of the verbs, called after the command line was read. If one fails, it
 * leaves no incomplete file. */
#ifndef HEADLIGHT_SHELL_VERBS_H
#define HEADLIGHT_SHELL_VERBS_H

#include "shell/cli.h"

/* Set the settings to those that the last window stored. */
void verb_window_prepare(Settings *settings);

bool verb_window(const Call *call, Err *err);
bool verb_render(const Call *call, Err *err);
bool verb_record(const Call *call, Err *err);
bool verb_export(const Call *call, Err *err);
bool verb_compare(const Call *call, Err *err);
bool verb_train(const Call *call, Err *err);
bool verb_bench(const Call *call, Err *err);
bool verb_list(const Call *call, Err *err);
bool verb_tour(const Call *call, Err *err);

/* Return the index-th kind of things that `list` can print, or NULL after the last one. */
const Registry *list_kind(int index);

#endif
