/* pytorch.h: writes a scheme as three lines of PyTorch that sample the weights of one layer, for Q
 * = X @ W_Q (torch.nn.Linear stores the transpose). Pure. */
#ifndef HEADLIGHT_LAB_PYTORCH_H
#define HEADLIGHT_LAB_PYTORCH_H

#include "base/text_out.h"
#include "model/init/scheme.h"

/* Append a comment with the scheme's name, and the lines: the import; W_Q and W_K; W_V and W_O. */
void pytorch_lines(TextOut *out, const char *name, const SchemePlan *plan, const AttnShape *shape);

#endif
