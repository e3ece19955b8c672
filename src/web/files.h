/* files.h: the page's files. Files that the user drops or chooses are in memory, in the current
 * folder. Saving a file downloads it. The browser stores settings and the autosave. */
#ifndef HEADLIGHT_WEB_FILES_H
#define HEADLIGHT_WEB_FILES_H

#include "app/files.h"
#include "document/weights.h"
#include "results/results.h"

/* Folder that the browser stores; it is filled before the program starts. */
#define FILES_KEPT "/kept/"

/* Move the autosave of the last visit to the place from which it is restored. Call once. Return the
 * page's file access. */
AppFiles files_begin(void);

/* Write weights to a file in memory and download it: a WeightsSave. The second function does this
 * for all tensors (AppResources.save_tensors). */
bool files_save_weights(const char *path, const Weights *weights, const char *note, Err *err);
bool files_save_tensors(const char *path, const Results *run, Err *err);

#endif
