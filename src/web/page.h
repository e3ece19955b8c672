/* page.h: the page's files, canvas and jobs. Files that the user drops or chooses are in memory, in
 * the current folder. Saving a file downloads it. The browser stores settings and the autosave. */
#ifndef HEADLIGHT_WEB_PAGE_H
#define HEADLIGHT_WEB_PAGE_H

#include "app/files.h"
#include "base/job.h"
#include "document/weights.h"
#include "draw/draw.h"
#include "results/results.h"

/* Folder that the browser stores; it is filled before the program starts. */
#define FILES_KEPT "/kept/"

/* Move the autosave of the last visit to the place from which it is restored. Call once. Return the
 * page's file access. */
AppFiles files_begin(void);

/* Write weights to a file in memory and download it: a function of type WeightsSave.
 * files_save_tensors does this for all tensors (AppResources.save_tensors). */
bool files_save_weights(const char *path, const Weights *weights, const char *note, Err *err);
bool files_save_tensors(const char *path, const Results *run, Err *err);

/* Draw `list` on a canvas of this size in device pixels. Call after draw_end. If memory runs out,
 * some commands are not drawn. */
void canvas_draw(const DrawList *list, int width, int height);

/* Jobs in a page, which has one thread. A long job has its own stack and runs in slices between
 * frames; any other job runs to its end when it is started. */
JobPool pool_jobs(void);

bool pool_has_work(void);

/* Run a job for one slice of time. Only the browser may call this: the stack is switched. */
void pool_work(void);

#endif
