/* files.h: the page's files. Dropped or chosen files are in memory, in the current folder; saving a
 * file downloads it; the browser keeps settings and the autosave. */
#ifndef HEADLIGHT_WEB_FILES_H
#define HEADLIGHT_WEB_FILES_H

#include "app/files.h"
#include "document/weights.h"
#include "results/results.h"

#define FILES_KEPT "/kept/" /* folder that the browser keeps: filled before the program starts */

/* Move the autosave of the last visit to the place from which it is restored. Call once. */
AppFiles files_begin(void);

/* A WeightsSave, and AppResources.save_tensors: written here, and downloaded. */
bool files_save_weights(const char *path, const Weights *weights, const char *note, Err *err);
bool files_save_tensors(const char *path, const Results *run, Err *err);

#endif
