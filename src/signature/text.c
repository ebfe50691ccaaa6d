/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * Words for statuses and security, the version, and the public way to wipe. */
#include "platform/wipe.h"

#include <moonbow/signature.h>

/* From the build: the project's version, as a string. */
#ifndef MOONBOW_VERSION
#define MOONBOW_VERSION "unknown"
#endif

const char *moonbow_status_text(int status)
{
    switch (status) {
    case MOONBOW_OK:
        return "success";
    case MOONBOW_BAD_SIGNATURE:
        return "the signature does not verify";
    case MOONBOW_WRONG_LENGTH:
        return "a key, signature or seed has the wrong length for the algorithm";
    case MOONBOW_WRONG_KEY:
        return "the key is not the expected one";
    case MOONBOW_BAD_SCRATCH:
        return "the scratch memory is too small or not aligned";
    case MOONBOW_NO_RANDOM:
        return "the random source failed";
    case MOONBOW_SINK_FAILED:
        return "a part of the key could not be written";
    case MOONBOW_NO_SIGNATURE:
        return "every allowed attempt at signing met a singular system";
    case MOONBOW_FAULT:
        return "signing was disturbed, or the new signature did not verify";
    case MOONBOW_WRONG_ORDER:
        return "a function of a streamed operation was called out of order";
    default:
        return "unknown status";
    }
}

const char *moonbow_security_text(moonbow_security security)
{
    switch (security) {
    case MOONBOW_BROKEN:
        return "broken";
    case MOONBOW_LEGACY:
        return "legacy";
    case MOONBOW_CANDIDATE:
        return "candidate";
    }
    return "unknown";
}

const char *moonbow_version(void)
{
    return MOONBOW_VERSION;
}

void moonbow_wipe(void *memory, size_t bytes)
{
    mb_wipe(memory, bytes);
}
