/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Files that appear whole or not at all: written to a temporary file in the same directory, synced,
 * and put in place by one rename. Nothing is overwritten unless the caller says so. */
#ifndef MOONBOW_CONTAINER_FILE_H
#define MOONBOW_CONTAINER_FILE_H

#include "container.h"

#include <stddef.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum moonbow_overwrite {
    MOONBOW_KEEP_EXISTING, /* fail if the file exists, even if it appears while we write */
    MOONBOW_REPLACE        /* replace a regular file (or a link to one) */
} moonbow_overwrite;

/* A file being written. Every writer ends with commit or abandon, which free it. */
typedef struct moonbow_file_writer moonbow_file_writer;

/* Begins a file that will be `path`, with permissions `mode` less the process's umask. What is not a
 * regular file (a device, a directory) is never replaced. Errors: EXISTS, UNWRITABLE, NO_MEMORY. */
int moonbow_file_create(moonbow_file_writer **writer, const char *path, mode_t mode,
                        moonbow_overwrite overwrite, moonbow_detail *detail);

/* Adds bytes at the end. After an error only abandon is left. Errors: UNWRITABLE. */
int moonbow_file_write(moonbow_file_writer *writer, const void *bytes, size_t bytes_len,
                       moonbow_detail *detail);

/* Syncs, closes and puts the file in place; on an error nothing has changed under its name.
 * Errors: EXISTS, UNWRITABLE. */
int moonbow_file_commit(moonbow_file_writer *writer, moonbow_detail *detail);

/* Commits two files, or neither: if the second cannot be put in place the first is taken back, and
 * what it replaced is restored. Signals are held back meanwhile. failed, if not NULL, receives 0
 * or 1, the file that failed. */
int moonbow_file_commit_both(moonbow_file_writer *first, moonbow_file_writer *second, int *failed,
                             moonbow_detail *detail);

/* Removes the temporary file. NULL is allowed. */
void moonbow_file_abandon(moonbow_file_writer *writer);

/* Removes the temporary files of all writers of this process. Async-signal-safe: for the signal
 * handler of a program that ends right after. */
void moonbow_file_remove_temporaries(void);

#ifdef __cplusplus
}
#endif
#endif
