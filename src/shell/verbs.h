/* verbs.h: what each verb does, given a call that was read. Each fails without output. */
#ifndef HEADLIGHT_SHELL_VERBS_H
#define HEADLIGHT_SHELL_VERBS_H

#include "shell/cli.h"

/* The settings that the last window left. */
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

/* Return a kind of things that `list` prints, or NULL past the last one. */
const Registry *list_kind(int index);

#endif
