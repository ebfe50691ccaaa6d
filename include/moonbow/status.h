/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * What every function of Moonbow that can fail returns: 0, or one of these negative values.
 * No function returns a boolean; `if (moonbow_verify(...) == MOONBOW_OK)` is the only right test. */
#ifndef MOONBOW_STATUS_H
#define MOONBOW_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* what the shared library shows */
#endif

enum {
    MOONBOW_OK = 0,
    MOONBOW_BAD_SIGNATURE = -1, /* the signature does not verify under this key */
    MOONBOW_WRONG_LENGTH = -2,  /* a key, signature or seed has another length than the algorithm's */
    MOONBOW_WRONG_KEY = -3,     /* the key's digest is not the pinned one, or two keys are not a pair */
    MOONBOW_BAD_SCRATCH = -4,   /* the scratch memory is too small or not aligned */
    MOONBOW_NO_RANDOM = -5,     /* the random source failed */
    MOONBOW_SINK_FAILED = -6,   /* a sink refused a piece of a key */
    MOONBOW_NO_SIGNATURE = -7,  /* every allowed attempt at signing met a singular system */
    MOONBOW_FAULT = -8,         /* signing was disturbed, or the new signature did not verify; nothing was released */
    MOONBOW_WRONG_ORDER = -9    /* a function of a streamed operation was called out of order */
};

/* One English sentence without a full stop, for any value above; never NULL. */
const char *moonbow_status_text(int status);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
