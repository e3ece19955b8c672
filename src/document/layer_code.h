/* layer_code.h: the session's layer as a script in PyTorch or NumPy, at most 60 lines, which reads
 * the tensors that `export` writes, computes A and Y, and fails if its A differs from the file's.
 * Pure. */
#ifndef HEADLIGHT_DOCUMENT_LAYER_CODE_H
#define HEADLIGHT_DOCUMENT_LAYER_CODE_H

#include "base/registry.h"
#include "base/text_out.h"
#include "document/session.h"

typedef enum LayerCode { LAYER_CODE_PYTORCH, LAYER_CODE_NUMPY } LayerCode;
extern const Registry LAYER_CODES;

/* Append the script. tensors is the name of the file with the tensors, valid UTF-8. The script
 * looks for it in its own folder if is_beside, otherwise in the folder that it is run in (for code
 * pasted into a notebook). out->failed is set if memory runs out. */
void layer_code(TextOut *out, const Session *session, LayerCode code, const char *tensors,
                bool is_beside);

#endif
