/* pytorch.h: writes a scheme as three lines of PyTorch that sample the weights of one layer. They
 * are to be used as Q = X @ W_Q and so on (torch.nn.Linear stores the transpose). Pure. */
#ifndef HEADLIGHT_LAB_PYTORCH_H
#define HEADLIGHT_LAB_PYTORCH_H

#include "model/init/scheme.h"

#define PYTORCH_MAX 2048

/* Write the lines, ended by NUL: the import; W_Q and W_K; W_V and W_O. */
void pytorch_lines(char out[PYTORCH_MAX], const SchemePlan *plan, const AttnShape *shape);

#endif
