/* export.h: the tensors of the window's layer, written as the verb export writes them. */
#ifndef HEADLIGHT_SHELL_EXPORT_H
#define HEADLIGHT_SHELL_EXPORT_H

#include "results/results.h"

/* Write all tensors of run, in the format that the path's ending names: .safetensors, .npz or
 * .json. On failure return false and err; an older file stays as it was. */
bool export_tensors(const char *path, const Results *run, Err *err);

#endif
