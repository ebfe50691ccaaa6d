/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Atomic writing. Each step that may fail (close included) is checked before the rename. */
#include "file.h"

#include "explain.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct moonbow_file_writer {
    char *path;      /* where the file will be */
    char *directory; /* of path, with its last slash; "./" if it has none */
    char *temporary; /* where it is being written */
    int descriptor;  /* -1 once closed */
    moonbow_overwrite overwrite;
};

/* ---- Temporary files ------------------------------------------------------------------------- */

/* Temporary files that exist now, for moonbow_file_remove_temporaries. More than this many at once are
 * written all the same, but a signal leaves the others behind. */
enum { LIVE_LEN = 16 };
static _Atomic(char *) live[LIVE_LEN];

static void remember(char *temporary)
{
    for (size_t i = 0; i < LIVE_LEN; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&live[i], &none, temporary))
            return;
    }
}

static void forget(char *temporary)
{
    for (size_t i = 0; i < LIVE_LEN; i++) {
        char *own = temporary;
        if (atomic_compare_exchange_strong(&live[i], &own, NULL))
            return;
    }
}

void moonbow_file_remove_temporaries(void)
{
    const int saved = errno;
    for (size_t i = 0; i < LIVE_LEN; i++) {
        const char *temporary = atomic_load(&live[i]);
        if (temporary)
            unlink(temporary);
    }
    errno = saved;
}

/* Holds every signal back while a name and its entry in `live` change together. */
static void hold_signals(sigset_t *before)
{
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, before);
}

static void release_signals(const sigset_t *before)
{
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* A name in the directory that nobody else uses: the process and a counter. NULL without memory. */
static char *temporary_name(const char *directory)
{
    static atomic_uint counter;
    const size_t bytes = strlen(directory) + 64;
    char *name = malloc(bytes);
    if (name) {
        (void)snprintf(name, bytes, "%s.moonbow-%ld-%u.tmp", directory, (long)getpid(),
                 atomic_fetch_add(&counter, 1));
    }
    return name;
}

/* Everything up to the last slash. */
static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
}

/* Creates the temporary file. A file of that name can only be left from a process that was killed and
 * had our number: then the next counter value is tried. */
static int open_temporary(moonbow_file_writer *writer, mode_t mode, moonbow_detail *detail)
{
    for (int attempt = 0; attempt < 100; attempt++) {
        sigset_t before;
        free(writer->temporary);
        writer->temporary = temporary_name(writer->directory);
        if (!writer->temporary)
            return mb_container_fail(detail, MOONBOW_CONTAINER_NO_MEMORY);
        hold_signals(&before);
        writer->descriptor =
            open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
        const int error = errno;
        if (writer->descriptor >= 0)
            remember(writer->temporary);
        release_signals(&before);
        if (writer->descriptor >= 0)
            return MOONBOW_OK;
        if (error != EEXIST) {
            return mb_container_explain(detail, MOONBOW_CONTAINER_UNWRITABLE, "cannot create in %.100s: %s",
                                        writer->directory, strerror(error));
        }
    }
    return mb_container_explain(detail, MOONBOW_CONTAINER_UNWRITABLE,
                                "cannot create a temporary file in %.100s", writer->directory);
}

/* ---- Creating and writing -------------------------------------------------------------------- */

static int explain_exists(moonbow_detail *detail)
{
    return mb_container_explain(detail, MOONBOW_CONTAINER_EXISTS, "exists already and was left as it is");
}

/* Looks at what is at the path before any work is done; commit decides. */
static int check_target(const char *path, moonbow_overwrite overwrite, moonbow_detail *detail)
{
    struct stat entry;
    if (lstat(path, &entry) != 0)
        return MOONBOW_OK; /* opening tells what else is wrong with the path */
    if (overwrite == MOONBOW_KEEP_EXISTING)
        return explain_exists(detail);
    if (stat(path, &entry) == 0 && !S_ISREG(entry.st_mode)) {
        return mb_container_explain(detail, MOONBOW_CONTAINER_UNWRITABLE,
                                    "is not a regular file and is not replaced");
    }
    return MOONBOW_OK;
}

int moonbow_file_create(moonbow_file_writer **writer, const char *path, mode_t mode,
                        moonbow_overwrite overwrite, moonbow_detail *detail)
{
    *writer = NULL;
    int status = check_target(path, overwrite, detail);
    if (status != MOONBOW_OK)
        return status;
    moonbow_file_writer *created = calloc(1, sizeof *created);
    if (!created)
        return mb_container_fail(detail, MOONBOW_CONTAINER_NO_MEMORY);
    created->descriptor = -1;
    created->overwrite = overwrite;
    created->path = strdup(path);
    created->directory = directory_of(path);
    status = created->path && created->directory ? open_temporary(created, mode, detail)
                                                 : mb_container_fail(detail, MOONBOW_CONTAINER_NO_MEMORY);
    if (status != MOONBOW_OK) {
        moonbow_file_abandon(created);
        return status;
    }
    *writer = created;
    return MOONBOW_OK;
}

int moonbow_file_write(moonbow_file_writer *writer, const void *bytes, size_t bytes_len,
                       moonbow_detail *detail)
{
    const char *next = bytes;
    while (bytes_len > 0) {
        const ssize_t written = write(writer->descriptor, next, bytes_len);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0) {
            return mb_container_explain(detail, MOONBOW_CONTAINER_UNWRITABLE, "cannot write: %s",
                                        strerror(errno));
        }
        next += written;
        bytes_len -= (size_t)written;
    }
    return MOONBOW_OK;
}

/* ---- Putting in place ------------------------------------------------------------------------ */

/* Syncs and closes the temporary file. */
static int finish_temporary(moonbow_file_writer *writer, moonbow_detail *detail)
{
    const int synced = fsync(writer->descriptor) == 0 || errno == EINVAL; /* EINVAL: cannot be synced */
    int error = synced ? 0 : errno;
    const int closed = close(writer->descriptor);
    if (!error && closed != 0 && errno != EINTR)
        error = errno;
    writer->descriptor = -1;
    if (!error)
        return MOONBOW_OK;
    return mb_container_explain(detail, MOONBOW_CONTAINER_UNWRITABLE, "cannot write: %s", strerror(error));
}

/* Renames so that nothing is overwritten, on file systems without RENAME_NOREPLACE too. */
static int rename_keeping(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    if (link(from, to) != 0)
        return -1;
    unlink(from);
    return 0;
}

/* Gives the finished temporary file its name. */
static int place(moonbow_file_writer *writer, moonbow_detail *detail)
{
    const int result = writer->overwrite == MOONBOW_REPLACE ? rename(writer->temporary, writer->path)
                                                            : rename_keeping(writer->temporary, writer->path);
    if (result == 0) {
        forget(writer->temporary);
        free(writer->temporary);
        writer->temporary = NULL;
        return MOONBOW_OK;
    }
    if (errno == EEXIST && writer->overwrite == MOONBOW_KEEP_EXISTING)
        return explain_exists(detail);
    return mb_container_explain(detail, MOONBOW_CONTAINER_UNWRITABLE, "cannot put in place: %s",
                                strerror(errno));
}

/* Makes the new name survive a power failure, where the file system can. The file is in place already,
 * so that a failure here changes nothing that could still be undone: it is not reported. */
static void sync_directory(const char *directory)
{
    const int descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

int moonbow_file_commit(moonbow_file_writer *writer, moonbow_detail *detail)
{
    sigset_t before;
    int status = finish_temporary(writer, detail);
    hold_signals(&before);
    if (status == MOONBOW_OK)
        status = place(writer, detail);
    release_signals(&before);
    if (status == MOONBOW_OK)
        sync_directory(writer->directory);
    moonbow_file_abandon(writer);
    return status;
}

/* Keeps what a commit is about to replace under a second name; *backup is NULL if there is nothing. */
static int back_up(char **backup, const moonbow_file_writer *writer, moonbow_detail *detail)
{
    struct stat entry;
    *backup = NULL;
    if (writer->overwrite != MOONBOW_REPLACE || lstat(writer->path, &entry) != 0)
        return MOONBOW_OK;
    *backup = temporary_name(writer->directory);
    if (!*backup)
        return mb_container_fail(detail, MOONBOW_CONTAINER_NO_MEMORY);
    /* A file system without links moves the old file aside instead. */
    if (link(writer->path, *backup) == 0 || rename_keeping(writer->path, *backup) == 0)
        return MOONBOW_OK;
    const int error = errno;
    free(*backup);
    *backup = NULL;
    return mb_container_explain(detail, MOONBOW_CONTAINER_UNWRITABLE,
                                "cannot keep the old file meanwhile: %s", strerror(error));
}

/* Places both. If either fails, the first path is as it was. Runs with signals held back. */
static int place_both(moonbow_file_writer *first, moonbow_file_writer *second, int *failed,
                      moonbow_detail *detail)
{
    char *backup = NULL;
    *failed = 0;
    int status = back_up(&backup, first, detail);
    if (status == MOONBOW_OK)
        status = place(first, detail);
    const int first_placed = status == MOONBOW_OK;
    if (first_placed) {
        *failed = 1;
        status = place(second, detail);
    }
    if (status != MOONBOW_OK && backup) {
        /* Does nothing if both still name the old file. The failure before it is the one to tell. */
        (void)rename(backup, first->path);
    } else if (status != MOONBOW_OK && first_placed) {
        unlink(first->path);
    }
    if (backup)
        unlink(backup);
    free(backup);
    return status;
}

int moonbow_file_commit_both(moonbow_file_writer *first, moonbow_file_writer *second, int *failed,
                             moonbow_detail *detail)
{
    sigset_t before;
    int which = 0;
    int status = finish_temporary(first, detail);
    if (status == MOONBOW_OK) {
        which = 1;
        status = finish_temporary(second, detail);
    }
    hold_signals(&before);
    if (status == MOONBOW_OK)
        status = place_both(first, second, &which, detail);
    release_signals(&before);
    if (status == MOONBOW_OK) {
        sync_directory(first->directory);
        sync_directory(second->directory);
    }
    if (failed)
        *failed = which;
    moonbow_file_abandon(first);
    moonbow_file_abandon(second);
    return status;
}

void moonbow_file_abandon(moonbow_file_writer *writer)
{
    if (!writer)
        return;
    if (writer->descriptor >= 0)
        close(writer->descriptor);
    if (writer->temporary) {
        unlink(writer->temporary);
        forget(writer->temporary);
    }
    free(writer->temporary);
    free(writer->directory);
    free(writer->path);
    free(writer);
}
