/* SPDX-License-Identifier: Apache-2.0 OR MIT
 * From statuses to exceptions; python/moonbow/_errors.py defines and describes those of our own. */
#include "core.h"

static PyObject *exception_of(const core_state *state, int status)
{
    switch (status) {
    case MOONBOW_BAD_SIGNATURE:
        return state->invalid_signature;
    case MOONBOW_WRONG_LENGTH:
        return PyExc_ValueError;
    case MOONBOW_NO_RANDOM:
    case MOONBOW_NO_SIGNATURE:
    case MOONBOW_FAULT:
    case MOONBOW_BAD_SCRATCH:
    case MOONBOW_SINK_FAILED:
    case MOONBOW_WRONG_ORDER:
    case MOONBOW_CONTAINER_LIBCRYPTO:
        return state->operation_error;
    case MOONBOW_CONTAINER_NO_MEMORY:
        return PyExc_MemoryError;
    case MOONBOW_CONTAINER_UNREADABLE:
    case MOONBOW_CONTAINER_UNWRITABLE:
        return PyExc_OSError;
    case MOONBOW_CONTAINER_EXISTS:
        return PyExc_FileExistsError;
    case MOONBOW_CONTAINER_ENCRYPTED:
    case MOONBOW_CONTAINER_WRONG_PASSPHRASE:
        return state->passphrase_error;
    default: /* MOONBOW_WRONG_KEY and all that a key file can be */
        return state->key_error;
    }
}

PyObject *core_raise(const core_state *state, int status, const moonbow_detail *detail, const char *path)
{
    const char *text = detail ? detail->text : moonbow_container_text(status);
    PyObject *exception = exception_of(state, status);
    if (path)
        return PyErr_Format(exception, "%s: %s", path, text);
    PyErr_SetString(exception, text);
    return NULL;
}
