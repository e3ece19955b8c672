/* pytorch.h: a scheme as three lines of PyTorch to be pasted: what it draws at this shape, with
 * Q = X @ W_Q and so on. Pure. */
#ifndef HEADLIGHT_LAB_PYTORCH_H
#define HEADLIGHT_LAB_PYTORCH_H

#include "model/scheme.h"

#define PYTORCH_MAX 1024

/* Write the lines, ended by NUL. False, and a line that says so, where a matrix of the plan is
 * drawn together with another, which takes more than three lines. */
bool pytorch_lines(char out[PYTORCH_MAX], const SchemePlan *plan, const AttnShape *shape);

#endif
